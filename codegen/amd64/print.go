package amd64

import (
	"io"
	"math/bits"
	"strconv"

	"shoal/codegen/mach"
)

// Print writes in as one line of Intel's notation, without an end of line. Virtual
// registers print as v1, v2 and so on, and what the notation does not show of them comes
// after it: "add v3, v2 {v3=v1}", "mul v2 {rax=v1, v3=rax, v4=rdx}". The target of a jump is
// known to its block only and is left out.
func (Target) Print(w io.Writer, in *mach.Inst) {
	var buf [80]byte
	w.Write(appendInst(buf[:0], in)) // a listing: the caller sees errors on its own writes
}

// appendInst appends the text of in to b.
func appendInst(b []byte, in *mach.Inst) []byte {
	f := &forms[in.Op]
	b = append(b, f.name...)
	if f.cond {
		b = append(b, condNames[in.Cond]...)
	}
	p := operandPrinter{b: b, in: in, f: f, sep: " "}
	p.operands()
	p.hidden()
	return p.b
}

// An operandPrinter appends the operands of one instruction.
type operandPrinter struct {
	b   []byte
	in  *mach.Inst
	f   *form
	sep string // what comes before the next operand
}

// next appends the separator.
func (p *operandPrinter) next() {
	p.b = append(p.b, p.sep...)
	p.sep = ", "
}

// operands appends what the text of an instruction names: destination, source, immediate.
// Operands that an instruction cannot choose (rdx:rax of a division) are not named, but
// for pseudo-instructions, which show all of their Args.
func (p *operandPrinter) operands() {
	at := &places[p.f.layout]
	switch {
	case p.f.layout == relative:
		p.symbol()
		return
	case p.f.code == "":
		p.all()
		return
	case at.rm == none && at.plus == none:
		return
	}
	p.modRM(at)
	if p.f.layout == twoMC {
		p.next()
		p.b = append(p.b, "cl"...)
	}
	if p.f.imm > 0 {
		p.next()
		p.b = strconv.AppendInt(p.b, p.in.Imm, 10)
	}
}

// hidden appends the virtual registers among the operands that the notation does not
// show: fixed ones, and those that a two-address form overwrites.
func (p *operandPrinter) hidden() {
	open := false
	for i := range p.in.Args {
		a := &p.in.Args[i]
		over := p.overwritten(i)
		fixed := a.Allow != 0 && a.Allow&(a.Allow-1) == 0
		if !a.Reg.Virtual() || over == a.Reg || over == mach.NoReg && !fixed {
			continue
		}
		p.sep = ", "
		if !open {
			open, p.sep = true, " {"
		}
		p.next()
		to, from := over, a.Reg
		switch {
		case over != mach.NoReg:
		case a.Role == mach.Use:
			to = mach.Reg(bits.TrailingZeros64(uint64(a.Allow)))
		default:
			to, from = a.Reg, mach.Reg(bits.TrailingZeros64(uint64(a.Allow)))
		}
		p.b = append(appendReg(p.b, to, 64), '=')
		p.b = appendReg(p.b, from, 64)
	}
	if open {
		p.b = append(p.b, '}')
	}
}

// overwritten is the destination that overwrites Arg i in a two-address form.
func (p *operandPrinter) overwritten(i int) mach.Reg {
	for k := range p.in.Args {
		if p.in.Args[k].Role != mach.Use && int(p.in.Args[k].Tied) == i+1 {
			return p.in.Args[k].Reg
		}
	}
	return mach.NoReg
}

// modRM appends the operands that the encoding holds. The destination comes first: that
// is the rm operand, unless the layout's first Arg stands in the reg field.
func (p *operandPrinter) modRM(at *place) {
	rmSize := p.f.size
	if p.f.src != 0 {
		rmSize = p.f.src
	}
	switch {
	case at.plus != none:
		p.reg(at.plus, p.f.size)
	case at.rm == inAddr && at.reg == none:
		p.addr(len(at.args))
	case at.rm == inAddr && p.f.layout == store:
		p.addr(len(at.args))
		p.reg(at.reg, p.f.size)
	case at.rm == inAddr:
		p.reg(at.reg, p.f.size)
		p.addr(len(at.args))
	case at.reg == none:
		p.reg(at.rm, rmSize)
	case at.reg == 0:
		p.reg(at.reg, p.f.size)
		p.reg(at.rm, rmSize)
	default:
		p.reg(at.rm, rmSize)
		p.reg(at.reg, p.f.size)
	}
}

// all appends every Arg of a pseudo-instruction.
func (p *operandPrinter) all() {
	for i := range p.in.Args {
		p.reg(i, p.f.size)
	}
}

// symbol appends the number of the symbol of a jump or call: its name is in the Func.
func (p *operandPrinter) symbol() {
	if p.in.Sym != 0 {
		p.next()
		p.b = append(p.b, "sym"...)
		p.b = strconv.AppendInt(p.b, int64(p.in.Sym-1), 10)
	}
}

// reg appends Arg i in the given size.
func (p *operandPrinter) reg(i int, size uint8) {
	p.next()
	p.b = appendReg(p.b, p.in.Args[i].Reg, size)
}

// appendReg appends the name of r in the given size.
func appendReg(b []byte, r mach.Reg, size uint8) []byte {
	switch {
	case r.Virtual():
		b = append(b, 'v')
		return strconv.AppendInt(b, int64(r-mach.FirstVirtual+1), 10)
	case r >= XMM0:
		return append(b, vectorNames[number(r)]...)
	}
	set := size64
	switch size {
	case 8:
		set = size8
	case 16:
		set = size16
	case 32:
		set = size32
	}
	return append(b, names[set][number(r)]...)
}

// addr appends the address made of the Args from index at on.
func (p *operandPrinter) addr(at int) {
	p.next()
	p.b = append(p.b, '[')
	plus := ""
	term := func(text string) {
		p.b = append(append(p.b, plus...), text...)
		plus = "+"
	}
	a := addrOf(p.in, at)
	if a.Sym != 0 {
		term("rip+sym")
		p.b = strconv.AppendInt(p.b, int64(a.Sym-1), 10)
	}
	if a.Base != mach.NoReg {
		term("")
		p.b = appendReg(p.b, a.Base, 64)
	}
	if a.Index != mach.NoReg {
		term("")
		p.b = appendReg(p.b, a.Index, 64)
		p.b = append(p.b, '*', '0'+a.Scale)
	}
	if a.Disp != 0 || plus == "" {
		if a.Disp >= 0 { // a negative one brings its sign
			term("")
		}
		p.b = strconv.AppendInt(p.b, int64(a.Disp), 10)
	}
	p.b = append(p.b, ']')
}

// addrOf reads the address of in, whose registers are the Args from index at on.
func addrOf(in *mach.Inst, at int) Addr {
	a := Addr{Scale: in.Scale, Disp: in.Disp, Sym: in.Sym}
	rest := in.Args[at:]
	if in.Scale != 0 {
		a.Index = rest[len(rest)-1].Reg
		rest = rest[:len(rest)-1]
	}
	if len(rest) > 0 {
		a.Base = rest[0].Reg
	}
	return a
}
