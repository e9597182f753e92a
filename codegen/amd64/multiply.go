package amd64

import (
	"math/bits"

	"shoal/codegen/mach"
	"shoal/ssa"
)

// A step is one instruction of a multiplication by a constant. Operands are numbered: 0
// is x, 1 the result of the first step, and so on.
type step struct {
	kind stepKind
	a, b uint8 // operands
	n    uint8 // scale of b in a sum, or shift count
}

type stepKind uint8

const (
	stepAdd stepKind = iota // a + b*n
	stepShl                 // a << n
	stepSub                 // a - b
	stepNeg                 // -a
)

// mulSteps returns at most two instructions of one cycle that multiply by c, or none if
// an imul, which takes three cycles, is better (optimizations §C.5).
func mulSteps(c int64) []step {
	if one, ok := mulStep(c); ok {
		return []step{one}
	}
	if two := mulTwoSums(c); two != nil {
		return two
	}
	k := uint8(bits.TrailingZeros64(uint64(c)))
	odd := c >> k
	first, single := mulStep(odd)
	switch {
	case single && k > 0: // (x * {3, 5, 9}) << k, (-x) << k
		return []step{first, {stepShl, 1, 0, k}}
	case isPow2(c - 1): // (x << k) + x
		return []step{{stepShl, 0, 0, log2(c - 1)}, {stepAdd, 1, 0, 1}}
	case isPow2(c + 1): // (x << k) - x
		return []step{{stepShl, 0, 0, log2(c + 1)}, {stepSub, 1, 0, 0}}
	case isPow2(1 - c): // x - (x << k)
		return []step{{stepShl, 0, 0, log2(1 - c)}, {stepSub, 0, 1, 0}}
	}
	if first, ok := mulStep(-c); ok {
		return []step{first, {stepNeg, 1, 0, 0}}
	}
	return nil
}

// mulStep multiplies by c with one instruction.
func mulStep(c int64) (step, bool) {
	switch {
	case c == 2 || c == 3 || c == 5 || c == 9:
		return step{stepAdd, 0, 0, uint8(c - 1)}, true
	case c == -1:
		return step{stepNeg, 0, 0, 0}, true
	case c != 1 && isPow2(c):
		return step{stepShl, 0, 0, log2(c)}, true
	}
	return step{}, false
}

// mulTwoSums finds c as a sum of x and t = x * {2, 3, 5, 9} with one of them scaled.
func mulTwoSums(c int64) []step {
	for _, m := range [...]int64{3, 5, 9, 2} {
		for _, n := range [...]int64{1, 2, 4, 8} {
			first := step{stepAdd, 0, 0, uint8(m - 1)}
			switch c {
			case m * (1 + n):
				return []step{first, {stepAdd, 1, 1, uint8(n)}}
			case m + n:
				return []step{first, {stepAdd, 1, 0, uint8(n)}}
			case 1 + m*n:
				return []step{first, {stepAdd, 0, 1, uint8(n)}}
			}
		}
	}
	return nil
}

// isPow2 tells whether exactly one bit of c is set; that of MIN counts.
func isPow2(c int64) bool { return c != 0 && c&(c-1) == 0 }

func log2(c int64) uint8 { return uint8(bits.TrailingZeros64(uint64(c))) }

func mulTile(s *selector, _ ssa.ValueID, v *ssa.Value, d mach.Reg) {
	a, b := s.constantLast(v)
	c, ok := s.constant(b)
	switch {
	case !ok:
		s.commutative(ImulRR, d, a, b)
	case c == 0:
		s.setConstant(d, 0)
	case c == 1:
		s.alias(d, a)
	default:
		s.multiply(d, s.reg(a), c)
	}
}

// multiply computes x*c into d.
func (s *selector) multiply(d, x mach.Reg, c int64) {
	switch c {
	case 0:
		s.setConstant(d, 0)
		return
	case 1:
		s.emit(MovRR, d, x)
		return
	}
	steps := mulSteps(c)
	if steps == nil && fits32(c) {
		s.emitImm(ImulRRI, c, d, x)
		return
	}
	if steps == nil {
		s.emit(ImulRR, d, s.makeConstant(c), x)
		return
	}
	operands := [3]mach.Reg{x}
	for i, st := range steps {
		to := d
		if i < len(steps)-1 {
			to = s.temp()
		}
		s.step(st, to, operands)
		operands[i+1] = to
	}
}

// step emits one step of a multiplication.
func (s *selector) step(st step, to mach.Reg, operands [3]mach.Reg) {
	a, b := operands[st.a], operands[st.b]
	switch st.kind {
	case stepAdd:
		s.emitMem(Lea, Addr{Base: a, Index: b, Scale: st.n}, to)
	case stepShl:
		s.emitImm(ShlRI, int64(st.n), to, a)
	case stepSub:
		s.emit(SubRR, to, a, b)
	case stepNeg:
		s.emit(Neg, to, a)
	}
}
