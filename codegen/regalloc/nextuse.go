package regalloc

import "shoal/codegen/mach"

// Distances count instructions from a point to the next use of a value.
const (
	// exitCost is added for leaving a loop: what the loop needs is nearer than anything
	// behind it (Braun and Hack, section 4.1).
	exitCost = 100_000
	// coldCost is added for entering a block that is seldom executed.
	coldCost = 10_000
	// far is the distance of what is not needed, or not known to be.
	far = int32(1) << 30
)

// A need is a value and the distance to its next use.
type need struct{ value, dist int32 }

// before orders needs; the value decides among equals, so that the order is total.
func (x need) before(y need) bool {
	return x.dist < y.dist || x.dist == y.dist && x.value < y.value
}

// nextUses says for each block which values are needed soonest from its beginning, of each
// class at most keep. What is beyond them could not
// stay in a register anyway; spilling takes it for dead, which costs a reload if it is
// not, but is never wrong.
type nextUses struct {
	needs    [][]need                 // by block
	pressure [][mach.NumClasses]uint8 // by block: registers wanted at its worst point, up to 255
	firstUse []int32                  // by value: of a parameter, distance from its block's beginning
	used     []bool                   // by value: whether anything uses it

	at    []int32                // scratch by value: position of the next use in this block, or far
	live  []int32                // scratch: the values that have had one
	count [mach.NumClasses]int32 // scratch: how many of each class have one now
	slab  []need                 // what is left of the slab that needs are cut from
	wants [mach.NumClasses][]need
}

// findNextUses computes nextUses: a round backward, which walks over each outermost loop
// twice, because the second time it knows what loop headers need; then one forward, in
// which the blocks of inner loops inherit what outer loops need. F. Brandner et al., "Computing Liveness Sets for SSA-Form Programs", INRIA
// RR-7503, 2011, use the forward round with exact sets.
func (a *allocator) findNextUses() {
	n := len(a.f.Blocks)
	a.needs = make([][]need, n)
	a.pressure = make([][mach.NumClasses]uint8, n)
	a.firstUse = make([]int32, len(a.class))
	a.at = make([]int32, len(a.class))
	for v := range a.at {
		a.at[v] = far
	}
	deepest := int32(0)
	for _, b := range a.linear {
		deepest = max(deepest, a.depth[b])
	}
	for i := len(a.linear) - 1; i >= 0; i-- {
		b := a.linear[i]
		a.scanAndStore(b)
		if !a.isHeader(b) || a.outer[b] != none {
			continue
		}
		for j := a.last[b]; int(j) >= i; j-- {
			a.scanAndStore(a.linear[j])
		}
	}
	if deepest > 1 {
		a.inheritNeeds()
	}
}

// scanAndStore finds the needs of block b from those of its successors.
func (a *allocator) scanAndStore(b int32) {
	a.scanBlock(b, nil)
	a.storeNeeds(b)
	a.clearUses()
}

// clearUses ends the work with at, live and count.
func (a *allocator) clearUses() {
	for _, v := range a.live {
		a.at[v] = far
	}
	a.live = a.live[:0]
	a.count = [mach.NumClasses]int32{}
}

// useAt notes that value v is next used at pos.
func (a *allocator) useAt(v, pos int32) {
	if a.at[v] == far {
		a.live = append(a.live, v)
		a.count[a.class[v]]++
	}
	a.at[v] = pos
}

// scanBlock walks block b backward. Afterwards at holds the first use of each value from
// the beginning of the block. If after is not nil, it gets for each operand of the block
// in turn the position of the next use of its value after the operand's unit.
func (a *allocator) scanBlock(b int32, after []int32) {
	bl := &a.f.Blocks[b]
	a.scanEnd(b)
	var worst [mach.NumClasses]int32
	slot := len(after)
	for end := len(bl.Insts); end > 0; {
		start := end - 1
		if start >= bl.Branch {
			start = bl.Branch
		}
		if after != nil {
			slot = a.noteAfter(bl.Insts[start:end], after, slot)
		}
		a.scanUnit(bl.Insts[start:end], int32(start), &worst)
		end = start
	}
	for _, p := range bl.Params {
		v := index(p)
		a.firstUse[v] = a.at[v]
		a.at[v] = far
	}
	for c, n := range worst {
		a.pressure[b][c] = uint8(min(n, 255))
	}
}

// scanEnd notes what is used beyond the end of block b.
func (a *allocator) scanEnd(b int32) {
	bl := &a.f.Blocks[b]
	for k := range bl.Succs {
		e := a.edgeBase[b] + int32(k)
		to := a.to[e]
		length := int32(len(bl.Insts)) + 1 + exitCost*a.exits(e)
		if a.f.Blocks[to].Cold && !bl.Cold {
			length += coldCost
		}
		for _, n := range a.needs[to] {
			if d := min(n.dist+length, far-1); d < a.at[n.value] {
				a.useAt(n.value, d)
			}
		}
		for j, r := range bl.Succs[k].Args {
			v, p := index(r), index(a.f.Blocks[to].Params[j])
			first := a.firstUse[p]
			if a.constant[v] || first == far {
				continue
			}
			if d := min(first+length, far-1); d < a.at[v] {
				a.useAt(v, d)
			}
		}
	}
}

// noteAfter fills the part of after, ending at slot, that belongs to the unit insts.
func (a *allocator) noteAfter(insts []mach.Inst, after []int32, slot int) int {
	for i := len(insts) - 1; i >= 0; i-- {
		args := insts[i].Args
		slot -= len(args)
		for j := range args {
			after[slot+j] = far
			if args[j].Reg.Virtual() {
				after[slot+j] = a.at[index(args[j].Reg)]
			}
		}
	}
	return slot
}

// scanUnit walks over one unit, backward, and notes the pressure after, in and before it.
func (a *allocator) scanUnit(insts []mach.Inst, pos int32, worst *[mach.NumClasses]int32) {
	after := a.count // living through; dead definitions need a register too
	total := a.count
	for i := range insts {
		for j := range insts[i].Args {
			o := &insts[i].Args[j]
			if o.Role == mach.Use || !o.Reg.Virtual() {
				continue
			}
			v := index(o.Reg)
			if c := a.class[v]; a.at[v] == far {
				total[c]++
			} else {
				after[c]--
				a.count[c]--
				a.at[v] = far
			}
		}
	}
	if len(insts) == 1 && a.isConstrained(&insts[0]) {
		d := a.demand(insts)
		for c := range mach.NumClasses {
			total[c] = max(total[c], after[c]+int32(a.k[c]-a.room(&d, c)))
		}
	}
	for i := range insts {
		for j := range insts[i].Args {
			if o := &insts[i].Args[j]; o.Role == mach.Use && o.Reg.Virtual() {
				a.useAt(index(o.Reg), pos)
			}
		}
	}
	for c := range worst {
		worst[c] = max(worst[c], total[c], a.count[c])
	}
}

// storeNeeds keeps the nearest uses from the beginning of block b.
func (a *allocator) storeNeeds(b int32) {
	for c := range a.wants {
		a.wants[c] = a.wants[c][:0]
	}
	for _, v := range a.live {
		if d := a.at[v]; d != far {
			c := a.class[v]
			a.wants[c] = append(a.wants[c], need{v, d})
		}
	}
	total := 0
	for c, list := range a.wants {
		a.wants[c] = nearest(list, a.keep(b, mach.Class(c)))
		total += len(a.wants[c])
	}
	if total > cap(a.needs[b]) {
		if total > len(a.slab) {
			a.slab = make([]need, max(total, 1<<14))
		}
		a.needs[b] = a.slab[:0:total]
		a.slab = a.slab[total:]
	}
	a.needs[b] = a.needs[b][:0]
	for _, list := range a.wants {
		a.needs[b] = append(a.needs[b], list...)
	}
}

// keep is how many needs of class c block b remembers: more than there are registers,
// because not all that is needed soonest is in one. In loops it is also a matter of knowing
// the pressure, see enterLoop.
func (a *allocator) keep(b int32, c mach.Class) int {
	if a.depth[b] > 0 {
		return 2 * a.k[c]
	}
	return a.k[c] + (a.k[c]+1)/2
}

// nearest moves the n smallest needs to the front of list and returns them, in no order:
// Hoare's selection, with the middle one of three as pivot.
func nearest(list []need, n int) []need {
	if len(list) <= n {
		return list
	}
	lo, hi := 0, len(list)-1
	for lo < hi {
		x, y, z := list[lo], list[lo+(hi-lo)/2], list[hi]
		if y.before(x) {
			x, y = y, x
		}
		if z.before(y) {
			y = z
			if y.before(x) {
				y = x
			}
		}
		i, j := lo, hi
		for i <= j {
			for list[i].before(y) {
				i++
			}
			for y.before(list[j]) {
				j--
			}
			if i <= j {
				list[i], list[j] = list[j], list[i]
				i++
				j--
			}
		}
		switch {
		case n-1 <= j:
			hi = j
		case n-1 >= i:
			lo = i
		default:
			lo = hi
		}
	}
	return list[:n]
}

// inheritNeeds adds to the needs of each block in an inner loop those of the header around
// it, which every path back to that header can see. Blocks come after their headers.
func (a *allocator) inheritNeeds() {
	for _, b := range a.linear {
		h := a.loop[b]
		if h == b {
			h = a.outer[b]
		}
		if h == none || a.depth[b] < 2 {
			continue
		}
		for _, n := range a.needs[b] {
			a.useAt(n.value, n.dist)
		}
		added := false
		for _, n := range a.needs[h] {
			if a.at[n.value] == far {
				a.useAt(n.value, min(n.dist+exitCost, far-1))
				added = true
			}
		}
		if added {
			a.storeNeeds(b)
		}
		a.clearUses()
	}
}
