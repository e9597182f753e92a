package amd64

import (
	"fmt"

	"shoal/codegen/mach"
)

// Encode makes the bytes of a function that Frame has finished. The bodies of the blocks
// are encoded first, then the size of each branch is settled, then all is put together.
func (Target) Encode(f *mach.Func) (*mach.Code, error) {
	order, forward := blockOrder(f)
	a := &assembler{f: f, order: order, forward: forward}
	a.bodies()
	a.branches()
	a.relax()
	return a.link(), nil
}

// An assembler is the state of Encode.
type assembler struct {
	f       *mach.Func
	order   []int32 // of blocks
	forward []int32 // where a jump to a block ends
	enc     encoder // bodies without branches, and relocations in them
	lines   []mach.Line
	ends    []int32 // by place in order: the end of the body in enc.buf
	relocs  []int32 // by place in order: the number of relocations up to the end
	nlines  []int32 // by place in order: the number of lines up to the end

	jumps []jump
	first []int32 // by place in order: index in jumps of its first, and one more at the end
	start []int32 // by block: its offset in the code, for blocks in order
}

// A jump is one branch instruction at the end of a block.
type jump struct {
	to   int32 // block
	cond int8  // condition, -1 for none
	long bool
}

// Sizes of jumps in bytes.
const (
	shortJump = 2 // opcode, 8-bit distance
	longJump  = 5 // opcode, 32-bit distance; one more if there is a condition
)

func (j *jump) size() int32 {
	switch {
	case !j.long:
		return shortJump
	case j.cond >= 0:
		return longJump + 1
	}
	return longJump
}

// bodies encodes everything but the jumps between blocks.
func (a *assembler) bodies() {
	n := 0
	for _, b := range a.order {
		n += len(a.f.Blocks[b].Insts)
	}
	a.enc.buf = make([]byte, 0, 4*n+16)
	a.enc.syms = a.f.Syms
	counts := make([]int32, 3*len(a.order))
	a.ends, a.relocs, a.nlines = counts[:0:len(a.order)], counts[len(a.order):len(a.order):2*len(a.order)], counts[2*len(a.order):2*len(a.order)]
	for _, b := range a.order {
		block := &a.f.Blocks[b]
		k := bodyLen(block)
		for i := range block.Insts[:k] {
			a.line(&block.Insts[i])
			a.enc.inst(&block.Insts[i])
		}
		if k < len(block.Insts) {
			a.line(&block.Insts[k])
		}
		a.ends = append(a.ends, int32(len(a.enc.buf)))
		a.relocs = append(a.relocs, int32(len(a.enc.relocs)))
		a.nlines = append(a.nlines, int32(len(a.lines)))
	}
}

// line notes that the code from here on comes from another place in the text.
func (a *assembler) line(in *mach.Inst) {
	if n := len(a.lines); in.Pos.Known() && (n == 0 || a.lines[n-1].Pos != in.Pos) {
		a.lines = append(a.lines, mach.Line{Offset: int32(len(a.enc.buf)), Pos: in.Pos})
	}
}

// branches decides which jumps each block needs, given the block that follows it.
func (a *assembler) branches() {
	a.first = make([]int32, 0, len(a.order)+1)
	a.jumps = make([]jump, 0, len(a.order))
	for i, b := range a.order {
		next := int32(-1)
		if i+1 < len(a.order) {
			next = a.order[i+1]
		}
		a.first = append(a.first, int32(len(a.jumps)))
		a.branch(&a.f.Blocks[b], next)
	}
	a.first = append(a.first, int32(len(a.jumps)))
}

// branch appends the jumps at the end of block, which next follows.
func (a *assembler) branch(block *mach.Block, next int32) {
	if len(block.Succs) == 0 {
		return
	}
	yes := a.forward[block.Succs[0].Block]
	no := yes
	if len(block.Succs) > 1 {
		no = a.forward[block.Succs[1].Block]
	}
	if yes == no {
		a.jumpTo(yes, next)
		return
	}
	last := &block.Insts[len(block.Insts)-1]
	if last.Op != Jcc {
		panic(fmt.Sprintf("encode %s: a block with two successors ends with %q", a.f.Name, appendInst(nil, last)))
	}
	if last.Cond >= CondEF {
		a.branchOnFloats(last.Cond, yes, no, next)
		return
	}
	if yes == next {
		a.jumps = append(a.jumps, jump{to: no, cond: int8(last.Cond ^ 1)})
		return
	}
	a.jumps = append(a.jumps, jump{to: yes, cond: int8(last.Cond)})
	a.jumpTo(no, next)
}

// branchOnFloats is branch for the conditions of float comparisons, which are two flags:
// what is not equal or unordered has two jumps to where that leads.
func (a *assembler) branchOnFloats(cond uint8, yes, no, next int32) {
	if cond == CondNEF {
		yes, no = no, yes
	}
	a.jumps = append(a.jumps, jump{to: no, cond: int8(CondP)})
	if yes == next {
		a.jumps = append(a.jumps, jump{to: no, cond: int8(CondNE)})
		return
	}
	a.jumps = append(a.jumps, jump{to: yes, cond: int8(CondE)})
	a.jumpTo(no, next)
}

func (a *assembler) jumpTo(to, next int32) {
	if to != next {
		a.jumps = append(a.jumps, jump{to: to, cond: -1})
	}
}

// maxRounds bounds the rounds of relax. Each is linear; real code needs two to four.
const maxRounds = 12

// relax finds the size of each jump. All start short; those that do not reach are made
// long, which may push others out of reach. None ever shrinks, so this ends, and after
// maxRounds all that are still short are made long unless they reach anyway.
func (a *assembler) relax() {
	a.start = make([]int32, len(a.f.Blocks))
	for i := range a.start {
		a.start[i] = -1
	}
	for round := 0; ; round++ {
		a.offsets()
		grown := a.grow(round >= maxRounds)
		if !grown {
			return
		}
	}
}

// offsets computes the start of each block.
func (a *assembler) offsets() {
	at, body := int32(0), int32(0)
	for i, b := range a.order {
		a.start[b] = at
		at += a.ends[i] - body
		body = a.ends[i]
		for _, j := range a.jumps[a.first[i]:a.first[i+1]] {
			at += j.size()
		}
	}
}

// grow makes jumps long that do not reach, or all of them.
func (a *assembler) grow(all bool) bool {
	grown := false
	body := int32(0)
	for i, b := range a.order {
		at := a.start[b] + a.ends[i] - body
		body = a.ends[i]
		for k := a.first[i]; k < a.first[i+1]; k++ {
			j := &a.jumps[k]
			at += j.size()
			if !j.long && (all || !fits8(int64(a.start[j.to]-at))) {
				j.long, grown = true, true
			}
		}
	}
	return grown
}

// link puts bodies and jumps together and moves relocations and lines along.
func (a *assembler) link() *mach.Code {
	c := &mach.Code{Name: a.f.Name, Bytes: make([]byte, 0, len(a.enc.buf)+6*len(a.jumps)), Relocs: a.enc.relocs, Lines: a.lines}
	body, reloc, line := int32(0), int32(0), int32(0)
	out := encoder{buf: c.Bytes}
	for i := range a.order {
		shift := int32(len(out.buf)) - body
		for ; reloc < a.relocs[i]; reloc++ {
			c.Relocs[reloc].Offset += int(shift)
		}
		for ; line < a.nlines[i]; line++ {
			c.Lines[line].Offset += shift
		}
		out.buf = append(out.buf, a.enc.buf[body:a.ends[i]]...)
		body = a.ends[i]
		for k := a.first[i]; k < a.first[i+1]; k++ {
			a.jump(&out, &a.jumps[k])
		}
	}
	c.Bytes = out.buf
	c.Blocks = a.start
	for b := range c.Blocks {
		c.Blocks[b] = a.start[a.forward[b]]
	}
	c.Blocks[0] = 0 // even if all that the entry does is to jump
	return c
}

// jump appends one jump between blocks.
func (a *assembler) jump(out *encoder, j *jump) {
	f, cond := &forms[Jmp], byte(0)
	if j.cond >= 0 {
		f, cond = &forms[Jcc], byte(j.cond)
	}
	distance := int64(a.start[j.to]) - int64(len(out.buf)) - int64(j.size())
	if !j.long {
		out.buf = append(out.buf, f.short|cond)
		out.bytes(distance, 1)
		return
	}
	out.buf = append(out.buf, f.code...)
	out.buf[len(out.buf)-1] |= cond
	out.bytes(distance, 4)
}
