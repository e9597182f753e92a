package amd64

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"

	"shoal/codegen/mach"
	"shoal/node"
	"shoal/node/types"
	"shoal/ssa"
)

// Conditions of float comparisons for equality, which the machine has not: they take two
// flags. The lowest bit inverts, as for the others. A jump that has one becomes two jumps
// when blocks are laid out; nothing else may have one.
const (
	CondEF  uint8 = 16 // equal and not unordered
	CondNEF uint8 = 17 // not equal or unordered
)

// FloatPrefix and 16 hexadecimal digits name the constant with these bits.
const FloatPrefix = "shoal$float."

const (
	signMask    = "shoal$signmask" // 16 bytes: the sign bit of the float in the low half
	vectorAlign = 16               // of operands of 16 bytes in memory
	floatSize   = 8
)

// ConstantDatum is the constant that a symbol in selected code names, if it is one.
func ConstantDatum(name string) (d Datum, ok bool) {
	if name == signMask {
		return Datum{Name: name, Bytes: []byte{7: 0x80, 15: 0}, Align: vectorAlign}, true
	}
	hex, ok := strings.CutPrefix(name, FloatPrefix)
	bits, err := strconv.ParseUint(hex, 16, 64)
	if !ok || err != nil {
		return Datum{}, false
	}
	return Datum{Name: name, Bytes: binary.LittleEndian.AppendUint64(nil, bits), Align: floatSize}, true
}

// floatAddr is where the constant with these bits lies.
func (e *emitter) floatAddr(bits int64) Addr {
	return Addr{Sym: e.symbol(fmt.Sprintf("%s%016x", FloatPrefix, uint64(bits)))}
}

// setFloat makes d the float constant with these bits, as setConstant does.
func (e *emitter) setFloat(d mach.Reg, bits int64) {
	in := mach.Inst{Op: ZeroF, Args: e.args(1, 1), Pos: e.pos}
	in.Args[0] = mach.Operand{Reg: d, Role: mach.Def}
	if bits != 0 {
		in.Op = LoadF64
		appendAddr(&in, e.floatAddr(bits))
	}
	e.m.Value(d).Remat = &in
}

// tempF is a new register for a float in the middle of a tile.
func (e *emitter) tempF() mach.Reg { return e.m.NewReg(mach.Float) }

// isFloat tells whether v is a float.
func (s *selector) isFloat(v ssa.ValueID) bool { return s.f.Values[v].Class == ssa.Float }

// floatOperand is where a float can be read from memory by the tile at hand: a constant
// other than 0.0, which is better made, or a load that is not needed otherwise.
func (s *selector) floatOperand(v ssa.ValueID) (Addr, bool) {
	if c, ok := s.constant(v); ok {
		if c == 0 {
			return Addr{}, false
		}
		return s.floatAddr(c), true
	}
	if x := s.fusableLoad(v); x != nil && types.Storage(x.Aux) == types.F64 {
		return s.address(x.Args[0], x.Args[1]), true
	}
	return Addr{}, false
}

// inMemory tells whether floatOperand finds v in memory.
func (s *selector) inMemory(v ssa.ValueID) bool {
	if c, ok := s.constant(v); ok {
		return c != 0
	}
	x := s.fusableLoad(v)
	return x != nil && types.Storage(x.Aux) == types.F64
}

// floatTile is the tile of a two-address instruction on floats and its form with memory.
func floatTile(rr, rm uint16, commutes bool) tile {
	return func(s *selector, _ ssa.ValueID, v *ssa.Value, d mach.Reg) {
		a, b := v.Args[0], v.Args[1]
		if commutes && !s.inMemory(b) && (s.inMemory(a) || s.betterOver(b, a)) {
			a, b = b, a
		}
		if at, ok := s.floatOperand(b); ok {
			s.emitMem(rm, at, d, s.reg(a))
			return
		}
		ra := s.reg(a)
		s.emit(rr, d, ra, s.reg(b))
	}
}

// divFTile divides. By a power of two it multiplies by the inverse, which is one as well and
// gives the same: the exact result is, and so how it is rounded.
func divFTile(s *selector, id ssa.ValueID, v *ssa.Value, d mach.Reg) {
	c, ok := s.constant(v.Args[1])
	fraction, exponent := math.Frexp(math.Float64frombits(uint64(c)))
	if !ok || math.Abs(fraction) != 0.5 || exponent < leastExponent || exponent > -leastExponent {
		floatTile(DivsdRR, DivsdRM, false)(s, id, v, d)
		return
	}
	inverse := 1 / math.Float64frombits(uint64(c))
	s.emitMem(MulsdRM, s.floatAddr(int64(math.Float64bits(inverse))), d, s.reg(v.Args[0]))
}

// leastExponent bounds the powers of two, as math.Frexp counts, so that they and their
// inverses are normal numbers.
const leastExponent = -1020

// minusFTile flips the sign bit.
func minusFTile(s *selector, _ ssa.ValueID, v *ssa.Value, d mach.Reg) {
	s.emitMem(XorpsRM, Addr{Sym: s.symbol(signMask)}, d, s.reg(v.Args[0]))
}

// toFloatTile clears the register first, of which the machine would keep a half and so
// wait for whoever wrote it last.
func toFloatTile(s *selector, _ ssa.ValueID, v *ssa.Value, d mach.Reg) {
	x, zero := v.Args[0], s.tempF()
	s.emit(ZeroF, zero)
	if at, ok := s.wordOperand(x); ok {
		s.emitMem(Cvtsi2sdRM, at, d, zero)
		return
	}
	s.emit(Cvtsi2sdRR, d, zero, s.reg(x))
}

func roundTile(s *selector, _ ssa.ValueID, v *ssa.Value, d mach.Reg) {
	t := s.tempF()
	x := s.reg(v.Args[0])
	s.emit(Cvtsd2ss, t, x, x)
	s.emit(Cvtss2sd, d, t, t)
}

// isFloatCompare tells whether op compares floats.
func isFloatCompare(op node.Op) bool {
	return op == node.OpEQF || op == node.OpLTF || op == node.OpLEF
}

// compareFloats emits the comparison that the value x is and returns the condition under
// which it is 1. Unordered operands set carry and zero, so that "less" has to be asked as
// "above" with the operands exchanged: that is false for them, and its inverse true.
func (s *selector) compareFloats(x *ssa.Value) uint8 {
	a, b := x.Args[0], x.Args[1]
	switch {
	case x.Op == node.OpLTF:
		s.ucomisd(b, a)
		return CondA
	case x.Op == node.OpLEF:
		s.ucomisd(b, a)
		return CondAE
	case a == b:
		s.ucomisd(a, b)
		return CondNP
	case s.inMemory(a):
		a, b = b, a
	}
	s.ucomisd(a, b)
	return CondEF
}

func (s *selector) ucomisd(a, b ssa.ValueID) {
	if at, ok := s.floatOperand(b); ok {
		s.emitMem(UcomisdRM, at, s.reg(a))
		return
	}
	ra := s.reg(a)
	s.emit(UcomisdRR, ra, s.reg(b))
}

// compareFloatTile is the tile of a float comparison whose value is wanted.
func compareFloatTile(s *selector, _ ssa.ValueID, v *ssa.Value, d mach.Reg) {
	zero := s.zero()
	s.setFlag(d, zero, s.compareFloats(v))
}

// selectFloat is the tile of a Select of floats: a minimum or maximum where the machine's
// means the same, else a jump around a copy.
func (s *selector) selectFloat(d mach.Reg, v *ssa.Value) {
	c, x, y := v.Args[0], v.Args[1], v.Args[2]
	if k, ok := s.constant(c); ok {
		if k == 0 {
			x = y
		}
		s.alias(d, x)
		return
	}
	if s.extremumOfFloats(d, c, x, y) {
		return
	}
	ry := s.reg(y)
	rx := s.reg(x)
	cond := s.condition(c, false)
	s.emit(CmovF, d, ry, rx).Cond = cond
}

// extremumOfFloats recognizes c ? x : y that is what minsd or maxsd does: the first operand
// if it is less (greater), else the second, also if they are unordered or zeros.
func (s *selector) extremumOfFloats(d mach.Reg, c, x, y ssa.ValueID) bool {
	less := s.fusable(c, node.OpLTF)
	if less == nil {
		return false
	}
	op := MinsdRR
	switch {
	case s.same(less.Args[0], x) && s.same(less.Args[1], y): // x < y ? x : y
	case s.same(less.Args[0], y) && s.same(less.Args[1], x): // y < x ? x : y
		op = MaxsdRR
	default:
		return false
	}
	rx := s.reg(x)
	s.emit(op, d, rx, s.reg(y))
	return true
}

// same tells whether two operands are one value.
func (s *selector) same(a, b ssa.ValueID) bool {
	x, y := &s.f.Values[a], &s.f.Values[b]
	return a == b || x.Kind == ssa.Const && y.Kind == ssa.Const && x.Aux == y.Aux && x.Class == y.Class
}
