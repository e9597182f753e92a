package amd64

import (
	"math"

	"shoal/codegen/mach"
)

// The conditions, by the number that jcc, setcc and cmovcc add to their opcode. The
// lowest bit inverts (Intel manual, volume 1, appendix B).
const (
	CondO uint8 = iota
	CondNO
	CondB // below: less, unsigned
	CondAE
	CondE
	CondNE
	CondBE
	CondA
	CondS // the sign bit is set
	CondNS
	CondP
	CondNP
	CondL // less, signed
	CondGE
	CondLE
	CondG
)

// condNames are the conditions as mnemonics spell them; the last two are no single ones of
// the machine.
var condNames = [18]string{"o", "no", "b", "ae", "e", "ne", "be", "a", "s", "ns", "p", "np", "l", "ge", "le", "g", CondEF: "e&np", CondNEF: "ne|p"}

// mirrored is each condition with the operands of the compare exchanged.
var mirrored = [16]uint8{
	CondE: CondE, CondNE: CondNE,
	CondB: CondA, CondA: CondB, CondAE: CondBE, CondBE: CondAE,
	CondL: CondG, CondG: CondL, CondGE: CondLE, CondLE: CondGE,
}

// New makes an instruction without address. regs are the Args of its layout in order;
// a two-address form takes its destination twice: New(AddRR, RAX, RAX, RCX).
func New(op uint16, regs ...mach.Reg) mach.Inst {
	return mach.Inst{Op: op, Args: fill(make([]mach.Operand, len(regs)), op, regs)}
}

// NewI is New with an immediate: NewI(AddRI, 8, RSP, RSP).
func NewI(op uint16, imm int64, regs ...mach.Reg) mach.Inst {
	in := New(op, regs...)
	in.Imm = imm
	return in
}

// MovImm makes the shortest instruction that sets r to a constant and keeps the flags.
func MovImm(r mach.Reg, c int64) mach.Inst { return NewI(movImmOp(c), c, r) }

func movImmOp(c int64) uint16 {
	switch {
	case c>>32 == 0:
		return Mov32RI
	case c == int64(int32(c)):
		return MovRI
	}
	return MovAbs
}

// An Addr is an address: Base + Index*Scale + Disp, or with Sym a symbol plus Disp.
type Addr struct {
	Base, Index mach.Reg // NoReg if absent
	Scale       uint8    // 1, 2, 4 or 8 with an Index, else 0
	Disp        int32
	Sym         int32 // as in mach.Inst
}

// NewMem makes an instruction with an address: NewMem(Load64, Addr{Base: RSP, Disp: 8}, RAX).
func NewMem(op uint16, a Addr, regs ...mach.Reg) mach.Inst {
	args := make([]mach.Operand, len(regs), len(regs)+2)
	in := mach.Inst{Op: op, Args: fill(args, op, regs)}
	appendAddr(&in, a)
	return in
}

// NewSym makes a call or jump to Func.Syms[sym].
func NewSym(op uint16, sym int) mach.Inst { return mach.Inst{Op: op, Sym: int32(sym) + 1} }

// fill makes operands of registers by the template of the op's layout.
func fill(args []mach.Operand, op uint16, regs []mach.Reg) []mach.Operand {
	t := places[forms[op].layout].args
	for i, r := range regs {
		if i < len(t) {
			args[i] = t[i]
		} else {
			args[i] = use
		}
		args[i].Reg = r
	}
	return args
}

// fits32 tells whether c is a signed 32-bit immediate.
func fits32(c int64) bool { return c >= math.MinInt32 && c <= math.MaxInt32 }

// fits8 tells whether c is a signed 8-bit immediate.
func fits8(c int64) bool { return c >= math.MinInt8 && c <= math.MaxInt8 }

// appendAddr adds the registers of a to Args, which has the room, and sets the rest.
func appendAddr(in *mach.Inst, a Addr) {
	for _, r := range [2]mach.Reg{a.Base, a.Index} {
		if r != mach.NoReg {
			in.Args = append(in.Args, mach.Operand{Reg: r})
		}
	}
	in.Scale, in.Disp, in.Sym = a.Scale, a.Disp, a.Sym
}
