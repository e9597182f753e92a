//go:build linux && amd64

package amd64

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"shoal/codegen/mach"
	"shoal/codegen/regalloc"
	"shoal/ssa"
	"shoal/ssa/ssatest"
)

// allocate is the real allocation, proved right by its checker.
func allocate(t testing.TB) func(*mach.Func) {
	return func(m *mach.Func) {
		t.Helper()
		if err := regalloc.AllocateChecked(m, Target{}); err != nil {
			t.Fatal(err)
		}
	}
}

// allocators makes, for a random number, each way to allocate.
func allocators(t testing.TB, seed uint64) []func(*mach.Func) {
	return []func(*mach.Func){spillAll(seed | 1), allocate(t)}
}

// TestRandomFunctions compares whole functions, loops that overlap and all, run natively
// with what the interpreter of linear SSA says.
func TestRandomFunctions(t *testing.T) {
	h := newHost(t)
	n := 3000
	if testing.Short() {
		n = 600
	}
	for seed := range uint64(n) {
		rng := rand.New(rand.NewPCG(seed, 10))
		o := ssatest.Small(rng)
		o.Floats = seed%3 == 0
		f := ssatest.Func(rng, o)
		for k, a := range allocators(t, seed) {
			h.load(t, compile(t, f, a))
			if err := compareRuns(h, t, f, rng, 4); err != nil {
				t.Fatalf("seed %d, allocator %d: %v\n%s", seed, k, err, listing(t, f))
			}
		}
	}
}

// TestLargeFunction runs one function of many thousand blocks: far branches, large frames.
func TestLargeFunction(t *testing.T) {
	h := newHost(t)
	rng := rand.New(rand.NewPCG(1, 11))
	f := ssatest.Func(rng, ssatest.Large(20000))
	for k, a := range allocators(t, 1) {
		h.load(t, compile(t, f, a))
		if err := compareRuns(h, t, f, rng, 5); err != nil {
			t.Fatalf("allocator %d: %v", k, err)
		}
	}
}

// compareRuns calls the loaded code of f and the interpreter n times on random inputs.
func compareRuns(h *host, t testing.TB, f *ssa.Func, rng *rand.Rand, n int) error {
	t.Helper()
	in, float := ssa.NewInterp(f), f.ResultClass() == ssa.Float
	for range n {
		inputs := make([]int64, len(f.Inputs))
		for i := range inputs {
			inputs[i] = randomWord(rng)
			if f.Values[f.Inputs[i]].Class == ssa.Float {
				inputs[i] = randomFloat(rng)
			}
		}
		want, err := in.Run(10_000_000, inputs...)
		if err != nil {
			return err
		}
		got := h.callMixed(t, floatInputs(f), float, inputs...)
		if float {
			got, want = oneNaN(got), oneNaN(want)
		}
		if got != want {
			return fmt.Errorf("on %v: got %d, want %d", inputs, got, want)
		}
	}
	return nil
}

// TestRandomExpressions compares expressions that tiles take apart in many ways.
func TestRandomExpressions(t *testing.T) {
	h := newHost(t)
	n := 8000
	if testing.Short() {
		n = 800
	}
	for seed := range uint64(n) {
		for k := range allocators(t, seed) {
			rng := rand.New(rand.NewPCG(seed, 9))
			if err := checkExpression(t, h, rng, allocators(t, seed)[k]); err != nil {
				t.Fatalf("seed %d, allocator %d: %v", seed, k, err)
			}
		}
	}
}

// FuzzSelect compiles a random expression, a random line of accesses to memory and a random
// function for each input.
func FuzzSelect(f *testing.F) {
	f.Add(uint64(1), uint64(2))
	f.Fuzz(func(t *testing.T, a, b uint64) {
		h := newHost(t)
		for _, allocate := range allocators(t, a) {
			if err := checkExpression(t, h, rand.New(rand.NewPCG(a, b)), allocate); err != nil {
				t.Fatal(err)
			}
			if err := checkMemory(t, h, rand.New(rand.NewPCG(a, b)), allocate); err != nil {
				t.Fatal(err)
			}
			rng := rand.New(rand.NewPCG(a, b))
			f := ssatest.Func(rng, ssatest.Small(rng))
			h.load(t, compile(t, f, allocate))
			if err := compareRuns(h, t, f, rng, 3); err != nil {
				t.Fatalf("%v\n%s", err, listing(t, f))
			}
		}
	})
}
