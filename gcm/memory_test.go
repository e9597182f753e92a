package gcm_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"shoal/gcm"
	"shoal/internal/memgraph"
	"shoal/node"
	"shoal/node/interp"
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

// loads counts the Loads in the blocks of a schedule, for tests of where they are.
func loads(s *gcm.Schedule) (list []*node.Node) {
	for _, b := range s.Blocks {
		for _, n := range b.Nodes {
			if n.Op == node.OpLoad {
				list = append(list, n)
			}
		}
	}
	return list
}
