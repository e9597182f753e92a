package amd64

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/arch/x86/x86asm"

	"shoal/codegen/mach"
)

// edgeRegs are the registers whose numbers are special somewhere in an encoding: 4 (SIB,
// no index), 5 (no base), 6 (needs REX as a byte), 8 and above (REX), 12 and 13 (like 4
// and 5), and two that are not.
var edgeRegs = []mach.Reg{RAX, RSP, RBP, RSI, R8, R12, R13, R15}

// encodeOne encodes one instruction.
func encodeOne(in mach.Inst) encoder {
	e := encoder{syms: []string{"symbol"}}
	e.inst(&in)
	return e
}

// decoded is the text, in our notation, of what the independent decoder makes of code,
// which must be one whole instruction.
func decoded(code []byte, size uint8) (string, error) {
	in, err := x86asm.Decode(code, 64)
	if err != nil {
		return "", err
	}
	if in.Len != len(code) {
		return "", fmt.Errorf("%d of %d bytes are used by %v", in.Len, len(code), in)
	}
	name := strings.ToLower(in.Op.String())
	name, _, _ = strings.Cut(name, "_") // MOVSD_XMM
	var args []string
	for _, a := range in.Args {
		switch a := a.(type) {
		case x86asm.Reg:
			args = append(args, regText(a))
		case x86asm.Mem:
			args = append(args, memText(a))
		case x86asm.Imm:
			args = append(args, strconv.FormatInt(truncate(int64(a), size), 10))
		}
	}
	return strings.TrimSpace(name + " " + strings.Join(args, ", ")), nil
}

// truncate keeps the low bits of an immediate, sign-extended: how wide a decoder shows it
// is a matter of taste.
func truncate(c int64, size uint8) int64 {
	if size > 64 {
		size = 64
	}
	return c << (64 - size) >> (64 - size)
}

// regText is our name of a register.
func regText(r x86asm.Reg) string {
	s := strings.ToLower(r.String())
	switch {
	case r >= x86asm.X0 && r <= x86asm.X15:
		return "xmm" + s[1:]
	case r >= x86asm.R8L && r <= x86asm.R15L:
		return s[:len(s)-1] + "d"
	case r >= x86asm.SPB && r <= x86asm.DIB:
		return s[:len(s)-1] + "l"
	}
	return s
}

func memText(m x86asm.Mem) string {
	var s string
	if m.Base == x86asm.RIP {
		s = "rip+sym0"
	} else if m.Base != 0 {
		s = regText(m.Base)
	}
	if m.Index != 0 && m.Scale != 0 {
		if s != "" {
			s += "+"
		}
		s += regText(m.Index) + "*" + strconv.Itoa(int(m.Scale))
	}
	disp := int64(int32(m.Disp))
	switch {
	case s == "":
		s = strconv.FormatInt(disp, 10)
	case disp != 0:
		s += fmt.Sprintf("%+d", disp)
	}
	return "[" + s + "]"
}

// printed is our own text of in with the immediate as decoded shows it, and addresses in
// the order that the encoder may have chosen.
func printed(in mach.Inst) string {
	f, at := &forms[in.Op], &places[forms[in.Op].layout]
	in.Imm = truncate(in.Imm, f.size)
	if f.imm == 1 {
		in.Imm = truncate(in.Imm, 8)
	}
	if at.rm == inAddr {
		a := addrOf(&in, len(at.args))
		a.normalize(&in)
		in.Args = in.Args[:len(at.args):len(at.args)]
		appendAddr(&in, a)
	}
	s := string(appendInst(nil, &in))
	return strings.Replace(s, "movabs", "mov", 1)
}

// immediates are the constants to try in a field of n bytes.
func immediates(f *form) []int64 {
	switch f.imm {
	case 0:
		return []int64{0}
	case 1:
		return []int64{0, 1, 31, 63, 127}
	case 2:
		return []int64{0, 1, -1, 127, 128, math.MinInt16, math.MaxInt16}
	case 8:
		return []int64{0, 1, -1, math.MaxInt32 + 1, math.MinInt32 - 1, math.MaxInt64, math.MinInt64}
	}
	c := []int64{0, 1, -1, 127, 128, -128, -129, math.MaxInt32, math.MinInt32}
	if !f.w {
		c = append(c, math.MaxUint32)
	}
	return c
}

// instsOf makes the instructions of one op to test: every pair of edge registers in the
// places that can be chosen, every immediate, every condition.
func instsOf(op uint16, emit func(mach.Inst)) {
	f := &forms[op]
	at := &places[f.layout]
	conds := 1
	if f.cond {
		conds = 16
	}
	regs, others := regsOf(f, 0), regsOf(f, len(at.args)-1)
	addrs := []Addr{{}}
	if at.rm == inAddr {
		addrs, others = addresses(), regs
	}
	n := 0
	for _, a := range addrs {
		for _, r := range regs {
			for _, q := range others {
				if at.rm == inAddr && (q != r || regs[n%len(regs)] != r && a.Base != R13) {
					continue // one register stands besides the address; the others take turns
				}
				for _, imm := range immediates(f) {
					for cond := range conds {
						in := mach.Inst{Op: op, Cond: uint8(cond), Imm: imm, Args: argsOf(at, r, q)}
						if at.rm == inAddr {
							in.Args = in.Args[:len(in.Args):len(in.Args)]
							appendAddr(&in, a)
						}
						emit(in)
					}
				}
			}
		}
		n++
	}
}

// isVector tells whether Arg i of a form, which is not one that another overwrites, is a
// vector register.
func isVector(f *form, i int) bool {
	switch at := &places[f.layout]; i {
	case at.reg:
		return f.size == 128
	case at.rm:
		return f.rmSize() == 128
	}
	return f.size == 128
}

// regsOf are the registers to try for Arg i.
func regsOf(f *form, i int) []mach.Reg {
	if isVector(f, i) {
		return []mach.Reg{XMM0, XMM0 + 4, XMM0 + 7, XMM0 + 8, XMM15}
	}
	return edgeRegs
}

// argsOf fills the template of a layout: fixed registers as they are, tied ones alike.
func argsOf(at *place, r, q mach.Reg) []mach.Operand {
	args := append([]mach.Operand(nil), at.args...)
	for i := range args {
		args[i].Reg = q
		if i == 0 {
			args[i].Reg = r
		}
		if set := args[i].Allow; set != 0 && set&(set-1) == 0 {
			for k := RAX; k <= R15; k++ {
				if set.Has(k) {
					args[i].Reg = k
				}
			}
		}
	}
	for i := range args {
		if t := args[i].Tied; t != 0 {
			args[t-1].Reg = args[i].Reg
		}
	}
	return args
}

// addresses are all shapes with edge registers.
func addresses() (all []Addr) {
	all = append(all, Addr{Sym: 1}, Addr{Sym: 1, Disp: 8})
	for _, disp := range []int32{0, 1, -1, 127, 128, -128, -129, math.MaxInt32, math.MinInt32} {
		for _, base := range append([]mach.Reg{mach.NoReg}, edgeRegs...) {
			all = append(all, Addr{Base: base, Disp: disp})
			for _, index := range edgeRegs {
				for _, scale := range []uint8{1, 2, 4, 8} {
					if index == RSP && (scale > 1 || base == RSP) {
						continue // there is no such address
					}
					all = append(all, Addr{Base: base, Index: index, Scale: scale, Disp: disp})
				}
			}
		}
	}
	return all
}

// TestEncodeAgainstDecoder encodes every form with every edge register in every place and
// every shape of address, and compares what an independent decoder reads with our text.
func TestEncodeAgainstDecoder(t *testing.T) {
	for op := MovRR; op < numOps; op++ { // the pseudo-instructions come before
		f := &forms[op]
		if f.code == "" || f.layout == relative {
			continue
		}
		count := 0
		instsOf(op, func(in mach.Inst) {
			count++
			e := encodeOne(in)
			size := f.size
			if f.imm == 1 {
				size = 8
			}
			got, err := decoded(e.buf, size)
			if err != nil {
				t.Errorf("%s = % x: %v", printed(in), e.buf, err)
				return
			}
			want := printed(in)
			if in.Sym != 0 { // the displacement is the linker's
				want = strings.Replace(want, fmt.Sprintf("sym0%+d", in.Disp), "sym0", 1)
			}
			if want != got && !t.Failed() {
				t.Errorf("% x: wrote %q, another decoder reads %q", e.buf, want, got)
			}
		})
		if count == 0 {
			t.Errorf("%s: nothing was tested", f.name)
		}
		if t.Failed() {
			return
		}
	}
}

// TestRelocationsCountFromTheEnd checks that distances to symbols count from the end of
// the instruction, immediate included.
func TestRelocationsCountFromTheEnd(t *testing.T) {
	for _, tt := range []struct {
		in   mach.Inst
		want mach.Reloc
	}{
		{NewMem(Lea, Addr{Sym: 1}, R9), mach.Reloc{Offset: 3, Symbol: "symbol", Addend: -4}},
		{NewMem(Load64, Addr{Sym: 1, Disp: 16}, RAX), mach.Reloc{Offset: 3, Symbol: "symbol", Addend: 12}},
		{withImm(NewMem(CmpMI, Addr{Sym: 1}), 1), mach.Reloc{Offset: 3, Symbol: "symbol", Addend: -5}},
		{withImm(NewMem(CmpMI, Addr{Sym: 1}), 1000), mach.Reloc{Offset: 3, Symbol: "symbol", Addend: -8}},
		{withImm(NewMem(Store16I, Addr{Sym: 1}), 1), mach.Reloc{Offset: 3, Symbol: "symbol", Addend: -6}},
		{NewSym(Call, 0), mach.Reloc{Offset: 1, Symbol: "symbol", Addend: -4}},
		{NewSym(Jmp, 0), mach.Reloc{Offset: 1, Symbol: "symbol", Addend: -4}},
	} {
		e := encodeOne(tt.in)
		if diff := cmp.Diff([]mach.Reloc{tt.want}, e.relocs); diff != "" {
			t.Errorf("%s (-want +got):\n%s", appendInst(nil, &tt.in), diff)
		}
	}
}

func withImm(in mach.Inst, c int64) mach.Inst {
	in.Imm = c
	return in
}

// TestShortEncodings pins sizes that matter: the table could grow longer forms unnoticed.
func TestShortEncodings(t *testing.T) {
	for _, tt := range []struct {
		in   mach.Inst
		want int
	}{
		{New(Zero, RAX), 2},
		{New(Zero, R8), 3},
		{MovImm(RAX, 1), 5},
		{MovImm(R9, math.MaxUint32), 6},
		{MovImm(RAX, -1), 7},
		{MovImm(RAX, math.MaxUint32+1), 10},
		{NewI(AddRI, 127, RBX, RBX), 4},
		{NewI(AddRI, 128, RBX, RBX), 7},
		{New(Push, RBX), 1},
		{New(Push, R12), 2},
		{New(Inc, RCX, RCX), 3},
		{NewMem(Load64, Addr{Base: RBX}, RAX), 3},
		{NewMem(Load64, Addr{Base: RBP}, RAX), 4},
		{NewMem(Load64, Addr{Base: RSP}, RAX), 4},
		{NewMem(Load64, Addr{Base: R12, Disp: -128}, RAX), 5},
		{NewMem(Load64, Addr{Base: RBP, Index: RBX, Scale: 1}, RAX), 4}, // rbx as base
		{NewMem(LoadU8, Addr{Base: RBX}, RAX), 3},
	} {
		if e := encodeOne(tt.in); len(e.buf) != tt.want {
			t.Errorf("%s: % x has %d bytes, want %d", appendInst(nil, &tt.in), e.buf, len(e.buf), tt.want)
		}
	}
}

// TestPrint pins the notation.
func TestPrint(t *testing.T) {
	v := mach.FirstVirtual
	for _, tt := range []struct {
		in   mach.Inst
		want string
	}{
		{New(AddRR, v, v, v+1), "add v1, v2"},
		{NewI(ImulRRI, 10, v, v+1), "imul v1, v2, 10"},
		{NewMem(Lea, Addr{Base: v, Index: v + 1, Scale: 8, Disp: -4}, v+2), "lea v3, [v1+v2*8-4]"},
		{NewMem(Store8, Addr{Base: RSP, Disp: 3}, RSI), "mov [rsp+3], sil"},
		{New(Movsx16, R10, RAX), "movsx r10, ax"},
		{New(ShlRC, RAX, RAX, RCX), "shl rax, cl"},
		{mach.Inst{Op: Cmovcc, Cond: CondLE, Args: New(Cmovcc, RAX, RAX, R8).Args}, "cmovle rax, r8"},
		{New(DivTotal, RAX, RDX, RAX, RSI), "divtotal rax, rdx, rax, rsi"},
		{mach.Inst{Op: Jcc, Cond: CondA}, "ja"},
	} {
		if diff := cmp.Diff(tt.want, string(appendInst(nil, &tt.in))); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

// TestForms checks the table itself.
func TestForms(t *testing.T) {
	for op := Invalid; op < numOps; op++ {
		f := &forms[op]
		if f.name == "" || f.doc == "" {
			t.Errorf("form %d has no name or no doc", op)
		}
		if at := &places[f.layout]; f.code != "" && f.layout != relative {
			for i, a := range at.args {
				if a.Tied != 0 && (a.Role == mach.Use || at.args[a.Tied-1].Role != mach.Use) {
					t.Errorf("%s: Arg %d is tied to what is no use", f.name, i)
				}
			}
		}
	}
}

// FuzzEncode makes an instruction of the bytes and compares it with what another decoder
// reads.
func FuzzEncode(f *testing.F) {
	for op := range byte(numOps) {
		f.Add(op, byte(3), byte(8), byte(op), int32(op)*1000, int64(op)<<20)
	}
	f.Fuzz(func(t *testing.T, opByte, r, q, shape byte, disp int32, imm int64) {
		op := uint16(opByte) % numOps
		form := &forms[op]
		if op < MovRR || form.layout == relative {
			t.Skip("not encoded by itself")
		}
		at := &places[form.layout]
		first := func(i int) mach.Reg {
			if isVector(form, i) {
				return XMM0
			}
			return RAX
		}
		in := mach.Inst{Op: op, Cond: shape & 15, Args: argsOf(at, first(0)+mach.Reg(r&15), first(len(at.args)-1)+mach.Reg(q&15))}
		if form.imm > 0 {
			in.Imm = truncate(imm, 8*form.imm)
		}
		if form.imm == 1 {
			in.Imm &= 63
		}
		if at.rm == inAddr {
			a := Addr{Base: RAX + mach.Reg(q&15), Disp: disp}
			if shape&16 != 0 {
				a.Index, a.Scale = RAX+mach.Reg(q>>4), 1<<(shape&3)
			}
			if shape&32 != 0 && a.Index != mach.NoReg {
				a.Base = mach.NoReg
			}
			if a.Index == RSP && (a.Scale > 1 || a.Base == RSP) {
				t.Skip("no such address")
			}
			in.Args = in.Args[:len(in.Args):len(in.Args)]
			appendAddr(&in, a)
		}
		size := form.size
		if form.imm == 1 {
			size = 8
		}
		e := encodeOne(in)
		got, err := decoded(e.buf, size)
		if err != nil {
			t.Fatalf("%s = % x: %v", printed(in), e.buf, err)
		}
		if diff := cmp.Diff(printed(in), got); diff != "" {
			t.Fatalf("% x (-wrote +read):\n%s", e.buf, diff)
		}
	})
}
