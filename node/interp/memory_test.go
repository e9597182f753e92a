package interp_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"shoal/internal/memgraph"
	"shoal/node"
	"shoal/node/interp"
	"shoal/node/types"
	"shoal/source"
)

// TestStatesStay: a Load reads the state of memory that it names, however many Stores have
// been since then, and whichever of the two is asked for first.
func TestStatesStay(t *testing.T) {
	o, x, _ := memgraph.Point()
	tests := []struct {
		name string
		make func(h *memgraph.Hand) *node.Node
		want int64
	}{
		{"nothing stored", func(h *memgraph.Hand) *node.Node { return h.Load(x, h.Mem, h.New(h.Ctrl, o)) }, 0},
		{"the old before the new", func(h *memgraph.Hand) *node.Node {
			p := h.New(h.Ctrl, o)
			s1 := h.Store(x, h.Mem, p, h.Arg)
			s2 := h.Store(x, s1, p, h.Integer(2))
			return h.Int(node.OpSub, h.Load(x, s1, p), h.Load(x, s2, p))
		}, 5},
		{"the new before the old", func(h *memgraph.Hand) *node.Node {
			p := h.New(h.Ctrl, o)
			s1 := h.Store(x, h.Mem, p, h.Arg)
			s2 := h.Store(x, s1, p, h.Integer(2))
			return h.Int(node.OpSub, h.Load(x, s2, p), h.Load(x, s1, p))
		}, -5},
		{"before all", func(h *memgraph.Hand) *node.Node {
			p := h.New(h.Ctrl, o)
			s2 := h.Store(x, h.Store(x, h.Mem, p, h.Arg), p, h.Integer(2))
			return h.Int(node.OpSub, h.Load(x, s2, p), h.Load(x, h.Mem, p))
		}, 2},
		{"two objects", func(h *memgraph.Hand) *node.Node {
			p, q := h.New(h.Ctrl, o), h.New(h.Ctrl, o)
			s2 := h.Store(x, h.Store(x, h.Mem, p, h.Arg), q, h.Integer(2))
			return h.Int(node.OpMul, h.Load(x, s2, q), h.Load(x, s2, p))
		}, 14},
	}
	for _, tt := range tests {
		h := memgraph.NewHand(nil)
		h.Return(h.Ctrl, tt.make(h))
		in := interp.New(h.G)
		for range 2 { // a run leaves nothing for the next
			got, how := in.Run(7, maxSteps)
			if got != tt.want || how != interp.Value {
				t.Errorf("%s: got %d %v, want %d", tt.name, got, how, tt.want)
			}
		}
	}
}

// stores makes a loop of arg rounds, each of which stores to x of one object and adds up
// what y was before all of them and what x was two Stores ago.
func stores(h *memgraph.Hand) {
	o, x, y := memgraph.Point()
	p := h.New(h.Ctrl, o)
	first := h.Store(y, h.Mem, p, h.Integer(3))
	zero := h.Integer(0)
	loop := h.Loop(h.Ctrl)
	i := h.Phi(types.Int, "i", loop, zero, nil)
	sum := h.Phi(types.Int, "sum", loop, zero, nil)
	xs := h.Phi(types.Mem, "$x", loop, h.Mem, nil)
	ys := h.Phi(types.Mem, "$y", loop, first, nil)
	again, out := h.Branch(loop, h.Int(node.OpLT, i, h.Arg))
	x1 := h.Store(x, xs, p, i)
	x2 := h.Store(x, x1, p, h.Int(node.OpAdd, i, h.Integer(1)))
	y1 := h.Store(y, ys, p, i)
	old := h.Int(node.OpAdd, h.Load(y, first, p), h.Load(x, xs, p))
	h.G.SetIn(loop, 2, again)
	h.G.SetIn(xs, 2, x2)
	h.G.SetIn(ys, 2, y1)
	h.G.SetIn(sum, 2, h.Int(node.OpAdd, sum, h.Int(node.OpAdd, old, h.Load(x, x1, p))))
	h.G.SetIn(i, 2, h.Int(node.OpAdd, i, h.Integer(1)))
	h.Return(out, h.Int(node.OpAdd, h.Int(node.OpMul, sum, h.Integer(1000)), h.Load(y, ys, p)))
}

// TestManyStores runs many rounds: neither time nor the log of what Stores have
// replaced grows with their number beyond what is linear.
func TestManyStores(t *testing.T) {
	if testing.Short() {
		t.Skip("half a second of Stores")
	}
	const rounds = 300_000
	h := memgraph.NewHand(nil)
	stores(h)
	// In round i the sum grows by 3, by i of the round before, and by i.
	sum := int64(3*rounds) + rounds*(rounds-1)/2*2
	got, how := interp.Run(h.G, rounds, 10*rounds)
	if want := sum*1000 + rounds - 1; got != want || how != interp.Value {
		t.Errorf("got %d %v, want %d", got, how, want)
	}
}

// TestNewMakesAnotherObject: an object for each time that control comes by.
func TestNewMakesAnotherObject(t *testing.T) {
	o, x, _ := memgraph.Point()
	h := memgraph.NewHand(nil)
	loop := h.Loop(h.Ctrl)
	i := h.Phi(types.Int, "i", loop, h.Integer(0), nil)
	last := h.Phi(types.RefTo(o).OrNull(), "p", loop, h.Const(types.Null), nil)
	same := h.Phi(types.Int, "same", loop, h.Integer(0), nil)
	xs := h.Phi(types.Mem, "$x", loop, h.Mem, nil)
	again, out := h.Branch(loop, h.Int(node.OpLT, i, h.Arg))
	p := h.New(again, o)
	fresh := h.Load(x, xs, p) // 0, although the last one got 1
	h.G.SetIn(loop, 2, again)
	h.G.SetIn(last, 2, p)
	h.G.SetIn(xs, 2, h.Store(x, xs, p, h.Integer(1)))
	h.G.SetIn(same, 2, h.Int(node.OpAdd, h.Int(node.OpAdd, same, fresh), h.Int(node.OpEQ, p, last)))
	h.G.SetIn(i, 2, h.Int(node.OpAdd, i, h.Integer(1)))
	h.Return(out, same)
	if got, how := interp.Run(h.G, 50, maxSteps); got != 0 || how != interp.Value {
		t.Errorf("got %d %v, want 0", got, how)
	}
}

func TestFaults(t *testing.T) {
	file := source.NewFile("p.smp", []byte("one\ntwo three\n"))
	tests := []struct {
		name string
		make func(h *memgraph.Hand)
		want string
	}{
		{"an index", func(h *memgraph.Hand) { h.Fault(h.Ctrl, node.FaultIndex, source.At(8), h.Arg, h.Integer(3)) },
			"p.smp:2:5: fault: index 7 is outside array of length 3"},
		{"a length", func(h *memgraph.Hand) { h.Fault(h.Ctrl, node.FaultLength, source.At(0), h.Integer(-7)) },
			"p.smp:1:1: fault: array length -7 is negative"},
		{"too large an array", func(h *memgraph.Hand) {
			p := h.New(h.Ctrl, types.NewArray(types.Bool), h.Integer(1<<32))
			p.Pos = source.At(4)
			h.Return(h.Ctrl, p)
		}, "p.smp:2:1: fault: out of memory"},
	}
	for _, tt := range tests {
		h := memgraph.NewHand(file)
		tt.make(h)
		in := interp.New(h.G)
		_, how := in.Run(7, maxSteps)
		if how != interp.Faulted {
			t.Errorf("%s: %v", tt.name, how)
			continue
		}
		if diff := cmp.Diff(tt.want, in.Err.Error()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// TestStateThatIsOver: two Stores that replace one state, both needed, are an error of ours.
func TestStateThatIsOver(t *testing.T) {
	o, x, _ := memgraph.Point()
	h := memgraph.NewHand(nil)
	p := h.New(h.Ctrl, o)
	a, b := h.Store(x, h.Mem, p, h.Integer(1)), h.Store(x, h.Mem, p, h.Integer(2))
	h.Return(h.Ctrl, h.Int(node.OpAdd, h.Load(x, a, p), h.Load(x, b, p)))
	defer func() {
		if recover() == nil {
			t.Error("memory was in two states at once, and nobody minded")
		}
	}()
	interp.Run(h.G, 0, maxSteps)
}
