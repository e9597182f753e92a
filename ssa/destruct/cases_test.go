package destruct

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"shoal/source"
	"shoal/ssa"
	"shoal/ssa/ssatest"
)

// load reads the only function of a file of testdata/ssa.
func load(t *testing.T, name string) *ssa.Func {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../testdata/ssa", name+".ssa"))
	if err != nil {
		t.Fatal(err)
	}
	m, err := ssa.Parse(source.NewFile(name, text))
	if err != nil {
		t.Fatal(err)
	}
	return m.Funcs[0]
}

// TestTexts has the swap loop and the lost copy by all strategies, to be read.
func TestTexts(t *testing.T) {
	tests := []struct {
		file     string
		strategy Strategy
		body     string // of the loop
		result   int64  // for 3
	}{
		{"swap", Naive, "i1 = add i, 1; t = lt i1, n; a = copy b; b = copy a; i = copy i1; cbr t, H, X", 0},
		{"swap", Sreedhar1, "a = copy a'; b = copy b'; i = copy i'; i1 = add i, 1; t = lt i1, n; a' = copy b; b' = copy a; i' = copy i1; cbr t, H, X", -1},
		{"swap", Boissinot, "tmp = copy a; a = copy b; b = copy tmp; i = add i, 1; t = lt i, n; cbr t, H, X", -1},
		{"lostcopy", Naive, "x = add y, 1; c = lt x, n; y = copy x; cbr c, L, X", 3},
		{"lostcopy", Sreedhar1, "y = copy y'; x = add y, 1; c = lt x, n; y' = copy x; cbr c, L, X", 2},
		{"lostcopy", Boissinot, "y = copy x; x = add y, 1; c = lt x, n; cbr c, L, X", 2},
	}
	for _, tt := range tests {
		c, _ := Run(load(t, tt.file), tt.strategy)
		_, body, _ := strings.Cut(c.String(), ":\n") // the entry
		_, body, _ = strings.Cut(body, ":\n")
		body, _, _ = strings.Cut(body, "\nX:")
		body = strings.ReplaceAll(strings.TrimPrefix(body, "  "), "\n  ", "; ")
		if diff := cmp.Diff(tt.body, body); diff != "" {
			t.Errorf("%s by %v (-want +got):\n%s", tt.file, tt.strategy, diff)
		}
		got, err := c.Run(100, 3)
		if diff := cmp.Diff(tt.result, got); err != nil || diff != "" {
			t.Errorf("%s by %v (-want +got): %v\n%s", tt.file, tt.strategy, err, diff)
		}
	}
}

// TestCounts has what each strategy costs.
func TestCounts(t *testing.T) {
	tests := []struct {
		file     string
		strategy Strategy
		want     Stats
	}{
		{"critical", Sreedhar1, Stats{Params: 1, Arguments: 2, Copies: 3, Variables: 6}},
		{"critical", Boissinot, Stats{Params: 1, Arguments: 2, Copies: 1, SplitEdges: 1, Variables: 4}},
		{"multiedge", Sreedhar1, Stats{Params: 1, Arguments: 2, Copies: 3, SplitEdges: 1, Variables: 3}},
		{"multiedge", Boissinot, Stats{Params: 1, Arguments: 2, Copies: 2, SplitEdges: 2, Variables: 2}},
		{"fib", Sreedhar1, Stats{Params: 3, Arguments: 6, Copies: 9, Variables: 10}},
		{"fib", Boissinot, Stats{Params: 3, Arguments: 6, Copies: 5, Variables: 6}},
		{"swap", Boissinot, Stats{Params: 3, Arguments: 6, Copies: 6, Temps: 1, Variables: 7}},
		{"euler1", Boissinot, Stats{Params: 7, Arguments: 14, Copies: 3, SplitEdges: 1, Variables: 8}},
		// Names of one value may live at once: of 81 parameters nothing is left but the
		// constants.
		{"euler1-maximal", Sreedhar1, Stats{Params: 81, Arguments: 117, Copies: 198, Variables: 170}},
		{"euler1-maximal", Boissinot, Stats{Params: 81, Arguments: 117, Copies: 10, Variables: 9}},
	}
	for _, tt := range tests {
		_, got := Run(load(t, tt.file), tt.strategy)
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s by %v (-want +got):\n%s", tt.file, tt.strategy, diff)
		}
	}
}

// TestFiles runs every function of testdata/ssa by both right strategies.
func TestFiles(t *testing.T) {
	for _, name := range []string{"critical", "euler1", "euler1-maximal", "fib", "lostcopy", "multiedge", "swap"} {
		f := load(t, name)
		oracle := ssa.NewInterp(f)
		for _, s := range []Strategy{Sreedhar1, Boissinot} {
			c, _ := Run(f, s)
			for n := int64(-2); n < 40; n++ {
				want, errWant := oracle.Run(maxSteps, n)
				got, err := c.Run(maxSteps, n)
				if got != want || errWant != nil || err != nil {
					t.Errorf("%s(%d) by %v is %d, want %d; %v, %v", name, n, s, got, want, err, errWant)
				}
			}
		}
	}
}

// TestBudget gives coalescing too little time, more and more: it may leave copies, but
// never lose one.
func TestBudget(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 4))
		f := ssatest.Func(rng, ssatest.Small(rng))
		in := randomInputs(rng, len(f.Inputs))
		want, err := ssa.NewInterp(f).Run(maxSteps, in...)
		if err != nil {
			t.Fatal(err)
		}
		for budget := 0; budget < 300; budget += 1 + budget/4 {
			tr := newTranslation(f)
			tr.onEdges = true
			tr.variables(coalesce(tr, budget))
			tr.blocks(tr.edgesEnd)
			if got, err := tr.code.Run(maxSteps, in...); err != nil || got != want {
				t.Fatalf("seed %d, budget %d: %d, %v, want %d\n%s\n%s", seed, budget, got, err, want, f, tr.code)
			}
		}
	}
}

// TestHard runs the shapes that are hard on one part of the algorithm.
func TestHard(t *testing.T) {
	for _, h := range hard {
		f := h.make(40)
		if errs := f.Validate(); len(errs) > 0 {
			t.Fatalf("%s: %v", h.name, errs)
		}
		c, _ := Run(f, Boissinot)
		for n := int64(-1); n <= 0; n++ { // for others, rotation and manyLive need not end
			want, errWant := ssa.NewInterp(f).Run(10_000, n)
			got, err := c.Run(100_000, n)
			if errWant == nil && (err != nil || got != want) {
				t.Errorf("%s(%d) is %d, %v, want %d", h.name, n, got, err, want)
			}
		}
	}
}

// TestClassTree compares the questions asked of a class with a list of its members.
func TestClassTree(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	for range 200 {
		// A random dominator tree: each rank ends with one of the ranks that are open.
		n := int32(1 + rng.IntN(60))
		last, open := make([]int32, n), []int32{}
		for r := range n {
			for len(open) > 0 && rng.IntN(3) == 0 {
				last[open[len(open)-1]], open = r-1, open[:len(open)-1]
			}
			open = append(open, r)
		}
		for _, r := range open {
			last[r] = n - 1
		}
		c, tree := newClasses(last), none
		var list []int32
		for r := range n {
			if rng.IntN(2) == 0 {
				list = append(list, r)
			}
		}
		for _, k := range rng.Perm(len(list)) {
			tree = c.insert(tree, list[k])
		}
		if diff := cmp.Diff(list, c.members(nil, tree)); diff != "" {
			t.Fatalf("members (-want +got):\n%s", diff)
		}
		for r := range n {
			above, next := none, none
			for _, m := range slices.Backward(list) {
				if m < r && last[m] >= r && above == none {
					above = m
				}
				if m > r {
					next = m
				}
			}
			if diff := cmp.Diff([2]int32{above, next}, [2]int32{c.above(tree, r), c.next(tree, r)}); diff != "" {
				t.Fatalf("above and next of %d in %v, last %v (-want +got):\n%s", r, list, last, diff)
			}
		}
	}
}

func TestOtherFormPanics(t *testing.T) {
	defer func() {
		if diff := cmp.Diff("destruct.Run: f is in form phi", recover()); diff != "" {
			t.Errorf("panic (-want +got):\n%s", diff)
		}
	}()
	f := ssa.NewFunc("f", 0)
	f.Form = ssa.FormPhi
	Run(f, Boissinot)
}

func TestRunTooLong(t *testing.T) {
	f := load(t, "swap")
	c, _ := Run(f, Boissinot)
	if _, err := c.Run(10, 1000); err == nil || err.Error() != "swap: the run takes more steps than allowed" {
		t.Errorf("error %v", err)
	}
	if _, err := c.Run(10); err == nil || err.Error() != "swap takes 1 inputs, not 0" {
		t.Errorf("error %v", err)
	}
}

// FuzzRun draws functions of any shape from a seed.
func FuzzRun(f *testing.F) {
	f.Add(uint64(1), uint8(10), uint8(3), uint8(3), uint8(4))
	f.Fuzz(func(t *testing.T, seed uint64, blocks, vars, ops, reach uint8) {
		rng := rand.New(rand.NewPCG(seed, 7))
		fn := ssatest.Func(rng, ssatest.Options{
			Blocks: 1 + int(blocks)%60, Vars: 1 + int(vars)%8, Ops: 1 + int(ops)%8,
			Inputs: 2, Reach: 1 + int(reach)%20, Fuel: 20,
		})
		in := randomInputs(rng, len(fn.Inputs))
		want, err := ssa.NewInterp(fn).Run(maxSteps, in...)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range []Strategy{Sreedhar1, Boissinot} {
			c, _ := Run(fn, s)
			if got, err := c.Run(2*maxSteps, in...); err != nil || got != want {
				t.Errorf("by %v %d, %v, want %d\n%s\n%s", s, got, err, want, fn, c)
			}
		}
	})
}
