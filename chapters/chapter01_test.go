//go:build !chapters || chapter01

package chapters

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"shoal"
	"shoal/node"
	"shoal/source"
)

func TestChapter01(t *testing.T) { suite(t, 1) }

// Inputs and users mirror each other, so the Return can be found from Start, and Start and
// the literal from the Return.
func TestChapter01Nodes(t *testing.T) {
	u, err := shoal.Compile(source.NewFile("one.smp", []byte("return 1;")), shoal.Options{Chapter: 1, Until: "parse"})
	if err != nil {
		t.Fatal(err)
	}
	g := u.Funcs[0].Graph
	ret := g.Stop.In(0)
	ctrl, value := ret.In(0), ret.In(2)
	got := []node.Op{ret.Op, ctrl.Op, ctrl.In(0).Op, value.Op}
	want := []node.Op{node.OpReturn, node.OpCProj, node.OpStart, node.OpConstant}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Return, its control, Start, its value (-want +got):\n%s", diff)
	}
	if ctrl.In(0) != g.Start || value.In(0) != g.Start {
		t.Errorf("control of the Return comes from %v; the literal hangs off %v", ctrl.In(0), value.In(0))
	}
	if diff := cmp.Diff(int64(1), value.Type.Value()); diff != "" {
		t.Errorf("the literal (-want +got):\n%s", diff)
	}
	for _, use := range value.Uses() {
		if use.User.In(int(use.Index)) != value {
			t.Errorf("input %d of user %v is not the literal", use.Index, use.User)
		}
	}
}
