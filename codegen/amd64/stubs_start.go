package amd64

import (
	"shoal/codegen/mach"
	"shoal/node"
)

// Numbers of system calls and their constants (Linux, amd64).
const (
	sysRead        = 0
	sysWrite       = 1
	sysMmap        = 9
	sysMprotect    = 10
	sysMunmap      = 11
	sysSigaction   = 13
	sysSigprocmask = 14
	sysSigreturn   = 15
	sysPread       = 17
	sysAlarm       = 37
	sysGetpid      = 39
	sysKill        = 62
	sysSysinfo     = 99
	sysSigaltstack = 131
	sysExitGroup   = 231

	sigABRT = 6
	sigSEGV = 11

	eINTR  = -4
	eAGAIN = -11
	// Results from here on, as unsigned numbers, are errors.
	firstError = -4095

	protRead, protWrite, protExec = 1, 2, 4
	mapShared                     = 0x1
	mapReserve                    = 0x2 | 0x20 | 0x4000 // private, anonymous, no swap space reserved

	// Flags of the signal handler: it gets the signal's details, runs on its own stack,
	// names its restorer, and is in force only once.
	handlerFlags = 0x4 | 0x08000000 | 0x04000000 | 0x80000000
)

// The stack of a program, in bytes. It is the program's own, not the one that the kernel
// gave: its size depends on silent, and it has a guard region below it that is larger
// than any frame (displacements have 31 bits), so that no frame can reach across it and
// none has to be probed. Untouched pages cost silent. Where so large a region is not to be
// had (ulimit -v), the guard shrinks to a quarter, again and again.
const (
	stackSize  = 64 << 20
	guardSize  = 4 << 30
	leastGuard = 64 << 10
)

// Exit statuses of an executable besides that of main.
const (
	statusUsage = 2       // the argument is no integer (cli.md)
	statusAbort = 128 + 6 // should SIGABRT be ignored
	statusSetup = 100     // the server cannot map its memory
)

// An ending is what an executable does with its result, besides ending with it.
type ending uint8

const (
	silent ending = iota
	prints        // as an integer, on standard output
	tells         // to the parent, which knows its type, see tellStub
)

// startStub is where an executable starts. The kernel leaves argc at [rsp] and argv behind.
func startStub(name string, end ending) *mach.Func {
	s := newStub(name)
	s.op(Zero, RBP) // the outermost frame
	s.op(Zero, RBX) // arg, if there is none
	s.mem(Load64, RSP, 0, RAX)
	s.imm(CmpRI, 2, RAX)
	s.jcc(CondL, "ready")
	s.mem(Load64, RSP, 16, RDI) // argv[1]
	s.call("shoal$argument")
	s.op(MovRR, RBX, RAX)
	s.op(Test32RR, RDX, RDX)
	s.jcc(CondE, "ready")
	s.mem(Load64, RSP, 8, RDI)
	s.mem(Load64, RSP, 16, RBX)
	s.call("shoal$badargument")
	s.label("ready")
	s.call("shoal$stack")
	s.op(MovRR, RSP, RAX)
	s.op(MovRR, RDI, RBX)
	s.call(WordMain)
	s.op(MovRR, RDI, RAX)
	if end != silent {
		s.op(MovRR, RBX, RAX)
		s.call([...]string{prints: "shoal$print", tells: "shoal$tell"}[end])
		s.op(MovRR, RDI, RBX)
	}
	s.syscall(sysExitGroup) // the kernel takes the low 8 bits
	s.end(New(Ud2))
	return s.done()
}

// argumentStub reads the decimal number in the word rdi into rax; edx is 0 if it is one,
// a sign allowed, and fits 64 bits. It collects -n, so that the least number fits.
func argumentStub() *mach.Func {
	s := newStub("shoal$argument")
	s.op(Zero, RAX)
	s.op(Zero, R8) // whether there is a minus
	s.mem(LoadU8, RDI, 0, RCX)
	s.imm(Cmp32RI, '+', RCX)
	s.jcc(CondE, "signed")
	s.imm(Cmp32RI, '-', RCX)
	s.jcc(CondNE, "digit")
	s.set(R8, 1)
	s.label("signed")
	s.op(Inc, RDI)
	s.mem(LoadU8, RDI, 0, RCX)
	s.label("digit") // the end of the word is none
	s.imm(Sub32RI, '0', RCX)
	s.imm(Cmp32RI, 9, RCX)
	s.jcc(CondA, "bad")
	s.imm(ImulRRI, 10, RAX, RAX)
	s.jcc(CondO, "bad")
	s.op(SubRR, RAX, RCX)
	s.jcc(CondO, "bad")
	s.op(Inc, RDI)
	s.mem(LoadU8, RDI, 0, RCX)
	s.op(Test32RR, RCX, RCX)
	s.jcc(CondNE, "digit")
	s.op(Test32RR, R8, R8)
	s.jcc(CondNE, "good")
	s.op(Neg, RAX)
	s.jcc(CondO, "bad")
	s.label("good")
	s.op(Zero, RDX)
	s.ret()
	s.label("bad")
	s.set(RDX, 1)
	s.ret()
	return s.done()
}

// badArgumentStub ends the program rdi because of its argument rbx.
func badArgumentStub() *mach.Func {
	s := newStub("shoal$badargument")
	s.call("shoal$puttext")
	s.data(Lea, word+"argument", 0, RDI)
	s.call("shoal$puttext")
	s.op(MovRR, RDI, RBX)
	s.call("shoal$puttext")
	s.data(Lea, word+"newline", 0, RDI)
	s.call("shoal$puttext")
	s.set(RDI, statusUsage)
	s.syscall(sysExitGroup)
	s.end(New(Ud2))
	return s.done()
}

// stackStub makes the stack and has its overflow caught; rax becomes its upper end. It
// changes no register that a function saves. Without memory for it, the program runs on
// the stack that it has, and overflow is a plain SIGSEGV.
func stackStub() *mach.Func {
	s := newStub("shoal$stack")
	s.op(Push, R12)
	s.set(R12, guardSize)
	s.label("reserve")
	s.op(Zero, RDI)
	s.mem(Lea, R12, stackSize, RSI)
	s.op(Zero, RDX) // no rights
	s.set(R10, mapReserve)
	s.set(R8, -1)
	s.op(Zero, R9)
	s.syscall(sysMmap)
	s.imm(CmpRI, firstError, RAX)
	s.jcc(CondB, "reserved")
	s.imm(ShrRI, 2, R12)
	s.imm(CmpRI, leastGuard, R12)
	s.jcc(CondAE, "reserve")
	s.label("fail")
	s.op(Pop, R12)
	s.mem(Lea, RSP, 8, RAX) // as it was before the call
	s.imm(AndRI, -16, RAX)
	s.ret()
	s.label("reserved")
	s.data(Store64, guard, 0, RAX)
	s.op(AddRR, R12, RAX) // the end of the guard
	s.op(MovRR, RDI, R12)
	s.set(RSI, stackSize)
	s.set(RDX, protRead|protWrite)
	s.syscall(sysMprotect)
	s.op(TestRR, RAX, RAX)
	s.jcc(CondNE, "fail")
	s.data(Store64, guard, 8, R12)
	s.catchOverflow()
	s.mem(Lea, R12, stackSize, RAX)
	s.op(Pop, R12)
	s.ret()
	return s.done()
}

// catchOverflow installs the signal handler and its stack.
func (s *stub) catchOverflow() {
	s.imm(SubRI, 40, RSP)
	// sigaltstack: the stack, flags, its size.
	s.data(Lea, altStack, 0, RAX)
	s.mem(Store64, RSP, 0, RAX)
	s.op(Zero, RAX)
	s.mem(Store64, RSP, 8, RAX)
	s.set(RAX, altStackSize)
	s.mem(Store64, RSP, 16, RAX)
	s.op(MovRR, RDI, RSP)
	s.op(Zero, RSI)
	s.syscall(sysSigaltstack)
	// sigaction: the handler, flags, its restorer, the mask.
	s.data(Lea, "shoal$handler", 0, RAX)
	s.mem(Store64, RSP, 0, RAX)
	s.set(RAX, handlerFlags)
	s.mem(Store64, RSP, 8, RAX)
	s.data(Lea, "shoal$restorer", 0, RAX)
	s.mem(Store64, RSP, 16, RAX)
	s.op(Zero, RAX)
	s.mem(Store64, RSP, 24, RAX)
	s.sigaction(sigSEGV)
	s.imm(AddRI, 40, RSP)
}

// maskSize is the size of a signal mask in bytes.
const maskSize = 8

// sigaction installs the action at [rsp] for a signal.
func (s *stub) sigaction(signal int64) {
	s.set(RDI, signal)
	s.op(MovRR, RSI, RSP)
	s.op(Zero, RDX)
	s.set(R10, maskSize)
	s.syscall(sysSigaction)
}

// Where the signal handler's arguments have what it looks at, in bytes: the cause, not
// above 0 if another process sent the signal, and the address that was touched, in
// siginfo; the instruction that touched it, in ucontext.
const (
	siginfoCode = 8
	siginfoAddr = 16
	ucontextRIP = 40 + 8*16
)

// handlerStub is called by the kernel with siginfo in rsi and ucontext in rdx. An address
// in the guard region means that the stack is full. Anything else is a bug of ours or of
// C code: the handler is gone by now, so returning repeats it with the default effect. A
// signal that was sent does not repeat itself.
func handlerStub() *mach.Func {
	s := newStub("shoal$handler")
	s.mem(LoadS32, RSI, siginfoCode, RAX)
	s.op(TestRR, RAX, RAX)
	s.jcc(CondLE, "sent")
	s.mem(Load64, RSI, siginfoAddr, RAX)
	s.data(CmpRM, guard, 0, RAX)
	s.jcc(CondB, "other")
	s.data(CmpRM, guard, 8, RAX)
	s.jcc(CondAE, "other")
	s.mem(Load64, RDX, ucontextRIP, RDI)
	s.data(Lea, faultText+node.FaultStack.String(), 0, R13)
	s.jumpTo("shoal$die")
	s.label("sent")
	s.raise(sigSEGV)
	s.label("other")
	s.ret()
	return s.done()
}

// raise sends a signal to this process.
func (s *stub) raise(signal int64) {
	s.syscall(sysGetpid)
	s.op(MovRR, RDI, RAX)
	s.set(RSI, signal)
	s.syscall(sysKill)
}

// restorerStub is where the handler returns to.
func restorerStub() *mach.Func {
	s := newStub("shoal$restorer")
	s.syscall(sysSigreturn)
	s.end(New(Ud2))
	return s.done()
}
