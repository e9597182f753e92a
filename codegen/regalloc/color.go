package regalloc

import (
	"math/bits"

	"shoal/codegen/mach"
)

// colors is the state of the walk that gives out registers, and its result on edges.
type colors struct {
	home    []mach.Reg               // by value: its register now, if it is in one
	holder  [mach.FirstVirtual]int32 // by register: the value in it now, or none
	free    [mach.NumClasses]mach.RegSet
	wanted  []mach.Reg // by value: the register of the first value that leads to this parameter
	inReg   []mach.Reg // parallel to liveIn: the register at the beginning of the block
	paramIn []mach.Reg // by value: register of a parameter at the beginning of its block
	out     [][]held   // by block: values in registers at its end
	outs    slab[held]

	leaving []mach.Reg // scratch by value: register at the end of the block that loadExit loaded
	values  []int32    // scratch: values of the operands of the unit, none for real registers
	dying   []int32    // scratch: values that the unit uses last
	stores  []int32    // scratch: values to store after the unit
	dead    []int32    // scratch: values that the unit defines and nobody reads
	code    code
	emitter emitter
	pinned  pinned
}

// A held is a value in a register.
type held struct {
	value int32
	reg   mach.Reg
}

// lowest is the lowest register in s.
func lowest(s mach.RegSet) mach.Reg { return mach.Reg(bits.TrailingZeros64(uint64(s))) }

// color walks the blocks in linear order and gives a register to every value that is in
// one. There is always one free, because spilling has seen to it.
func (a *allocator) color() error {
	n := len(a.class)
	a.home, a.wanted, a.paramIn, a.leaving = make([]mach.Reg, n), make([]mach.Reg, n), make([]mach.Reg, n), make([]mach.Reg, n)
	a.inReg = make([]mach.Reg, len(a.liveIn))
	a.out = make([][]held, len(a.f.Blocks))
	for r := range a.holder {
		a.holder[r] = none
	}
	a.emitter.a = a
	for _, b := range a.linear {
		if err := a.colorBlock(b); err != nil {
			return err
		}
	}
	return nil
}

// colorBlock gives out registers in block b.
func (a *allocator) colorBlock(b int32) error {
	bl := &a.f.Blocks[b]
	a.code.begin(bl)
	for c := range a.free {
		a.free[c] = a.all[c]
	}
	a.openBlock(b)
	edits := a.edits[b]
	kills := a.kills[a.pos[b]]
	branch := -1
	for i := 0; i < len(bl.Insts); {
		end := unitEnd(bl, i)
		insts := bl.Insts[i:end]
		for len(edits) > 0 && int(edits[0].inst) == i {
			a.remake(edits[0].value, insts)
			edits = edits[1:]
		}
		if a.isConstDef(&insts[0]) {
			a.code.keep(true)
			i = end
			continue
		}
		if err := a.colorUnit(b, int32(i), insts, kills[i:end]); err != nil {
			return err
		}
		if i == bl.Branch {
			branch = a.code.len()
		}
		for j := range insts {
			a.code.keep(a.isSelfMove(&insts[j]))
		}
		a.closeUnit()
		i = end
	}
	if branch < 0 {
		branch = a.code.len()
	}
	reserve := 0
	if len(bl.Succs) == 1 {
		reserve = edgeReserve
	}
	bl.Insts = a.code.end(reserve)
	bl.Branch = branch
	var room [mach.FirstVirtual]held
	list := room[:0]
	for s := a.taken(); s != 0; s &= s - 1 {
		r := lowest(s)
		list = append(list, held{a.holder[r], r})
		a.holder[r] = none
	}
	a.out[b] = a.outs.keep(list)
	return nil
}

// taken are the registers that hold a value.
func (a *allocator) taken() mach.RegSet {
	return a.all[mach.General]&^a.free[mach.General] | a.all[mach.Float]&^a.free[mach.Float]
}

// take gives register r to value v.
func (a *allocator) take(v int32, r mach.Reg) {
	a.home[v], a.holder[r] = r, v
	a.free[a.class[v]] &^= 1 << r
	a.f.Used |= 1 << r
	if l := a.lead[v]; l != 0 && a.wanted[l-1] == 0 {
		a.wanted[l-1] = r
	}
}

// give frees the register of v.
func (a *allocator) give(v int32) {
	r := a.home[v]
	a.holder[r] = none
	a.free[a.class[v]] |= 1 << r
}

// maxLeads is how many parameters ahead a value looks for one that has a register.
const maxLeads = 4

// choose is the register of set that v would like best. set is not empty.
//
// Registers that v would be driven out of come last. Of the rest, an instruction that wants
// v in one register comes before the register of the parameter that v ends up in, unless
// it is in a shallower loop; and a register to be saved for the caller is only begun if v
// would be driven out of the others.
func (a *allocator) choose(v int32, set mach.RegSet) mach.Reg {
	if calm := set &^ a.avoid[v]; calm != 0 {
		set = calm
	}
	hint := a.hint[v]
	if hint != 0 && set.Has(hint) && a.hintWeight[v] >= a.leadWeight[v] {
		return hint
	}
	for step, p := 0, v; step < maxLeads; step++ {
		if r := a.wanted[p]; r != 0 && set.Has(r) {
			return r
		}
		if a.lead[p] == 0 {
			break
		}
		p = a.lead[p] - 1
	}
	if hint != 0 && set.Has(hint) {
		return hint
	}
	if cheap := set & (a.f.Used | ^a.file.CalleeSaved); cheap != 0 {
		set = cheap
	}
	for _, r := range a.order[a.class[v]] {
		if set.Has(r) {
			return r
		}
	}
	return lowest(set)
}

// openBlock sets up the registers at the beginning of block b.
func (a *allocator) openBlock(b int32) {
	e := a.mainPred(b)
	if e != none {
		a.loadExit(a.from[e])
		a.stayInPlace(b, e)
	}
	base := a.liveInAt[b]
	for i, v := range a.liveAt(b) {
		if in := &a.inReg[base+int32(i)]; *in == 0 {
			*in = a.choose(v, a.free[a.class[v]])
			a.take(v, *in)
		}
	}
	for _, p := range a.f.Blocks[b].Params {
		v := index(p)
		if a.param[v] != noRegister && a.paramIn[v] == 0 {
			a.paramIn[v] = a.choose(v, a.free[a.class[v]])
			a.take(v, a.paramIn[v])
		}
		if a.paramIn[v] != 0 {
			a.wanted[v] = a.paramIn[v]
		}
	}
	if e != none && a.onlyPred(e) {
		for _, in := range a.copyOnEdge(e) {
			a.code.put(in)
		}
	}
	a.storeFirst(b)
}

// stayInPlace leaves what it can where the source of edge e has it: values that live on,
// unless the loop that e enters would drive them out, and arguments that become
// parameters, unless an instruction will want those elsewhere.
func (a *allocator) stayInPlace(b, e int32) {
	entering := a.isHeader(b) && !a.within(a.from[e], b)
	list := a.liveAt(b)
	regs := a.inReg[a.liveInAt[b]:a.liveInAt[b+1]]
	for i, v := range list {
		if a.leaves(v) && !a.reloadsOnEdge(e, v) {
			regs[i] = a.leaving[v]
			a.take(v, regs[i])
		}
	}
	for i, v := range list {
		calm := a.free[a.class[v]] &^ a.avoid[v]
		if entering && regs[i] != 0 && a.avoid[v].Has(regs[i]) && calm != 0 {
			a.give(v)
			regs[i] = a.choose(v, calm)
			a.take(v, regs[i])
		}
	}
	for j, r := range a.args(e) {
		arg, v := index(r), index(a.f.Blocks[b].Params[j])
		if a.param[v] == noRegister || !a.leaves(arg) {
			continue
		}
		r := a.leaving[arg]
		if a.free[a.class[v]].Has(r) && !a.avoid[v].Has(r) && (a.hint[v] == 0 || a.hint[v] == r) {
			a.paramIn[v] = r
			a.take(v, r)
		}
	}
}

// storeFirst stores what block b stores at its beginning, and frees registers that nobody
// else reads.
func (a *allocator) storeFirst(b int32) {
	for _, p := range a.f.Blocks[b].Params {
		if v := index(p); a.param[v] != noRegister && a.storedAtDef(v) {
			a.store(v)
		}
	}
	for i := a.storeAt[b]; i != 0; i = a.placed[i-1].next {
		a.store(a.placed[i-1].value)
	}
	for _, p := range a.f.Blocks[b].Params {
		if v := index(p); a.param[v] == onlyStored {
			a.give(v)
		}
	}
	for i := a.storeAt[b]; i != 0; i = a.placed[i-1].next {
		if a.placed[i-1].last {
			a.give(a.placed[i-1].value)
		}
	}
}

// loadExit makes leaving and leaves speak of the end of block b.
func (a *allocator) loadExit(b int32) {
	a.unit.stamp++
	for _, h := range a.out[b] {
		a.unit.mark[h.value] = a.unit.stamp
		a.leaving[h.value] = h.reg
	}
}

// leaves tells whether v is in a register at the end of the block that loadExit loaded.
func (a *allocator) leaves(v int32) bool { return a.unit.mark[v] == a.unit.stamp }

// mainPred is the edge into b that b's registers at its beginning follow: from a block
// that is done, the hottest of these.
func (a *allocator) mainPred(b int32) int32 {
	best := none
	for _, e := range a.preds(b) {
		if a.pos[a.from[e]] < a.pos[b] && (best == none || a.cost(a.from[e]) > a.cost(a.from[best])) {
			best = e
		}
	}
	return best
}

// store emits the store of v to its slot.
func (a *allocator) store(v int32) {
	a.code.put(a.m.Store(a.class[v], int(a.slot[v]), a.home[v]))
}

// remake brings v into a register again, for the unit insts.
func (a *allocator) remake(v int32, insts []mach.Inst) {
	c := a.class[v]
	set := a.free[c]
	r := mach.NoReg
	for i := range insts {
		for j := range insts[i].Args {
			o := &insts[i].Args[j]
			if o.Reg == mach.FirstVirtual+mach.Reg(v) && set&a.allowed(o, c) != 0 {
				set &= a.allowed(o, c)
				if set&(set-1) == 0 {
					r = lowest(set)
				}
			}
		}
	}
	if r == mach.NoReg {
		r = a.choose(v, set)
	}
	a.take(v, r)
	if a.constant[v] {
		a.code.put(a.again(v, r))
		return
	}
	a.code.put(a.m.Load(c, r, int(a.slot[v])))
}

// again is the instruction that makes v anew in r.
func (a *allocator) again(v int32, r mach.Reg) mach.Inst {
	in := *a.remat(v)
	args := append([]mach.Operand(nil), in.Args...)
	for j := range args {
		if args[j].Role != mach.Use {
			args[j].Reg = r
		}
	}
	in.Args = args
	return in
}

// colorUnit gives registers to the operands of a unit and emits what must come before it.
func (a *allocator) colorUnit(b, pos int32, insts []mach.Inst, kills []uint64) error {
	constrained := false
	a.values, a.dying = a.values[:0], a.dying[:0]
	a.unit.stamp++
	for i := range insts {
		constrained = constrained || a.isConstrained(&insts[i])
		a.f.Used |= insts[i].Clobber
		for j := range insts[i].Args {
			o := &insts[i].Args[j]
			if !o.Reg.Virtual() {
				a.values = append(a.values, none)
				continue
			}
			v := index(o.Reg)
			a.values = append(a.values, v)
			if o.Role == mach.Use && kills[i]>>j&1 != 0 {
				a.dying = append(a.dying, v)
				a.unit.mark[v] = a.unit.stamp
			}
			if o.Role != mach.Use && kills[i]>>j&1 != 0 {
				a.dead = append(a.dead, v)
			}
			if o.Role != mach.Use && a.storedAtDef(v) {
				a.stores = append(a.stores, v)
			}
		}
	}
	ok := false
	if constrained {
		ok = a.pinUnit(insts)
	} else {
		ok = a.plainUnit(insts)
	}
	if !ok {
		return a.errorf(b, pos, "needs more registers than there are")
	}
	return nil
}

// dies tells whether the unit at hand is the last to use the register of v.
func (a *allocator) dies(v int32) bool { return a.unit.mark[v] == a.unit.stamp }

// closeUnit stores what the unit defined and frees what nobody reads.
func (a *allocator) closeUnit() {
	for _, v := range a.stores {
		a.store(v)
	}
	for _, v := range a.dead {
		a.give(v)
	}
	a.stores, a.dead = a.stores[:0], a.dead[:0]
}

// isSelfMove tells whether in copies a register to itself.
func (a *allocator) isSelfMove(in *mach.Inst) bool {
	if len(in.Args) != 2 || in.Args[0].Reg != in.Args[1].Reg || in.Args[0].Role != mach.Def || in.Args[1].Role != mach.Use {
		return false
	}
	c := a.file.Class[in.Args[0].Reg]
	return a.k[c] > 1 && in.Op == a.moves[c] && a.all[c].Has(in.Args[0].Reg)
}

// plainUnit gives registers to the operands of a unit that names none. Values stay where
// they are; only a definition tied to a value that lives on needs a copy of it.
func (a *allocator) plainUnit(insts []mach.Inst) bool {
	values := a.values
	for i := range insts {
		args := insts[i].Args
		for j := range args {
			if v := values[j]; args[j].Role == mach.Use && v != none {
				args[j].Reg = a.home[v]
			}
		}
		if !a.plainTied(args, values) || !a.plainDefs(args, values, mach.EarlyDef) {
			return false
		}
		values = values[len(args):]
	}
	for _, v := range a.dying {
		if a.holder[a.home[v]] == v {
			a.give(v)
		}
	}
	values = a.values
	for i := range insts {
		if !a.plainDefs(insts[i].Args, values, mach.Def) {
			return false
		}
		values = values[len(insts[i].Args):]
	}
	return true
}

// plainTied gives registers to the tied definitions among args.
func (a *allocator) plainTied(args []mach.Operand, values []int32) bool {
	for j := range args {
		if args[j].Role == mach.Use || args[j].Tied == 0 {
			continue
		}
		d, u := values[j], &args[args[j].Tied-1]
		v := values[args[j].Tied-1]
		alone := args[j].Role == mach.Def || !readTwice(v, args, values)
		if a.dies(v) && alone && a.holder[a.home[v]] == v {
			args[j].Reg = a.home[v]
			a.take(d, args[j].Reg)
			continue
		}
		set := a.free[a.class[d]]
		if set == 0 {
			return false
		}
		r := a.choose(d, set)
		a.code.put(a.m.Move(a.class[d], r, u.Reg))
		u.Reg, args[j].Reg = r, r
		a.take(d, r)
	}
	return true
}

// readTwice tells whether more than one of args reads v.
func readTwice(v int32, args []mach.Operand, values []int32) bool {
	n := 0
	for j := range args {
		if args[j].Role == mach.Use && values[j] == v {
			n++
		}
	}
	return n > 1
}

// plainDefs gives registers to the definitions of that role among args that are not tied.
func (a *allocator) plainDefs(args []mach.Operand, values []int32, role mach.Role) bool {
	for j := range args {
		d := values[j]
		if args[j].Role != role || args[j].Tied != 0 || d == none {
			continue
		}
		set := a.free[a.class[d]]
		if set == 0 {
			return false
		}
		args[j].Reg = a.choose(d, set)
		a.take(d, args[j].Reg)
	}
	return true
}
