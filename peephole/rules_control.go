package peephole

import (
	"shoal/node"
	"shoal/node/types"
)

// controlRules remove control that is never taken and joins that join nothing.
var controlRules = []Rule{
	{Name: "return-dead", Since: 9, Doc: "a Stop forgets Returns whose control turned out dead (chapters §6.5)", On: []node.Op{node.OpStop}, Do: stopDead,
		Example: "int a=1; while(arg) { if(a==0) return 5; arg=arg-1; } return a; => return 1;"},
	{Name: "region-dead-path", Since: 6, Doc: "a Region and its Phis lose a path that is never taken (optimizations CFG1)", On: []node.Op{node.OpRegion, node.OpLoop}, Do: regionDeadPath,
		Example: "int a=arg; if(arg) a=7; if(0) a=1; return a; => return Phi(Region,7,arg);"},
	{Name: "region-single", Since: 6, Doc: "Region(c) = c (optimizations CFG2)", On: []node.Op{node.OpRegion, node.OpLoop}, Do: regionSingle,
		Example: "if(1) arg=arg+1; return arg; => return (arg+1);"},
	{Name: "proj-only", Since: 6, Doc: "a projection of an If whose other side is never taken is the control of the If (optimizations CFG8)", On: []node.Op{node.OpCProj}, Do: projOnly,
		Example: "if(2) return 1; return 2; => return 1;"},
	{Name: "if-dominated", Since: 6, Doc: "an If under one side of another that asks the same has its answer (optimizations CFG15)", On: []node.Op{node.OpIf}, Do: ifDominated,
		Example: "int k=0; if(arg) { k=1; if(arg) k=k+1; } return k; => return Phi(Region,2,0);"},
	{Name: "if-not", Since: 10, Doc: "if(!x) is if(x) with its sides exchanged (optimizations CFG11)", On: []node.Op{node.OpCProj}, Do: projNot,
		Example: "if(!arg) return 1; return 2; => Stop[ return 1; return 2; ]"},
	{Name: "region-if", Since: 10, Doc: "a Region without Phis that joins both sides of an If is the control of the If (optimizations CFG3)", On: []node.Op{node.OpRegion}, Do: regionIf,
		Example: "if(arg) {} return arg; => return arg;"},
}

func stopDead(e *Engine, n *node.Node) *node.Node {
	changed := false
	for i := n.NumIn() - 1; i >= 0; i-- {
		if n.In(i).Type == types.XCtrl {
			e.g.DelIn(n, i)
			changed = true
		}
	}
	if !changed {
		return nil
	}
	return n
}

// regionDeadPath drops dead inputs of a Region together with those of its Phis. A Loop
// whose entry is dead dies as a whole, through its type.
func regionDeadPath(e *Engine, n *node.Node) *node.Node {
	if n.InProgress() || n.Type == types.XCtrl {
		return nil
	}
	changed := false
	for i := n.NumIn() - 1; i >= 1; i-- {
		if n.In(i).Type != types.XCtrl || n.Op == node.OpLoop && i == 1 {
			continue
		}
		changed = true
		e.dropPath(n, i)
		if n.Dead() {
			return e.DeadCtrl()
		}
	}
	if !changed {
		return nil
	}
	e.dom.changed = true
	return n
}

// dropPath removes input i of a Region and of its Phis. Taking an input from one Phi may
// kill others.
func (e *Engine) dropPath(r *node.Node, i int) {
	phis := e.phis[:0]
	for _, u := range r.Uses() {
		if u.User.Op == node.OpPhi && u.Index == 0 {
			phis = append(phis, u.User)
		}
	}
	e.phis = phis
	e.g.Hold(r)
	for _, phi := range phis {
		if phi.Dead() {
			continue
		}
		if e.is.numbering {
			e.work.push(phi, 0)
			e.touchUses(phi)
		}
		e.g.DelIn(phi, i)
	}
	e.g.DelIn(r, i)
	if e.g.Release(r); r.Unused() {
		e.g.Kill(r)
	}
}

// regionSingle: a Region with one input is that input, once its Phis are gone.
func regionSingle(e *Engine, n *node.Node) *node.Node {
	if n.NumIn() != 2 || n.InProgress() || hasPhi(n) {
		return nil
	}
	return n.In(1)
}

func hasPhi(r *node.Node) bool {
	for _, u := range r.Uses() {
		if u.User.Op == node.OpPhi {
			return true
		}
	}
	return false
}

func projOnly(e *Engine, n *node.Node) *node.Node {
	iff := n.In(0)
	if iff.Op != node.OpIf {
		return nil
	}
	if other := iff.Type.Elems()[1-n.Aux]; other == types.XCtrl && n.Type == types.Ctrl {
		return iff.In(0)
	}
	return nil
}

// ifDominated gives an If the predicate 1 or 0 if a dominating If has asked it.
func ifDominated(e *Engine, n *node.Node) *node.Node {
	pred := n.In(1)
	if pred.Type.HighOrConst() || !otherIf(pred, n) { // of a value that is never computed, neither side is live
		return nil
	}
	side := e.decided(pred, n.In(0))
	if side < 0 {
		if e.busy {
			e.dom.tests = append(e.dom.tests, n)
		}
		return nil
	}
	e.g.SetIn(n, 1, e.Int(1-side, n.Pos))
	return n
}

// projNot takes the other projection of an If on what the Not negates.
func projNot(e *Engine, n *node.Node) *node.Node {
	iff := n.In(0)
	if iff.Op != node.OpIf || iff.In(1).Op != node.OpNot {
		return nil
	}
	turned := e.Make(node.OpIf, iff.Pos, iff.In(0), iff.In(1).In(1))
	if !turned.IsIf() {
		return nil
	}
	return e.MakeAux(node.OpCProj, n.Pos, 1-n.Aux, projNames[1-n.Aux], turned)
}

// projNames are the names of the projections of an If.
var projNames = [2]*node.Symbol{{Name: "True"}, {Name: "False"}}

func regionIf(e *Engine, n *node.Node) *node.Node {
	if n.NumIn() != 3 || n.InProgress() || hasPhi(n) {
		return nil
	}
	a, b := n.In(1), n.In(2)
	if a.Op != node.OpCProj || b.Op != node.OpCProj || a.In(0) != b.In(0) || a.In(0).Op != node.OpIf || a == b {
		return nil
	}
	return a.In(0).In(0)
}
