package ssa_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"shoal/source"
	"shoal/ssa"
	"shoal/ssa/ssatest"
)

func parseOne(t *testing.T, text string) *ssa.Func {
	t.Helper()
	m, err := ssa.Parse(source.NewFile("test.ssa", []byte(text)))
	if err != nil {
		t.Fatal(err)
	}
	return m.Funcs[0]
}

const countdown = `form args

func f(n)
entry:
  x = add n, 1
  br H(x)
H(i):
  c = lt 0, i
  cbr c, B(), X()
B:
  j = sub i, 1
  br H(j)
X:
  r = mul x, i
  ret r
`

func TestMaximalText(t *testing.T) {
	f := parseOne(t, countdown)
	added, err := f.Maximal(100)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(2+4+4, added); diff != "" {
		t.Errorf("added (-want +got):\n%s", diff)
	}
	want := `func f(n)
entry:
  x = add n, 1
  br H(x, n, x)
H(i, n_H, x_H):
  c = lt 0, i
  cbr c, B(n_H, x_H, i, c), X(n_H, x_H, i, c)
B(n_B, x_B, i_B, c_B):
  j = sub i_B, 1
  br H(j, n_B, x_B)
X(n_X, x_X, i_X, c_X):
  r = mul x_X, i_X
  ret r
`
	if diff := cmp.Diff(want, f.String()); diff != "" {
		t.Errorf("maximal (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(ssa.Pruned{Params: 11, Dead: 5, Trivial: 5}, f.Prune()); diff != "" {
		t.Errorf("pruned (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(strings.TrimPrefix(countdown, "form args\n\n"), f.String()); diff != "" {
		t.Errorf("and back (-want +got):\n%s", diff)
	}
}

// TestMaximalAndBack makes random functions maximal: they stay valid and keep their
// results, and pruning leaves as many parameters as it leaves of the function itself.
func TestMaximalAndBack(t *testing.T) {
	for seed := range uint64(500) {
		rng := rand.New(rand.NewPCG(seed, 9))
		f := ssatest.Func(rng, ssatest.All(rng))
		big, small := f.Clone(), f.Clone()
		small.Prune()
		params := params(f)
		added, err := big.Maximal(1 << 20)
		if err != nil {
			t.Fatal(err)
		}
		check(t, f, big, rng)
		stats := big.Prune()
		if diff := cmp.Diff(params+added, stats.Params); diff != "" {
			t.Fatalf("seed %d: parameters of the maximal form (-want +got):\n%s", seed, diff)
		}
		check(t, f, big, rng)
		if got, want := reachableParams(big), reachableParams(small); got != want {
			t.Fatalf("seed %d: %d parameters are left, %d without the detour\n%s\n%s", seed, got, want, small, big)
		}
	}
}

func params(f *ssa.Func) (n int) {
	for b := range f.Blocks {
		n += len(f.Blocks[b].Params)
	}
	return n
}

func reachableParams(f *ssa.Func) (n int) {
	for _, b := range ssa.Dominators(f).Order {
		n += len(f.Blocks[b].Params)
	}
	return n
}

// check validates g and compares its results with those of f.
func check(t *testing.T, f, g *ssa.Func, rng *rand.Rand) {
	t.Helper()
	if errs := g.Validate(); len(errs) > 0 {
		t.Fatalf("%v\n%s\n%s", errs, f, g)
	}
	for range 3 {
		in := make([]int64, len(f.Inputs))
		for i := range in {
			in[i] = rng.Int64N(20) - 10
		}
		want := ssatest.Outcome(ssa.NewInterp(f).Run(1<<20, in...))
		got := ssatest.Outcome(ssa.NewInterp(g).Run(1<<20, in...))
		if got != want {
			t.Fatalf("%v gives %s, want %s\n%s\n%s", in, got, want, f, g)
		}
	}
}

func TestMaximalLimit(t *testing.T) {
	f := parseOne(t, countdown)
	before := f.String()
	_, err := f.Maximal(9)
	want := "f: every value a parameter of every block makes 10 parameters, the limit is 9"
	if err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
	if diff := cmp.Diff(before, f.String()); diff != "" {
		t.Errorf("the function was changed (-want +got):\n%s", diff)
	}
}
