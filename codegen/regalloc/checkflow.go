package regalloc

import "shoal/codegen/mach"

// demands is the set of demands at the beginnings of blocks, and the worklist of it: those
// from done on have not been passed on yet.
type demands struct {
	list  []demandAt
	done  int
	table []int32 // open addressing: one plus an index in list

	roots  []int32 // by value: see root; none yet if nil
	defAt  []int32 // by value: block that defines it by an instruction, or -1
	param  []int32 // by value: its index among the parameters of paramOf
	params []int32 // by value: the block it is a parameter of, or -1
}

// A demandAt demands that location at holds value at the beginning of block.
type demandAt struct {
	block  int32
	at     location
	value  int32
	origin int32
}

// prepare finds for each value what it is a copy of and where it is defined.
func (c *checker) prepare() {
	n := len(c.values)
	c.roots, c.defAt, c.param, c.params = make([]int32, n), make([]int32, n), make([]int32, n), make([]int32, n)
	for v := range c.roots {
		c.roots[v], c.defAt[v], c.params[v] = c.alias[v], -1, -1
	}
	for b := range c.Snapshot.blocks {
		bl := &c.Snapshot.blocks[b]
		for i, p := range bl.params {
			v := p - mach.FirstVirtual
			c.param[v], c.params[v] = int32(i), int32(b)
			if in := c.blocks[b].in; len(in) == 1 && b != 0 {
				c.roots[v] = int32(c.Snapshot.blocks[in[0].block].succs[in[0].succ].Args[i] - mach.FirstVirtual)
			}
		}
		for i := range bl.insts {
			in := &bl.insts[i]
			for _, o := range in.Args {
				if o.Role != mach.Use && o.Reg.Virtual() {
					c.defAt[o.Reg-mach.FirstVirtual] = int32(b)
				}
			}
			if len(in.Args) != 2 || !in.Args[0].Reg.Virtual() || !in.Args[1].Reg.Virtual() {
				continue
			}
			if s := c.forms.decode(in); s.kind == stepCopy {
				c.roots[s.to-location(mach.FirstVirtual)] = int32(s.from - location(mach.FirstVirtual))
			}
		}
	}
}

// root is the value that v is a copy of, by moves of the original function or as the
// parameter of a block with one edge in, or the first constant like it. In SSA form a copy
// equals its original wherever the copy is live.
func (c *checker) root(r mach.Reg) int32 {
	if c.roots == nil {
		c.prepare()
	}
	v := int32(r - mach.FirstVirtual)
	for c.roots[v] != v { // a constant leads to the first like it, which is its own root
		c.roots[v] = c.roots[c.roots[v]]
		v = c.roots[v]
	}
	return v
}

// demand adds a demand to the set.
func (c *checker) demand(block int32, at location, value, origin int32) {
	d := &c.demands
	if 2*len(d.list) >= len(d.table) {
		d.grow()
	}
	i := d.find(block, at, value)
	if d.table[i] == 0 {
		d.list = append(d.list, demandAt{block, at, value, origin})
		d.table[i] = int32(len(d.list))
	}
}

// find is where in the table a demand is or belongs.
func (d *demands) find(block int32, at location, value int32) int {
	h := (uint64(block)*0x9E3779B97F4A7C15 ^ uint64(at)*0xC2B2AE3D27D4EB4F ^ uint64(value)*0x165667B19E3779F9)
	mask := len(d.table) - 1
	for i := int(h>>29) & mask; ; i = (i + 1) & mask {
		j := d.table[i]
		if j == 0 {
			return i
		}
		if e := &d.list[j-1]; e.block == block && e.at == at && e.value == value {
			return i
		}
	}
}

func (d *demands) grow() {
	d.table = make([]int32, max(1024, 4*len(d.list)))
	for n := len(d.table); n&(n-1) != 0; {
		n &= n - 1
		d.table = d.table[:n]
	}
	for k := range d.list {
		e := &d.list[k]
		d.table[d.find(e.block, e.at, e.value)] = int32(k) + 1
	}
}

// solve passes demands backward over edges until nothing new comes up.
func (c *checker) solve() {
	for ; c.done < len(c.list) && len(c.errs) <= maxReports; c.done++ {
		d := c.list[c.done]
		if d.block == 0 {
			c.refute(d, 0, "nothing has been written there yet")
		}
		for _, e := range c.blocks[d.block].in {
			from := e.block
			if e.through != 0 {
				from = e.through - 1
			}
			value := d.value
			if e.succ != unnamed && c.params[value] == d.block {
				value = c.root(c.Snapshot.blocks[e.block].succs[e.succ].Args[c.param[value]])
			}
			c.demandEnd(d, from, value)
		}
	}
}

// demandEnd looks at the demand d at the end of a predecessor, where it is about value.
func (c *checker) demandEnd(d demandAt, block, value int32) {
	x := c.blocks[block].at(d.at)
	switch {
	case x.kind == rubbish:
		c.refute(d, block, "an instruction has spoilt it there")
	case x.kind == holds && x.x != value:
		c.refute(d, block, "it holds another value there")
	case x.kind == holds: // met
	case c.defAt[value] == block:
		c.refute(d, block, "the value is defined there, elsewhere")
	default:
		c.demand(block, location(x.x), value, d.origin)
	}
}

// refute reports that a demand is not met.
func (c *checker) refute(d demandAt, block int32, why string) {
	o := c.origins[d.origin]
	c.errorf("block %d, instruction %d: reads v%d from %s; on the way from block %d to block %d, v%d is not in %s: %s",
		o.block, o.inst, o.value, c.describe(o.at), block, d.block, d.value, c.describe(d.at), why)
}
