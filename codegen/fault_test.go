package codegen

import (
	"bytes"
	"errors"
	"os"
	osexec "os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"shoal/codegen/amd64"
	"shoal/codegen/exec"
	"shoal/codegen/mach"
	"shoal/source"
)

// faultyProgram has a main that fails an index check, written by hand: no front end makes
// such checks yet. The function before it makes the place of the call a matter of layout.
func faultyProgram() (p *Program, want string) {
	file := source.NewFile("t.smp", []byte("int[] a = new int[5];\n\treturn a[100];\n"))
	return &Program{target: &targets[0], files: []*source.File{file, file}, sigs: make([]amd64.Signature, 2), Funcs: []*mach.Code{
		{Name: "f", Bytes: bytes.Repeat([]byte{0xC3}, 37)},
		{Name: "main", Bytes: []byte{
			0xBF, 100, 0, 0, 0, // mov edi, 100
			0xBE, 5, 0, 0, 0, // mov esi, 5
			0xE8, 0, 0, 0, 0, // call
		}, Relocs: []mach.Reloc{{Offset: 11, Symbol: amd64.FaultPrefix + "index", Addend: -4}},
			Lines: []mach.Line{{Offset: 0, Pos: source.At(0)}, {Offset: 10, Pos: source.At(31)}}},
	}}, "t.smp:2:10: fault: index 100 is outside array of length 5\n"
}

// statusAbort is the shell's status of a process that SIGABRT ended (semantics §10).
const statusAbort = 134

func TestFaultOfExecutable(t *testing.T) {
	needHost(t)
	p, want := faultyProgram()
	b, err := p.Executable(false)
	if err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	status, err := exec.Run(b, []string{"t"}, nil, nil, &stderr)
	if err != nil || status != statusAbort {
		t.Errorf("status %d, %v; want %d", status, err, statusAbort)
	}
	if diff := cmp.Diff(want, stderr.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestFaultOfObject(t *testing.T) {
	needHost(t)
	cc, err := osexec.LookPath("cc")
	if err != nil {
		t.Skip("cc is not installed")
	}
	p, want := faultyProgram()
	b, err := p.Object()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	o, exe := filepath.Join(dir, "t.o"), filepath.Join(dir, "t")
	if err := os.WriteFile(o, b, 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := osexec.Command(cc, "-o", exe, o, "-Wl,--fatal-warnings").CombinedOutput(); err != nil || len(out) > 0 {
		t.Fatalf("%v\n%s", err, out)
	}
	var stderr bytes.Buffer
	cmd := osexec.Command(exe)
	cmd.Stderr = &stderr
	var exit *osexec.ExitError
	if err := cmd.Run(); !errors.As(err, &exit) || exit.String() != "signal: aborted (core dumped)" && exit.String() != "signal: aborted" {
		t.Errorf("ended by %v, want SIGABRT", err)
	}
	if diff := cmp.Diff(want, stderr.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
