package amd64

import (
	"shoal/codegen/mach"
	"shoal/node"
	"shoal/ssa"
)

// inputRegs hold the first six integer arguments (System V ABI, section 3.2.3).
var inputRegs = [...]mach.Reg{RDI, RSI, RDX, RCX, R8, R9}

// floatInputRegs is how many floats come in vector registers, xmm0 first.
const floatInputRegs = 8

// An inputPlace is where a function finds an input: in a register, or so many bytes above
// the first input on the stack.
type inputPlace struct {
	reg    mach.Reg
	offset int32
}

// inputPlaces are the places of the inputs of a function: integers and floats are counted
// apart, the stack takes what is left in order (System V ABI, section 3.2.3).
func inputPlaces[T any](inputs []T, isFloat func(T) bool) []inputPlace {
	places := make([]inputPlace, len(inputs))
	words, floats, stack := 0, 0, int32(0)
	for i, in := range inputs {
		switch float := isFloat(in); {
		case float && floats < floatInputRegs:
			places[i].reg = XMM0 + mach.Reg(floats)
			floats++
		case !float && words < len(inputRegs):
			places[i].reg = inputRegs[words]
			words++
		default:
			places[i].offset = stack
			stack += 8
		}
	}
	return places
}

// faultNumbers are the values that the message of a fault names.
func faultNumbers(t *ssa.Term) []ssa.ValueID {
	return []ssa.ValueID{t.Arg, t.Arg2}[:node.Faults[t.Fault].Numbers]
}

// fault emits the call of a fault's stub.
func (s *selector) fault(t *ssa.Term) {
	var regs []mach.Reg
	for i, v := range faultNumbers(t) {
		r := s.reg(v)
		if i > 0 && r == regs[0] { // one register cannot be both
			copied := s.temp()
			s.emit(MovRR, copied, r)
			r = copied
		}
		regs = append(regs, r)
	}
	in := s.emit(Fault, regs...)
	for i := range in.Args {
		in.Args[i].Allow = mach.Of(inputRegs[i])
	}
	in.Sym = s.symbol(FaultPrefix + t.Fault.String())
}

// inputs defines the inputs that are used, at the top of the entry.
func (s *selector) inputs() {
	var in []mach.Operand
	places := inputPlaces(s.f.Inputs, s.isFloat)
	for i, id := range s.f.Inputs {
		r, at := s.regs[id], places[i]
		switch {
		case r == mach.NoReg:
		case at.reg != mach.NoReg:
			in = append(in, mach.Operand{Reg: r, Role: mach.Def, Allow: mach.Of(at.reg)})
		case s.isFloat(id):
			s.emitMem(LoadInputF, Addr{Base: RSP, Disp: at.offset}, r)
		default:
			s.emitMem(LoadInput, Addr{Base: RSP, Disp: at.offset}, r)
		}
	}
	if in != nil {
		// Before the loads, which could otherwise take the registers.
		s.buf = append([]mach.Inst{{Op: Inputs, Args: in}}, s.buf...)
	}
}
