package peephole

import (
	"shoal/node"
	"shoal/node/types"
)

// control24 are the rows of section A.24 that the early chapters lack.
var control24 = []Rule{
	{Name: "if-implied", Since: 24, Doc: "an If under others whose tests leave it one answer has that (optimizations CFG16, CFG17)", On: []node.Op{node.OpIf}, Do: ifImplied,
		Example: "if(arg<5) { if(arg>7) return 1; return 2; } return 3; => Stop[ return 2; return 3; ]"},
	{Name: "if-truth", Since: 24, Doc: "if(f(x)) is if(g(x)), or with its sides exchanged, where a rule has !f(x) = !g(x) (optimizations CFG12-CFG14)", On: []node.Op{node.OpCProj}, Do: ifTruth,
		Example: "if(arg*3) return 1; if(arg) return 2; return 3; => Stop[ return 1; return 3; ]"},
}

// Left out:
//   - CFG5 to CFG7, CFG9, CFG10 are the types of regions, loops and tests; CFG25 are the
//     exits; CFG26 is the type of Never; CFG27 is proj-only; CFG23 is value numbering, as
//     pure operations hang off no control.
//   - CFG4: blocks without code cost nothing once they are laid out.
//   - CFG18, CFG19 belong to jump threading (§B.16), CFG20 to CFG22 to if-conversion (§B.18),
//     CFG24 to the making of switches (§B.19), CFG29 to loops (§B.26).
//   - CFG28 says what must not be done.

// ifTruth takes the other test that a rule for ! finds.
func ifTruth(e *Engine, n *node.Node) *node.Node {
	iff := n.In(0)
	if iff.Op != node.OpIf {
		return nil
	}
	pred := iff.In(1)
	if !pred.Op.Is(node.Pure) || pred.Op.Is(node.Bool) || !pred.Type.IsInt() {
		return nil
	}
	negated := e.negated(pred)
	switch {
	case negated == nil:
		return nil
	case negated.IsConst():
		return e.decide(n, negated.Type != types.Zero)
	}
	side := 1 - n.Aux
	if negated.Op == node.OpNot {
		pred, side = e.g.Hold(negated.In(1)), n.Aux
		e.g.Drop(e.g.Hold(negated))
	} else {
		pred = e.g.Hold(negated)
	}
	turned := e.Make(node.OpIf, iff.Pos, iff.In(0), pred)
	e.g.Release(pred)
	if !turned.IsIf() {
		return nil
	}
	e.g.Hold(turned) // its projections may become something else
	defer e.g.Drop(turned)
	if other := otherProj(n); other != nil {
		e.replaceOther(other, e.MakeAux(node.OpCProj, other.Pos, 1-side, projNames[1-side], turned))
	}
	return e.MakeAux(node.OpCProj, n.Pos, side, projNames[side], turned)
}

// decide is what the side n of an If becomes whose test is false, or is not. The other side
// changes with it: between the two control would go two ways.
func (e *Engine) decide(n *node.Node, isFalse bool) *node.Node {
	before := n.In(0).In(0)
	taken, dead := before, e.DeadCtrl()
	if (n.Aux == 1) != isFalse {
		taken, dead = dead, taken
	}
	if other := otherProj(n); other != nil {
		e.replaceOther(other, dead)
	}
	return taken
}

func (e *Engine) replaceOther(other, r *node.Node) {
	if r != other {
		e.changed(other, r)
		e.g.Replace(other, r)
	}
}

// negated is what a rule makes of !x, nil if none applies.
func (e *Engine) negated(x *node.Node) *node.Node {
	for _, i := range e.rules.lists[node.OpNot][x.Op] {
		v := &e.rules.variants[i]
		m := &e.m
		m.bound = 0
		if v.rule.Do != nil || !m.match(v.from.Args[0], x) || !m.holds(v) {
			continue
		}
		found := *m
		return e.build(v.to, &found, x.Pos)
	}
	return nil
}

// otherProj is the other projection of the If of n, nil if there is none.
func otherProj(n *node.Node) *node.Node {
	for _, u := range n.In(0).Uses() {
		if u.User.Op == node.OpCProj && u.User.Aux != n.Aux {
			return u.User
		}
	}
	return nil
}
