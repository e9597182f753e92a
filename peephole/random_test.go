package peephole

import (
	"math/rand"
	"slices"
	"testing"

	"shoal/node"
	"shoal/node/types"
	"shoal/source"
)

// firingsPerNode bounds how often rules may apply to graphs with random contents.
const firingsPerNode = 3

// TestRandomGraphs makes random graphs, some with all nodes there before the first rule
// applies, some improved node by node: the rules must come to an end soon, and the values
// must stay what they were.
func TestRandomGraphs(t *testing.T) {
	for _, size := range []int{10, 100, 1000, 10_000} {
		for seed := range int64(min(400, 20_000/size)) {
			for _, raw := range []bool{true, false} {
				r := newRandomGraph(size, seed, raw)
				r.run()
				if r.firings > firingsPerNode*(size+10) {
					t.Errorf("%d nodes, seed %d, all at once %t: %d rules applied, %d nodes were made", size, seed, raw, r.firings, r.made)
				}
				if err := r.compare(); err != "" {
					t.Fatalf("%d nodes, seed %d, all at once %t: %s", size, seed, raw, err)
				}
			}
		}
	}
}

// A randomGraph has random operations, and the values they should have for a few values of
// the variables.
type randomGraph struct {
	*bench
	of      []types.Type // of the variables
	args    [][]int64    // their values, for each trial
	want    [][]int64    // of each operation, for each trial
	nodes   []*node.Node // the operations
	returns []int        // which of them are returned, in order
	firings int
	made    int
}

const trials = 5

// newRandomGraph makes size random operations; raw ones are as they are asked for.
func newRandomGraph(size int, seed int64, raw bool) *randomGraph {
	rng := rand.New(rand.NewSource(seed))
	r := &randomGraph{of: make([]types.Type, 4)}
	for i := range r.of {
		r.of[i] = typesOfVars[rng.Intn(len(typesOfVars))]
	}
	r.bench = newBench(Options{Level: maxLevel, Off: raw, Check: true}, r.of...)
	r.g.OnEvent = r.count
	special := specialValues(64)
	r.nodes = slices.Clone(r.vars)
	for range trials {
		args := make([]int64, len(r.of))
		for i, t := range r.of {
			args[i] = memberOf(t, rng, special)
		}
		r.args = append(r.args, args)
		r.want = append(r.want, slices.Clone(args))
	}
	ops := weightedOps()
	for range size {
		r.addOp(rng, ops[rng.Intn(len(ops))], special)
	}
	for i := len(r.nodes) / 2; i < len(r.nodes); i++ {
		r.ret(r.nodes[i])
		r.returns = append(r.returns, i)
	}
	for _, n := range r.nodes[len(r.vars):] {
		r.g.Drop(n)
	}
	return r
}

func (r *randomGraph) count(e node.Event) {
	switch e.Kind {
	case node.Rewrote:
		r.firings++
	case node.Created:
		r.made++
	}
}

// weightedOps are the ops on integers, those with more operands more often.
func weightedOps() []node.Op {
	var ops []node.Op
	for _, op := range integerOps() {
		ops = append(ops, slices.Repeat([]node.Op{op}, op.Info().Arity)...)
	}
	return ops
}

// memberOf is a special or random member of a range.
func memberOf(t types.Type, rng *rand.Rand, special []int64) int64 {
	lo, hi := t.Bounds()
	for range 20 {
		if x := special[rng.Intn(len(special))]; t.Contains(x) {
			return x
		}
	}
	return lo + int64(rng.Uint64()%(uint64(hi-lo)|1))
}

// addOp adds an operation on recent values and constants.
func (r *randomGraph) addOp(rng *rand.Rand, op node.Op, special []int64) {
	in := []*node.Node{nil}
	var from []int // the operands, as indexes of nodes, or minus one and then the constant
	var constants []int64
	for range op.Info().Arity - 1 {
		c := special[rng.Intn(len(special))]
		recent := max(0, len(r.nodes)-20)
		i := recent + rng.Intn(len(r.nodes)-recent)
		if rng.Intn(4) == 0 {
			i = -1
			in = append(in, r.g.Hold(r.Int(c, source.NoPos)))
		} else {
			in = append(in, r.g.Hold(r.nodes[i]))
		}
		from, constants = append(from, i), append(constants, c)
	}
	aux := 1 + rng.Int63n(64)
	if op.Info().Aux != node.AuxBits {
		aux = 0
	}
	n := r.g.Hold(r.MakeAux(op, source.NoPos, aux, nil, in...))
	for _, d := range in[1:] {
		r.g.Drop(d)
	}
	for trial := range r.want {
		v := [3]int64{}
		for i := range from {
			if v[i] = constants[i]; from[i] >= 0 {
				v[i] = r.want[trial][from[i]]
			}
		}
		if len(from) < 3 && aux != 0 {
			v[len(from)] = aux
		}
		r.want[trial] = append(r.want[trial], node.Ops[op].Eval(64, v[0], v[1], v[2]))
	}
	r.nodes = append(r.nodes, n)
}

// run applies the rules until none applies. The engine panics if one still does.
func (r *randomGraph) run() {
	if !r.o.Off {
		r.Run()
		return
	}
	start := r.g.Start.Type
	e := New(r.g, Options{Level: maxLevel, Check: true})
	r.g.Start.Type = start
	e.Run()
}

// compare computes what is returned.
func (r *randomGraph) compare() string {
	for trial := range r.want {
		memo := map[node.ID]int64{}
		for i, v := range r.vars {
			memo[v.ID] = r.args[trial][i]
		}
		for i, which := range r.returns {
			n := r.g.Stop.In(i).In(2)
			if got := valueOf(n, memo); got != r.want[trial][which] {
				return n.Label() + " is " + types.Const(got).String() + ", not " + types.Const(r.want[trial][which]).String()
			}
		}
	}
	return ""
}

func valueOf(n *node.Node, memo map[node.ID]int64) int64 {
	if n.IsConst() {
		return n.Type.Value()
	}
	if v, ok := memo[n.ID]; ok {
		return v
	}
	var v [3]int64
	for i := 1; i < n.NumIn(); i++ {
		v[i-1] = valueOf(n.In(i), memo)
	}
	if n.Op.Info().Aux == node.AuxBits {
		v[1] = n.Aux
	}
	memo[n.ID] = node.Ops[n.Op].Eval(64, v[0], v[1], v[2])
	return memo[n.ID]
}
