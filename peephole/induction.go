package peephole

import (
	"shoal/node"
	"shoal/node/types"
)

// induction finds what the Phis of a loop are all the time: never below their first values
// if each trip adds something and the sum does not wrap, because a test of each trip says
// so; in the range of what comes in and what comes back.
func (b *bounds) induction(loop *node.Node) {
	if loop.InProgress() || loop.In(2).Type == types.XCtrl {
		return
	}
	var phis []*node.Node
	for _, u := range loop.Uses() {
		if phi := u.User; phi.Op == node.OpPhi && u.Index == 0 && phi.Type.IsInt() && !phi.Type.HighOrConst() && len(phis) < maxLoopPhis {
			phis = append(phis, phi)
		}
	}
	for range 2 { // what is known of one may be needed for another
		known := len(b.prover.facts)
		b.learnBetween(loop, loop.In(2))
		var found []trip
		for _, phi := range phis {
			found = append(found, b.trip(phi))
		}
		b.prover.forget(known)
		for i, phi := range phis {
			b.learnTrip(phi, found[i])
		}
	}
}

// maxLoopPhis bounds how many variables of one loop are looked at.
const maxLoopPhis = 64

// A trip is what one trip around a loop does to a Phi.
type trip struct {
	next     types.Type // its value afterwards
	up, down bool       // it never falls, or never rises, and does not wrap
}

// trip is asked where all is known that each trip's tests say.
func (b *bounds) trip(phi *node.Node) trip {
	next := phi.In(2)
	t := trip{next: b.prover.bounds(next)}
	b.prover.steps = proofSteps
	if lo, hi, ok := b.step(next, phi, maxProofDepth); ok {
		t.up, t.down = lo >= 0, hi <= 0
	}
	return t
}

// step is the range of what a trip adds to a Phi, if n, which becomes its value or is on
// the way there, is made of it by sums that do not wrap.
func (b *bounds) step(n, phi *node.Node, depth int) (lo, hi int64, ok bool) {
	p := b.prover
	switch {
	case n == phi:
		return 0, 0, true
	case depth == 0:
		return 0, 0, false
	}
	switch n.Op {
	case node.OpAdd:
		for i := 1; i <= 2; i++ {
			if lo, hi, ok = b.step(n.In(i), phi, depth-1); !ok {
				continue
			}
			least, most := p.rangeOf(n.In(3-i), depth-1).Bounds()
			lo, okLo := plus(lo, least)
			hi, okHi := plus(hi, most)
			return lo, hi, okLo && okHi && p.exact(n, depth)
		}
	case node.OpSub:
		if lo, hi, ok = b.step(n.In(1), phi, depth-1); !ok {
			return 0, 0, false
		}
		least, most := p.rangeOf(n.In(2), depth-1).Bounds()
		lo, okLo := minus(lo, most)
		hi, okHi := minus(hi, least)
		return lo, hi, okLo && okHi && p.exact(n, depth)
	case node.OpPhi:
		return b.stepOfPhi(n, phi, depth)
	}
	return 0, 0, false
}

// stepOfPhi: n joins different ways of one trip. Each way has tests of its own.
func (b *bounds) stepOfPhi(n, phi *node.Node, depth int) (lo, hi int64, ok bool) {
	r := n.In(0)
	if r.Op != node.OpRegion {
		return 0, 0, false
	}
	for i := 1; i < n.NumIn(); i++ {
		known := len(b.prover.facts)
		b.learnBetween(b.e.idom(r), r.In(i))
		least, most, ok := b.step(n.In(i), phi, depth-1)
		b.prover.forget(known)
		if !ok {
			return 0, 0, false
		}
		if i == 1 {
			lo, hi = least, most
		}
		lo, hi = min(lo, least), max(hi, most)
	}
	return lo, hi, true
}

// learnTrip adds what is true of a Phi at any time.
func (b *bounds) learnTrip(phi *node.Node, t trip) {
	first := phi.In(1)
	entry := b.prover.bounds(first)
	lo, hi := spanning(entry, t.next).Bounds()
	if t.up {
		b.rises[phi.ID] = true
		lo, _ = entry.Bounds()
		b.prover.learn(first, phi, 0)
	}
	if t.down {
		_, hi = entry.Bounds()
		b.prover.learn(phi, first, 0)
	}
	if lo > hi || types.Range(lo, hi).HighOrConst() {
		return // rules find a Phi of one value
	}
	if !b.e.g.Lattice.IsA(phi.Type, types.Range(lo, hi)) && b.e.narrow(phi, types.Range(lo, hi)) {
		b.narrowed = true
		b.e.touchUses(phi)
	}
}

// learnBetween learns what the tests say on the way from one point of control, which
// dominates it, down to another.
func (b *bounds) learnBetween(above, below *node.Node) {
	var way []*node.Node
	for n := below; n != nil && n != above && len(way) < maxTestWalk; n = b.e.idom(n) {
		if n.Op == node.OpCProj || n.IsRegion() {
			way = append(way, n)
		}
	}
	for i := len(way) - 1; i >= 0; i-- {
		b.learnAt(way[i])
	}
}
