package peephole

import (
	"shoal/node"
	"shoal/node/types"
	"shoal/source"
)

// phiRules simplify Phis, and move operations to that side of a Phi where they fold.
var phiRules = []Rule{
	{Name: "phi-same", Since: 5, Until: 5, Doc: "Phi(r,x,x) = x (chapters §5.5)", On: []node.Op{node.OpPhi}, Do: phiSame,
		Example: "int k=1; if(arg==1) k=arg*3; else k=arg*4; return k; => return (arg*Phi(Region,3,4));"},
	{Name: "phi-single", Since: 6, Doc: "Phi(r,x,x) = x, where dead paths and the Phi itself do not count (optimizations PHI1)", On: []node.Op{node.OpPhi}, Do: phiSingle,
		Example: "int k=1; if(arg==1) k=arg*3; else k=arg*4; return k; => return (arg*Phi(Region,3,4));"},
	{Name: "phi-bool", Since: 24, Doc: "Phi(r,1,0) over if(c) is c!=0, Phi(r,0,1) is !c (optimizations PHI10)", On: []node.Op{node.OpPhi}, Do: phiBool,
		Example: "int k=0; if(arg<3) k=1; return k; => return (arg<3);"},
	{Name: "phi-zero", Since: 10, Doc: "Phi(r,v,0) where the 0 comes from the false side of if(v) is v (optimizations PHI9)", On: []node.Op{node.OpPhi}, Do: phiZero,
		Example: "int k=arg; if(!arg) k=0; return k; => return arg;"},
	{Name: "phi-cast", Since: 17, Doc: "Phi(r,Cast(x),x) = x, and around a loop Phi(r,x,Cast(Phi)) = x (chapters §10.5)", On: []node.Op{node.OpPhi}, Do: phiCast,
		Example: "struct P { int x; }; P? p=null; if(arg>5) p=new P; while(p) { if(arg<0) return 7; arg=arg-1; } return arg; => Stop[ return 7; return Phi(Loop,arg,(Phi_arg-1)); ]"},
	{Name: "phi-pull", Since: 5, Doc: "Phi(r,op(a,b),op(c,d)) = op(Phi(r,a,c),Phi(r,b,d)) (optimizations PHI6)", On: []node.Op{node.OpPhi}, Do: phiPull,
		Example: "int k=arg*2; if(arg) k=arg*3; else k=arg*4; return k; => return (arg*Phi(Region,3,4));"},
	{Name: "add-phi", Since: 5, Until: 5, Doc: "(x+Phi(r,C..))+D = x+Phi(r,C+D..) (chapters §5.5)", On: []node.Op{node.OpAdd}, Do: rotatePhi,
		Example: "int k=arg; if(arg) k=arg+3; else k=arg+4; return k+1; => return (arg+Phi(Region,4,5));"},
	{Name: "phi-push", Since: 6, Doc: "op(Phi(r,C..),D) = Phi(r,op(C,D)..) (optimizations PHI3, PHI5)", On: []node.Op{node.OpAdd, node.OpMul, node.OpEQ, node.OpLT, node.OpLE}, Do: pushPhi,
		Example: "int s=10; if(arg>100) s=20; else s=30; return s+1; => return Phi(Region,21,31);"},
	{Name: "phi-rotate", Since: 6, Doc: "op(op(x,Phi(r,C..)),D) = op(x,Phi(r,op(C,D)..)) (optimizations PHI4)", On: []node.Op{node.OpAdd, node.OpMul, node.OpAnd, node.OpOr, node.OpXor}, Do: rotatePhi,
		Example: "int k=arg*2; if(arg) k=arg*2+3; else k=arg*2+4; return k+1; => return ((arg*2)+Phi(Region,4,5));"},
}

func phiSame(_ *Engine, n *node.Node) *node.Node {
	for i := 2; i < n.NumIn(); i++ {
		if n.In(i) != n.In(1) {
			return nil
		}
	}
	return n.In(1)
}

func phiSingle(_ *Engine, n *node.Node) *node.Node {
	r := n.In(0)
	if !r.IsRegion() || n.InProgress() || r.Op == node.OpLoop && r.In(1).Type == types.XCtrl {
		return nil
	}
	var only *node.Node
	for i := 1; i < n.NumIn(); i++ {
		d := n.In(i)
		if d == n || d == only || r.In(i).Type == types.XCtrl {
			continue
		}
		if only != nil {
			return nil // two values meet here
		}
		only = d
	}
	return only
}

// diamond is the If whose two projections are all that r joins, and the index of the
// input of r that is its true side.
func diamond(r *node.Node) (iff *node.Node, trueSide int) {
	if r.Op != node.OpRegion || r.NumIn() != 3 || r.InProgress() {
		return nil, 0
	}
	a, b := r.In(1), r.In(2)
	if a.Op != node.OpCProj || b.Op != node.OpCProj || a == b || a.In(0) != b.In(0) || a.In(0).Op != node.OpIf {
		return nil, 0
	}
	return a.In(0), 1 + int(a.Aux)
}

func phiBool(e *Engine, n *node.Node) *node.Node {
	iff, t := diamond(n.In(0))
	if iff == nil || n.NumIn() != 3 || !n.In(1).IsConst() || !n.In(2).IsConst() {
		return nil
	}
	yes, no := n.In(t).Type, n.In(3-t).Type
	switch {
	case yes == types.Zero && no == types.One:
		return e.Make(node.OpNot, n.Pos, nil, iff.In(1))
	case yes == types.One && no == types.Zero:
		if iff.In(1).Op.Is(node.Bool) {
			return iff.In(1)
		}
		return e.Make(node.OpNot, n.Pos, nil, e.Make(node.OpNot, n.Pos, nil, iff.In(1)))
	}
	return nil
}

// phiZero: on the false side of if(v), v is 0.
func phiZero(e *Engine, n *node.Node) *node.Node {
	r := n.In(0)
	if r.Op != node.OpRegion || r.NumIn() != 3 || r.InProgress() {
		return nil
	}
	zero := 1
	if !n.In(1).Type.IsZero() {
		zero = 2
	}
	v := uncast(n.In(3 - zero)) // what the true side knows of it does not matter
	if !n.In(zero).Type.IsZero() || v == n || v.Op == node.OpConstant {
		return nil
	}
	side := r.In(zero)
	if side.Op != node.OpCProj || side.Aux != 1 || side.In(0).Op != node.OpIf || side.In(0).In(1) != v {
		return nil
	}
	return v
}

func phiCast(_ *Engine, n *node.Node) *node.Node {
	if n.NumIn() != 3 || n.InProgress() || !n.In(0).IsRegion() {
		return nil
	}
	a, b := uncast(n.In(1)), uncast(n.In(2))
	switch {
	case a == n.In(1) && b == n.In(2): // no Cast
	case a == b:
		return a
	case b == n:
		return n.In(1)
	}
	return nil
}

// uncast is n without what control knows of it.
func uncast(n *node.Node) *node.Node {
	for n.Op == node.OpCast {
		n = n.In(1)
	}
	return n
}

// phiPull turns a Phi of equal operations into an operation on Phis.
func phiPull(e *Engine, n *node.Node) *node.Node {
	r := n.In(0)
	if !r.IsRegion() || n.InProgress() || n.NumIn() < 3 {
		return nil
	}
	op := n.In(1).Op
	if !op.Is(node.Pure) || op.Info().Arity != 3 {
		return nil
	}
	if back := n.In(2); e.is.singleSpine && r.Op == node.OpLoop && back.Op == op && (back.In(1) == n || back.In(2) == n) {
		return nil // it would take the variable of the loop apart
	}
	for i := 1; i < n.NumIn(); i++ {
		if d := n.In(i); d.Op != op || d.In(0) != nil || otherKind(d.In(1), n.In(1).In(1)) || otherKind(d.In(2), n.In(1).In(2)) || e.is.singleSpine && d.NumOut() != 1 {
			return nil
		}
	}
	at := n.Pos
	left := e.g.Hold(e.phiOf(r, at, n.Sym, n.NumIn(), func(i int) *node.Node { return n.In(i).In(1) }))
	right := e.phiOf(r, at, n.Sym, n.NumIn(), func(i int) *node.Node { return n.In(i).In(2) })
	return e.Make(op, at, nil, e.g.Release(left), right)
}

// otherKind tells whether one of two values is a reference and the other is not.
func otherKind(a, b *node.Node) bool { return a.Type.IsRef() != b.Type.IsRef() }

func (e *Engine) phiOf(r *node.Node, at source.Pos, sym *node.Symbol, size int, value func(i int) *node.Node) *node.Node {
	in := make([]*node.Node, size)
	in[0] = r
	for i := 1; i < size; i++ {
		in[i] = e.g.Hold(value(i))
	}
	phi := e.MakeNamed(node.OpPhi, at, sym, in...)
	e.g.Hold(phi)
	for i := 1; i < size; i++ {
		e.g.Drop(in[i])
	}
	return e.g.Release(phi)
}

// constants tells whether n is a Phi of integer constants on live, finished control.
func constants(n *node.Node) bool {
	if n.Op != node.OpPhi || n.NumIn() < 2 || !n.In(0).IsRegion() || n.InProgress() || n.In(0).Type == types.XCtrl {
		return false
	}
	for i := 1; i < n.NumIn(); i++ {
		if !n.In(i).IsConst() {
			return false
		}
	}
	return true
}

// folds tells whether op on a Phi of constants and k is a Phi of constants again: k is a
// constant, or another such Phi on the same region.
func folds(phi, k *node.Node) bool {
	return constants(phi) && (k.IsConst() || constants(k) && k.In(0) == phi.In(0))
}

// pushPhi does an operation on each constant of a Phi.
func pushPhi(e *Engine, n *node.Node) *node.Node {
	if !folds(n.In(1), n.In(2)) {
		return nil
	}
	return e.pushed(n.Op, n.Pos, n.In(1), n.In(2))
}

// rotatePhi does it to the right operand of the operation below, of the same op.
func rotatePhi(e *Engine, n *node.Node) *node.Node {
	inner := n.In(1)
	if inner.Op != n.Op || !folds(inner.In(2), n.In(2)) {
		return nil
	}
	x := e.g.Hold(inner.In(1))
	phi := e.pushed(n.Op, n.Pos, inner.In(2), n.In(2))
	return e.Make(n.Op, n.Pos, nil, e.g.Release(x), phi)
}

func (e *Engine) pushed(op node.Op, at source.Pos, phi, k *node.Node) *node.Node {
	sym := phi.Sym
	if k.Op == node.OpPhi && k.Sym != nil && sym != nil && k.Sym != sym {
		sym = &node.Symbol{Name: sym.Name + k.Sym.Name, Declared: sym.Declared}
	}
	return e.phiOf(phi.In(0), at, sym, phi.NumIn(), func(i int) *node.Node {
		b := k
		if k.Op == node.OpPhi {
			b = k.In(i)
		}
		c := node.Ops[op].Eval(64, phi.In(i).Type.Value(), b.Type.Value(), 0)
		return e.Int(c, at)
	})
}
