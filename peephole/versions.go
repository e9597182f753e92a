package peephole

import (
	"slices"

	"shoal/node"
	"shoal/node/types"
)

// A check of an index that goes up with a loop variable i, from its first value to the last
// that the loop's test allows, can be made once before the loop: the least index is in
// bounds, and there is room for as many as there are trips. But a fault that comes too early
// would be another fault (semantics §10). So the loop is there twice: without the check
// where the test before it came out true, as it was where it did not.
//
// The index is i plus values that do not change in the loop. Sums wrap, and still what is
// between the least index and the greatest is in bounds if both are and the distance is
// that of i, which does not wrap.

// A check is a test in a loop whether index < length, unsigned.
type check struct {
	iff           *node.Node
	index, length *node.Node
	phi           *node.Node // the variable of the loop
	limit         *node.Node // what i is at most, less beyond; nil for 0
	beyond        int64      // not positive with a limit: where the sum wraps no i is so small
}

// noteCheck remembers a check that may be worth a second loop. What it asks is what its
// fault says, however rules have come to put it.
func (b *bounds) noteCheck(iff *node.Node) {
	fault := faultBehind(iff)
	if fault == nil || node.Fault(fault.Aux) != node.FaultIndex {
		return
	}
	index, length := fault.In(2), fault.In(3)
	phi := risingTerm(index, b.rises, maxTerms)
	if phi == nil || !b.e.availableAt(length, phi.In(0), maxAvailableDepth) || !b.prover.atMost(b.zero, length, 0) {
		return
	}
	b.prover.about(b.prover.upper, phi, func(d difference) bool {
		if d.other != nil && (d.c > 0 || d.other == phi.In(1) || !b.e.availableAt(d.other, phi.In(0), maxAvailableDepth)) {
			return false
		}
		b.checks = append(b.checks, check{iff, index, length, phi, d.other, d.c})
		return true
	})
}

// faultBehind is the fault of a check, which one side leads to.
func faultBehind(iff *node.Node) *node.Node {
	for _, u := range iff.Uses() {
		if p := u.User; p.Op == node.OpCProj && p.NumOut() == 1 && p.Out(0).User.Op == node.OpFault {
			return p.Out(0).User
		}
	}
	return nil
}

// maxTerms bounds how deep in a sum the variable of a loop is looked for.
const maxTerms = 6

// risingTerm is the variable of a loop that is one of the terms of a sum and never falls
// below its first value.
func risingTerm(n *node.Node, rises []bool, depth int) *node.Node {
	switch {
	case n.Op == node.OpPhi && n.In(0).Op == node.OpLoop && int(n.ID) < len(rises) && rises[n.ID]:
		return n
	case depth == 0:
		return nil
	case n.Op == node.OpAdd:
		if phi := risingTerm(n.In(1), rises, depth-1); phi != nil {
			return phi
		}
		return risingTerm(n.In(2), rises, depth-1)
	case n.Op == node.OpSub:
		return risingTerm(n.In(1), rises, depth-1)
	}
	return nil
}

// splitLoops makes the second versions of loops for the checks that were noted.
func (b *bounds) splitLoops() (changed bool) {
	for len(b.checks) > 0 {
		loop := b.checks[0].phi.In(0)
		var here, others []check
		for _, c := range b.checks {
			if c.phi.In(0) == loop {
				here = append(here, c)
			} else {
				others = append(others, c)
			}
		}
		b.checks = others
		if body := b.e.bodyOf(loop); body != nil {
			changed = body.split(here) || changed
		}
	}
	return changed
}

// split makes the second loop, without the checks that the test before decides.
func (b *body) split(checks []check) bool {
	e := b.e
	defer b.drop()
	var pred *node.Node
	var gone []*node.Node
	for _, c := range checks {
		ok := b.testBefore(c)
		if ok == nil {
			continue
		}
		gone = append(gone, c.iff)
		if pred != nil {
			ok = b.make(node.OpAnd, pred, ok)
		}
		pred = ok
	}
	if pred == nil {
		return false
	}
	before := e.begin(node.OpIf, b.loop.Pos, 0, nil, []*node.Node{b.loop.In(1), pred})
	fast, slow := e.newProj(before, 0), e.newProj(before, 1)
	b.copyAll(fast, gone)
	e.g.SetIn(b.loop, 1, slow)
	b.join()
	e.rewrote(b.loop, b.loop, "split-loop")
	return true
}

// testBefore makes the test that the index is in bounds on all trips: the first index is,
// and the way from the first to the last value of i is less than the room behind it. Where i
// would not even start the way is taken for a long one.
func (b *body) testBefore(c check) *node.Node {
	if b.in[c.length] || b.in[c.limit] || !b.in[c.iff] {
		return nil
	}
	first := b.atFirst(c.index, c.phi, maxTerms)
	if first == nil {
		return nil
	}
	start, limit := c.phi.In(1), c.limit
	beyond := b.hold(b.e.Int(c.beyond, c.iff.Pos))
	if limit == nil {
		limit = beyond
	} else {
		limit = b.make(node.OpAdd, limit, beyond)
	}
	starts := b.make(node.OpLE, start, limit)
	way := b.make(node.OpSub, limit, start)
	room := b.make(node.OpSub, c.length, first)
	fits := b.make(node.OpAnd, b.make(node.OpULT, first, c.length), b.make(node.OpULT, way, room))
	return b.make(node.OpAnd, starts, fits)
}

func (b *body) make(op node.Op, x, y *node.Node) *node.Node {
	return b.hold(b.e.Make(op, b.loop.Pos, nil, x, y))
}

func (b *body) hold(n *node.Node) *node.Node {
	b.held = append(b.held, n)
	return b.e.g.Hold(n)
}

// drop lets go of what was made for the test, whether it is needed or not.
func (b *body) drop() {
	for _, n := range b.held {
		b.e.g.Drop(n)
	}
	b.held = nil
}

// atFirst is what a sum is on the first trip, nil if other terms change too.
func (b *body) atFirst(n, phi *node.Node, depth int) *node.Node {
	switch {
	case n == phi:
		return phi.In(1)
	case !b.in[n]:
		return n
	case depth == 0 || n.Op != node.OpAdd && n.Op != node.OpSub || n.Op == node.OpSub && b.in[n.In(2)]:
		return nil
	case b.in[n.In(1)] && b.in[n.In(2)]:
		return nil
	}
	x := b.atFirst(n.In(1), phi, depth-1)
	y := b.atFirst(n.In(2), phi, depth-1)
	if x == nil || y == nil {
		return nil
	}
	return b.make(n.Op, x, y)
}

// copyAll makes the twins of all that belongs to the loop. The twin of a check that is
// decided is the control before it.
func (b *body) copyAll(entry *node.Node, gone []*node.Node) {
	g := b.e.g
	all := slices.Concat(b.control, b.nodes)
	for _, c := range b.control {
		for _, u := range c.Uses() {
			if p := u.User; p.Op == node.OpCProj && !b.in[p] && !slices.Contains(gone, c) {
				all = append(all, p)
				if p != b.exit {
					all = append(all, p.Out(0).User)
				}
			}
		}
	}
	for _, n := range all {
		if slices.Contains(gone, n) || n.Op == node.OpCProj && slices.Contains(gone, n.In(0)) {
			continue
		}
		t := b.copyOf(n)
		b.twin[n], b.copies[t] = t, true
	}
	for _, n := range all {
		t := b.twin[n]
		if t == nil {
			continue
		}
		for i := range n.NumIn() {
			if d := n.In(i); d != nil {
				g.SetIn(t, i, b.twinOf(d, gone))
			}
		}
		if t.Op == node.OpFault {
			g.AddIn(g.Stop, t)
		}
	}
	g.SetIn(b.twin[b.loop], 1, entry)
}

func (b *body) copyOf(n *node.Node) *node.Node {
	g := b.e.g
	t := g.Prepare(n.Op, n.Pos, make([]*node.Node, n.NumIn())...)
	t.Aux, t.Sym, t.Type = n.Aux, n.Sym, n.Type
	if b.e.is.bits {
		b.e.bits.set(t.ID, b.e.bits.at(n.ID))
	}
	g.Emit(node.Event{Kind: node.Created, Node: t})
	return t
}

// twinOf is what stands for n in the second loop.
func (b *body) twinOf(n *node.Node, gone []*node.Node) *node.Node {
	for n.Op == node.OpCProj && slices.Contains(gone, n.In(0)) {
		n = n.In(0).In(0)
	}
	if t := b.twin[n]; t != nil {
		return t
	}
	return n
}

// join lets both loops go on together: at a Region, with Phis of the values that are used
// behind it.
func (b *body) join() {
	g := b.e.g
	region := g.Prepare(node.OpRegion, b.loop.Pos, nil, nil, nil)
	region.Type = types.Ctrl
	g.Emit(node.Event{Kind: node.Created, Node: region})
	g.Hold(b.exit)
	g.Replace(b.exit, region)
	g.SetIn(region, 1, b.exit)
	g.SetIn(region, 2, b.twin[b.exit])
	g.Drop(b.exit)
	for _, n := range b.nodes {
		b.joinUses(n, region)
	}
	b.e.dom.changed = true
	clear(b.e.dom.entries)
}

// joinUses gives those uses of n that are behind the loop a Phi of n and its twin.
func (b *body) joinUses(n, region *node.Node) {
	g := b.e.g
	var behind []node.Use
	for _, u := range n.Uses() {
		if !b.in[u.User] && !b.faults[u.User] && !b.copies[u.User] {
			behind = append(behind, u)
		}
	}
	if len(behind) == 0 {
		return
	}
	sym := n.Sym
	if n.Op != node.OpPhi {
		sym = &node.Symbol{Name: n.Name(), Declared: n.Type.Widest()}
	}
	phi := g.Prepare(node.OpPhi, n.Pos, region, n, b.twin[n])
	phi.Sym, phi.Type = sym, n.Type
	g.Emit(node.Event{Kind: node.Created, Node: phi})
	for _, u := range behind {
		g.SetIn(u.User, int(u.Index), phi)
	}
}
