package amd64

import "shoal/codegen/mach"

// CallStub makes a function without parameters that calls another with constants and
// returns its result: how programs with several inputs are run from outside.
func CallStub(name, function string, args []int64) *mach.Func {
	s := newStub(name)
	inRegs := min(len(args), len(inputRegs))
	onStack := args[inRegs:]
	// The return address of this stub is on the stack already; the call wants the stack
	// pointer to be a multiple of 16 (System V ABI, section 3.2.2).
	room := 8 * int64(len(onStack)|1)
	s.imm(SubRI, room, RSP)
	for i, c := range onStack {
		s.set(RAX, c)
		s.mem(Store64, RSP, int32(8*i), RAX)
	}
	for i, c := range args[:inRegs] {
		s.set(inputRegs[i], c)
	}
	s.call(function)
	s.imm(AddRI, room, RSP)
	s.ret()
	return s.done()
}
