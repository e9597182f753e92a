package amd64

import (
	"math/bits"

	"shoal/codegen/mach"
	"shoal/node"
	"shoal/ssa"
)

// emitSum computes the Add v into d as an address: base + index*scale + displacement
// (optimizations §C.3). A lea overwrites no operand; if it turns out after allocation
// that d is one of them, Frame makes an add of it.
func (s *selector) emitSum(d mach.Reg, v *ssa.Value) {
	a, b := s.constantLast(v)
	c, isConst := s.constant(b)
	if isConst && !fits32(c) {
		s.emitMem(Lea, Addr{Base: s.reg(a), Index: s.reg(b), Scale: 1}, d)
		return
	}
	if isConst {
		s.emitMem(Lea, s.addressOf(a, c), d)
		return
	}
	if s.wordInMemory(a) && !s.wordInMemory(b) {
		a, b = b, a
	}
	if _, scale := s.scaled(a); scale == 1 && s.wordInMemory(b) {
		at, _ := s.wordOperand(b)
		s.emitMem(AddRM, at, d, s.reg(a))
		return
	}
	s.emitMem(Lea, s.addressOfSum(a, b, 0), d)
}

// addressOf is the address x + disp, where x may be a sum or a product of its own.
func (s *selector) addressOf(x ssa.ValueID, disp int64) Addr {
	if inner := s.fusable(x, node.OpAdd); inner != nil {
		a, b := s.constantLast(inner)
		if _, ok := s.constant(b); !ok && !s.onLoop(a) && !s.onLoop(b) {
			return s.addressOfSum(a, b, disp)
		}
	}
	if y, scale := s.scaled(x); scale > 1 && disp != 0 {
		return s.scaledAddr(mach.NoReg, y, scale, disp)
	}
	if mul := s.fusable(x, node.OpMul); mul != nil && disp != 0 {
		a, b := s.constantLast(mul)
		if c, ok := s.constant(b); ok && (c == 3 || c == 5 || c == 9) && s.f.Values[a].Kind != ssa.Const {
			r := s.reg(a)
			return Addr{Base: r, Index: r, Scale: uint8(c - 1), Disp: int32(disp)}
		}
	}
	return Addr{Base: s.reg(x), Disp: int32(disp)}
}

// addressOfSum is the address a + b + disp, neither of them a constant. Three parts or a
// scale cost a second cycle on some machines: not on the way around a loop, which goes
// through a parameter of its head.
func (s *selector) addressOfSum(a, b ssa.ValueID, disp int64) Addr {
	if s.onLoop(a) || s.onLoop(b) {
		ra := s.reg(a)
		return Addr{Base: ra, Index: s.reg(b), Scale: 1, Disp: int32(disp)}
	}
	a, disp = s.offset(a, disp)
	b, disp = s.offset(b, disp)
	if y, scale := s.scaled(b); scale > 1 {
		return s.scaledAddr(s.reg(a), y, scale, disp)
	}
	if y, scale := s.scaled(a); scale > 1 {
		return s.scaledAddr(s.reg(b), y, scale, disp)
	}
	ra := s.reg(a)
	return Addr{Base: ra, Index: s.reg(b), Scale: 1, Disp: int32(disp)}
}

// scaledAddr is the address base + y*scale + disp.
func (s *selector) scaledAddr(base mach.Reg, y ssa.ValueID, scale uint8, disp int64) Addr {
	a := Addr{Base: base, Index: s.reg(y), Scale: scale, Disp: int32(disp)}
	if base == mach.NoReg && scale == 2 { // shorter, and no slower
		a.Base, a.Scale = a.Index, 1
	}
	return a
}

// onLoop tells whether v goes around the loop at hand: it is a parameter there.
func (s *selector) onLoop(v ssa.ValueID) bool {
	x := &s.f.Values[v]
	return x.Kind == ssa.Param && s.depth > 0 && s.f.Blocks[x.Block].Depth == s.depth
}

// offset splits x + C or x - C into x and the displacement, if both can be taken.
func (s *selector) offset(v ssa.ValueID, disp int64) (ssa.ValueID, int64) {
	x, sign := s.fusable(v, node.OpAdd), int64(1)
	if x == nil {
		x, sign = s.fusable(v, node.OpSub), -1
	}
	if x == nil {
		return v, disp
	}
	a, b := x.Args[0], x.Args[1]
	if sign > 0 {
		a, b = s.constantLast(x)
	}
	if c, ok := s.imm32(b); ok && fits32(disp+sign*c) && s.f.Values[a].Kind != ssa.Const {
		return a, disp + sign*c
	}
	return v, disp
}

// scaled tells whether v is y times 2, 4 or 8 and can be taken as such; scale is 1 if not.
func (s *selector) scaled(v ssa.ValueID) (y ssa.ValueID, scale uint8) {
	if x := s.fusable(v, node.OpShl); x != nil {
		if c, ok := s.constant(x.Args[1]); ok && c >= 1 && c <= 3 && s.f.Values[x.Args[0]].Kind != ssa.Const {
			return x.Args[0], 1 << c
		}
	}
	if x := s.fusable(v, node.OpMul); x != nil {
		a, b := s.constantLast(x)
		c, ok := s.constant(b)
		if ok && c >= 2 && c <= 8 && bits.OnesCount64(uint64(c)) == 1 && s.f.Values[a].Kind != ssa.Const {
			return a, uint8(c)
		}
	}
	return v, 1
}
