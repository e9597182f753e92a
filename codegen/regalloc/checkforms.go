package regalloc

import "shoal/codegen/mach"

// inserted knows how a machine writes the instructions that allocation inserts. It learns
// by asking the machine for examples, so that the checker reads them back without knowing
// any machine.
type inserted struct {
	c        *checker
	classes  [mach.NumClasses]classForms
	exchange uint16
	swaps    bool // there is an exchange
	recipes  map[recipe]int32
}

// classForms are the forms for one class of registers.
type classForms struct {
	known       bool // the class has registers
	move        uint16
	load, store slotForm
}

// A slotForm is an instruction with a slot number in one of its fields.
type slotForm struct {
	op         uint16
	inImm      bool
	base, step int64 // the field's value is base + step*slot
}

// slotOf is the slot that in, of this form, names.
func (s slotForm) slotOf(in *mach.Inst) int {
	field := int64(in.Disp)
	if s.inImm {
		field = in.Imm
	}
	return int((field - s.base) / s.step)
}

// learnSlot compares an instruction for slots 0 and 1.
func learnSlot(zero, one mach.Inst) slotForm {
	s := slotForm{op: zero.Op, base: int64(zero.Disp), step: int64(one.Disp) - int64(zero.Disp)}
	if zero.Imm != one.Imm {
		s.inImm, s.base, s.step = true, zero.Imm, one.Imm-zero.Imm
	}
	if s.step == 0 {
		panic("regalloc check: the machine's loads and stores name no slot")
	}
	return s
}

// learnForms asks the machine of c for examples.
func learnForms(c *checker) inserted {
	n := inserted{c: c, recipes: make(map[recipe]int32)}
	for class, regs := range c.file.Allocatable {
		if len(regs) == 0 {
			continue
		}
		k, r := mach.Class(class), regs[0]
		n.classes[class] = classForms{
			known: true,
			move:  c.t.Move(k, regs[len(regs)-1], r).Op,
			load:  learnSlot(c.t.Load(k, r, 0), c.t.Load(k, r, 1)),
			store: learnSlot(c.t.Store(k, 0, r), c.t.Store(k, 1, r)),
		}
		if k == mach.General && len(regs) > 1 {
			n.exchange, n.swaps = c.t.Exchange(r, regs[1]).Op, true
		}
	}
	for v := range c.values {
		if in := c.values[v].Remat; in != nil {
			n.recipes[recipeOf(in)] = c.alias[v]
		}
	}
	return n
}

// A stepKind is what an inserted instruction does.
type stepKind uint8

const (
	stepUnknown  stepKind = iota
	stepCopy              // to <- from, one of them possibly a slot
	stepExchange          // to <-> from
	stepMake              // to <- the constant value
)

// A step is an inserted instruction, decoded.
type step struct {
	kind     stepKind
	to, from location
	value    int32
}

// decode reads an inserted instruction back. It builds the instruction that it takes in
// for and compares all of it.
func (n *inserted) decode(in *mach.Inst) step {
	for class := range n.classes {
		if s := n.decodeClass(in, mach.Class(class)); s.kind != stepUnknown {
			return s
		}
	}
	if n.swaps && in.Op == n.exchange {
		a := in.Args[0].Reg
		for _, o := range in.Args {
			if b := o.Reg; b != a && n.ofClass(a, mach.General) && n.ofClass(b, mach.General) && sameInst(in, n.c.t.Exchange(a, b)) {
				return step{kind: stepExchange, to: location(a), from: location(b)}
			}
		}
	}
	if v, ok := n.recipes[recipeOf(in)]; ok && in.Clobber == 0 {
		for _, o := range in.Args {
			if o.Role != mach.Use && n.ofClass(o.Reg, n.c.values[v].Class) {
				return step{kind: stepMake, to: location(o.Reg), value: v}
			}
		}
	}
	return step{}
}

// decodeClass tries the forms of one class.
func (n *inserted) decodeClass(in *mach.Inst, k mach.Class) step {
	f := &n.classes[k]
	if !f.known || in.Op != f.move && in.Op != f.load.op && in.Op != f.store.op {
		return step{}
	}
	to, from := mach.NoReg, mach.NoReg
	for _, o := range in.Args {
		if o.Role != mach.Use {
			to = o.Reg
		} else if from == mach.NoReg || n.ofClass(o.Reg, k) {
			from = o.Reg
		}
	}
	if n.ofClass(to, k) && n.ofClass(from, k) && sameInst(in, n.c.t.Move(k, to, from)) {
		return step{kind: stepCopy, to: location(to), from: location(from)}
	}
	if slot := f.load.slotOf(in); slot >= 0 && n.ofClass(to, k) && sameInst(in, n.c.t.Load(k, to, slot)) {
		return step{kind: stepCopy, to: location(to), from: slotLocation(slot)}
	}
	if slot := f.store.slotOf(in); slot >= 0 && n.ofClass(from, k) && sameInst(in, n.c.t.Store(k, slot, from)) {
		return step{kind: stepCopy, to: slotLocation(slot), from: location(from)}
	}
	return step{}
}

// ofClass tells whether r is an allocatable register of class k, or a virtual one of it.
func (n *inserted) ofClass(r mach.Reg, k mach.Class) bool {
	if r.Virtual() {
		return n.c.values[r-mach.FirstVirtual].Class == k
	}
	return r > mach.NoReg && n.c.able.Has(r) && n.c.file.Class[r] == k
}

// sameInst compares all of two instructions but their positions.
func sameInst(a *mach.Inst, b mach.Inst) bool {
	if !sameForm(a, &b) {
		return false
	}
	for i, o := range a.Args {
		if o != b.Args[i] {
			return false
		}
	}
	return true
}

// sameForm compares two instructions without positions and registers.
func sameForm(a, b *mach.Inst) bool {
	if a.Op != b.Op || a.Cond != b.Cond || a.Scale != b.Scale || a.Disp != b.Disp || a.Imm != b.Imm ||
		a.Sym != b.Sym || a.Clobber != b.Clobber || len(a.Args) != len(b.Args) {
		return false
	}
	for i, o := range a.Args {
		if p := b.Args[i]; o.Role != p.Role || o.Tied != p.Tied || o.Allow != p.Allow {
			return false
		}
	}
	return true
}
