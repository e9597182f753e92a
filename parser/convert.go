package parser

import (
	"shoal/node"
	"shoal/node/types"
	"shoal/source"
)

// convert brings a value into the declared type of where it goes (language §4.9): integers
// wrap, or become floats; floats are rounded; nothing else changes. It reports a value that
// cannot go there.
func (p *parser) convert(value *node.Node, declared types.Type, span source.Span) *node.Node {
	switch t := kind(value); {
	case t.IsInt() && declared == types.Int:
		return value
	case t.IsInt() && declared.IsInt():
		value = p.wrap(value, declared, span.Start)
	case t.IsInt() && declared.IsFloat():
		value = p.round(p.toFloat(value, span.Start), declared, span.Start)
	case t.IsFloat() && declared.IsFloat():
		value = p.round(value, declared, span.Start)
	}
	if p.opts.Raw {
		p.unsure = true
		return value
	}
	if value.Type == types.Bot && p.diags.Any() {
		return p.unknown(declared) // of a name that is not defined, say
	}
	if t := value.Type; t != types.Bot && t != types.Top && declared != types.Bot && !p.g.Lattice.IsA(t, declared) {
		p.reportHint("not-declared", span, readOnlyHint(t, declared), t, declared)
		return p.unknown(declared)
	}
	return value
}

// readOnlyHint says what two types that read alike differ in.
func readOnlyHint(t, declared types.Type) string {
	if t.IsReadOnly() && !declared.IsReadOnly() && t.Object() == declared.Object() {
		return "the reference is read-only; '!' or var where it is declared lets its object be changed"
	}
	return ""
}

// wrap keeps the bits of an integer that fit a narrow type (chapters §14.6).
func (p *parser) wrap(value *node.Node, declared types.Type, at source.Pos) *node.Node {
	if p.g.Lattice.IsA(value.Type, declared) {
		return value
	}
	lo, hi := declared.Bounds()
	if lo == 0 {
		return p.make(node.OpAnd, at, value, p.e.Int(hi, at))
	}
	shift := int64(64 - 8*declared.Storage().Size())
	return p.make(node.OpSar, at, p.make(node.OpShl, at, value, p.e.Int(shift, at)), p.e.Int(shift, at))
}

func (p *parser) round(value *node.Node, declared types.Type, at source.Pos) *node.Node {
	if declared != types.F32Any {
		return value
	}
	return p.make(node.OpRoundF32, at, value)
}

func (p *parser) toFloat(value *node.Node, at source.Pos) *node.Node {
	return p.make(node.OpToFloat, at, value)
}

// make makes a node without control.
func (p *parser) make(op node.Op, at source.Pos, operands ...*node.Node) *node.Node {
	var in [4]*node.Node
	copy(in[1:], operands)
	return p.e.Make(op, at, in[:1+len(operands)]...)
}

// constant is the node of the only value of type t.
func (p *parser) constant(t types.Type, at source.Pos) *node.Node { return p.e.Constant(t, at) }

// floatOps are the ops of floats that correspond to those of integers.
var floatOps = map[node.Op]node.Op{
	node.OpAdd: node.OpAddF, node.OpSub: node.OpSubF, node.OpMul: node.OpMulF, node.OpDiv: node.OpDivF,
	node.OpMinus: node.OpMinusF, node.OpEQ: node.OpEQF, node.OpLT: node.OpLTF, node.OpLE: node.OpLEF,
}

// operands checks the operands of an operator and brings them to one kind (language
// §4.10). It gives the op for that kind.
func (p *parser) operands(op node.Op, span source.Span, in []*node.Node) node.Op {
	float := false
	for _, n := range in {
		float = float || kind(n).IsFloat()
		if op == node.OpEQ || n.Type.IsInt() || n.Type.IsFloat() && floatOps[op] != 0 || !n.Type.IsRef() && !n.Type.IsFloat() {
			continue
		}
		p.report("operator", span, op.Info().Text, n.Type.Long())
		p.bail()
	}
	if !float || floatOps[op] == 0 {
		return op
	}
	for i, n := range in {
		if n.Type.IsRef() {
			p.report("operator", span, op.Info().Text, n.Type.Long())
			p.bail()
		}
		if kind(n).IsInt() {
			for _, m := range in {
				p.g.Hold(m)
			}
			f := p.toFloat(n, span.Start)
			for _, m := range in {
				p.g.Release(m)
			}
			in[i] = f
		}
	}
	return floatOps[op]
}

// kind is the type of an operand; in code that is not reached the declared one, and that of
// its first operand for a choice.
func kind(n *node.Node) types.Type {
	for n.Type == types.Top && n.Op == node.OpPhi && (n.Sym == nil || n.Sym.Declared == types.Bot) {
		n = n.In(1)
	}
	if n.Type == types.Bot || n.Type == types.Top {
		return declaredType(n)
	}
	return n.Type
}

// truth is a value as a condition: floats are true unless they are 0.0 (semantics, Q26).
func (p *parser) truth(value *node.Node, at source.Pos) *node.Node {
	if kind(value).IsFloat() {
		return p.make(node.OpNot, at, p.make(node.OpEQF, at, value, p.constant(types.ConstFloat(0), at)))
	}
	return value
}

// not is the logical negation of a value.
func (p *parser) not(value *node.Node, at source.Pos) *node.Node {
	if kind(value).IsFloat() {
		return p.make(node.OpEQF, at, value, p.constant(types.ConstFloat(0), at))
	}
	return p.make(node.OpNot, at, value)
}
