package amd64

import (
	"math/bits"

	"shoal/codegen/mach"
	"shoal/node"
	"shoal/ssa"
)

// A tileRow is how one op becomes instructions.
type tileRow struct {
	// make appends instructions that set d to v. Operands that it does not ask for with
	// use are not computed for it.
	make func(s *selector, d mach.Reg, v ssa.ValueID, val *ssa.Value)
	doc  string // what it emits
}

// tiles has the row of every pure op.
var tiles = [node.NumOps]tileRow{
	node.OpAdd:   {tileAdd, "add, inc, dec, or lea of a whole address"},
	node.OpSub:   {tileSub, "sub, or not and neg of what is subtracted from a constant"},
	node.OpMul:   {tileMul, "imul, or at most two of lea, shl, sub, neg"},
	node.OpMinus: {tileMinus, "neg"},
	node.OpDiv:   {tileDiv, "multiplication by the inverse of a constant, else idiv around its traps"},
	node.OpRem:   {tileDiv, "the same, then the product with the divisor subtracted"},
	node.OpUDiv:  {tileDiv, "the same, unsigned"},
	node.OpURem:  {tileDiv, "the same, unsigned"},

	node.OpEQ:  {tileTruth, "xor, cmp, setcc"},
	node.OpLT:  {tileTruth, "the same; shr of the sign bit for < 0"},
	node.OpLE:  {tileTruth, "the same"},
	node.OpULT: {tileTruth, "the same, unsigned"},
	node.OpULE: {tileTruth, "the same, unsigned"},
	node.OpNot: {tileTruth, "xor, test, setcc; the opposite of a compare"},

	node.OpAnd:    {tileAnd, "and; movzx or mov of the low part; btr"},
	node.OpOr:     {tileBinary, "or"},
	node.OpXor:    {tileXor, "xor, not"},
	node.OpBitNot: {tileBitNot, "not"},
	node.OpShl:    {tileShl, "shl, lea, add to itself"},
	node.OpShr:    {tileShift, "shr"},
	node.OpSar:    {tileShift, "sar"},
	node.OpRotL:   {tileShift, "rol"},

	node.OpSelect: {tileSelect, "cmp, cmov; setcc and lea for two constants"},
	node.OpMin:    {tileMinMax, "cmp, cmov"},
	node.OpMax:    {tileMinMax, "cmp, cmov"},
	node.OpUMin:   {tileMinMax, "cmp, cmov"},
	node.OpUMax:   {tileMinMax, "cmp, cmov"},
	node.OpAbs:    {tileAbs, "neg, cmov"},

	node.OpSignExt: {tileSignExt, "movsx, movsxd, or shl and sar"},
	node.OpZeroExt: {tileZeroExt, "movzx, mov, and, or shl and shr"},
}

// twoForms are the instructions with a second operand in a register and in the
// instruction.
type twoForms struct{ rr, ri uint16 }

// binaries are the instructions of ops that are one instruction.
var binaries = [node.NumOps]twoForms{
	node.OpAdd:  {AddRR, AddRI},
	node.OpSub:  {SubRR, SubRI},
	node.OpAnd:  {AndRR, AndRI},
	node.OpOr:   {OrRR, OrRI},
	node.OpXor:  {XorRR, XorRI},
	node.OpShl:  {ShlRC, ShlRI},
	node.OpShr:  {ShrRC, ShrRI},
	node.OpSar:  {SarRC, SarRI},
	node.OpRotL: {RolRC, RolRI},
}

// commuted returns the operands of a commutative operation with a constant, if there is
// one, in the second place.
func (s *selector) commuted(val *ssa.Value) (x, y ssa.ValueID) {
	x, y = val.Args[0], val.Args[1]
	if _, ok := s.constant(x); ok {
		return y, x
	}
	return x, y
}

// dying returns x and y with one that dies here, if any, first: the result can take its
// register.
func (s *selector) dying(x, y ssa.ValueID) (ssa.ValueID, ssa.ValueID) {
	if s.livesOn(x) && !s.livesOn(y) {
		return y, x
	}
	return x, y
}

// tileBinary makes a commutative operation.
func tileBinary(s *selector, d mach.Reg, _ ssa.ValueID, val *ssa.Value) {
	x, y := s.commuted(val)
	form := binaries[val.Op]
	reuse := s.flagsWanted(d, val.Op != node.OpAdd)
	if c, ok := s.imm32(y); ok {
		s.opI(form.ri, c, d, s.use(x))
	} else {
		x, y = s.dying(x, y)
		s.op(form.rr, d, s.use(x), s.use(y))
	}
	if reuse {
		s.dropCompare()
	}
}

func tileSub(s *selector, d mach.Reg, _ ssa.ValueID, val *ssa.Value) {
	x, y := val.Args[0], val.Args[1]
	if c, ok := s.constant(y); ok && fits32(c) && fits32(-c) {
		s.addConstant(d, x, -c)
		return
	}
	if c, ok := s.imm32(x); ok {
		s.subtractFrom(d, c, s.use(y))
		return
	}
	rx, ry := s.use(x), s.use(y)
	compared := s.reuse.x == rx && s.reuse.y == ry && rx != mach.NoReg
	wanted := compared || s.flagsWanted(d, false)
	s.op(SubRR, d, rx, ry)
	if wanted {
		s.dropCompare()
	}
}

// subtractFrom makes d = c - y.
func (s *selector) subtractFrom(d mach.Reg, c int64, y mach.Reg) {
	if c == -1 {
		s.op(Not, d, y)
		return
	}
	if c == 0 {
		s.op(Neg, d, y)
		return
	}
	t := s.temp()
	s.op(Neg, t, y)
	s.opI(AddRI, c, d, t)
}

func tileMinus(s *selector, d mach.Reg, _ ssa.ValueID, val *ssa.Value) {
	wanted := s.flagsWanted(d, false)
	s.op(Neg, d, s.use(val.Args[0]))
	if wanted {
		s.dropCompare()
	}
}

// lowParts are the masks that a move of the low part applies for free.
var lowParts = [...]struct {
	mask int64
	op   uint16
}{{0xff, Movzx8}, {0xffff, Movzx16}, {0xffffffff, Mov32RR}}

func tileAnd(s *selector, d mach.Reg, v ssa.ValueID, val *ssa.Value) {
	x, y := s.commuted(val)
	c, ok := s.constant(y)
	if !ok || s.flagsWanted(d, true) {
		tileBinary(s, d, v, val)
		return
	}
	s.mask(d, s.use(x), c)
}

// mask makes d = x & c.
func (s *selector) mask(d, x mach.Reg, c int64) {
	for _, low := range lowParts {
		if c == low.mask {
			s.op(low.op, d, x)
			return
		}
	}
	k := bits.Len64(uint64(c))
	switch {
	case c >= 0 && fits32(c):
		s.opI(And32RI, c, d, x)
	case fits32(c):
		s.opI(AndRI, c, d, x)
	case c > 0 && c&(c+1) == 0: // the k low bits, more than 32
		t := s.temp()
		s.opI(ShlRI, int64(64-k), t, x)
		s.opI(ShrRI, int64(64-k), d, t)
	case bits.OnesCount64(uint64(^c)) == 1:
		s.opI(BtrRI, int64(bits.TrailingZeros64(uint64(^c))), d, x)
	default:
		s.op(AndRR, d, x, s.imm(c))
	}
}

func tileXor(s *selector, d mach.Reg, v ssa.ValueID, val *ssa.Value) {
	x, y := s.commuted(val)
	if c, ok := s.constant(y); ok && c == -1 && !s.flagsWanted(d, true) {
		s.op(Not, d, s.use(x))
		return
	}
	tileBinary(s, d, v, val)
}

func tileBitNot(s *selector, d mach.Reg, _ ssa.ValueID, val *ssa.Value) {
	s.op(Not, d, s.use(val.Args[0]))
}

func tileShl(s *selector, d mach.Reg, v ssa.ValueID, val *ssa.Value) {
	x := val.Args[0]
	c, ok := s.constant(val.Args[1])
	if !ok || c&63 != 1 || s.flagsWanted(d, false) {
		tileShift(s, d, v, val)
		return
	}
	r := s.use(x)
	s.mem(Lea, Addr{Base: r, Index: r, Scale: 1}, d) // an add if x dies, see Frame
}

// tileShift makes a shift or rotation. The machine takes the count modulo 64, as the
// language does.
func tileShift(s *selector, d mach.Reg, _ ssa.ValueID, val *ssa.Value) {
	x, y := val.Args[0], val.Args[1]
	form := binaries[val.Op]
	c, ok := s.constant(y)
	switch {
	case ok && c&63 == 0:
		s.op(MovRR, d, s.use(x))
	case ok:
		wanted := val.Op != node.OpRotL && s.flagsWanted(d, false)
		s.opI(form.ri, c&63, d, s.use(x))
		if wanted {
			s.dropCompare()
		}
	default:
		count := s.count(y)
		r := s.use(x)
		if r == count { // the count must be in cl and the operand must not
			r = s.temp()
			s.op(MovRR, r, count)
		}
		s.op(form.rr, d, r, count)
	}
}

// count asks for a register equal to y modulo 64 (optimizations §C.4, X40).
func (s *selector) count(y ssa.ValueID) mach.Reg {
	val := s.fusible(y)
	if val == nil {
		return s.use(y)
	}
	switch val.Op {
	case node.OpAnd:
		x, m := s.commuted(val)
		if c, ok := s.constant(m); ok && c&63 == 63 {
			return s.use(x)
		}
	case node.OpSub:
		if c, ok := s.constant(val.Args[0]); ok && c&63 == 0 {
			t := s.temp()
			s.op(Neg, t, s.use(val.Args[1]))
			return t
		}
	}
	return s.use(y)
}

// signExtensions are the moves that sign-extend the low bits of a register.
var signExtensions = [...]struct {
	bits int64
	op   uint16
}{{8, Movsx8}, {16, Movsx16}, {32, Movsxd}}

func tileSignExt(s *selector, d mach.Reg, _ ssa.ValueID, val *ssa.Value) {
	x, k := s.use(val.Args[0]), val.Aux
	if k >= 64 {
		s.op(MovRR, d, x)
		return
	}
	for _, e := range signExtensions {
		if k == e.bits {
			s.op(e.op, d, x)
			return
		}
	}
	t := s.temp()
	s.opI(ShlRI, 64-k, t, x)
	s.opI(SarRI, 64-k, d, t)
}

func tileZeroExt(s *selector, d mach.Reg, _ ssa.ValueID, val *ssa.Value) {
	x, k := s.use(val.Args[0]), val.Aux
	if k >= 64 {
		s.op(MovRR, d, x)
		return
	}
	s.mask(d, x, 1<<uint(k)-1)
}
