package ssa_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"shoal/source"
	"shoal/ssa"
	"shoal/ssa/destruct"
	"shoal/ssa/forms"
	"shoal/ssa/ssatest"
)

// fuzzSteps bounds a run under the fuzzer; longer runs are not compared.
const fuzzSteps = 2000

// FuzzSSA reads any text. What parses is the same after printing and parsing. What is
// valid, moreover, means the same in all forms, pruned, and out of SSA form.
func FuzzSSA(f *testing.F) {
	files, err := filepath.Glob("../testdata/ssa/*.ssa")
	if err != nil || len(files) == 0 {
		f.Fatal("no files to start from: ", err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
		m, err := ssa.Parse(source.NewFile(name, text))
		if err != nil {
			f.Fatal(err)
		}
		for to := range ssa.NumForms {
			if c, err := forms.ConvertModule(m, to); err == nil {
				f.Add([]byte(c.String()))
			}
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := ssa.Parse(source.NewFile("fuzz", text))
		if err != nil {
			checkPlaces(t, err, text)
			return
		}
		first := m.String()
		again, err := ssa.Parse(source.NewFile("again", []byte(first)))
		if err != nil {
			t.Fatalf("%v\n%s", err, first)
		}
		if diff := cmp.Diff(first, again.String()); diff != "" {
			t.Fatalf("printed and read again (-want +got):\n%s", diff)
		}
		for i, fn := range m.Funcs {
			errs, errsAgain := forms.Validate(fn), forms.Validate(again.Funcs[i])
			if diff := cmp.Diff(messages(errs), messages(errsAgain)); diff != "" {
				t.Fatalf("violations after reading again (-want +got):\n%s", diff)
			}
			if len(errs) == 0 {
				checkMeaning(t, fn)
			}
		}
	})
}

// checkPlaces wants a diagnostic of the text for every failure.
func checkPlaces(t *testing.T, err error, text []byte) {
	var ds *source.Diagnostics
	if !errors.As(err, &ds) {
		t.Fatalf("no diagnostics: %v", err)
	}
	for _, d := range ds.List() {
		if at := d.Span.Start; !at.Known() || at.Offset() > len(text) {
			t.Fatalf("a diagnostic outside of the text: %+v", d)
		}
	}
	var b bytes.Buffer
	ds.WriteText(&b, false)
}

func messages(errs []error) (list []string) {
	for _, err := range errs {
		list = append(list, err.Error())
	}
	return list
}

// checkMeaning compares the results of all that may be made of f.
func checkMeaning(t *testing.T, f *ssa.Func) {
	inputs := make([]int64, len(f.Inputs))
	for i := range inputs {
		inputs[i] = int64(3 + 4*i)
	}
	v, err := forms.Run(f, fuzzSteps, inputs...)
	if errors.Is(err, ssa.ErrSteps) {
		return
	}
	want := ssatest.Outcome(v, err)
	same := func(what, text string, v int64, err error) {
		if got := ssatest.Outcome(v, err); got != want {
			t.Fatalf("%s: %s, want %s\n%s\n%s", what, got, want, f, text)
		}
	}
	args, err := forms.Convert(f, ssa.FormArgs)
	if err != nil {
		if f.Form == ssa.FormUpsilon {
			return // not where edges can express it
		}
		t.Fatal(err)
	}
	for to := range ssa.NumForms {
		g, err := forms.Convert(args, to)
		if err != nil {
			t.Fatal(err)
		}
		got, err := forms.Run(g, 10*fuzzSteps, inputs...)
		same(to.String(), g.String(), got, err)
	}
	for _, s := range []destruct.Strategy{destruct.Sreedhar1, destruct.Boissinot} {
		code, _ := destruct.Run(args, s)
		got, err := code.Run(1000*fuzzSteps, inputs...)
		same(s.String(), code.String(), got, err)
	}
	args.Prune()
	if errs := args.Validate(); len(errs) > 0 {
		t.Fatalf("pruned: %v\n%s", errs, args)
	}
	got, err := forms.Run(args, 10*fuzzSteps, inputs...)
	same("pruned", args.String(), got, err)
}
