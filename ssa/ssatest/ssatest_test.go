package ssatest

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"shoal/node"
	"shoal/ssa"
)

// maxSteps is far above what the fuel of a small function allows.
const maxSteps = 1 << 20

func TestFunctionsAreValidAndEnd(t *testing.T) {
	var loops, swaps, doubles, unreached, faults, stores, floats int
	for seed := range uint64(2000) {
		rng := rand.New(rand.NewPCG(seed, 1))
		f := Func(rng, All(rng))
		if errs := f.Validate(); len(errs) > 0 {
			t.Fatalf("seed %d: %v\n%s", seed, errs, f)
		}
		inputs := make([]int64, len(f.Inputs))
		switch got := Outcome(ssa.NewInterp(f).Run(maxSteps, inputs...)); {
		case strings.HasPrefix(got, "error"):
			t.Fatalf("seed %d: %s\n%s", seed, got, f)
		case strings.HasPrefix(got, "fault"):
			faults++
		}
		for v := range f.Values {
			if f.Values[v].Op == node.OpStore {
				stores++
			}
			if f.Values[v].Kind == ssa.Param && f.Values[v].Class == ssa.Float {
				floats++
			}
		}
		d := ssa.Dominators(f)
		for b := range f.Blocks {
			if !d.Reaches(int32(b)) {
				unreached++
			}
			for _, to := range f.Blocks[b].Term.Targets() {
				if int(to.Block) <= b {
					loops++
				}
				swaps += readsParams(f, to)
			}
			if t := &f.Blocks[b].Term; t.Kind == ssa.Cbr && t.Succs[0].Block == t.Succs[1].Block &&
				!cmp.Equal(t.Succs[0].Args, t.Succs[1].Args) {
				doubles++
			}
		}
	}
	for what, n := range map[string]int{
		"loops": loops, "permutations": swaps, "double edges": doubles, "unreached blocks": unreached, "faults": faults, "stores": stores, "float parameters": floats} {
		if n < 100 {
			t.Errorf("only %d %s in 2000 functions", n, what)
		}
	}
}

// readsParams counts the parameters of the target that the edge passes for another one.
func readsParams(f *ssa.Func, to ssa.Target) (n int) {
	for i, a := range to.Args {
		if f.Values[a].Kind == ssa.Param && f.Values[a].Block == to.Block && a != f.Blocks[to.Block].Params[i] {
			n++
		}
	}
	return n
}

func TestSameSeedSameFunction(t *testing.T) {
	text := func() string {
		rng := rand.New(rand.NewPCG(7, 7))
		return Func(rng, Large(5000)).String()
	}
	if diff := cmp.Diff(text(), text()); diff != "" {
		t.Errorf("(-first +second):\n%s", diff)
	}
}
