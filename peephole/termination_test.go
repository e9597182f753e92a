package peephole

import (
	"math"
	"math/bits"
	"math/rand"
	"testing"

	"shoal/node"
)

// Rules come to an end since each one makes something smaller and nothing that comes
// before it in this list larger (optimizations §D.6): first the cost of the operations;
// where it stays the same, the ops become such as we prefer; then operations go in the
// order that we want inside each other; then constants move out; then to the right; and at
// last they become smaller.
var measures = []struct {
	name string
	of   func(s *side) uint64
}{
	{"cost", (*side).cost},
	{"rank of ops", (*side).rank},
	{"operations inside out", (*side).inversions},
	{"depth of constants", (*side).depthOfConstants},
	{"constants on the left", (*side).constantsOnLeft},
	{"size of constants", (*side).sizeOfConstants},
}

// A side is one side of a rule where its variables have values.
type side struct {
	p *Pat
	m *Match
}

// each visits the operations of a pattern, with their depth.
func (s *side) each(visit func(p *Pat, depth int)) { each(s.p, 0, visit) }

func each(p *Pat, depth int, visit func(p *Pat, depth int)) {
	if p.Leaf != NotLeaf {
		return
	}
	visit(p, depth)
	for _, a := range p.Args {
		each(a, depth+1, visit)
	}
}

// cost adds up what the operations cost. Two of them are what one instruction does: a
// product by a constant, which becomes shifts and sums if they are few, and !!x.
func (s *side) cost() uint64 {
	var sum uint64
	s.each(func(p *Pat, _ int) {
		switch {
		case p.Op == node.OpMul && isConstPat(p.Args[1]):
			sum += costOfProduct(s.m.Eval(p.Args[1]))
		case p.Op == node.OpNot && p.Args[0].Op == node.OpNot:
		default:
			sum += uint64(p.Op.Info().Cost)
		}
	})
	return sum
}

// costOfProduct counts the shifts and sums that make x * c: the digits of c that are not 0
// in the form with the fewest, whose digits are 1, 0 and -1.
func costOfProduct(c int64) uint64 {
	if c == math.MinInt64 {
		return 1 // a shift
	}
	threeC := 3 * uint64(c)
	plus, minus := threeC&^uint64(c)>>1, uint64(c)&^threeC>>1
	terms := bits.OnesCount64(plus) + bits.OnesCount64(minus)
	sum := 2*terms - 1 - int(uint64(c)&1) // the last digit needs no shift
	if plus == 0 {
		sum++ // a negation
	}
	return uint64(min(sum, node.Ops[node.OpMul].Cost))
}

// ranks order the ops that cost the same: the more is known of a result, and the easier
// rules find it, the better.
var ranks = [node.NumOps]uint64{
	node.OpNot: 0, node.OpAnd: 1, node.OpBitNot: 1, node.OpMinus: 1, node.OpOr: 2, node.OpXor: 3, node.OpMul: 4, node.OpAdd: 5, node.OpSub: 7,
	node.OpShr: 8, node.OpSar: 9, node.OpShl: 9, node.OpSignExt: 3, node.OpZeroExt: 3, node.OpRotL: 10,
	node.OpEQ: 11, node.OpLT: 12, node.OpLE: 13, node.OpULT: 14, node.OpULE: 15, node.OpMin: 16, node.OpMax: 16, node.OpUMin: 17, node.OpUMax: 17, node.OpAbs: 16,
	node.OpUDiv: 20, node.OpURem: 20, node.OpDiv: 21, node.OpRem: 21, node.OpSelect: 22,
}

// rank prefers comparisons with 0, where the sign is all that counts, to others.
func (s *side) rank() uint64 {
	var sum uint64
	s.each(func(p *Pat, _ int) {
		sum += ranks[p.Op]
		if p.Op == node.OpLT || p.Op == node.OpLE {
			for _, a := range p.Args {
				if isConstPat(a) && s.m.Eval(a) == 0 {
					sum -= ranks[node.OpLT]
				}
			}
		}
	})
	return sum
}

// layers are which operations we want outside (low) and inside (high).
var layers = [node.NumOps]int{
	node.OpMinus: 1, node.OpBitNot: 1, node.OpAdd: 2, node.OpSub: 2, node.OpOr: 2, node.OpXor: 2, node.OpMul: 3, node.OpAnd: 4, node.OpShr: 5, node.OpSar: 5,
}

func (s *side) inversions() uint64 {
	var count uint64
	s.each(func(p *Pat, _ int) {
		for _, a := range p.Args {
			if a.Leaf == NotLeaf && layers[a.Op] != 0 && layers[p.Op] > layers[a.Op] {
				count++
			}
		}
	})
	return count
}

func (s *side) depthOfConstants() uint64 {
	var sum uint64
	s.each(func(p *Pat, depth int) {
		for _, a := range p.Args {
			if isConstPat(a) {
				sum += uint64(depth)
			}
		}
	})
	return sum
}

func (s *side) constantsOnLeft() uint64 {
	var count uint64
	s.each(func(p *Pat, _ int) {
		if p.Op.Is(node.Commutes) && isConstPat(p.Args[0]) {
			count++
		}
	})
	return count
}

// sizeOfConstants adds them up as unsigned numbers.
func (s *side) sizeOfConstants() uint64 {
	var sum uint64
	s.each(func(p *Pat, _ int) {
		for _, a := range p.Args {
			if !isConstPat(a) {
				continue
			}
			more, carry := bits.Add64(sum, uint64(s.m.Eval(a)), 0)
			sum = more | -carry // the largest number is enough
		}
	})
	return sum
}

// TestRulesMakeSmaller measures both sides of each rule for many constants.
func TestRulesMakeSmaller(t *testing.T) {
	rules := Rules()
	special := specialValues(64)
	for i := range rules {
		r := &rules[i]
		if r.Do != nil {
			continue
		}
		p := newProof(r)
		p.m.W = 64
		rng := rand.New(rand.NewSource(1))
		instances := 0
		for n := 0; n < 100_000 && instances < 200; n++ {
			p.draw(rng, special)
			if p.cond != nil && p.cond(&p.m) == 0 {
				continue
			}
			instances++
			from, to := side{r.From, &p.m}, side{r.To, &p.m}
			if got := smaller(&from, &to); got != "" {
				t.Errorf("%s, %s: constants %d: %s", r.Name, r.Equation(), p.m.Value[C.Var:], got)
				break
			}
		}
		if instances == 0 {
			t.Errorf("%s, %s: no instance", r.Name, r.Equation())
		}
	}
}

func smaller(from, to *side) string {
	for _, m := range measures {
		switch before, after := m.of(from), m.of(to); {
		case after < before:
			return ""
		case after > before:
			return m.name + " rises"
		}
	}
	return "nothing becomes smaller"
}
