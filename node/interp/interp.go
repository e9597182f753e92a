// Package interp runs a graph as it is, unscheduled: the evaluator of chapter 8.
//
// Needs: a graph, raw or optimized. Gives: what the program gives for an argument. It
// shares no code with the optimizer or the scheduler, so it can judge them. Breaks:
// nothing.
//
// Control is followed from Start. At a Region all Phis are evaluated for the path by
// which control came before any of them changes; other values are computed when control
// needs them, and again after a Phi has changed.
//
// Start reading at Run.
package interp

import "shoal/node"

// An Outcome is how a run ended.
type Outcome uint8

// The outcomes (chapters §8.6).
const (
	Value       Outcome = iota // a Return was reached
	FallThrough                // control ended without one; the value is 0
	Timeout                    // it did not end within the steps allowed
)

func (o Outcome) String() string { return [...]string{"VALUE", "FALLTHROUGH", "TIMEOUT"}[o] }

// Run runs g with the argument arg, for at most maxSteps points of control.
func Run(g *node.Graph, arg int64, maxSteps int) (int64, Outcome) {
	return New(g).Run(arg, maxSteps)
}

// An Interp runs one graph, as often as one likes.
type Interp struct {
	g      *node.Graph
	arg    int64
	values []int64
	known  []int32 // by ID: the epoch in which the value was computed
	epoch  int32   // grows whenever Phis change
	stack  []*node.Node
	next   []step // by ID of control: where it goes from there, once known
	phis   [][]*node.Node
	fresh  []int64
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
	return &Interp{g: g, values: make([]int64, n), known: make([]int32, n), next: make([]step, n), phis: make([][]*node.Node, n)}
}

// argIndex is the place of the argument in the tuple of Start.
const argIndex = 2

// Run runs the graph with the argument arg, for at most maxSteps points of control.
func (in *Interp) Run(arg int64, maxSteps int) (int64, Outcome) {
	in.arg, in.epoch = arg, 0
	clear(in.known)
	in.epoch++
	ctrl := in.g.Start
	for range maxSteps {
		s := in.step(ctrl)
		switch {
		case s.to == nil:
			return 0, FallThrough
		case s.to.Op == node.OpReturn:
			return in.eval(s.to.In(2)), Value
		case s.to.IsRegion():
			in.enter(s.to, s.path)
		}
		ctrl = s.to
	}
	return 0, Timeout
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
		if u.User.IsRegion() && i > 0 || i == 0 && (u.User.IsIf() || u.User.Op == node.OpReturn) {
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
	if in.phis[r.ID] == nil {
		in.phis[r.ID] = phisOf(r)
	}
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
		in.values[phi.ID] = in.fresh[i]
	}
}

// phisOf are the Phis of integers of a Region.
func phisOf(r *node.Node) []*node.Node {
	phis := []*node.Node{}
	for _, u := range r.Uses() {
		if u.User.Op == node.OpPhi && u.Index == 0 && u.User.Name() != "$mem" {
			phis = append(phis, u.User)
		}
	}
	return phis
}

// eval is the value of n now. Chains of any length are evaluated without recursion.
func (in *Interp) eval(n *node.Node) int64 {
	base := len(in.stack)
	in.stack = append(in.stack, n)
	for len(in.stack) > base {
		n := in.stack[len(in.stack)-1]
		if in.leaf(n) || in.known[n.ID] == in.epoch {
			in.stack = in.stack[:len(in.stack)-1]
			continue
		}
		if in.operandsReady(n) {
			in.compute(n)
			in.stack = in.stack[:len(in.stack)-1]
		}
	}
	return in.values[n.ID]
}

// leaf gives values to the nodes that have no operands to wait for.
func (in *Interp) leaf(n *node.Node) bool {
	switch n.Op {
	case node.OpPhi:
	case node.OpConstant:
		in.values[n.ID] = 0
		if n.Type.IsConst() {
			in.values[n.ID] = n.Type.Value()
		}
	case node.OpProj:
		in.values[n.ID] = 0
		if n.Aux == argIndex {
			in.values[n.ID] = in.arg
		}
	default:
		return false
	}
	return true
}

// operandsReady pushes the operands that have no value yet.
func (in *Interp) operandsReady(n *node.Node) bool {
	ready := true
	for i := 1; i < n.NumIn(); i++ {
		if d := n.In(i); !in.leaf(d) && in.known[d.ID] != in.epoch {
			in.stack = append(in.stack, d)
			ready = false
		}
	}
	return ready
}

func (in *Interp) compute(n *node.Node) {
	eval := node.Ops[n.Op].Eval
	if eval == nil {
		panic(in.g.Bug(n, "interp: is no value"))
	}
	var v [4]int64
	for i := 1; i < n.NumIn(); i++ {
		v[i-1] = in.values[n.In(i).ID]
	}
	if n.Op.Info().Aux == node.AuxBits {
		v[n.NumIn()-1] = n.Aux
	}
	in.values[n.ID] = eval(64, v[0], v[1], v[2])
	in.known[n.ID] = in.epoch
}
