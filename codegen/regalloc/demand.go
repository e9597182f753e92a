package regalloc

import (
	"math/bits"

	"shoal/codegen/mach"
)

// A demand is what one unit asks of the registers of each class, apart from which values
// are in them.
type demand struct {
	// constrained tells that a register is named, by an operand or as a clobber.
	constrained bool
	// named are registers that a value living through the unit cannot stay in: those of
	// fixed operands and the clobbered ones.
	named [mach.NumClasses]mach.RegSet
	// spare is how many of these a value that ends here can be in when the unit begins.
	spare [mach.NumClasses]int
	defs  [mach.NumClasses]int // definitions
	early [mach.NumClasses]int // of these, EarlyDefs that are not tied
	free  [mach.NumClasses]int // of these, definitions that are neither tied nor fixed
}

// allowed is the set of registers that operand o of class c can be in.
func (a *allocator) allowed(o *mach.Operand, c mach.Class) mach.RegSet {
	if o.Allow == 0 {
		return a.all[c]
	}
	return o.Allow & a.all[c]
}

// isFixed tells whether operand o of class c names the one register that it can be in.
func (a *allocator) isFixed(o *mach.Operand, c mach.Class) bool {
	s := a.allowed(o, c)
	return o.Allow != 0 && s&(s-1) == 0
}

// isNarrow tells whether operand o cannot be in every register of its class.
func (a *allocator) isNarrow(o *mach.Operand, c mach.Class) bool {
	return a.allowed(o, c) != a.all[c]
}

// isConstrained tells whether an operand or a clobber of in names a register.
func (a *allocator) isConstrained(in *mach.Inst) bool {
	if in.Clobber&(a.all[mach.General]|a.all[mach.Float]) != 0 {
		return true
	}
	for j := range in.Args {
		o := &in.Args[j]
		if o.Allow != 0 && o.Reg.Virtual() {
			if all := a.all[a.class[index(o.Reg)]]; o.Allow&all != all {
				return true
			}
		}
	}
	return false
}

// demand sums up the unit insts.
func (a *allocator) demand(insts []mach.Inst) (d demand) {
	var reserved [mach.NumClasses]mach.RegSet // of fixed uses and EarlyDefs
	for i := range insts {
		in := &insts[i]
		d.constrained = d.constrained || a.isConstrained(in)
		for c := range mach.NumClasses {
			d.named[c] |= in.Clobber & a.all[c]
		}
		for j := range in.Args {
			o := &in.Args[j]
			if !o.Reg.Virtual() {
				continue
			}
			c := a.class[index(o.Reg)]
			fixed := a.isFixed(o, c)
			if fixed {
				d.named[c] |= a.allowed(o, c)
				if o.Role != mach.Def {
					reserved[c] |= a.allowed(o, c)
				}
			}
			if o.Role == mach.Use {
				continue
			}
			d.defs[c]++
			if o.Tied == 0 && o.Role == mach.EarlyDef {
				d.early[c]++
			}
			if o.Tied == 0 && !fixed {
				d.free[c]++
			}
		}
	}
	for c := range mach.NumClasses {
		d.spare[c] = bits.OnesCount64(uint64(d.named[c] &^ reserved[c]))
	}
	return d
}

// room is how many registers of class c the unit does not name. A unit that is not
// constrained names none.
func (a *allocator) room(d *demand, c mach.Class) int {
	return a.k[c] - bits.OnesCount64(uint64(d.named[c]))
}
