package elf

import (
	"debug/elf"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"shoal/codegen/mach"
)

// objectProgram has a global function that calls a local one and a C function, and reads
// a constant: f(x) = labs(twice(x)) + 5.
func objectProgram() *Program {
	return &Program{Symbols: []Symbol{
		{Name: "twice", Section: Text, Align: 16, Bytes: []byte{0x48, 0x8D, 0x04, 0x3F, 0xC3}}, // lea rax, [rdi+rdi]; ret
		{Name: "f", Section: Text, Align: 16, Global: true, Bytes: []byte{
			0x50,             // push rax: keeps the stack aligned
			0xE8, 0, 0, 0, 0, // call twice
			0x48, 0x89, 0xC7, // mov rdi, rax
			0xE8, 0, 0, 0, 0, // call magnitude
			0x48, 0x03, 0x05, 0, 0, 0, 0, // add rax, [five]
			0x59, // pop rcx
			0xC3, // ret
		}, Relocs: []mach.Reloc{{Offset: 2, Symbol: "twice", Addend: -4}, {Offset: 10, Symbol: "magnitude", Addend: -4}, {Offset: 17, Symbol: "five", Addend: -4}}},
		{Name: "five", Section: Rodata, Align: 8, Bytes: []byte{5, 0, 0, 0, 0, 0, 0, 0}},
	}}
}

const driver = `
#include <stdio.h>
long f(long);
long magnitude(long x) { return x < 0 ? -x : x; }
int main(void) { printf("%ld %ld\n", f(-4), f(100)); return 0; }
`

func TestObjectReadsBack(t *testing.T) {
	b, err := Object(objectProgram())
	f := mustRead(t, b, err)
	symbols, err := f.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	rela, err := f.Section(".rela.text").Data()
	if err != nil {
		t.Fatal(err)
	}
	for ; len(rela) > 0; rela = rela[relaSize:] {
		info := le.Uint64(rela[8:])
		got = append(got, elf.R_X86_64(elf.R_TYPE64(info)).String()+" "+symbols[elf.R_SYM64(info)-1].Name)
	}
	if diff := cmp.Diff([]string{"R_X86_64_PLT32 magnitude", "R_X86_64_PC32 five"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if note := f.Section(".note.GNU-stack"); note == nil || note.Flags != 0 {
		t.Errorf("the object does not say that its stack is not executable: %+v", note)
	}
}

func TestObjectLinksWithC(t *testing.T) {
	needHost(t)
	dir := t.TempDir()
	b, err := Object(objectProgram())
	if err != nil {
		t.Fatal(err)
	}
	o, c, exe := filepath.Join(dir, "f.o"), filepath.Join(dir, "main.c"), filepath.Join(dir, "main")
	for name, text := range map[string]string{o: string(b), c: driver} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if out := tool(t, "cc", "-o", exe, c, o, "-Wl,--fatal-warnings"); out != "" {
		t.Errorf("the linker complains: %s", out)
	}
	if diff := cmp.Diff("13 205\n", tool(t, exe)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestToolsRead asks the host's binary tools what they see.
func TestToolsRead(t *testing.T) {
	b, err := Executable(addProgram())
	if err != nil {
		t.Fatal(err)
	}
	exe := writeProgram(t, "add", b)
	b, err = Object(objectProgram())
	if err != nil {
		t.Fatal(err)
	}
	o := writeProgram(t, "f.o", b)
	tests := []struct {
		name   string
		tool   string
		args   []string
		want   []string
		forbid string
	}{
		{"readelf executable", "readelf", []string{"-aW", exe}, []string{"twice", "GNU_STACK"}, "arning"},
		{"readelf object", "readelf", []string{"-aW", o}, []string{"magnitude", ".note.GNU-stack"}, "arning"},
		{"objdump executable", "objdump", []string{"-d", exe}, []string{"<twice>:", "# ", "<x>"}, "arning"},
		{"objdump object", "objdump", []string{"-dr", o}, []string{"<f>:", "R_X86_64_PLT32\tmagnitude"}, "arning"},
		{"gdb", "gdb", []string{"-batch", "-nx", "-ex", "info functions", exe}, []string{"_start", "twice"}, "arning"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := tool(t, tt.tool, tt.args...)
			for _, w := range tt.want {
				if !strings.Contains(got, w) {
					t.Errorf("no %q in\n%s", w, got)
				}
			}
			if strings.Contains(got, tt.forbid) {
				t.Errorf("%q in\n%s", tt.forbid, got)
			}
		})
	}
}
