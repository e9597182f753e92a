package regalloc

import "shoal/codegen/mach"

// hints are what colouring would like to know about the future. Weights are one plus the
// loop depth of where a wish comes from, 0 for no wish.
type hints struct {
	kills                  [][]uint64 // by position of a block, by instruction: bit j if operand j is the last use of its value, or a definition that nobody reads
	hint                   []mach.Reg // by value: the register that an instruction will want it in
	lead                   []int32    // by value: one plus the parameter whose register it should have
	hintWeight, leadWeight []uint8
	avoid                  []mach.RegSet // by value: registers that it would be driven out of
	param                  []paramState  // by value

	liveList []int32 // scratch: values in registers
	livePos  []int32 // scratch by value: one plus its index in liveList
}

// A paramState says whether a parameter gets a register at the beginning of its block.
type paramState uint8

const (
	noRegister paramState = iota
	inRegister            // its register is read
	onlyStored            // its register is only stored to its slot
)

// seed walks all blocks backward. It finds the last uses of values, and the registers
// that they will be wanted in and driven out of.
func (a *allocator) seed() {
	n := len(a.class)
	a.kills = make([][]uint64, len(a.linear))
	a.hintWeight, a.leadWeight = make([]uint8, n), make([]uint8, n)
	a.hint, a.lead, a.avoid = make([]mach.Reg, n), make([]int32, n), make([]mach.RegSet, n)
	a.param, a.livePos = make([]paramState, n), make([]int32, n)
	all := make([]uint64, a.time[len(a.linear)]/2)
	for i := len(a.linear) - 1; i >= 0; i-- {
		b := a.linear[i]
		m := len(a.f.Blocks[b].Insts)
		a.kills[i], all = all[:m], all[m:]
		a.seedEdges(b)
		a.seedBlock(b, a.kills[i])
		a.seedTop(b)
	}
}

// enliven adds v to the live values and tells whether it is new.
func (a *allocator) enliven(v int32) bool {
	if a.livePos[v] != 0 {
		return false
	}
	a.liveList = append(a.liveList, v)
	a.livePos[v] = int32(len(a.liveList))
	return true
}

// bury takes v off the live values and tells whether it was among them.
func (a *allocator) bury(v int32) bool {
	at := a.livePos[v]
	if at == 0 {
		return false
	}
	last := a.liveList[len(a.liveList)-1]
	a.liveList = a.liveList[:len(a.liveList)-1]
	a.livePos[last] = at
	if last != v {
		a.liveList[at-1] = last
	}
	a.livePos[v] = 0
	return true
}

// seedEdges makes alive what the edges out of b read in registers.
func (a *allocator) seedEdges(b int32) {
	a.unit.stamp++
	for _, v := range a.exit[b] {
		a.unit.mark[v] = a.unit.stamp
	}
	for e := a.edgeBase[b]; e < a.edgeBase[b+1]; e++ {
		to := a.to[e]
		for _, v := range a.liveAt(to) {
			if !a.reloadsOnEdge(e, v) {
				a.enliven(v)
			}
		}
		back := a.pos[to] <= a.pos[b]
		for j, r := range a.args(e) {
			v, p := index(r), index(a.f.Blocks[to].Params[j])
			if !a.used[p] || a.constant[v] {
				continue
			}
			if a.unit.mark[v] == a.unit.stamp {
				a.enliven(v)
			}
			weight := 1 + uint8(min(a.depth[b], a.depth[to], 254))
			if weight > a.leadWeight[v] || weight == a.leadWeight[v] && back {
				a.lead[v], a.leadWeight[v] = p+1, weight
			}
			if a.hint[v] == 0 && a.hintWeight[p] >= weight {
				a.hint[v], a.hintWeight[v] = a.hint[p], a.hintWeight[p]
			}
			a.avoid[v] |= a.avoid[p]
		}
	}
}

// seedBlock walks block b backward.
func (a *allocator) seedBlock(b int32, kills []uint64) {
	bl := &a.f.Blocks[b]
	edits := a.edits[b]
	for end := len(bl.Insts); end > 0; {
		start := end - 1
		if start >= bl.Branch {
			start = bl.Branch
		}
		if insts := bl.Insts[start:end]; !a.isConstDef(&insts[0]) {
			a.seedUnit(insts, kills[start:end], b)
		}
		for len(edits) > 0 && int(edits[len(edits)-1].inst) == start {
			a.bury(edits[len(edits)-1].value)
			edits = edits[:len(edits)-1]
		}
		end = start
	}
}

// seedUnit walks over one unit, backward.
func (a *allocator) seedUnit(insts []mach.Inst, kills []uint64, b int32) {
	weight := 1 + uint8(min(a.depth[b], 254))
	constrained := false
	for i := range insts {
		constrained = constrained || a.isConstrained(&insts[i])
		for j := range insts[i].Args {
			o := &insts[i].Args[j]
			if o.Role != mach.Use && o.Reg.Virtual() && !a.bury(index(o.Reg)) {
				kills[i] |= 1 << j
			}
		}
	}
	if constrained && !a.f.Blocks[b].Cold {
		d := a.demand(insts)
		for _, v := range a.liveList {
			a.avoid[v] |= d.named[a.class[v]]
		}
	}
	for i := range insts {
		in := &insts[i]
		for j := range in.Args {
			o := &in.Args[j]
			if o.Role != mach.Use || !o.Reg.Virtual() || !a.enliven(index(o.Reg)) {
				continue
			}
			kills[i] |= 1 << j
			if v := index(o.Reg); a.isFixed(o, a.class[v]) && weight >= a.hintWeight[v] {
				a.hint[v], a.hintWeight[v] = lowest(a.allowed(o, a.class[v])), weight
			}
		}
		a.seedPairs(in, kills[i])
	}
}

// seedPairs hands the hints of definitions to the operands that should share their
// registers, if those are used for the last time.
func (a *allocator) seedPairs(in *mach.Inst, kills uint64) {
	pass := func(d, u int) {
		to, from := index(in.Args[u].Reg), index(in.Args[d].Reg)
		if kills>>u&1 == 0 {
			return
		}
		if a.hint[to] == 0 {
			a.hint[to], a.hintWeight[to] = a.hint[from], a.hintWeight[from]
		}
		if a.lead[to] == 0 {
			a.lead[to], a.leadWeight[to] = a.lead[from], a.leadWeight[from]
		}
	}
	for j := range in.Args {
		if o := &in.Args[j]; o.Role != mach.Use && o.Tied > 0 && o.Reg.Virtual() {
			pass(j, int(o.Tied)-1)
		}
	}
	if a.isCopy(in) {
		pass(0, 1)
	}
}

// isCopy tells whether in is a Move between virtual registers.
func (a *allocator) isCopy(in *mach.Inst) bool {
	if len(in.Args) != 2 || in.Args[0].Role != mach.Def || in.Args[1].Role != mach.Use {
		return false
	}
	to, from := in.Args[0].Reg, in.Args[1].Reg
	return to.Virtual() && from.Virtual() && a.k[a.class[index(to)]] > 1 && in.Op == a.moves[a.class[index(to)]]
}

// seedTop ends the walk over block b at its beginning, and checks that what is alive
// there is what findLive found.
func (a *allocator) seedTop(b int32) {
	for i := a.storeAt[b]; i != 0; i = a.placed[i-1].next {
		a.placed[i-1].last = a.enliven(a.placed[i-1].value)
	}
	for _, p := range a.f.Blocks[b].Params {
		v := index(p)
		switch {
		case a.bury(v):
			a.param[v] = inRegister
		case a.storedAtDef(v):
			a.param[v] = onlyStored
		}
	}
	if len(a.liveList) != len(a.liveAt(b)) {
		panic(a.errorf(b, 0, "%d registers are live, but %d by walking back", len(a.liveList), len(a.liveAt(b))))
	}
	for _, v := range a.liveList {
		a.livePos[v] = 0
	}
	a.liveList = a.liveList[:0]
}
