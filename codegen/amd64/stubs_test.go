package amd64

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/arch/x86/x86asm"
)

// TestStubsAreClosed checks that stubs refer to stubs, their data and what the driver
// provides, that all data is used, and that no name can be one of the program's. What the
// stubs do is tested by running them, in package exec.
func TestStubsAreClosed(t *testing.T) {
	known := map[string]bool{WordMain: true, Code: true, File: true, Sites: true}
	unused := map[string]bool{}
	define := func(name string) {
		if known[name] || !strings.Contains(name, "$") {
			t.Errorf("bad name %s", name)
		}
		known[name] = true
	}
	stubs := Stubs()
	for _, f := range stubs {
		define(f.Name)
	}
	for _, d := range StubData() {
		define(d.Name)
		unused[d.Name] = true
	}
	for _, f := range stubs {
		for _, s := range f.Syms {
			if !known[s] {
				t.Errorf("%s refers to %s, which nobody defines", f.Name, s)
			}
			delete(unused, s)
		}
	}
	if len(unused) > 0 {
		t.Errorf("data that no stub uses: %v", unused)
	}
}

// TestStubsDecode reads every stub with a decoder that shares nothing with the encoder and
// checks that it is whole: instructions up to the end, jumps to starts of instructions,
// an end that control does not pass.
func TestStubsDecode(t *testing.T) {
	for _, f := range Stubs() {
		c, err := Target{}.Encode(f)
		if err != nil {
			t.Fatal(err)
		}
		fields := map[int]bool{}
		for _, r := range c.Relocs {
			fields[r.Offset] = true
		}
		starts := map[int]bool{}
		jumps := map[int]string{}
		var last x86asm.Inst
		for at := 0; at < len(c.Bytes); at += last.Len {
			starts[at] = true
			if last, err = x86asm.Decode(c.Bytes[at:], 64); err != nil {
				t.Fatalf("%s+%#x: %v in % x", f.Name, at, err, c.Bytes[at:])
			}
			if d, ok := last.Args[0].(x86asm.Rel); ok && !fields[at+last.Len-4] {
				jumps[at+last.Len+int(d)] = last.String()
			}
		}
		for to, jump := range jumps {
			if !starts[to] {
				t.Errorf("%s: %s goes to %#x, into the middle of an instruction", f.Name, jump, to)
			}
		}
		switch last.Op {
		case x86asm.RET, x86asm.JMP, x86asm.UD2:
		default:
			t.Errorf("%s ends with %s", f.Name, last)
		}
	}
}

// TestStubAssembler pins how labels and jumps become blocks.
func TestStubAssembler(t *testing.T) {
	s := newStub("loop")
	s.label("top")
	s.imm(SubRI, 1, RDI)
	s.jcc(CondE, "out")
	s.jmp("top")
	s.label("out")
	s.ret()
	f := s.done()
	var got [][]int32
	for _, b := range f.Blocks {
		var succs []int32
		for _, e := range b.Succs {
			succs = append(succs, e.Block)
		}
		got = append(got, succs)
	}
	if diff := cmp.Diff([][]int32{{1}, {3, 2}, {1}, nil}, got); diff != "" {
		t.Errorf("successors (-want +got):\n%s", diff)
	}
	if got := f.Blocks[1].Insts[0].Args; len(got) != 2 || got[0].Reg != RDI || got[1].Reg != RDI {
		t.Errorf("sub edi, 1 has the operands %v", got)
	}
	defer func() {
		if recover() == nil {
			t.Error("a jump to a label that is nowhere was accepted")
		}
	}()
	s = newStub("broken")
	s.jmp("nowhere")
	s.done()
}
