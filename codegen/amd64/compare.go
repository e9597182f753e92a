package amd64

import (
	"math/bits"

	"shoal/codegen/mach"
	"shoal/node"
	"shoal/ssa"
)

// compares are the conditions under which the ops hold after a cmp of their operands.
var compares = [node.NumOps]struct {
	ok   bool
	cond uint8
}{
	node.OpEQ:  {true, CondE},
	node.OpLT:  {true, CondL},
	node.OpLE:  {true, CondLE},
	node.OpULT: {true, CondB},
	node.OpULE: {true, CondBE},
}

// branch makes the branch that goes to the first successor if v is not 0.
func (s *selector) branch(v ssa.ValueID) {
	cond := s.condition(v)
	s.opC(Jcc, cond)
	if s.reuse.x != mach.NoReg {
		s.reuse.cond = cond
	}
}

// condition makes a compare that tells whether v is not 0, and says by which condition.
// Compares are cheap: one is made for each user rather than its result kept.
func (s *selector) condition(v ssa.ValueID) uint8 {
	val := s.local(v)
	if val == nil || val.Op != node.OpNot && !compares[val.Op].ok {
		return s.testZero(v, CondNE)
	}
	return s.holds(val)
}

// maxNots bounds how many negations of negations a condition sees through.
const maxNots = 8

// holds makes a compare that tells whether val, a compare or a negation, is 1.
func (s *selector) holds(val *ssa.Value) uint8 {
	invert := uint8(0)
	for range maxNots {
		x, ok := s.negated(val)
		if !ok {
			break
		}
		inner := s.local(x)
		if inner == nil || inner.Op != node.OpNot && !compares[inner.Op].ok {
			return s.testZero(x, CondE) ^ invert
		}
		val, invert = inner, invert^1
	}
	x, y := val.Args[0], val.Args[1]
	if val.Op == node.OpNot {
		return s.testZero(x, CondE) ^ invert
	}
	cond := compares[val.Op].cond
	if _, ok := s.constant(x); ok {
		x, y, cond = y, x, mirrored[cond]
	}
	if c, ok := s.constant(y); ok {
		return s.compareConstant(x, c, cond) ^ invert
	}
	s.compare(s.use(x), s.use(y))
	return cond ^ invert
}

// negated is x if val is x == 0.
func (s *selector) negated(val *ssa.Value) (ssa.ValueID, bool) {
	if val.Op == node.OpNot {
		return val.Args[0], true
	}
	if val.Op != node.OpEQ {
		return ssa.None, false
	}
	x, y := s.commuted(val)
	c, ok := s.constant(y)
	return x, ok && c == 0
}

// compare makes cmp x, y.
func (s *selector) compare(x, y mach.Reg) {
	s.op(CmpRR, x, y)
	s.reuse.want(s, x, y)
}

// A bound is a compare with a constant that says the same as one with its neighbour.
type bound struct {
	down bool  // the neighbour is one less, else one more
	cond uint8 // the condition then
}

// neighbours tells, for the conditions of order, the equal compare with a neighbour.
var neighbours = [16]bound{
	CondL: {true, CondLE}, CondGE: {true, CondG}, CondLE: {false, CondL}, CondG: {false, CondGE},
	CondB: {true, CondBE}, CondAE: {true, CondA}, CondBE: {false, CondB}, CondA: {false, CondAE},
}

// shorter returns c and cond such that the compare means the same and is shorter: with 0
// or with a constant that fits one byte or four (optimizations §C.6, X52).
func shorter(c int64, cond uint8) (int64, uint8) {
	n := neighbours[cond]
	switch {
	case cond == CondE || cond == CondNE || c == 0:
		return c, cond
	case n.down && (c == 1 || c == 1<<7 || c == 1<<31):
		return c - 1, n.cond
	case !n.down && (c == -1 || c == -1<<7-1 || c == -1<<31-1):
		// Unsigned, -1 is the largest word and has no neighbour above.
		if c == -1 && (cond == CondBE || cond == CondA) {
			return c, cond
		}
		return c + 1, n.cond
	}
	return c, cond
}

// compareConstant makes a compare of x with c and returns the condition to ask for.
func (s *selector) compareConstant(x ssa.ValueID, c int64, cond uint8) uint8 {
	c, cond = shorter(c, cond)
	switch {
	case c == 0:
		return s.testZero(x, cond)
	case fits32(c):
		s.opI(CmpRI, c, s.use(x))
	default:
		s.op(CmpRR, s.use(x), s.imm(c))
	}
	return cond
}

// signOnly are the conditions that after a test say the same without the overflow flag,
// which is clear.
var signOnly = [16]uint8{CondL: CondS, CondGE: CondNS}

// testZero makes a compare of v with 0 and returns the condition to ask for.
func (s *selector) testZero(v ssa.ValueID, cond uint8) uint8 {
	switch cond {
	case CondBE: // unsigned, at most 0 is 0
		cond = CondE
	case CondA:
		cond = CondNE
	}
	if val := s.fusible(v); val != nil && val.Op == node.OpAnd {
		return s.testAnd(val, cond)
	}
	r := s.use(v)
	s.op(TestRR, r, r)
	if c := signOnly[cond]; c != 0 {
		cond = c
	}
	s.reuse.want(s, r, mach.NoReg)
	return cond
}

// testAnd makes a test of the bits of x & y.
func (s *selector) testAnd(val *ssa.Value, cond uint8) uint8 {
	x, y := s.commuted(val)
	c, ok := s.constant(y)
	equality := cond == CondE || cond == CondNE
	switch {
	case !ok:
		s.op(TestRR, s.use(x), s.use(y))
	case c == 1 && equality:
		return s.testBit(x, cond)
	case c >= 0 && c <= 0x7f:
		s.opI(Test8RI, c, s.use(x))
	case c >= 0 && fits32(c):
		s.opI(Test32RI, c, s.use(x))
	case fits32(c):
		s.opI(TestRI, c, s.use(x))
	case equality && bits.OnesCount64(uint64(c)) == 1:
		s.opI(BtRI, int64(bits.TrailingZeros64(uint64(c))), s.use(x))
		return carryOf(cond)
	default:
		s.op(TestRR, s.use(x), s.imm(c))
	}
	return cond
}

// testBit makes a test of bit 0 of x, or of bit y if x is x >>> y.
func (s *selector) testBit(x ssa.ValueID, cond uint8) uint8 {
	val := s.fusible(x)
	if val == nil || val.Op != node.OpShr && val.Op != node.OpSar {
		s.opI(Test8RI, 1, s.use(x))
		return cond
	}
	if c, ok := s.constant(val.Args[1]); ok {
		s.opI(BtRI, c&63, s.use(val.Args[0]))
	} else {
		s.op(BtRR, s.use(val.Args[0]), s.count(val.Args[1]))
	}
	return carryOf(cond)
}

// carryOf turns a condition on a bit being 0 into one on the carry that bt copies it to.
func carryOf(cond uint8) uint8 {
	if cond == CondE {
		return CondAE
	}
	return CondB
}

// tileTruth makes 0 or 1 of a compare. The register is cleared before the compare, which
// also breaks its dependence on what it held (optimizations §C.6, X55).
func tileTruth(s *selector, d mach.Reg, _ ssa.ValueID, val *ssa.Value) {
	if c, ok := s.constant(val.Args[1]); ok && c == 0 && val.Op == node.OpLT {
		s.opI(ShrRI, 63, d, s.use(val.Args[0]))
		return
	}
	s.truth(d, func() uint8 { return s.holds(val) })
}

// truth makes d 1 if the condition that compare makes holds, else 0.
func (s *selector) truth(d mach.Reg, compare func() uint8) {
	t := s.temp()
	s.op(Zero, t)
	cond := compare()
	s.opC(Setcc, cond, d, t)
}

func tileSelect(s *selector, d mach.Reg, _ ssa.ValueID, val *ssa.Value) {
	yes, no := val.Args[1], val.Args[2]
	a, okA := s.constant(yes)
	b, okB := s.constant(no)
	if okA && okB && s.selectConstants(d, val.Args[0], a, b) {
		return
	}
	cond := s.condition(val.Args[0])
	s.opC(Cmovcc, cond, d, s.use(no), s.use(yes))
}

// selectConstants makes d a if v is not 0, else b, by arithmetic on the truth of v, if
// that takes at most two instructions more (optimizations §C.6, X57).
func (s *selector) selectConstants(d mach.Reg, v ssa.ValueID, a, b int64) bool {
	invert := uint8(0)
	diff := a - b
	if diff < 0 {
		diff, a, b, invert = -diff, b, a, 1
	}
	unit := diff == 1 && b == 0
	lea := fits32(b) && diff > 0 && diff <= 9 && (bits.OnesCount64(uint64(diff)) == 1 || diff == 3 || diff == 5 || diff == 9)
	shift := b == 0 && bits.OnesCount64(uint64(diff)) == 1
	negate := a == 0 && b == -1
	if !unit && !lea && !shift && !negate {
		return false
	}
	if negate {
		invert ^= 1 // -1 if the condition does not hold
	}
	t := d
	if !unit {
		t = s.temp()
	}
	s.truth(t, func() uint8 { return s.condition(v) ^ invert })
	switch {
	case unit:
	case negate:
		s.op(Neg, d, t)
	case shift:
		s.opI(ShlRI, int64(bits.TrailingZeros64(uint64(diff))), d, t)
	case diff&1 != 0 && diff > 1:
		s.mem(Lea, Addr{Base: t, Index: t, Scale: uint8(diff - 1), Disp: int32(b)}, d)
	case diff == 1:
		s.mem(Lea, Addr{Base: t, Disp: int32(b)}, d)
	default:
		s.mem(Lea, Addr{Index: t, Scale: uint8(diff), Disp: int32(b)}, d)
	}
	return true
}

// minMax tells when the second operand is the answer, after cmp of the first with it.
// The conditions that read one flag only are cheaper than a and be.
var minMax = [node.NumOps]uint8{
	node.OpMin: CondG, node.OpMax: CondL, node.OpUMin: CondAE, node.OpUMax: CondB,
}

func tileMinMax(s *selector, d mach.Reg, _ ssa.ValueID, val *ssa.Value) {
	x, y := s.commuted(val)
	if c, ok := s.imm32(y); ok {
		s.opI(CmpRI, c, s.use(x))
	} else {
		s.op(CmpRR, s.use(x), s.use(y))
	}
	s.opC(Cmovcc, minMax[val.Op], d, s.use(x), s.use(y))
}

// tileAbs takes x instead of -x if -x is negative. That of MIN is MIN either way.
func tileAbs(s *selector, d mach.Reg, _ ssa.ValueID, val *ssa.Value) {
	x, t := s.use(val.Args[0]), s.temp()
	s.op(Neg, t, x)
	s.opC(Cmovcc, CondS, d, t, x)
}
