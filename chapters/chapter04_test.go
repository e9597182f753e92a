//go:build !chapters || chapter04

package chapters

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"shoal"
	"shoal/node"
	"shoal/node/types"
	"shoal/peephole"
	"shoal/source"
)

func TestChapter04(t *testing.T) { suite(t, 4) }

// Projections of control are CProj at every chapter, and there is a Stop; in Simple both come
// later. With an unknown argument, both inputs of the Return are projections of Start; with a
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

// What has the top of the integers for its type is not known yet: it is no constant, and no
// 0. Simple's chapters 4 to 13 take it for one, because they look at the number only.
func TestChapter04IntegerTop(t *testing.T) {
	for _, level := range []int{4, 8, 9, 13, 14, shoal.MaxChapter} {
		u, err := shoal.Compile(source.NewFile("arg.smp", []byte("return arg;")), shoal.Options{Chapter: level, Until: "parse"})
		if err != nil {
			t.Fatal(err)
		}
		g := u.Funcs[0].Graph
		e := peephole.New(g, peephole.Options{Level: level})
		arg := g.Stop.In(0).In(2)
		for _, op := range []node.Op{node.OpAdd, node.OpMul, node.OpSub} {
			top := g.Constant(types.IntTop, source.NoPos)
			if n := e.Make(op, source.NoPos, nil, arg, top); n == arg || n.Type.IsConst() {
				t.Errorf("chapter %d: %v of arg and %v is %v", level, op, top.Type, n)
			}
		}
	}
}
