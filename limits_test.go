package shoal_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"shoal"
	"shoal/source"
)

// repeated is n lines made by a format with one number.
func repeated(format string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format+"\n", i)
	}
	return b.String()
}

// TestManyFields compiles a struct whose fields all start with the same node: more of them
// than a node counts holds.
func TestManyFields(t *testing.T) {
	file := source.NewFile("p.smp", []byte("struct S {"+repeated("int g%d;", 70_000)+"}; return new S.g69999;"))
	u, err := shoal.Compile(file, shoal.Options{Until: "optimize", Verify: true})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(u.Funcs[0].Graph.Stop), "return 0;"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestErrorsVerified compiles wrong programs with the verifiers of graphs on: what is wrong
// is the program.
func TestErrorsVerified(t *testing.T) {
	for _, text := range []string{
		"int l = arg + f4; int n = l + 1; while (arg < 50) { l = n; n = l - 1; arg = arg + 1; } return n;",
		"int n = 1; while (arg < 50) { n = n + nope; arg = arg + 1; } return n;",
	} {
		u, err := shoal.Compile(source.NewFile("p.smp", []byte(text)), shoal.Options{Chapter: 13, Verify: true})
		if !errors.Is(err, shoal.ErrProgram) || !u.Diagnostics.Any() {
			t.Errorf("%s: got %v, want %v and a diagnostic", text, err, shoal.ErrProgram)
		}
	}
}
