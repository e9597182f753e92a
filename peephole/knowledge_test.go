package peephole

import (
	"math"
	"math/rand"
	"testing"
)

// somewhat are words at which signed and unsigned order differ.
var somewhat = [...]int64{math.MinInt64, math.MinInt64 + 1, -3, -2, -1, 0, 1, 2, 3, math.MaxInt64 - 1, math.MaxInt64}

// is tells whether the test is true of x, and y if it compares with that.
func (t *test) is(x, y int64) bool {
	if t.y == nil {
		y = t.c
	}
	r := equal
	switch {
	case x == y:
	case t.order == unsigned && uint64(x) < uint64(y), t.order != unsigned && x < y:
		r = less
	default:
		r = greater
	}
	return t.holds&r != 0
}

// TestKnowledge tells random outcomes of tests and compares what is said to follow from
// them with all values that have these outcomes.
func TestKnowledge(t *testing.T) {
	b := newBench(Options{Level: maxLevel}, typesOfVars[0], typesOfVars[0])
	rng := rand.New(rand.NewSource(1))
	decided := 0
	for range 50_000 {
		draw := func(constant bool) test {
			of := [...]test{{holds: equal, order: sameness}, {holds: less | greater, order: sameness}, {holds: less}, {holds: less | equal}, {holds: greater}, {holds: greater | equal}}
			d := of[rng.Intn(len(of))]
			if d.order != sameness && rng.Intn(2) == 0 {
				d.order = unsigned
			}
			d.x, d.y = b.vars[0], b.vars[1]
			if constant {
				d.y, d.c = nil, somewhat[rng.Intn(len(somewhat))]
			}
			return d
		}
		constant := rng.Intn(2) == 0
		k := knowledge{of: draw(constant), lo: math.MinInt64, hi: math.MaxInt64, can: [2]relations{anyRelation, anyRelation}}
		var told []test
		var came []bool
		for range 1 + rng.Intn(3) {
			told, came = append(told, draw(rng.Intn(8) == 0 != constant)), append(came, rng.Intn(2) == 0)
			k.learn(told[len(told)-1], came[len(came)-1])
		}
		side := k.decided()
		if side < 0 {
			continue
		}
		decided++
		for _, x := range somewhat {
			for _, y := range somewhat {
				agrees := true
				for i := range told {
					agrees = agrees && told[i].is(x, y) == came[i]
				}
				if agrees && k.of.is(x, y) != (side == 0) {
					t.Fatalf("%+v told %v: %+v takes side %d, but not for %d and %d", told, came, k.of, side, x, y)
				}
			}
		}
	}
	if decided < 5_000 {
		t.Errorf("only %d of 50000 were decided", decided)
	}
}
