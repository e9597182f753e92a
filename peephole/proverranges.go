package peephole

import (
	"shoal/node"
	"shoal/node/types"
)

// The ranges that a prover works with: those of types, made narrower by facts.

// A remembered range was found out at some moment, looking so deep.
type remembered struct {
	lo, hi int64
	moment int32
	depth  int8
}

// recall is the range of x if it was found out since the facts changed.
func (p *prover) recall(list []remembered, x *node.Node, depth int) (types.Type, bool) {
	if int(x.ID) >= len(list) {
		return types.Int, false
	}
	r := list[x.ID]
	return types.Range(r.lo, r.hi), r.moment == p.moment && int(r.depth) >= depth
}

func (p *prover) remember(list []remembered, x *node.Node, t types.Type, depth int) types.Type {
	if lo, hi := t.Bounds(); int(x.ID) < len(list) && p.steps >= 0 {
		list[x.ID] = remembered{lo, hi, p.moment, int8(depth)}
	}
	return t
}

// A difference is the fact that a value is at most, or at least, another one plus c; or c
// itself where there is no other.
type difference struct {
	of, other *node.Node
	c         int64
	isLower   bool
	before    int32 // the fact about the same value that was learned before, plus one
}

// rangeOf is the range in which x lies, by its type, by facts, and by its operands.
func (p *prover) rangeOf(x *node.Node, depth int) types.Type {
	t := p.told(x, depth)
	if t.IsConst() || depth <= 0 || p.steps < 0 {
		return t
	}
	if t, ok := p.recall(p.rangeOnce, x, depth); ok {
		return t
	}
	return p.remember(p.rangeOnce, x, meeting(t, p.computed(x, depth-1)), depth)
}

// computed is the range of x by its operands.
func (p *prover) computed(x *node.Node, depth int) types.Type {
	var in [4]types.Type
	switch f := ranges[x.Op]; {
	case f != nil && x.Op.Is(node.Pure):
		for i := 1; i < x.NumIn(); i++ {
			if !x.In(i).Type.IsInt() {
				return types.Int
			}
			in[i-1] = p.rangeOf(x.In(i), depth)
		}
		if x.Op.Info().Aux == node.AuxBits {
			in[x.NumIn()-1] = types.Const(x.Aux)
		}
		return f(64, in[0], in[1], in[2])
	case x.Op == node.OpPhi && x.In(0).Op == node.OpRegion:
		joined := p.rangeOf(x.In(1), depth)
		for i := 2; i < x.NumIn(); i++ {
			joined = spanning(joined, p.rangeOf(x.In(i), depth))
		}
		return joined
	}
	return types.Int
}

// told is the range of x by its type and by facts alone.
func (p *prover) told(x *node.Node, depth int) types.Type {
	t := x.Type
	lo, hi := t.Bounds()
	if !t.IsInt() || lo > hi {
		return types.Int
	}
	if t.IsConst() {
		return t
	}
	if p.steps--; p.steps < 0 || depth <= 0 {
		return t
	}
	if t, ok := p.recall(p.toldOnce, x, depth); ok {
		return t
	}
	p.about(p.upper, x, func(d difference) bool {
		if k, ok := p.end(d, depth-1); ok {
			hi = min(hi, k)
		}
		return false
	})
	p.about(p.lower, x, func(d difference) bool {
		if k, ok := p.end(d, depth-1); ok {
			lo = max(lo, k)
		}
		return false
	})
	if lo > hi {
		return t // never reached
	}
	return p.remember(p.toldOnce, x, types.Range(lo, hi), depth)
}

// end is the number that a fact gives as a bound.
func (p *prover) end(d difference, depth int) (int64, bool) {
	if d.other == nil {
		return d.c, true
	}
	lo, hi := p.told(d.other, depth).Bounds()
	if d.isLower {
		return plus(lo, d.c)
	}
	return plus(hi, d.c)
}
