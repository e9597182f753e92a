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
	}
}

// compute is the type of n as its inputs are now.
func (e *Engine) compute(n *node.Node) types.Type {
	if n.Op.Is(node.Pure) {
		return e.typePure(n)
	}
	if f := typing[n.Op]; f != nil {
		return f(e, n)
	}
	return types.Bot
}

// typePure folds an operation on constants, and else says in which range it is.
func (e *Engine) typePure(n *node.Node) types.Type {
	var operands [4]types.Type
	count := n.NumIn() - 1
	constant, high := true, false
	for i := range count {
		t := n.In(i + 1).Type
		switch {
		case t.Kind == types.KindTop:
			t = types.IntTop
		case t.Kind != types.KindInt:
			return types.Bot
		}
		lo, hi := t.Bounds()
		high = high || lo > hi
		constant = constant && lo == hi
		operands[i] = t
	}
	if high {
		return types.IntTop // no value, or any value, can be here
	}
	if n.Op.Info().Aux == node.AuxBits {
		operands[count] = types.Const(n.Aux)
	}
	if constant {
		return types.Const(node.Ops[n.Op].Eval(64, operands[0].Value(), operands[1].Value(), operands[2].Value()))
	}
	if e.g.Lattice == types.Flat {
		return types.Int
	}
	if f := ranges[n.Op]; f != nil {
		return f(64, operands[0], operands[1], operands[2])
	}
	return types.Int
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
	case !t.Contains(0):
		return types.IfTrue
	case t == types.Zero:
		return types.IfFalse
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
