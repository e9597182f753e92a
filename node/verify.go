package node

import (
	"errors"
	"fmt"

	"shoal/node/types"
)

// Verify reports every broken invariant of the graph: edges mirrored on both ends, no
// edge to a dead node, input counts as the op table says, Phis as long as their Regions,
// control where control belongs.
func (g *Graph) Verify() error {
	var errs []error
	live := 0
	for id := 1; id < g.NumIDs(); id++ {
		n := g.At(ID(id))
		if n.Dead() {
			continue
		}
		live++
		for _, msg := range verifyNode(n) {
			errs = append(errs, fmt.Errorf("%s: after %s: node %d %s: %s", g.Name, g.Pass, n.ID, n.Label(), msg))
		}
	}
	if live != g.live {
		errs = append(errs, fmt.Errorf("%s: after %s: %d nodes live but %d counted", g.Name, g.Pass, live, g.live))
	}
	return errors.Join(errs...)
}

func verifyNode(n *Node) (wrong []string) {
	fail := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	for i, e := range n.in {
		switch {
		case e.def == nil:
		case e.def.Dead():
			fail("input %d is dead", i)
		case int(e.at) >= len(e.def.out) || e.def.out[e.at] != Use{n, int32(i)}:
			fail("input %d is not in the list of uses of node %d", i, e.def.ID)
		}
	}
	for i, u := range n.out {
		if int(u.Index) >= len(u.User.in) || u.User.in[u.Index] != (Edge{n, int32(i)}) {
			fail("use %d is not an input of node %d", i, u.User.ID)
		}
	}
	if a := n.Op.Info().Arity; a >= 0 && len(n.in) != a && n.Op != OpLoop {
		fail("has %d inputs, not %d", len(n.in), a)
	}
	for _, msg := range verifyShape(n) {
		fail("%s", msg)
	}
	return wrong
}

// verifyShape checks what the kinds of inputs must be.
func verifyShape(n *Node) (wrong []string) {
	switch {
	case n.Op == OpPhi:
		r := n.in[0].def
		if r == nil || r.IsRegion() && len(r.in) != len(n.in) {
			wrong = append(wrong, "has not as many inputs as its region")
		}
	case n.IsRegion():
		for i := 1; i < len(n.in); i++ {
			if c := n.in[i].def; c != nil && !isControl(c) || c == nil && i < len(n.in)-1 {
				wrong = append(wrong, fmt.Sprintf("input %d is not control", i))
			}
		}
	case n.Op == OpReturn || n.IsIf():
		if c := n.in[0].def; c == nil || !isControl(c) {
			wrong = append(wrong, "has no control")
		}
	case n.Op == OpProj || n.Op == OpCProj:
		// The Multi may have become something else that the projection is about to follow.
		if n.in[0].def == nil {
			wrong = append(wrong, "projects nothing")
		}
	case n.Op.Is(Pure):
		for i := 1; i < len(n.in); i++ {
			if d := n.in[i].def; d == nil || d.Op.Is(CFG) {
				wrong = append(wrong, fmt.Sprintf("operand %d is not a value", i))
			}
		}
	}
	return wrong
}

// isControl tells whether control may flow from n.
func isControl(n *Node) bool {
	return n.Op.Is(CFG) || n.Type == types.XCtrl
}
