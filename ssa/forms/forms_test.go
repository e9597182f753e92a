package forms

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"shoal/source"
	"shoal/ssa"
	"shoal/ssa/ssatest"
)

func parse(t testing.TB, text string) *ssa.Module {
	t.Helper()
	m, err := ssa.Parse(source.NewFile("f", []byte(text)))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func readText(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../testdata/ssa", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func readFile(t testing.TB, name string) *ssa.Module { return parse(t, readText(t, name)) }

func convert(t testing.TB, m *ssa.Module, to ssa.Form) *ssa.Module {
	t.Helper()
	c, err := ConvertModule(m, to)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestSwap converts the swap loop from every form to every form, through text, and runs it.
func TestSwap(t *testing.T) {
	texts := [ssa.NumForms]string{}
	for i, name := range []string{"swap.ssa", "swap-phi.ssa", "swap-upsilon.ssa"} {
		text := readText(t, name)
		texts[i] = text[strings.Index(text, "form"):] // without the comments
	}
	for from, text := range texts {
		for to, want := range texts {
			m := convert(t, parse(t, text), ssa.Form(to))
			name := fmt.Sprintf("%v to %v", ssa.Form(from), ssa.Form(to))
			if diff := cmp.Diff(want, m.String()); diff != "" {
				t.Errorf("%s (-want +got):\n%s", name, diff)
			}
			if errs := ValidateModule(m); len(errs) > 0 {
				t.Errorf("%s: %v", name, errs)
			}
			for n, want := range []int64{-1, -1, 1, -1, 1} {
				got, err := Run(m.Funcs[0], 100, int64(n))
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s: swap(%d) (-want +got):\n%s", name, n, diff)
				}
			}
		}
	}
}

// TestMultiEdge: the false edge is split, and stays so.
func TestMultiEdge(t *testing.T) {
	const want = `form phi

func multi(c)
B0:
  cbr c, B1, B0.B1
B1:
  x = phi [1, B0], [2, B0.B1]
  ret x
B0.B1:
  br B1
`
	m := convert(t, readFile(t, "multiedge.ssa"), ssa.FormPhi)
	if diff := cmp.Diff(want, m.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for in, want := range []int64{2, 1} {
		if got, err := Run(m.Funcs[0], 100, int64(in)); err != nil || got != want {
			t.Errorf("multi(%d) = %d, %v, want %d", in, got, err, want)
		}
	}
	same := "form args\n\nfunc f(c)\nB0:\n  cbr c, B1(c, 5), B1(c, 5)\nB1(x, y):\n  ret x\n"
	phi := convert(t, parse(t, same), ssa.FormPhi)
	if diff := cmp.Diff(2, len(phi.Funcs[0].Blocks)); diff != "" {
		t.Errorf("equal arguments need no split (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(same, convert(t, phi, ssa.FormArgs).String()); diff != "" {
		t.Errorf("two edges that pass the same (-want +got):\n%s", diff)
	}
}

func TestRules(t *testing.T) {
	const diamond = "func f(c)\ne:\n cbr c, l, r\nl:\n a = add c, 1\n br j\nr:\n b = add c, 2\n br j\n"
	const loop = "form upsilon\nfunc f(n)\ne:\n upsilon 1, ^x\n br h\nh:\n"
	tests := []struct {
		name, text, want string
	}{
		{"phi in the middle", "form phi\n" + diamond + "j:\n y = add 1, 2\n x = phi [a, l], [b, r]\n ret x\n",
			"P1: phi x stands after an instruction in block j"},
		{"operand missing", "form phi\n" + diamond + "j:\n x = phi [a, l]\n ret x\n",
			"P2: phi x has no operand for the predecessor r of block j"},
		{"operand twice", "form phi\n" + diamond + "j:\n x = phi [a, l], [b, r], [1, l]\n ret x\n",
			"P2: phi x has two operands for the predecessor l"},
		{"no predecessor", "form phi\n" + diamond + "j:\n x = phi [a, l], [b, r], [1, e]\n ret x\n",
			"P2: phi x has an operand for e, which is no predecessor of block j"},
		{"predecessor unknown", "form phi\n" + diamond + "j:\n x = phi [a, l], [b, r], [1, q]\n ret x\n",
			"P2: phi x has an operand for q, which is no predecessor of block j"},
		{"in the entry", "form phi\nfunc f()\ne:\n x = phi\n ret x\n",
			"P2: phi x stands in the entry block, which has no predecessor when the function starts"},
		{"operands exchanged", "form phi\n" + diamond + "j:\n x = phi [b, l], [a, r]\n ret x\n",
			"P3: the definition of b, an operand of phi x, does not dominate the end of its predecessor l\n" +
				"P3: the definition of a, an operand of phi x, does not dominate the end of its predecessor r"},
		{"operand undefined", "form phi\n" + diamond + "j:\n x = phi [z, l], [b, r]\n ret x\n",
			"P3: the operand z of phi x is never defined"},
		{"operand defined later is fine", "form phi\nfunc f(n)\ne:\n br h\nh:\n x = phi [1, e], [y, h]\n y = add x, n\n cbr y, h, d\nd:\n ret x\n", ""},
		{"twice", "form phi\n" + diamond + "j:\n c = phi [a, l], [b, r]\n ret c\n", "S1: c is defined twice"},
		{"ordinary use", "form phi\n" + diamond + "j:\n x = phi [a, l], [b, r]\n y = add a, x\n ret y\n",
			"S2: the use of a in block j is not dominated by its definition in block l"},

		{"U1", loop + " x = phi\n x = add 1, 2\n ret 1\n", "U1: x is defined twice"},
		{"shadow read", loop + " x = phi\n y = add ^x, 2\n ret y\n",
			"U2: the shadow variable ^x is read by something else than its own Phi"},
		{"shadow returned", loop + " x = phi\n ret ^x\n",
			"U2: the shadow variable ^x is read by something else than its own Phi"},
		{"no such Phi", loop + " ret 1\n", "U2: an Upsilon writes ^x, but x is no Phi"},
		{"Upsilon for an input", "form upsilon\nfunc f(n)\ne:\n upsilon 1, ^n\n ret 1\n", "U2: an Upsilon writes ^n, but n is no Phi"},
		{"no Upsilon", "form upsilon\nfunc f()\ne:\n br h\nh:\n x = phi\n ret x\n",
			"U3: a path to Phi x in block h passes no Upsilon for it since the entry or the last execution of x"},
		{"stale", loop + " x = phi\n cbr x, h, d\nd:\n ret x\n",
			"U3: a path to Phi x in block h passes no Upsilon for it since the entry or the last execution of x"},
		{"written again after the Phi", loop + " x = phi\n upsilon 5, ^x\n cbr x, h, d\nd:\n ret x\n", ""},
		{"on one path only", "form upsilon\nfunc f(n)\ne:\n cbr n, a, b\na:\n upsilon 1, ^x\n br j\nb:\n br j\nj:\n x = phi\n ret x\n",
			"U3: a path to Phi x in block j passes no Upsilon for it since the entry or the last execution of x"},
		{"before it in its block", "form upsilon\nfunc f(n)\ne:\n br h\nh:\n upsilon n, ^x\n x = phi\n cbr x, h, d\nd:\n ret x\n", ""},
		{"after it in the entry", "form upsilon\nfunc f(n)\ne:\n x = phi\n upsilon n, ^x\n ret x\n",
			"U3: a path to Phi x in block e passes no Upsilon for it since the entry or the last execution of x"},
		{"far above", "form upsilon\nfunc f(n)\ne:\n upsilon n, ^x\n cbr n, a, b\na:\n br j\nb:\n br j\nj:\n x = phi\n ret x\n", ""},
		{"what an Upsilon reads", "form upsilon\nfunc f(n)\ne:\n upsilon y, ^x\n br j\nj:\n x = phi\n y = add x, 1\n ret x\n",
			"S2: the use of y in block e is not dominated by its definition in block j"},
	}
	for _, tt := range tests {
		var got []string
		for _, err := range Validate(parse(t, tt.text).Funcs[0]) {
			got = append(got, err.Error())
		}
		if diff := cmp.Diff(tt.want, strings.Join(got, "\n")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// TestIllFormed has the two examples of LLVM's verifier.
func TestIllFormed(t *testing.T) {
	tests := []struct{ file, want string }{
		{"phi-late.ssa", "f:13:3: error: P1: phi p stands after an instruction in block j\n" +
			" 13 |   p = phi [1, l], [2, r]\n    |   ^\n"},
		{"phi-missing.ssa", "f:10:3: error: P2: phi p has no operand for the predecessor entry of block j\n" +
			" 10 |   p = phi [1, l]\n    |   ^\n"},
	}
	for _, tt := range tests {
		f := readFile(t, tt.file).Funcs[0]
		var b strings.Builder
		ssa.Report(f.File, Validate(f)).WriteText(&b, false)
		if diff := cmp.Diff(tt.want, b.String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.file, diff)
		}
		if _, err := Convert(f, ssa.FormArgs); err == nil {
			t.Errorf("%s was converted", tt.file)
		}
	}
}

// TestNotConvertible: valid Upsilon/Phi programs that no edge can express.
func TestNotConvertible(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"Phi in the middle", "form upsilon\nfunc f(n)\ne:\n upsilon n, ^x\n y = add n, 1\n x = phi\n ret x\n",
			"f: Phi x is not at the top of block e, so no edge can write it"},
		{"Upsilon far above", "form upsilon\nfunc f(n)\ne:\n upsilon n, ^x\n br a\na:\n br j\nj:\n x = phi\n ret x\n",
			"f: block a has no Upsilon for the Phi x of its successor j, so its edge has nothing to pass"},
	}
	for _, tt := range tests {
		_, err := Convert(parse(t, tt.text).Funcs[0], ssa.FormArgs)
		if diff := cmp.Diff(tt.want, fmt.Sprint(err)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// TestRandom sends random functions through all forms, as graphs and as text.
func TestRandom(t *testing.T) {
	for seed := range uint64(1500) {
		rng := rand.New(rand.NewPCG(seed, 4))
		f := ssatest.Func(rng, ssatest.All(rng))
		m := &ssa.Module{Funcs: []*ssa.Func{f}}
		inputs := make([][]int64, 4)
		for k := range inputs {
			for range f.Inputs {
				inputs[k] = append(inputs[k], rng.Int64N(41)-20)
			}
		}
		phi := convert(t, m, ssa.FormPhi)
		args := convert(t, phi, ssa.FormArgs) // as f, but for edges split
		upsilon := convert(t, args, ssa.FormUpsilon)
		texts := [ssa.NumForms]string{args.String(), phi.String(), upsilon.String()}
		for from, text := range texts {
			read := parse(t, text)
			for to, want := range texts {
				got := convert(t, read, ssa.Form(to))
				if diff := cmp.Diff(want, got.String()); diff != "" {
					t.Fatalf("seed %d, %v to %v (-want +got):\n%s", seed, ssa.Form(from), ssa.Form(to), diff)
				}
				if errs := ValidateModule(got); len(errs) > 0 {
					t.Fatalf("seed %d, %v to %v: %v", seed, ssa.Form(from), ssa.Form(to), errs)
				}
			}
			for _, in := range inputs {
				want := ssatest.Outcome(ssa.NewInterp(f).Run(1_000_000, in...))
				got := ssatest.Outcome(Run(read.Funcs[0], 1_000_000, in...))
				if want != got {
					t.Fatalf("seed %d, %v: f(%v) = %s, want %s\n%s", seed, ssa.Form(from), in, got, want, text)
				}
			}
		}
	}
}

// TestPaths compares U3 with a search for a path, one Phi at a time: Upsilons are taken
// out and put in at random.
func TestPaths(t *testing.T) {
	broken, whole := 0, 0
	for seed := range uint64(1500) {
		rng := rand.New(rand.NewPCG(seed, 5))
		f, err := Convert(ssatest.Func(rng, ssatest.Small(rng)), ssa.FormUpsilon)
		if err != nil {
			t.Fatal(err)
		}
		scramble(f, rng)
		var got []string
		for _, err := range Validate(f) {
			got = append(got, err.Error())
		}
		var want []string
		d := ssa.Dominators(f)
		for _, b := range d.RPO {
			for k, id := range f.Blocks[b].Body {
				if f.Values[id].Kind == ssa.Phi && uncovered(f, id, b, k) {
					want = append(want, fmt.Sprintf("U3: a path to Phi %[1]s in block %s passes no Upsilon for it since the entry or the last execution of %[1]s",
						f.ValueName(id), f.BlockName(b)))
				}
			}
		}
		broken, whole = broken+len(want), whole+1-min(1, len(want))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("seed %d (-want +got):\n%s\n%s", seed, diff, f)
		}
	}
	if broken < 100 || whole < 100 {
		t.Errorf("%d Phis without Upsilon, %d functions without such a Phi: too few to tell anything", broken, whole)
	}
}

// scramble drops some Upsilons and moves others to the top of their blocks.
func scramble(f *ssa.Func, rng *rand.Rand) {
	for i := range f.Blocks {
		b := &f.Blocks[i]
		kept := b.Body[:0]
		for _, id := range b.Body {
			if f.Values[id].Kind == ssa.Upsilon && rng.IntN(8) == 0 {
				if rng.IntN(2) == 0 {
					kept = append([]ssa.ValueID{id}, kept...) // what it reads may come later
					f.Values[id].Args[0] = f.Inputs[0]
				}
				continue
			}
			kept = append(kept, id)
		}
		b.Body = kept
	}
}

// uncovered searches backwards from index k of block b for a way to the entry or to x
// itself without an Upsilon for x.
func uncovered(f *ssa.Func, x ssa.ValueID, b int32, k int) bool {
	d := ssa.Dominators(f)
	seen := make([]bool, len(f.Blocks))
	var back func(b int32, k int) bool
	back = func(b int32, k int) bool {
		for k--; k >= 0; k-- {
			v := &f.Values[f.Blocks[b].Body[k]]
			if v.Kind == ssa.Upsilon && v.Args[1] == x {
				return false
			}
			if f.Blocks[b].Body[k] == x {
				return true
			}
		}
		if b == 0 {
			return true
		}
		for _, e := range f.Blocks[b].Preds {
			if p := e.Block; d.Reaches(p) && !seen[p] {
				seen[p] = true
				if back(p, len(f.Blocks[p].Body)) {
					return true
				}
			}
		}
		return false
	}
	return back(b, k)
}
