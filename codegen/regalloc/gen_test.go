package regalloc

import (
	"fmt"
	"math/bits"

	"shoal/codegen/mach"
)

// A generator makes functions of the toy machine from bytes: any control flow, loops with
// several entries included, values in strict SSA form and every kind of constraint. What
// one instruction demands always fits the registers, since nothing could be done otherwise.
type generator struct {
	data []byte
	t    *toy
	f    *mach.Func
	dom  []uint64                      // by block: the set of its dominators; 0 if it is unreachable
	defs [][mach.NumClasses][]mach.Reg // by block
	imm  int64
	k    [mach.NumClasses]int

	consts [mach.NumClasses][]mach.Reg
	// Of the instruction being made:
	room  [mach.NumClasses]int         // registers that its operands may still claim
	named [mach.NumClasses]mach.RegSet // registers that it names
	taken map[mach.Reg]bool            // values that it uses
	made  []mach.Reg                   // values that it defines: nothing uses them yet
}

// generate makes a function and a machine for it.
func generate(data []byte) (*toy, *mach.Func) {
	g := &generator{data: data}
	g.k = [mach.NumClasses]int{1 + g.pick(16), 0}
	if g.pick(3) == 0 {
		g.k[mach.Float] = 1 + g.pick(8)
	}
	g.t = newToy(g.k[mach.General], g.k[mach.Float])
	g.f = &mach.Func{Name: "random"}
	g.edges(1 + g.pick(14))
	g.dominators()
	g.defs = make([][mach.NumClasses][]mach.Reg, len(g.f.Blocks))
	for c := range mach.NumClasses {
		for range 1 + g.pick(3) {
			if g.k[c] > 0 {
				g.consts[c] = append(g.consts[c], g.t.constant(g.f, c, int64(g.pick(4))))
			}
		}
	}
	for _, b := range g.order() {
		g.block(b)
	}
	g.arguments()
	g.f.LinkPreds()
	return g.t, g.f
}

// pick is a number below n made of the next byte; 0 when the bytes have run out.
func (g *generator) pick(n int) int {
	if len(g.data) == 0 || n <= 1 {
		return 0
	}
	x := int(g.data[0])
	g.data = g.data[1:]
	return x % n
}

// edges makes n blocks and their edges. All but a few are reachable.
func (g *generator) edges(n int) {
	g.f.Blocks = make([]mach.Block, n)
	link := func(from, to int) {
		g.f.Blocks[from].Succs = append(g.f.Blocks[from].Succs, mach.Edge{Block: int32(to)})
	}
	for b := 1; b < n; b++ {
		if g.pick(20) == 19 {
			continue
		}
		from := b - 1
		if g.pick(2) == 1 {
			from = g.pick(b)
		}
		for ; from > 0 && len(g.f.Blocks[from].Succs) == 2; from-- {
		}
		for ; len(g.f.Blocks[from].Succs) == 2 && from < b-1; from++ {
		}
		if len(g.f.Blocks[from].Succs) < 2 {
			link(from, b)
		}
	}
	for b := range n {
		if len(g.f.Blocks[b].Succs) < 2 && g.pick(5) > 1 {
			to := g.pick(n)
			if to == 0 {
				to = g.pick(n) // seldom back to the entry
			}
			link(b, to)
		}
		if g.pick(8) == 0 {
			g.f.Blocks[b].Cold = true
		}
	}
}

// dominators fills dom by iteration over sets.
func (g *generator) dominators() {
	n := len(g.f.Blocks)
	g.dom = make([]uint64, n)
	reach := uint64(1)
	for changed := true; changed; {
		changed = false
		for b := range n {
			if reach>>b&1 == 0 {
				continue
			}
			for _, e := range g.f.Blocks[b].Succs {
				changed = changed || reach>>e.Block&1 == 0
				reach |= 1 << e.Block
			}
		}
	}
	for b := range n {
		if reach>>b&1 != 0 {
			g.dom[b] = reach
		}
	}
	g.dom[0] = 1
	for changed := true; changed; {
		changed = false
		for b := range n {
			for _, e := range g.f.Blocks[b].Succs {
				if to := e.Block; g.dom[b] != 0 {
					if d := g.dom[to] & (g.dom[b] | 1<<to); d != g.dom[to] {
						g.dom[to], changed = d, true
					}
				}
			}
		}
	}
}

// order is the blocks with dominators before what they dominate; unreachable ones last.
func (g *generator) order() []int {
	var out []int
	for size := 1; size <= len(g.dom); size++ {
		for b, d := range g.dom {
			if bits.OnesCount64(d) == size {
				out = append(out, b)
			}
		}
	}
	for b, d := range g.dom {
		if d == 0 {
			out = append(out, b)
		}
	}
	return out
}

// value picks a value of class c that dominates the end of what block b is so far.
func (g *generator) value(b int, c mach.Class) mach.Reg {
	n := len(g.consts[c])
	for d := range g.defs {
		if g.dom[b]>>d&1 != 0 || d == b {
			n += len(g.defs[d][c])
		}
	}
	i := g.pick(n)
	if g.pick(4) == 0 {
		i = n - 1 - g.pick(min(n, 3)) // often what was made last
	}
	for d := range g.defs {
		if g.dom[b]>>d&1 != 0 || d == b {
			if i < len(g.defs[d][c]) {
				return g.defs[d][c][i]
			}
			i -= len(g.defs[d][c])
		}
	}
	return g.consts[c][i%len(g.consts[c])]
}

// class picks a class that has registers.
func (g *generator) class() mach.Class {
	if g.k[mach.Float] > 0 && g.pick(3) == 0 {
		return mach.Float
	}
	return mach.General
}

// define makes a new value in block b.
func (g *generator) define(b int, c mach.Class) mach.Reg {
	r := g.f.NewReg(c)
	g.made = append(g.made, r)
	return r
}

// finish lets what comes later in block b use what was made.
func (g *generator) finish(b int) {
	for _, r := range g.made {
		c := g.f.Value(r).Class
		g.defs[b][c] = append(g.defs[b][c], r)
	}
	g.made = g.made[:0]
}

// block fills block b, but for the arguments of its edges.
func (g *generator) block(b int) {
	bl := &g.f.Blocks[b]
	bl.Depth = int32(g.pick(3))
	if b == 0 {
		g.inputs(bl)
	} else if n := g.pick(8); n < 6 {
		for range n {
			bl.Params = append(bl.Params, g.define(b, g.class()))
		}
	}
	g.finish(b)
	for range g.pick(10) {
		bl.Insts = append(bl.Insts, g.inst(b))
		g.finish(b)
	}
	bl.Branch = len(bl.Insts)
	g.branch(b)
}

// inputs defines what the function is called with, in fixed registers.
func (g *generator) inputs(bl *mach.Block) {
	in := mach.Inst{Op: opWork, Imm: -1}
	for i := range g.pick(g.k[mach.General] + 1) {
		r := g.t.file.Allocatable[mach.General][i]
		in.Args = append(in.Args, mach.Operand{Reg: g.define(0, mach.General), Role: mach.Def, Allow: mach.Of(r)})
	}
	if len(in.Args) > 0 {
		bl.Insts = append(bl.Insts, in)
	}
}

// begin starts a new instruction.
func (g *generator) begin() {
	g.room, g.named, g.taken = g.k, [mach.NumClasses]mach.RegSet{}, make(map[mach.Reg]bool)
	g.imm++
}

// claim reserves a register for an operand of class c, if one is left.
func (g *generator) claim(c mach.Class) bool {
	if g.room[c] == 0 {
		return false
	}
	g.room[c]--
	return true
}

// name picks a register of class c that no operand names yet; 0 if there is no room.
func (g *generator) name(c mach.Class) mach.RegSet {
	regs := g.t.file.Allocatable[c]
	r := regs[g.pick(len(regs))]
	if g.named[c].Has(r) || !g.claim(c) {
		return 0
	}
	g.named[c] |= mach.Of(r)
	return mach.Of(r)
}

// inst makes an instruction of one of several kinds.
func (g *generator) inst(b int) mach.Inst {
	g.begin()
	switch kind := g.pick(12); {
	case kind == 0:
		return mach.Inst{Op: opNothing, Imm: g.imm}
	case kind == 1:
		c := g.class()
		from := g.value(b, c)
		return g.t.Move(c, g.define(b, c), from)
	case kind == 2 && g.k[mach.General] > 1:
		return g.shift(b)
	case kind == 3, kind == 4:
		return g.call(b)
	}
	in := mach.Inst{Op: opWork, Imm: g.imm}
	if g.pick(8) == 0 {
		in.Args = append(in.Args, use(g.t.sp))
	}
	g.uses(b, &in, g.pick(4))
	g.ties(b, &in, g.pick(3))
	for range g.pick(3) {
		c := g.class()
		role := mach.Def
		if g.pick(4) == 0 {
			role = mach.EarlyDef
		}
		if g.claim(c) {
			in.Args = append(in.Args, mach.Operand{Reg: g.define(b, c), Role: role})
		}
	}
	return in
}

// uses adds up to n operands that are read.
func (g *generator) uses(b int, in *mach.Inst, n int) {
	for range n {
		c := g.class()
		v := g.value(b, c)
		if g.taken[v] {
			in.Args = append(in.Args, use(v)) // twice, but without a limit
			continue
		}
		o := use(v)
		if g.pick(6) == 0 {
			if o.Allow = g.name(c); o.Allow == 0 {
				continue
			}
		} else if !g.claim(c) {
			continue
		}
		g.taken[v] = true
		in.Args = append(in.Args, o)
	}
}

// ties adds up to n definitions that share the register of an operand that is read.
func (g *generator) ties(b int, in *mach.Inst, n int) {
	for range n {
		c := g.class()
		v := g.value(b, c)
		if !g.claim(c) {
			continue
		}
		g.taken[v] = true
		tied := uint8(len(in.Args) + 1)
		in.Args = append(in.Args, use(v), mach.Operand{Reg: g.define(b, c), Role: mach.Def, Tied: tied})
	}
}

// shift makes an instruction like a shift: one operand fixed, the others not in there.
func (g *generator) shift(b int) mach.Inst {
	count := g.name(mach.General)
	not := mach.Of(g.t.file.Allocatable[mach.General]...) &^ count
	a, n := g.value(b, mach.General), g.value(b, mach.General)
	d := mach.Operand{Reg: g.define(b, mach.General), Role: mach.Def, Allow: not, Tied: 2}
	in := mach.Inst{Op: opWork, Imm: g.imm, Args: []mach.Operand{d, {Reg: a, Allow: not}}}
	if n != a {
		in.Args = append(in.Args, mach.Operand{Reg: n, Allow: count})
	}
	return in
}

// call makes an instruction like a call: arguments and result in fixed registers, more
// registers lost, and operands beside them that can be anywhere.
func (g *generator) call(b int) mach.Inst {
	in := mach.Inst{Op: opWork, Imm: g.imm}
	var before, after, all [mach.NumClasses]mach.RegSet
	for range g.pick(4) {
		c := g.class()
		v := g.value(b, c)
		if g.taken[v] {
			continue
		}
		if allow := g.name(c); allow != 0 {
			g.taken[v] = true
			before[c] |= allow
			in.Args = append(in.Args, mach.Operand{Reg: v, Allow: allow})
		}
	}
	if g.pick(2) == 0 {
		c := g.class()
		allow := g.named[c] & -g.named[c] // may be the register of an argument
		if allow == 0 {
			allow = g.name(c)
		}
		if allow != 0 {
			after[c] |= allow
			in.Args = append(in.Args, mach.Operand{Reg: g.define(b, c), Role: mach.Def, Allow: allow})
		}
	}
	most := g.pick(3) == 0
	for c := range mach.NumClasses {
		for _, r := range g.t.file.Allocatable[c] {
			all[c] |= mach.Of(r)
			if !after[c].Has(r) && (g.named[c].Has(r) && g.pick(2) == 0 || most || g.pick(4) == 0) {
				in.Clobber |= mach.Of(r)
			}
		}
	}
	g.beside(b, &in, before, after, all)
	return in
}

// beside adds operands without a limit to a call: as many as registers are left to read
// them from before it, and to write them to after it.
func (g *generator) beside(b int, in *mach.Inst, before, after, all [mach.NumClasses]mach.RegSet) {
	for range g.pick(3) {
		c := g.class()
		v := g.value(b, c)
		if s := all[c] &^ before[c]; s != 0 && !g.taken[v] {
			before[c] |= s & -s
			g.taken[v] = true
			in.Args = append(in.Args, use(v))
		}
	}
	for range g.pick(3) {
		c := g.class()
		if s := all[c] &^ after[c] &^ in.Clobber; s != 0 {
			after[c] |= s & -s
			in.Args = append(in.Args, def(g.define(b, c)))
		}
	}
}

// branch ends block b.
func (g *generator) branch(b int) {
	bl := &g.f.Blocks[b]
	g.begin()
	switch len(bl.Succs) {
	case 0:
		in := mach.Inst{Op: opReturn, Imm: g.imm}
		g.uses(b, &in, g.pick(3))
		bl.Insts = append(bl.Insts, in)
	case 1:
		if g.pick(4) == 0 {
			bl.Insts = append(bl.Insts, mach.Inst{Op: opNothing, Imm: g.imm})
		}
	default:
		in := mach.Inst{Op: opWork, Imm: g.imm} // a compare
		g.uses(b, &in, g.pick(2))
		if len(in.Args) > 0 {
			bl.Insts = append(bl.Insts, in)
		}
		jump := mach.Inst{Op: opBranch, Imm: g.imm}
		if g.pick(3) == 0 {
			v := g.value(b, mach.General)
			if g.claim(mach.General) {
				jump.Args = append(jump.Args, use(v))
			}
		}
		bl.Insts = append(bl.Insts, jump)
	}
}

// arguments gives every edge its arguments.
func (g *generator) arguments() {
	for b := range g.f.Blocks {
		for k := range g.f.Blocks[b].Succs {
			e := &g.f.Blocks[b].Succs[k]
			for _, p := range g.f.Blocks[e.Block].Params {
				e.Args = append(e.Args, g.value(b, g.f.Value(p).Class))
			}
		}
	}
}

// text lists f, for messages.
func text(t *toy, f *mach.Func) string {
	out := ""
	for b := range f.Blocks {
		bl := &f.Blocks[b]
		out += fmt.Sprintf("block %d %v depth %d\n", b, bl.Params, bl.Depth)
		for i := range bl.Insts {
			in := &bl.Insts[i]
			out += fmt.Sprintf("\t%d: op %d imm %d disp %d", i, in.Op, in.Imm, in.Disp)
			if i >= bl.Branch {
				out += " [branch]"
			}
			for _, o := range in.Args {
				out += fmt.Sprintf("  %s%s", [...]string{"", "=", "!="}[o.Role], regName(t, o.Reg))
				if o.Tied != 0 {
					out += fmt.Sprintf("(tied %d)", o.Tied-1)
				}
				if o.Allow != 0 {
					out += fmt.Sprintf("{%b}", o.Allow)
				}
			}
			if in.Clobber != 0 {
				out += fmt.Sprintf(" clobbers %b", in.Clobber)
			}
			out += "\n"
		}
		for _, e := range bl.Succs {
			out += fmt.Sprintf("\t-> %d %v\n", e.Block, e.Args)
		}
	}
	return out
}

func regName(t *toy, r mach.Reg) string {
	if r.Virtual() {
		return fmt.Sprintf("v%d", r-mach.FirstVirtual)
	}
	return t.file.Names[r]
}
