package amd64

import (
	"shoal/codegen/mach"
	"shoal/node"
)

// Descriptors of the standard streams.
const (
	stdin  = 0
	stdout = 1
	stderr = 2
)

// putStub writes rdx bytes at rsi to the descriptor edi. An error ends it: there is
// nobody to tell.
func putStub() *mach.Func {
	s := newStub("shoal$put")
	s.label("again")
	s.op(TestRR, RDX, RDX)
	s.jcc(CondE, "done")
	s.syscall(sysWrite)
	s.imm(CmpRI, eINTR, RAX)
	s.jcc(CondE, "again")
	s.imm(CmpRI, eAGAIN, RAX)
	s.jcc(CondE, "again")
	s.op(TestRR, RAX, RAX)
	s.jcc(CondLE, "done")
	s.op(AddRR, RSI, RAX)
	s.op(SubRR, RDX, RAX)
	s.jmp("again")
	s.label("done")
	s.ret()
	return s.done()
}

// putTextStub writes the text rdi, ended by a 0, to standard error.
func putTextStub() *mach.Func {
	s := newStub("shoal$puttext")
	s.op(MovRR, RSI, RDI)
	s.op(MovRR, RDX, RDI)
	s.label("next")
	s.mem(LoadU8, RDX, 0, RAX)
	s.op(Test32RR, RAX, RAX)
	s.jcc(CondE, "end")
	s.op(Inc, RDX)
	s.jmp("next")
	s.label("end")
	s.op(SubRR, RDX, RDI)
	s.set(RDI, stderr)
	s.jumpTo("shoal$put")
	return s.done()
}

// digitsStub writes the number rax in decimal so that it ends before rsi, which becomes
// its start. It changes rax, rcx, rdx and r8.
func digitsStub() *mach.Func {
	s := newStub("shoal$digits")
	s.op(MovRR, R8, RAX)
	s.set(RCX, 10)
	s.op(TestRR, RAX, RAX)
	s.jcc(CondNS, "next")
	s.op(Neg, RAX) // as an unsigned number right even for the least one
	s.label("next")
	s.op(Zero, RDX)
	s.add(New(Div, RAX, RDX, RAX, RDX, RCX))
	s.imm(Add32RI, '0', RDX)
	s.op(Dec, RSI)
	s.mem(Store8, RSI, 0, RDX)
	s.op(TestRR, RAX, RAX)
	s.jcc(CondNE, "next")
	s.op(TestRR, R8, R8)
	s.jcc(CondNS, "done")
	s.op(Dec, RSI)
	s.storeByte(RSI, 0, '-')
	s.label("done")
	s.ret()
	return s.done()
}

// numberSize is room in bytes for any 64-bit number in decimal, and an end of line.
const numberSize = 32

// printStub prints the number rdi on a line of its own.
func printStub() *mach.Func {
	s := newStub("shoal$print")
	s.imm(SubRI, numberSize, RSP)
	s.storeByte(RSP, numberSize-1, '\n')
	s.op(MovRR, RAX, RDI)
	s.mem(Lea, RSP, numberSize-1, RSI)
	s.call("shoal$digits")
	s.mem(Lea, RSP, numberSize, RDX)
	s.op(SubRR, RDX, RSI)
	s.set(RDI, stdout)
	s.call("shoal$put")
	s.imm(AddRI, numberSize, RSP)
	s.ret()
	return s.done()
}

// Descriptors by which a program tells its parent the result: it writes the word to one,
// then waits until it can read a byte, or the end, from the other. Meanwhile the parent
// reads what it wants of the program's memory (exec.RunTelling).
const (
	tellResult = 3
	tellDone   = 4
)

// tellStub tells the parent the word rdi.
func tellStub() *mach.Func {
	s := newStub("shoal$tell")
	s.op(Push, RDI)
	s.op(MovRR, RSI, RSP)
	s.set(RDX, 8)
	s.set(RDI, tellResult)
	s.call("shoal$put")
	s.label("wait")
	s.oneByte(sysRead, tellDone)
	s.imm(CmpRI, eINTR, RAX)
	s.jcc(CondE, "wait")
	s.op(Pop, RDI)
	s.ret()
	return s.done()
}

// faultStub ends the program where it is called: where a check fails, with the numbers of
// the fault in rdi and rsi (semantics §10). The call's own address tells the place in the
// source: it is the instruction before the return address, so the byte before that address
// belongs to it.
func faultStub(f node.Fault) *mach.Func {
	s := newStub(FaultPrefix + f.String())
	s.op(MovRR, RBX, RDI)
	s.op(MovRR, R12, RSI)
	s.data(Lea, faultText+f.String(), 0, R13)
	s.op(Pop, RDI)
	s.op(Dec, RDI)
	s.jumpTo("shoal$die")
	return s.done()
}

// dieStub ends the program with a fault at the code address rdi. r13 is the fault's text,
// rbx and r12 are its numbers. The line goes out in one piece.
func dieStub() *mach.Func {
	s := newStub("shoal$die")
	s.call("shoal$site") // r9 line, rbp column
	s.data(Lea, line, 0, R14)
	s.op(Zero, R15) // the name of the file has no placeholders
	s.data(Lea, File, 0, RDI)
	s.call("shoal$copy")
	s.op(Test32RR, R9, R9)
	s.jcc(CondE, "what")
	for _, number := range [...]mach.Reg{R9, RBP} {
		s.data(Lea, word+"colon", 0, RDI)
		s.call("shoal$copy")
		s.op(MovRR, RAX, number)
		s.call("shoal$appendnumber")
	}
	s.label("what")
	s.data(Lea, word+"fault", 0, RDI)
	s.call("shoal$copy")
	s.set(R15, '%')
	s.op(MovRR, RDI, R13)
	s.call("shoal$copy")
	s.data(Lea, word+"newline", 0, RDI)
	s.call("shoal$copy")
	s.data(Lea, line, 0, RSI)
	s.op(MovRR, RDX, R14)
	s.op(SubRR, RDX, RSI)
	s.set(RDI, stderr)
	s.call("shoal$put")
	s.jumpTo("shoal$abort")
	return s.done()
}

// abortStub ends the program by SIGABRT, even where that was inherited ignored or blocked.
func abortStub() *mach.Func {
	s := newStub("shoal$abort")
	s.imm(SubRI, 32, RSP) // an action: the default one, without flags or mask
	s.op(Zero, RAX)
	for i := range int32(4) {
		s.mem(Store64, RSP, 8*i, RAX)
	}
	s.sigaction(sigABRT)
	s.set(RAX, 1<<(sigABRT-1))
	s.mem(Store64, RSP, 0, RAX)
	s.set(RDI, 1) // SIG_UNBLOCK
	s.op(MovRR, RSI, RSP)
	s.op(Zero, RDX)
	s.set(R10, maskSize)
	s.syscall(sysSigprocmask)
	s.raise(sigABRT)
	s.end(New(Ud2))
	return s.done()
}

// Fields of a Site in the table, in bytes.
const (
	siteLine   = 4
	siteColumn = 8
	siteSize   = 12
)

// siteStub finds the source of the code address rdi: r9 is the line, 0 if not known, rbp
// the column.
func siteStub() *mach.Func {
	s := newStub("shoal$site")
	s.op(Zero, R9)
	s.op(Zero, RBP)
	s.data(Lea, Code, 0, RAX)
	s.op(SubRR, RDI, RAX)
	s.set(RAX, EndOfSites)
	s.op(CmpRR, RDI, RAX)
	s.jcc(CondAE, "done") // not in the program
	s.data(Lea, Sites, 0, RSI)
	s.label("next")
	s.mem(Load32, RSI, 0, RAX)
	s.op(CmpRR, RAX, RDI)
	s.jcc(CondA, "done")
	s.mem(Load32, RSI, siteLine, R9)
	s.mem(Load32, RSI, siteColumn, RBP)
	s.imm(AddRI, siteSize, RSI)
	s.jmp("next")
	s.label("done")
	s.ret()
	return s.done()
}

// copyStub copies the text rdi, ended by a 0, to r14 and moves r14 behind it. The byte r15
// stands for the number rbx, then for r12.
func copyStub() *mach.Func {
	s := newStub("shoal$copy")
	s.label("next")
	s.mem(LoadU8, RDI, 0, RAX)
	s.op(Test32RR, RAX, RAX)
	s.jcc(CondE, "done")
	s.op(Inc, RDI)
	s.op(Cmp32RR, RAX, R15)
	s.jcc(CondE, "number")
	s.mem(Store8, R14, 0, RAX)
	s.op(Inc, R14)
	s.jmp("next")
	s.label("number")
	s.op(MovRR, RAX, RBX)
	s.op(MovRR, RBX, R12)
	s.call("shoal$appendnumber")
	s.jmp("next")
	s.label("done")
	s.ret()
	return s.done()
}

// appendNumberStub appends the number rax at r14.
func appendNumberStub() *mach.Func {
	s := newStub("shoal$appendnumber")
	s.imm(SubRI, numberSize, RSP)
	s.mem(Lea, RSP, numberSize, RSI)
	s.call("shoal$digits")
	s.mem(Lea, RSP, numberSize, RDX)
	s.label("next")
	s.mem(LoadU8, RSI, 0, RAX)
	s.mem(Store8, R14, 0, RAX)
	s.op(Inc, R14)
	s.op(Inc, RSI)
	s.op(CmpRR, RSI, RDX)
	s.jcc(CondNE, "next")
	s.imm(AddRI, numberSize, RSP)
	s.ret()
	return s.done()
}
