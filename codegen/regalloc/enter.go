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
	partly := ahead // some value may be in a register at the end of some predecessors only
	switch {
	case b == 0: // nothing is anywhere when the function begins
	case ahead:
		a.enterLoop(b)
	default:
		partly = a.enterJoin(b)
	}
	for c := range a.wants {
		for _, n := range a.wants[c] {
			a.hold(n.value, a.distance(n.value, b))
			a.list = append(a.list, n.value)
		}
	}
	a.entry[b] = a.lists.keep(a.list)
	a.list = a.list[:0]
	if partly {
		a.noteLacks(b)
	}
	for _, p := range a.f.Blocks[b].Params {
		v := index(p)
		a.memoryParam[v] = a.where[v] == 0
		if a.where[v] != 0 {
			a.seen[v] = b + 1
		}
	}
}

// noteLacks finds what predecessors of b that are done do not have in registers, but b has.
func (a *allocator) noteLacks(b int32) {
	for _, e := range a.preds(b) {
		from := a.from[e]
		if a.pos[from] >= a.pos[b] {
			continue // leaveBlock sees to it
		}
		a.unit.stamp++
		for _, v := range a.exit[from] {
			a.unit.mark[v] = a.unit.stamp
		}
		for _, v := range a.entry[b] {
			if a.unit.mark[v] != a.unit.stamp && a.def[v] != b {
				a.addLack(e, v)
			}
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
	if d != far && a.constant[v] {
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
		} else if d < far && !a.constant[v] {
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
// the end of each of them, then what is at the end of some, by next use. It tells whether
// there are any of the latter.
func (a *allocator) enterJoin(b int32) (partly bool) {
	preds, params := a.preds(b), a.f.Blocks[b].Params
	for _, e := range preds {
		from := a.from[e]
		a.unit.stamp++
		for _, v := range a.exit[from] {
			a.unit.mark[v] = a.unit.stamp
			a.hits[v]++
		}
		for j, r := range a.args(e) {
			if v := index(r); a.unit.mark[v] == a.unit.stamp || a.constant[v] {
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
		if sure := int(hits) == len(preds); sure || d < exitCost && !a.constant[v] {
			a.candidate(v, a.weigh(v, d), sure)
		}
	}
	for _, e := range preds {
		for _, v := range a.exit[a.from[e]] {
			consider(v)
		}
	}
	for _, p := range params {
		consider(index(p))
	}
	for c := range a.wants {
		sure := nearest(a.wants[c], a.k[c])
		more := nearest(a.rest[c], a.k[c]-len(sure))
		a.wants[c] = append(sure, more...)
		partly = partly || len(more) > 0
	}
	return partly
}

// args are the arguments that edge e passes.
func (a *allocator) args(e int32) []mach.Reg {
	if !a.hasParams[a.to[e]] {
		return nil
	}
	b := a.from[e]
	return a.f.Blocks[b].Succs[e-a.edgeBase[b]].Args
}
