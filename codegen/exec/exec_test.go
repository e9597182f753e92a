//go:build linux && amd64

package exec

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	osexec "os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"shoal/codegen/amd64"
	"shoal/codegen/elf"
	"shoal/codegen/mach"
)

// program links code for main with all stubs.
func program(t testing.TB, entry string, code []byte, relocs ...mach.Reloc) *elf.Program {
	t.Helper()
	p := &elf.Program{Entry: entry, Fill: 0xCC}
	p.Symbols = append(p.Symbols, elf.Symbol{Name: "head", Section: elf.Rodata, Bytes: make([]byte, 8)})
	text := func(name string, b []byte, relocs []mach.Reloc) {
		p.Symbols = append(p.Symbols, elf.Symbol{Name: name, Section: elf.Text, Align: 16, Bytes: b, Relocs: relocs})
	}
	text(amd64.Code, nil, nil)
	text("main", code, relocs)
	text(amd64.WordMain, []byte{0xE9, 0, 0, 0, 0}, []mach.Reloc{{Offset: 1, Symbol: "main", Addend: -4}}) // jmp main
	for _, f := range amd64.Stubs() {
		c, err := amd64.Target{}.Encode(f)
		if err != nil {
			t.Fatal(err)
		}
		text(c.Name, c.Bytes, c.Relocs)
	}
	for _, d := range amd64.StubData() {
		s := elf.Symbol{Name: d.Name, Section: elf.Rodata, Bytes: d.Bytes}
		if d.Bytes == nil {
			s = elf.Symbol{Name: d.Name, Section: elf.Bss, Size: d.Zero, Align: 16}
		}
		p.Symbols = append(p.Symbols, s)
	}
	sites := []uint32{0, 12, 9, 16, 345, 67, amd64.EndOfSites, 0, 0}
	var b []byte
	for _, v := range sites {
		b = append(b, byte(v), byte(v>>8), byte(v>>16), byte(v>>24))
	}
	p.Symbols = append(p.Symbols,
		elf.Symbol{Name: amd64.File, Section: elf.Rodata, Bytes: []byte("t%.smp\x00")},
		elf.Symbol{Name: amd64.Sites, Section: elf.Rodata, Align: 4, Bytes: b})
	return p
}

func executable(t testing.TB, entry string, code []byte, relocs ...mach.Reloc) []byte {
	t.Helper()
	b, err := elf.Executable(program(t, entry, code, relocs...))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Small functions, written by hand so that these tests need no compiler.
var (
	identity  = []byte{0x48, 0x89, 0xF8, 0xC3}                                            // mov rax, rdi; ret
	square    = []byte{0x48, 0x0F, 0xAF, 0xFF, 0x48, 0x89, 0xF8, 0xC3}                    // imul rdi, rdi; mov rax, rdi; ret
	forever   = []byte{0xEB, 0xFE}                                                        // jmp to itself
	recurse   = []byte{0x48, 0x81, 0xEC, 0, 0, 16, 0, 0xE8, 0xF4, 0xFF, 0xFF, 0xFF, 0xC3} // sub rsp, 1 MiB; call itself
	bigFrame  = []byte{0x48, 0x81, 0xEC, 0, 0, 0, 0x7F, 0x50, 0xC3}                       // sub rsp, almost 2 GiB; push rax
	wildStore = []byte{0x48, 0xC7, 0x04, 0x25, 16, 0, 0, 0, 1, 0, 0, 0, 0xC3}             // mov qword [16], 1
	forgetful = []byte{0x31, 0xDB, 0x48, 0x89, 0xF8, 0xC3}                                // xor ebx, ebx; mov rax, rdi; ret
	// mov esi, 100; call shoal$fault.index
	faulty       = []byte{0xBE, 100, 0, 0, 0, 0xE8, 0, 0, 0, 0}
	faultyRelocs = []mach.Reloc{{Offset: 6, Symbol: amd64.FaultPrefix + "index", Addend: -4}}
	// nop padded so that the call is in the second site
	faultyLater       = append(bytes.Repeat([]byte{0x90}, 16), faulty...)
	faultyLaterRelocs = []mach.Reloc{{Offset: 22, Symbol: amd64.FaultPrefix + "index", Addend: -4}}
)

type result struct {
	Status         int
	Stdout, Stderr string
}

func run(t *testing.T, image []byte, argv ...string) result {
	t.Helper()
	var out, errs bytes.Buffer
	status, err := Run(image, argv, strings.NewReader(""), &out, &errs)
	if err != nil {
		t.Fatal(err)
	}
	return result{status, out.String(), errs.String()}
}

func TestRun(t *testing.T) {
	bad := func(word string) result {
		return result{2, "", "prog: the argument is not a decimal 64-bit integer: " + word + "\n"}
	}
	printed := func(status int, text string) result { return result{status, text + "\n", ""} }
	tests := []struct {
		name   string
		entry  string
		code   []byte
		relocs []mach.Reloc
		args   []string
		want   result
	}{
		{"no argument", amd64.Start, identity, nil, nil, result{0, "", ""}},
		{"status", amd64.Start, identity, nil, []string{"42"}, result{42, "", ""}},
		{"low 8 bits", amd64.Start, identity, nil, []string{"300"}, result{44, "", ""}},
		{"low 8 bits of a negative number", amd64.Start, identity, nil, []string{"-1"}, result{255, "", ""}},
		{"further arguments", amd64.Start, identity, nil, []string{"7", "x"}, result{7, "", ""}},
		{"prints", amd64.StartPrinting, identity, nil, []string{"300"}, printed(44, "300")},
		{"prints 0", amd64.StartPrinting, identity, nil, []string{"-0"}, printed(0, "0")},
		{"plus", amd64.StartPrinting, identity, nil, []string{"+007"}, printed(7, "7")},
		{"most", amd64.StartPrinting, identity, nil, []string{"9223372036854775807"}, printed(255, "9223372036854775807")},
		{"least", amd64.StartPrinting, identity, nil, []string{"-9223372036854775808"}, printed(0, "-9223372036854775808")},
		{"one too many", amd64.Start, identity, nil, []string{"9223372036854775808"}, bad("9223372036854775808")},
		{"one too few", amd64.Start, identity, nil, []string{"-9223372036854775809"}, bad("-9223372036854775809")},
		{"far too many", amd64.Start, identity, nil, []string{"92233720368547758070"}, bad("92233720368547758070")},
		{"empty word", amd64.Start, identity, nil, []string{""}, bad("")},
		{"sign alone", amd64.Start, identity, nil, []string{"-"}, bad("-")},
		{"two signs", amd64.Start, identity, nil, []string{"+-1"}, bad("+-1")},
		{"no digit", amd64.Start, identity, nil, []string{"12a"}, bad("12a")},
		{"space", amd64.Start, identity, nil, []string{" 1"}, bad(" 1")},
		{"stack overflow", amd64.Start, recurse, nil, nil, result{134, "", "t%.smp:12:9: fault: stack overflow\n"}},
		{"frame across the guard", amd64.Start, bigFrame, nil, nil, result{134, "", "t%.smp:12:9: fault: stack overflow\n"}},
		{"wild store", amd64.Start, wildStore, nil, nil, result{139, "", ""}},
		{"fault", amd64.Start, faulty, faultyRelocs, []string{"-5"}, result{134, "", "t%.smp:12:9: fault: index -5 is outside array of length 100\n"}},
		{"fault further on", amd64.Start, faultyLater, faultyLaterRelocs, []string{"100"}, result{134, "", "t%.smp:345:67: fault: index 100 is outside array of length 100\n"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := run(t, executable(t, tt.entry, tt.code, tt.relocs...), append([]string{"prog"}, tt.args...)...)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestHardHost runs under conditions that a shell can set up: little memory, SIGABRT
// ignored, a signal from outside.
func TestHardHost(t *testing.T) {
	sh, err := osexec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not installed")
	}
	dir := t.TempDir()
	for name, code := range map[string][]byte{"identity": identity, "recurse": recurse, "forever": forever} {
		if err := os.WriteFile(filepath.Join(dir, name), executable(t, amd64.Start, code), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct{ name, script, want string }{
		{"little address space", "ulimit -v 200000; ./identity 5; echo $?", "5\n"},
		{"hardly any address space", "ulimit -v 20000; ./identity 5; echo $?", "5\n"},
		{"overflow in little address space", "ulimit -v 200000; ./recurse; echo $?", "134\n"},
		{"unlimited stack", "ulimit -s unlimited 2>/dev/null; ./recurse; echo $?", "134\n"},
		{"SIGABRT ignored", "trap '' ABRT; ./recurse; echo $?", "134\n"},
		{"SIGSEGV sent", "./forever & sleep 0.2; kill -SEGV $!; wait $!; echo $?", "139\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			cmd := osexec.Command(sh, "-c", tt.script)
			cmd.Dir = dir
			out, err := cmd.Output()
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, string(out)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestSignalsGoToTheProgram sends this process SIGTERM while a program runs.
func TestSignalsGoToTheProgram(t *testing.T) {
	code := []byte{
		0xB8, 1, 0, 0, 0, // mov eax, write
		0xBF, 1, 0, 0, 0, // mov edi, stdout
		0x48, 0x8D, 0x35, 0, 0, 0, 0, // lea rsi, [rip]
		0xBA, 1, 0, 0, 0, // mov edx, 1
		0x0F, 0x05, // syscall
		0xEB, 0xFE, // jmp to itself
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	status := make(chan int)
	go func() {
		got, err := Run(executable(t, amd64.Start, code), []string{"prog"}, nil, w, nil)
		if err != nil {
			t.Error(err)
		}
		status <- got
	}()
	if _, err := r.Read(make([]byte, 1)); err != nil { // now it runs
		t.Fatal(err)
	}
	if err := syscall.Kill(os.Getpid(), syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if got := <-status; got != signalBase+int(syscall.SIGTERM) {
		t.Errorf("status %d, want %d", got, signalBase+int(syscall.SIGTERM))
	}
}

// TestReplace lets a second process of this test become the program.
func TestReplace(t *testing.T) {
	const variable = "SHOAL_TEST_REPLACE"
	if os.Getenv(variable) != "" {
		t.Fatal(Replace(executable(t, amd64.Start, identity), []string{"prog", "42"}))
	}
	cmd := osexec.Command(os.Args[0], "-test.run=^TestReplace$")
	cmd.Env = append(os.Environ(), variable+"=1")
	status, err := exitStatus(cmd, cmd.Run())
	if err != nil || status != 42 {
		t.Errorf("status %d, %v; want 42", status, err)
	}
}

// TestNoDescriptorsLeak looks at what the program has open: its three streams.
func TestNoDescriptorsLeak(t *testing.T) {
	code := []byte{
		0xB8, 32, 0, 0, 0, // mov eax, dup
		0xBF, 0, 0, 0, 0, // mov edi, 0
		0x0F, 0x05, // syscall: the first free descriptor
		0xC3, // ret
	}
	if got := run(t, executable(t, amd64.Start, code), "prog"); got.Status != 3 {
		t.Errorf("the first free descriptor is %d, want 3", got.Status)
	}
}

// TestNothingLeftBehind runs through the temporary file that is the fallback.
func TestNothingLeftBehind(t *testing.T) {
	dir := t.TempDir()
	cmd, err := startFromDisk(&osexec.Cmd{Args: []string{"prog", "42"}}, executable(t, amd64.Start, identity), dir)
	if err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	status, err := exitStatus(cmd, cmd.Wait())
	if err != nil || status != 42 {
		t.Errorf("status %d, %v; want 42", status, err)
	}
}

// patience is the limit of calls that end soon, but perhaps not on a busy machine.
const patience = time.Minute

func server(t testing.TB) *Server {
	t.Helper()
	s, err := NewServer(executable(t, amd64.Serve, identity))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// load links code with the stubs and loads it; it returns where main is.
func load(t testing.TB, s *Server, code []byte, relocs ...mach.Reloc) int64 {
	t.Helper()
	image, err := elf.Link(program(t, amd64.WordMain, code, relocs...))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Load(image.Bytes, image.Size); err != nil {
		t.Fatal(err)
	}
	entry, _ := image.Offset(amd64.WordMain)
	return entry
}

func TestServer(t *testing.T) {
	s := server(t)
	many, squares := make([]int64, MaxArgs), make([]int64, MaxArgs)
	for i := range many {
		many[i] = int64(i) - 7
		squares[i] = many[i] * many[i]
	}
	tests := []struct {
		name   string
		code   []byte
		relocs []mach.Reloc
		args   []int64
		want   []int64
		err    error
	}{
		{"identity", identity, nil, []int64{1, -1, -1 << 63}, []int64{1, -1, -1 << 63}, nil},
		{"no arguments", identity, nil, nil, []int64{}, nil},
		{"as many as possible", square, nil, many, squares, nil},
		{"endless loop", forever, nil, []int64{1}, []int64{}, ErrTimeout},
		{"after a loop", identity, nil, []int64{3}, []int64{3}, nil},
		{"stack overflow", recurse, nil, []int64{1}, []int64{}, &CrashError{134, "t%.smp: fault: stack overflow\n"}},
		{"fault", faulty, faultyRelocs, []int64{-5}, []int64{}, &CrashError{134, "t%.smp:12:9: fault: index -5 is outside array of length 100\n"}},
		{"wild store", wildStore, nil, []int64{1}, []int64{}, &CrashError{139, ""}},
		{"register not restored", forgetful, nil, []int64{1}, []int64{}, &CrashError{132, ""}},
		{"after crashes", square, nil, []int64{9, 10}, []int64{81, 100}, nil},
	}
	for _, tt := range tests {
		entry := load(t, s, tt.code, tt.relocs...)
		limit := patience
		if tt.err == ErrTimeout {
			limit = 200 * time.Millisecond
		}
		got, err := s.Call(entry, tt.args, limit)
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
		var wantCrash, crash *CrashError
		if errors.As(tt.err, &wantCrash) && errors.As(err, &crash) {
			if diff := cmp.Diff(wantCrash, crash); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tt.name, diff)
			}
			continue
		}
		if err != tt.err {
			t.Errorf("%s: error %v, want %v", tt.name, err, tt.err)
		}
	}
}

// TestServerEndsItself checks that a server whose user is gone does not spin for ever.
func TestServerEndsItself(t *testing.T) {
	s := server(t)
	entry := load(t, s, identity)
	if _, err := s.Call(entry, nil, patience); err != nil {
		t.Fatal(err)
	}
	load(t, s, forever)
	s.setWord(wordCount, 1)
	s.setWord(wordSeconds, 1)
	var crash *CrashError
	if err := s.roundTrip(patience); !errors.As(err, &crash) || crash.Status != signalBase+int(syscall.SIGALRM) {
		t.Errorf("got %v, want the end by SIGALRM", err)
	}
}

// TestServersAtOnce runs several servers from several goroutines.
func TestServersAtOnce(t *testing.T) {
	for i := range 4 {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			s := server(t)
			for k := range int64(200) {
				got, err := s.Call(load(t, s, square), []int64{k}, patience)
				if err != nil || len(got) != 1 || got[0] != k*k {
					t.Fatalf("square of %d: %v, %v", k, got, err)
				}
			}
		})
	}
}

// TestServerGrows loads more code than fits at first, with data that has to start as zero.
func TestServerGrows(t *testing.T) {
	s := server(t)
	dirty := bytes.Repeat([]byte{0xFF}, firstMemory/2)
	if err := s.Load(dirty, int64(len(dirty))); err != nil {
		t.Fatal(err)
	}
	for _, size := range []int64{firstMemory / 4, 3 * firstMemory} {
		// The head; mov rax, [rip + size - 24]; ret
		code := []byte{0, 0, 0, 0, 0, 0, 0, 0, 0x48, 0x8B, 0x05, 0, 0, 0, 0, 0xC3}
		at := size - 24 - 7
		code[11], code[12], code[13], code[14] = byte(at), byte(at>>8), byte(at>>16), byte(at>>24)
		if err := s.Load(code, size); err != nil {
			t.Fatal(err)
		}
		got, err := s.Call(8, []int64{5}, patience)
		if diff := cmp.Diff([]int64{0}, got); diff != "" || err != nil {
			t.Errorf("size %d: %v (-want +got):\n%s", size, err, diff)
		}
	}
}

func BenchmarkServerCall(b *testing.B) {
	s := server(b)
	image, err := elf.Link(program(b, amd64.WordMain, square))
	if err != nil {
		b.Fatal(err)
	}
	entry, _ := image.Offset(amd64.WordMain)
	args := []int64{1, 2, 3, 4, 5, 6, 7, 8}
	for b.Loop() {
		if err := s.Load(image.Bytes, image.Size); err != nil {
			b.Fatal(err)
		}
		if _, err := s.Call(entry, args, patience); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRun(b *testing.B) {
	image := executable(b, amd64.Start, identity)
	for b.Loop() {
		if _, err := Run(image, []string{"prog"}, nil, nil, nil); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(image)), "image-bytes")
}
