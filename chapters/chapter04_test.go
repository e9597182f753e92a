//go:build !chapters || chapter04

package chapters

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"shoal"
	"shoal/node"
	"shoal/source"
)

func TestChapter04(t *testing.T) { suite(t, 4) }

// With an unknown argument, both inputs of the Return are projections of Start; with a
// known one, its value is a constant.
func TestChapter04Projections(t *testing.T) {
	known := int64(7)
	tests := []struct {
		name string
		arg  *int64
		want node.Op
	}{
		{"unknown", nil, node.OpProj},
		{"known", &known, node.OpConstant},
	}
	for _, tt := range tests {
		u, err := shoal.Compile(source.NewFile("arg.smp", []byte("return arg;")), shoal.Options{Chapter: 4, Until: "parse", Arg: tt.arg})
		if err != nil {
			t.Fatal(err)
		}
		ret := u.Funcs[0].Graph.Stop.In(0)
		got := []node.Op{ret.In(0).Op, ret.In(2).Op}
		if diff := cmp.Diff([]node.Op{node.OpCProj, tt.want}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
		if ret.In(0).In(0) != u.Funcs[0].Graph.Start || ret.In(2).In(0) != u.Funcs[0].Graph.Start {
			t.Errorf("%s: the inputs do not hang off Start", tt.name)
		}
	}
}
