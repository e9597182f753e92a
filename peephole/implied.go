package peephole

import (
	"shoal/node"
	"shoal/node/types"
)

// relations is a set of what x can be to y: less, equal, greater.
type relations uint8

const (
	less relations = 1 << iota
	equal
	greater
	anyRelation = less | equal | greater
)

// mirrored is what y is to x.
func (r relations) mirrored() relations {
	return r&equal | r&less<<2 | r&greater>>2
}

// order is how words are compared.
type order uint8

const (
	signed order = iota
	unsigned
	sameness // equal or not, which both orders know
)

// A test is a predicate as a comparison: it is true if x is one of holds to y, or to the
// constant c.
type test struct {
	x, y  *node.Node // y is nil for a constant
	c     int64
	holds relations
	order order
}

// testOps are the ops that compare.
var testOps = [node.NumOps]test{
	node.OpEQ:  {holds: equal, order: sameness},
	node.OpLT:  {holds: less, order: signed},
	node.OpLE:  {holds: less | equal, order: signed},
	node.OpULT: {holds: less, order: unsigned},
	node.OpULE: {holds: less | equal, order: unsigned},
}

// testOf takes a predicate apart; any value is a test for not being 0.
func testOf(pred *node.Node) test {
	t := testOps[pred.Op]
	switch {
	case pred.Op == node.OpNot:
		return test{x: pred.In(1), holds: equal, order: sameness}
	case t.holds == 0:
		return test{x: pred, holds: less | greater, order: sameness}
	}
	t.x, t.y = pred.In(1), pred.In(2)
	if t.x.IsConst() || !t.y.IsConst() && t.x.ID > t.y.ID {
		t.x, t.y, t.holds = t.y, t.x, t.holds.mirrored()
	}
	if t.y.IsConst() {
		t.y, t.c = nil, t.y.Type.Value()
	}
	return t
}

// knowledge is what tests have told of the x and y of a test.
type knowledge struct {
	of     test
	lo, hi int64        // x is in between, if y is a constant
	can    [2]relations // what x can be to y in each order, if y is not
}

// learn adds that another test came out true or false.
func (k *knowledge) learn(t test, came bool) {
	if t.x != k.of.x || t.y != k.of.y {
		return
	}
	holds := t.holds
	if !came {
		holds ^= anyRelation
	}
	switch {
	case t.y == nil:
		k.narrow(t.c, holds, t.order)
	case t.order == sameness:
		k.can[signed] &= holds
		k.can[unsigned] &= holds
	default:
		k.can[t.order] &= holds
		both := k.can[t.order] & equal // the other order agrees on what equal is
		k.can[1-t.order] &= both | anyRelation&^equal
		if k.can[t.order] == equal {
			k.can[1-t.order] &= equal
		}
	}
}

// narrow restricts x to those that are one of holds to c, as far as a range can say it.
func (k *knowledge) narrow(c int64, holds relations, by order) {
	switch {
	case by == unsigned && holds&greater == 0 && c >= 0: // up to c
		k.lo = max(k.lo, 0)
	case by == unsigned && holds&less == 0 && c < 0: // from c up
		k.hi = min(k.hi, -1)
	case by == unsigned && holds != equal:
		return
	}
	switch holds {
	case equal:
		k.lo, k.hi = max(k.lo, c), min(k.hi, c)
	case less | equal:
		k.hi = min(k.hi, c)
	case greater | equal:
		k.lo = max(k.lo, c)
	case less:
		k.hi = min(k.hi, c)
		k.exclude(c)
	case greater:
		k.lo = max(k.lo, c)
		k.exclude(c)
	case less | greater:
		k.exclude(c)
	}
}

// exclude takes c away if it is at an end.
func (k *knowledge) exclude(c int64) {
	switch {
	case k.lo > k.hi:
	case k.lo == c && c < k.hi:
		k.lo++
	case k.hi == c && k.lo < c:
		k.hi--
	}
}

// decided is the index of the projection that the test must take, or -1.
func (k *knowledge) decided() int64 {
	can := anyRelation
	switch {
	case k.of.y == nil:
		if k.lo > k.hi {
			return -1 // never reached
		}
		can = k.toConstant()
	case k.of.order == sameness:
		can = k.can[signed]
	default:
		can = k.can[k.of.order]
	}
	switch {
	case can == 0:
	case can&^k.of.holds == 0:
		return 0
	case can&k.of.holds == 0:
		return 1
	}
	return -1
}

// toConstant is what x can be to the constant of the test.
func (k *knowledge) toConstant() relations {
	var can relations
	add := func(r relations, possible bool) {
		if possible {
			can |= r
		}
	}
	if k.of.order == unsigned {
		lo, hi := unsignedBounds(types.Range(k.lo, k.hi))
		c := uint64(k.of.c)
		add(less, lo < c)
		add(equal, lo <= c && c <= hi)
		add(greater, c < hi)
		return can
	}
	c := k.of.c
	add(less, k.lo < c)
	add(equal, k.lo <= c && c <= k.hi)
	add(greater, c < k.hi)
	return can
}

// maxUsesSeen is at how many uses of a value a rule looks for tests of it.
const maxUsesSeen = 32

// testedElsewhere tells whether an If other than n asks something about x.
func testedElsewhere(x, n *node.Node) bool {
	for i, u := range x.Uses() {
		if i == maxUsesSeen {
			break
		}
		switch p := u.User; {
		case p.Op == node.OpIf && p != n && u.Index == 1:
			return true
		case (p.Op == node.OpNot || testOps[p.Op].holds != 0) && otherIf(p, n):
			return true
		}
	}
	return false
}

// maxTestWalk bounds how far ifImplied looks up the dominator tree. The tests that tell
// something are near: the cases of a chain, the bounds of a loop.
const maxTestWalk = 40

// ifImplied gives an If the predicate 1 or 0 if the Ifs above it leave only one answer.
func ifImplied(e *Engine, n *node.Node) *node.Node {
	pred := n.In(1)
	if pred.IsConst() || !pred.Type.IsInt() {
		return nil
	}
	t := testOf(pred)
	if !t.x.Type.IsInt() || !testedElsewhere(t.x, n) {
		return nil
	}
	k := knowledge{of: t, can: [2]relations{anyRelation, anyRelation}}
	k.lo, k.hi = t.x.Type.Bounds()
	side := int64(-1)
	below := n.In(0)
	for range maxTestWalk {
		up := e.idom(below)
		if up == nil || below.Dead() {
			break
		}
		if up.Op == node.OpIf && below.Op == node.OpCProj && up.In(1).Type.IsInt() {
			k.learn(testOf(up.In(1)), below.Aux == 0)
			if side = k.decided(); side >= 0 {
				break
			}
		}
		below = up
	}
	if side < 0 {
		if e.busy {
			e.dom.tests = append(e.dom.tests, n)
		}
		return nil
	}
	e.g.SetIn(n, 1, e.Int(1-side, n.Pos))
	return n
}
