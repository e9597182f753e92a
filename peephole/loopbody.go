package peephole

import (
	"slices"

	"shoal/node"
)

// A body is what belongs to an innermost loop with one exit besides faults.
type body struct {
	e       *Engine
	loop    *node.Node
	control []*node.Node // from the loop on, predecessors first
	nodes   []*node.Node // values that are computed anew on each trip
	exit    *node.Node   // the projection that leaves the loop
	faults  map[*node.Node]bool
	in      map[*node.Node]bool
	out     map[*node.Node]bool // looked at, and not part of the loop
	twin    map[*node.Node]*node.Node
	copies  map[*node.Node]bool // the twins
	held    []*node.Node        // parts of the test before
}

// The limits of loops of which there may be two: code must not grow by more.
const (
	maxBodyControl = 24
	maxBodyNodes   = 120
	maxBodySeen    = 400
)

// bodyOf is the body of a loop, nil if it is not one that can be split.
func (e *Engine) bodyOf(loop *node.Node) *body {
	if loop.Dead() || loop.Op != node.OpLoop || loop.InProgress() {
		return nil
	}
	b := &body{e: e, loop: loop, in: map[*node.Node]bool{loop: true}, out: map[*node.Node]bool{}, faults: map[*node.Node]bool{}, twin: map[*node.Node]*node.Node{}, copies: map[*node.Node]bool{}}
	if !b.findControl() || !b.findExit() || !b.findNodes() {
		return nil
	}
	return b
}

func (b *body) findControl() bool {
	b.control = []*node.Node{b.loop}
	todo := []*node.Node{b.loop.In(2)}
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if b.in[n] {
			continue
		}
		if n.Op == node.OpLoop || n.Op == node.OpNever || n.Op == node.OpStart || len(b.control) == maxBodyControl {
			return false
		}
		b.in[n] = true
		b.control = append(b.control, n)
		for i := range n.NumIn() {
			if d := n.In(i); d != nil && d.IsCFG() {
				todo = append(todo, d)
			}
		}
	}
	slices.SortFunc(b.control, func(p, q *node.Node) int { return int(b.e.domEntry(p).depth - b.e.domEntry(q).depth) })
	return true
}

// findExit finds the one projection that leaves the loop for something else than a fault.
func (b *body) findExit() bool {
	for _, c := range b.control {
		for _, u := range c.Uses() {
			p := u.User
			switch {
			case p.Op != node.OpCProj || b.in[p]:
			case p.NumOut() == 1 && p.Out(0).User.Op == node.OpFault:
				b.faults[p.Out(0).User] = true
			case b.exit != nil:
				return false
			default:
				b.exit = p
			}
		}
	}
	return b.exit != nil
}

// findNodes finds the values of the loop: whatever hangs off its control, and what that,
// the tests and the faults need and what is not the same on all trips.
func (b *body) findNodes() bool {
	var roots []*node.Node
	for _, c := range b.control {
		for _, u := range c.Uses() {
			switch n := u.User; {
			case n.Op == node.OpNew || n.Op == node.OpScope:
				return false
			case u.Index == 0 && !n.IsCFG():
				b.in[n] = true
				b.nodes = append(b.nodes, n)
				roots = append(roots, n)
			case n.Op == node.OpCProj && !b.in[n] && n != b.exit:
				roots = append(roots, n.Out(0).User) // a fault
			}
		}
		if c.Op == node.OpIf {
			roots = append(roots, c)
		}
	}
	for _, r := range roots {
		for i := 1; i < r.NumIn(); i++ {
			if d := r.In(i); d != nil {
				b.belongs(d, maxBodyDepth)
			}
		}
	}
	return len(b.nodes) <= maxBodyNodes && len(b.in)+len(b.out) <= maxBodySeen
}

// maxBodyDepth bounds the recursion of belongs. What is deeper is taken to be of the loop.
const maxBodyDepth = 100

// belongs tells whether a value depends on the loop, and notes it if so. Phis, Casts and
// whatever hangs off control of the loop are noted already.
func (b *body) belongs(n *node.Node, depth int) bool {
	switch {
	case b.in[n]:
		return true
	case b.out[n] || n.Op.Is(node.Pinned) || n.Op == node.OpConstant:
		return false
	case len(b.in)+len(b.out) > maxBodySeen || depth == 0:
		b.out[n] = true
		b.nodes = append(b.nodes, make([]*node.Node, maxBodyNodes)...) // too large
		return false
	}
	yes := false
	for i := range n.NumIn() {
		if d := n.In(i); d != nil && b.belongs(d, depth-1) {
			yes = true
		}
	}
	if !yes {
		b.out[n] = true
		return false
	}
	b.in[n] = true
	b.nodes = append(b.nodes, n)
	return true
}
