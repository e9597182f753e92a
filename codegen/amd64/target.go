package amd64

import "shoal/codegen/mach"

// Target is the machine as the rest of the back end sees it.
type Target struct{}

// Name is how the command line calls the machine.
func (Target) Name() string { return "amd64" }

// Regs are its registers.
func (Target) Regs() *mach.RegFile { return regFile }

// Move copies a register.
func (Target) Move(c mach.Class, to, from mach.Reg) mach.Inst {
	if c == mach.Float {
		return New(MovapsRR, to, from)
	}
	return New(MovRR, to, from)
}

// Exchange swaps two general registers.
func (Target) Exchange(a, b mach.Reg) mach.Inst { return New(Xchg, a, b, b, a) }

// Load reloads a spill slot; Frame makes an address of the number.
func (Target) Load(c mach.Class, to mach.Reg, slot int) mach.Inst {
	op := Reload
	if c == mach.Float {
		op = ReloadF
	}
	return NewMem(op, Addr{Base: RSP, Disp: int32(slot)}, to)
}

// Store spills to a slot; Frame makes an address of the number.
func (Target) Store(c mach.Class, slot int, from mach.Reg) mach.Inst {
	op := Spill
	if c == mach.Float {
		op = SpillF
	}
	return NewMem(op, Addr{Base: RSP, Disp: int32(slot)}, from)
}
