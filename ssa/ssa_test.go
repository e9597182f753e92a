package ssa

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"shoal/source"
)

func TestSwap(t *testing.T) {
	text, err := os.ReadFile("../testdata/ssa/swap.ssa")
	if err != nil {
		t.Fatal(err)
	}
	m, err := Parse(source.NewFile("swap.ssa", text))
	if err != nil {
		t.Fatal(err)
	}
	if errs := m.Funcs[0].Validate(); len(errs) > 0 {
		t.Fatal(errs)
	}
	t.Log(m.String())
	got, err := NewInterp(m.Funcs[0]).Run(100, 3)
	if diff := cmp.Diff(int64(-1), got); err != nil || diff != "" {
		t.Error(err, diff)
	}
}
