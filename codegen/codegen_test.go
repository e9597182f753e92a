package codegen

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	osexec "os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"shoal/codegen/exec"
	"shoal/codegen/mach"
	"shoal/node"
	"shoal/source"
	"shoal/ssa"
	"shoal/ssa/ssatest"
)

func parse(t testing.TB, text string) *ssa.Module {
	t.Helper()
	m, err := ssa.Parse(source.NewFile("t.ssa", []byte("form args\n"+text)))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range m.Funcs {
		if errs := f.Validate(); len(errs) > 0 {
			t.Fatal(errs)
		}
	}
	return m
}

func compile(t testing.TB, m *ssa.Module) *Program {
	t.Helper()
	p, err := Compile(m, Options{Verify: true})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func needHost(t testing.TB) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("needs linux on amd64, not", runtime.GOOS, runtime.GOARCH)
	}
}

func newServer(t testing.TB) *exec.Server {
	t.Helper()
	needHost(t)
	b, err := ServerExecutable()
	if err != nil {
		t.Fatal(err)
	}
	s, err := exec.NewServer(b)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// native runs calls of a program by a server.
func native(t testing.TB, s *exec.Server, p *Program, calls []Call) []int64 {
	t.Helper()
	image, entries, err := p.CallImage(calls)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Load(image.Bytes, image.Size); err != nil {
		t.Fatal(err)
	}
	var got []int64
	for i, entry := range entries {
		r, err := s.Call(entry, []int64{0}, 10*time.Second)
		if err != nil {
			t.Fatalf("%s%v: %v", calls[i].Func, calls[i].Args, err)
		}
		got = append(got, r...)
	}
	return got
}

// maxSteps ends an interpreted function that runs too long, in instructions.
const maxSteps = 1_000_000

// interpret runs the same calls by the interpreter of package ssa.
func interpret(t testing.TB, m *ssa.Module, calls []Call) []int64 {
	t.Helper()
	var want []int64
	for _, c := range calls {
		i := slices.IndexFunc(m.Funcs, func(f *ssa.Func) bool { return f.Name == c.Func })
		v, err := ssa.NewInterp(m.Funcs[i]).Run(maxSteps, c.Args...)
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, v)
	}
	return want
}

func TestNativeAgreesWithInterpreter(t *testing.T) {
	tests := []struct {
		name, text string
		calls      [][]int64
	}{
		{"constant", "func f()\ne:\n ret 42\n", [][]int64{{}}},
		{"identity", "func f(a)\ne:\n ret a\n", [][]int64{{7}, {-7}}},
		{"swap loop", "func f(n)\ne:\n br h(1, 2, 0)\nh(a, b, i):\n i1 = add i, 1\n t = lt i1, n\n cbr t, h(b, a, i1), x()\nx:\n r = sub a, b\n ret r\n",
			[][]int64{{0}, {1}, {2}, {3}, {1000}}},
		{"gcd", "func f(a, b)\ne:\n br h(a, b)\nh(x, y):\n cbr y, l(), d()\nl:\n r = rem x, y\n br h(y, r)\nd:\n ret x\n",
			[][]int64{{12, 18}, {17, 5}, {0, 0}, {-12, 18}, {1 << 62, 1 << 40}}},
		{"inputs on the stack", "func f(a, b, c, d, e, g, h, i, j)\ne0:\n x = shl g, 4\n y = sub h, i\n z = mul j, x\n w = add z, y\n v = xor w, a\n ret v\n",
			[][]int64{{1, 2, 3, 4, 5, 6, 7, 8, 9}, {-1, 0, 0, 0, 0, 1 << 60, -5, 3, 1000}}},
		{"eight inputs", "func f(a, b, c, d, e, g, h, i)\ne0:\n x = sub h, i\n ret x\n", [][]int64{{1, 2, 3, 4, 5, 6, 70, 8}}},
		{"division by anything", "func f(a, b)\ne:\n q = div a, b\n r = rem a, b\n x = mul q, 1000003\n y = add x, r\n ret y\n",
			[][]int64{{7, 2}, {-7, 2}, {7, 0}, {-1 << 63, -1}, {1 << 62, 3}, {5, -1}}},
	}
	s := newServer(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := parse(t, tt.text)
			var calls []Call
			for _, args := range tt.calls {
				calls = append(calls, Call{"f", args})
			}
			if diff := cmp.Diff(interpret(t, m, calls), native(t, s, compile(t, m), calls)); diff != "" {
				t.Errorf("(-interpreter +native):\n%s", diff)
			}
		})
	}
}

// randomCalls are calls of f with boundary and random arguments.
func randomCalls(r *rand.Rand, f *ssa.Func) []Call {
	var calls []Call
	for range 4 {
		args := make([]int64, len(f.Inputs))
		for i := range args {
			args[i] = int64(r.Uint64()) >> r.IntN(64)
			if r.IntN(2) == 0 {
				args[i] = boundary[r.IntN(len(boundary))]
			}
		}
		calls = append(calls, Call{f.Name, args})
	}
	return calls
}

// checkRandom compares native code of one random function with the interpreter.
func checkRandom(t testing.TB, s *exec.Server, seed uint64) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 0))
	f := randomFunc(r, "f", r.IntN(9), 1<<r.IntN(9))
	if errs := f.Validate(); len(errs) > 0 {
		t.Fatalf("seed %d: %v\n%v", seed, errs, f)
	}
	checkCalls(t, s, seed, f, randomCalls(r, f))
}

// checkCalls compares native code of f with the interpreter.
func checkCalls(t testing.TB, s *exec.Server, seed uint64, f *ssa.Func, calls []Call) {
	t.Helper()
	m := &ssa.Module{Funcs: []*ssa.Func{f}}
	p, err := Compile(m, Options{Verify: true, Workers: 1})
	if err != nil {
		t.Fatalf("seed %d: %v\n%v", seed, err, f)
	}
	if diff := cmp.Diff(interpretedOutcomes(t, f, calls), nativeOutcomes(t, s, p, f, calls)); diff != "" {
		t.Fatalf("seed %d, %v (-interpreter +native):\n%s\n%v", seed, calls, diff, f)
	}
}

// outcome is what a call comes to, as text: a number, a float without the sign and the
// payload of a NaN, or a fault.
func outcome(f *ssa.Func, x int64) string {
	if f.ResultClass() == ssa.Float {
		return fmt.Sprint(math.Float64frombits(uint64(x)))
	}
	return fmt.Sprint(x)
}

func interpretedOutcomes(t testing.TB, f *ssa.Func, calls []Call) (all []string) {
	t.Helper()
	in := ssa.NewInterp(f)
	for _, c := range calls {
		x, err := in.Run(maxSteps, c.Args...)
		var fault *node.FaultError
		switch {
		case err == nil:
			all = append(all, outcome(f, x))
		case errors.As(err, &fault):
			all = append(all, fault.Error()+"\n")
		default:
			t.Fatal(err)
		}
	}
	return all
}

func nativeOutcomes(t testing.TB, s *exec.Server, p *Program, f *ssa.Func, calls []Call) (all []string) {
	t.Helper()
	image, entries, err := p.CallImage(calls)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Load(image.Bytes, image.Size); err != nil {
		t.Fatal(err)
	}
	for i, entry := range entries {
		r, err := s.Call(entry, []int64{0}, 10*time.Second)
		var crash *exec.CrashError
		switch {
		case err == nil:
			all = append(all, outcome(f, r[0]))
		case errors.As(err, &crash) && crash.Status == statusAbort:
			all = append(all, crash.Stderr)
		default:
			t.Fatalf("%v: %v\n%v", calls[i].Args, err, f)
		}
	}
	return all
}

func TestRandomFunctions(t *testing.T) {
	s := newServer(t)
	for seed := range uint64(500) {
		checkRandom(t, s, seed)
	}
}

// TestRandomControlFlow is TestRandomFunctions for functions with loops of any shape.
func TestRandomControlFlow(t *testing.T) {
	s := newServer(t)
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 30))
		f := ssatest.Func(r, ssatest.All(r))
		f.File = randomText
		for b := range f.Blocks { // faults say where they are
			f.Blocks[b].Term.Pos = source.At(b)
		}
		for v := range f.Values {
			f.Values[v].Pos = source.At(r.IntN(len(randomText.Text)))
		}
		f.SetDepths(ssa.Dominators(f))
		checkCalls(t, s, seed, f, randomCalls(r, f))
	}
}

func FuzzBackEnd(f *testing.F) {
	f.Add(uint64(1))
	s := newServer(f)
	f.Fuzz(func(t *testing.T, seed uint64) { checkRandom(t, s, seed) })
}

// randomModule has n functions.
func randomModule(n, size int) *ssa.Module {
	m := &ssa.Module{}
	r := rand.New(rand.NewPCG(uint64(n), uint64(size)))
	for i := range n {
		m.Funcs = append(m.Funcs, randomFunc(r, fmt.Sprintf("f%d", i), 1, 1+r.IntN(size)))
	}
	m.Funcs[0].Name = "main"
	return m
}

func TestBytesDoNotDependOnWorkers(t *testing.T) {
	m := randomModule(40, 100)
	var want []byte
	for _, workers := range []int{1, 2, 7, 100} {
		p, err := Compile(m, Options{Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		got, err := p.Executable(false)
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = got
		}
		if !bytes.Equal(want, got) {
			t.Errorf("%d workers make other bytes than 1", workers)
		}
	}
}

func TestExecutables(t *testing.T) {
	needHost(t)
	m := parse(t, "func main(arg)\ne:\n r = mul arg, 3\n ret r\n")
	p := compile(t, m)
	tests := []struct {
		name     string
		printing bool
		args     []string
		status   int
		stdout   string
		stderr   string
	}{
		{"status", false, []string{"14"}, 42, "", ""},
		{"low 8 bits", false, []string{"100"}, 44, "", ""},
		{"no argument", true, nil, 0, "0\n", ""},
		{"printing", true, []string{"-1000000000000"}, 0, "-3000000000000\n", ""},
		{"no integer", false, []string{"12x"}, 2, "", "t: the argument is not a decimal 64-bit integer: 12x\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b, err := p.Executable(tt.printing)
			if err != nil {
				t.Fatal(err)
			}
			var stdout, stderr bytes.Buffer
			status, err := exec.Run(b, append([]string{"t"}, tt.args...), nil, &stdout, &stderr)
			if err != nil {
				t.Fatal(err)
			}
			want := fmt.Sprint(tt.status, tt.stdout, tt.stderr)
			if diff := cmp.Diff(want, fmt.Sprint(status, stdout.String(), stderr.String())); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestObjectLinksWithC(t *testing.T) {
	cc, err := osexec.LookPath("cc")
	if err != nil {
		t.Skip("cc is not installed")
	}
	b, err := compile(t, parse(t, "func twice(a)\ne:\n r = add a, a\n ret r\n\nfunc seventh(a, b, c, d, e, f, g)\ne0:\n r = sub a, g\n ret r\n\n"+
		"func mixed(flt a, n, flt b)\ne0:\n f = i2f n\n p = fmul a, f\n q = fadd p, b\n r = fmul q, 0.5\n ret r\n\n"+
		"func sum(p, n)\ne0:\n q = new 8\n br h(0, 0)\nh(i, s):\n t = lt i, n\n cbr t, b(), x()\nb:\n o = shl i, 1\n v = load i16 p, o\n s1 = add s, v\n i1 = add i, 1\n br h(i1, s1)\nx:\n store i64 q, 0, s\n r = load i64 q, 0\n ret r\n")).Object()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name string, b []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, b, 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	o := write("f.o", b)
	c := write("main.c", []byte(`
#include <stdio.h>
long twice(long), seventh(long, long, long, long, long, long, long), sum(short *, long);
double mixed(double, long, double);
short a[] = {1, -2, 30};
int main(void) { printf("%ld %ld %g %ld\n", twice(-21), seventh(1, 2, 3, 4, 5, 6, 7), mixed(1.5, 3, -0.25), sum(a, 3)); return 0; }
`))
	exe := filepath.Join(dir, "main")
	if out, err := osexec.Command(cc, "-o", exe, c, o, "-Wl,--fatal-warnings").CombinedOutput(); err != nil || len(out) > 0 {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := osexec.Command(exe).Output()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("-42 -6 2.125 29\n", string(out)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// faulty is a machine whose selection panics or fails for some functions.
type faulty struct{ mach.Target }

func (m faulty) Select(f *ssa.Func) (*mach.Func, error) {
	switch {
	case strings.HasPrefix(f.Name, "panic"):
		panic("no tile")
	case strings.HasPrefix(f.Name, "error"):
		return nil, errors.New("too big")
	}
	return m.Target.Select(f)
}

func TestFailures(t *testing.T) {
	good := "e:\n ret 1\n"
	tests := []struct {
		name  string
		funcs []string
		want  string
	}{
		{"error", []string{"a", "error1", "error2"}, "select error1: too big"},
		{"panic", []string{"a", "panic1", "error2"}, "bug in select, function panic1: no tile"},
		{"first wins", []string{"error1", "panic1"}, "select error1: too big"},
	}
	for _, tt := range tests {
		for _, workers := range []int{1, 4} {
			var text strings.Builder
			for _, f := range tt.funcs {
				fmt.Fprintf(&text, "func %s()\n%s\n", f, good)
			}
			m := parse(t, text.String())
			target := targets[0]
			target.Target = faulty{target.Target}
			got := func() (err error) {
				defer func() {
					if v := recover(); v != nil {
						err = v.(*Bug)
					}
				}()
				_, err = compileFor(&target, m, Options{Workers: workers})
				return err
			}()
			if diff := cmp.Diff(tt.want, fmt.Sprint(got)); diff != "" {
				t.Errorf("%s, %d workers (-want +got):\n%s", tt.name, workers, diff)
			}
		}
	}
	if _, err := Compile(&ssa.Module{}, Options{Target: "vax"}); err == nil || err.Error() != `unknown target "vax" (there is amd64-linux)` {
		t.Errorf("unknown target: %v", err)
	}
	_, err := compile(t, parse(t, "func f()\n"+good)).Executable(false)
	if err == nil || err.Error() != "undefined: main" {
		t.Errorf("no main: %v", err)
	}
}

func TestStubNames(t *testing.T) {
	for _, f := range targets[0].stubs() {
		if !strings.HasPrefix(f.Name, stubPrefix) {
			t.Errorf("stub %s: the linker does not find it", f.Name)
		}
	}
	for _, d := range append(targets[0].data(), (&Program{target: &targets[0]}).provided()...) {
		if !strings.HasPrefix(d.Name, stubPrefix) {
			t.Errorf("data %s: the linker does not find it", d.Name)
		}
	}
}
