package regalloc

import (
	"math/bits"
	"slices"

	"shoal/codegen/mach"
)

// unnamed marks an edge over which no value changes its name: one into a split block.
const unnamed = int32(-1)

// An edgeOf is an edge into a block, by the original block it leaves and the index of the
// successor there. Its moves may stand in a block of their own.
type edgeOf struct {
	block, succ int32
	through     int32 // one plus the block that splits the edge, 0 if none does
}

// A content is what a location holds in the course of a block.
type content struct {
	kind contentKind
	x    int32
}

type contentKind uint8

const (
	initial contentKind = iota // what the location x held at the beginning of the block
	holds                      // the value x
	rubbish                    // nothing; x is the instruction that spoilt it
)

// A summary is the effect of one block on the locations that it writes.
type summary struct {
	reached bool
	in      []edgeOf
	ends    []placed // by location, ascending
}

// A placed content is what a location holds at the end of a block.
type placed struct {
	at location
	content
}

// at is what location l holds at the end of the block.
func (s *summary) at(l location) content {
	i, ok := slices.BinarySearchFunc(s.ends, l, func(p placed, l location) int { return int(p.at - l) })
	if !ok {
		return content{initial, int32(l)}
	}
	return s.ends[i].content
}

// A blockRun executes a block symbolically.
type blockRun struct {
	*checker
	b       int32
	next    int // original instructions below next are accounted for
	current int // the instruction of the allocated block
}

// execute fills the summary of block b, checks the constraints of its instructions and
// makes the demands of its uses.
func (c *checker) execute(b int32) {
	bl := &c.f.Blocks[b]
	r := &blockRun{checker: c, b: b}
	c.touched = c.touched[:0]
	branch := len(bl.Insts)
	for i := range bl.Insts {
		in := &bl.Insts[i]
		r.current = i
		at, ok := r.original(in)
		if !ok {
			r.insertion(in)
			if i >= bl.Branch {
				c.errorf("block %d, instruction %d: inserted into the branch", b, i)
			}
			continue
		}
		was := &c.Snapshot.blocks[b].insts[at]
		if at >= c.Snapshot.blocks[b].branch {
			branch = min(branch, i)
		}
		if !sameForm(in, was) {
			c.errorf("block %d, instruction %d: the form of original instruction %d has changed", b, i, at)
			continue
		}
		r.instruction(in, was)
	}
	r.skipTo(len(c.origInsts(b)))
	if branch != bl.Branch {
		c.errorf("block %d: the branch begins at instruction %d, not %d", b, branch, bl.Branch)
	}
	s := &c.blocks[b]
	if len(c.touched) == 0 {
		return
	}
	slices.Sort(c.touched)
	s.ends = make([]placed, len(c.touched))
	for i, l := range c.touched {
		s.ends[i] = placed{l, c.now[l].content}
	}
}

// A stamped content is valid in one block only.
type stamped struct {
	content
	block int32 // one plus the block
}

// origInsts are the instructions that block b had; a split block had none.
func (c *checker) origInsts(b int32) []mach.Inst {
	if int(b) < len(c.Snapshot.blocks) {
		return c.Snapshot.blocks[b].insts
	}
	return nil
}

// original finds out which original instruction in is. Those without operands are told
// apart by their order: nothing without operands is ever inserted.
func (r *blockRun) original(in *mach.Inst) (at int, ok bool) {
	insts := r.origInsts(r.b)
	if len(in.Args) > 0 {
		p, found := r.home[&in.Args[0]]
		if !found {
			return 0, false
		}
		if p.block != r.b || int(p.inst) < r.next {
			r.errorf("block %d, instruction %d: original instruction %d of block %d stands here", r.b, r.current, p.inst, p.block)
			return 0, false
		}
		at = int(p.inst)
	} else {
		for at = r.next; at < len(insts) && len(insts[at].Args) > 0; at++ {
		}
		if at == len(insts) {
			return 0, false
		}
	}
	r.skipTo(at)
	r.next = at + 1
	return at, true
}

// skipTo accounts for original instructions that are not there: only moves may vanish, and
// definitions of constants, which can be made elsewhere.
func (r *blockRun) skipTo(at int) {
	insts := r.origInsts(r.b)
	for ; r.next < at; r.next++ {
		if k := r.forms.decode(&insts[r.next]).kind; k != stepCopy && k != stepMake {
			r.errorf("block %d: original instruction %d is missing before instruction %d", r.b, r.next, r.current)
		}
	}
}

// read is what location l holds now.
func (r *blockRun) read(l location) content {
	if int(l) < len(r.now) && r.now[l].block == r.b+1 {
		return r.now[l].content
	}
	return content{initial, int32(l)}
}

// write notes that location l holds x from here on.
func (r *blockRun) write(l location, x content) {
	if int(l) >= len(r.now) {
		r.now = append(r.now, make([]stamped, int(l)+1-len(r.now)+len(r.now)/2)...)
	}
	if r.now[l].block != r.b+1 {
		r.touched = append(r.touched, l)
	}
	r.now[l] = stamped{x, r.b + 1}
	if l < location(mach.FirstVirtual) {
		r.written |= mach.Of(mach.Reg(l))
	} else if int(l-location(mach.FirstVirtual)) >= r.f.Slots {
		r.errorf("block %d, instruction %d: %s of %d", r.b, r.current, r.describe(l), r.f.Slots)
	}
}

// insertion executes an instruction that allocation has inserted.
func (r *blockRun) insertion(in *mach.Inst) {
	switch s := r.forms.decode(in); s.kind {
	case stepCopy:
		if s.to == s.from {
			r.errorf("block %d, instruction %d: copies %s to itself", r.b, r.current, r.describe(s.to))
		}
		r.write(s.to, r.read(s.from))
	case stepExchange:
		a, b := r.read(s.to), r.read(s.from)
		r.write(s.to, b)
		r.write(s.from, a)
	case stepMake:
		r.write(s.to, content{holds, s.value})
	default:
		r.errorf("block %d, instruction %d: is none of the original and no move, load, store, exchange or constant", r.b, r.current)
	}
}

// instruction executes an original instruction: all uses are read, then what it clobbers
// is lost, then definitions are written.
func (r *blockRun) instruction(in, was *mach.Inst) {
	r.constraints(in, was)
	var uses mach.RegSet
	for j, o := range in.Args {
		if o.Role == mach.Use && was.Args[j].Reg.Virtual() {
			uses |= mach.Of(o.Reg)
			r.use(was.Args[j].Reg, o.Reg)
		}
	}
	for s := in.Clobber & r.able; s != 0; s &= s - 1 {
		r.write(location(bits.TrailingZeros64(uint64(s))), content{rubbish, int32(r.current)})
	}
	for j, o := range in.Args {
		if o.Role != mach.Use && was.Args[j].Reg.Virtual() {
			r.write(location(o.Reg), content{holds, r.root(was.Args[j].Reg)})
		}
	}
}

// use makes the demand that register reg holds value v now.
func (r *blockRun) use(v, reg mach.Reg) {
	root := r.root(v)
	switch x := r.read(location(reg)); {
	case x.kind == initial:
		r.origins = append(r.origins, origin{r.b, int32(r.current), int32(v - mach.FirstVirtual), location(reg)})
		r.asked = append(r.asked, demandAt{r.b, location(x.x), root, int32(len(r.origins)) - 1})
	case x.kind == rubbish:
		r.errorf("block %d, instruction %d: reads v%d from %s, which instruction %d has spoilt",
			r.b, r.current, v-mach.FirstVirtual, r.register(reg), x.x)
	case x.x != root:
		r.errorf("block %d, instruction %d: reads v%d from %s, which holds v%d",
			r.b, r.current, v-mach.FirstVirtual, r.register(reg), x.x)
	}
}

// constraints compares the registers of in with what the original demands of them.
func (r *blockRun) constraints(in, was *mach.Inst) {
	var defs mach.RegSet
	for j, o := range in.Args {
		v := was.Args[j].Reg
		if !v.Virtual() {
			if o.Reg != v {
				r.errorf("block %d, instruction %d: operand %d was %s and is %s", r.b, r.current, j, r.register(v), r.register(o.Reg))
			}
			continue
		}
		class := r.values[v-mach.FirstVirtual].Class
		switch {
		case !r.able.Has(o.Reg) || r.file.Class[o.Reg] != class:
			r.errorf("block %d, instruction %d: operand %d is in %s, which is none of its class", r.b, r.current, j, r.register(o.Reg))
		case o.Allow != 0 && !o.Allow.Has(o.Reg):
			r.errorf("block %d, instruction %d: operand %d cannot be in %s", r.b, r.current, j, r.register(o.Reg))
		}
		if o.Role == mach.Use {
			continue
		}
		if defs.Has(o.Reg) {
			r.errorf("block %d, instruction %d: writes %s twice", r.b, r.current, r.register(o.Reg))
		}
		defs |= mach.Of(o.Reg)
		if in.Clobber.Has(o.Reg) && (o.Allow == 0 || o.Allow&^in.Clobber != 0) {
			r.errorf("block %d, instruction %d: operand %d is in %s, which the instruction clobbers", r.b, r.current, j, r.register(o.Reg))
		}
		if o.Tied != 0 && in.Args[o.Tied-1].Reg != o.Reg {
			r.errorf("block %d, instruction %d: operand %d is in %s but tied to %s", r.b, r.current, j, r.register(o.Reg), r.register(in.Args[o.Tied-1].Reg))
		}
		if o.Role == mach.EarlyDef {
			r.early(in, was, j)
		}
	}
}

// early checks that the early definition j shares its register with no use but its own.
func (r *blockRun) early(in, was *mach.Inst, j int) {
	for k, o := range in.Args {
		if o.Role == mach.Use && o.Reg == in.Args[j].Reg && int(in.Args[j].Tied) != k+1 {
			r.errorf("block %d, instruction %d: operand %d is written before operand %d is read from %s", r.b, r.current, j, k, r.register(o.Reg))
		}
	}
}
