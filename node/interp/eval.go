package interp

import (
	"slices"

	"shoal/node"
)

// findLive marks what ends of control and live Phis need, and lists Phis by Region and
// News by control. What nobody needs is not run: a Phi that is dead may want to know a
// state of memory that is over.
func (in *Interp) findLive() {
	in.live = make([]bool, in.g.NumIDs())
	var todo []*node.Node
	need := func(n *node.Node) {
		if n != nil && !n.IsCFG() && !in.live[n.ID] {
			in.live[n.ID] = true
			todo = append(todo, n)
		}
	}
	for id := 1; id < in.g.NumIDs(); id++ {
		switch n := in.g.At(node.ID(id)); n.Op {
		case node.OpIf:
			need(n.In(1))
		case node.OpReturn, node.OpFault: // not the memory that comes before the values
			for i := 2; i < n.NumIn(); i++ {
				need(n.In(i))
			}
		}
	}
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		in.list(n)
		for i := 1; i < n.NumIn(); i++ {
			need(n.In(i))
		}
	}
	for _, news := range in.news {
		slices.SortFunc(news, func(a, b *node.Node) int { return int(a.ID) - int(b.ID) })
	}
	states := in.memory.states
	slices.SortFunc(states, func(a, b *node.Node) int { return int(a.ID) - int(b.ID) })
	in.memory.states = slices.Compact(states)
}

// list notes a live node where runs will look for it.
func (in *Interp) list(n *node.Node) {
	switch n.Op {
	case node.OpPhi:
		if r := n.In(0); r.IsRegion() {
			in.phis[r.ID] = append(in.phis[r.ID], n)
		}
	case node.OpNew:
		in.news[n.In(0).ID] = append(in.news[n.In(0).ID], n)
	case node.OpLoad:
		if mem := n.In(1); mem != nil {
			in.memory.states = append(in.memory.states, mem)
		}
	}
}

// eval is the value of n now. Chains of any length are evaluated without recursion.
func (in *Interp) eval(n *node.Node) int64 {
	base := len(in.stack)
	in.stack = append(in.stack, n)
	for len(in.stack) > base {
		n := in.stack[len(in.stack)-1]
		if in.leaf(n) || in.known[n.ID] == in.epoch {
			in.stack = in.stack[:len(in.stack)-1]
			continue
		}
		if in.operandsReady(n) {
			in.compute(n)
			in.stack = in.stack[:len(in.stack)-1]
		}
	}
	return in.values[n.ID]
}

// leaf gives values to the nodes that have no operands to wait for.
func (in *Interp) leaf(n *node.Node) bool {
	switch n.Op {
	case node.OpPhi:
	case node.OpConstant:
		in.values[n.ID] = n.Type.Word()
	case node.OpProj:
		in.values[n.ID] = 0
		if n.Aux == argIndex {
			in.values[n.ID] = in.arg
		}
	case node.OpNew:
		return !in.pending[n.ID]
	default:
		return false
	}
	return true
}

// operandsReady pushes the operands that have no value yet.
func (in *Interp) operandsReady(n *node.Node) bool {
	ready := true
	for i := 1; i < n.NumIn(); i++ {
		if d := n.In(i); d != nil && !in.leaf(d) && in.known[d.ID] != in.epoch {
			in.stack = append(in.stack, d)
			ready = false
		}
	}
	return ready
}

func (in *Interp) compute(n *node.Node) {
	switch n.Op {
	case node.OpCast, node.OpReadOnly:
		in.set(n, in.values[n.In(1).ID])
	case node.OpNew:
		in.new(n)
	case node.OpLoad:
		if in.stale(n) {
			in.set(n, in.load(n))
		}
	case node.OpStore:
		if in.stale(n) {
			in.set(n, in.store(n))
		}
	default:
		in.set(n, in.pure(n))
	}
	in.known[n.ID] = in.epoch
}

func (in *Interp) pure(n *node.Node) int64 {
	eval := node.Ops[n.Op].Eval
	if eval == nil {
		panic(in.g.Bug(n, "interp: is no value"))
	}
	var v [4]int64
	for i := 1; i < n.NumIn(); i++ {
		v[i-1] = in.values[n.In(i).ID]
	}
	if n.Op.Info().Aux == node.AuxBits {
		v[n.NumIn()-1] = n.Aux
	}
	return eval(64, v[0], v[1], v[2])
}

// stale tells whether a Load or Store must run: it never has, or something that it needs
// has become another value since it was last looked at.
func (in *Interp) stale(n *node.Node) bool {
	for i := 1; i < n.NumIn(); i++ {
		if d := n.In(i); d != nil && in.changed[d.ID] > in.known[n.ID] {
			return true
		}
	}
	return in.known[n.ID] == 0
}

func (in *Interp) new(n *node.Node) {
	in.pending[n.ID] = false
	length := int64(0)
	if n.NumIn() > 1 {
		length = in.values[n.In(1).ID]
	}
	ref, ok := in.Heap.Make(n.Sym.Object, length)
	if !ok {
		in.Err = in.g.FaultAt(n)
	}
	in.set(n, ref)
}
