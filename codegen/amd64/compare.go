package amd64

import (
	"math"

	"shoal/codegen/mach"
	"shoal/node"
	"shoal/ssa"
)

// condOf is the condition after comparing the operands of each compare, 0 for other ops
// (the condition 0, overflow, is never used here).
var condOf = [node.NumOps]uint8{
	node.OpEQ:  CondE,
	node.OpLT:  CondL,
	node.OpLE:  CondLE,
	node.OpULT: CondB,
	node.OpULE: CondBE,
}

// maxNots bounds how many negations condition looks through: a value that negates may
// have many users, each of which would walk the same chain.
const maxNots = 8

// condition emits what sets the flags for a test of v and returns the condition that
// holds if v is not 0, or with invert if it is. Nothing but readers of the flags may
// follow in the tile.
func (s *selector) condition(v ssa.ValueID, invert bool) uint8 {
	for range maxNots {
		inner := s.negated(v)
		if inner == ssa.None {
			break
		}
		v, invert = inner, !invert
	}
	var cond uint8
	if x := &s.f.Values[v]; isFloatCompare(x.Op) && s.comparesHere(v) {
		cond = s.compareFloats(x)
	} else if condOf[x.Op] != 0 && s.comparesHere(v) {
		cond = s.compare(condOf[x.Op], x.Args[0], x.Args[1])
	} else {
		cond = s.testZero(v, CondNE)
	}
	if invert {
		cond ^= 1
	}
	return cond
}

// comparesHere tells whether the compare v, or the Not of one, is better done again than
// materialised: a compare costs one cycle, its operands are near.
func (s *selector) comparesHere(v ssa.ValueID) bool {
	x := &s.f.Values[v]
	return x.Kind == ssa.Instr && (x.Block == s.block || s.uses[v] == 1 && s.regs[v] == 0)
}

// negated returns w if v, computed here, is the test for w == 0; None otherwise.
func (s *selector) negated(v ssa.ValueID) ssa.ValueID {
	x := &s.f.Values[v]
	if x.Kind != ssa.Instr || !s.comparesHere(v) {
		return ssa.None
	}
	switch x.Op {
	case node.OpNot:
		return x.Args[0]
	case node.OpEQ:
		if c, ok := s.constant(x.Args[1]); ok && c == 0 && s.isCompare(x.Args[0]) {
			return x.Args[0]
		}
	}
	return ssa.None
}

// isCompare tells whether v is the result of a compare or of a Not.
func (s *selector) isCompare(v ssa.ValueID) bool {
	x := &s.f.Values[v]
	return x.Kind == ssa.Instr && (condOf[x.Op] != 0 || x.Op == node.OpNot || isFloatCompare(x.Op))
}

// compare emits the comparison of a and b and returns the condition that holds if
// "a cond b" does: cond itself or an equivalent one.
func (s *selector) compare(cond uint8, a, b ssa.ValueID) uint8 {
	if _, ok := s.constant(a); ok {
		a, b, cond = b, a, mirrored[cond]
	}
	c, ok := s.constant(b)
	if !ok {
		return s.compareRegs(cond, a, b)
	}
	if cond, ok := s.compareLoad(cond, a, c); ok {
		return cond
	}
	cond, c = nearer(cond, c)
	switch {
	case c == 0:
		return s.testZero(a, cond)
	case fits32(c):
		s.emitImm(CmpRI, c, s.reg(a))
	default:
		s.emit(CmpRR, s.reg(a), s.makeConstant(c))
	}
	return cond
}

// compareRegs is compare for operands that are no constants.
func (s *selector) compareRegs(cond uint8, a, b ssa.ValueID) uint8 {
	if cond == CondE || cond == CondNE {
		if c, ok := s.testRemainder(a, b, cond); ok {
			return c
		}
		if c, ok := s.testRemainder(b, a, cond); ok {
			return c
		}
	}
	if at, ok := s.wordOperand(b); ok {
		s.emitMem(CmpRM, at, s.reg(a))
		return cond
	}
	if at, ok := s.wordOperand(a); ok {
		s.emitMem(CmpMR, at, s.reg(b))
		return cond
	}
	ra := s.reg(a)
	s.emit(CmpRR, ra, s.reg(b))
	return cond
}

// nearer returns a condition and constant that mean the same and are shorter to encode:
// x < 1 is x <= 0, which is a test; x < 128 is x <= 127, which fits a byte.
func nearer(cond uint8, c int64) (uint8, int64) {
	down := c == 1 || c == 128 || c == math.MaxInt32+1
	up := c == -1 || c == -129 || c == math.MinInt32-1
	switch {
	case down && cond == CondL:
		cond, c = CondLE, c-1
	case down && cond == CondGE:
		cond, c = CondG, c-1
	case down && cond == CondB:
		cond, c = CondBE, c-1
	case down && cond == CondAE:
		cond, c = CondA, c-1
	case up && cond == CondLE:
		cond, c = CondL, c+1
	case up && cond == CondG:
		cond, c = CondGE, c+1
	}
	if c == 0 && cond == CondBE {
		cond = CondE
	}
	if c == 0 && cond == CondA {
		cond = CondNE
	}
	return cond, c
}

// testZero emits the comparison of v with 0 and returns the condition for "v cond 0".
func (s *selector) testZero(v ssa.ValueID, cond uint8) uint8 {
	if x := s.fusable(v, node.OpAnd); x != nil {
		return s.testMask(x, cond)
	}
	if cond == CondE || cond == CondNE {
		if c, ok := s.testDivision(v, cond); ok {
			return c
		}
	}
	if cond, ok := s.compareLoad(cond, v, 0); ok {
		return cond
	}
	switch cond {
	case CondL:
		cond = CondS
	case CondGE:
		cond = CondNS
	}
	if s.setsFlags(v, cond) {
		s.reg(v)
		s.flags = v
		return cond
	}
	r := s.reg(v)
	s.emit(TestRR, r, r)
	return cond
}

// testMask emits the comparison with 0 of the And x, which is not needed otherwise.
func (s *selector) testMask(x *ssa.Value, cond uint8) uint8 {
	a, b := x.Args[0], x.Args[1]
	if _, ok := s.constant(a); ok {
		a, b = b, a
	}
	c, ok := s.constant(b)
	equality := cond == CondE || cond == CondNE
	switch {
	case equality && ok && c == 1 && s.testShiftedBit(a):
		return carryCond(cond)
	case equality && !ok && (s.testSingleBit(a, b) || s.testSingleBit(b, a)):
		return carryCond(cond)
	case ok && s.testLoad(a, c, equality):
	case ok && c >= 0 && c <= math.MaxInt8:
		s.emitImm(Test8RI, c, s.reg(a))
	case ok && c >= 0 && c <= math.MaxInt32:
		s.emitImm(Test32RI, c, s.reg(a))
	case ok && fits32(c):
		s.emitImm(TestRI, c, s.reg(a))
	case ok && isPow2(c) && equality:
		s.emitImm(BtRI, int64(log2(c)), s.reg(a))
		return carryCond(cond)
	default:
		s.emit(TestRR, s.reg(a), s.reg(b))
	}
	return cond
}

// carryCond is the condition after a bit test, which leaves the bit in the carry flag, for
// E or NE of the bit and 0.
func carryCond(cond uint8) uint8 {
	if cond == CondE {
		return CondAE
	}
	return CondB
}

// testShiftedBit tests the lowest bit of v = x >> y, whatever the kind of shift.
func (s *selector) testShiftedBit(v ssa.ValueID) bool {
	x := s.fusable(v, node.OpShr)
	if x == nil {
		x = s.fusable(v, node.OpSar)
	}
	if x == nil {
		return false
	}
	if k, ok := s.constant(x.Args[1]); ok {
		s.emitImm(BtRI, k&63, s.reg(x.Args[0]))
		return true
	}
	s.emitBit(x.Args[0], x.Args[1])
	return true
}

// testSingleBit tests the bit of x that bit = 1 << y has.
func (s *selector) testSingleBit(x, bit ssa.ValueID) bool {
	shl := s.fusable(bit, node.OpShl)
	if shl == nil {
		return false
	}
	if one, ok := s.constant(shl.Args[0]); !ok || one != 1 || s.f.Values[shl.Args[1]].Kind == ssa.Const {
		return false
	}
	s.emitBit(x, shl.Args[1])
	return true
}

// emitBit tests bit y of x; the machine takes y modulo 64.
func (s *selector) emitBit(x, y ssa.ValueID) {
	rx := s.reg(x)
	s.emit(BtRR, rx, s.reg(s.unmasked(y)))
}

// flagOps are the ops whose tiles can leave the flags of their result. After an addition
// only zero and sign are those of the result, overflow and carry are the addition's; the
// logical ops clear these two, as a test does.
var flagOps = [node.NumOps]struct{ can, logical bool }{
	node.OpAdd:   {can: true},
	node.OpSub:   {can: true},
	node.OpMinus: {can: true},
	node.OpAnd:   {can: true, logical: true},
	node.OpOr:    {can: true, logical: true},
	node.OpXor:   {can: true, logical: true},
}

// flagReach is how many unselected values setsFlags looks past.
const flagReach = 4

// setsFlags tells whether the instruction that computes v can leave the flags for cond:
// it is the next to be selected, so that it comes right before the tile at hand. All
// other operands of the tile have been asked for by now.
func (s *selector) setsFlags(v ssa.ValueID, cond uint8) bool {
	x := &s.f.Values[v]
	if x.Kind != ssa.Instr || x.Block != s.block || !flagOps[x.Op].can || s.flagsWritten() {
		return false
	}
	onlyZeroSign := cond == CondE || cond == CondNE || cond == CondS || cond == CondNS
	if !onlyZeroSign && !flagOps[x.Op].logical {
		return false
	}
	body := s.f.Blocks[s.block].Body
	for k := s.index - 1; k >= 0 && k >= s.index-flagReach; k-- {
		switch {
		case body[k] == v:
			return true
		case s.regs[body[k]] != 0 || s.div.wanted(body[k]) || s.f.Values[body[k]].Op == node.OpStore:
			return false
		}
	}
	return false
}

// setcc puts 1 into d if the value v is not 0, or with invert if it is, else 0. The
// register is cleared before the compare, where that is free (optimizations §C.6, X55).
func (s *selector) setcc(d mach.Reg, v ssa.ValueID, invert bool) {
	zero := s.zero()
	s.setFlag(d, zero, s.condition(v, invert))
}

// setFlag puts 1 into d if the condition holds, else 0; zero is a register with 0. The
// conditions of float comparisons need a second step: "equal" is "ordered", or 0 if not
// equal.
func (s *selector) setFlag(d, zero mach.Reg, cond uint8) {
	if cond < CondEF {
		s.emit(Setcc, d, zero).Cond = cond
		return
	}
	parity, other := CondNP, int64(0)
	if cond == CondNEF {
		parity, other = CondP, 1
	}
	t := s.temp()
	s.emit(Setcc, t, zero).Cond = parity
	s.emit(Cmovcc, d, t, s.makeConstant(other)).Cond = CondNE
}

// setccOf is setcc for the comparison "a cond b".
func (s *selector) setccOf(d mach.Reg, cond uint8, a, b ssa.ValueID) {
	zero := s.zero()
	cond = s.compare(cond, a, b)
	s.emit(Setcc, d, zero).Cond = cond
}
