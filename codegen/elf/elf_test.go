package elf

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"shoal/codegen/mach"
)

// addProgram exits with the status twice(x) + y, where x is a constant and y a variable
// that counts up once: 2*20 + 3.
func addProgram() *Program {
	return &Program{
		Entry: "_start",
		Fill:  0xCC,
		Symbols: []Symbol{
			{Name: "_start", Section: Text, Align: 16, Bytes: []byte{
				0x8B, 0x3D, 0, 0, 0, 0, // mov edi, [x]
				0xE8, 0, 0, 0, 0, // call twice
				0xFF, 0x05, 0, 0, 0, 0, // inc dword [y]
				0xFF, 0x05, 0, 0, 0, 0, // inc dword [z]
				0x03, 0x05, 0, 0, 0, 0, // add eax, [y]
				0x03, 0x05, 0, 0, 0, 0, // add eax, [z]
				0x89, 0xC7, // mov edi, eax
				0xB8, 231, 0, 0, 0, // mov eax, exit_group
				0x0F, 0x05, // syscall
			}, Relocs: []mach.Reloc{{Offset: 2, Symbol: "x", Addend: -4}, {Offset: 7, Symbol: "twice", Addend: -4},
				{Offset: 13, Symbol: "y", Addend: -4}, {Offset: 19, Symbol: "z", Addend: -4},
				{Offset: 25, Symbol: "y", Addend: -4}, {Offset: 31, Symbol: "z", Addend: -4}}},
			{Name: "twice", Section: Text, Align: 16, Global: true, Bytes: []byte{
				0x8D, 0x04, 0x3F, // lea eax, [rdi+rdi]
				0xC3, // ret
			}},
			{Name: "x", Section: Rodata, Align: 4, Bytes: []byte{20, 0, 0, 0}},
			{Name: "y", Section: Data, Align: 4, Bytes: []byte{1, 0, 0, 0}},
			{Name: "z", Section: Bss, Align: 64, Size: 4096},
		},
	}
}

const addProgramStatus = 2*20 + 2 + 1

func mustRead(t testing.TB, b []byte, err error) *elf.File {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	f, err := elf.NewFile(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func writeProgram(t testing.TB, name string, b []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, b, 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// tool runs a program of the host and returns what it printed; without it the test skips.
func tool(t *testing.T, name string, args ...string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is not installed", name)
	}
	out, err := exec.Command(path, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

// needHost skips tests that run what they wrote on another machine.
func needHost(t *testing.T) {
	t.Helper()
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skipf("the host is %s/%s, not linux/amd64", runtime.GOOS, runtime.GOARCH)
	}
}

func status(t *testing.T, path string) int {
	t.Helper()
	err := exec.Command(path).Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if exit == nil {
		return 0
	}
	return exit.ExitCode()
}

func TestExecutableRuns(t *testing.T) {
	needHost(t)
	b, err := Executable(addProgram())
	if err != nil {
		t.Fatal(err)
	}
	if got := status(t, writeProgram(t, "add", b)); got != addProgramStatus {
		t.Errorf("status %d, want %d", got, addProgramStatus)
	}
}

func TestExecutableReadsBack(t *testing.T) {
	b, err := Executable(addProgram())
	f := mustRead(t, b, err)
	var got []string
	for _, s := range f.Sections {
		got = append(got, fmt.Sprintf("%s %v %v size=%d", s.Name, s.Type, s.Flags, s.Size))
	}
	for _, p := range f.Progs {
		got = append(got, fmt.Sprintf("%v %v", p.Type, p.Flags))
		if p.Type == elf.PT_LOAD && p.Off%pageSize != p.Vaddr%pageSize {
			t.Errorf("segment %+v: file and memory disagree about the place in the page", p.ProgHeader)
		}
	}
	want := []string{
		" SHT_NULL 0x0 size=0",
		".rodata SHT_PROGBITS SHF_ALLOC size=4",
		".text SHT_PROGBITS SHF_ALLOC+SHF_EXECINSTR size=52",
		".data SHT_PROGBITS SHF_WRITE+SHF_ALLOC size=8",
		".bss SHT_NOBITS SHF_WRITE+SHF_ALLOC size=4096",
		".symtab SHT_SYMTAB 0x0 size=144",
		".strtab SHT_STRTAB 0x0 size=20",
		".shstrtab SHT_STRTAB 0x0 size=52",
		"PT_LOAD PF_R",
		"PT_LOAD PF_X+PF_R",
		"PT_LOAD PF_W+PF_R",
		"PT_GNU_STACK PF_W+PF_R",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	symbols, err := f.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	got = nil
	for _, s := range symbols {
		got = append(got, fmt.Sprintf("%s %v %v in %s size=%d", s.Name, elf.ST_BIND(s.Info), elf.ST_TYPE(s.Info), f.Sections[s.Section].Name, s.Size))
	}
	want = []string{
		"_start STB_LOCAL STT_FUNC in .text size=44",
		"x STB_LOCAL STT_OBJECT in .rodata size=4",
		"y STB_LOCAL STT_OBJECT in .data size=4",
		"z STB_LOCAL STT_OBJECT in .bss size=4096",
		"twice STB_GLOBAL STT_FUNC in .text size=4",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("symbols (-want +got):\n%s", diff)
	}
	if symbols[0].Value != f.Entry {
		t.Errorf("entry %#x, want _start at %#x", f.Entry, symbols[0].Value)
	}
}

// randomProgram has n functions that are all calls, to each other and to data.
func randomProgram(n, calls int) *Program {
	r := rand.New(rand.NewPCG(1, uint64(n)))
	p := &Program{Entry: "s0", Fill: 0xCC}
	places := []Section{Text, Text, Text, Rodata, Data, Bss}
	for i := range n {
		s := Symbol{Name: fmt.Sprintf("s%d", i), Align: 1 << r.IntN(6), Section: places[r.IntN(len(places))], Global: r.IntN(3) == 0}
		if i == 0 {
			s.Section = Text
		}
		switch s.Section {
		case Bss:
			s.Size = int64(r.IntN(300))
		case Text:
			for range r.IntN(2*calls + 1) {
				s.Relocs = append(s.Relocs, mach.Reloc{Offset: len(s.Bytes) + 1, Symbol: fmt.Sprintf("s%d", r.IntN(n)), Addend: -4 + int64(r.IntN(3))})
				s.Bytes = append(s.Bytes, 0xE8, 0, 0, 0, 0)
			}
		default:
			s.Bytes = make([]byte, r.IntN(100))
		}
		p.Symbols = append(p.Symbols, s)
	}
	return p
}

// TestRelocations checks every field of random programs against the addresses that
// another reader finds in the symbol table.
func TestRelocations(t *testing.T) {
	for _, n := range []int{1, 2, 5, 50, 1000} {
		p := randomProgram(n, 4)
		b, err := Executable(p)
		f := mustRead(t, b, err)
		symbols, err := f.Symbols()
		if err != nil {
			t.Fatal(err)
		}
		addr := map[string]uint64{}
		for _, s := range symbols {
			addr[s.Name] = s.Value
		}
		text, err := f.Section(".text").Data()
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range p.Symbols {
			if a := addr[s.Name]; s.Align > 0 && a%uint64(s.Align) != 0 {
				t.Errorf("n=%d: %s at %#x is not aligned to %d", n, s.Name, a, s.Align)
			}
			for _, r := range s.Relocs {
				at := addr[s.Name] + uint64(r.Offset)
				field := int32(binary.LittleEndian.Uint32(text[at-f.Section(".text").Addr:]))
				got := uint64(int64(at) + int64(field) - r.Addend)
				if got != addr[r.Symbol] {
					t.Errorf("n=%d: %s+%d leads to %#x, want %s at %#x", n, s.Name, r.Offset, got, r.Symbol, addr[r.Symbol])
				}
			}
		}
	}
}

// TestImageMatchesExecutable compares distances in a linked image with the executable's.
func TestImageMatchesExecutable(t *testing.T) {
	p := randomProgram(300, 4)
	m, err := Link(p)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range p.Symbols {
		base, ok := m.Offset(s.Name)
		if !ok || base%max(s.Align, 1) != 0 || base+s.size() > m.Size {
			t.Fatalf("%s at %d, %v", s.Name, base, ok)
		}
		for _, r := range s.Relocs {
			at := base + int64(r.Offset)
			want, _ := m.Offset(r.Symbol)
			if got := at + int64(int32(binary.LittleEndian.Uint32(m.Bytes[at:]))) - r.Addend; got != want {
				t.Errorf("%s+%d leads to %d, want %s at %d", s.Name, r.Offset, got, r.Symbol, want)
			}
		}
	}
}

func TestErrors(t *testing.T) {
	call := func(names ...string) Symbol {
		s := Symbol{Name: "_start", Section: Text}
		for i, n := range names {
			s.Bytes = append(s.Bytes, 0xE8, 0, 0, 0, 0)
			s.Relocs = append(s.Relocs, mach.Reloc{Offset: 5*i + 1, Symbol: n, Addend: -4})
		}
		return s
	}
	tests := []struct {
		name string
		p    Program
		want string
	}{
		{"undefined", Program{Entry: "_start", Symbols: []Symbol{call("labs", "puts", "labs")}}, "undefined: labs, puts"},
		{"twice", Program{Entry: "_start", Symbols: []Symbol{call(), call()}}, "symbol _start is defined twice"},
		{"no entry", Program{Entry: "main", Symbols: []Symbol{call()}}, "the program has no main to start at"},
		{"too big", Program{Entry: "_start", Symbols: []Symbol{call(), {Name: "b", Section: Bss, Size: 1 << 31}}},
			"the program takes 2147483648 bytes; the limit is 2146435072"},
	}
	for _, tt := range tests {
		_, err := Executable(&tt.p)
		if diff := cmp.Diff(tt.want, fmt.Sprint(err)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestDeterministic(t *testing.T) {
	for name, write := range map[string]func(*Program) ([]byte, error){"executable": Executable, "object": Object} {
		a, errA := write(randomProgram(200, 4))
		b, errB := write(randomProgram(200, 4))
		if errA != nil || errB != nil || !bytes.Equal(a, b) {
			t.Errorf("%s: two runs differ (%v, %v)", name, errA, errB)
		}
	}
}

func BenchmarkExecutable(b *testing.B) {
	for _, n := range []int{10, 1000, 100_000} {
		p := randomProgram(n, 4)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Executable(p); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/symbol")
		})
	}
}
