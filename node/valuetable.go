package node

import "shoal/node/types"

// A valueTable finds the node that computes the same function of the same inputs as
// another (chapters §9.6): an open-addressing hash table keyed by op, aux, type of a
// constant, and inputs. A node must leave it before its inputs change.
type valueTable struct {
	slots []*Node
	used  int // slots that are not empty, graves included
	count int
}

// grave marks a slot whose node left; probing goes on past it.
var grave = &Node{}

// numbered tells whether n may be merged with an equal node: it is a function of its
// inputs and not under construction. A Store is one as well, but equal Stores in two arms
// must stay two: there is but one memory, and it may not be changed above the arms, where
// other paths come by.
func numbered(n *Node) bool {
	switch n.Op {
	case OpPhi, OpRegion:
		return !n.InProgress()
	case OpStart, OpStop, OpReturn, OpFault, OpScope, OpInvalid, OpLoop, OpNever, OpNew, OpStore:
		return false
	}
	return true
}

func hashNode(n *Node) uint32 {
	h := uint64(n.Op)*0x9e3779b97f4a7c15 ^ uint64(n.Aux)*0xff51afd7ed558ccd
	if n.Op == OpConstant {
		h ^= hashType(n.Type)
	}
	for i := range n.in {
		if d := n.in[i].def; d != nil {
			h ^= uint64(d.ID)
		}
		h = (h<<23 | h>>41) * 0xc4ceb9fe1a85ec53
	}
	return uint32(h ^ h>>32)
}

func hashType(t types.Type) uint64 {
	lo, hi := t.Bounds()
	h := uint64(lo)*0x9e3779b97f4a7c15 ^ uint64(hi)*0xc4ceb9fe1a85ec53 ^ uint64(t.Kind)
	return (h ^ h>>29) * 0xff51afd7ed558ccd
}

func sameValue(a, b *Node) bool {
	if a.Op != b.Op || a.Aux != b.Aux || len(a.in) != len(b.in) {
		return false
	}
	switch {
	case a.Op == OpConstant && !a.Type.Equal(b.Type):
		return false
	case a.Sym != b.Sym && Ops[a.Op].Aux == AuxField:
		return false
	}
	for i := range a.in {
		if a.in[i].def != b.in[i].def {
			return false
		}
	}
	return true
}

// Number puts n into the table of values, or returns the node that is there already and
// computes the same. It returns nil if n is now, or was, in the table itself, or can not
// be numbered.
func (g *Graph) Number(n *Node) *Node {
	if n.slot != 0 || !numbered(n) {
		return nil
	}
	t := &g.values
	if 8*t.used >= 5*len(t.slots) {
		t.rebuild()
	}
	mask := uint32(len(t.slots) - 1)
	free := -1
	for i := hashNode(n) & mask; ; i = (i + 1) & mask {
		m := t.slots[i]
		switch {
		case m == nil:
			if free < 0 {
				free = int(i)
				t.used++
			}
			t.slots[free] = n
			t.count++
			n.slot = int32(free) + 1
			return nil
		case m == grave:
			if free < 0 {
				free = int(i)
			}
		case sameValue(m, n):
			return m
		}
	}
}

// FindConstant returns the constant of type t if the table of values has it.
func (g *Graph) FindConstant(t types.Type) *Node {
	if len(g.values.slots) == 0 {
		return nil
	}
	want := Node{Op: OpConstant, Type: t, in: []Edge{{def: g.Start}}}
	mask := uint32(len(g.values.slots) - 1)
	for i := hashNode(&want) & mask; ; i = (i + 1) & mask {
		m := g.values.slots[i]
		if m == nil {
			return nil
		}
		if m != grave && sameValue(m, &want) {
			return m
		}
	}
}

// Unlock takes n out of the table of values, so that its inputs may change.
func (g *Graph) Unlock(n *Node) {
	if n.slot == 0 {
		return
	}
	g.values.slots[n.slot-1] = grave
	g.values.count--
	n.slot = 0
}

// Numbered tells whether the table of values has n.
func (n *Node) Numbered() bool { return n.slot != 0 }

func (t *valueTable) rebuild() {
	size := 64
	for size < 4*t.count {
		size *= 2
	}
	old := t.slots
	t.slots = make([]*Node, size)
	mask := uint32(size - 1)
	for _, n := range old {
		if n == nil || n == grave {
			continue
		}
		i := hashNode(n) & mask
		for t.slots[i] != nil {
			i = (i + 1) & mask
		}
		t.slots[i] = n
		n.slot = int32(i) + 1
	}
	t.used = t.count
}
