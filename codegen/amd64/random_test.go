//go:build linux && amd64

package amd64

import (
	"math/rand/v2"
	"testing"

	"shoal/ssa"
	"shoal/ssa/ssatest"
)

// TestRandomFunctions compares whole functions, loops that overlap and all, run natively
// with what the interpreter of linear SSA says.
func TestRandomFunctions(t *testing.T) {
	h := newHost(t)
	n := 6000
	if testing.Short() {
		n = 600
	}
	for seed := range uint64(n) {
		rng := rand.New(rand.NewPCG(seed, 10))
		f := ssatest.Func(rng, ssatest.Small(rng))
		h.load(t, compile(t, f, spillAll(seed|1)))
		in := ssa.NewInterp(f)
		for range 4 {
			inputs := make([]int64, len(f.Inputs))
			for i := range inputs {
				inputs[i] = randomWord(rng)
			}
			want, err := in.Run(1_000_000, inputs...)
			if err != nil {
				t.Fatalf("seed %d: %v\n%v", seed, err, f)
			}
			if got := h.call(t, inputs...); got != want {
				t.Fatalf("seed %d on %v: got %d, want %d\n%s", seed, inputs, got, want, listing(t, f))
			}
		}
	}
}

// TestLargeFunction runs one function of many thousand blocks: far branches, large frames.
func TestLargeFunction(t *testing.T) {
	h := newHost(t)
	rng := rand.New(rand.NewPCG(1, 11))
	f := ssatest.Func(rng, ssatest.Large(20000))
	h.load(t, compile(t, f, spillAll(1)))
	for range 5 {
		inputs := make([]int64, len(f.Inputs))
		for i := range inputs {
			inputs[i] = randomWord(rng)
		}
		want, err := ssa.NewInterp(f).Run(10_000_000, inputs...)
		if err != nil {
			t.Fatal(err)
		}
		if got := h.call(t, inputs...); got != want {
			t.Fatalf("on %v: got %d, want %d", inputs, got, want)
		}
	}
}

// FuzzSelect compiles a random expression and a random function for each input.
func FuzzSelect(f *testing.F) {
	f.Add(uint64(1), uint64(2))
	f.Fuzz(func(t *testing.T, a, b uint64) {
		h := newHost(t)
		rng := rand.New(rand.NewPCG(a, b))
		checkExpression(t, h, rng, spillAll(b|1))
	})
}
