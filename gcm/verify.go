package gcm

import (
	"errors"
	"fmt"

	"shoal/node"
)

// Verify checks a schedule from nothing but the graph and the blocks: every value is
// computed before it is used, on every path. It shares no code with Run; dominance is
// established by walking the blocks' IDom, which is itself checked.
func (s *Schedule) Verify() error {
	v := verifier{s: s, place: make([]place, s.Graph.NumIDs())}
	v.placeAll()
	for _, b := range s.Blocks {
		v.checkEdges(b)
		v.checkBlock(b)
	}
	v.checkMemory()
	return errors.Join(v.errs...)
}

// A place is where a value is defined: a block, and a position in it.
type place struct {
	block *Block
	pos   int // -1 for Phis and what comes with the head
}

type verifier struct {
	s     *Schedule
	place []place
	errs  []error
}

func (v *verifier) fail(n *node.Node, format string, args ...any) {
	what := "control"
	if n != nil {
		what = fmt.Sprintf("node %d %s", n.ID, n.Label())
	}
	v.errs = append(v.errs, fmt.Errorf("%s: after schedule: %s: %s", v.s.Graph.Name, what, fmt.Sprintf(format, args...)))
}

func (v *verifier) placeAll() {
	put := func(n *node.Node, b *Block, pos int) {
		if v.place[n.ID].block != nil {
			v.fail(n, "is in B%d and in B%d", v.place[n.ID].block.ID, b.ID)
		}
		v.place[n.ID] = place{b, pos}
	}
	for _, b := range v.s.Blocks {
		for _, phi := range b.Phis {
			put(phi, b, -1)
		}
		for i, n := range b.Nodes {
			put(n, b, i)
		}
	}
}

// checkEdges checks that edges are there in both directions, and that the immediate
// dominator lies on every way in: it is an ancestor of every predecessor.
func (v *verifier) checkEdges(b *Block) {
	for _, s := range b.Succs {
		if !contains(s.Preds, b) {
			v.fail(s.Head, "B%d does not have B%d as predecessor", s.ID, b.ID)
		}
	}
	for _, p := range b.Preds {
		if !contains(p.Succs, b) {
			v.fail(b.Head, "B%d does not have B%d as successor", p.ID, b.ID)
		}
		if b.IDom == nil || !dominates(b.IDom, p) {
			v.fail(b.Head, "the dominator of B%d does not lie on the way through B%d", b.ID, p.ID)
		}
	}
	if (b.IDom == nil) != (b.ID == 0) {
		v.fail(b.Head, "B%d has no dominator", b.ID)
	}
}

func contains(list []*Block, b *Block) bool {
	for _, x := range list {
		if x == b {
			return true
		}
	}
	return false
}

// dominates walks up from b. Reverse postorder numbers dominators lower.
func dominates(a, b *Block) bool {
	for b != nil && b.ID > a.ID {
		b = b.IDom
	}
	return a == b
}

func (v *verifier) checkBlock(b *Block) {
	for _, phi := range b.Phis {
		if phi.In(0) != b.Head {
			v.fail(phi, "is not in the block of its region")
		}
		for k, path := range b.Paths {
			v.checkUse(phi, phi.In(path), b.Preds[k], len(b.Preds[k].Nodes))
		}
	}
	for i, n := range b.Nodes {
		v.checkControl(n, b)
		for k := 1; k < n.NumIn(); k++ {
			if n.In(k) != nil {
				v.checkUse(n, n.In(k), b, i)
			}
		}
	}
	if b.End == nil {
		return
	}
	for k := range b.End.NumIn() {
		if needed(b.End, k) {
			v.checkUse(b.End, b.End.In(k), b, len(b.Nodes))
		}
	}
}

// checkControl checks that a node is under the control that guards it, and a pinned one in
// the block of its control.
func (v *verifier) checkControl(n *node.Node, b *Block) {
	c := n.In(0)
	if c == nil {
		return
	}
	switch at := v.s.Block(c); {
	case at == nil || !dominates(at, b):
		v.fail(n, "in B%d is not under its control, node %d %s", b.ID, c.ID, c.Label())
	case n.Op.Is(node.Pinned) && at != b:
		v.fail(n, "is pinned to B%d but in B%d", at.ID, b.ID)
	}
}

// checkUse checks that d is there at position pos of block b, where n needs it.
func (v *verifier) checkUse(n, d *node.Node, b *Block, pos int) {
	if d.Op == node.OpConstant || d.Op == node.OpProj {
		return
	}
	p := v.place[d.ID]
	switch {
	case p.block == nil:
		v.fail(n, "uses node %d %s, which has no place", d.ID, d.Label())
	case p.block == b && p.pos >= pos:
		v.fail(n, "uses node %d %s before it is computed", d.ID, d.Label())
	case p.block != b && !dominates(p.block, b):
		v.fail(n, "in B%d uses node %d %s, which is in B%d", b.ID, d.ID, d.Label(), p.block.ID)
	}
}
