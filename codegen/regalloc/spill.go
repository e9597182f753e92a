package regalloc

import (
	"slices"

	"shoal/codegen/mach"
)

// An edit is a reload of a value before the instruction of that index.
type edit struct{ inst, value int32 }

// An event is something that happens to a value in a block.
type event struct {
	value int32
	what  int32 // block<<2 | kind
}

func newEvent(value, block, kind int32) event { return event{value, block<<2 | kind} }

// The kinds of events.
const (
	readsFirst int32 = iota // the block reads the register that the value has at its beginning
	reloads                 // the block reloads it
	readsSlot               // the end of the block passes it on from its stack slot
)

// spills is the outcome of spilling: which values are in registers where blocks begin and
// end, and what is reloaded between.
type spills struct {
	entry, exit  [][]int32 // by block: values in registers at its beginning and at its end
	edits        [][]edit  // by block: reloads in it, by instruction
	events       bag[event]
	lacks        []lack
	lackAt       []int32                  // by edge: one plus the index of its first entry in lacks, 0 if none
	spilled      []bool                   // by value: it needs a stack slot
	memoryParam  []bool                   // by value: a parameter that begins its life in its stack slot
	slotEnd      []int32                  // by value: time of the last read of its slot
	time         []int32                  // by position of a block: number of its beginning, see slots.go
	loops        *tree                    // loop forest over headers
	loopPressure [][mach.NumClasses]uint8 // by header

	held  [mach.NumClasses][]need // the values in registers now; dist is the next use
	where []int8                  // by value: one plus its index in held, 0 if it is not there
	seen  []int32                 // by value: one plus the last block that defined, reloaded or read it
	after []int32                 // scratch: see scanBlock
	rest  [mach.NumClasses][]need // scratch: candidates of second rank
	hits  []int32                 // scratch by value: predecessors that hold it
	lists slab[int32]
	list  []int32 // scratch
	edit  []edit  // scratch: reloads in this block
	kept  slab[edit]
	unit  unitUses
}

// A lack is a value that the target of an edge has in a register and its source has not, in
// a list.
type lack struct {
	value, next int32
	reload      bool // the register is read, so the edge has to reload it
}

// unitUses is scratch for the values that one unit uses.
type unitUses struct {
	stamp  int32
	mark   []int32 // by value: stamp of the last unit that used it
	values []unitUse
}

// A unitUse is a value that a unit uses.
type unitUse struct {
	value  int32
	after  int32 // its next use after the unit
	reads  int32 // operands
	tied   int32 // of these, operands that are not fixed with a definition tied to them
	early  bool  // one of these definitions is an EarlyDef
	fixed  bool  // an operand is fixed
	narrow bool  // another one cannot be everywhere
}

// spill decides for every point of the function which values are in registers, at most as
// many as there are, and where they are reloaded. Braun and Hack, section 4.
func (a *allocator) spill() error {
	n, blocks := len(a.class), len(a.f.Blocks)
	a.spilled, a.memoryParam, a.slotEnd = make([]bool, n), make([]bool, n), make([]int32, n)
	a.where, a.seen, a.unit.mark, a.hits = make([]int8, n), make([]int32, n), make([]int32, n), make([]int32, n)
	a.entry, a.exit, a.edits = make([][]int32, blocks), make([][]int32, blocks), make([][]edit, blocks)
	a.lackAt = make([]int32, len(a.to))
	a.setTimes()
	a.sumLoops()
	for _, b := range a.linear {
		bl := &a.f.Blocks[b]
		operands := 0
		for i := range bl.Insts {
			operands += len(bl.Insts[i].Args)
		}
		if cap(a.after) < operands {
			a.after = make([]int32, operands+operands/2)
		}
		a.scanBlock(b, a.after[:operands])
		a.enterBlock(b)
		a.clearUses()
		if err := a.spillBlock(b, a.after[:operands]); err != nil {
			return err
		}
		a.leaveBlock(b)
	}
	return nil
}

// sumLoops makes the loop forest and finds the pressure in each loop, inner ones included.
func (a *allocator) sumLoops() {
	n := len(a.f.Blocks)
	a.loops, a.loopPressure = newTree(n), make([][mach.NumClasses]uint8, n)
	for _, b := range a.linear {
		if a.isHeader(b) {
			a.loops.add(b, a.outer[b])
		}
	}
	for i := len(a.linear) - 1; i >= 0; i-- {
		b := a.linear[i]
		h := a.loop[b]
		if h == none {
			continue
		}
		for c := range mach.NumClasses {
			a.loopPressure[h][c] = max(a.loopPressure[h][c], a.pressure[b][c])
			if o := a.outer[b]; h == b && o != none {
				a.loopPressure[o][c] = max(a.loopPressure[o][c], a.loopPressure[b][c])
			}
		}
	}
}

// hold puts value v into a register.
func (a *allocator) hold(v, next int32) {
	c := a.class[v]
	a.held[c] = append(a.held[c], need{v, next})
	a.where[v] = int8(len(a.held[c]))
}

// release takes the value at index i of held[c] out of its register.
func (a *allocator) release(c mach.Class, i int) {
	list := a.held[c]
	a.where[list[i].value] = 0
	last := len(list) - 1
	if i != last {
		list[i] = list[last]
		a.where[list[i].value] = int8(i + 1)
	}
	a.held[c] = list[:last]
}

// spillBlock walks block b forward and makes room for what each unit uses and defines.
func (a *allocator) spillBlock(b int32, after []int32) error {
	bl := &a.f.Blocks[b]
	for i := 0; i < len(bl.Insts); {
		end := unitEnd(bl, i)
		insts := bl.Insts[i:end]
		operands := 0
		for j := range insts {
			operands += len(insts[j].Args)
		}
		if !a.isConstDef(&insts[0]) {
			a.gather(insts, after[:operands])
			if !a.spillUnit(b, int32(i), insts) {
				return a.errorf(b, int32(i), "needs more registers than there are")
			}
			a.holdDefs(b, insts, after[:operands])
		}
		after = after[operands:]
		i = end
	}
	a.edits[b] = a.kept.keep(a.edit)
	a.edit = a.edit[:0]
	return nil
}

// gather collects the distinct values that the unit insts uses.
func (a *allocator) gather(insts []mach.Inst, after []int32) {
	u := &a.unit
	u.stamp++
	u.values = u.values[:0]
	for i := range insts {
		args := insts[i].Args
		for j := range args {
			o := &args[j]
			if o.Role != mach.Use || !o.Reg.Virtual() {
				continue
			}
			v := index(o.Reg)
			at := u.find(v)
			if at < 0 {
				at = len(u.values)
				u.values = append(u.values, unitUse{value: v, after: after[j]})
				u.mark[v] = u.stamp
			}
			use, c := &u.values[at], a.class[v]
			use.reads++
			fixed := a.isFixed(o, c)
			use.fixed = use.fixed || fixed
			use.narrow = use.narrow || !fixed && a.isNarrow(o, c)
		}
		for j := range args {
			if o := &args[j]; o.Role != mach.Use && o.Tied > 0 && !a.isFixed(o, a.class[index(o.Reg)]) {
				at := u.find(index(args[o.Tied-1].Reg))
				u.values[at].tied++
				u.values[at].early = u.values[at].early || o.Role == mach.EarlyDef
			}
		}
		after = after[len(args):]
	}
}

// find is the index of value v in u.values, or -1.
func (u *unitUses) find(v int32) int {
	if u.mark[v] != u.stamp {
		return -1
	}
	for i := range u.values {
		if u.values[i].value == v {
			return i
		}
	}
	return -1
}

// spillUnit makes room for the unit at instruction pos and reloads what it uses. The
// values of u.values hold afterwards, with their next uses. It returns false if there are
// too few registers.
func (a *allocator) spillUnit(b, pos int32, insts []mach.Inst) bool {
	u := &a.unit
	d := a.demand(insts)
	var missing [mach.NumClasses]int
	for i := range u.values {
		use := &u.values[i]
		if w := a.where[use.value]; w != 0 {
			a.held[a.class[use.value]][w-1].dist = use.after
		} else {
			missing[a.class[use.value]]++
		}
	}
	for c := range mach.NumClasses {
		if !d.constrained && len(a.held[c])+missing[c]+d.defs[c] <= a.k[c] {
			continue // nothing can be short
		}
		a.limitThrough(c, &d)
		if !a.limitBefore(c, &d, missing[c]) {
			return false
		}
	}
	for i := range u.values {
		a.readRegister(b, pos, &u.values[i])
	}
	return true
}

// limitThrough makes values of class c that live through the unit leave their registers
// until the rest fits. A value that the unit uses leaves after it.
func (a *allocator) limitThrough(c mach.Class, d *demand) {
	for a.throughCost(c, d) > a.room(d, c) {
		at := a.furthest(c)
		best := none
		if at >= 0 {
			best = a.weigh(a.held[c][at].value, a.held[c][at].dist)
		}
		var drop *unitUse
		for i := range a.unit.values {
			use := &a.unit.values[i]
			if a.class[use.value] != c || use.after == far {
				continue
			}
			if w := a.weigh(use.value, use.after); w > best {
				best, drop = w, use
			}
		}
		switch {
		case drop != nil:
			a.endAfter(drop)
		case at >= 0:
			a.release(c, at)
		default:
			return // only what the unit itself needs is left
		}
	}
}

// throughCost is how many of the registers of class c that the unit does not name it takes
// at most: for what lives through it, for operands and for definitions.
func (a *allocator) throughCost(c mach.Class, d *demand) int {
	cost := 0
	for _, n := range a.held[c] {
		if a.unit.mark[n.value] != a.unit.stamp {
			cost++
		}
	}
	ending := 0 // values that can be in any register that no fixed use has
	for i := range a.unit.values {
		use := &a.unit.values[i]
		if a.class[use.value] != c {
			continue
		}
		if use.after != far {
			cost++
		}
		switch {
		case !d.constrained:
		case use.tied > 0 || use.narrow:
			cost += max(1, use.overwritten())
		case !use.fixed && use.after == far:
			ending++
		}
	}
	if !d.constrained {
		return cost + d.defs[c]
	}
	spare := d.spare[c]
	if d.early[c] > 0 {
		spare = 0
	}
	return cost + d.free[c] + max(0, ending-spare)
}

// copies is how many values of class c need a second register because a definition takes
// the first while they live on, or another definition has it.
func (a *allocator) copies(c mach.Class) int {
	n := 0
	for i := range a.unit.values {
		use := &a.unit.values[i]
		if a.class[use.value] != c || use.tied == 0 {
			continue
		}
		n += use.overwritten()
		if use.after == far {
			n--
		}
	}
	return n
}

// overwritten is how many registers with the value the unit needs because definitions take
// them: one for each, and one more if operands are still to be read after an EarlyDef.
func (use *unitUse) overwritten() int {
	if use.early && use.reads > use.tied {
		return int(use.tied) + 1
	}
	return int(use.tied)
}

// endAfter makes the value of use leave its register after the unit.
func (a *allocator) endAfter(use *unitUse) {
	use.after = far
	if w := a.where[use.value]; w != 0 {
		a.held[a.class[use.value]][w-1].dist = far
	}
}

// limitBefore makes room for what the unit needs when it begins: its values, missing of
// which are not there yet, copies of them, and EarlyDefs. It returns false if that is
// impossible.
func (a *allocator) limitBefore(c mach.Class, d *demand, missing int) bool {
	for {
		want := len(a.held[c]) + missing
		if !d.constrained {
			want += d.early[c] + a.copies(c)
		}
		if want <= a.k[c] {
			return true
		}
		if i := a.furthest(c); i >= 0 {
			a.release(c, i)
			continue
		}
		i := slices.IndexFunc(a.unit.values, func(use unitUse) bool {
			return a.class[use.value] == c && use.tied > 0 && use.after != far
		})
		if i < 0 {
			return false
		}
		a.endAfter(&a.unit.values[i])
	}
}

// furthest is the index in held[c] of the value with the furthest next use, apart from
// those that the unit uses, or -1.
func (a *allocator) furthest(c mach.Class) int {
	best, at := none, -1
	for i, n := range a.held[c] {
		if a.unit.mark[n.value] == a.unit.stamp {
			continue
		}
		if w := a.weigh(n.value, n.dist); w > best {
			best, at = w, i
		}
	}
	return at
}

// readRegister makes sure that the value of use is in a register at instruction pos.
func (a *allocator) readRegister(b, pos int32, use *unitUse) {
	v := use.value
	if a.where[v] == 0 {
		a.hold(v, use.after)
		a.edit = append(a.edit, edit{pos, v})
		a.events.add(newEvent(v, b, reloads))
		a.seen[v] = b + 1
		if !a.constant[v] {
			a.readSlot(v, b, a.instTime(b, pos))
		}
		return
	}
	a.exposed(v, b)
}

// exposed notes that block b reads v in its register, if it is the first that happens to
// v there.
func (a *allocator) exposed(v, b int32) {
	if a.seen[v] != b+1 {
		a.seen[v] = b + 1
		a.events.add(newEvent(v, b, readsFirst))
	}
}

// holdDefs puts what the unit defines into registers, and drops what it used last.
func (a *allocator) holdDefs(b int32, insts []mach.Inst, after []int32) {
	for i := range a.unit.values {
		use := &a.unit.values[i]
		if use.after == far {
			a.release(a.class[use.value], int(a.where[use.value])-1)
		}
	}
	for i := range insts {
		args := insts[i].Args
		for j := range args {
			if args[j].Role == mach.Use || !args[j].Reg.Virtual() {
				continue
			}
			v := index(args[j].Reg)
			a.seen[v] = b + 1
			if after[j] != far {
				a.hold(v, after[j])
			}
		}
		after = after[len(args):]
	}
}

// leaveBlock notes what is in registers at the end of block b and passes on the arguments
// of its edges.
func (a *allocator) leaveBlock(b int32) {
	for _, e := range a.f.Blocks[b].Succs {
		for j, r := range e.Args {
			v := index(r)
			switch {
			case a.constant[v] || !a.used[index(a.f.Blocks[e.Block].Params[j])]:
			case a.where[v] != 0:
				a.exposed(v, b)
			default:
				a.events.add(newEvent(v, b, readsSlot))
				a.readSlot(v, b, a.endTime(b))
			}
		}
	}
	for e := a.edgeBase[b]; e < a.edgeBase[b+1]; e++ {
		if to := a.to[e]; a.pos[to] <= a.pos[b] {
			for _, v := range a.entry[to] {
				if a.where[v] == 0 && a.def[v] != to {
					a.addLack(e, v)
				}
			}
		}
	}
	for c := range a.held {
		for _, n := range a.held[c] {
			a.list = append(a.list, n.value)
			a.where[n.value] = 0
		}
		a.held[c] = a.held[c][:0]
	}
	a.exit[b] = a.lists.keep(a.list)
	a.list = a.list[:0]
}

// addLack notes that edge e leads to a register with v from a block without.
func (a *allocator) addLack(e, v int32) {
	a.lacks = append(a.lacks, lack{value: v, next: a.lackAt[e]})
	a.lackAt[e] = int32(len(a.lacks))
}

// findLack is the index in lacks of value v on edge e, or none.
func (a *allocator) findLack(e, v int32) int32 {
	for i := a.lackAt[e]; i != 0; i = a.lacks[i-1].next {
		if a.lacks[i-1].value == v {
			return i - 1
		}
	}
	return none
}
