package amd64

import (
	"shoal/codegen/mach"
	"shoal/node"
)

// The heap is one region that the kernel fills with zeros page by page as it is touched,
// and from which objects are cut one after the other; nothing is ever given back. Its
// variables are three words: where the next object goes, the end of the region, and its
// start. All are 0 until the first object is wanted, so a program without objects, or a
// C program that never calls one, pays nothing.
const (
	heap      = "shoal$heap"
	heapNext  = 0
	heapLimit = 8
	heapStart = 16
	heapSize  = 24 // of the variables

	// Heap is the symbol of these variables, for who wants to read or free the region.
	Heap = heap
)

// Bounds of the region in bytes. It is seven eighths of the machine's memory, so that
// running out of memory is a fault and not the end by the kernel's hand; where that is not
// to be had (ulimit -v), a half of it, again and again.
const (
	unknownMemory = 1 << 30 // assumed where the kernel does not tell
	leastHeap     = 64 << 10
)

// Where sysinfo(2) has the size of memory and its unit, and its own size, in bytes.
const (
	sysinfoTotal = 32
	sysinfoUnit  = 104
	sysinfoSize  = 112
)

// kernelRegs are the registers that memoryStub and the kernel change.
var kernelRegs = [...]mach.Reg{RAX, RCX, RDX, RSI, RDI, R8, R9, R10, R11, R12}

// memoryStub is called where the heap has no room for an object. The first time it makes
// the heap and returns, every register as it was, and the caller tries again; after that it
// ends the program as faultStub does.
func memoryStub() *mach.Func {
	s := newStub(FaultPrefix + node.FaultMemory.String())
	s.compareData(heap, heapLimit, 0)
	s.jcc(CondNE, "full")
	for _, r := range kernelRegs {
		s.op(Push, r)
	}
	s.imm(SubRI, sysinfoSize, RSP)
	s.op(MovRR, RDI, RSP)
	s.syscall(sysSysinfo)
	s.set(R12, unknownMemory)
	s.op(TestRR, RAX, RAX)
	s.jcc(CondNE, "known")
	s.mem(Load32, RSP, sysinfoUnit, R12)
	s.mem(ImulRM, RSP, sysinfoTotal, R12)
	s.label("known")
	s.imm(AddRI, sysinfoSize, RSP)
	s.op(MovRR, RAX, R12)
	s.imm(ShrRI, 3, RAX)
	s.op(SubRR, R12, RAX)
	s.label("reserve")
	s.imm(AndRI, -pageSize, R12)
	s.op(Zero, RDI)
	s.op(MovRR, RSI, R12)
	s.set(RDX, protRead|protWrite)
	s.set(R10, mapReserve)
	s.set(R8, -1)
	s.op(Zero, R9)
	s.syscall(sysMmap)
	s.imm(CmpRI, firstError, RAX)
	s.jcc(CondB, "reserved")
	s.imm(ShrRI, 1, R12)
	s.imm(CmpRI, leastHeap, R12)
	s.jcc(CondAE, "reserve")
	s.restoreKernelRegs()
	s.label("full")
	s.op(Pop, RDI)
	s.op(Dec, RDI)
	s.data(Lea, faultText+node.FaultMemory.String(), 0, R13)
	s.jumpTo("shoal$die")
	s.label("reserved")
	s.data(Store64, heap, heapNext, RAX)
	s.data(Store64, heap, heapStart, RAX)
	s.op(AddRR, RAX, R12)
	s.data(Store64, heap, heapLimit, RAX)
	s.restoreKernelRegs()
	s.ret()
	return s.done()
}

func (s *stub) restoreKernelRegs() {
	for i := len(kernelRegs) - 1; i >= 0; i-- {
		s.op(Pop, kernelRegs[i])
	}
}

// compareData compares the word at name+disp with a constant.
func (s *stub) compareData(name string, disp int32, c int64) {
	in := NewMem(CmpMI, Addr{Sym: s.sym(name), Disp: disp})
	in.Imm = c
	s.add(in)
}
