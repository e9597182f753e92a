package peephole

import (
	"slices"

	"shoal/node"
	"shoal/node/types"
	"shoal/source"
)

// Bounds decides the tests that other tests, the lengths of arrays and the ways of loop
// variables leave only one answer, checks of indexes above all (optimizations §B.9). A
// test that only a proof can decide is given the predicate 1 or 0; rules do the rest.
//
// It follows the dominator tree with a stack of facts: O(tests), each of which may ask
// questions of limited cost. In the end loops are split whose checks depend on a limit that
// can be tested before (versions.go).
func (e *Engine) Bounds() {
	if !e.wholeFunctions() {
		return
	}
	for round := 1; ; round++ {
		b := &bounds{e: e, zero: e.g.Hold(e.Int(0, source.NoPos))}
		b.prover, b.rises = newProver(e), make([]bool, e.g.NumIDs())
		b.walk()
		news := b.apply()
		e.g.Drop(b.zero)
		last := !news || round == maxBoundsRounds
		if last {
			news = b.splitLoops() || news
		}
		if news {
			e.Run()
		}
		if last {
			return
		}
	}
}

// wholeFunctions tells whether the passes over whole functions run at this level.
func (e *Engine) wholeFunctions() bool { return e.is.wholeFunctions && e.o.Global && !e.o.Off }

// maxBoundsRounds is how often Bounds starts again: what one loop is found to do with its
// variables may decide a test of the loop around it.
const maxBoundsRounds = 3

type bounds struct {
	e         *Engine
	prover    *prover
	zero      *node.Node     // the constant, held
	children  [][]*node.Node // of the dominator tree, by ID
	decisions []decision
	rises     []bool  // by ID of a Phi: it never falls below its first value
	checks    []check // that only a test before the loop could decide
	narrowed  bool    // the type of some Phi became narrower
}

// A decision is that an If takes one side.
type decision struct {
	iff  *node.Node
	side int64
}

// walk visits control in preorder of the dominator tree, without recursion.
func (b *bounds) walk() {
	b.findChildren()
	type frame struct {
		n     *node.Node
		facts int // what was known before n; -1 on the way down
	}
	stack := []frame{{b.e.g.Start, -1}}
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if top.facts >= 0 {
			b.prover.forget(top.facts)
			stack = stack[:len(stack)-1]
			continue
		}
		top.facts = len(b.prover.facts)
		n := top.n
		b.enter(n)
		for _, child := range slices.Backward(b.children[n.ID]) {
			stack = append(stack, frame{child, -1})
		}
	}
}

// findChildren makes the dominator tree of all control that is reached, anew: entries that
// rules have asked for may have grown old.
func (b *bounds) findChildren() {
	e := b.e
	clear(e.dom.entries)
	b.children = make([][]*node.Node, e.g.NumIDs())
	reached := make([]bool, e.g.NumIDs())
	reached[e.g.Start.ID] = true
	todo := []*node.Node{e.g.Start}
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, u := range n.Uses() {
			c := u.User
			if !c.IsCFG() || c.Op == node.OpStop || c.Op == node.OpXCtrl || reached[c.ID] || u.Index > 0 && !c.IsRegion() || c.Type == types.XCtrl {
				continue
			}
			reached[c.ID] = true
			todo = append(todo, c)
		}
	}
	for id := 1; id < len(reached); id++ {
		if n := e.g.At(node.ID(id)); reached[id] && n != e.g.Start {
			if up := e.idom(n); up != nil {
				b.children[up.ID] = append(b.children[up.ID], n)
			}
		}
	}
}

// enter learns what control that has come to n knows, and decides the test there.
func (b *bounds) enter(n *node.Node) {
	switch {
	case n.Op == node.OpLoop:
		b.induction(n)
	case n.Op == node.OpIf:
		b.decide(n)
	}
	b.learnAt(n)
}

// learnAt learns from the test of which n is one side, and from the arrays that are made at
// n: if there is one, its length is no more than an array can have.
func (b *bounds) learnAt(n *node.Node) {
	if n.Op == node.OpCProj && n.In(0).Op == node.OpIf && n.In(0).In(1).Type.IsInt() {
		b.learnTest(n.In(0).In(1), n.Aux == 0)
	}
	for _, u := range n.Uses() {
		if u.User.Op == node.OpNew && u.User.NumIn() == 2 {
			length := u.User.In(1)
			b.prover.learn(nil, length, 0)
			b.prover.learn(length, nil, maxLength)
		}
	}
}

// maxLength is the length of the longest array: it is kept in 32 bits.
const maxLength = 1<<32 - 1

// operandsOf are the two integers that a test compares, nil if it compares something else.
func (b *bounds) operandsOf(pred *node.Node) (x, y *node.Node, t test) {
	t = testOps[pred.Op]
	switch {
	case t.holds != 0:
		x, y = pred.In(1), pred.In(2)
	case pred.Op == node.OpNot:
		x, y, t = pred.In(1), b.zero, test{holds: equal, order: sameness}
	default:
		x, y, t = pred, b.zero, test{holds: less | greater, order: sameness}
	}
	if !x.Type.IsInt() || !y.Type.IsInt() {
		return nil, nil, t
	}
	return x, y, t
}

// learnTest adds the facts that a test tells which came out true or false.
func (b *bounds) learnTest(pred *node.Node, came bool) {
	x, y, t := b.operandsOf(pred)
	if x == nil {
		return
	}
	if !came {
		t.holds ^= anyRelation
	}
	if t.order == unsigned {
		b.learnUnsigned(x, y, t.holds)
		return
	}
	b.learnOrder(x, y, t.holds)
}

// learnOrder: x can only be one of holds to y, signed.
func (b *bounds) learnOrder(x, y *node.Node, holds relations) {
	p := b.prover
	if holds == less|greater { // one side is left if the other is known not to be
		switch {
		case p.atMost(x, y, 0):
			holds = less
		case p.atMost(y, x, 0):
			holds = greater
		}
	}
	apart := int64(0)
	if holds&equal == 0 {
		apart = 1
	}
	if holds&greater == 0 {
		p.learn(x, y, -apart)
	}
	if holds&less == 0 {
		p.learn(y, x, -apart)
	}
}

// learnUnsigned: x can only be one of holds to y, unsigned. Whichever is the smaller is not
// negative if the larger is not.
func (b *bounds) learnUnsigned(x, y *node.Node, holds relations) {
	if holds&less == 0 {
		x, y, holds = y, x, holds.mirrored()
	}
	if holds&greater != 0 {
		return
	}
	if !b.prover.atMost(b.zero, y, 0) {
		return
	}
	b.prover.learn(nil, x, 0)
	b.learnOrder(x, y, holds)
}

// decide looks for the one answer that a test can have.
func (b *bounds) decide(iff *node.Node) {
	pred := iff.In(1)
	if pred.IsConst() || !pred.Type.IsInt() {
		return
	}
	x, y, t := b.operandsOf(pred)
	if x == nil {
		return
	}
	switch can := b.can(x, y, t.order); {
	case can&^t.holds == 0:
		b.decisions = append(b.decisions, decision{iff, 0})
	case can&t.holds == 0:
		b.decisions = append(b.decisions, decision{iff, 1})
	default:
		b.noteCheck(iff)
	}
}

// can is what x may be to y.
func (b *bounds) can(x, y *node.Node, by order) relations {
	p := b.prover
	if by == unsigned {
		switch {
		case !p.atMost(b.zero, y, 0):
			return anyRelation
		case p.atMost(x, b.zero, -1):
			return greater
		case !p.atMost(b.zero, x, 0):
			if p.atMost(y, x, 0) { // so x is not negative
				return equal | greater
			}
			return anyRelation
		}
	}
	can := anyRelation
	switch {
	case p.atMost(x, y, -1):
		return less
	case p.atMost(y, x, -1):
		return greater
	case p.atMost(x, y, 0):
		can &^= greater
	case p.atMost(y, x, 0):
		can &^= less
	}
	return can
}

// apply gives the tests that are decided their answers, and tells whether anything was
// found out.
func (b *bounds) apply() bool {
	e := b.e
	for _, d := range b.decisions {
		e.g.Hold(d.iff)
		answer := e.Int(1-d.side, d.iff.Pos)
		e.g.SetIn(d.iff, 1, answer)
		e.rewrote(d.iff, d.iff, "bounds")
		e.g.Drop(d.iff)
	}
	return b.narrowed || len(b.decisions) > 0
}
