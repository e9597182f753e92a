package amd64

import "shoal/codegen/mach"

// A Signature says which inputs of a function are floats, and whether its result is one.
type Signature struct {
	FloatInputs []bool
	FloatResult bool
}

// MainStub makes WordMain of the program's function main: floats come as their bits.
func MainStub(name, function string, sig Signature) *mach.Func {
	s := newStub(name)
	if !sig.FloatResult {
		s.jumpTo(function)
		return s.done()
	}
	s.imm(SubRI, 8, RSP)
	s.call(function)
	s.op(MovqRX, RAX, XMM0)
	s.imm(AddRI, 8, RSP)
	s.ret()
	return s.done()
}

// CallStub makes a function without parameters that calls another with constants and
// returns its result in rax, a float as its bits: how functions of any kind are run from
// outside.
func CallStub(name, function string, args []int64, sig Signature) *mach.Func {
	s := newStub(name)
	places := inputPlaces(sig.FloatInputs, func(float bool) bool { return float })
	onStack := 0
	for _, p := range places {
		if p.reg == mach.NoReg {
			onStack++
		}
	}
	// The return address of this stub is on the stack already; the call wants the stack
	// pointer to be a multiple of 16 (System V ABI, section 3.2.2).
	room := 8 * int64(onStack|1)
	s.imm(SubRI, room, RSP)
	for i, p := range places {
		switch {
		case p.reg == mach.NoReg:
			s.set(RAX, args[i])
			s.mem(Store64, RSP, p.offset, RAX)
		case sig.FloatInputs[i]:
			s.set(RAX, args[i])
			s.op(MovqXR, p.reg, RAX)
		default:
			s.set(p.reg, args[i])
		}
	}
	s.call(function)
	if sig.FloatResult {
		s.op(MovqRX, RAX, XMM0)
	}
	s.imm(AddRI, room, RSP)
	s.ret()
	return s.done()
}
