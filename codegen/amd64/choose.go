package amd64

import (
	"math/bits"

	"shoal/codegen/mach"
	"shoal/ssa"
)

// selectTile is the tile of Select: arithmetic on the condition as 0 or 1 if both choices
// are constants that allow it, else a conditional copy.
func selectTile(s *selector, _ ssa.ValueID, v *ssa.Value, d mach.Reg) {
	if v.Class == ssa.Float {
		s.selectFloat(d, v)
		return
	}
	c, x, y := v.Args[0], v.Args[1], v.Args[2]
	if k, ok := s.constant(c); ok {
		if k == 0 {
			x = y
		}
		s.alias(d, x)
		return
	}
	kx, xConst := s.constant(x)
	ky, yConst := s.constant(y)
	if xConst && yConst && (s.chooseConstant(d, c, false, kx, ky) || s.chooseConstant(d, c, true, ky, kx)) {
		return
	}
	invert := s.betterOver(x, y)
	if invert {
		x, y = y, x
	}
	ry := s.reg(y)
	rx := s.reg(x)
	cond := s.condition(c, invert)
	s.conditionalCopy(d, ry, rx, cond)
}

// conditionalCopy makes d the register y if the condition holds, else x. The conditions of
// float comparisons need two copies: "equal" is the inverse of "not equal", which is one
// flag or another.
func (s *selector) conditionalCopy(d, x, y mach.Reg, cond uint8) {
	if cond == CondEF {
		x, y, cond = y, x, CondNEF
	}
	if cond == CondNEF {
		t := s.temp()
		s.emit(Cmovcc, t, x, y).Cond = CondNE
		x, cond = t, CondP
	}
	s.emit(Cmovcc, d, x, y).Cond = cond
}

// chooseConstant computes the constant x if c is not 0 (with invert: if it is), else y,
// without a conditional copy; it tells whether it could (optimizations §C.6, X57).
func (s *selector) chooseConstant(d mach.Reg, c ssa.ValueID, invert bool, x, y int64) bool {
	scale := x - y
	switch {
	case scale == 1 && y == 0:
		s.setcc(d, c, invert)
	case scale == -1 && y == 0:
		b := s.temp()
		s.setcc(b, c, invert)
		s.emit(Neg, d, b)
	case y == 0 && isPow2(x):
		b := s.temp()
		s.setcc(b, c, invert)
		s.emitImm(ShlRI, int64(bits.TrailingZeros64(uint64(x))), d, b)
	case !fits32(y):
		return false
	case scale == 1:
		b := s.temp()
		s.setcc(b, c, invert)
		s.emitMem(Lea, Addr{Base: b, Disp: int32(y)}, d)
	case scale == 2 || scale == 4 || scale == 8:
		b := s.temp()
		s.setcc(b, c, invert)
		s.emitMem(Lea, Addr{Index: b, Scale: uint8(scale), Disp: int32(y)}, d)
	case scale == 3 || scale == 5 || scale == 9:
		b := s.temp()
		s.setcc(b, c, invert)
		s.emitMem(Lea, Addr{Base: b, Index: b, Scale: uint8(scale - 1), Disp: int32(y)}, d)
	default:
		return false
	}
	return true
}
