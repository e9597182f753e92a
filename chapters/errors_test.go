//go:build !chapters

package chapters

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"shoal"
	"shoal/source"
)

// What is wrong with a program depends neither on the level of optimization nor on the order
// of the worklist (semantics §12). Every program of testdata/errors, sections NAME.LEVEL.smp,
// is told the same in each of these ways.
func TestDiagnosticsEverywhere(t *testing.T) {
	files, err := filepath.Glob("../testdata/errors/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files of errors: %v", err)
	}
	for _, name := range files {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			words := strings.Split(f.Name, ".")
			level, err := strconv.Atoi(words[len(words)-2])
			if err != nil || words[len(words)-1] != "smp" {
				continue
			}
			want := diagnostics(t, f, shoal.Options{Chapter: level})
			for i, opt := range []shoal.Opt{shoal.Raw, shoal.Rules, shoal.Full} {
				o := shoal.Options{Chapter: level, Opt: opt, Seed: int64(i + 1)}
				if diff := cmp.Diff(want, diagnostics(t, f, o)); diff != "" {
					t.Errorf("%s, %s: -O %d --seed %d (-want +got):\n%s", filepath.Base(name), f.Name, i, o.Seed, diff)
				}
			}
		}
	}
}

// diagnostics are what a compilation reports, with the places.
func diagnostics(t *testing.T, f txtar.File, o shoal.Options) string {
	o.Until, o.Verify = "check", true
	u, err := shoal.Compile(source.NewFile(f.Name, f.Data), o)
	if err != nil && err != shoal.ErrProgram {
		t.Errorf("%s: %v", f.Name, err)
	}
	var b strings.Builder
	for _, d := range u.Diagnostics.List() {
		line, column := u.File.Line(d.Span.Start)
		fmt.Fprintf(&b, "%d:%d: %s\n", line, column, d.Message)
	}
	return b.String()
}
