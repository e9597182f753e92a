package amd64

import (
	"shoal/codegen/mach"
	"shoal/node"
	"shoal/ssa"
)

// address is the address ref + off as the machine can say it. Parts of the offset that
// nobody has asked for are computed by it, even if others do so too: that is free.
func (s *selector) address(ref, off ssa.ValueID) Addr {
	a := Addr{}
	off, disp := s.peel(off, 0, 0)
	if c, ok := s.constant(off); ok && fits32(disp+c) {
		a.Disp = int32(disp + c)
		a.Base = s.reg(ref)
		return a
	}
	if x, scale := s.shifted(off); scale > 0 {
		x, disp = s.peel(x, scale, disp)
		a.Base = s.reg(ref)
		a.Index, a.Scale, a.Disp = s.reg(x), 1<<scale, int32(disp)
		return a
	}
	a.Base = s.reg(ref)
	a.Index, a.Scale, a.Disp = s.reg(off), 1, int32(disp)
	return a
}

// part returns the instruction v if it is op and may be computed as part of an address.
func (s *selector) part(v ssa.ValueID, op node.Op) *ssa.Value {
	x := &s.f.Values[v]
	if x.Kind != ssa.Instr || x.Op != op || s.regs[v] != mach.NoReg {
		return nil
	}
	return x
}

// maxPeel bounds the additions that peel looks through.
const maxPeel = 4

// peel splits v << scale + disp into w << scale and a displacement, where v is w with
// constants added.
func (s *selector) peel(v ssa.ValueID, scale uint8, disp int64) (ssa.ValueID, int64) {
	for range maxPeel {
		x, sign := s.part(v, node.OpAdd), int64(1)
		if x == nil {
			x, sign = s.part(v, node.OpSub), -1
		}
		if x == nil {
			break
		}
		a, b := x.Args[0], x.Args[1]
		if sign > 0 {
			a, b = s.constantLast(x)
		}
		c, ok := s.imm32(b)
		if !ok || !fits32(disp+sign*c<<scale) || s.f.Values[a].Kind == ssa.Const {
			break
		}
		v, disp = a, disp+sign*c<<scale
	}
	return v, disp
}

// shifted tells whether v is x shifted by 1, 2 or 3 to the left; scale is 0 if not.
func (s *selector) shifted(v ssa.ValueID) (x ssa.ValueID, scale uint8) {
	if shl := s.part(v, node.OpShl); shl != nil {
		if c, ok := s.constant(shl.Args[1]); ok && c >= 1 && c <= 3 && s.f.Values[shl.Args[0]].Kind != ssa.Const {
			return shl.Args[0], uint8(c)
		}
	}
	if mul := s.part(v, node.OpMul); mul != nil {
		a, b := s.constantLast(mul)
		if c, ok := s.constant(b); ok && (c == 2 || c == 4 || c == 8) && s.f.Values[a].Kind != ssa.Const {
			return a, log2(c)
		}
	}
	return v, 0
}
