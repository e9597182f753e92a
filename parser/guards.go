package parser

import (
	"shoal/node"
	"shoal/node/types"
	"shoal/source"
)

// A guard is a value that a test has found not to be null or 0, and the Cast that knows it;
// where there is no Cast the test has left one value only, all that is of type t (chapters
// §17.6). From chapter 17 on every value that comes up again in the arm is replaced; before,
// only variables are.
type guard struct {
	value, cast *node.Node
	t           types.Type
}

// refine tells the current scope s, in which a test of pred came out as given, what that
// says: variables that hold the tested value hold a Cast of it, or the constant 0 or null
// (chapters §10.6, language §6).
func (p *parser) refine(s *node.Scope, pred *node.Node, outcome bool) {
	pred, known := p.known(s, pred, outcome)
	if known == nil {
		return
	}
	if p.opts.Level >= guardedValues {
		g := guard{value: p.g.Hold(pred), t: known.Type}
		if known.Op != node.OpConstant { // which nobody holds as often as a chain of tests is long
			g.cast = p.g.Hold(known)
		}
		p.guards = append(p.guards, g)
	}
	p.g.Drop(pred)
	p.g.Drop(known)
}

// known is the value that a test of pred is about and the node that knows what the outcome
// says of it, both held; variables of s that hold the former now hold the latter. They are
// nil if it says nothing.
func (p *parser) known(s *node.Scope, pred *node.Node, outcome bool) (tested, known *node.Node) {
	if p.opts.Raw || !p.has(featNull) || s.Ctrl().Type == types.XCtrl {
		return nil, nil
	}
	for pred.Op == node.OpNot {
		pred, outcome = pred.In(1), !outcome
	}
	t := pred.Type
	switch {
	case pred.Op == node.OpConstant || !t.IsInt() && !t.IsRef():
		return nil, nil
	case outcome && p.g.Lattice.NonZero(t).Equal(t):
		return nil, nil
	}
	p.g.Hold(pred)
	if outcome {
		known = p.e.Make(node.OpCast, pred.Pos, s.Ctrl(), pred)
	} else {
		known = p.constant(t.Zero(), pred.Pos)
	}
	p.g.Hold(known)
	for _, slot := range p.scopes.Holding(s, pred) {
		p.scopes.Set(s, slot, known)
	}
	return pred, known
}

// guardedValues is the chapter from which on guards replace values that come up again.
const guardedValues = 17

// A mark is a place in the lists of what is known here, at the beginning of an arm.
type mark struct{ guards, checks int }

func (p *parser) mark() mark { return mark{len(p.guards), len(p.checks)} }

// leave ends what is known in an arm.
func (p *parser) leave(m mark) {
	for _, g := range p.guards[m.guards:] {
		p.g.Drop(g.value)
		if g.cast != nil {
			p.g.Drop(g.cast)
		}
	}
	for _, c := range p.checks[m.checks:] {
		p.g.Drop(c.good)
		p.g.Drop(c.ctrl)
	}
	p.guards, p.checks = p.guards[:m.guards], p.checks[:m.checks]
}

// guarded is the Cast that knows more of n than n, or n. The innermost guards are asked,
// which are those of the tests around this place.
func (p *parser) guarded(n *node.Node) *node.Node {
	const nearest = 64 // so that many nested tests cost no more than few
	for i := len(p.guards) - 1; i >= max(0, len(p.guards)-nearest); i-- {
		if p.guards[i].value == n {
			if cast := p.guards[i].cast; cast != nil {
				return cast
			}
			return p.constant(p.guards[i].t, n.Pos)
		}
	}
	return n
}

// condition = "(" asgn ")" as a value that is tested.
func (p *parser) condition() *node.Node {
	p.expect("(")
	at := p.tok.start
	pred := p.g.Hold(p.truth(p.assignable(), at))
	p.expect(")")
	return p.g.Release(pred)
}

// A split is the test of pred and its two sides, all held.
type split struct{ pred, t, f *node.Node }

// splitOn makes the If of a test.
func (p *parser) splitOn(pred *node.Node, at source.Pos) split {
	s := split{pred: p.g.Hold(pred)}
	iff := p.g.Hold(p.e.Make(node.OpIf, at, p.scope.Ctrl(), pred))
	s.t = p.g.Hold(p.e.MakeAux(node.OpCProj, at, 0, symTrue, iff))
	s.f = p.g.Hold(p.e.MakeAux(node.OpCProj, at, 1, symFalse, iff))
	p.g.Drop(iff)
	return s
}

// enterSides sends the scope t down the true side of a test and f down the false one.
func (p *parser) enterSides(s split, t, f *node.Scope) {
	p.scopes.SetCtrl(t, s.t)
	p.scopes.SetCtrl(f, s.f)
	p.g.Drop(s.t)
	p.g.Drop(s.f)
}

var (
	symTrue  = symbol("True", types.Ctrl)
	symFalse = symbol("False", types.Ctrl)
)
