//go:build !chapters || chapter11

package chapters

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"shoal"
	"shoal/source"
	"shoal/ssa"
)

func TestChapter11(t *testing.T) { suite(t, 11) }

// largeSize is how many blocks of statements the large program has.
const largeSize = 2000

// largeProgram is a program of many small ifs and loops with three returns, and a second
// opinion on what it gives: the same arithmetic in Go.
func largeProgram() (text string, eval func(arg int64) int64) {
	var b strings.Builder
	b.WriteString("int a=arg; int b=1; int c=0;\n")
	for i := range largeSize {
		fmt.Fprintf(&b, "if(a<%d) a=a+%d; else { b=b+a; a=a-%d; }\n", i*7%101, i%13+1, i%11+1)
		fmt.Fprintf(&b, "int i%d=0; while(i%d<3) { c=c+b*i%d; i%d=i%d+1; }\n", i, i, i, i, i)
		switch i {
		case largeSize / 3:
			b.WriteString("if(arg==-1) return c;\n")
		case largeSize / 2:
			b.WriteString("if(arg==-2) return b*3;\n")
		}
	}
	b.WriteString("return a+b+c;\n")
	return b.String(), evalLarge
}

func evalLarge(arg int64) int64 {
	a, b, c := arg, int64(1), int64(0)
	for i := range int64(largeSize) {
		if a < i*7%101 {
			a += i%13 + 1
		} else {
			b += a
			a -= i%11 + 1
		}
		for j := range int64(3) {
			c += b * j
		}
		switch {
		case i == largeSize/3 && arg == -1:
			return c
		case i == largeSize/2 && arg == -2:
			return b * 3
		}
	}
	return a + b + c
}

func TestChapter11Large(t *testing.T) {
	text, eval := largeProgram()
	u, err := shoal.Compile(source.NewFile("large.smp", []byte(text)), shoal.Options{Chapter: 11, Verify: true})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(3, u.Funcs[0].Graph.Stop.NumIn()); diff != "" {
		t.Errorf("returns (-want +got):\n%s", diff)
	}
	var calls []call
	for _, arg := range []int64{-2, -1, 0, 1, 77, 1 << 62} {
		calls = append(calls, call{arg, fmt.Sprint(eval(arg))})
	}
	for _, e := range engines {
		got, err := e.run(u, calls)
		if err != nil {
			t.Fatalf("%s: %v", e.name, err)
		}
		for i, c := range calls {
			if diff := cmp.Diff(c.want, got[i]); diff != "" {
				t.Errorf("%s: large(%d) (-want +got):\n%s", e.name, c.arg, diff)
			}
		}
	}
}

// A block parameter for every value that could be one, and the few that are left when dead
// and trivial ones go: what SSA construction must find, found from the other end.
//
// By hand: the block behind the diamond can see arg, the comparison and a; the comparison is
// dead there and arg trivial. The loop has arg.1, a and b at its head; arg is seen there, and
// in body and exit all four and the comparison: 4+5+5. Dead are arg in all three, the
// comparison in two, and what the exit does not return, arg.1 and b; the other four in body
// and exit are trivial.
func TestChapter11MaximalMinimal(t *testing.T) {
	tests := []struct {
		name, src              string
		arg, want              int64
		maximal, dead, minimal int
	}{
		{"straight", "return arg*2+1;", 4, 9, 0, 0, 0},
		{"diamond", "int a=1; if(arg<0) a=arg; return a+arg;", -3, -6, 3, 1, 1},
		{"loop", "int a=0; int b=1; while(arg>0) { int t=a+b; a=b; b=t; arg=arg-1; } return a;", 10, 55, 14, 7, 3},
	}
	for _, tt := range tests {
		u, err := shoal.Compile(source.NewFile(tt.name, []byte(tt.src)), shoal.Options{Chapter: 11, Until: "ssa", Verify: true})
		if err != nil {
			t.Fatal(err)
		}
		f := u.Module.Funcs[0]
		minimal := numParams(f)
		if _, err := f.Maximal(10_000); err != nil {
			t.Fatal(err)
		}
		maximal := numParams(f)
		checkRun(t, f, tt.name+", maximal", tt.arg, tt.want)
		pruned := f.Prune()
		checkRun(t, f, tt.name+", pruned", tt.arg, tt.want)
		got := []int{maximal, pruned.Dead, numParams(f), minimal}
		if diff := cmp.Diff([]int{tt.maximal, tt.dead, tt.minimal, tt.minimal}, got); diff != "" {
			t.Errorf("%s: maximal, dead, pruned, as built (-want +got):\n%s", tt.name, diff)
		}
	}
}

func numParams(f *ssa.Func) (n int) {
	for _, b := range f.Blocks {
		n += len(b.Params)
	}
	return n
}

func checkRun(t *testing.T, f *ssa.Func, what string, arg, want int64) {
	t.Helper()
	if errs := f.Validate(); len(errs) > 0 {
		t.Errorf("%s: %v", what, errs)
	}
	got, err := ssa.NewInterp(f).Run(maxSteps, arg)
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}
