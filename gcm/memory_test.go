package gcm_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"shoal/gcm"
	"shoal/internal/heap"
	"shoal/internal/memgraph"
	"shoal/node"
	"shoal/node/interp"
	"shoal/node/types"
	"shoal/ssa"
)

// maxSteps is far above what the counted loops of a random graph take.
const maxSteps = 1 << 20

// TestMemoryAgainstTheGraph schedules random graphs with memory. The replay of Verify finds
// every Load in the state that it names; the schedule, which has one memory, and the linear
// form of it give what the graph gives, in which every state is there for good.
func TestMemoryAgainstTheGraph(t *testing.T) {
	faults := 0
	for seed := range uint64(3000) {
		rng := rand.New(rand.NewPCG(seed, 7))
		g := memgraph.Graph(rng, memgraph.Options{Statements: 5 + rng.IntN(40), Depth: 1 + rng.IntN(4)})
		if err := g.Verify(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		s := gcm.Run(g)
		if err := s.Verify(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		f := ssa.FromSchedule(s, false)
		if errs := f.Validate(); len(errs) > 0 {
			t.Fatalf("seed %d: %v\n%s", seed, errs, f)
		}
		graph, linear := interp.New(g), ssa.NewInterp(f)
		for _, arg := range []int64{0, 1, -5, rng.Int64()} {
			want := ofGraph(graph, arg)
			if graph.Err != nil {
				faults++
			}
			r := gcm.Evaluate(s, arg, maxSteps)
			if diff := cmp.Diff(want, outcome(r.Value, r.Err)); diff != "" {
				t.Fatalf("seed %d, argument %d: schedule (-want +got):\n%s", seed, arg, diff)
			}
			if diff := cmp.Diff(want, outcome(linear.Run(maxSteps, arg))); diff != "" {
				t.Fatalf("seed %d, argument %d: linear form (-want +got):\n%s\n%s", seed, arg, diff, f)
			}
		}
	}
	if faults < 100 {
		t.Errorf("only %d faults", faults)
	}
}

func ofGraph(in *interp.Interp, arg int64) string {
	v, how := in.Run(arg, maxSteps)
	if how != interp.Value && how != interp.Faulted {
		return how.String()
	}
	return outcome(v, in.Err)
}

func outcome(v int64, err error) string {
	if err != nil {
		return err.Error()
	}
	return fmt.Sprint(v)
}

// TestReturnedObjects compares what the memory of each engine holds at the end, as far as
// the result leads to it.
func TestReturnedObjects(t *testing.T) {
	long := 0
	for seed := range uint64(1000) {
		rng := rand.New(rand.NewPCG(seed, 8))
		g := memgraph.Graph(rng, memgraph.Options{Statements: 5 + rng.IntN(60), Depth: 1 + rng.IntN(3), Ref: true})
		s := gcm.Run(g)
		if err := s.Verify(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		graph, linear := interp.New(g), ssa.NewInterp(ssa.FromSchedule(s, false))
		arg := rng.Int64N(100)
		v, _ := graph.Run(arg, maxSteps)
		want := object(g, graph.Heap, v, graph.Err)
		r := gcm.Evaluate(s, arg, maxSteps)
		if diff := cmp.Diff(want, object(g, r.Heap, r.Value, r.Err)); diff != "" {
			t.Fatalf("seed %d, argument %d: schedule (-want +got):\n%s", seed, arg, diff)
		}
		v, err := linear.Run(maxSteps, arg)
		if diff := cmp.Diff(want, object(g, linear.Heap, v, err)); diff != "" {
			t.Fatalf("seed %d, argument %d: linear form (-want +got):\n%s", seed, arg, diff)
		}
		if strings.Count(want, "N{") > 1 {
			long++
		}
	}
	if long < 30 {
		t.Errorf("only %d results refer to other objects", long)
	}
}

func object(g *node.Graph, h *heap.Heap, v int64, err error) string {
	if err != nil {
		return err.Error()
	}
	text, err := heap.AppendValue(nil, h, g.ResultType(), v)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// TestVerifyKnowsMemory moves Loads and Stores to other places. Whatever Verify lets pass
// gives what the graph gives.
func TestVerifyKnowsMemory(t *testing.T) {
	caught, passed, wrong := 0, 0, 0
	for seed := range uint64(3000) {
		rng := rand.New(rand.NewPCG(seed, 9))
		g := memgraph.Graph(rng, memgraph.Options{Statements: 5 + rng.IntN(40), Depth: 1 + rng.IntN(3)})
		s := gcm.Run(g)
		if !moveAccess(rng, s) {
			continue
		}
		verdict := s.Verify()
		if verdict != nil {
			caught++
		} else {
			passed++
		}
		in := interp.New(g)
		for arg := range int64(4) {
			want := ofGraph(in, arg)
			got := evaluate(s, arg)
			if got != want && verdict == nil {
				t.Fatalf("seed %d, argument %d: Verify does not mind a schedule that gives %s, not %s", seed, arg, got, want)
			}
			if got != want {
				wrong++
				break
			}
		}
	}
	if caught < 300 || passed < 50 || wrong < 50 {
		t.Errorf("%d moves caught, %d passed, %d gave other results: too few to tell anything", caught, passed, wrong)
	}
}

// evaluate is the outcome of a schedule that may be wrong.
func evaluate(s *gcm.Schedule, arg int64) string {
	r := gcm.Evaluate(s, arg, maxSteps)
	if !r.Ended {
		return "no end"
	}
	return outcome(r.Value, r.Err)
}

// moveAccess moves a Load or Store a few places up or down in its block, or to the start or
// end of a neighbour.
func moveAccess(rng *rand.Rand, s *gcm.Schedule) bool {
	b := s.Blocks[rng.IntN(len(s.Blocks))]
	var at []int
	for i, n := range b.Nodes {
		if n.Op == node.OpStore || n.Op == node.OpLoad && n.In(1) != nil {
			at = append(at, i)
		}
	}
	if len(at) == 0 {
		return false
	}
	i := at[rng.IntN(len(at))]
	n := b.Nodes[i]
	b.Nodes = slices.Delete(slices.Clone(b.Nodes), i, i+1)
	to, k := b, max(0, min(len(b.Nodes), i+rng.IntN(9)-4))
	switch {
	case rng.IntN(3) > 0:
	case rng.IntN(2) == 0 && len(b.Succs) > 0:
		to, k = b.Succs[rng.IntN(len(b.Succs))], 0
	case b.IDom != nil:
		to, k = b.IDom, len(b.IDom.Nodes)
	}
	to.Nodes = slices.Insert(slices.Clone(to.Nodes), k, n)
	return true
}

// A shape is a graph in which a Load must not come too late.
type shape struct {
	name string
	make func(h *memgraph.Hand)
	want map[int64]int64 // results by argument
}

// shapes are those of chapters §11.8, and what optimizers make of them.
func shapes() []shape {
	o, x, y := memgraph.Point()
	return []shape{
		{"a store in an if", func(h *memgraph.Hand) {
			p := h.New(h.Ctrl, o)
			first := h.Store(x, h.Mem, p, h.Arg)
			load := h.Load(x, first, p)
			yes, no := h.Branch(h.Ctrl, h.Int(node.OpLT, h.Integer(3), h.Arg))
			second := h.Store(x, first, p, h.Int(node.OpMul, load, h.Integer(3)))
			r := h.Join(yes, no)
			mem := h.Phi(types.Mem, "$x", r, second, first)
			h.Return(r, h.Int(node.OpAdd, h.Int(node.OpMul, load, h.Integer(100)), h.Load(x, mem, p)))
		}, map[int64]int64{5: 515, 2: 202}},
		{"stores in both arms", func(h *memgraph.Hand) {
			p := h.New(h.Ctrl, o)
			first := h.Store(x, h.Mem, p, h.Arg)
			load := h.Load(x, first, p)
			yes, no := h.Branch(h.Ctrl, h.Arg)
			a, b := h.Store(x, first, p, h.Integer(7)), h.Store(x, first, p, h.Integer(8))
			r := h.Join(yes, no)
			mem := h.Phi(types.Mem, "$x", r, a, b)
			h.Return(r, h.Int(node.OpSub, h.Load(x, mem, p), load))
		}, map[int64]int64{5: 2, 0: 8}},
		{"a store in a loop", func(h *memgraph.Hand) {
			p := h.New(h.Ctrl, o)
			loop := h.Loop(h.Ctrl)
			i := h.Phi(types.Int, "i", loop, h.Integer(0), nil)
			sum := h.Phi(types.Int, "sum", loop, h.Integer(0), nil)
			mem := h.Phi(types.Mem, "$x", loop, h.Mem, nil)
			again, out := h.Branch(loop, h.Int(node.OpLT, i, h.Arg))
			old := h.Load(x, mem, p)
			h.G.SetIn(loop, 2, again)
			h.G.SetIn(mem, 2, h.Store(x, mem, p, h.Int(node.OpAdd, old, h.Integer(2))))
			h.G.SetIn(sum, 2, h.Int(node.OpAdd, sum, old))
			h.G.SetIn(i, 2, h.Int(node.OpAdd, i, h.Integer(1)))
			h.Return(out, h.Int(node.OpAdd, h.Int(node.OpMul, sum, h.Integer(100)), h.Load(x, mem, p)))
		}, map[int64]int64{0: 0, 1: 2, 4: 1208}},
		{"a store that a loop only reads", func(h *memgraph.Hand) {
			p := h.New(h.Ctrl, o)
			before := h.Load(x, h.Mem, p)
			mem := h.Store(x, h.Mem, p, h.Arg)
			loop := h.Loop(h.Ctrl)
			i := h.Phi(types.Int, "i", loop, h.Integer(0), nil)
			sum := h.Phi(types.Int, "sum", loop, h.Integer(0), nil)
			again, out := h.Branch(loop, h.Int(node.OpLT, i, h.Integer(3)))
			yes, no := h.Branch(again, h.Int(node.OpEQ, i, h.Integer(1)))
			r := h.Join(yes, no)
			h.G.SetIn(loop, 2, r)
			h.G.SetIn(sum, 2, h.Phi(types.Int, "sum", r, h.Int(node.OpAdd, sum, h.Load(x, mem, p)), sum))
			h.G.SetIn(i, 2, h.Int(node.OpAdd, i, h.Integer(1)))
			h.Return(out, h.Int(node.OpAdd, sum, before))
		}, map[int64]int64{5: 5, 0: 0}},
		{"another object", func(h *memgraph.Hand) {
			p, q := h.New(h.Ctrl, o), h.New(h.Ctrl, o)
			s1 := h.Store(x, h.Mem, p, h.Arg)
			s2 := h.Store(x, s1, q, h.Integer(7))
			s3 := h.Store(x, s2, p, h.Integer(9))
			h.Return(h.Ctrl, h.Int(node.OpAdd, h.Load(x, s1, p), h.Int(node.OpMul, h.Load(x, s3, q), h.Load(x, s3, p))))
		}, map[int64]int64{5: 68}},
		{"another field", func(h *memgraph.Hand) {
			p := h.New(h.Ctrl, o)
			sx := h.Store(x, h.Mem, p, h.Arg)
			sy := h.Store(y, h.Mem, p, h.Int(node.OpAdd, h.Load(x, sx, p), h.Integer(1)))
			h.Return(h.Ctrl, h.Int(node.OpAdd, h.Int(node.OpMul, h.Load(x, sx, p), h.Integer(10)), h.Load(y, sy, p)))
		}, map[int64]int64{4: 45}},
		{"a Load that skips a Store on which it depends", func(h *memgraph.Hand) {
			a := types.NewArray(types.Int)
			elem := memgraph.FieldOf(a.Element())
			p := h.New(h.Ctrl, a, h.Integer(4))
			at := func(index *node.Node, lo, hi int64) *node.Node {
				scaled := h.Make(node.OpShl, types.Range(8*lo, 8*hi), nil, index, h.Integer(3))
				return h.Make(node.OpAdd, types.Range(8*lo+8, 8*hi+8), nil, scaled, h.Integer(8))
			}
			store := func(mem, offset, value *node.Node) *node.Node {
				return h.About(node.OpStore, types.Mem, elem, nil, mem, p, offset, value)
			}
			s1 := store(h.Mem, at(h.Integer(2), 2, 2), h.Integer(50))
			s2 := store(s1, at(h.Integer(0), 0, 0), h.Arg)
			i := h.Make(node.OpAnd, types.Range(0, 1), nil, h.About(node.OpLoad, types.Int, elem, nil, s2, p, at(h.Integer(0), 0, 0)), h.Integer(1))
			i2 := h.Make(node.OpAdd, types.Range(2, 3), nil, i, h.Integer(2))
			load := h.About(node.OpLoad, types.Int, elem, nil, s1, p, at(i2, 2, 3))
			s3 := store(s2, at(h.Integer(2), 2, 2), h.Integer(60))
			last := h.About(node.OpLoad, types.Int, elem, nil, s3, p, at(i2, 2, 3))
			h.Return(h.Ctrl, h.Int(node.OpAdd, h.Int(node.OpMul, load, h.Integer(100)), last))
		}, map[int64]int64{4: 5060, 5: 0}},
	}
}

func TestShapes(t *testing.T) {
	for _, shape := range shapes() {
		h := memgraph.NewHand(nil)
		shape.make(h)
		if err := h.G.Verify(); err != nil {
			t.Errorf("%s: %v", shape.name, err)
			continue
		}
		s := gcm.Run(h.G)
		if err := s.Verify(); err != nil {
			t.Errorf("%s: %v", shape.name, err)
		}
		linear := ssa.NewInterp(ssa.FromSchedule(s, false))
		for arg, want := range shape.want {
			r := gcm.Evaluate(s, arg, maxSteps)
			got := []string{ofGraph(interp.New(h.G), arg), outcome(r.Value, r.Err), outcome(linear.Run(maxSteps, arg))}
			all := fmt.Sprint(want)
			if diff := cmp.Diff([]string{all, all, all}, got); diff != "" {
				t.Errorf("%s for %d: graph, schedule, linear form (-want +got):\n%s", shape.name, arg, diff)
			}
		}
	}
}
