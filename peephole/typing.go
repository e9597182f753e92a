package peephole

import (
	"shoal/node"
	"shoal/node/types"
)

// typing has the type function of each op that is not a pure one. Types say what is known
// with the inputs as they are; better inputs never give worse types.
var typing [node.NumOps]func(e *Engine, n *node.Node) types.Type

func init() {
	typing = [node.NumOps]func(e *Engine, n *node.Node) types.Type{
		node.OpStart:    func(_ *Engine, n *node.Node) types.Type { return n.Type },
		node.OpConstant: func(_ *Engine, n *node.Node) types.Type { return n.Type },
		node.OpXCtrl:    func(*Engine, *node.Node) types.Type { return types.XCtrl },
		node.OpReturn:   (*Engine).typeReturn,
		node.OpIf:       (*Engine).typeIf,
		node.OpNever:    func(*Engine, *node.Node) types.Type { return types.IfBoth },
		node.OpCProj:    (*Engine).typeProj,
		node.OpProj:     (*Engine).typeProj,
		node.OpRegion:   (*Engine).typeRegion,
		node.OpLoop:     (*Engine).typeLoop,
		node.OpPhi:      (*Engine).typePhi,
		node.OpNew:      func(_ *Engine, n *node.Node) types.Type { return n.Sym.Declared },
		node.OpLoad:     (*Engine).typeLoad,
		node.OpStore:    func(*Engine, *node.Node) types.Type { return types.Mem },
		node.OpCast:     func(e *Engine, n *node.Node) types.Type { return e.g.Lattice.NonZero(n.In(1).Type) },
		node.OpReadOnly: func(_ *Engine, n *node.Node) types.Type { return n.In(1).Type.ReadOnly() },
		node.OpFault:    (*Engine).typeFault,
	}
}

// compute is what is known of n with its inputs as they are now.
func (e *Engine) compute(n *node.Node) fact {
	switch {
	case n.Op.Is(node.Pure):
		return e.typePure(n)
	case n.Op == node.OpPhi && e.is.bits:
		return e.phiFact(n)
	}
	if f := typing[n.Op]; f != nil {
		return fact{t: f(e, n)}
	}
	return fact{t: types.Bot}
}

// typePure folds an operation on constants, and else says in which range it is and which
// of its bits are known.
func (e *Engine) typePure(n *node.Node) fact {
	var operands [4]fact
	count := n.NumIn() - 1
	constant, high := true, false
	for i := range count {
		t := n.In(i + 1).Type
		switch {
		case t.Kind == types.KindTop:
			t = types.IntTop
		case t.Kind != types.KindInt:
			return fact{t: e.typeOther(n)}
		}
		lo, hi := t.Bounds()
		high = high || lo > hi
		constant = constant && lo == hi
		operands[i].t = t
	}
	if high {
		if n.Op.Is(node.FloatOut) {
			return fact{t: types.FltTop}
		}
		return fact{t: types.IntTop} // no value, or any value, can be here
	}
	if n.Op.Is(node.FloatOut) {
		return fact{t: e.typeOther(n)} // of an integer
	}
	if n.Op.Info().Aux == node.AuxBits {
		operands[count].t = types.Const(n.Aux)
	}
	if constant {
		return fact{t: types.Const(node.Ops[n.Op].Eval(64, operands[0].t.Value(), operands[1].t.Value(), operands[2].t.Value()))}
	}
	switch {
	case e.g.Lattice == types.Flat:
		return fact{t: types.Int}
	case !e.is.bits:
		return fact{t: rangeOf(n.Op, operands[0].t, operands[1].t, operands[2].t)}
	}
	for i := range count {
		operands[i] = e.knowsInt(n.In(i + 1))
	}
	if count < 3 && operands[count].t.IsInt() {
		operands[count] = exactFact(n.Aux)
	}
	return transfer(n.Op, 64, operands[0], operands[1], operands[2])
}

func rangeOf(op node.Op, a, b, c types.Type) types.Type {
	if f := ranges[op]; f != nil {
		return f(64, a, b, c)
	}
	return types.Int
}

// phiFact adds to the type of a Phi the bits that all of its inputs share.
func (e *Engine) phiFact(n *node.Node) fact {
	f := fact{t: e.typePhi(n)}
	r := n.In(0)
	if lo, hi := f.t.Bounds(); f.t.Kind != types.KindInt || lo >= hi || n.InProgress() || !r.IsRegion() {
		return f
	}
	k := knownBits{^uint64(0), ^uint64(0)}
	for i := 1; i < n.NumIn(); i++ {
		if d := n.In(i); d != n && r.In(i).Type != types.XCtrl {
			k = k.either(e.knowsInt(d).bits)
		}
	}
	if k.zeros&k.ones != 0 {
		return f // no input at all
	}
	return newFact(64, f.t, k)
}

func (e *Engine) typeReturn(n *node.Node) types.Type {
	if e.is.deadControl && n.In(0).Type == types.XCtrl {
		return types.XCtrl
	}
	return types.Tuple(n.In(0).Type, n.In(2).Type)
}

func (e *Engine) typeIf(n *node.Node) types.Type {
	if !e.is.deadControl {
		return types.IfBoth
	}
	if c := n.In(0).Type; c != types.Ctrl && c != types.Bot {
		return types.IfNone
	}
	t := n.In(1).Type
	switch {
	case t.Kind == types.KindTop || t == types.IntTop:
		if e.is.numbering {
			return types.IfNone
		}
	case t == types.Zero, t.IsNull():
		return types.IfFalse
	case t.IsRef() && e.is.nonNullTests && !t.MayBeNull():
		return types.IfTrue
	case t.IsInt() && !t.Contains(0):
		return types.IfTrue
	}
	return types.IfBoth
}

func (e *Engine) typeProj(n *node.Node) types.Type {
	elems := n.In(0).Type.Elems()
	if int(n.Aux) >= len(elems) {
		return types.Bot
	}
	return elems[n.Aux]
}

func (e *Engine) typeRegion(n *node.Node) types.Type {
	if !e.is.deadControl || n.InProgress() {
		return types.Ctrl
	}
	t := types.XCtrl
	for i := 1; i < n.NumIn(); i++ {
		t = e.g.Lattice.Meet(t, n.In(i).Type)
	}
	return t
}

// typeLoop: a loop is live if it is entered.
func (e *Engine) typeLoop(n *node.Node) types.Type {
	if n.InProgress() && n.In(1).Type != types.XCtrl {
		return types.Ctrl
	}
	return n.In(1).Type
}

func (e *Engine) typePhi(n *node.Node) types.Type {
	r := n.In(0)
	if n.InProgress() || !e.is.phiTypes {
		return e.declared(n)
	}
	if !r.IsRegion() {
		if r.Type == types.XCtrl {
			return types.Top
		}
		return n.Type
	}
	t := types.Top
	for i := 1; i < n.NumIn(); i++ {
		if d := n.In(i); d != n && (!e.is.livePaths || r.In(i).Type != types.XCtrl) {
			t = e.g.Lattice.Meet(t, d.Type)
		}
	}
	return t
}

// declared is what is known of a Phi before its inputs are.
func (e *Engine) declared(n *node.Node) types.Type {
	if e.is.declared && n.Sym != nil {
		return n.Sym.Declared
	}
	return types.Bot
}
