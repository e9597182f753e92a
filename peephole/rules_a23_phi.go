package peephole

import (
	"slices"

	"shoal/node"
	"shoal/node/types"
)

// phi24 are the rows of section A.23 that the early chapters lack.
var phi24 = []Rule{
	{Name: "phi-cycle", Since: 24, Doc: "a Phi of a cycle of Phis into which one value x flows is x (optimizations PHI13)", On: []node.Op{node.OpPhi}, Do: phiCycle,
		Example: "int x=7; int y=7; while(arg>0) { int t=x; if(arg==3) x=y; y=t; arg=arg-1; } return x; => return 7;"},
	{Name: "phi-zero-below", Since: 24, Doc: "Phi(r,v,0) where the path of the 0 is under the false side of if(v) is v (optimizations PHI9)", On: []node.Op{node.OpPhi}, Do: phiZeroBelow,
		Example: "int k=arg; if(!arg) { int i=3; while(i>arg) i=i-1; k=0; } return k; => return arg;"},
	{Name: "phi-pull-one", Since: 24, Doc: "Phi(r,op(a),op(b)) = op(Phi(r,a,b)) (optimizations PHI6, PHI17)", On: []node.Op{node.OpPhi}, Do: phiPullUnary,
		Example: "int k=arg; int m=arg*arg; if(arg) k=-k; else k=-m; return k; => return (-Phi(Region,arg,(arg*arg)));"},
	{Name: "phi-push-all", Since: 24, Doc: "op(C,Phi(r,D..)) = Phi(r,op(C,D)..) for any operation on constants and Phis of constants (optimizations PHI3, PHI5)", On: integerOps(), Do: pushAll,
		Example: "int s=10; if(arg>100) s=20; else s=30; return 600/s; => return Phi(Region,30,20);"},
	{Name: "phi-push-one", Since: 24, Doc: "op(Phi(r,C,x),D) = Phi(r,op(C,D),op(x,D)) (optimizations PHI5)", On: arithmeticOps(), Do: pushOne,
		Example: "int s=10; if(arg>100) s=arg; return s/7; => return Phi(Region,(arg/7),1);"},
}

// Left out:
//   - PHI2, PHI22 are region-dead-path and the types, which ignore dead paths; PHI12 is
//     value numbering; PHI14 is the sweep at the end of Run; PHI21 is phi-pull.
//   - PHI7, PHI8, PHI16, PHI18, PHI19 are about memory and casts.
//   - PHI11 belongs to if-conversion, which weighs what both sides cost (§B.18).
//   - PHI15, PHI20 need an optimistic analysis (§B.2).

// integerOps are the pure ops on integers.
func integerOps() []node.Op {
	var ops []node.Op
	for op := range node.NumOps {
		if op.Is(node.Pure) && !op.Is(node.FloatIn) && !op.Is(node.FloatOut) {
			ops = append(ops, op)
		}
	}
	return ops
}

// arithmeticOps are those with two operands that are no comparisons: a comparison is best
// next to the branch that it is for.
func arithmeticOps() []node.Op {
	return slices.DeleteFunc(integerOps(), func(op node.Op) bool { return op.Is(node.Bool) || op.Info().Arity != 3 })
}

// maxCycle is how many Phis a cycle may have.
const maxCycle = 16

// phiCycle looks for the strongly connected component of Phis that a loop's Phi is in.
// M. Braun et al., "Simple and Efficient Construction of Static Single Assignment Form",
// CC 2013, section 3.2.
func phiCycle(_ *Engine, n *node.Node) *node.Node {
	if n.In(0).Op != node.OpLoop || n.InProgress() {
		return nil
	}
	found := append(make([]*node.Node, 0, maxCycle), n)
	for i := 0; i < len(found); i++ {
		for k := 1; k < found[i].NumIn(); k++ {
			d := found[i].In(k)
			if d.Op != node.OpPhi || slices.Contains(found, d) {
				continue
			}
			if len(found) == maxCycle || d.InProgress() || !d.In(0).IsRegion() {
				return nil
			}
			found = append(found, d)
		}
	}
	return onlyInput(fedBy(found, n))
}

// fedBy are those Phis that the value of n may flow into.
func fedBy(phis []*node.Node, n *node.Node) []*node.Node {
	cycle := append(make([]*node.Node, 0, maxCycle), n)
	for changed := true; changed; {
		changed = false
		for _, p := range phis {
			if slices.Contains(cycle, p) {
				continue
			}
			for i := 1; i < p.NumIn(); i++ {
				if slices.Contains(cycle, p.In(i)) {
					cycle = append(cycle, p)
					changed = true
					break
				}
			}
		}
	}
	return cycle
}

// onlyInput is the one value that comes from outside into a cycle of Phis.
func onlyInput(cycle []*node.Node) *node.Node {
	var only *node.Node
	for _, p := range cycle {
		r := p.In(0)
		if r.Type == types.XCtrl || r.Op == node.OpLoop && r.In(1).Type == types.XCtrl {
			return nil
		}
		for i := 1; i < p.NumIn(); i++ {
			d := p.In(i)
			if d == only || r.In(i).Type == types.XCtrl || slices.Contains(cycle, d) {
				continue
			}
			if only != nil {
				return nil
			}
			only = d
		}
	}
	return only
}

// phiZeroBelow is phi-zero for a path that begins further up.
func phiZeroBelow(e *Engine, n *node.Node) *node.Node {
	r := n.In(0)
	if r.Op != node.OpRegion || n.NumIn() != 3 || r.InProgress() {
		return nil
	}
	for zero := 1; zero <= 2; zero++ {
		v := n.In(3 - zero)
		if n.In(zero).Type != types.Zero || v == n || v.IsConst() || !otherIf(v, nil) {
			continue
		}
		if e.decided(v, r.In(zero)) == 1 {
			return v
		}
	}
	return nil
}

// phiPullUnary is phi-pull for operations with one operand.
func phiPullUnary(e *Engine, n *node.Node) *node.Node {
	r, first := n.In(0), n.In(1)
	if !r.IsRegion() || n.InProgress() || n.NumIn() < 3 || !first.Op.Is(node.Pure) || first.Op.Info().Arity != 2 {
		return nil
	}
	for i := 1; i < n.NumIn(); i++ {
		if d := n.In(i); d.Op != first.Op || d.Aux != first.Aux || d.NumOut() != 1 {
			return nil
		}
	}
	phi := e.phiOf(r, n.Pos, n.Sym, n.NumIn(), func(i int) *node.Node { return n.In(i).In(1) })
	return e.MakeAux(first.Op, n.Pos, first.Aux, nil, nil, phi)
}

// pushAll does an operation for each path if that gives constants on all.
func pushAll(e *Engine, n *node.Node) *node.Node {
	var phi *node.Node
	for i := 1; i < n.NumIn(); i++ {
		switch d := n.In(i); {
		case d.IsConst():
		case !constants(d) || phi != nil && d.In(0) != phi.In(0):
			return nil
		default:
			phi = d
		}
	}
	if phi == nil {
		return nil
	}
	return e.phiOf(phi.In(0), n.Pos, phi.Sym, phi.NumIn(), func(path int) *node.Node {
		var v [3]int64
		for i := 1; i < n.NumIn(); i++ {
			d := n.In(i)
			if d.Op == node.OpPhi {
				d = d.In(path)
			}
			v[i-1] = d.Type.Value()
		}
		if n.Op.Info().Aux == node.AuxBits {
			v[n.NumIn()-1] = n.Aux
		}
		return e.Int(node.Ops[n.Op].Eval(64, v[0], v[1], v[2]), n.Pos)
	})
}

// pushOne does an operation on the two inputs of a Phi, of which one is a constant. It
// goes up one Phi only: a long chain of them would cost more than it is worth.
func pushOne(e *Engine, n *node.Node) *node.Node {
	phi, c := n.In(1), n.In(2)
	if !c.IsConst() || phi.Op != node.OpPhi || phi.NumOut() != 1 || phi.NumIn() != 3 || phi.In(0).Op != node.OpRegion || phi.InProgress() || phi.In(0).Type == types.XCtrl {
		return nil
	}
	x := phi.In(1)
	if x.IsConst() {
		x = phi.In(2)
	}
	if x.IsConst() || x.Op == node.OpPhi || x == n || !phi.In(1).IsConst() && !phi.In(2).IsConst() {
		return nil
	}
	return e.phiOf(phi.In(0), n.Pos, phi.Sym, 3, func(path int) *node.Node {
		return e.Make(n.Op, n.Pos, nil, phi.In(path), c)
	})
}
