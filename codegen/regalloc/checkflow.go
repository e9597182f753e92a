package regalloc

import "shoal/codegen/mach"

// demands is what the uses of the function ask for, and the set of demands met on the way:
// those of list from done on are still to do.
type demands struct {
	asked []demandAt
	list  []demandAt
	done  int
	table []int32 // open addressing: one plus an index in list

	roots  []int32 // by value: see root; none yet if nil
	defAt  []int32 // by value: block that defines it by an instruction, or -1
	param  []int32 // by value: its index among the parameters of params
	params []int32 // by value: the block it is a parameter of, or -1
}

// A demandAt demands that location at holds value at the beginning of block, and has to be
// passed on to its predecessors. If block is the complement of a block, it has been.
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

// add puts d into the set and tells whether it is new there.
func (c *checker) add(d demandAt) bool {
	s := &c.demands
	if 2*len(s.list) >= len(s.table) {
		s.grow()
	}
	i := s.find(d.block, d.at, d.value)
	if s.table[i] != 0 {
		return false
	}
	s.list = append(s.list, d)
	s.table[i] = int32(len(s.list))
	return true
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

// grow makes room in the table, whose length is a power of two.
func (d *demands) grow() {
	d.table = make([]int32, max(1024, 2*len(d.table)))
	for k := range d.list {
		e := &d.list[k]
		d.table[d.find(e.block, e.at, e.value)] = int32(k) + 1
	}
}

// solve passes demands backward until nothing new comes up.
func (c *checker) solve() {
	if !c.findWriters() {
		return
	}
	for _, d := range c.asked {
		c.demandStart(d)
	}
	for ; c.done < len(c.list) && len(c.errs) <= maxReports; c.done++ {
		d := c.list[c.done]
		if d.block < 0 {
			continue
		}
		for _, e := range c.blocks[d.block].in {
			from, into := e.block, d
			if e.through != 0 {
				from = e.through - 1
			}
			if e.succ != unnamed && c.params[d.value] == d.block {
				into.value = c.root(c.Snapshot.blocks[e.block].succs[e.succ].Args[c.param[d.value]])
			}
			if before, more := c.demandEnd(into, from); more {
				c.demandStart(before)
			}
		}
	}
}

// demandStart goes back from the beginning of a block to the first place where something
// happens to demand d: a block that writes the location, one that control reaches from
// several sides with different contents, or one that defines the value.
func (c *checker) demandStart(d demandAt) {
	for more := true; more; {
		if !c.add(demandAt{^d.block, d.at, d.value, d.origin}) {
			return
		}
		stop, end := c.back(d.at, d.block)
		if def := c.defAt[d.value]; c.between(def, d.block, stop) {
			c.refute(d, def, "the value is defined there, elsewhere")
			return
		}
		if p := c.params[d.value]; c.between(p, d.block, stop) {
			stop, end = p, false
		}
		if !end {
			if stop == 0 {
				c.refute(d, 0, "nothing has been written there before")
			}
			d.block = stop
			c.add(d)
			return
		}
		d, more = c.demandEnd(d, c.tree.IDom[stop])
	}
}

// between tells whether x, if it is a block, dominates b and is dominated by stop, which
// dominates b.
func (c *checker) between(x, b, stop int32) bool {
	return x >= 0 && c.tree.Dominates(x, b) && c.tree.Depth[x] >= c.tree.Depth[stop]
}

// demandEnd looks at the demand d at the end of a block. Unless it is met or refuted
// there, it returns what it demands at the beginning.
func (c *checker) demandEnd(d demandAt, block int32) (before demandAt, more bool) {
	x := c.blocks[block].at(d.at)
	switch {
	case x.kind == rubbish:
		c.refute(d, block, "an instruction has spoilt it there")
	case x.kind == holds && x.x != d.value:
		c.refute(d, block, "it holds another value there")
	case x.kind == holds: // met
	case c.defAt[d.value] == block:
		c.refute(d, block, "the value is defined there, elsewhere")
	default:
		return demandAt{block, location(x.x), d.value, d.origin}, true
	}
	return d, false
}

// refute reports that a demand is not met.
func (c *checker) refute(d demandAt, block int32, why string) {
	o := c.origins[d.origin]
	c.errorf("block %d, instruction %d: reads v%d from %s; on the way, in block %d, v%d is not in %s: %s",
		o.block, o.inst, o.value, c.describe(o.at), block, d.value, c.describe(d.at), why)
}
