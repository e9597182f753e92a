package gcm

import (
	"shoal/node"
	"shoal/node/types"
)

// checkMemory replays each class of memory over the blocks: whenever a node runs, memory
// must be in the state that the node names. It knows nothing of how nodes were placed.
func (v *verifier) checkMemory() {
	m := &replayer{v: v, class: make([]*types.Field, v.s.Graph.NumIDs())}
	for _, field := range m.fields() {
		m.replay(field)
	}
}

// A replayer follows the states of memory, one class at a time.
type replayer struct {
	v      *verifier
	class  []*types.Field // by ID of a memory Phi: the class that it is about
	before []*node.Node   // by block: the state at its top; nil is not known yet
	after  []*node.Node
}

// mixed is the state of memory where paths come together that differ: nobody may look.
var mixed = &node.Node{}

// fields are the classes that something is stored to, and classes gets the Phis of each.
func (m *replayer) fields() (list []*types.Field) {
	seen := map[*types.Field]bool{}
	for _, b := range m.v.s.Blocks {
		for _, n := range b.Nodes {
			if n.Op == node.OpStore || n.Op == node.OpLoad && n.In(1) != nil {
				f := n.Sym.Field
				if n.Op == node.OpStore && !seen[f] {
					seen[f] = true
					list = append(list, f)
				}
				m.spread(n.In(1), f)
				for _, u := range n.Uses() {
					if n.Op == node.OpStore && u.User.Op == node.OpPhi && u.User.Type.Kind == types.KindMem {
						m.spread(u.User, f)
					}
				}
			}
		}
	}
	return list
}

// spread marks the Phis that n, a state of class f, is made of and goes into.
func (m *replayer) spread(n *node.Node, f *types.Field) {
	todo := []*node.Node{n}
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if n.Op != node.OpPhi || m.class[n.ID] != nil {
			continue
		}
		m.class[n.ID] = f
		for i := 1; i < n.NumIn(); i++ {
			todo = append(todo, n.In(i))
		}
		for _, u := range n.Uses() {
			if u.User.Type.Kind == types.KindMem {
				todo = append(todo, u.User)
			}
		}
	}
}

// replay finds the states at the top and at the end of each block, and then looks at every
// node that names one.
func (m *replayer) replay(f *types.Field) {
	n := len(m.v.s.Blocks)
	m.before, m.after = make([]*node.Node, n), make([]*node.Node, n)
	for changed := true; changed; {
		changed = false
		for _, b := range m.v.s.Blocks {
			top := m.top(b, f)
			if top != m.before[b.ID] {
				changed = true
				m.before[b.ID] = top
			}
			m.after[b.ID] = top
			for _, n := range b.Nodes {
				if n.Op == node.OpStore && n.Sym.Field == f {
					m.after[b.ID] = n
				}
			}
		}
	}
	for _, b := range m.v.s.Blocks {
		m.check(b, f)
	}
}

// top is the state at the top of b: that of its Phi, or what all predecessors agree on.
func (m *replayer) top(b *Block, f *types.Field) *node.Node {
	if b.ID == 0 {
		return m.v.s.Graph.Start
	}
	for _, phi := range b.Phis {
		if m.class[phi.ID] == f {
			return phi
		}
	}
	var state *node.Node
	for _, p := range b.Preds {
		switch after := m.after[p.ID]; {
		case after == nil || after == state:
		case state == nil:
			state = after
		default:
			return mixed
		}
	}
	return state
}

// check looks at the nodes of b that read or replace a state of class f.
func (m *replayer) check(b *Block, f *types.Field) {
	now := m.before[b.ID]
	for _, n := range b.Nodes {
		if n.Op != node.OpLoad && n.Op != node.OpStore || n.Sym.Field != f || n.In(1) == nil {
			continue
		}
		if n.Op == node.OpLoad {
			if !m.reads(n, now, map[*node.Node]bool{}) {
				m.v.fail(n, "in B%d reads %s, but memory is in state %s", b.ID, stateName(n.In(1)), stateName(now))
			}
			continue
		}
		m.mustBe(n, n.In(1), now, b)
		now = n
	}
	for _, s := range b.Succs {
		for _, phi := range s.Phis {
			for k, p := range s.Preds {
				if p == b && m.class[phi.ID] == f {
					m.mustBe(phi, phi.In(s.Paths[k]), now, b)
				}
			}
		}
	}
	if b.End == nil || b.End.Op != node.OpReturn {
		return
	}
	for i := 3; i < b.End.NumIn(); i++ {
		if d := b.End.In(i); m.is(d, f) {
			m.mustBe(b.End, d, now, b)
		}
	}
}

// is tells whether a state is one of class f.
func (m *replayer) is(d *node.Node, f *types.Field) bool {
	return d.Op == node.OpStore && d.Sym.Field == f || d.Op == node.OpPhi && m.class[d.ID] == f
}

func (m *replayer) mustBe(n, want, now *node.Node, b *Block) {
	if want != now && !(want.Op == node.OpProj && now == m.v.s.Graph.Start) {
		m.v.fail(n, "in B%d needs memory in state %s, but it is in %s", b.ID, stateName(want), stateName(now))
	}
}

// reads tells whether a Load finds in the state now what was there in the state it names:
// between them there are only Stores that it is disjoint from, on all paths.
func (m *replayer) reads(load, now *node.Node, seen map[*node.Node]bool) bool {
	want := load.In(1)
	switch {
	case now == want || seen[now] || want.Op == node.OpProj && now == m.v.s.Graph.Start:
		return true
	case now.Op == node.OpStore:
		return node.Disjoint(load, now) && m.reads(load, now.In(1), seen)
	case now.Op != node.OpPhi:
		return now.Op == node.OpProj && want.Op == node.OpProj
	}
	seen[now] = true
	for i := 1; i < now.NumIn(); i++ {
		if m.v.s.Block(now) != nil && !m.reads(load, now.In(i), seen) {
			return false
		}
	}
	return true
}

func stateName(n *node.Node) string {
	switch {
	case n == nil:
		return "unknown"
	case n == mixed:
		return "different on different paths"
	case n.Op == node.OpStart:
		return "as at the start"
	}
	return n.Label()
}
