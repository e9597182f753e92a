package peephole

import (
	"math"

	"shoal/node"
	"shoal/node/types"
)

// memoryRules are the rules of memory, references and floats, from chapter 10 on.
var memoryRules = []Rule{
	{Name: "load-found", Since: 10, Doc: "a Load behind a Store to the same place is what was stored; from chapter 15 on it looks past Stores to other places, and new memory is zero (chapters §10.5, §15.5)", On: []node.Op{node.OpLoad}, Do: loadFound,
		Example: "struct P { int x; }; P? p=null; p=new P; p.x=arg; return p.x; => return arg;"},
	{Name: "load-length", Since: 15, Doc: "the length of a new array is that of its New (chapters §15.5)", On: []node.Op{node.OpLoad}, Do: loadLength,
		Example: "return new int[7]#; => return 7;"},
	{Name: "load-phi", Since: 10, Doc: "Load(Phi(r,m,n),p) = Phi(r,Load(m,p),Load(n,p)), where one of the two is found (chapters §10.5, §15.5)", On: []node.Op{node.OpLoad}, Do: loadPhi,
		Example: "struct P { int x; }; P? p=null; p=new P; if(arg) p.x=5; else p.x=6; return p.x; => return Phi(Region,5,6);"},
	{Name: "load-past", Since: 15, Doc: "a Load looks past Stores to other places (chapters §15.5)", On: []node.Op{node.OpLoad}, Do: loadPast,
		Example: "int[]? a=null; a=new int[3]; a[arg]=5; a[0]=7; return a[1]; => return .[];"},
	{Name: "store-store", Since: 10, Doc: "a Store to a place that is written again at once is of no use (chapters §10.5)", On: []node.Op{node.OpStore}, Do: storeStore,
		Example: "struct P { int x; }; P? p=null; p=new P; p.x=1; p.x=arg; return p.x; => return arg;"},
	{Name: "cast-known", Since: 10, Doc: "a Cast of a value that is known not to be 0 or null is the value (chapters §10.5)", On: []node.Op{node.OpCast}, Do: castKnown,
		Example: "struct P { int x; }; P? p=new P; while(arg) { if(p) arg=p.x; } return arg; => return Phi(Loop,arg,Phi(Region,0,Phi_arg));"},
	{Name: "read-only-twice", Since: 17, Doc: "a read-only reference made read-only (chapters §17.5)", On: []node.Op{node.OpReadOnly}, Do: readOnlyTwice,
		Example: "struct P { int x; }; val p=new P; val q=p; return q.x; => return 0;"},
	{Name: "eq-null", Since: 10, Doc: "p==null = !p (chapters §10.5)", On: []node.Op{node.OpEQ}, Do: eqNull,
		Example: "struct P { int x; }; P? p=null; if(arg) p=new P; return p==null; => return (!Phi(Region,P,null));"},
	{Name: "float-identity", Since: 12, Doc: "x-0.0 = x, x*1.0 = x, x/1.0 = x; not x+0.0, which changes -0.0 (chapters §12.5)", On: []node.Op{node.OpSubF, node.OpMulF, node.OpDivF}, Do: floatIdentity,
		Example: "flt x=arg; return x*1.0; => return (flt)arg;"},
	{Name: "float-constant-right", Since: 12, Doc: "a constant is the right factor (chapters §12.5)", On: []node.Op{node.OpMulF}, Do: floatConstantRight,
		Example: "flt x=arg; return 2.0*x; => return ((flt)arg*2.0f);"},
	{Name: "float-minus-minus", Since: 12, Doc: "-(-x) = x (chapters §12.5)", On: []node.Op{node.OpMinusF}, Do: floatMinusMinus,
		Example: "flt x=arg; return -(-x); => return (flt)arg;"},
	{Name: "float-divide", Since: 24, Doc: "x/c = x*(1/c) for powers of two c, where 1/c is exact", On: []node.Op{node.OpDivF}, Do: floatDividePow2,
		Example: "flt x=arg; return x/4; => return ((flt)arg*0.25f);"},
	{Name: "round-known", Since: 14, Doc: "rounding what fits 32 bits (chapters §14.5)", On: []node.Op{node.OpRoundF32}, Do: roundKnown,
		Example: "f32 x=arg; f32 y=x; return y; => return ((f32)(flt)arg);"},
}

// loadFound replaces a Load by the value that memory is known to hold there.
func loadFound(e *Engine, n *node.Node) *node.Node {
	if n.Sym.Field.Name == "#" {
		return nil
	}
	at := addressOf(n)
	f := e.lookUp(n.In(1), at)
	switch {
	case f.zero:
		return e.constant(n.Sym.Declared.Zero(), n.Pos)
	case f.value == nil:
		e.await(n, f.state)
		if at.ref.Op == node.OpNew {
			e.dom.tests = append(e.dom.tests, n)
		}
		return nil
	case n.In(2).Type.IsReadOnly() && f.value.Type.IsRef() && !f.value.Type.IsReadOnly() && !f.value.Type.IsNull():
		return e.Make(node.OpReadOnly, n.Pos, nil, f.value)
	}
	return f.value
}

func loadLength(_ *Engine, n *node.Node) *node.Node {
	if ref := node.Object(n.In(2)); n.Sym.Field.Name == "#" && ref.Op == node.OpNew {
		return ref.In(1)
	}
	return nil
}

// loadPast lets a Load hang off the last state that may matter to it.
func loadPast(e *Engine, n *node.Node) *node.Node {
	if n.Sym.Field.Name == "#" {
		return nil
	}
	f := e.lookUp(n.In(1), addressOf(n))
	if f.state == n.In(1) {
		return nil
	}
	return e.MakeAux(node.OpLoad, n.Pos, 0, n.Sym, n.In(0), f.state, n.In(2), n.In(3))
}

// loadPhi loads on each of two paths instead of behind them, where that finds a value.
func loadPhi(e *Engine, n *node.Node) *node.Node {
	phi, at := n.In(1), addressOf(n)
	if phi.Op != node.OpPhi || phi.NumIn() != 3 || phi.InProgress() || at.offset.Op != node.OpConstant {
		return nil
	}
	r := phi.In(0)
	if !r.IsRegion() || r.Type == types.XCtrl {
		return nil
	}
	split := at.ref.Op == node.OpPhi && at.ref.In(0) == r && e.is.freshMemory && at.ref == n.In(2)
	if !split && !e.available(n.In(2), r) {
		e.dom.tests = append(e.dom.tests, n)
		return nil
	}
	refOn := func(i int) *node.Node {
		if split {
			return n.In(2).In(i)
		}
		return n.In(2)
	}
	finds := func(i int) bool {
		if phi.In(i) == phi {
			return false
		}
		f := e.lookUp(phi.In(i), address{node.Object(refOn(i)), at.offset})
		if f.value == nil && !f.zero {
			e.await(n, f.state)
		}
		return f.value != nil && f.value != n || f.zero
	}
	if !finds(2) && (r.Op == node.OpLoop || !finds(1)) {
		return nil
	}
	guard := n.In(0)
	if guard != nil && !e.above(guard, r) {
		return nil
	}
	guardOn := func(i int) *node.Node {
		if guard == r { // what the region is behind, its paths are
			return r.In(i)
		}
		return guard
	}
	return e.phiOf(r, n.Pos, &node.Symbol{Name: n.Name(), Declared: n.Type.Widest()}, 3, func(i int) *node.Node {
		return e.MakeAux(node.OpLoad, n.Pos, 0, n.Sym, guardOn(i), phi.In(i), refOn(i), n.In(3))
	})
}

func storeStore(e *Engine, n *node.Node) *node.Node {
	inner := n.In(1)
	if inner.Op != node.OpStore || addressOf(inner) != addressOf(n) {
		return nil
	}
	if inner.NumOut() != 1 {
		e.await(n, inner)
		return nil
	}
	return e.MakeAux(node.OpStore, n.Pos, 0, n.Sym, n.In(0), inner.In(1), n.In(2), n.In(3), n.In(4))
}

func castKnown(e *Engine, n *node.Node) *node.Node {
	if t := n.In(1).Type; e.g.Lattice.NonZero(t).Equal(t) && t != types.Top {
		return n.In(1)
	}
	return nil
}

func readOnlyTwice(_ *Engine, n *node.Node) *node.Node {
	if n.In(1).Type.IsReadOnly() {
		return n.In(1)
	}
	return nil
}

func eqNull(e *Engine, n *node.Node) *node.Node {
	for i := 1; i <= 2; i++ {
		if n.In(i).Type.IsNull() && n.In(3-i).Type.IsRef() {
			return e.Make(node.OpNot, n.Pos, nil, n.In(3-i))
		}
	}
	return nil
}

func floatIdentity(_ *Engine, n *node.Node) *node.Node {
	identity := types.ConstFloat(1)
	if n.Op == node.OpSubF {
		identity = types.ConstFloat(0)
	}
	if n.In(2).Type == identity {
		return n.In(1)
	}
	return nil
}

func floatConstantRight(e *Engine, n *node.Node) *node.Node {
	if n.In(1).Op == node.OpConstant && n.In(2).Op != node.OpConstant {
		return e.Make(n.Op, n.Pos, nil, n.In(2), n.In(1))
	}
	return nil
}

func floatMinusMinus(_ *Engine, n *node.Node) *node.Node {
	if n.In(1).Op == node.OpMinusF {
		return n.In(1).In(1)
	}
	return nil
}

func floatDividePow2(e *Engine, n *node.Node) *node.Node {
	t := n.In(2).Type
	if !t.IsFloatConst() {
		return nil
	}
	c := t.Float()
	if m, _ := math.Frexp(math.Abs(c)); m != 0.5 || math.IsInf(1/c, 0) || math.Abs(1/c) < 0x1p-1022 {
		return nil
	}
	return e.Make(node.OpMulF, n.Pos, nil, n.In(1), e.constant(types.ConstFloat(1/c), n.Pos))
}

func roundKnown(e *Engine, n *node.Node) *node.Node {
	if t := n.In(1).Type; t.IsFloat() && e.g.Lattice.IsA(t, types.F32Any) {
		return n.In(1)
	}
	return nil
}
