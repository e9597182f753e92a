package peephole

import (
	"shoal/node"
	"shoal/node/types"
)

// What is known of memory. New memory is zero, and always was: a New changes no state of
// memory, it picks a place that nobody had before (semantics §7). States of memory are kept
// apart by field, so two accesses of one state differ in the object alone, or for elements
// in object and offset.

// maxMemoryWalk bounds how many Stores a Load looks past.
const maxMemoryWalk = 64

// An address is where a Load or Store reads or writes.
type address struct{ ref, offset *node.Node }

func addressOf(n *node.Node) address { return address{node.Object(n.In(2)), n.In(3)} }

// differs tells whether two addresses of one class of memory are surely two places.
func (e *Engine) differs(a, b address) bool {
	return node.Apart(a.ref, a.offset, b.ref, b.offset, e.above)
}

// above tells whether control passes n on every way to ctrl, or is it. It gives up far
// away.
func (e *Engine) above(n, ctrl *node.Node) bool {
	for range maxDominatorWalk {
		if ctrl == nil || ctrl.Dead() || n == ctrl {
			return n == ctrl
		}
		ctrl = e.idom(ctrl)
	}
	return false
}

// A found is what a walk up the states of memory came to: the value that is there, or the
// state beyond which it could not look.
type found struct {
	value *node.Node
	zero  bool // the value is what new memory holds
	state *node.Node
}

// lookUp finds what memory holds at an address, starting at the state m.
func (e *Engine) lookUp(m *node.Node, at address) found {
	for range maxMemoryWalk {
		switch m.Op {
		case node.OpStore:
			to := addressOf(m)
			if to == at {
				return found{value: m.In(4), state: m}
			}
			if !e.is.freshMemory || !e.differs(to, at) {
				return found{state: m}
			}
			m = m.In(1)
			continue
		case node.OpProj:
			return found{zero: e.is.freshMemory && at.ref.Op == node.OpNew, state: m}
		case node.OpPhi:
			return found{zero: e.is.freshMemory && at.ref.Op == node.OpNew && node.Older(m, at.ref, e.above), state: m}
		}
		break
	}
	return found{state: m}
}

// available tells whether a reference can be used at the region r: it is defined above it.
func (e *Engine) available(ref, r *node.Node) bool {
	switch ref.Op {
	case node.OpNew, node.OpCast:
		return ref.In(0) != r && e.above(ref.In(0), r)
	case node.OpPhi:
		return ref.In(0).IsRegion() && ref.In(0) != r && e.above(ref.In(0), r)
	case node.OpProj:
		return true
	case node.OpReadOnly:
		return e.available(ref.In(1), r)
	}
	return false
}

// await has the rules look at n again when something happens to on.
func (e *Engine) await(n, on *node.Node) {
	if e.waiting == nil {
		e.waiting = map[node.ID][]node.ID{}
	}
	e.waiting[on.ID] = append(e.waiting[on.ID], n.ID)
}

// wake queues what awaits n.
func (e *Engine) wake(n *node.Node) {
	if len(e.waiting) == 0 {
		return
	}
	for _, id := range e.waiting[n.ID] {
		if m := e.g.At(id); !m.Dead() {
			e.work.push(m, 0)
		}
	}
	delete(e.waiting, n.ID)
}

// typeLoad: what a field may hold. Before chapter 16 nobody makes sure that a field that is
// never null was set (chapters §13.5).
func (e *Engine) typeLoad(n *node.Node) types.Type {
	t := n.Sym.Declared
	if !t.IsRef() {
		return t
	}
	if !e.is.setFields {
		t = t.OrNull()
	}
	if n.In(2).Type.IsReadOnly() {
		t = t.ReadOnly()
	}
	return t
}

func (e *Engine) typeFault(n *node.Node) types.Type {
	if e.is.deadControl && n.In(0).Type == types.XCtrl {
		return types.XCtrl
	}
	return types.Ctrl
}

// typeOther is the type of an operation on floats or references.
func (e *Engine) typeOther(n *node.Node) types.Type {
	var v [3]int64
	folds := true
	for i := 1; i < n.NumIn(); i++ {
		switch t := n.In(i).Type; {
		case t.Kind == types.KindBot:
			return types.Bot
		case t.Kind == types.KindTop, t.HighOrConst() && !t.IsConst() && !t.IsFloatConst() && !t.IsNull():
			return e.highest(n)
		case t.IsConst():
			v[i-1] = t.Value()
		case t.IsFloatConst():
			v[i-1] = t.Bits()
		case t.IsNull():
		default:
			folds = false
		}
	}
	if folds {
		result := node.Ops[n.Op].Eval(64, v[0], v[1], v[2])
		if n.Op.Is(node.FloatOut) {
			return types.ConstBits(result)
		}
		return types.Const(result)
	}
	switch {
	case n.Op == node.OpRoundF32 && e.g.Lattice == types.Ranges:
		return types.F32Any
	case n.Op.Is(node.FloatOut):
		return types.Flt
	case n.Op == node.OpNot || n.Op == node.OpEQ:
		return e.typeRefTest(n)
	case n.Op.Is(node.Bool):
		return e.g.Lattice.Narrow(types.Bool)
	}
	return types.Int
}

// highest is the type of an operation of which no operand has a value yet.
func (e *Engine) highest(n *node.Node) types.Type {
	if n.Op.Is(node.FloatOut) {
		return types.FltTop
	}
	return types.IntTop
}

// typeRefTest is the type of !p and of p == q.
func (e *Engine) typeRefTest(n *node.Node) types.Type {
	p := n.In(1)
	q := n.In(n.NumIn() - 1)
	switch {
	case n.Op == node.OpNot && p.Type.IsRef() && !p.Type.MayBeNull():
		return types.Zero
	case n.Op == node.OpNot:
	case p == q && p.Type.IsRef():
		return types.One
	case p.Type.IsNull() && q.Type.IsRef() && !q.Type.MayBeNull(), q.Type.IsNull() && p.Type.IsRef() && !p.Type.MayBeNull():
		return types.Zero
	}
	return e.g.Lattice.Narrow(types.Bool)
}
