package dump

import (
	"cmp"
	"slices"

	"shoal/node"
)

// choose lists the nodes to draw.
func (s *sheet) choose() {
	if s.o.Around != nil {
		s.chooseNear()
		return
	}
	var needed []bool
	if s.g.Scopes == nil && s.o.Chapter >= neededSince {
		needed = s.g.Needed()
	}
	for id := 1; id < s.g.NumIDs(); id++ {
		n := s.g.At(node.ID(id))
		if s.drawable(n) && (needed == nil || needed[id]) {
			s.list = append(s.list, n)
		}
	}
	if s.o.Edges != AllEdges {
		s.chooseByEdges()
	}
}

// drawable tells whether a node may be drawn at this chapter.
func (s *sheet) drawable(n *node.Node) bool {
	switch {
	case n == nil || n.Dead() || n.Op.Is(node.Table):
		return false
	case n.Op == node.OpXCtrl:
		return s.f.Schedule == nil && n.NumOut() > 0
	case n.Op == node.OpStop:
		return s.o.Chapter >= stopSince && (n.NumIn() > 0 || s.g.Scopes == nil) // before the first Return it says nothing
	}
	return s.o.Chapter >= memorySince || !isMemory(n)
}

// kindDrawn is the kind of the edge at input i of n; 0 if it is not drawn.
func (s *sheet) kindDrawn(n *node.Node, i int) Edges {
	d := n.In(i)
	if d == nil || !s.drawable(n) || !s.drawable(d) || isProjection(n) {
		return 0
	}
	if i == 0 && (n.Op == node.OpConstant || n.Op == node.OpXCtrl) && s.o.Chapter >= multiSince {
		return 0 // not a real edge
	}
	return kindOf(d) & s.o.Edges
}

// chooseByEdges keeps the nodes that a drawn edge touches.
func (s *sheet) chooseByEdges() {
	touched := make([]bool, s.g.NumIDs())
	for _, n := range s.list {
		for i := range n.NumIn() {
			if s.kindDrawn(n, i) != 0 {
				touched[box(n).ID], touched[box(n.In(i)).ID] = true, true
			}
		}
	}
	s.list = slices.DeleteFunc(s.list, func(n *node.Node) bool { return !touched[box(n).ID] })
}

// chooseNear finds what is near by walking rings around the nodes of interest. A Multi
// and its projections are one.
func (s *sheet) chooseNear() {
	near := nearby{s: s, seen: map[node.ID]bool{}}
	for _, n := range s.o.Around {
		near.add(n)
	}
	for range s.o.Hops {
		ring := near.ring
		near.ring = nil
		for _, n := range ring {
			near.addNeighbours(n)
		}
	}
	slices.SortFunc(s.list, func(a, b *node.Node) int { return cmp.Compare(a.ID, b.ID) })
}

type nearby struct {
	s     *sheet
	seen  map[node.ID]bool
	ring  []*node.Node // found last
	count int
}

func (b *nearby) full() bool { return b.s.o.MaxNodes > 0 && b.count >= b.s.o.MaxNodes }

func (b *nearby) add(n *node.Node) {
	n = box(n)
	if b.seen[n.ID] || !b.s.drawable(n) || b.full() {
		return
	}
	b.seen[n.ID] = true
	b.count++
	b.ring = append(b.ring, n)
	b.s.list = append(b.s.list, n)
	if !n.Op.Is(node.Multi) {
		return
	}
	for _, u := range n.Uses() {
		if isProjection(u.User) && b.s.drawable(u.User) {
			b.s.list = append(b.s.list, u.User)
		}
	}
}

func (b *nearby) addNeighbours(n *node.Node) {
	for i := range n.NumIn() {
		if b.s.kindDrawn(n, i) != 0 {
			b.add(n.In(i))
		}
	}
	for _, u := range n.Uses() {
		switch {
		case b.full():
			return
		case isProjection(u.User):
			b.addUsers(u.User)
		case b.s.kindDrawn(u.User, int(u.Index)) != 0:
			b.add(u.User)
		}
	}
}

func (b *nearby) addUsers(n *node.Node) {
	for _, u := range n.Uses() {
		if b.full() {
			return
		}
		if b.s.kindDrawn(u.User, int(u.Index)) != 0 {
			b.add(u.User)
		}
	}
}
