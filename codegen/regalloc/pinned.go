package regalloc

import "shoal/codegen/mach"

// pinned is scratch for instructions that name registers.
type pinned struct {
	pins    []pin
	at      [mach.FirstVirtual]int // by register: one plus the pin placed there
	operand []int                  // by operand of the unit: its pin, or -1
	defReg  []mach.Reg             // by operand: register of a definition that is fixed or nearly so
	tied    []mach.Role            // by operand: role of the definition tied to it, or Use
	of      []int                  // by pin of a definition: its operand
}

// A pin is a value that has to be in some register when the unit begins: for an operand,
// or because it lives through the unit.
type pin struct {
	value   int32
	allow   mach.RegSet
	reg     mach.Reg // where it was placed
	through bool     // it lives through the unit in that register
	own     bool     // an EarlyDef overwrites it: no other operand can read it there
}

// pinUnit gives registers to the operands of a unit that names some. It decides where every
// value in a register and every operand has to be, leaves as many as it can where they
// are, and moves the rest by one parallel copy before the unit. It returns false if the
// machine asks for the impossible.
func (a *allocator) pinUnit(insts []mach.Inst) bool {
	d := a.demand(insts)
	w := writes{named: d.named[mach.General] | d.named[mach.Float]}
	for i := range insts {
		w.clobber |= insts[i].Clobber
	}
	if !a.narrowDefs(insts, &w) {
		return false
	}
	a.makePins(insts, &w)
	if !a.pinned.place(a) {
		return false
	}
	a.movePins()
	return a.pinnedDefs(insts, &w)
}

// writes are sets of registers that a unit touches.
type writes struct {
	named   mach.RegSet // of fixed operands, and clobbered: nothing lives through in them
	clobber mach.RegSet // left with rubbish
	defs    mach.RegSet // of definitions, as far as they are decided
	early   mach.RegSet // of these, EarlyDefs
}

// narrowDefs decides on registers for definitions that cannot be everywhere.
func (a *allocator) narrowDefs(insts []mach.Inst, w *writes) bool {
	p := &a.pinned
	p.pins, p.defReg = p.pins[:0], p.defReg[:0]
	var fixedUses mach.RegSet
	a.eachOperand(insts, func(o *mach.Operand, _ int) {
		p.defReg = append(p.defReg, mach.NoReg)
		if v := index(o.Reg); o.Role == mach.Use && o.Reg.Virtual() && a.isFixed(o, a.class[v]) {
			fixedUses |= a.allowed(o, a.class[v])
		}
	})
	ok := true
	of := p.of[:0]
	a.eachOperand(insts, func(o *mach.Operand, n int) {
		if o.Role == mach.Use || a.values[n] == none || !a.isNarrow(o, a.class[a.values[n]]) {
			return
		}
		if o.Tied != 0 && !a.isFixed(o, a.class[a.values[n]]) {
			return // goes where the use is
		}
		allow := a.allowed(o, a.class[a.values[n]])
		if o.Role == mach.EarlyDef && o.Tied == 0 {
			allow &^= fixedUses
		}
		ok = ok && allow != 0
		p.pins = append(p.pins, pin{value: a.values[n], allow: allow})
		of = append(of, n)
	})
	p.of = of
	if !ok || !p.place(a) {
		return false
	}
	for i, n := range of {
		p.defReg[n] = p.pins[i].reg
		w.defs |= 1 << p.pins[i].reg
	}
	a.eachOperand(insts, func(o *mach.Operand, n int) {
		if o.Role == mach.EarlyDef && o.Tied == 0 && p.defReg[n] != 0 {
			w.early |= 1 << p.defReg[n]
		}
	})
	w.named |= w.defs
	return true
}

// eachOperand calls do for each operand of the unit, with its number in the unit.
func (a *allocator) eachOperand(insts []mach.Inst, do func(o *mach.Operand, n int)) {
	n := 0
	for i := range insts {
		for j := range insts[i].Args {
			do(&insts[i].Args[j], n)
			n++
		}
	}
}

// makePins lists what has to be in registers when the unit begins: fixed operands first,
// then tied ones, then others, which can often share the pins of the former, then what
// only lives through.
func (a *allocator) makePins(insts []mach.Inst, w *writes) {
	p := &a.pinned
	p.pins, p.operand = p.pins[:0], p.operand[:0]
	for range a.values {
		p.operand = append(p.operand, -1)
	}
	tied := a.tiedUses(insts)
	each := func(do func(o *mach.Operand, n int, c mach.Class)) {
		a.eachOperand(insts, func(o *mach.Operand, n int) {
			if v := a.values[n]; o.Role == mach.Use && v != none && p.operand[n] < 0 {
				do(o, n, a.class[v])
			}
		})
	}
	each(func(o *mach.Operand, n int, c mach.Class) {
		if a.isFixed(o, c) {
			p.operand[n] = a.pinFixed(a.values[n], a.allowed(o, c), w, tied[n] != mach.Use)
		}
	})
	each(func(o *mach.Operand, n int, c mach.Class) {
		if tied[n] != mach.Use {
			allow := a.allowed(o, c) &^ (w.defs | w.clobber | w.early)
			p.pins = append(p.pins, pin{value: a.values[n], allow: allow, own: tied[n] == mach.EarlyDef})
			p.operand[n] = len(p.pins) - 1
		}
	})
	each(func(o *mach.Operand, n int, c mach.Class) {
		p.operand[n] = a.pinLoose(a.values[n], a.allowed(o, c), w)
	})
	for _, v := range a.holder {
		if v != none && !a.dies(v) && p.find(v, func(x *pin) bool { return x.through }) < 0 {
			p.pins = append(p.pins, pin{value: v, allow: a.all[a.class[v]] &^ w.named, through: true})
		}
	}
}

// tiedUses gives for each operand the role of the definition tied to it, or Use.
func (a *allocator) tiedUses(insts []mach.Inst) []mach.Role {
	tied := a.pinned.tied[:0]
	for range a.values {
		tied = append(tied, mach.Use)
	}
	base := 0
	for i := range insts {
		for _, o := range insts[i].Args {
			if o.Role != mach.Use && o.Tied != 0 {
				tied[base+int(o.Tied)-1] = o.Role
			}
		}
		base += len(insts[i].Args)
	}
	a.pinned.tied = tied
	return tied
}

// find is the first pin of value v that ok accepts, or -1.
func (p *pinned) find(v int32, ok func(*pin) bool) int {
	for i := range p.pins {
		if p.pins[i].value == v && ok(&p.pins[i]) {
			return i
		}
	}
	return -1
}

// pinFixed is the pin for an operand that must be in the one register of allow.
func (a *allocator) pinFixed(v int32, allow mach.RegSet, w *writes, tied bool) int {
	p := &a.pinned
	if i := p.find(v, func(x *pin) bool { return x.allow == allow }); i >= 0 {
		p.pins[i].through = p.pins[i].through && !tied
		return i
	}
	// If the register survives, a value that lives through may live in it.
	lives := !a.dies(v) && !tied && allow&(w.clobber|w.defs) == 0 &&
		p.find(v, func(x *pin) bool { return x.through }) < 0
	p.pins = append(p.pins, pin{value: v, allow: allow, through: lives})
	return len(p.pins) - 1
}

// pinLoose is the pin for an operand with several registers to choose from.
func (a *allocator) pinLoose(v int32, allow mach.RegSet, w *writes) int {
	p := &a.pinned
	allow &^= w.early
	if i := p.find(v, func(x *pin) bool { return x.allow&allow != 0 && !x.own }); i >= 0 {
		p.pins[i].allow &= allow
		return i
	}
	if !a.dies(v) && p.find(v, func(x *pin) bool { return x.through }) < 0 {
		if home := a.all[a.class[v]] &^ w.named & allow; home != 0 {
			p.pins = append(p.pins, pin{value: v, allow: home, through: true})
			return len(p.pins) - 1
		}
	}
	p.pins = append(p.pins, pin{value: v, allow: allow})
	return len(p.pins) - 1
}

// place gives each pin a register that it allows, no two the same, and as many as it can
// the one that their value is in. It returns false if there is no such assignment.
func (p *pinned) place(a *allocator) bool {
	clear(p.at[:])
	put := func(i int, r mach.Reg) bool {
		if !p.pins[i].allow.Has(r) || p.at[r] != 0 {
			return false
		}
		p.at[r], p.pins[i].reg = i+1, r
		return true
	}
	for i := range p.pins {
		p.pins[i].reg = mach.NoReg
		if s := p.pins[i].allow; s&(s-1) == 0 && !put(i, lowest(s)) {
			return false
		}
	}
	for _, through := range []bool{true, false} {
		for i := range p.pins {
			x := &p.pins[i]
			if r := a.home[x.value]; x.reg == 0 && x.through == through && r != 0 && a.holder[r] == x.value {
				put(i, r)
			}
		}
	}
	for i := range p.pins {
		x := &p.pins[i]
		if x.reg != 0 {
			continue
		}
		set := x.allow
		for s := set; s != 0; s &= s - 1 {
			if p.at[lowest(s)] != 0 {
				set &^= 1 << lowest(s)
			}
		}
		if set != 0 {
			put(i, a.choose(x.value, set))
			continue
		}
		var tried mach.RegSet
		if !p.augment(i, &tried) {
			return false
		}
	}
	return true
}

// augment places pin i by moving others out of its way: one augmenting path of bipartite
// matching. H. Kuhn, "The Hungarian Method for the Assignment Problem", 1955.
func (p *pinned) augment(i int, tried *mach.RegSet) bool {
	for s := p.pins[i].allow; s != 0; s &= s - 1 {
		r := lowest(s)
		if tried.Has(r) {
			continue
		}
		*tried |= 1 << r
		if p.at[r] == 0 || p.augment(p.at[r]-1, tried) {
			p.at[r], p.pins[i].reg = i+1, r
			return true
		}
	}
	return false
}

// movePins moves the values to where they were placed and makes what lives through at home
// there.
func (a *allocator) movePins() {
	e := &a.emitter
	e.begin()
	for i := range a.pinned.pins {
		x := &a.pinned.pins[i]
		e.add(x.value, placeOf(x.reg), placeOf(a.home[x.value]))
	}
	for _, in := range e.run() {
		a.code.put(in)
	}
	for c := range a.free {
		a.free[c] = a.all[c]
	}
	for r := range a.holder {
		a.holder[r] = none
	}
	for i := range a.pinned.pins {
		if x := &a.pinned.pins[i]; x.through {
			a.take(x.value, x.reg)
		}
	}
}

// pinnedDefs writes the registers into the operands and gives some to the definitions
// that are free to choose.
func (a *allocator) pinnedDefs(insts []mach.Inst, w *writes) bool {
	p := &a.pinned
	var uses mach.RegSet
	a.eachOperand(insts, func(o *mach.Operand, n int) {
		if p.operand[n] >= 0 {
			o.Reg = p.pins[p.operand[n]].reg
			uses |= 1 << o.Reg
		}
	})
	for i := range insts {
		args := insts[i].Args
		for j := range args {
			if o := &args[j]; o.Role != mach.Use && o.Tied != 0 {
				w.defs |= 1 << args[o.Tied-1].Reg
			}
		}
	}
	ok := true
	define := func(o *mach.Operand, n int, set mach.RegSet) {
		if set == 0 {
			ok = false
			return
		}
		o.Reg = a.choose(a.values[n], set)
		a.take(a.values[n], o.Reg)
	}
	base := 0
	for i := range insts {
		args := insts[i].Args
		for j := range args {
			switch o, n := &args[j], base+j; {
			case o.Role == mach.Use || a.values[n] == none:
			case o.Tied != 0:
				define(o, n, 1<<args[o.Tied-1].Reg)
			case p.defReg[n] != 0:
				define(o, n, 1<<p.defReg[n])
			}
		}
		base += len(args)
	}
	for _, role := range []mach.Role{mach.EarlyDef, mach.Def} {
		a.eachOperand(insts, func(o *mach.Operand, n int) {
			if o.Role != role || !o.Reg.Virtual() {
				return
			}
			set := a.free[a.class[a.values[n]]] &^ w.clobber
			if role == mach.EarlyDef {
				set &^= uses
			}
			define(o, n, set)
		})
	}
	return ok
}
