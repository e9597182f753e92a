package gcm

import (
	"fmt"

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
	before []memState     // by block: the state at its top
	after  []memState
}

// A memState is a state of one class of memory: what a Store or a Phi has made; or, if it
// is nil, a mixture of what comes to the block mixed on its paths; or not known yet.
type memState struct {
	node  *node.Node
	mixed *Block
}

// fields are the classes that something is stored to, and classes gets the Phis of each.
func (m *replayer) fields() (list []*types.Field) {
	seen := map[*types.Field]bool{}
	for _, b := range m.v.s.Blocks {
		for _, n := range b.Nodes {
			if n.Op == node.OpLoad && n.In(1) != nil {
				m.spread(n.In(1), n.Sym.Field)
			}
			if n.Op != node.OpStore {
				continue
			}
			if f := n.Sym.Field; !seen[f] {
				seen[f] = true
				list = append(list, f)
			}
			m.spreadStore(n)
		}
	}
	return list
}

// spreadStore marks the Phis that the states before and after a Store belong to.
func (m *replayer) spreadStore(n *node.Node) {
	m.spread(n.In(1), n.Sym.Field)
	for _, u := range n.Uses() {
		if u.User.Op == node.OpPhi && u.User.IsMem() {
			m.spread(u.User, n.Sym.Field)
		}
	}
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
			if u.User.IsMem() {
				todo = append(todo, u.User)
			}
		}
	}
}

// replay finds the states at the top and at the end of each block, and then looks at every
// node that names one.
func (m *replayer) replay(f *types.Field) {
	n := len(m.v.s.Blocks)
	m.before, m.after = make([]memState, n), make([]memState, n)
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
					m.after[b.ID] = memState{node: n}
				}
			}
		}
	}
	for _, b := range m.v.s.Blocks {
		m.check(b, f)
	}
}

// top is the state at the top of b: that of its Phi, or what all predecessors agree on.
func (m *replayer) top(b *Block, f *types.Field) memState {
	if b.ID == 0 {
		return memState{node: m.v.s.Graph.Start}
	}
	for _, phi := range b.Phis {
		if m.class[phi.ID] == f {
			return memState{node: phi}
		}
	}
	var state memState
	for _, p := range b.Preds {
		switch after := m.after[p.ID]; {
		case after == memState{} || after == state:
		case state == memState{}:
			state = after
		default:
			return memState{mixed: b}
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
			if !m.reads(n, now, map[memState]bool{}) {
				m.v.fail(n, "in B%d reads %s, but memory is in state %s", b.ID, n.In(1).Label(), now)
			}
			continue
		}
		m.mustBe(n, n.In(1), now, b)
		now = memState{node: n}
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

func (m *replayer) mustBe(n, want *node.Node, now memState, b *Block) {
	if !m.same(want, now) {
		m.v.fail(n, "in B%d needs memory in state %s, but it is in %s", b.ID, want.Label(), now)
	}
}

// same tells whether memory is in the state want, which may be that of the start.
func (m *replayer) same(want *node.Node, now memState) bool {
	return now.node == want || want.Op == node.OpProj && now.node == m.v.s.Graph.Start
}

// reads tells whether a Load finds in the state now what was there in the state it names:
// between them there are only Stores that it is disjoint from, on all paths.
func (m *replayer) reads(load *node.Node, now memState, seen map[memState]bool) bool {
	if m.same(load.In(1), now) || seen[now] {
		return true
	}
	seen[now] = true
	switch {
	case now.mixed != nil:
		return m.readsAll(load, now.mixed, seen)
	case now.node.Op == node.OpStore:
		return node.Disjoint(load, now.node, m.above) && m.reads(load, m.stateOf(now.node.In(1)), seen)
	case now.node.Op == node.OpPhi:
		return m.readsAll(load, m.v.s.Block(now.node), seen)
	}
	return false
}

// readsAll is reads for whatever comes to block b on its paths.
func (m *replayer) readsAll(load *node.Node, b *Block, seen map[memState]bool) bool {
	for _, p := range b.Preds {
		if !m.reads(load, m.after[p.ID], seen) {
			return false
		}
	}
	return true
}

// above tells whether control passes n on every way to ctrl.
func (m *replayer) above(n, ctrl *node.Node) bool {
	a, b := m.v.s.Block(n), m.v.s.Block(ctrl)
	return a != nil && b != nil && dominates(a, b)
}

// stateOf is the state that n stands for.
func (m *replayer) stateOf(n *node.Node) memState {
	if n.Op == node.OpProj {
		return memState{node: m.v.s.Graph.Start}
	}
	return memState{node: n}
}

// String names the state in messages.
func (s memState) String() string {
	switch {
	case s.mixed != nil:
		return fmt.Sprintf("different on the paths to B%d", s.mixed.ID)
	case s.node == nil:
		return "unknown"
	case s.node.Op == node.OpStart:
		return "as at the start"
	}
	return s.node.Label()
}
