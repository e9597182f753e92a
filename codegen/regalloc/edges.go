package regalloc

import (
	"math/bits"

	"shoal/codegen/mach"
	"shoal/ssa/parcopy"
)

// Places of values in parallel copies: registers by number, then stack slots.
const slotPlace = parcopy.Loc(mach.FirstVirtual)

// placeOf is register r as a place.
func placeOf(r mach.Reg) parcopy.Loc { return parcopy.Loc(r) }

// An emitter turns a parallel copy into instructions.
type emitter struct {
	a      *allocator
	seq    parcopy.Sequencer
	copies []parcopy.Copy
	values []int32 // parallel to copies: the value that is copied
	code   []mach.Inst
	busy   mach.RegSet  // registers that some copy mentions, or that have to be left alone
	temp   mach.Reg     // register that holds a member of a cycle at the moment
	slots  bool         // a copy mentions a slot
	class  []mach.Class // by slot: class of the value in it
	spare  [2]int       // one plus a slot for the temporary of a cycle, and for a register in transit
}

// begin starts a new parallel copy.
func (e *emitter) begin() {
	e.copies, e.values, e.code = e.copies[:0], e.values[:0], e.code[:0]
	e.busy, e.temp, e.slots = 0, mach.NoReg, false
}

// add gives value v, which is at src, to dst.
func (e *emitter) add(v int32, dst, src parcopy.Loc) {
	if dst == src {
		if dst < slotPlace {
			e.busy |= 1 << dst
		}
		return
	}
	e.copies = append(e.copies, parcopy.Copy{Dst: dst, Src: src})
	e.values = append(e.values, v)
	for _, l := range [2]parcopy.Loc{dst, src} {
		switch {
		case l == parcopy.NoLoc:
		case l < slotPlace:
			e.busy |= 1 << l
		default:
			e.slots = true
			for int(l-slotPlace) >= len(e.class) {
				e.class = append(e.class, mach.General)
			}
			e.class[l-slotPlace] = e.a.class[v]
		}
	}
}

// run sequences the copies and returns the instructions, valid until the next begin.
func (e *emitter) run() []mach.Inst {
	if len(e.copies) > 0 {
		e.seq.Run(e.copies, e)
	}
	return e.code
}

// put appends an instruction.
func (e *emitter) put(in mach.Inst) { e.code = appendDoubling(e.code, in) }

// classOf is the class of what place l can hold.
func (e *emitter) classOf(l parcopy.Loc) mach.Class {
	switch {
	case l >= slotPlace && int(l-slotPlace) < len(e.class):
		return e.class[l-slotPlace]
	case l < slotPlace && e.a.all[mach.Float].Has(mach.Reg(l)):
		return mach.Float
	}
	return mach.General
}

// spareReg is a register of class c that nobody needs, or NoReg. It rather takes one that
// costs the function nothing.
func (e *emitter) spareReg(c mach.Class) mach.Reg {
	free := e.a.all[c] &^ e.busy
	if e.temp != mach.NoReg {
		free &^= 1 << e.temp
	}
	if cheap := free & (e.a.f.Used | ^e.a.file.CalleeSaved); cheap != 0 {
		free = cheap
	}
	if free == 0 {
		return mach.NoReg
	}
	r := lowest(free)
	e.a.f.Used |= 1 << r
	return r
}

// spareSlot is a slot beyond those of values. Number 0 is for cycles, 1 for registers in
// transit; a cycle of slots needs both at once (optimizations §E.4).
func (e *emitter) spareSlot(number int) int {
	if e.spare[number] == 0 {
		e.a.f.Slots++
		e.spare[number] = e.a.f.Slots
	}
	return e.spare[number] - 1
}

// Move implements parcopy.Emitter.
func (e *emitter) Move(dst, src parcopy.Loc, number int) {
	m := e.a.m
	if dst < slotPlace {
		e.a.f.Used |= 1 << dst
	}
	if src == parcopy.NoLoc {
		e.makeAnew(dst, e.values[number])
		return
	}
	c := e.classOf(src)
	switch {
	case dst < slotPlace && src < slotPlace:
		e.put(m.Move(c, mach.Reg(dst), mach.Reg(src)))
	case dst < slotPlace:
		e.put(m.Load(e.classOf(dst), mach.Reg(dst), int(src-slotPlace)))
	case src < slotPlace:
		e.put(m.Store(c, int(dst-slotPlace), mach.Reg(src)))
	default:
		e.transit(c, func(r mach.Reg) {
			e.put(m.Load(c, r, int(src-slotPlace)))
			e.put(m.Store(c, int(dst-slotPlace), r))
		})
	}
}

// makeAnew gives value v, which can be made anew, to dst.
func (e *emitter) makeAnew(dst parcopy.Loc, v int32) {
	if dst < slotPlace {
		e.put(e.a.again(v, mach.Reg(dst)))
		return
	}
	c := e.a.class[v]
	e.transit(c, func(r mach.Reg) {
		e.put(e.a.again(v, r))
		e.put(e.a.m.Store(c, int(dst-slotPlace), r))
	})
}

// transit calls do with a register of class c; if none is free, one is saved around it.
func (e *emitter) transit(c mach.Class, do func(mach.Reg)) {
	if r := e.spareReg(c); r != mach.NoReg {
		do(r)
		return
	}
	r := e.a.order[c][0]
	e.a.f.Used |= 1 << r
	slot := e.spareSlot(1)
	e.put(e.a.m.Store(c, slot, r))
	do(r)
	e.put(e.a.m.Load(c, r, slot))
}

// Temp implements parcopy.Emitter: a free register; where there is none, a slot, unless
// the whole cycle is of general registers, which exchange is good for.
func (e *emitter) Temp(saved parcopy.Loc) (parcopy.Loc, bool) {
	e.temp = mach.NoReg
	c := e.classOf(saved)
	free := bits.OnesCount64(uint64(e.a.all[c] &^ e.busy))
	if saved < slotPlace && free > 0 || free > 1 {
		e.temp = e.spareReg(c)
		return placeOf(e.temp), true
	}
	if c == mach.General && !e.slots {
		return parcopy.NoLoc, false
	}
	l := slotPlace + parcopy.Loc(e.spareSlot(0))
	for int(l-slotPlace) >= len(e.class) {
		e.class = append(e.class, mach.General)
	}
	e.class[l-slotPlace] = c
	return l, true
}

// Exchange implements parcopy.Emitter.
func (e *emitter) Exchange(x, y parcopy.Loc) {
	e.a.f.Used |= 1<<x | 1<<y
	e.put(e.a.m.Exchange(mach.Reg(x), mach.Reg(y)))
}

// copyOnEdge makes the instructions for edge e: what its target has in registers comes from
// where the source left it, and parameters come from arguments.
func (a *allocator) copyOnEdge(e int32) []mach.Inst {
	em := &a.emitter
	em.begin()
	a.loadExit(a.from[e])
	for _, h := range a.out[a.from[e]] {
		em.busy |= 1 << h.reg
	}
	to := a.to[e]
	base := a.liveInAt[to]
	for i, v := range a.liveAt(to) {
		src := parcopy.NoLoc
		if !a.reloadsOnEdge(e, v) {
			src = placeOf(a.leaving[v])
		} else if !a.constant[v] {
			src = slotPlace + parcopy.Loc(a.slot[v])
		}
		em.add(v, placeOf(a.inReg[base+int32(i)]), src)
	}
	args := a.args(e)
	for j, arg := range args {
		r := a.f.Blocks[to].Params[j]
		p, v := index(r), index(arg)
		var dst parcopy.Loc
		switch {
		case a.param[p] != noRegister:
			dst = placeOf(a.paramIn[p])
		case a.memoryParam[p] && a.slot[p] != none:
			dst = slotPlace + parcopy.Loc(a.slot[p])
		default:
			continue // nobody reads it
		}
		em.add(v, dst, a.sourceOf(v))
	}
	return em.run()
}

// sourceOf is where argument v is at the end of the block that loadExit loaded.
func (a *allocator) sourceOf(v int32) parcopy.Loc {
	switch {
	case a.constant[v]:
		return parcopy.NoLoc
	case a.leaves(v):
		return placeOf(a.leaving[v])
	}
	return slotPlace + parcopy.Loc(a.slot[v])
}

// resolve puts the remaining copies on edges: at the end of a block with one successor, or
// in a block of their own. Then nothing is left of parameters and arguments. (Blocks with
// one predecessor have had theirs since they were coloured.)
func (a *allocator) resolve() {
	f := a.f
	var added []mach.Block
	for _, b := range a.linear {
		for k := range f.Blocks[b].Succs {
			to := f.Blocks[b].Succs[k].Block
			if a.onlyPred(a.edgeBase[b] + int32(k)) {
				continue
			}
			moves := a.copyOnEdge(a.edgeBase[b] + int32(k))
			if len(moves) == 0 {
				continue
			}
			if bl := &f.Blocks[b]; len(bl.Succs) == 1 && readsNothing(bl.Insts[bl.Branch:]) {
				a.insertMoves(bl, moves)
				continue
			}
			f.Blocks[b].Succs[k].Block = int32(len(f.Blocks) + len(added))
			added = appendDoubling(added, mach.Block{
				Insts:  append([]mach.Inst(nil), moves...),
				Branch: len(moves),
				Succs:  []mach.Edge{{Block: to}},
				Depth:  min(f.Blocks[b].Depth, f.Blocks[to].Depth),
				Cold:   f.Blocks[b].Cold || f.Blocks[to].Cold,
			})
		}
	}
	f.Blocks = append(f.Blocks, added...)
	for b := range f.Blocks {
		f.Blocks[b].Params = nil
		for k := range f.Blocks[b].Succs {
			f.Blocks[b].Succs[k].Args = nil
		}
	}
	f.LinkPreds()
}

// readsNothing tells whether no instruction has an operand.
func readsNothing(insts []mach.Inst) bool {
	for i := range insts {
		if len(insts[i].Args) > 0 {
			return false
		}
	}
	return true
}

// edgeReserve is the room, in instructions, that a block with one successor keeps for the
// moves of its edge.
const edgeReserve = 4

// insertMoves puts moves before the branch of bl.
func (a *allocator) insertMoves(bl *mach.Block, moves []mach.Inst) {
	if n := len(bl.Insts); bl.Branch == n && cap(bl.Insts)-n >= len(moves) {
		bl.Insts = append(bl.Insts, moves...)
		bl.Branch = len(bl.Insts)
		return
	}
	c := &a.code
	c.begin(bl)
	for i := range bl.Insts {
		if i == bl.Branch {
			break
		}
		c.keep(false)
	}
	for _, in := range moves {
		c.put(in)
	}
	bl.Branch = c.len()
	for c.read < len(bl.Insts) {
		c.keep(false)
	}
	bl.Insts = c.end(0)
}
