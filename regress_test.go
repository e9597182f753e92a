package shoal_test

import (
	"testing"

	"shoal"
	"shoal/internal/smith"
)

// regressions are small programs that once came out wrong, with the way to compile them
// that showed it.
var regressions = []struct {
	name string
	text string
	config
}{
	{"a Return dies: from a tuple it becomes dead control", "int e = 0; while (e) { return 0; }", config{chapter: 12, seed: 7871388466114428123}},
	{"a Return dies in a loop that is left at once", "int b = 0; while (1) { if (b == 0) { break; } return arg; }", config{chapter: 10, opt: shoal.Rules, seed: 8617405332876949250}},
	{"an If on a value that is never computed, under another on the same", `
		int b = 0; int d = 1;
		while (1) { if (d <= 0) { break; } return 0; }
		arg = 0;
		int v = 0;
		while (arg < 0) { int w = 0; while (w > 0) arg = 0; v = arg; }
		arg = 0;
		if ((v != 0) == 1) while (1) { if (arg) { break; } if (v == 1) continue; arg = 0; }`, config{chapter: 13, seed: 1298864124922835171}},
	{"one side of an If became that of another, whose test went on to change", `
		int e = 0; int f = 1;
		while (f) { if (0 != (0 < arg) - e) { f = 0; continue; } f = 0; }
		return 1;`, config{chapter: 24, opt: shoal.Rules}},
}

func TestRegressions(t *testing.T) {
	p := newProver(t)
	for _, r := range regressions {
		tree, err := smith.Parse(r.text)
		if err != nil {
			t.Fatalf("%s: %v", r.name, err)
		}
		level, err := tree.Resolve()
		if err != nil {
			t.Fatalf("%s: %v", r.name, err)
		}
		want, ok := expected(tree, usualArgs)
		if !ok {
			t.Fatalf("%s: it does not end", r.name)
		}
		r.verify = true
		for _, c := range append(matrix(level), r.config) {
			if m := p.prove(r.text, c, usualArgs, want); m != nil {
				t.Errorf("%s, %v: %v", r.name, c, m)
			}
		}
	}
}
