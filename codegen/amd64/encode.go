package amd64

import (
	"fmt"
	"math"

	"shoal/codegen/mach"
)

// An encoder makes bytes of single instructions, one after the other.
type encoder struct {
	buf    []byte
	relocs []mach.Reloc
	syms   []string
}

// The bits of the REX prefix 0100WRXB (Intel manual, volume 2, section 2.2.1).
const (
	rex  = 0x40
	rexW = 8
	rexR = 4
	rexX = 2
	rexB = 1
)

// An encoding is the parts of one instruction while it is put together.
type encoding struct {
	rex   byte // the bits W, R, X, B
	empty bool // a REX prefix without bits is needed: spl, bpl, sil or dil
	reg   byte // ModRM.reg, three bits
}

// inst appends the bytes of in, which has physical registers only.
func (e *encoder) inst(in *mach.Inst) {
	f := &forms[in.Op]
	if in.Op < MovRR { // a pseudo-instruction
		if in.Op == Inputs {
			return
		}
		panic(fmt.Sprintf("encode: %q is no machine instruction", appendInst(nil, in)))
	}
	at := &places[f.layout]
	enc := encoding{reg: f.digit}
	if f.w {
		enc.rex = rexW
	}
	if at.reg != none {
		enc.setReg(in.Args[at.reg].Reg, f.size)
	}
	if f.prefix != 0 {
		e.buf = append(e.buf, f.prefix)
	}
	short := f.short != 0 && f.layout != relative && fits8(in.Imm)
	immBytes := f.imm
	if short {
		immBytes = 1
	}
	switch {
	case at.rm == inAddr:
		a := addrOf(in, len(at.args))
		a.normalize(in)
		enc.setAddr(&a)
		e.opcode(f, in, &enc, short)
		e.addr(&a, enc.reg, int64(immBytes))
	case at.rm != none:
		r := in.Args[at.rm].Reg
		enc.setBase(r, f.rmSize())
		e.opcode(f, in, &enc, short)
		e.buf = append(e.buf, 0xc0|enc.reg<<3|number(r)&7)
	case at.plus != none:
		r := in.Args[at.plus].Reg
		enc.setBase(r, 0)
		if f.size == 64 && f.imm == 0 {
			enc.rex &^= rexW // push and pop are 64-bit without it
		}
		e.opcode(f, in, &enc, short)
		e.buf[len(e.buf)-1] |= number(r) & 7
	default:
		e.opcode(f, in, &enc, short)
	}
	if f.layout == relative {
		e.symbol(in.Sym, 0)
		return
	}
	e.immediate(in, immBytes)
}

// rmSize is the size in bits of the operand in ModRM.rm.
func (f *form) rmSize() uint8 {
	if f.src != 0 {
		return f.src
	}
	return f.size
}

// setReg puts r into ModRM.reg.
func (enc *encoding) setReg(r mach.Reg, size uint8) {
	n := number(r)
	enc.reg = n & 7
	if n >= 8 {
		enc.rex |= rexR
	}
	enc.empty = enc.empty || size == 8 && n >= 4
}

// setBase takes r as ModRM.rm, as the base of an address or as part of the opcode.
func (enc *encoding) setBase(r mach.Reg, size uint8) {
	n := number(r)
	if n >= 8 {
		enc.rex |= rexB
	}
	enc.empty = enc.empty || size == 8 && n >= 4
}

// setAddr takes the high bits of the registers of a.
func (enc *encoding) setAddr(a *Addr) {
	if a.Base != mach.NoReg {
		enc.setBase(a.Base, 64)
	}
	if a.Index != mach.NoReg && number(a.Index) >= 8 {
		enc.rex |= rexX
	}
}

// opcode appends REX, which must come right before the opcode, and the opcode.
func (e *encoder) opcode(f *form, in *mach.Inst, enc *encoding, short bool) {
	if enc.rex != 0 || enc.empty {
		e.buf = append(e.buf, rex|enc.rex)
	}
	if short {
		e.buf = append(e.buf, f.short)
		return
	}
	e.buf = append(e.buf, f.code...)
	if f.cond {
		e.buf[len(e.buf)-1] |= in.Cond
	}
}

// normalize brings an address into the form that has the shortest encoding: no index
// alone with scale 1, and no rbp or r13 as a base without displacement if the index may
// take its place. rsp cannot be an index at all.
func (a *Addr) normalize(in *mach.Inst) {
	if a.Scale == 1 && a.Base == mach.NoReg {
		a.Base, a.Index, a.Scale = a.Index, mach.NoReg, 0
	}
	if a.Scale == 1 && (a.Index == RSP || a.Disp == 0 && number(a.Base)&7 == 5 && a.Index != RSP) {
		a.Base, a.Index = a.Index, a.Base
	}
	if a.Index == RSP || a.Sym != 0 && (a.Base != mach.NoReg || a.Index != mach.NoReg) {
		panic(fmt.Sprintf("encode: address of %q cannot be encoded", appendInst(nil, in)))
	}
}

// Special values of ModRM.rm and of SIB.base and SIB.index (section 2.1.5, table 2-2).
const (
	rmSIB      = 4 // a SIB byte follows
	rmRIP      = 5 // with mod 0: the displacement counts from the end of the instruction
	sibNoIndex = 4
	sibNoBase  = 5 // with mod 0: 32-bit displacement instead
)

// addr appends ModRM, SIB and displacement. tail is the number of bytes that follow.
func (e *encoder) addr(a *Addr, reg byte, tail int64) {
	reg <<= 3
	switch {
	case a.Sym != 0:
		e.buf = append(e.buf, reg|rmRIP)
		e.reloc(a.Sym, int64(a.Disp)-tail)
		return
	case a.Base == mach.NoReg:
		index := byte(sibNoIndex)
		if a.Index != mach.NoReg {
			index = number(a.Index) & 7
		}
		e.buf = append(e.buf, reg|rmSIB, scaleBits(a.Scale)|index<<3|sibNoBase)
		e.bytes(int64(a.Disp), 4)
		return
	}
	base := number(a.Base) & 7
	dispBytes, mod := dispSize(a.Disp, base)
	switch {
	case a.Index != mach.NoReg:
		e.buf = append(e.buf, mod|reg|rmSIB, scaleBits(a.Scale)|number(a.Index)&7<<3|base)
	case base == rmSIB: // rsp and r12
		e.buf = append(e.buf, mod|reg|rmSIB, sibNoIndex<<3|base)
	default:
		e.buf = append(e.buf, mod|reg|base)
	}
	e.bytes(int64(a.Disp), dispBytes)
}

// dispSize chooses the bytes of a displacement and the bits of ModRM.mod that say so.
func dispSize(disp int32, base byte) (bytes uint8, mod byte) {
	switch {
	case disp == 0 && base != sibNoBase:
		return 0, 0
	case fits8(int64(disp)):
		return 1, 0x40
	}
	return 4, 0x80
}

// scaleBits is the scale as SIB has it.
func scaleBits(scale uint8) byte {
	switch scale {
	case 2:
		return 0x40
	case 4:
		return 0x80
	case 8:
		return 0xc0
	}
	return 0
}

// immediate appends the immediate after checking that n bytes can hold it.
func (e *encoder) immediate(in *mach.Inst, n uint8) {
	c, ok := in.Imm, true
	switch n {
	case 0:
		return
	case 1:
		ok = c >= math.MinInt8 && c <= math.MaxUint8
	case 2:
		ok = c >= math.MinInt16 && c <= math.MaxUint16
	case 4:
		ok = fits32(c) || !forms[in.Op].w && c>>32 == 0
	}
	if !ok {
		panic(fmt.Sprintf("encode: immediate of %q does not fit %d bytes", appendInst(nil, in), n))
	}
	e.bytes(c, n)
}

// bytes appends the n low bytes of c, the lowest first.
func (e *encoder) bytes(c int64, n uint8) {
	for ; n > 0; n-- {
		e.buf = append(e.buf, byte(c))
		c >>= 8
	}
}

// symbol appends the distance to a symbol, the last field of its instruction.
func (e *encoder) symbol(sym int32, addend int64) {
	if sym == 0 {
		panic("encode: a jump inside a block has no symbol")
	}
	e.reloc(sym, addend)
}

// reloc appends four bytes for the linker to fill; addend counts from their end.
func (e *encoder) reloc(sym int32, addend int64) {
	e.relocs = append(e.relocs, mach.Reloc{Offset: len(e.buf), Symbol: e.syms[sym-1], Addend: addend - 4})
	e.buf = append(e.buf, 0, 0, 0, 0)
}
