package peephole

import (
	"math"

	"shoal/node"
	"shoal/node/types"
)

// A prover answers whether x <= y + c holds for two integers, as exact numbers, at one
// point of control. It goes from x, or from y, along what is known of them: facts, which
// tests have told, and what operations compute, where they do not wrap. R. Bodik, R. Gupta
// and V. Sarkar, "ABCD: Eliminating Array Bounds Checks on Demand", PLDI 2000; unlike there
// facts are not nodes of the graph but a stack that follows the dominator tree.
//
// A fact about a value holds wherever the control at which it was learned dominates: there
// the value cannot have been computed anew without that control being passed anew.
type prover struct {
	e     *Engine
	upper []int32 // by ID: the latest fact x <= y + c about x, plus one
	lower []int32 // by ID: the latest fact y >= x - c about y, plus one
	facts []difference
	steps int // how much the current question may still cost

	// What is known of a value with the facts of the moment, by ID: from facts alone, and
	// from its operands too.
	toldOnce, rangeOnce []remembered
	moment              int32 // changes with the facts
}

// proofSteps bounds what one question costs: usually it is five to ten (optimizations
// §B.9, which gives it a hundred; ranges are asked for by the same account here).
const proofSteps = 300

// maxProofDepth bounds how far a proof goes from the values in question.
const maxProofDepth = 7

func newProver(e *Engine) *prover {
	n := e.g.NumIDs()
	return &prover{e: e, upper: make([]int32, n), lower: make([]int32, n), moment: 1, toldOnce: make([]remembered, n), rangeOnce: make([]remembered, n)}
}

// learn adds the fact x <= y + c; either may be nil for 0.
func (p *prover) learn(x, y *node.Node, c int64) {
	if x != nil && x.IsConst() {
		k, ok := minus(c, x.Type.Value())
		if !ok {
			return
		}
		x, c = nil, k
	}
	if y != nil && y.IsConst() {
		k, ok := plus(c, y.Type.Value())
		if !ok {
			return
		}
		y, c = nil, k
	}
	if x != nil {
		p.push(difference{of: x, other: y, c: c})
	}
	if y != nil {
		if k, ok := minus(0, c); ok {
			p.push(difference{of: y, other: x, c: k, isLower: true})
		}
	}
	p.learnTerm(x, y, c)
}

// learnTerm says the same of a where x, or y, is a + k and does not wrap.
func (p *prover) learnTerm(x, y *node.Node, c int64) {
	if x != nil && x.Op == node.OpAdd && x.In(2).IsConst() && p.exact(x, maxProofDepth) {
		if k, ok := minus(c, x.In(2).Type.Value()); ok {
			p.learn(x.In(1), y, k)
			return
		}
	}
	if y != nil && y.Op == node.OpAdd && y.In(2).IsConst() && p.exact(y, maxProofDepth) {
		if k, ok := plus(c, y.In(2).Type.Value()); ok {
			p.learn(x, y.In(1), k)
		}
	}
}

func (p *prover) push(d difference) {
	list := p.upper
	if d.isLower {
		list = p.lower
	}
	if int(d.of.ID) >= len(list) {
		return // made after the prover
	}
	d.before = list[d.of.ID]
	p.moment++
	p.facts = append(p.facts, d)
	list[d.of.ID] = int32(len(p.facts))
}

// forget drops all facts but the first.
func (p *prover) forget(first int) {
	for i := len(p.facts) - 1; i >= first; i-- {
		d := p.facts[i]
		if d.isLower {
			p.lower[d.of.ID] = d.before
		} else {
			p.upper[d.of.ID] = d.before
		}
	}
	p.facts = p.facts[:first]
	p.moment++
}

// maxFactsSeen is how many facts about one value a proof looks at, the latest first.
const maxFactsSeen = 8

// about calls f for the facts about a value until it returns true.
func (p *prover) about(list []int32, x *node.Node, f func(d difference) bool) bool {
	if int(x.ID) >= len(list) {
		return false
	}
	i := list[x.ID]
	for range maxFactsSeen {
		if i == 0 {
			return false
		}
		d := p.facts[i-1]
		if d.other != nil && d.other.Dead() {
			return false
		}
		if f(d) {
			return true
		}
		i = d.before
	}
	return false
}

// atMost proves x <= y + c. Short proofs are looked for first: facts about facts lead
// astray.
func (p *prover) atMost(x, y *node.Node, c int64) bool {
	for depth := 3; depth <= maxProofDepth; depth += 2 {
		p.steps = proofSteps
		if p.leq(x, y, c, depth) {
			return true
		}
	}
	return false
}

// bounds is the range of x.
func (p *prover) bounds(x *node.Node) types.Type {
	p.steps = proofSteps
	return p.rangeOf(x, maxProofDepth)
}

func (p *prover) leq(x, y *node.Node, c int64, depth int) bool {
	if x == y {
		return c >= 0
	}
	if p.steps--; p.steps < 0 || depth == 0 {
		return false
	}
	_, hi := p.rangeOf(x, depth-1).Bounds()
	lo, _ := p.rangeOf(y, depth-1).Bounds()
	if d, ok := minus(hi, lo); ok && d <= c {
		return true
	}
	if x.IsConst() && y.IsConst() {
		return false
	}
	return p.about(p.upper, x, func(d difference) bool {
		k, ok := minus(c, d.c)
		return ok && d.other != nil && p.leq(d.other, y, k, depth-1)
	}) || p.about(p.lower, y, func(d difference) bool {
		k, ok := plus(c, d.c)
		return ok && d.other != nil && p.leq(x, d.other, k, depth-1)
	}) || p.leqBelow(x, y, c, depth-1) || p.leqAbove(x, y, c, depth-1)
}

// leqBelow goes from x to what it is computed from.
func (p *prover) leqBelow(x, y *node.Node, c int64, depth int) bool {
	both := func(first, last int) bool {
		for i := first; i <= last; i++ {
			if !p.leq(x.In(i), y, c, depth) {
				return false
			}
		}
		return true
	}
	switch x.Op {
	case node.OpAdd:
		return p.exact(x, depth) && (p.leqLess(x.In(1), y, c, p.hi(x.In(2), depth), depth) || p.leqLess(x.In(2), y, c, p.hi(x.In(1), depth), depth))
	case node.OpSub:
		if !p.exact(x, depth) {
			return false
		}
		if y.IsConst() { // a - b <= c + y
			return p.leqMore(x.In(1), x.In(2), c, y.Type.Value(), depth)
		}
		return p.leqMore(x.In(1), y, c, p.lo(x.In(2), depth), depth)
	case node.OpMin:
		return p.leq(x.In(1), y, c, depth) || p.leq(x.In(2), y, c, depth)
	case node.OpAnd, node.OpShr, node.OpSar, node.OpDiv, node.OpRem:
		return p.shrinks(x, depth) && p.leq(x.In(1), y, c, depth)
	case node.OpMax:
		return both(1, 2)
	case node.OpSelect:
		return both(2, 3)
	case node.OpPhi:
		return x.In(0).Op == node.OpRegion && both(1, x.NumIn()-1)
	}
	return false
}

// leqLess proves x + d <= y + c.
func (p *prover) leqLess(x, y *node.Node, c, d int64, depth int) bool {
	k, ok := minus(c, d)
	return ok && p.leq(x, y, k, depth)
}

// leqAbove goes from y to what it is computed from.
func (p *prover) leqAbove(x, y *node.Node, c int64, depth int) bool {
	both := func(first, last int) bool {
		for i := first; i <= last; i++ {
			if !p.leq(x, y.In(i), c, depth) {
				return false
			}
		}
		return true
	}
	switch y.Op {
	case node.OpAdd:
		return p.exact(y, depth) && (p.leqMore(x, y.In(1), c, p.lo(y.In(2), depth), depth) || p.leqMore(x, y.In(2), c, p.lo(y.In(1), depth), depth))
	case node.OpSub:
		if !p.exact(y, depth) {
			return false
		}
		if x.IsConst() { // x <= a - b + c
			return p.leqLess(y.In(2), y.In(1), c, x.Type.Value(), depth)
		}
		return p.leqLess(x, y.In(1), c, p.hi(y.In(2), depth), depth)
	case node.OpMax:
		return p.leq(x, y.In(1), c, depth) || p.leq(x, y.In(2), c, depth)
	case node.OpMin:
		return both(1, 2)
	case node.OpSelect:
		return both(2, 3)
	case node.OpPhi:
		return y.In(0).Op == node.OpRegion && both(1, y.NumIn()-1)
	}
	return false
}

// leqMore proves x <= y + c + d.
func (p *prover) leqMore(x, y *node.Node, c, d int64, depth int) bool {
	k, ok := plus(c, d)
	return ok && p.leq(x, y, k, depth)
}

// shrinks tells whether the result is at most the first operand, as it is where that is not
// negative: for any second one.
func (p *prover) shrinks(x *node.Node, depth int) bool { return p.lo(x.In(1), depth) >= 0 }

func (p *prover) lo(x *node.Node, depth int) int64 {
	lo, _ := p.rangeOf(x, depth).Bounds()
	return lo
}

func (p *prover) hi(x *node.Node, depth int) int64 {
	_, hi := p.rangeOf(x, depth).Bounds()
	return hi
}

// exact tells whether a sum or difference does not wrap: its operands are too near to 0
// for that, or the result is, on a side on which a wrapped result cannot be.
func (p *prover) exact(x *node.Node, depth int) bool {
	if p.steps--; p.steps < 0 || depth <= 0 {
		return false
	}
	a, b := p.rangeOf(x.In(1), depth-1), p.rangeOf(x.In(2), depth-1)
	if x.Op == node.OpSub {
		b = differenceRange(64, types.Zero, b)
		if lo, _ := b.Bounds(); lo == math.MinInt64 {
			return false
		}
	}
	if sumFits(64, a, b) {
		return true
	}
	lo, hi := p.told(x, depth-1).Bounds()
	for _, t := range [...]types.Type{a, b} {
		l, h := t.Bounds()
		// What wraps upward is less than MIN+h, what wraps downward more than MAX+l.
		if l >= 0 && lo >= math.MinInt64+h || h < 0 && hi <= math.MaxInt64+l {
			return true
		}
	}
	return false
}

// meeting is what two true ranges of a value have in common.
func meeting(a, b types.Type) types.Type {
	lo, hi := a.Bounds()
	lo2, hi2 := b.Bounds()
	if max(lo, lo2) > min(hi, hi2) {
		return a // never reached
	}
	return types.Range(max(lo, lo2), min(hi, hi2))
}

// spanning is the range from the least to the greatest member of two.
func spanning(a, b types.Type) types.Type {
	lo, hi := a.Bounds()
	lo2, hi2 := b.Bounds()
	return types.Range(min(lo, lo2), max(hi, hi2))
}

// plus is the sum, unless it wraps.
func plus(a, b int64) (int64, bool) {
	sum := a + b
	return sum, (a^sum)&(b^sum) >= 0
}

// minus is the difference, unless it wraps.
func minus(a, b int64) (int64, bool) {
	d := a - b
	return d, (a^b)&(a^d) >= 0
}
