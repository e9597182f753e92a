// Package interp runs a graph as it is, unscheduled: the evaluator of chapter 8.
//
// Needs: a graph, raw or optimized. Gives: what the program gives for an argument, and
// the memory that it leaves. It shares no code with the optimizer or the scheduler, so it
// can judge them. Breaks: nothing.
//
// Control is followed from Start. At a Region all Phis are evaluated for the path by
// which control came before any of them changes; other values are computed when control
// needs them, and again after a Phi has changed. A New makes an object when control passes
// the node that it is pinned to. A Load reads from the state of memory that it names, even
// if that is over (memory.go); Loads and Stores run again only when one of their inputs has
// another value.
//
// Start reading at Run.
package interp

import (
	"shoal/internal/heap"
	"shoal/node"
)

// An Outcome is how a run ended.
type Outcome uint8

// The outcomes (chapters §8.6).
const (
	Value       Outcome = iota // a Return was reached
	FallThrough                // control ended without one; the value is 0
	Timeout                    // it did not end within the steps allowed
	Faulted                    // a fault has ended it (semantics §10)
)

func (o Outcome) String() string { return [...]string{"VALUE", "FALLTHROUGH", "TIMEOUT", "FAULTED"}[o] }

// Run runs g with the argument arg, for at most maxSteps points of control.
func Run(g *node.Graph, arg int64, maxSteps int) (int64, Outcome) {
	return New(g).Run(arg, maxSteps)
}

// An Interp runs one graph, as often as one likes.
type Interp struct {
	// Heap is the memory of the last run, which references are addresses in. Err is why it
	// Faulted: a *node.FaultError, or an access to memory that is not there.
	Heap *heap.Heap
	Err  error

	g       *node.Graph
	arg     int64
	values  []int64 // by ID: a number, an address, or the number of a state of memory
	known   []int64 // by ID: the epoch in which the value was last looked at
	changed []int64 // by ID: the epoch in which it became what it is
	epoch   int64   // grows whenever Phis change or objects are made
	stack   []*node.Node
	next    []step // by ID of control: where it goes from there, once known
	live    []bool // by ID: some end of control or live Phi needs it
	phis    [][]*node.Node
	news    [][]*node.Node // by ID of control: the live News that are pinned to it, by ID
	pending []bool         // by ID: a New that control has passed and that has not run yet
	fresh   []int64
	memory  memory
}

// A step is where control goes from a node.
type step struct {
	to    *node.Node
	path  int // the input of to that control comes in by
	known bool
}

// New prepares to run g, which must not change meanwhile.
func New(g *node.Graph) *Interp {
	n := g.NumIDs()
	in := &Interp{
		g: g, values: make([]int64, n), known: make([]int64, n), changed: make([]int64, n),
		next: make([]step, n), phis: make([][]*node.Node, n), news: make([][]*node.Node, n), pending: make([]bool, n),
	}
	in.findLive()
	return in
}

// argIndex is the place of the argument in the tuple of Start.
const argIndex = 2

// Run runs the graph with the argument arg, for at most maxSteps points of control.
func (in *Interp) Run(arg int64, maxSteps int) (int64, Outcome) {
	in.arg, in.epoch, in.Err = arg, 1, nil
	in.Heap = heap.New(heap.DefaultLimit)
	clear(in.values)
	clear(in.known)
	clear(in.changed)
	in.resetMemory()
	ctrl := in.g.Start
	for range maxSteps {
		in.allocate(ctrl)
		s := in.step(ctrl)
		switch {
		case in.Err != nil:
			return 0, Faulted
		case s.to == nil:
			return 0, FallThrough
		case s.to.Op == node.OpReturn:
			return in.result(s.to)
		case s.to.Op == node.OpFault:
			return in.fault(s.to)
		case s.to.IsRegion():
			in.enter(s.to, s.path)
		}
		ctrl = s.to
	}
	return 0, Timeout
}

// result is what a Return gives. The states of memory that will be seen with it come after
// the value.
func (in *Interp) result(n *node.Node) (int64, Outcome) {
	for i := 2; i < n.NumIn(); i++ {
		in.eval(n.In(i))
	}
	if in.Err = in.Heap.Err(); in.Err != nil {
		return 0, Faulted
	}
	return in.values[n.In(2).ID], Value
}

func (in *Interp) fault(n *node.Node) (int64, Outcome) {
	var numbers []int64
	for i := 2; i < n.NumIn(); i++ {
		numbers = append(numbers, in.eval(n.In(i)))
	}
	in.Err = in.g.FaultAt(n, numbers...)
	return 0, Faulted
}

// step is where control goes from n.
func (in *Interp) step(n *node.Node) step {
	if n.Op == node.OpIf {
		side := int64(1)
		if in.eval(n.In(1)) != 0 {
			side = 0
		}
		return step{to: projection(n, side)}
	}
	s := &in.next[n.ID]
	if !s.known {
		*s = in.follow(n)
	}
	return *s
}

func (in *Interp) follow(n *node.Node) step {
	switch n.Op {
	case node.OpStart, node.OpNever:
		return step{to: projection(n, 0), known: true}
	}
	for _, u := range n.Uses() {
		i := int(u.Index)
		if u.User.IsRegion() && i > 0 || i == 0 && (u.User.IsIf() || u.User.Op == node.OpReturn || u.User.Op == node.OpFault) {
			return step{u.User, i, true}
		}
	}
	return step{known: true}
}

func projection(multi *node.Node, i int64) *node.Node {
	for _, u := range multi.Uses() {
		if u.User.Op == node.OpCProj && u.User.Aux == i {
			return u.User
		}
	}
	return nil
}

// enter takes the values of all Phis of r for the path at once.
func (in *Interp) enter(r *node.Node, path int) {
	phis := in.phis[r.ID]
	if len(phis) == 0 {
		return
	}
	in.fresh = in.fresh[:0]
	for _, phi := range phis {
		in.fresh = append(in.fresh, in.eval(phi.In(path)))
	}
	in.epoch++
	for i, phi := range phis {
		in.set(phi, in.fresh[i])
	}
}

// set gives n its value.
func (in *Interp) set(n *node.Node, v int64) {
	in.known[n.ID] = in.epoch
	if in.values[n.ID] != v {
		in.values[n.ID], in.changed[n.ID] = v, in.epoch
	}
}

// allocate runs the News that are pinned to the control node n.
func (in *Interp) allocate(n *node.Node) {
	news := in.news[n.ID]
	if len(news) == 0 {
		return
	}
	in.epoch++
	for _, n := range news {
		in.pending[n.ID] = true
	}
	for _, n := range news {
		in.eval(n)
	}
}
