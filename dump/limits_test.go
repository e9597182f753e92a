package dump_test

import (
	"bytes"
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"shoal"
	"shoal/dump"
	"shoal/node"
)

// nest is a program of n ifs inside one another, each with a variable of its own.
func nest(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "if(arg==%d) { int v%d=arg+%d;\n", i+1, i, i) // arg==0 would tell what arg is
	}
	return b.String() + "arg=1;" + strings.Repeat("}", n) + "return arg;"
}

// TestScopesOfDeepProgramsAreLimited draws the innermost place of nested ifs, where each
// has a scope that waits for it with all the names around: their number is quadratic.
func TestScopesOfDeepProgramsAreLimited(t *testing.T) {
	tests := []struct {
		depth   int
		limited bool
	}{{3, false}, {20, false}, {300, true}}
	for _, tt := range tests {
		var picture []byte
		compile(t, nest(tt.depth), shoal.Options{Chapter: 11}, func(k int, g *node.Graph, e node.Event) {
			if e.Kind == node.Parsed && picture == nil && len(g.Scopes.Live()) == tt.depth+1 {
				picture = draw(t, dump.Options{Chapter: 11, Scopes: true}, dump.Func{Graph: g})
			}
		})
		controls := bytes.Count(picture, []byte(`PORT="ctrl"`))
		more := 0
		if m := regexp.MustCompile(`… (\d+) more scopes`).FindSubmatch(picture); m != nil {
			fmt.Sscan(string(m[1]), &more)
		}
		if controls == 0 || controls+more != tt.depth+1 || (more > 0) != tt.limited {
			t.Errorf("%d scopes: %d drawn and %d more", tt.depth+1, controls, more)
		}
		if limit := 2000 * (tt.depth + 100); len(picture) > limit {
			t.Errorf("%d scopes: a picture of %d bytes, more than %d", tt.depth+1, len(picture), limit)
		}
	}
}

// TestFunctionsShareAPicture draws two functions, whose nodes have the same numbers.
func TestFunctionsShareAPicture(t *testing.T) {
	var funcs []dump.Func
	for _, src := range []string{"return arg+1;", "int s=0; while(s<arg) s=s+3; return s;"} {
		u := compile(t, src, shoal.Options{Chapter: 11}, nil)
		funcs = append(funcs, dump.Func{Graph: u.Funcs[0].Graph, Schedule: u.Schedules[0]})
	}
	var b bytes.Buffer
	if err := dump.Draw(&b, dump.Options{Chapter: 11}, funcs...); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, m := range regexp.MustCompile(`(?m)^\s*(subgraph \w+|\w+)(?: \{|\[)`).FindAllStringSubmatch(b.String(), -1) {
		names = append(names, m[1])
	}
	slices.Sort(names)
	if distinct := slices.Compact(slices.Clone(names)); len(distinct) != len(names) {
		t.Errorf("the same name twice among %q", names)
	}
	for _, want := range []string{"f1_Start1", "f2_Start1", "subgraph cluster_f1_Nodes", "subgraph cluster_f2_START"} {
		if !slices.Contains(names, want) {
			t.Errorf("nothing has the name %s", want)
		}
	}
	path, err := exec.LookPath("dot")
	if err != nil {
		t.Skip("there is no dot: install Graphviz to check that it takes the picture")
	}
	layOut(t, path, [][]byte{b.Bytes()})
}
