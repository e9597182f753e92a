package amd64

import "shoal/codegen/mach"

// The head of the memory that the server shares with its user, in bytes; package exec has
// the other side (exec.Server).
const (
	serveMemory  = 3 // descriptor of the memory
	serveEntry   = 8
	serveCount   = 16
	serveDone    = 24
	serveSeconds = 32
	serveHeap    = 40 // where the variables of the heap are, 0 if there are none
	serveStart   = 48 // what the last call had for a heap: it stays until the next
	serveEnd     = 56
	serveArgs    = 64
)

// The registers of the server: they are those that a function saves, so that it also
// notices functions that do not.
const (
	serveBase  = RBX // the shared memory
	serveFunc  = R12 // the function to call
	serveLimit = R13 // number of arguments
	serveIndex = R14 // of the argument
)

// savedBySystemV are the registers whose values the server expects back from a call.
var savedBySystemV = [...]mach.Reg{RBX, RBP, R12, R13, R14, R15}

// serveStub is the entry of the server: it maps the memory, then for every byte that it
// reads calls a function once for each argument and answers with a byte. A function that
// does not restore a register that it should ends it with SIGILL.
func serveStub() *mach.Func {
	s := newStub(Serve)
	s.call("shoal$stack")
	s.op(MovRR, RSP, RAX)
	s.imm(SubRI, 64, RSP) // [rsp] a byte or a size, then the saved registers
	s.set(RDI, serveMemory)
	s.op(MovRR, RSI, RSP)
	s.set(RDX, 8)
	s.op(Zero, R10)
	s.syscall(sysPread)
	s.op(Zero, RDI)
	s.mem(Load64, RSP, 0, RSI)
	s.set(RDX, protRead|protWrite|protExec)
	s.set(R10, mapShared)
	s.set(R8, serveMemory)
	s.op(Zero, R9)
	s.syscall(sysMmap)
	s.imm(CmpRI, firstError, RAX)
	s.jcc(CondB, "mapped")
	s.set(RDI, statusSetup)
	s.syscall(sysExitGroup)
	s.end(New(Ud2))
	s.label("mapped")
	s.op(MovRR, serveBase, RAX)
	s.label("wait")
	s.oneByte(sysRead, stdin)
	s.imm(CmpRI, eINTR, RAX)
	s.jcc(CondE, "wait")
	s.imm(CmpRI, 1, RAX)
	s.jcc(CondE, "go")
	s.op(Zero, RDI) // the user has gone
	s.syscall(sysExitGroup)
	s.end(New(Ud2))
	s.label("go")
	s.serveCalls()
	s.oneByte(sysWrite, stdout)
	s.jmp("wait")
	return s.done()
}

// oneByte reads or writes the byte at [rsp].
func (s *stub) oneByte(call, descriptor int64) {
	s.set(RDI, descriptor)
	s.op(MovRR, RSI, RSP)
	s.set(RDX, 1)
	s.syscall(call)
}

// serveCalls makes the calls of one request, with the alarm clock set.
func (s *stub) serveCalls() {
	s.mem(Load64, serveBase, serveSeconds, RDI)
	s.syscall(sysAlarm)
	s.mem(Load64, serveBase, serveEntry, serveFunc)
	s.op(AddRR, serveFunc, serveBase)
	s.mem(Load64, serveBase, serveCount, serveLimit)
	s.op(Zero, serveIndex)
	s.label("call")
	s.op(CmpRR, serveIndex, serveLimit)
	s.jcc(CondAE, "called")
	s.freeHeap()
	for i, r := range savedBySystemV {
		s.mem(Store64, RSP, int32(8*i+8), r)
	}
	argument := Addr{Base: serveBase, Index: serveIndex, Scale: 8, Disp: serveArgs}
	s.add(NewMem(Load64, argument, RDI))
	s.op(CallR, serveFunc)
	for i, r := range savedBySystemV {
		s.mem(CmpRM, RSP, int32(8*i+8), r)
		s.jcc(CondNE, "lost")
	}
	s.add(NewMem(Store64, argument, RAX))
	s.op(Inc, serveIndex)
	s.mem(Store64, serveBase, serveDone, serveIndex)
	s.rememberHeap()
	s.jmp("call")
	s.label("lost")
	s.end(New(Ud2))
	s.label("called")
	s.op(Zero, RDI)
	s.syscall(sysAlarm)
}

// freeHeap gives back the heap of the last call and makes the next one begin without.
func (s *stub) freeHeap() {
	s.mem(Load64, serveBase, serveStart, RDI)
	s.op(TestRR, RDI, RDI)
	s.jcc(CondE, "free")
	s.mem(Load64, serveBase, serveEnd, RSI)
	s.op(SubRR, RSI, RDI)
	s.syscall(sysMunmap)
	s.op(Zero, RAX)
	s.mem(Store64, serveBase, serveStart, RAX)
	s.label("free")
	s.mem(Load64, serveBase, serveHeap, RDI)
	s.op(TestRR, RDI, RDI)
	s.jcc(CondE, "fresh")
	s.op(AddRR, RDI, serveBase)
	s.op(Zero, RAX)
	for at := int32(0); at < heapSize; at += 8 {
		s.mem(Store64, RDI, at, RAX)
	}
	s.label("fresh")
}

// rememberHeap notes the heap of the call that has returned.
func (s *stub) rememberHeap() {
	s.mem(Load64, serveBase, serveHeap, RDI)
	s.op(TestRR, RDI, RDI)
	s.jcc(CondE, "call")
	s.op(AddRR, RDI, serveBase)
	s.mem(Load64, RDI, heapStart, RAX)
	s.mem(Store64, serveBase, serveStart, RAX)
	s.mem(Load64, RDI, heapLimit, RAX)
	s.mem(Store64, serveBase, serveEnd, RAX)
}
