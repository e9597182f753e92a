package peephole_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"shoal"
	"shoal/node"
	"shoal/peephole"
	"shoal/source"
)

// TestExamples compiles the example of each rule that is a function, at the first and at
// the last level that has the rule: the rule must apply, and at the first level the program
// must become what the row says.
func TestExamples(t *testing.T) {
	for _, r := range peephole.Rules() {
		if r.Do == nil {
			continue
		}
		before, after, ok := strings.Cut(r.Example, " => ")
		if !ok {
			t.Errorf("%s: no example", r.Name)
			continue
		}
		got, applied := optimize(t, before, r.Since, r.Name)
		if diff := cmp.Diff(after, got); diff != "" {
			t.Errorf("%s: %s (-want +got):\n%s", r.Name, before, diff)
		}
		if !applied {
			t.Errorf("%s does not apply to %s", r.Name, before)
		}
	}
}

// optimize is what a program becomes at a level, and whether a rule applied.
func optimize(t *testing.T, text string, level int, rule string) (got string, applied bool) {
	t.Helper()
	o := shoal.Options{Chapter: level, Until: "optimize", Verify: true, OnEvent: func(_ *node.Graph, e node.Event) {
		applied = applied || e.Kind == node.Rewrote && e.Rule == rule
	}}
	u, err := shoal.Compile(source.NewFile("example.smp", []byte(text)), o)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	var b bytes.Buffer
	u.WriteLines(&b)
	return strings.TrimSuffix(b.String(), "\n"), applied
}
