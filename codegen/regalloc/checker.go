package regalloc

import (
	"errors"
	"fmt"
	"slices"

	"shoal/codegen/mach"
)

// The checker proves that an allocated function computes what the function did before. It
// knows nothing of how registers were chosen and shares no code with the allocator; what
// it trusts is the snapshot and the Machine's way to write moves, loads and stores.
//
// Lattice. At a point of the allocated function, a demand (l, v) says that location l, a
// register or a stack slot, must hold the bits of the original value v. Sets of demands,
// ordered by inclusion, are the lattice; every use of the original function makes one, and
// demands flow backward until something meets or refutes them. The least solution is
// found with a worklist. regalloc2's checker maps locations to values forward instead;
// both say the same, but demands exist for what is live only, and a demand skips all
// blocks in which nothing can happen to it (checkskip.go), so that neither the number of
// slots nor the length of live ranges multiplies the work.
//
// Transfer of a demand (l, v), backward over
//
//	a definition of w in l       met if v and w are the same value, else refuted
//	a constant made in l         met if v can be made by the same instruction, else refuted
//	rubbish left in l            refuted
//	a move l <- m, load, store   becomes (m, v)
//	a definition of v, not in l  refuted: l holds the v of an earlier trip around a loop
//	an original copy v <- w      becomes (l, w)
//	an edge into a block where   becomes (l, a) for the argument a of that edge
//	v is a parameter
//	the beginning of the entry   refuted
//
// Along an execution each demand walks back to where it was met, because an execution has
// a beginning; so by induction over its length every use reads the right bits.
//
// A block is executed symbolically once, forward (checkblock.go); its summary then answers
// each demand at its end in constant time.

// A Snapshot is a function as it was before allocation.
type Snapshot struct {
	name   string
	blocks []snapBlock
	values []mach.Value
	// home finds an original instruction of the allocated function again, by the address
	// of its first operand: allocation rewrites operands where they are.
	home  map[*mach.Operand]snapAt
	alias []int32 // by value: the first value that the same instruction makes anew; itself
}

// A snapAt is an instruction of a snapshot.
type snapAt struct{ block, inst int32 }

// A snapBlock is a copy of a block. Its instructions are not shared with the function.
type snapBlock struct {
	params []mach.Reg
	insts  []mach.Inst
	branch int
	succs  []mach.Edge
}

// Snap copies f, which has not been allocated yet.
func Snap(f *mach.Func) *Snapshot {
	s := &Snapshot{name: f.Name, blocks: make([]snapBlock, len(f.Blocks)), home: make(map[*mach.Operand]snapAt)}
	s.values = append(s.values, f.Values...)
	for b := range f.Blocks {
		bl := &f.Blocks[b]
		c := &s.blocks[b]
		c.params = append(c.params, bl.Params...)
		c.insts = append(c.insts, bl.Insts...)
		c.branch = bl.Branch
		operands := 0
		for i := range bl.Insts {
			operands += len(bl.Insts[i].Args)
		}
		store := make([]mach.Operand, 0, operands)
		for i := range c.insts {
			args := c.insts[i].Args
			if len(args) == 0 {
				continue
			}
			s.home[&args[0]] = snapAt{int32(b), int32(i)}
			at := len(store)
			store = append(store, args...)
			c.insts[i].Args = store[at:len(store):len(store)]
		}
		for _, e := range bl.Succs {
			c.succs = append(c.succs, mach.Edge{Block: e.Block, Args: append([]mach.Reg(nil), e.Args...)})
		}
	}
	s.findAliases()
	return s
}

// findAliases finds the values that are the same because one instruction makes them.
func (s *Snapshot) findAliases() {
	s.alias = make([]int32, len(s.values))
	first := make(map[recipe]int32)
	for v := range s.values {
		s.alias[v] = int32(v)
		in := s.values[v].Remat
		if in == nil {
			continue
		}
		r := recipeOf(in)
		if w, ok := first[r]; ok {
			s.alias[v] = w
		} else {
			first[r] = int32(v)
		}
	}
}

// A recipe is an instruction without its operands: what makes a constant anew.
type recipe struct {
	op    uint16
	cond  uint8
	scale uint8
	disp  int32
	imm   int64
	sym   int32
	args  int
	other mach.Reg // sum of the registers besides the Def: none of them is virtual
}

func recipeOf(in *mach.Inst) recipe {
	r := recipe{op: in.Op, cond: in.Cond, scale: in.Scale, disp: in.Disp, imm: in.Imm, sym: in.Sym, args: len(in.Args)}
	for _, o := range in.Args {
		if o.Role == mach.Use {
			r.other = r.other*mach.FirstVirtual + o.Reg
		}
	}
	return r
}

// A location is a register below mach.FirstVirtual, or a slot plus mach.FirstVirtual.
type location int32

func slotLocation(slot int) location { return location(slot) + location(mach.FirstVirtual) }

// describe names a location in a message.
func (c *checker) describe(l location) string {
	if l < location(mach.FirstVirtual) {
		return c.register(mach.Reg(l))
	}
	return fmt.Sprintf("slot %d", l-location(mach.FirstVirtual))
}

// register names a register in a message.
func (c *checker) register(r mach.Reg) string {
	if r > 0 && r < mach.FirstVirtual && c.file.Names[r] != "" {
		return c.file.Names[r]
	}
	return fmt.Sprintf("register %d", r)
}

// AllocateChecked allocates f and proves the result right.
func AllocateChecked(f *mach.Func, t Machine) error {
	s := Snap(f)
	if err := Allocate(f, t); err != nil {
		return err
	}
	return s.Check(f, t)
}

// maxReports is the number of errors that Check reports at most.
const maxReports = 10

// A checker compares one allocated function with its snapshot.
type checker struct {
	*Snapshot
	f       *mach.Func
	t       Machine
	file    *mach.RegFile
	able    mach.RegSet // allocatable, of any class
	errs    []error
	forms   inserted
	blocks  []summary
	now     []stamped  // by location, what it holds in the block being executed
	touched []location // the locations that it has written
	// written are the registers that some instruction writes.
	written mach.RegSet

	demands
	origins []origin
	skips
}

// An origin is the use, of the allocated function, that a demand comes from.
type origin struct {
	block, inst int32
	value       int32
	at          location
}

// Check proves that f, which is what allocation made of the snapshot's function, reads the
// right value at every use, keeps every constraint of the original and accounts for the
// registers that it writes. The error lists what is wrong, by block and instruction of f.
func (s *Snapshot) Check(f *mach.Func, t Machine) error {
	c := &checker{Snapshot: s, f: f, t: t, file: t.Regs()}
	return c.run()
}

// run does all checks.
func (c *checker) run() error {
	for _, regs := range c.file.Allocatable {
		c.able |= mach.Of(regs...)
	}
	c.forms = learnForms(c)
	if !c.checkShape() {
		return c.result()
	}
	for b := range c.f.Blocks {
		if c.blocks[b].reached {
			c.execute(int32(b))
		}
	}
	if missing := c.written & c.able &^ c.f.Used; missing != 0 {
		for r := range mach.FirstVirtual {
			if missing.Has(r) {
				c.errorf("%s is written but not in Used", c.register(r))
			}
		}
	}
	if len(c.errs) == 0 { // else the summaries are not to be trusted
		c.solve()
	}
	return c.result()
}

func (c *checker) result() error { return errors.Join(c.errs...) }

// errorf reports something that is wrong.
func (c *checker) errorf(format string, args ...any) {
	switch n := len(c.errs); {
	case n < maxReports:
		c.errs = append(c.errs, fmt.Errorf("regalloc check: %s: %s", c.name, fmt.Sprintf(format, args...)))
	case n == maxReports:
		c.errs = append(c.errs, fmt.Errorf("regalloc check: %s: more errors", c.name))
	}
}

// checkShape compares blocks and edges and looks for what should have gone. It finds the
// blocks that are reached and tells whether there is any sense in going on.
func (c *checker) checkShape() bool {
	c.blocks = make([]summary, len(c.f.Blocks))
	if len(c.f.Blocks) < len(c.Snapshot.blocks) {
		c.errorf("%d blocks became %d", len(c.Snapshot.blocks), len(c.f.Blocks))
		return false
	}
	for b := range c.f.Blocks {
		bl := &c.f.Blocks[b]
		if len(bl.Params) > 0 {
			c.errorf("block %d still has parameters", b)
		}
		for k, e := range bl.Succs {
			if len(e.Args) > 0 {
				c.errorf("edge %d of block %d still has arguments", k, b)
			}
			if e.Block < 0 || int(e.Block) >= len(c.f.Blocks) {
				c.errorf("edge %d of block %d leads to block %d of %d", k, b, e.Block, len(c.f.Blocks))
				return false
			}
		}
		for i := range bl.Insts {
			for j, o := range bl.Insts[i].Args {
				if o.Reg.Virtual() || o.Reg <= mach.NoReg {
					c.errorf("block %d, instruction %d: operand %d is in no physical register", b, i, j)
				}
			}
		}
	}
	if len(c.errs) > 0 {
		return false
	}
	c.reach()
	c.checkPreds()
	return len(c.errs) == 0
}

// reach walks both functions from the entry and compares their edges.
func (c *checker) reach() {
	c.blocks[0].reached = true
	work := []int32{0}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		was, is := c.Snapshot.blocks[b].succs, c.f.Blocks[b].Succs
		if len(was) != len(is) {
			c.errorf("block %d has %d successors, had %d", b, len(is), len(was))
			return
		}
		for k := range was {
			to := was[k].Block
			if !c.reachEdge(b, k) {
				return
			}
			if !c.blocks[to].reached {
				c.blocks[to].reached = true
				work = append(work, to)
			}
		}
	}
}

// reachEdge compares edge k of the original block b, which may have been split.
func (c *checker) reachEdge(b int32, k int) bool {
	was, is := c.Snapshot.blocks[b].succs[k], c.f.Blocks[b].Succs[k].Block
	e := edgeOf{block: b, succ: int32(k)}
	if int(is) < len(c.Snapshot.blocks) {
		if is != was.Block {
			c.errorf("edge %d of block %d leads to block %d instead of %d", k, b, is, was.Block)
			return false
		}
		c.blocks[is].in = append(c.blocks[is].in, e)
		return true
	}
	split := &c.f.Blocks[is]
	switch {
	case c.blocks[is].reached:
		c.errorf("block %d splits two edges", is)
		return false
	case len(split.Succs) != 1 || split.Succs[0].Block != was.Block:
		c.errorf("block %d, on edge %d of block %d, does not lead to block %d alone", is, k, b, was.Block)
		return false
	}
	c.blocks[is].reached = true
	c.blocks[is].in = append(c.blocks[is].in, edgeOf{block: b, succ: unnamed})
	e.through = is + 1
	c.blocks[was.Block].in = append(c.blocks[was.Block].in, e)
	return true
}

// checkPreds compares the predecessor lists with the edges, as multisets.
func (c *checker) checkPreds() {
	expected := make([][]int32, len(c.f.Blocks))
	for b := range c.f.Blocks {
		for _, e := range c.f.Blocks[b].Succs {
			expected[e.Block] = append(expected[e.Block], int32(b))
		}
	}
	for b := range c.f.Blocks {
		got := slices.Clone(c.f.Blocks[b].Preds)
		slices.Sort(got)
		if !slices.Equal(got, expected[b]) {
			c.errorf("block %d has the predecessors %v, not %v", b, got, expected[b])
		}
	}
}
