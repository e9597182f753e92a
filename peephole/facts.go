package peephole

import (
	"shoal/node"
	"shoal/node/types"
)

// A fact is what is known of an integer value: the range it lies in and its bits. Either
// may know what the other does not.
type fact struct {
	t    types.Type // never empty
	bits knownBits
}

func exactFact(c int64) fact { return fact{types.Const(c), exactly(c)} }

// newFact lets range and bits learn from each other.
func newFact(w types.Width, t types.Type, k knownBits) fact {
	t = k.both(bitsOfRange(t)).refine(w, t)
	return fact{t, k.both(bitsOfRange(t))}
}

// transfer is what is known of the result of an op on words of w bits.
func transfer(op node.Op, w types.Width, a, b, c fact) fact {
	t := whole(w)
	if f := ranges[op]; f != nil {
		t = f(w, a.t, b.t, c.t)
	}
	var k knownBits
	if f := bitsOf[op]; f != nil {
		k = f(w, a.bits, b.bits, c.bits)
	}
	return newFact(w, t, k)
}

// nonzero tells whether the value is surely not 0.
func (f fact) nonzero() bool { return !f.t.Contains(0) || f.bits.ones != 0 }

// proves tells whether a condition surely holds for what the variables stand for.
func (m *Match) proves(p *Pat) bool { return m.fact(p).nonzero() }

// fact is what is known of the value of a pattern.
func (m *Match) fact(p *Pat) fact {
	switch p.Leaf {
	case AnyNode:
		return m.know(p.Var)
	case AnyConst, Literal:
		return exactFact(m.Eval(p))
	case Computed:
		if p.Range == nil {
			return exactFact(m.Eval(p))
		}
	}
	var f [3]fact
	constant := true
	for i, a := range p.Args {
		f[i] = m.fact(a)
		constant = constant && f[i].t.IsConst()
	}
	switch {
	case p.Leaf == Computed:
		t := p.Range(m.W, f[0].t, f[1].t, f[2].t)
		return fact{t, bitsOfRange(t)}
	case constant:
		return exactFact(node.Ops[p.Op].Eval(m.W, f[0].t.Value(), f[1].t.Value(), f[2].t.Value()))
	}
	return transfer(p.Op, m.W, f[0], f[1], f[2])
}

// knowsInt is what is known of a node that stands for an integer.
func (e *Engine) knowsInt(n *node.Node) fact {
	t := n.Type
	if lo, hi := t.Bounds(); t.Kind != types.KindInt || lo > hi {
		t = types.Int
	}
	if t.IsConst() {
		return exactFact(t.Value())
	}
	return fact{t, e.bits.at(n.ID).both(bitsOfRange(t))}
}

// A bitTable has the known bits of the nodes of a graph, by ID, as far as they say more
// than the types.
type bitTable []knownBits

func (b bitTable) at(id node.ID) knownBits {
	if int(id) < len(b) {
		return b[id]
	}
	return knownBits{}
}

func (b *bitTable) set(id node.ID, k knownBits) {
	if int(id) >= len(*b) {
		if k == (knownBits{}) {
			return
		}
		*b = append(*b, make([]knownBits, max(int(id)+1-len(*b), len(*b), 256))...)
	}
	(*b)[id] = k
}
