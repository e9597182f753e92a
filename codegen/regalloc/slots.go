package regalloc

import (
	"cmp"
	"slices"
)

// Times order what happens to stack slots along the linear order of blocks. An instruction
// has two: slots are read before it, at an even time, and written after it, at an odd one.
// The beginning and the end of a block are instructions in this sense.

// setTimes numbers the beginnings of blocks.
func (a *allocator) setTimes() {
	a.time = make([]int32, len(a.linear)+1)
	for i, b := range a.linear {
		a.time[i+1] = a.time[i] + 2*int32(len(a.f.Blocks[b].Insts)+2)
		a.anyCold = a.anyCold || a.f.Blocks[b].Cold
	}
}

// startTime, instTime and endTime are when slots are read at the beginning of block b,
// before its instruction i, and at its end.
func (a *allocator) startTime(b int32) int32   { return a.time[a.pos[b]] }
func (a *allocator) instTime(b, i int32) int32 { return a.time[a.pos[b]] + 2*(i+1) }
func (a *allocator) endTime(b int32) int32     { return a.time[a.pos[b]+1] - 2 }

// readSlot notes that the slot of v is read in block b at that time. If b is in a loop that
// v is not defined in, v keeps its slot to the end of the outermost such loop.
//
// In a reducible graph with contiguous loops this covers every point between the store
// and the read: a way from one to the other never enters the header of a loop around the
// definition, so it goes forward but for back edges of loops that do not contain it.
func (a *allocator) readSlot(v, b, time int32) {
	a.spilled[v] = true
	if h := a.loop[b]; h != none && !a.within(a.def[v], h) {
		h = a.loops.highest(h, func(h int32) bool { return !a.within(a.def[v], h) })
		time = a.endTime(a.linear[a.last[h]])
	}
	a.slotEnd[v] = max(a.slotEnd[v], time)
}

// slots says where spilled values are.
type slots struct {
	slot    []int32 // by value: its stack slot, none if it has none
	anyCold bool    // some block is seldom executed
}

// A lifetime is a value in memory, from its store to its last reload.
type lifetime struct{ value, start, end int32 }

// assignSlots gives stack slots to the spilled values: first chains of values joined by
// parameters that live one after the other, so that no edge copies from slot to slot, then
// slots to the chains in order of their beginnings, each the one that is free the longest.
// For intervals this needs as few slots as possible.
func (a *allocator) assignSlots() {
	a.slot = make([]int32, len(a.class))
	var lives []lifetime
	for v := range int32(len(a.class)) {
		a.slot[v] = none
		if a.spilled[v] && a.def[v] != none {
			lives = append(lives, lifetime{v, a.storeTime(v), a.slotEnd[v]})
		}
	}
	if a.irreducible { // lifetimes are not known
		for i, l := range lives {
			a.slot[l.value] = int32(i)
		}
		a.f.Slots = len(lives)
		return
	}
	slices.SortFunc(lives, func(x, y lifetime) int {
		if c := cmp.Compare(x.start, y.start); c != 0 {
			return c
		}
		return cmp.Compare(x.value, y.value)
	})
	chains, of := a.chain(lives)
	slot := a.packSlots(chains)
	for i, l := range lives {
		a.slot[l.value] = slot[of[i]]
	}
}

// storeTime is when the slot of v is first written.
func (a *allocator) storeTime(v int32) int32 {
	switch {
	case a.storeIn[v] != none:
		return a.startTime(a.storeIn[v]) + 1
	case a.defAt[v] == none:
		return a.startTime(a.def[v]) + 1
	}
	return a.instTime(a.def[v], a.defAt[v]) + 1
}

// chain groups lives, sorted by start, into chains and returns them as lifetimes of their
// first values, and the chain of each life.
func (a *allocator) chain(lives []lifetime) (chains []lifetime, of []int32) {
	at := make([]int32, len(a.class)) // by value: one plus its index in lives
	for i, l := range lives {
		at[l.value] = int32(i) + 1
	}
	start, partners := a.slotPartners(at, len(lives))
	of = make([]int32, len(lives))
	for i, l := range lives {
		of[i] = none
		for _, p := range partners[start[i]:start[i+1]] {
			if int(p) < i && chains[of[p]].end < l.start {
				of[i] = of[p]
				chains[of[i]].end = l.end
				break
			}
		}
		if of[i] == none {
			of[i] = int32(len(chains))
			chains = append(chains, l)
		}
	}
	return chains, of
}

// slotPartners lists for each life those that it should share a slot with: a parameter in
// memory and its arguments in memory. at is one plus the index of a value's life.
func (a *allocator) slotPartners(at []int32, n int) (start, partners []int32) {
	start = make([]int32, n+1)
	each := func(pair func(p, v int32)) {
		for e := range a.to {
			if !a.reachable(a.from[e]) {
				continue
			}
			params := a.f.Blocks[a.to[e]].Params
			for j, r := range a.args(int32(e)) {
				p, v := index(params[j]), index(r)
				if a.memoryParam[p] && at[p] != 0 && at[v] != 0 && p != v {
					pair(at[p]-1, at[v]-1)
				}
			}
		}
	}
	each(func(p, v int32) { start[p+1]++; start[v+1]++ })
	for i := range n {
		start[i+1] += start[i]
	}
	partners = make([]int32, start[n])
	each(func(p, v int32) {
		partners[start[p]], partners[start[v]] = v, p
		start[p]++
		start[v]++
	})
	copy(start[1:], start)
	start[0] = 0
	return start, partners
}

// packSlots gives a slot to each chain; chains are sorted by start.
func (a *allocator) packSlots(chains []lifetime) []int32 {
	slot := make([]int32, len(chains))
	var busy []lifetime // heap by end; value is the slot
	for i, c := range chains {
		if len(busy) > 0 && busy[0].end < c.start {
			slot[i] = busy[0].value
			busy[0].end = c.end
			siftDown(busy)
			continue
		}
		slot[i] = int32(a.f.Slots)
		a.f.Slots++
		busy = append(busy, lifetime{value: slot[i], end: c.end})
		siftUp(busy)
	}
	return slot
}

// siftUp restores the heap h after its last element was added.
func siftUp(h []lifetime) {
	for i := len(h) - 1; i > 0 && h[i].end < h[(i-1)/2].end; i = (i - 1) / 2 {
		h[i], h[(i-1)/2] = h[(i-1)/2], h[i]
	}
}

// siftDown restores the heap h after its first element grew.
func siftDown(h []lifetime) {
	for i := 0; 2*i+1 < len(h); {
		c := 2*i + 1
		if c+1 < len(h) && h[c+1].end < h[c].end {
			c++
		}
		if h[i].end <= h[c].end {
			return
		}
		h[i], h[c] = h[c], h[i]
		i = c
	}
}

// storedAtDef tells whether v is written to its slot right after its definition.
func (a *allocator) storedAtDef(v int32) bool {
	return a.spilled[v] && a.storeIn[v] == none && !a.memoryParam[v] && !a.constant[v]
}
