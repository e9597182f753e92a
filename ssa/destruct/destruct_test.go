package destruct

import (
	"math/rand/v2"
	"slices"
	"testing"

	"shoal/ssa"
	"shoal/ssa/ssatest"
)

const maxSteps = 1 << 20

// boundary are inputs that random ones are mixed with.
var boundary = []int64{0, 1, -1, 2, 3, 7, 1<<63 - 1, -1 << 63}

func randomInputs(rng *rand.Rand, n int) []int64 {
	in := make([]int64, n)
	for i := range in {
		if in[i] = boundary[rng.IntN(len(boundary))]; rng.IntN(2) == 0 {
			in[i] = rng.Int64()
		}
	}
	return in
}

// TestSameResults compares every right strategy with the interpreter of block arguments,
// on random functions with loops, swaps, critical and double edges.
func TestSameResults(t *testing.T) {
	naiveWrong := 0
	for seed := range uint64(3000) {
		rng := rand.New(rand.NewPCG(seed, 2))
		f := ssatest.Func(rng, ssatest.All(rng))
		before := f.String()
		oracle := ssa.NewInterp(f)
		codes := make([]*Code, NumStrategies)
		for s := range NumStrategies {
			codes[s], _ = Run(f, s)
			if errs := codes[s].Verify(); len(errs) > 0 && s != Naive {
				t.Fatalf("seed %d, %v: %v\n%s\n%s", seed, s, errs, f, codes[s])
			}
		}
		if f.String() != before {
			t.Fatalf("seed %d: the function was changed", seed)
		}
		wrong := false
		for range 6 {
			in := randomInputs(rng, len(f.Inputs))
			want := ssatest.Outcome(oracle.Run(maxSteps, in...))
			for s, c := range codes {
				got := ssatest.Outcome(c.Run(maxSteps, in...))
				if Strategy(s) == Naive {
					wrong = wrong || got != want
					continue
				}
				if got != want {
					t.Fatalf("seed %d, %v%v: %s, want %s\n%s\n%s", seed, Strategy(s), in, got, want, f, c)
				}
			}
		}
		if wrong {
			naiveWrong++
		}
	}
	if naiveWrong < 100 {
		t.Errorf("naive was wrong on %d functions only: the functions are too tame to prove anything", naiveWrong)
	}
}

// TestFewerCopies states what coalescing is for, over many functions: not a copy more
// than isolating leaves, and on the whole far fewer.
func TestFewerCopies(t *testing.T) {
	var isolated, left, split int
	for seed := range uint64(500) {
		rng := rand.New(rand.NewPCG(seed, 3))
		f := ssatest.Func(rng, ssatest.Small(rng))
		_, a := Run(f, Sreedhar1)
		_, b := Run(f, Boissinot)
		if b.Copies-b.Temps > a.Copies {
			t.Errorf("seed %d: %d copies, isolated %d", seed, b.Copies, a.Copies)
		}
		isolated, left, split = isolated+a.Copies, left+b.Copies, split+b.SplitEdges
	}
	t.Logf("copies: %d isolated, %d left; %d edges split", isolated, left, split)
	if left*2 > isolated {
		t.Errorf("%d of %d copies are left", left, isolated)
	}
}

func TestDeterministic(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	f := ssatest.Func(rng, ssatest.Large(3000))
	a, _ := Run(f, Boissinot)
	b, _ := Run(f.Clone(), Boissinot)
	if !slices.Equal(a.AppendText(nil), b.AppendText(nil)) {
		t.Error("two runs differ")
	}
}
