package peephole

import (
	"shoal/node"
	"shoal/source"
)

// apply tries the rules on n in the order of the tables and returns what the first that
// fits makes of it: n itself if the rule changed n in place.
func (e *Engine) apply(n *node.Node) *node.Node {
	op1, op2 := node.OpInvalid, node.OpInvalid
	if n.NumIn() > 1 && n.Op.Is(node.Pure) {
		op1 = n.In(1).Op
		if n.NumIn() > 2 {
			op2 = n.In(2).Op
		}
	}
	for _, i := range e.rules.lists[n.Op][op1] {
		v := &e.rules.variants[i]
		if v.op2 != node.OpInvalid && v.op2 != op2 {
			continue
		}
		if r := e.try(v, n); r != nil {
			return e.rewrote(n, r, v.rule.Name)
		}
	}
	return nil
}

func (e *Engine) try(v *variant, n *node.Node) *node.Node {
	if v.rule.Do != nil {
		return v.rule.Do(e, n)
	}
	m := &e.m
	m.bound = 0
	if !m.args(v.from, n) {
		return nil
	}
	if !m.holds(v) {
		return nil
	}
	found := *m // making the right side uses the one Match again
	return e.build(v.to, &found, n.Pos)
}

// holds tells whether the condition of a rule surely holds for what was matched.
func (m *Match) holds(v *variant) bool {
	switch {
	case v.cond == nil:
		return true
	case v.plain:
		return m.Eval(v.cond) != 0
	}
	return m.proves(v.cond)
}

// args matches the operands of n, whose op is that of p.
func (m *Match) args(p *Pat, n *node.Node) bool {
	args := p.Args
	if n.Op.Info().Aux == node.AuxBits {
		bits := args[len(args)-1]
		args = args[:len(args)-1]
		if !m.constant(bits, n.Aux) {
			return false
		}
	}
	for i, a := range args {
		if !m.match(a, n.In(i+1)) {
			return false
		}
	}
	return true
}

func (m *Match) match(p *Pat, n *node.Node) bool {
	switch p.Leaf {
	case AnyNode:
		if m.bound>>p.Var&1 != 0 {
			return m.Node[p.Var] == n
		}
		if p.Free && n.IsConst() {
			return false
		}
		m.bound |= 1 << p.Var
		m.Node[p.Var] = n
		return true
	case AnyConst, Literal, Computed:
		return n.IsConst() && m.constant(p, n.Type.Value())
	}
	if n.Op != p.Op || p.Once && n.NumOut() > 1 {
		return false
	}
	return m.args(p, n)
}

// constant matches a constant operand, or the number of bits of an extension.
func (m *Match) constant(p *Pat, c int64) bool {
	if p.Leaf != AnyConst {
		return m.Eval(p) == c
	}
	if m.bound>>p.Var&1 != 0 {
		return m.Value[p.Var] == c
	}
	m.bound |= 1 << p.Var
	m.Value[p.Var] = c
	return true
}

// build makes the nodes of a right side.
func (e *Engine) build(p *Pat, m *Match, at source.Pos) *node.Node {
	switch p.Leaf {
	case AnyNode:
		return m.Node[p.Var]
	case AnyConst, Literal, Computed:
		return e.Int(m.Eval(p), at)
	}
	args := p.Args
	var aux int64
	if p.Op.Info().Aux == node.AuxBits {
		aux = m.Eval(args[len(args)-1])
		args = args[:len(args)-1]
	}
	var in [4]*node.Node
	for i, a := range args {
		in[i+1] = e.g.Hold(e.build(a, m, at)) // the next operand may make it useless
	}
	n := e.begin(p.Op, at, aux, nil, in[:len(args)+1])
	for i := range args {
		e.g.Release(in[i+1])
	}
	return e.improve(n)
}

// Eval is the value of a constant of the right side, or of a whole pattern when all of
// its variables have values, as they have in the prover.
func (m *Match) Eval(p *Pat) int64 {
	switch p.Leaf {
	case AnyNode, AnyConst:
		return m.Value[p.Var]
	case Literal:
		return m.W.Wrap(p.Lit)
	}
	var v [3]int64
	for i, a := range p.Args {
		v[i] = m.Eval(a)
	}
	if p.Leaf == Computed {
		return m.W.Wrap(p.Calc(m.W, v[:len(p.Args)]))
	}
	return node.Ops[p.Op].Eval(m.W, v[0], v[1], v[2])
}
