package codegen

import (
	"bufio"
	"bytes"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"shoal/codegen/amd64"
	"shoal/codegen/mach"
	"shoal/source"
)

// TestListing lists code written by hand, so that only the listing is under test.
func TestListing(t *testing.T) {
	file := source.NewFile("t.smp", []byte("int i = 0;\nwhile (i < arg)  i = f(i);\nreturn i;\n"))
	at := func(text string) source.Pos { return source.At(strings.Index(string(file.Text), text)) }
	c := &mach.Code{Name: "main", Bytes: []byte{
		0x31, 0xC0, // xor eax, eax
		0x48, 0x39, 0xF8, // cmp rax, rdi
		0x7D, 0x0F, // jge to ret
		0xE8, 0, 0, 0, 0, // call f
		0x48, 0x03, 0x05, 0, 0, 0, 0, // add rax, [table+8]
		0x06,       // no instruction
		0xEB, 0xEC, // jmp to cmp
		0xC3, // ret
	}, Relocs: []mach.Reloc{{Offset: 8, Symbol: "f", Addend: -4}, {Offset: 15, Symbol: "table", Addend: 4}},
		Lines: []mach.Line{{Offset: 0, Pos: at("int")}, {Offset: 2, Pos: at("while")}, {Offset: 7, Pos: at("f(i)")}, {Offset: 22, Pos: at("return")}}}
	p := &Program{target: &targets[0], Funcs: []*mach.Code{c, c}, files: []*source.File{file, nil}}
	want := `main:
; t.smp:1: int i = 0;
     0  31 c0                     xor eax, eax
; t.smp:2: while (i < arg)  i = f(i);
L2:
     2  48 39 f8                  cmp rax, rdi
     5  7d 0f                     jge L16
     7  e8 00 00 00 00            call f
     c  48 03 05 00 00 00 00      add rax, qword ptr [table+8]
    13  06                        .byte 0x06
    14  eb ec                     jmp L2
; t.smp:3: return i;
L16:
    16  c3                        ret
`
	plain := regexp.MustCompile("(?m)^;.*\n").ReplaceAllString(want, "") // of the function without a file
	want += "\n" + plain
	var got bytes.Buffer
	if err := p.WriteListing(&got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestMachText(t *testing.T) {
	v := func(i mach.Reg) mach.Reg { return mach.FirstVirtual + i - 1 }
	f := &mach.Func{Name: "f", Syms: []string{"puts"}}
	for range 4 {
		f.NewReg(mach.General)
	}
	ten := amd64.MovImm(v(4), 10)
	f.Values[3].Remat = &ten
	inputs := amd64.New(amd64.Inputs, v(1))
	jump := amd64.New(amd64.Jcc)
	jump.Cond = amd64.CondNE
	f.Blocks = []mach.Block{
		{Insts: []mach.Inst{inputs}, Branch: 1, Succs: []mach.Edge{{Block: 1, Args: []mach.Reg{v(1), v(4)}}}},
		{Params: []mach.Reg{v(2), v(3)}, Depth: 1,
			Insts: []mach.Inst{amd64.NewSym(amd64.Call, 0), amd64.New(amd64.CmpRR, v(2), v(3)), jump}, Branch: 1,
			Succs: []mach.Edge{{Block: 1, Args: []mach.Reg{v(3), v(2)}}, {Block: 2}}},
		{Insts: []mach.Inst{amd64.New(amd64.RetVal, amd64.RAX)}, Cold: true},
	}
	var got bytes.Buffer
	p := printer{Writer: bufio.NewWriter(&got), target: &targets[0]}
	p.function(f)
	p.Flush()
	want := `func f
	; sym0 is puts
	; anywhere: mov v4, 10
b0:
	inputs v1
	-> b1(v1, v4)
b1(v2, v3):	; loop depth 1, from b0, b1
	call sym0
	cmp v2, v3
	jne
	-> b1(v3, v2), b2
b2:	; cold, from b1
	ret
`
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestLocate compares the sweep with looking up each position on its own.
func TestLocate(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	texts := []string{"", "\n", "abc", "a\nb\n\nc", "äö\nü x\nñ", strings.Repeat("é ", 100), strings.Repeat("x\n", 50)}
	for _, text := range texts {
		f := source.NewFile("t", []byte(text))
		sites := make([]site, 60)
		for i := range sites {
			at := r.IntN(len(text) + 1)
			for at < len(text) && !utf8.RuneStart(text[at]) {
				at++
			}
			sites[i].pos = source.At(at)
		}
		locate(f, sites)
		for _, s := range sites {
			line, column := f.Line(s.pos)
			if diff := cmp.Diff([2]int{line, column}, [2]int{s.line, s.column}); diff != "" {
				t.Errorf("%q, offset %d (-want +got):\n%s", text, s.pos.Offset(), diff)
			}
		}
	}
}

// TestSites reads the table the way the stub does and asks it about every address.
func TestSites(t *testing.T) {
	file := source.NewFile("t.smp", []byte("abc\ndef\n"))
	call := func(at int, symbol string) mach.Reloc { return mach.Reloc{Offset: at + 1, Symbol: symbol, Addend: -4} }
	index := amd64.FaultPrefix + "index"
	p := &Program{target: &targets[0], files: []*source.File{file, nil, file}, Funcs: []*mach.Code{
		{Name: "a", Bytes: make([]byte, 20), Relocs: []mach.Reloc{call(2, "g"), call(7, index), call(12, index)},
			Lines: []mach.Line{{Offset: 0, Pos: source.At(0)}, {Offset: 12, Pos: source.At(5)}}},
		{Name: "b", Bytes: make([]byte, 7), Relocs: []mach.Reloc{call(1, index)}},
		{Name: "c", Bytes: make([]byte, 9), Relocs: []mach.Reloc{call(4, index)}, Lines: []mach.Line{{Offset: 4, Pos: source.At(2)}}},
	}}
	// The last byte of each call, and nothing else, has a place.
	want := map[int][2]int{11: {1, 1}, 16: {2, 2}, 48 + 8: {1, 3}}
	table := p.sites()
	for at := range 64 {
		var got [2]int
		for i := 0; ; i += siteSize {
			word := func(k int) int { return int(le.Uint32(table[i+4*k:])) }
			if word(0) > at {
				break
			}
			got = [2]int{word(1), word(2)}
		}
		if diff := cmp.Diff(want[at], got); diff != "" {
			t.Errorf("address %d (-want +got):\n%s", at, diff)
		}
	}
}
