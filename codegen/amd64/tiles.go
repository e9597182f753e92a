package amd64

import (
	"math"
	"math/bits"

	"shoal/codegen/mach"
	"shoal/node"
	"shoal/ssa"
)

// A tile emits the instructions that compute the value id = v into d.
type tile func(s *selector, id ssa.ValueID, v *ssa.Value, d mach.Reg)

// tiles has one for each pure op and for those that access memory.
var tiles = [node.NumOps]tile{
	node.OpAdd:   addTile,
	node.OpSub:   subTile,
	node.OpMul:   mulTile,
	node.OpMinus: unary(Neg),

	node.OpEQ:  compareTile,
	node.OpLT:  lessTile,
	node.OpLE:  compareTile,
	node.OpULT: compareTile,
	node.OpULE: compareTile,
	node.OpNot: notTile,

	node.OpAnd:    andTile,
	node.OpOr:     bitwise(OrRR, OrRI),
	node.OpXor:    xorTile,
	node.OpBitNot: unary(Not),

	node.OpShl:  shlTile,
	node.OpShr:  shift2(ShrRC, ShrRI),
	node.OpSar:  shift2(SarRC, SarRI),
	node.OpRotL: shift2(RolRC, RolRI),

	node.OpDiv:  divideTile,
	node.OpRem:  divideTile,
	node.OpUDiv: divideTile,
	node.OpURem: divideTile,

	node.OpSelect: selectTile,
	node.OpMin:    extremum(CondL),
	node.OpMax:    extremum(CondGE),
	node.OpUMin:   extremum(CondB),
	node.OpUMax:   extremum(CondAE),
	node.OpAbs:    absTile,

	node.OpSignExt: signExtTile,
	node.OpZeroExt: zeroExtTile,

	node.OpAddF:     floatTile(AddsdRR, AddsdRM, true),
	node.OpSubF:     floatTile(SubsdRR, SubsdRM, false),
	node.OpMulF:     floatTile(MulsdRR, MulsdRM, true),
	node.OpDivF:     divFTile,
	node.OpMinusF:   minusFTile,
	node.OpEQF:      compareFloatTile,
	node.OpLTF:      compareFloatTile,
	node.OpLEF:      compareFloatTile,
	node.OpToFloat:  toFloatTile,
	node.OpRoundF32: roundTile,

	node.OpNew:   newTile,
	node.OpLoad:  loadTile,
	node.OpStore: storeTile,
}

// unary is the tile of a one-operand instruction.
func unary(op uint16) tile {
	return func(s *selector, _ ssa.ValueID, v *ssa.Value, d mach.Reg) {
		s.emit(op, d, s.reg(v.Args[0]))
	}
}

// constantLast returns the operands with a constant, if there is one, as the second.
func (s *selector) constantLast(v *ssa.Value) (a, b ssa.ValueID) {
	a, b = v.Args[0], v.Args[1]
	if _, ok := s.constant(a); ok {
		a, b = b, a
	}
	return a, b
}

// betterOver tells whether a two-address instruction should overwrite b and not a: the
// one that dies, or that is a constant made for it; of two that die the one that goes
// around the loop, for the result probably goes on in its place.
func (s *selector) betterOver(b, a ssa.ValueID) bool {
	if dies := s.dies(b); dies != s.dies(a) {
		return dies
	}
	return s.onLoop(b) && !s.onLoop(a)
}

// withMemory has the form of an instruction whose second operand is in memory.
var withMemory = [numOps]uint16{AddRR: AddRM, SubRR: SubRM, AndRR: AndRM, OrRR: OrRM, XorRR: XorRM, ImulRR: ImulRM}

// commutative emits a two-address instruction whose operands may be exchanged.
func (s *selector) commutative(op uint16, d mach.Reg, a, b ssa.ValueID) {
	if s.wordInMemory(a) && !s.wordInMemory(b) {
		a, b = b, a
	}
	if at, ok := s.wordOperand(b); ok {
		s.emitMem(withMemory[op], at, d, s.reg(a))
		return
	}
	if s.betterOver(b, a) {
		a, b = b, a
	}
	ra := s.reg(a)
	s.emit(op, d, ra, s.reg(b))
}

// bitwise is the tile of a commutative instruction and of its form with a constant.
func bitwise(rr, ri uint16) tile {
	return func(s *selector, _ ssa.ValueID, v *ssa.Value, d mach.Reg) {
		a, b := s.constantLast(v)
		if c, ok := s.imm32(b); ok {
			s.emitImm(ri, c, d, s.reg(a))
			return
		}
		s.commutative(rr, d, a, b)
	}
}

func addTile(s *selector, id ssa.ValueID, v *ssa.Value, d mach.Reg) {
	if s.flags == id {
		bitwise(AddRR, AddRI)(s, id, v, d)
		return
	}
	s.emitSum(d, v)
}

func subTile(s *selector, id ssa.ValueID, v *ssa.Value, d mach.Reg) {
	a, b := v.Args[0], v.Args[1]
	c, isConst := s.constant(b)
	zero, _ := s.constant(a)
	minuend := s.f.Values[a].Kind == ssa.Const
	switch {
	case isConst && c != math.MinInt64 && fits32(-c):
		if s.flags == id {
			s.emitImm(AddRI, -c, d, s.reg(a))
			return
		}
		s.emitMem(Lea, Addr{Base: s.reg(a), Disp: int32(-c)}, d)
	case minuend && zero == 0:
		s.emit(Neg, d, s.reg(b))
	case s.flags != id && s.remainderShape(d, a, b):
	case s.wordInMemory(b):
		at, _ := s.wordOperand(b)
		s.emitMem(SubRM, at, d, s.reg(a))
	default:
		ra := s.reg(a)
		s.emit(SubRR, d, ra, s.reg(b))
	}
}

func xorTile(s *selector, id ssa.ValueID, v *ssa.Value, d mach.Reg) {
	a, b := s.constantLast(v)
	if c, ok := s.constant(b); ok && c == -1 && s.flags != id {
		s.emit(Not, d, s.reg(a))
		return
	}
	bitwise(XorRR, XorRI)(s, id, v, d)
}

// andTile knows masks that are extensions. The 32-bit form clears the high half.
func andTile(s *selector, id ssa.ValueID, v *ssa.Value, d mach.Reg) {
	a, b := s.constantLast(v)
	c, ok := s.constant(b)
	switch {
	case ok && s.flags != id && (c == math.MaxUint8 || c == math.MaxUint16 || c == math.MaxUint32):
		s.zeroExtend(d, a, bits.Len64(uint64(c)))
	case ok && c >= 0 && c <= math.MaxInt32:
		s.emitImm(And32RI, c, d, s.reg(a))
	default:
		bitwise(AndRR, AndRI)(s, id, v, d)
	}
}

func compareTile(s *selector, _ ssa.ValueID, v *ssa.Value, d mach.Reg) {
	s.setccOf(d, condOf[v.Op], v.Args[0], v.Args[1])
}

// lessTile knows that x < 0 is the sign bit.
func lessTile(s *selector, id ssa.ValueID, v *ssa.Value, d mach.Reg) {
	if c, ok := s.constant(v.Args[1]); ok && c == 0 {
		s.emitImm(ShrRI, 63, d, s.reg(v.Args[0]))
		return
	}
	compareTile(s, id, v, d)
}

func notTile(s *selector, _ ssa.ValueID, v *ssa.Value, d mach.Reg) {
	s.setcc(d, v.Args[0], true)
}

// shift2 is the tile of a shift: by the count in rcx, or by a constant. The machine takes
// the count modulo 64 as the language does, so a mask that keeps six bits is not needed.
func shift2(byCL, byImm uint16) tile {
	return func(s *selector, _ ssa.ValueID, v *ssa.Value, d mach.Reg) {
		x, n := v.Args[0], v.Args[1]
		if c, ok := s.constant(n); ok {
			s.shiftBy(byImm, d, x, c&63)
			return
		}
		n = s.unmasked(n)
		count := s.reg(n)
		if n == x { // one register cannot be both
			count = s.temp()
			s.emit(MovRR, count, s.reg(n))
		}
		s.emit(byCL, d, s.reg(x), count)
	}
}

// shiftBy emits a shift by a constant.
func (s *selector) shiftBy(op uint16, d mach.Reg, x ssa.ValueID, n int64) {
	if n == 0 {
		s.alias(d, x)
		return
	}
	s.emitImm(op, n, d, s.reg(x))
}

// unmasked looks through a mask on a shift count.
func (s *selector) unmasked(n ssa.ValueID) ssa.ValueID {
	x := &s.f.Values[n]
	if x.Kind != ssa.Instr || x.Op != node.OpAnd {
		return n
	}
	a, b := s.constantLast(x)
	if c, ok := s.constant(b); !ok || c&63 != 63 || s.f.Values[a].Kind == ssa.Const {
		return n
	}
	return a
}

// shlTile knows that x << 1 is x + x.
func shlTile(s *selector, id ssa.ValueID, v *ssa.Value, d mach.Reg) {
	if c, ok := s.constant(v.Args[1]); ok && c&63 == 1 {
		r := s.reg(v.Args[0])
		s.emitMem(Lea, Addr{Base: r, Index: r, Scale: 1}, d)
		return
	}
	shift2(ShlRC, ShlRI)(s, id, v, d)
}

// extremum is the tile of minimum or maximum: the first operand if "first cond second".
func extremum(cond uint8) tile {
	return func(s *selector, _ ssa.ValueID, v *ssa.Value, d mach.Reg) {
		a, b := s.constantLast(v)
		over, other, invert := b, a, uint8(0)
		if s.betterOver(a, b) {
			over, other, invert = a, b, 1
		}
		old := s.reg(over)
		r := s.reg(other)
		c := s.compare(cond, a, b)
		s.emit(Cmovcc, d, old, r).Cond = c ^ invert
	}
}

// absTile negates a copy and takes the original back if that made it negative. MIN stays.
func absTile(s *selector, _ ssa.ValueID, v *ssa.Value, d mach.Reg) {
	x, t := s.reg(v.Args[0]), s.temp()
	s.emit(Neg, t, x)
	s.emit(Cmovcc, d, t, x).Cond = CondS
}

// signExtTile extends from the low bits that Aux counts.
func signExtTile(s *selector, _ ssa.ValueID, v *ssa.Value, d mach.Reg) {
	x := v.Args[0]
	switch n := v.Aux; {
	case n >= 64:
		s.alias(d, x)
	case s.extendingLoad(d, x, n, true):
	case n == 32:
		s.emit(Movsxd, d, s.reg(x))
	case n == 16:
		s.emit(Movsx16, d, s.reg(x))
	case n == 8:
		s.emit(Movsx8, d, s.reg(x))
	default:
		t := s.temp()
		s.emitImm(ShlRI, 64-n, t, s.reg(x))
		s.emitImm(SarRI, 64-n, d, t)
	}
}

func zeroExtTile(s *selector, _ ssa.ValueID, v *ssa.Value, d mach.Reg) {
	s.zeroExtend(d, v.Args[0], int(min(v.Aux, 64)))
}

// zeroExtend keeps the low n bits of x.
func (s *selector) zeroExtend(d mach.Reg, x ssa.ValueID, n int) {
	switch {
	case n == 64:
		s.alias(d, x)
	case s.extendingLoad(d, x, int64(n), false):
	case n == 32:
		s.emit(Mov32RR, d, s.reg(x))
	case n == 16:
		s.emit(Movzx16, d, s.reg(x))
	case n == 8:
		s.emit(Movzx8, d, s.reg(x))
	case n < 32:
		s.emitImm(And32RI, 1<<n-1, d, s.reg(x))
	default:
		t := s.temp()
		s.emitImm(ShlRI, int64(64-n), t, s.reg(x))
		s.emitImm(ShrRI, int64(64-n), d, t)
	}
}
