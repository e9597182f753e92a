package amd64

import (
	"math"
	"math/bits"

	"shoal/codegen/mach"
	"shoal/node"
	"shoal/ssa"
)

// testDivision compares v with 0, if it is a remainder that is not needed otherwise, and
// returns the condition for E or NE of the two.
func (s *selector) testDivision(v ssa.ValueID, cond uint8) (uint8, bool) {
	x := &s.f.Values[v]
	if s.fusable(v, x.Op) == nil {
		return 0, false
	}
	c, ok := s.constant(x.Args[1])
	ok = ok && c != 0 && s.div.first(v) == ssa.None
	switch {
	case x.Op == node.OpRem && ok:
		return s.testDivisible(x.Args[0], c, cond), true
	case x.Op == node.OpURem && ok:
		return s.testDivisibleUnsigned(x.Args[0], uint64(c), cond), true
	case x.Op == node.OpSub:
		return s.testRemainder(x.Args[0], x.Args[1], cond)
	}
	return 0, false
}

// testRemainder compares the remainder x - product with 0, if it is one, and returns the
// condition for E or NE of the two.
func (s *selector) testRemainder(x, product ssa.ValueID, cond uint8) (uint8, bool) {
	q, y := s.quotientOf(x, product)
	if q == ssa.None {
		return 0, false
	}
	c, ok := s.constant(y)
	switch {
	case !ok:
		r := s.div.other[q]
		if r == mach.NoReg {
			r = s.temp()
			s.orderOther(r, q)
		}
		s.emit(TestRR, r, r)
		return cond, true
	case c == 0 || !isPow2(max(c, -c)) && s.fusable(q, s.f.Values[q].Op) == nil:
		return 0, false // if the quotient is there, multiply and compare
	case s.f.Values[q].Op == node.OpDiv:
		return s.testDivisible(x, c, cond), true
	}
	return s.testDivisibleUnsigned(x, uint64(c), cond), true
}

// testDivisible compares so that E means that c divides x, NE that it does not: the
// product with the inverse of the odd part, rotated, is small exactly for multiples.
func (s *selector) testDivisible(x ssa.ValueID, c int64, cond uint8) uint8 {
	d := uint64(c)
	if c < 0 {
		d = -d // |MIN| is a power of two
	}
	if d&(d-1) == 0 {
		s.testLowBits(x, d-1)
		return cond
	}
	k := bits.TrailingZeros64(d)
	odd := d >> k
	bound := math.MaxInt64 / odd >> k << k
	s.testMultiple(x, odd, k, bound, 2*bound>>k)
	return multipleCond(cond)
}

// testDivisibleUnsigned is testDivisible for the unsigned remainder.
func (s *selector) testDivisibleUnsigned(x ssa.ValueID, d uint64, cond uint8) uint8 {
	if d&(d-1) == 0 {
		s.testLowBits(x, d-1)
		return cond
	}
	k := bits.TrailingZeros64(d)
	s.testMultiple(x, d>>k, k, 0, math.MaxUint64/d)
	return multipleCond(cond)
}

// multipleCond is the condition after testMultiple for E or NE.
func multipleCond(cond uint8) uint8 {
	if cond == CondE {
		return CondBE
	}
	return CondA
}

// testMultiple compares rotr(x * inverse(odd) + bias, k) with limit.
func (s *selector) testMultiple(x ssa.ValueID, odd uint64, k int, bias, limit uint64) {
	t := s.temp()
	s.emit(ImulRR, t, s.makeConstant(int64(inverse(odd))), s.reg(x))
	if bias != 0 {
		sum := s.temp()
		if fits32(int64(bias)) {
			s.emitMem(Lea, Addr{Base: t, Disp: int32(bias)}, sum)
		} else {
			s.emitMem(Lea, Addr{Base: s.makeConstant(int64(bias)), Index: t, Scale: 1}, sum)
		}
		t = sum
	}
	if k > 0 {
		rotated := s.temp()
		s.emitImm(RorRI, int64(k), rotated, t)
		t = rotated
	}
	s.compareUnsigned(t, limit)
}

// testLowBits sets the zero flag if x has none of the bits of the mask 2^k - 1.
func (s *selector) testLowBits(x ssa.ValueID, mask uint64) {
	switch {
	case mask <= math.MaxInt8:
		s.emitImm(Test8RI, int64(mask), s.reg(x))
	case mask <= math.MaxInt32:
		s.emitImm(Test32RI, int64(mask), s.reg(x))
	default:
		s.emit(TestRR, s.makeConstant(int64(mask)), s.reg(x))
	}
}
