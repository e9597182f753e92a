package amd64

import (
	"shoal/codegen/mach"
	"shoal/source"
)

// An emitter collects instructions. A tile appends its own to buf in the order in which
// they run; flush puts them before what the block has so far, which grows downward from
// the end of a chunk.
type emitter struct {
	m   *mach.Func
	buf []mach.Inst
	pos source.Pos // what is emitted comes from here

	chunk    []mach.Inst
	top      int // chunk[top:bottom] is the block so far
	bottom   int
	operands []mach.Operand // slabs, cut from the front
	regs32   []mach.Reg
	edges    []mach.Edge
	remats   []mach.Inst
	slab     int // length of new slabs
	symbols  map[string]int32
	heapSym  int32 // the symbol of the heap's variables, 0 if none is allocated
}

// Bounds on the length of slabs in elements: small functions are many.
const minSlab, maxSlab = 32, 1024

// init gets room for about n instructions and as many values.
func (e *emitter) init(m *mach.Func, n int) {
	e.m = m
	e.m.Values = make([]mach.Value, 0, n+n/4)
	e.slab = max(minSlab, min(n, maxSlab))
	e.chunk = make([]mach.Inst, n+n/4+16)
	e.top = len(e.chunk)
	e.buf = make([]mach.Inst, 0, 32)
}

// begin starts a block.
func (e *emitter) begin() { e.bottom = e.top }

// end returns the instructions of the block.
func (e *emitter) end() []mach.Inst { return e.chunk[e.top:e.bottom:e.bottom] }

// flush moves buf to the top of the block.
func (e *emitter) flush() {
	if n := len(e.buf); e.top < n {
		block := e.chunk[e.top:e.bottom]
		e.chunk = make([]mach.Inst, 2*(len(block)+n)+maxSlab)
		e.bottom = len(e.chunk)
		e.top = e.bottom - len(block)
		copy(e.chunk[e.top:], block)
	}
	e.top -= len(e.buf)
	copy(e.chunk[e.top:], e.buf)
	e.buf = e.buf[:0]
}

// emit appends an instruction, which the caller may complete before the next.
func (e *emitter) emit(op uint16, regs ...mach.Reg) *mach.Inst {
	args := fill(e.args(len(regs), len(regs)), op, regs)
	e.buf = append(e.buf, mach.Inst{Op: op, Args: args, Pos: e.pos})
	return &e.buf[len(e.buf)-1]
}

// emitImm is emit with an immediate.
func (e *emitter) emitImm(op uint16, c int64, regs ...mach.Reg) {
	e.emit(op, regs...).Imm = c
}

// emitMem is emit with an address.
func (e *emitter) emitMem(op uint16, a Addr, regs ...mach.Reg) {
	args := fill(e.args(len(regs), len(regs)+2), op, regs)
	e.buf = append(e.buf, mach.Inst{Op: op, Args: args, Pos: e.pos})
	appendAddr(&e.buf[len(e.buf)-1], a)
}

// setConstant makes d the constant c. No instruction does that: allocation emits one where
// it wants the value.
func (e *emitter) setConstant(d mach.Reg, c int64) {
	if len(e.remats) == 0 {
		e.remats = make([]mach.Inst, e.slab/4)
	}
	in := &e.remats[0]
	e.remats = e.remats[1:]
	*in = mach.Inst{Op: movImmOp(c), Args: e.args(1, 1), Imm: c, Pos: e.pos}
	in.Args[0] = mach.Operand{Reg: d, Role: mach.Def}
	e.m.Value(d).Remat = in
}

// makeConstant is a new register for c.
func (e *emitter) makeConstant(c int64) mach.Reg {
	r := e.temp()
	e.setConstant(r, c)
	return r
}

// zero makes 0 in a new register that setcc will overwrite. It stays where it is, before
// the compare, where it can be an xor; allocation could make it anew only after.
func (e *emitter) zero() mach.Reg {
	r := e.temp()
	e.emitImm(Mov32RI, 0, r)
	return r
}

// temp is a new register for a value in the middle of a tile.
func (e *emitter) temp() mach.Reg { return e.m.NewReg(mach.General) }

// flagsWritten tells whether the tile at hand has written the flags so far.
func (e *emitter) flagsWritten() bool {
	for i := range e.buf {
		if forms[e.buf[i].Op].flags&writesFlags != 0 {
			return true
		}
	}
	return false
}

// symbol is the number of a symbol for Addr.Sym and Inst.Sym.
func (e *emitter) symbol(name string) int32 {
	if n, ok := e.symbols[name]; ok {
		return n
	}
	if e.symbols == nil {
		e.symbols = map[string]int32{}
	}
	e.m.Syms = append(e.m.Syms, name)
	n := int32(len(e.m.Syms))
	e.symbols[name] = n
	return n
}

// args cuts a list of operands from the slab.
func (e *emitter) args(n, room int) []mach.Operand {
	if len(e.operands) < room {
		e.operands = make([]mach.Operand, max(e.slab, room))
	}
	list := e.operands[:n:room]
	e.operands = e.operands[room:]
	return list
}

// regList cuts an empty list of registers with room for n from the slab.
func (e *emitter) regList(n int) []mach.Reg {
	if len(e.regs32) < n {
		e.regs32 = make([]mach.Reg, max(e.slab, n))
	}
	list := e.regs32[:0:n]
	e.regs32 = e.regs32[n:]
	return list
}

// edgeList cuts a list of n edges from the slab.
func (e *emitter) edgeList(n int) []mach.Edge {
	if len(e.edges) < n {
		e.edges = make([]mach.Edge, max(n, e.slab/4))
	}
	list := e.edges[:n:n]
	e.edges = e.edges[n:]
	return list
}
