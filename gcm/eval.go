package gcm

import (
	"shoal/internal/heap"
	"shoal/node"
)

// A Result is how a run of a schedule ended.
type Result struct {
	Value int64 // an integer, the bits of a float, an address in Heap
	Heap  *heap.Heap
	Ended bool  // false if the run was cut off
	Err   error // a *node.FaultError, or an access to memory that is not there
}

// Eval is Evaluate for whoever is interested in numbers alone.
func Eval(s *Schedule, arg int64, maxSteps int) (result int64, ended bool) {
	r := Evaluate(s, arg, maxSteps)
	return r.Value, r.Ended
}

// Evaluate runs a schedule with the argument arg, for at most maxSteps blocks: every node
// in the place that it was given, once for each time control comes by. There is one
// memory: a Load reads what is there when its turn comes, whatever state it names.
func Evaluate(s *Schedule, arg int64, maxSteps int) Result {
	e := evaluator{s: s, arg: arg, values: make([]int64, s.Graph.NumIDs()), heap: heap.New(heap.DefaultLimit)}
	b := s.Blocks[0]
	for range maxSteps {
		for _, n := range b.Nodes {
			if err := e.run(n); err != nil {
				return Result{Heap: e.heap, Ended: true, Err: err}
			}
		}
		if r, ended := e.end(b); ended {
			return r
		}
		next := b.Succs[0]
		if b.End != nil && e.value(b.End.In(1)) == 0 {
			next = b.Succs[1]
		}
		e.takeEdge(b, next)
		b = next
	}
	return Result{Heap: e.heap}
}

type evaluator struct {
	s      *Schedule
	arg    int64
	values []int64 // by node ID
	fresh  []int64
	heap   *heap.Heap
}

// end tells whether control ends with b, and how.
func (e *evaluator) end(b *Block) (r Result, ended bool) {
	r = Result{Heap: e.heap, Ended: true, Err: e.heap.Err()}
	switch {
	case b.End != nil && b.End.Op == node.OpReturn:
		r.Value = e.value(b.End.In(2))
	case b.faults():
		var numbers []int64
		for i := 2; i < b.End.NumIn(); i++ {
			numbers = append(numbers, e.value(b.End.In(i)))
		}
		r.Err = e.s.Graph.FaultAt(b.End, numbers...)
	case len(b.Succs) > 0: // otherwise control falls off the end, which gives 0
		return r, false
	}
	return r, true
}

// takeEdge gives the Phis of a block the values of the path from another, all at once.
func (e *evaluator) takeEdge(from, to *Block) {
	e.fresh = e.fresh[:0]
	for k, p := range to.Preds {
		if p != from {
			continue
		}
		for _, phi := range to.Phis {
			e.fresh = append(e.fresh, e.value(phi.In(to.Paths[k])))
		}
		break
	}
	for i, phi := range to.Phis {
		e.values[phi.ID] = e.fresh[i]
	}
}

func (e *evaluator) value(n *node.Node) int64 {
	switch {
	case n.Op == node.OpConstant:
		return n.Type.Word()
	case n.Op == node.OpProj && n.Aux == argIndex:
		return e.arg
	}
	return e.values[n.ID]
}

// argIndex is the place of the argument in the tuple of Start.
const argIndex = 2

// run runs one node.
func (e *evaluator) run(n *node.Node) error {
	var v [5]int64
	for i := 1; i < n.NumIn(); i++ {
		if n.In(i) != nil {
			v[i] = e.value(n.In(i))
		}
	}
	x, ok := int64(0), true
	switch n.Op {
	case node.OpLoad:
		x = e.heap.Load(n.Sym.Field.Storage, v[2]+v[3])
	case node.OpStore:
		e.heap.Store(n.Sym.Field.Storage, v[2]+v[3], v[4])
	case node.OpNew:
		x, ok = e.heap.Make(n.Sym.Object, v[1])
	case node.OpCast, node.OpReadOnly:
		x = v[1]
	default:
		if n.Op.Info().Aux == node.AuxBits {
			v[n.NumIn()] = n.Aux
		}
		eval := n.Op.Info().Eval
		if eval == nil {
			panic(e.s.Graph.Bug(n, "is no value"))
		}
		x = eval(64, v[1], v[2], v[3])
	}
	if !ok {
		return e.s.Graph.FaultAt(n)
	}
	e.values[n.ID] = x
	return nil
}
