package ssa_test

import (
	"errors"
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

// parse reads a text that has to be right.
func parse(t testing.TB, text string) *ssa.Module {
	t.Helper()
	m, err := ssa.Parse(source.NewFile("test.ssa", []byte(text)))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func readFile(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../testdata/ssa", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// withoutComments is what the canonical text of a file in canonical layout is.
func withoutComments(text string) string {
	var kept []string
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "#") {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "")
}

func TestFiles(t *testing.T) {
	tests := []struct {
		file  string
		input int64
		want  int64
	}{
		{"swap.ssa", 3, -1},
		{"swap.ssa", 2, 1},
		{"lostcopy.ssa", 3, 2},
		{"critical.ssa", 1, 5},
		{"critical.ssa", 10, 7},
		{"multiedge.ssa", 5, 1},
		{"multiedge.ssa", 0, 2},
		{"fib.ssa", 10, 55},
		{"euler1.ssa", 10, 33},
		{"euler1-maximal.ssa", 10, 33},
	}
	for _, tt := range tests {
		text := readFile(t, tt.file)
		m := parse(t, text)
		if diff := cmp.Diff(withoutComments(text), m.String()); diff != "" {
			t.Errorf("%s: print (-want +got):\n%s", tt.file, diff)
		}
		if errs := m.Funcs[0].Validate(); len(errs) > 0 {
			t.Errorf("%s: %v", tt.file, errs)
		}
		got, err := ssa.NewInterp(m.Funcs[0]).Run(1000, tt.input)
		if err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s(%d) (-want +got):\n%s", tt.file, tt.input, diff)
		}
	}
}

func TestCanonicalText(t *testing.T) {
	const in = "\n# a comment\n form  args # more\nfunc f ( a,b , )\r\nentry():\n  x=sx a,8\n  y = rotl x , -3\n  cbr y,B,C(b)\nB:\n\nret   -9223372036854775808\nC(z'):\nret z'"
	const want = "form args\n\nfunc f(a, b)\nentry:\n  x = sx a, 8\n  y = rotl x, -3\n  cbr y, B(), C(b)\nB:\n  ret -9223372036854775808\nC(z'):\n  ret z'\n"
	got := parse(t, in).String()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestParseErrors(t *testing.T) {
	tests := []struct {
		name, text, want string
	}{
		{"no header", "func f()\ne:\n ret 1\n",
			"1:1: S0: a text begins with a line that names its form: form args, form phi or form upsilon"},
		{"empty", "", "1:1: S0: a text begins with a line that names its form: form args, form phi or form upsilon"},
		{"unknown form", "form x\nfunc f()\ne:\n ret 1\n", "1:6: S0: \"x\" is no form: args, phi or upsilon expected"},
		{"several errors, one a line", "form args\nfunc f()\ne:\n x = frob 1\n y = add 1\n z = add 1 2\n ret 1\n",
			"4:6: S0: \"frob\" is no operation\n5:11: S0: ',' expected, not the end of the line\n6:12: S0: ',' expected, not \"2\""},
		{"integer too large", "form args\nfunc f()\ne:\n ret 9223372036854775808\n", "4:6: S0: 9223372036854775808 is no 64-bit number"},
		{"strange character", "form args\nfunc f()\ne:\n ret @\n", "4:6: S0: a name or a number expected, not \"@\""},
		{"bits", "form args\nfunc f(a)\ne:\n x = sx a, 65\n ret x\n", "4:12: S0: sx takes a number of bits from 1 to 64 last, not \"65\""},
		{"after the terminator", "form args\nfunc f()\ne:\n ret 1\n x = add 1, 2\n", "5:2: S0: block e has ended with its terminator"},
		{"no terminator", "form args\nfunc f()\ne:\n x = add 1, 2\ng:\n ret 1\n", "3:1: S0: block e has no terminator"},
		{"no terminator at the end", "form args\nfunc f()\ne:\n x = add 1, 2\n", "3:1: S0: block e has no terminator"},
		{"no block", "form args\nfunc f()\n", "2:6: S0: function f has no block"},
		{"no function", "form args\ne:\n ret 1\n", "2:1: S0: 'func' expected, not \"e\"\n3:2: S0: 'func' expected, not \"ret\""},
		{"no block before", "form args\nfunc f()\n ret 1\n", "2:6: S0: function f has no block\n3:2: S0: a block expected before the first instruction"},
		{"function twice", "form args\nfunc f()\ne:\n ret 1\nfunc f()\ne:\n ret 1\n", "5:6: S0: function f is defined twice"},
		{"phi in args", "form args\nfunc f()\ne:\n x = phi [1, e]\n ret 1\n", "4:6: S0: phi belongs to the forms phi and upsilon, this is form args"},
		{"upsilon in phi", "form phi\nfunc f()\ne:\n upsilon 1, ^x\n ret 1\n", "4:2: S0: upsilon belongs to form upsilon, this is form phi"},
		{"arguments in phi", "form phi\nfunc f()\ne:\n br g(1)\ng:\n ret 1\n", "4:7: S0: arguments belong to form args, this is form phi"},
		{"parameters in upsilon", "form upsilon\nfunc f()\ne:\n br g\ng(x):\n ret 1\n", "5:2: S0: parameters belong to form args, this is form upsilon"},
		{"word salad", "form args\nfunc f()\ne:\n foo bar\n ret 1\n", "4:6: S0: '=', ':' or '(' expected after the name foo, not \"bar\""},
		{"shadow elsewhere", "form args\nfunc f(x)\ne:\n ret ^x\n", "4:6: S0: a name or a number expected, not \"^\""},
	}
	for _, tt := range tests {
		_, err := ssa.Parse(source.NewFile("f", []byte(tt.text)))
		var ds *source.Diagnostics
		if !errors.As(err, &ds) {
			t.Errorf("%s: error %v", tt.name, err)
			continue
		}
		if diff := cmp.Diff(tt.want, places(ds)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// places lists diagnostics a line each, with line and column.
func places(ds *source.Diagnostics) string {
	var lines []string
	var b strings.Builder
	ds.WriteText(&b, false)
	for line := range strings.Lines(b.String()) {
		if rest, ok := strings.CutPrefix(line, "f:"); ok {
			lines = append(lines, strings.Replace(strings.TrimSpace(rest), " error:", "", 1))
		}
	}
	return strings.Join(lines, "\n")
}

func TestValidate(t *testing.T) {
	tests := []struct {
		name, text, want string
	}{
		{"two definitions", "func f()\ne:\n x = add 1, 2\n x = add 3, 4\n ret x\n", "5:2: S1: x is defined twice"},
		{"parameter and input", "func f(x)\ne:\n br g(1)\ng(x):\n ret 1\n", "5:3: S1: x is defined twice"},
		{"undefined", "func f()\ne:\n x = add 1, y\n ret x\n", "4:13: S2: y is used in block e but never defined"},
		{"itself", "func f()\ne:\n x = add 1, x\n ret x\n", "4:13: S2: x is used in block e before its definition there"},
		{"later in the block", "func f()\ne:\n x = add 1, y\n y = add 1, 2\n ret x\n", "4:13: S2: y is used in block e before its definition there"},
		{"other branch", "func f(c)\ne:\n cbr c, g, h\ng:\n x = add 1, 2\n ret x\nh:\n ret x\n",
			"9:6: S2: the use of x in block h is not dominated by its definition in block g"},
		{"argument", "func f(c)\ne:\n cbr c, g(x), h\ng(y):\n x = add 1, 2\n ret x\nh:\n ret 1\n",
			"4:11: S2: the use of x in block e is not dominated by its definition in block g"},
		{"defined in an unreachable block", "func f(c)\ne:\n ret x\ng:\n x = add 1, 2\n ret x\n",
			"4:6: S2: the use of x in block e is not dominated by its definition in block g"},
		{"unreachable uses are exempt", "func f(c)\ne:\n ret 1\ng:\n y = add x, 1\n ret z\n", ""},
		{"counts", "func f(c)\ne:\n cbr c, g, g(1, 2)\ng(y):\n ret y\n",
			"4:9: S3: block e passes 0 arguments to g, which has 1 parameters\n4:9: S3: block e passes 2 arguments to g, which has 1 parameters"},
		{"entry parameters", "func f(c)\ne(x):\n ret x\n", "3:1: S4: the entry block e has parameters"},
		{"entry as target", "func f(c)\ne:\n br e\n", "4:5: S4: block e branches to the entry block e"},
		{"no target", "func f(c)\ne:\n cbr c, g, h(1)\ng:\n ret 1\n", "4:12: S4: the target h of block e does not exist"},
		{"two blocks", "func f(c)\ne:\n br g\ng:\n ret 1\ng:\n ret 2\n", "7:1: S4: two blocks have the name g"},
		{"every rule at once", "func f(c)\ne:\n x = add y, 1\n x = add 1, 1\n cbr c, g(1), h\ng:\n ret 1\n",
			"4:10: S2: y is used in block e but never defined\n5:2: S1: x is defined twice\n" +
				"6:9: S3: block e passes 1 arguments to g, which has 0 parameters\n6:15: S4: the target h of block e does not exist"},
	}
	for _, tt := range tests {
		m, err := ssa.Parse(source.NewFile("f", []byte("form args\n"+tt.text)))
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		errs := m.Funcs[0].Validate()
		got := places(ssa.Report(m.Funcs[0].File, errs))
		if tt.name == "counts" { // one place keeps one diagnostic, so look at the errors
			got = "4:9: " + errs[0].Error() + "\n4:9: " + errs[1].Error()
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestStepLimit(t *testing.T) {
	m := parse(t, "form args\nfunc f()\ne:\n br l\nl:\n br l\n")
	_, err := ssa.NewInterp(m.Funcs[0]).Run(1000)
	if diff := cmp.Diff(true, errors.Is(err, ssa.ErrSteps)); diff != "" {
		t.Errorf("endless loop: error %v", err)
	}
	_, err = ssa.NewInterp(m.Funcs[0]).Run(1000, 1)
	if diff := cmp.Diff("f takes 0 inputs, not 1", err.Error()); diff != "" {
		t.Error(diff)
	}
}

// TestDominators compares the tree with the definition: a dominates b if b cannot be
// reached any more once a is taken out.
func TestDominators(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 1))
		f := ssatest.Func(rng, ssatest.Small(rng))
		d := ssa.Dominators(f)
		n := int32(len(f.Blocks))
		all := reach(f, -1)
		for a := range n {
			without := reach(f, a)
			if diff := cmp.Diff(all[a], d.Reaches(a)); diff != "" {
				t.Fatalf("seed %d: reaches %d:\n%s", seed, a, diff)
			}
			for b := range n {
				if want := a == b || !without[b]; all[a] && all[b] && d.Dominates(a, b) != want {
					t.Fatalf("seed %d: dominates(%d, %d) is not %t in\n%s", seed, a, b, want, f)
				}
			}
		}
	}
}

// reach is the blocks that the entry reaches without block cut.
func reach(f *ssa.Func, cut int32) []bool {
	seen := make([]bool, len(f.Blocks))
	var visit func(b int32)
	visit = func(b int32) {
		if b == cut || seen[b] {
			return
		}
		seen[b] = true
		for _, t := range f.Blocks[b].Term.Targets() {
			visit(t.Block)
		}
	}
	visit(0)
	return seen
}

// TestLoopDepths compares with the definition: a block is in the loop of header h if it
// reaches the source of a back edge to h without passing h.
func TestLoopDepths(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 2))
		f := ssatest.Func(rng, ssatest.Small(rng))
		d := ssa.Dominators(f)
		want := make([]int32, len(f.Blocks))
		for h := range f.Blocks {
			for b, in := range loop(f, d, int32(h)) {
				if in {
					want[b]++
				}
			}
		}
		if diff := cmp.Diff(want, ssa.LoopDepths(f, d)); diff != "" {
			t.Fatalf("seed %d (-want +got):\n%s\n%s", seed, diff, f)
		}
	}
}

func loop(f *ssa.Func, d *ssa.Dom, h int32) []bool {
	in := make([]bool, len(f.Blocks))
	var visit func(b int32)
	visit = func(b int32) {
		if in[b] || !d.Reaches(b) {
			return
		}
		in[b] = true
		for _, e := range f.Blocks[b].Preds {
			visit(e.Block)
		}
	}
	for _, e := range f.Blocks[h].Preds {
		if d.Reaches(h) && d.Reaches(e.Block) && d.Dominates(h, e.Block) {
			in[h] = true
			visit(e.Block)
		}
	}
	return in
}

// TestManyViolations: all are there, and quickly although they are on one line.
func TestManyViolations(t *testing.T) {
	const n = 100_000
	var s strings.Builder
	s.WriteString("form args\nfunc f()\ne:\n br g(x")
	for i := range n - 1 {
		fmt.Fprintf(&s, ", x%d", i)
	}
	s.WriteString(")\ng:\n ret 1\n")
	errs := parse(t, s.String()).Funcs[0].Validate()
	if diff := cmp.Diff(n+1, len(errs)); diff != "" {
		t.Errorf("violations of S2 and one of S3 (-want +got):\n%s", diff)
	}
}

// TestShapes: what is bad for one algorithm or another means the same after pruning.
func TestShapes(t *testing.T) {
	for _, shape := range []func(int) string{chain, star, nest, diamonds} {
		f := parse(t, shape(500)).Funcs[0]
		g := f.Clone()
		g.Prune()
		if errs := g.Validate(); len(errs) > 0 {
			t.Fatal(errs)
		}
		if diff := cmp.Diff(results(f), results(g)); diff != "" {
			t.Errorf("results (-want +got):\n%s", diff)
		}
		all(t, f)
	}
	f := parse(t, diamonds(50)).Funcs[0]
	if diff := cmp.Diff(ssa.Pruned{Params: 408, Dead: 307, Trivial: 101}, f.Prune()); diff != "" {
		t.Errorf("diamonds that hand everything on (-want +got):\n%s", diff)
	}
}
