package regalloc

import "shoal/codegen/mach"

// A code is the new instructions of a block in the making. As long as nothing is inserted
// or left out, the block keeps its array.
type code struct {
	old    []mach.Inst
	read   int         // how many of old are done
	out    []mach.Inst // the new instructions, if copied
	copied bool
	slab   []mach.Inst // what is left of the slab that arrays are cut from
}

// begin starts with the instructions of a block.
func (c *code) begin(bl *mach.Block) {
	c.old, c.read, c.out, c.copied = bl.Insts, 0, c.out[:0], false
}

// copy switches to an array of its own.
func (c *code) copy() {
	if c.copied {
		return
	}
	if n := len(c.old); cap(c.out) < n {
		c.out = make([]mach.Inst, 0, n+n/2+16)
	}
	c.out = append(c.out, c.old[:c.read]...)
	c.copied = true
}

// put inserts in.
func (c *code) put(in mach.Inst) {
	c.copy()
	c.out = appendDoubling(c.out, in)
}

// keep goes on to the next instruction of the block, and leaves it out if drop.
func (c *code) keep(drop bool) {
	if drop {
		c.copy()
	} else if c.copied {
		c.out = appendDoubling(c.out, c.old[c.read])
	}
	c.read++
}

// len is the number of instructions so far.
func (c *code) len() int {
	if c.copied {
		return len(c.out)
	}
	return c.read
}

// slabSize is how many instructions are allocated together.
const slabSize = 1024

// end returns the new instructions, with room for reserve more if that is cheap. Nobody
// else uses what room there is.
func (c *code) end(reserve int) []mach.Inst {
	old := len(c.old)
	if !c.copied {
		return c.old[:old:old]
	}
	n := len(c.out)
	if n <= old {
		copy(c.old, c.out)
		clear(c.old[n:])
		return c.old[:n:old]
	}
	if n > slabSize { // the block may have the array
		insts := c.out
		c.out = nil
		return insts
	}
	if n > len(c.slab) {
		c.slab = make([]mach.Inst, max(n, slabSize))
	}
	room := min(n+reserve, len(c.slab))
	insts := c.slab[:n:room]
	c.slab = c.slab[room:]
	copy(insts, c.out)
	return insts
}
