package regalloc

// liveness is what is known after spilling about register contents that are needed.
type liveness struct {
	liveIn    []int32 // values whose register at the beginning of a block is read, by block
	liveInAt  []int32 // by block: where its part of liveIn begins
	storeIn   []int32 // by value: block at whose beginning it is stored to its slot, or none: after its definition
	placed    []placedStore
	storeAt   []int32 // by block: one plus the index of its first entry in placed, 0 if none
	idoms     *tree   // made when it is first needed
	visited   []int32 // scratch by block: one plus the last value found live at its beginning
	remade    []int32 // scratch by block: one plus the last value reloaded in it
	liveWork  []int32 // scratch: blocks to visit
	pairs     bag[livePair]
	slotReads []int32 // scratch: blocks that read the slot of the value
}

// A placedStore is a value that a block stores at its beginning, in a list.
type placedStore struct {
	value, next int32
	last        bool // nothing else reads the register
}

// A livePair says that a value is live, in its register, at the beginning of a block.
type livePair struct{ value, block int32 }

// findLive finds for each value the blocks at whose beginning its register is needed, by
// walking back from its reads to its definition or reloads, and so the reloads on edges.
// A value is in at most k registers at a time, so the sum of the sets is linear.
// A. Appel and J. Palsberg, "Modern Compiler Implementation in Java", 2002, section 19.6.
func (a *allocator) findLive() error {
	blocks := len(a.f.Blocks)
	a.visited, a.remade = make([]int32, blocks), make([]int32, blocks)
	a.storeAt = make([]int32, blocks)
	a.storeIn = make([]int32, len(a.class))
	start, events := a.groupEvents()
	for v := range int32(len(a.class)) {
		a.storeIn[v] = none
		list := events[start[v]:start[v+1]]
		if len(list) == 0 {
			continue
		}
		a.slotReads = a.slotReads[:0]
		for _, ev := range list {
			b := ev.what >> 2
			switch ev.what & 3 {
			case readsFirst:
				a.liveWork = append(a.liveWork, b)
			case reloads:
				a.remade[b] = v + 1
				a.slotReads = append(a.slotReads, b)
			default:
				a.slotReads = append(a.slotReads, b)
			}
		}
		if ok := a.walkBack(v, true); !ok {
			return a.errorf(0, 0, "%s is used where it is not defined", a.name(v))
		}
		if a.spilled[v] && !a.memoryParam[v] {
			a.placeStore(v)
		}
	}
	a.groupLive()
	return nil
}

// groupEvents sorts the events by value, in their order, and returns where those of each
// value begin.
func (a *allocator) groupEvents() (start []int32, sorted []event) {
	start = make([]int32, len(a.class)+1)
	a.events.each(func(ev event) { start[ev.value+1]++ })
	for v := range a.class {
		start[v+1] += start[v]
	}
	sorted = make([]event, a.events.len())
	a.events.each(func(ev event) {
		sorted[start[ev.value]] = ev
		start[ev.value]++
	})
	a.events = bag[event]{}
	copy(start[1:], start)
	start[0] = 0
	return start, sorted
}

// groupLive sorts the pairs by block.
func (a *allocator) groupLive() {
	at := make([]int32, len(a.f.Blocks)+1)
	a.pairs.each(func(p livePair) { at[p.block+1]++ })
	for b := range a.f.Blocks {
		at[b+1] += at[b]
	}
	a.liveIn = make([]int32, a.pairs.len())
	a.pairs.each(func(p livePair) {
		a.liveIn[at[p.block]] = p.value
		at[p.block]++
	})
	a.pairs = bag[livePair]{}
	copy(at[1:], at)
	at[0] = 0
	a.liveInAt = at
}

// liveAt are the values whose registers block b needs at its beginning, parameters apart.
func (a *allocator) liveAt(b int32) []int32 {
	return a.liveIn[a.liveInAt[b]:a.liveInAt[b+1]]
}

// walkBack adds to pairs the blocks from whose beginning the register of v is needed by
// the blocks in liveWork. If reload is false and an edge had to reload v, or if the walk
// reaches the entry, it returns false.
func (a *allocator) walkBack(v int32, reload bool) bool {
	ok := true
	for len(a.liveWork) > 0 {
		b := a.liveWork[len(a.liveWork)-1]
		a.liveWork = a.liveWork[:len(a.liveWork)-1]
		if a.visited[b] == v+1 {
			continue
		}
		a.visited[b] = v + 1
		a.pairs.add(livePair{v, b})
		ok = ok && b != 0
		for _, e := range a.preds(b) {
			p := a.from[e]
			if i := a.findLack(e, v); i != none {
				ok = ok && reload
				if reload {
					a.reloadOnEdge(i, e)
				}
				continue
			}
			if a.def[v] != p && a.remade[p] != v+1 {
				a.liveWork = append(a.liveWork, p)
			}
		}
	}
	return ok
}

// contains tells whether the short list holds v.
func contains(list []int32, v int32) bool {
	for _, x := range list {
		if x == v {
			return true
		}
	}
	return false
}

// reloadOnEdge notes that edge e reloads the value of lacks[i].
func (a *allocator) reloadOnEdge(i, e int32) {
	a.lacks[i].reload = true
	v, from := a.lacks[i].value, a.from[e]
	a.slotReads = append(a.slotReads, from)
	if !a.constant[v] {
		a.readSlot(v, from, a.endTime(from))
	}
}

// reloadsOnEdge tells whether edge e reloads v.
func (a *allocator) reloadsOnEdge(e, v int32) bool {
	i := a.findLack(e, v)
	return i != none && a.lacks[i].reload
}

// cost is how often block b runs, roughly: what a store there costs.
func (a *allocator) cost(b int32) int32 {
	if a.f.Blocks[b].Cold {
		return 0
	}
	return 1 + a.depth[b]
}

// maxStoreSteps limits the search for a place to store a value.
const maxStoreSteps = 8

// placeStore decides where the spilled value v is stored: after its definition, or, if
// that is in a hotter block, at the beginning of one that dominates all reads of the slot
// and has v in its register on every way in.
func (a *allocator) placeStore(v int32) {
	def := a.def[v]
	best := a.cost(def)
	if best <= 1 && !a.anyCold || best == 0 {
		return
	}
	if a.idoms == nil {
		a.idoms = a.dominators(a.spanning)
	}
	b := a.slotReads[0]
	for _, x := range a.slotReads {
		b = a.idoms.common(b, x)
	}
	place := none
	for step := 0; step < maxStoreSteps && b != def && b != none; step++ {
		if a.cost(b) < best && contains(a.entry[b], v) {
			best, place = a.cost(b), b
		}
		h := a.loop[b]
		if h == none || a.within(def, h) {
			b = a.idoms.parent[b]
			continue
		}
		b = a.idoms.parent[a.loops.highest(h, func(h int32) bool { return !a.within(def, h) })]
	}
	if place == none {
		return
	}
	before := a.pairs.len()
	a.liveWork = append(a.liveWork, place)
	if !a.walkBack(v, false) {
		a.pairs.truncate(before) // some way in has v in its slot only
		return
	}
	a.storeIn[v] = place
	a.placed = append(a.placed, placedStore{value: v, next: a.storeAt[place]})
	a.storeAt[place] = int32(len(a.placed))
}
