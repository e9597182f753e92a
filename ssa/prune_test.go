package ssa_test

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"shoal/ssa"
	"shoal/ssa/ssatest"
)

func TestPruneEuler(t *testing.T) {
	f := parse(t, readFile(t, "euler1-maximal.ssa")).Funcs[0]
	if diff := cmp.Diff(ssa.Pruned{Params: 81, Dead: 55, Trivial: 22}, f.Prune()); diff != "" {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
	const want = `func euler1(n)
B0:
  br B1(0, 1)
B1(s_1, i_1):
  t.0_1x = le i_1, n
  cbr t.0_1x, B2(), B9()
B2:
  t.2_2x = rem i_1, 3
  t.3_2x = eq t.2_2x, 0
  cbr t.3_2x, B4(), B3()
B3:
  t.4_3x = rem i_1, 5
  t.5_3x = eq t.4_3x, 0
  cbr t.5_3x, B4(), B5()
B4:
  br B6(1)
B5:
  br B6(0)
B6(t.1_6):
  cbr t.1_6, B7(), B8(s_1)
B7:
  s_7x = add s_1, i_1
  br B8(s_7x)
B8(s_8):
  i_8x = add i_1, 1
  br B1(s_8, i_8x)
B9:
  ret s_1
`
	if diff := cmp.Diff(want, f.String()); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
}

func TestPrune(t *testing.T) {
	tests := []struct {
		name, text string
		want       ssa.Pruned
	}{
		{"dead round a loop", "func f(n)\ne:\n br l(1, n)\nl(x, y):\n cbr y, l(x, 0), r\nr:\n ret y\n",
			ssa.Pruned{Params: 2, Dead: 1}},
		{"passed around in two loops", "func f(n)\ne:\n br a(n)\na(x):\n br b(x)\nb(y):\n cbr y, a(y), r(x)\nr(z):\n ret z\n",
			ssa.Pruned{Params: 3, Trivial: 3}},
		{"equal constants", "func f(n)\ne:\n cbr n, a(5), b\nb:\n br a(5)\na(x):\n ret x\n",
			ssa.Pruned{Params: 1, Trivial: 1}},
		{"inside of a component", "func f(n)\ne:\n br a(n)\na(x):\n br b(x)\nb(y):\n i = add y, 1\n cbr i, b(y), c\nc:\n cbr n, a(i), d\nd:\n ret y\n",
			ssa.Pruned{Params: 2, Trivial: 1}},
		{"two values", "func f(n)\ne:\n br a(n)\na(x):\n y = add x, 1\n cbr y, a(y), r\nr:\n ret x\n", ssa.Pruned{Params: 1}},
	}
	for _, tt := range tests {
		f := parse(t, "form args\n"+tt.text).Funcs[0]
		if diff := cmp.Diff(tt.want, f.Prune()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
		if errs := f.Validate(); len(errs) > 0 {
			t.Errorf("%s: %v", tt.name, errs)
		}
	}
}

// TestPruneKeepsResults prunes random functions: they stay valid, give the same results,
// and have nothing left that the two rules, taken literally, would remove.
func TestPruneKeepsResults(t *testing.T) {
	var all ssa.Pruned
	for seed := range uint64(2000) {
		rng := rand.New(rand.NewPCG(seed, 3))
		f := ssatest.Func(rng, ssatest.All(rng))
		g := f.Clone()
		stats := g.Prune()
		all.Dead, all.Trivial = all.Dead+stats.Dead, all.Trivial+stats.Trivial
		if errs := g.Validate(); len(errs) > 0 {
			t.Fatalf("seed %d: %v\n%s", seed, errs, g)
		}
		if diff := cmp.Diff(results(f), results(g)); diff != "" {
			t.Fatalf("seed %d (-want +got):\n%s\n%s", seed, diff, f)
		}
		if diff := cmp.Diff(0, removable(g)); diff != "" {
			t.Fatalf("seed %d: removable parameters are left in\n%s", seed, g)
		}
	}
	if all.Dead < 1000 || all.Trivial < 1000 {
		t.Errorf("too little to prune: %+v", all)
	}
}

// results runs f on a few inputs.
func results(f *ssa.Func) (list []string) {
	in := ssa.NewInterp(f)
	for k := range int64(4) {
		inputs := make([]int64, len(f.Inputs))
		for i := range inputs {
			inputs[i] = k*k*k - 5*int64(i)
		}
		list = append(list, ssatest.Outcome(in.Run(1_000_000, inputs...)))
	}
	return list
}

// removable counts parameters whose arguments are all one value or the parameter itself,
// in blocks that are reached: in others parameters may pass each other around and nothing.
func removable(f *ssa.Func) (n int) {
	for _, i := range ssa.Dominators(f).RPO {
		b := &f.Blocks[i]
		for k, p := range b.Params {
			others := map[string]bool{}
			for _, e := range b.Preds {
				if a := f.Blocks[e.Block].Term.Succs[e.Succ].Args[k]; a != p {
					others[string(f.AppendAtom(nil, a))] = true
				}
			}
			if len(others) == 1 {
				n++
			}
		}
	}
	return n
}
