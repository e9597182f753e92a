package gcm

import "shoal/node"

// Eval runs a schedule with the argument arg, for at most maxSteps blocks: every node in
// the place that it was given, once for each time control comes by. It tells whether the
// program ended.
func Eval(s *Schedule, arg int64, maxSteps int) (result int64, ended bool) {
	e := evaluator{s: s, arg: arg, values: make([]int64, s.Graph.NumIDs())}
	b := s.Blocks[0]
	for range maxSteps {
		for _, n := range b.Nodes {
			e.values[n.ID] = e.compute(n)
		}
		switch {
		case b.End != nil && b.End.Op == node.OpReturn:
			return e.value(b.End.In(2)), true
		case len(b.Succs) == 0:
			return 0, true // control falls off the end
		}
		next := b.Succs[0]
		if b.End != nil && e.value(b.End.In(1)) == 0 {
			next = b.Succs[1]
		}
		e.takeEdge(b, next)
		b = next
	}
	return 0, false
}

type evaluator struct {
	s      *Schedule
	arg    int64
	values []int64 // by node ID
	fresh  []int64
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
	case n.IsConst():
		return n.Type.Value()
	case n.Op == node.OpProj && n.Aux == argIndex:
		return e.arg
	}
	return e.values[n.ID]
}

// argIndex is the place of the argument in the tuple of Start.
const argIndex = 2

func (e *evaluator) compute(n *node.Node) int64 {
	var v [4]int64
	for i := 1; i < n.NumIn(); i++ {
		v[i-1] = e.value(n.In(i))
	}
	if n.Op.Info().Aux == node.AuxBits {
		v[n.NumIn()-1] = n.Aux
	}
	return node.Ops[n.Op].Eval(64, v[0], v[1], v[2])
}
