package amd64

import (
	"math"

	"shoal/codegen/mach"
	"shoal/node"
	"shoal/ssa"
)

// objectAlign is what every object starts at a multiple of, and its size in memory is a
// multiple of, in bytes. Even an object without fields takes as much: each has an address
// of its own.
const objectAlign = 8

// Where the elements of an array start, in bytes, by the binary logarithm of their size:
// after the length, of 32 bits (language §13).
var elements = [...]int64{4, 4, 4, 8}

// newTile takes an object from the heap. An array whose length is known is an object of a
// known size with its length stored.
func newTile(s *selector, _ ssa.ValueID, v *ssa.Value, d mach.Reg) {
	if v.NArgs == 0 {
		s.newObject(d, v.Aux)
		return
	}
	scale := v.Aux
	if n, ok := s.constant(v.Args[0]); ok && n >= 0 && n<<scale+elements[scale] <= math.MaxInt32-objectAlign {
		s.newObject(d, n<<scale+elements[scale])
		if n > 0 { // the length is there already if it is 0
			s.emitMem(Store32I, Addr{Base: d})
			s.buf[len(s.buf)-1].Imm = n
		}
		return
	}
	s.emit(NewArray, d, s.temp(), s.reg(v.Args[0]))
	s.completeNew(scale)
}

// newObject takes size bytes from the heap.
func (s *selector) newObject(d mach.Reg, size int64) {
	s.emit(NewObject, d, s.temp())
	size = min(size, math.MaxInt64-objectAlign) // there is no room for either
	s.completeNew(max(objectAlign, (size+objectAlign-1)&^(objectAlign-1)))
}

// completeNew gives the last instruction its immediate and the symbols that it needs: the
// heap's variables, and behind it the stub for when there is no room.
func (s *selector) completeNew(imm int64) {
	if s.heapSym == 0 {
		s.heapSym = s.symbol(heap)
		s.m.Syms = append(s.m.Syms, FaultPrefix+node.FaultMemory.String())
	}
	in := &s.buf[len(s.buf)-1]
	in.Imm, in.Sym = imm, s.heapSym
}

// objectEnd computes where an object of size bytes at d ends.
func (x *expander) objectEnd(end, d mach.Reg, size int64) {
	if fits32(size) {
		x.emitMem(Lea, Addr{Base: d, Disp: int32(size)}, end)
		return
	}
	x.emitImm(movImmOp(size), size, end)
	x.emit(AddRR, end, end, d)
}

// object expands NewObject and NewArray at index k of block b:
//
//	b:       goes on to retry
//	retry:   object = next; end of it; slow if that is beyond the limit, else commit
//	commit:  next = end; the length of an array; goes on to rest
//	slow:    calls memoryStub, jumps to retry
//	rest:    what followed
//
// An array finds its end in a block of its own, sizes, since retry sends 2^32 elements
// and more to slow.
func (x *expander) object(b int32, k int) {
	f := x.f
	in := f.Blocks[b].Insts[k]
	x.pos = in.Pos
	rest := x.cut(b, k)
	hot, cold := mach.Block{Depth: rest.Depth, Cold: rest.Cold}, mach.Block{Depth: rest.Depth, Cold: true}
	retry := int32(len(f.Blocks))
	commit, slow, sizes := retry+1, retry+2, retry
	f.Blocks = append(f.Blocks, hot, hot, cold)
	d, end := in.Args[0].Reg, in.Args[1].Reg
	variable := func(disp int32) Addr { return Addr{Sym: in.Sym, Disp: disp} }

	mark := len(x.buf)
	x.emitMem(Load64, variable(heapNext), d)
	if in.Op == NewArray {
		n := in.Args[2].Reg
		x.emit(Mov32RR, end, n)
		x.emit(CmpRR, end, n)
		x.emit(Jcc).Cond = CondNE
		var insts []mach.Inst
		insts, mark = x.since(mark)
		sizes = retry + 3
		f.Blocks = append(f.Blocks, hot)
		x.branch(retry, insts, 2, x.edges(slow, sizes))
		x.emitMem(Lea, Addr{Base: d, Index: end, Scale: 1 << in.Imm, Disp: int32(elements[in.Imm]) + objectAlign - 1}, end)
		x.emitImm(AndRI, -objectAlign, end, end)
	} else {
		x.objectEnd(end, d, in.Imm)
	}
	x.emitMem(CmpRM, variable(heapLimit), end)
	x.emit(Jcc).Cond = CondA
	insts, mark := x.since(mark)
	x.branch(sizes, insts, 2, x.edges(slow, commit))

	x.emitMem(Store64, variable(heapNext), end)
	if in.Op == NewArray {
		x.emitMem(Store32, Addr{Base: d}, in.Args[2].Reg)
	}
	insts, mark = x.since(mark)
	last := int32(len(f.Blocks))
	x.branch(commit, insts, 0, x.edges(last))
	x.emit(Fault).Sym = in.Sym + 1
	insts, _ = x.since(mark)
	x.branch(slow, insts, 0, x.edges(retry))
	x.branch(b, nil, 0, x.edges(retry))
	f.Blocks = append(f.Blocks, rest)
}
