package regalloc

import "shoal/codegen/mach"

// enterBlock chooses the values in registers at the beginning of block b. at and live hold
// the first uses in it.
func (a *allocator) enterBlock(b int32) {
	for c := range a.wants {
		a.wants[c], a.rest[c] = a.wants[c][:0], a.rest[c][:0]
	}
	ahead := false // a predecessor is still to come
	for _, e := range a.preds(b) {
		ahead = ahead || a.pos[a.from[e]] >= a.pos[b]
	}
	switch {
	case b == 0: // nothing is anywhere when the function begins
	case ahead:
		a.enterLoop(b)
	default:
		a.enterJoin(b)
	}
	for c := range a.wants {
		for _, n := range a.wants[c] {
			a.hold(n.value, a.distance(n.value, b))
			a.entry = append(a.entry, n.value)
		}
	}
	a.entryAt = append(a.entryAt, int32(len(a.entry)))
	for _, p := range a.f.Blocks[b].Params {
		v := index(p)
		a.memoryParam[v] = a.where[v] == 0
		if a.where[v] != 0 {
			a.seen[v] = b + 1
		}
	}
}

// distance is the next use of v from the beginning of b, whether or not v is a parameter.
func (a *allocator) distance(v, b int32) int32 {
	if a.def[v] == b && a.defAt[v] == none {
		return a.firstUse[v]
	}
	return a.at[v]
}

// candidate files v under wants or, if it is not sure of a register, under rest.
func (a *allocator) candidate(v, dist int32, sure bool) {
	c := a.class[v]
	if sure {
		a.wants[c] = append(a.wants[c], need{v, dist})
	} else {
		a.rest[c] = append(a.rest[c], need{v, dist})
	}
}

// rematFactor multiplies the distance of values that can be made anew: dropping one costs
// an instruction without memory, dropping another a load (optimizations §C.16, step 2).
const rematFactor = 4

// weigh is the distance d of value v as it counts against other values.
func (a *allocator) weigh(v, d int32) int32 {
	if d != far && a.remat(v) != nil {
		return min(d, far/rematFactor-1) * rematFactor
	}
	return d
}

// enterLoop chooses for a loop header: first what the loop uses, then as much of what
// lives through it as no point of the loop needs the register of. Braun and Hack,
// section 4.2.
func (a *allocator) enterLoop(b int32) {
	for _, v := range a.live {
		if d := a.weigh(v, a.at[v]); d < exitCost {
			a.candidate(v, d, true)
		} else if d < far && a.remat(v) == nil {
			a.candidate(v, d, false)
		}
	}
	for _, p := range a.f.Blocks[b].Params {
		v := index(p)
		if d := a.firstUse[v]; d < far {
			a.candidate(v, d, d < exitCost)
		}
	}
	for c := range a.wants {
		used := nearest(a.wants[c], a.k[c])
		pressure := int(a.pressure[b][c])
		if a.isHeader(b) {
			pressure = int(a.loopPressure[b][c])
		}
		room := 0
		if pressure < 2*a.k[c] { // else the pressure may be higher than known
			room = a.k[c] - max(len(used), pressure-len(a.rest[c]))
		}
		a.wants[c] = append(used, nearest(a.rest[c], max(room, 0))...)
	}
}

// enterJoin chooses for a block whose predecessors are all done: what is in a register at
// the end of each of them, then what is at the end of some, by next use.
func (a *allocator) enterJoin(b int32) {
	preds, params := a.preds(b), a.f.Blocks[b].Params
	for _, e := range preds {
		from := a.from[e]
		a.unit.stamp++
		for _, v := range a.exitOf(from) {
			a.unit.mark[v] = a.unit.stamp
			a.hits[v]++
		}
		for j, r := range a.args(e) {
			if v := index(r); a.unit.mark[v] == a.unit.stamp || a.remat(v) != nil {
				a.hits[index(params[j])]++
			}
		}
	}
	consider := func(v int32) {
		hits, d := a.hits[v], a.distance(v, b)
		a.hits[v] = 0
		if hits == 0 || d == far {
			return
		}
		if sure := int(hits) == len(preds); sure || d < exitCost && a.remat(v) == nil {
			a.candidate(v, a.weigh(v, d), sure)
		}
	}
	for _, e := range preds {
		for _, v := range a.exitOf(a.from[e]) {
			consider(v)
		}
	}
	for _, p := range params {
		consider(index(p))
	}
	for c := range a.wants {
		sure := nearest(a.wants[c], a.k[c])
		a.wants[c] = append(sure, nearest(a.rest[c], a.k[c]-len(sure))...)
	}
}

// args are the arguments that edge e passes.
func (a *allocator) args(e int32) []mach.Reg {
	b := a.from[e]
	return a.f.Blocks[b].Succs[e-a.edgeBase[b]].Args
}
