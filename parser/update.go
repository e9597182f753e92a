package parser

import (
	"shoal/node"
	"shoal/node/types"
	"shoal/source"
)

// assignable = IDENT "=" assignable | expr . Assignment is an expression from chapter 17 on.
func (p *parser) assignable() *node.Node {
	if t := p.tok; p.has(featAssignValue) && t.kind == tokName && !p.reserved(t.text) && p.peek().is("=") {
		p.advance()
		p.advance()
		return p.assign(t, p.nested())
	}
	return p.expression()
}

// nested is assignable inside of an expression.
func (p *parser) nested() *node.Node {
	p.enter(&p.parens)
	n := p.assignable()
	p.parens--
	return n
}

// updates are the operators of operator assignments.
var updates = map[string]node.Op{
	"+=": node.OpAdd, "-=": node.OpSub, "*=": node.OpMul, "/=": node.OpDiv,
	"&=": node.OpAnd, "|=": node.OpOr, "^=": node.OpXor, "<<=": node.OpShl, ">>=": node.OpSar, ">>>=": node.OpShr,
}

// update tells which update of what was just read follows: an operator assignment, whose
// operator it skips, or "++" or "--".
func (p *parser) update(assign feature) (op node.Op, step bool, ok bool) {
	t := p.tok
	if t.kind != tokOp {
		return 0, false, false
	}
	if op, ok := updates[t.text]; ok {
		if op >= node.OpAnd {
			assign = featAssignBits
		}
		p.need(assign, t.span())
		p.advance()
		return op, false, true
	}
	if !p.has(featIncrement) || !p.doubled() {
		return 0, false, false
	}
	if p.wordAt(t.end.Offset() + 1) {
		return 0, false, false // a--b is a - -b, and a++b an error (language §2.10)
	}
	p.advance()
	p.advance()
	return map[string]node.Op{"+": node.OpAdd, "-": node.OpSub}[t.text], true, true
}

// doubled tells whether "++" or "--" stands here.
func (p *parser) doubled() bool {
	t := p.tok
	at := t.end.Offset()
	return (t.is("+") || t.is("-")) && at < len(p.lex.src) && p.lex.src[at] == t.text[0]
}

func (p *parser) wordAt(offset int) bool {
	return offset < len(p.lex.src) && class[p.lex.src[offset]] >= classDigit
}

// operand is the second operand of an update: an expression, or 1.
func (p *parser) updateOperand(step bool, at source.Pos) *node.Node {
	if step {
		return p.e.Int(1, at)
	}
	return p.nested()
}

// updateVariable reads the update behind the name of a variable, if there is one.
func (p *parser) updateVariable(name token, old *node.Node) *node.Node {
	op, step, ok := p.update(featAssignOp)
	if !ok {
		return old
	}
	p.g.Hold(old)
	value := p.apply(binary{op: op}, p.prev.span(), old, p.updateOperand(step, name.start))
	value = p.assign(name, value)
	if step {
		return p.g.Release(old)
	}
	p.g.Hold(value)
	p.g.Drop(old)
	return p.g.Release(value)
}

// step reads the variable behind a leading "++" or "--".
func (p *parser) step(op node.Op) *node.Node {
	sign := p.tok
	p.advance()
	p.advance()
	name := p.tok
	if name.kind != tokName || p.reserved(name.text) || !p.stepsNumber(name) {
		p.fail("operand", sign.span(), sign.text)
	}
	p.advance()
	old := p.variable(name)
	return p.assign(name, p.apply(binary{op: op}, name.span(), old, p.e.Int(1, name.start)))
}

// postfix = { "." IDENT | "[" asgn "]" | "#" } [ "=" asgn | update ] , behind a value which was
// declared as given.
func (p *parser) postfix(n *node.Node, declared types.Type) *node.Node {
	for {
		var at place
		switch {
		case p.tok.is(".") && p.has(featField):
			p.g.Hold(n)
			p.advance()
			name := p.name()
			p.g.Release(n)
			at = p.fieldPlace(n, declared, name.text, name.span())
		case p.tok.is("[") && p.has(featArrays):
			at = p.elementPlace(n, declared)
		case p.tok.is("#") && p.has(featArrays):
			at = p.fieldPlace(n, declared, "#", p.tok.span())
			p.advance()
		default:
			return n
		}
		if p.tok.is("=") {
			p.advance()
			n = p.store(at, p.nested())
			p.g.Hold(n)
			p.drop(at)
			return p.g.Release(n)
		}
		n, declared = p.guarded(p.load(at)), at.field.Type
		if op, step, ok := p.update(featAssignField); ok {
			return p.updatePlace(at, n, op, step)
		}
		p.g.Hold(n)
		p.drop(at)
		p.g.Release(n)
	}
}

// stepsNumber tells whether name is a variable that "++" and "--" before it can change, or
// one that is not there at all.
func (p *parser) stepsNumber(name token) bool {
	slot := p.lookup(name.text)
	return slot < 0 || !p.scopes.VarAt(slot).Sym.Declared.IsRef()
}

// updatePlace finishes the update of a place that has the value old; it drops the place.
func (p *parser) updatePlace(at place, old *node.Node, op node.Op, step bool) *node.Node {
	p.g.Hold(old)
	value := p.apply(binary{op: op}, at.span, old, p.updateOperand(step, at.span.Start))
	value = p.g.Hold(p.store(at, value))
	p.drop(at)
	if step {
		p.g.Drop(value)
		return p.g.Release(old)
	}
	p.g.Drop(old)
	return p.g.Release(value)
}

// conditional = [ "?" asgn [ ":" asgn ] ] , behind a value. An arm that is left out is the
// zero of the other one's kind.
func (p *parser) conditional(pred *node.Node) *node.Node {
	if !p.tok.is("?") || !p.has(featTernary) {
		return pred
	}
	at := p.tok.start
	p.advance()
	s := p.splitOn(p.truth(pred, at), at)
	other := p.scopes.Dup(p.scope, "else")
	p.enterSides(s, p.scope, other)
	a := p.armValue(s.pred, true, p.assignable)
	then := p.scope
	p.scope = other
	b := p.armValue(s.pred, false, func() *node.Node {
		if p.take(":") {
			return p.assignable()
		}
		return p.constant(a.Type.Zero(), at)
	})
	p.g.Drop(s.pred)
	return p.mergeValues(then, a, b, source.Span{Start: at, End: p.prev.end})
}

// armValue reads the value of one arm, held.
func (p *parser) armValue(pred *node.Node, outcome bool, read func() *node.Node) *node.Node {
	known := p.mark()
	p.refine(p.scope, pred, outcome)
	p.enter(&p.parens)
	n := p.g.Hold(read())
	p.parens--
	p.leave(known)
	return n
}

// mergeValues joins the arm then, which has the value a, with the current one, which has
// b; both are held.
func (p *parser) mergeValues(then *node.Scope, a, b *node.Node, span source.Span) *node.Node {
	a, b = p.common(a, b, span)
	declared := p.g.Lattice.Meet(a.Type, b.Type)
	r := p.scopes.Merge(then, p.scope, span.Start)
	p.scope = then
	phi := p.e.MakeNamed(node.OpPhi, span.Start, symbol("", declared.Widest()), r, a, b)
	p.g.Hold(phi)
	p.g.Drop(a)
	p.g.Drop(b)
	p.e.Reduce(r)
	p.g.Drop(r)
	return p.g.Release(phi)
}

// common brings two values, held, to one kind (language §4.13): an integer beside a float
// becomes one.
func (p *parser) common(a, b *node.Node, span source.Span) (x, y *node.Node) {
	kinds := [2]types.Kind{a.Type.Kind, b.Type.Kind}
	switch {
	case a.Type == types.Bot || b.Type == types.Bot || p.unlike(a.Type, b.Type) == nil:
		return a, b
	case kinds == [2]types.Kind{types.KindInt, types.KindFloat}:
		return p.g.Hold(p.toFloat(p.g.Release(a), span.Start)), b
	case kinds == [2]types.Kind{types.KindFloat, types.KindInt}:
		return a, p.g.Hold(p.toFloat(p.g.Release(b), span.Start))
	}
	p.fail("no-common-type", span, p.unlike(a.Type, b.Type)...)
	return a, b
}

// unlike names two types that have nothing in common, the simpler one first: nil if they
// have. References to unrelated objects do not merge (semantics, Q28).
func (p *parser) unlike(a, b types.Type) []any {
	switch x, y := a.Object(), b.Object(); {
	case !hasKind(a) || !hasKind(b):
		return nil // behind an error, or not reached
	case a.Kind != b.Kind:
	case x != nil && y != nil && x != y:
		return []any{a.NonNull(), b.NonNull()}
	default:
		return nil
	}
	first, second := kindName(a), kindName(b)
	if first == "reference" || second == "int" {
		first, second = second, first
	}
	return []any{first, second}
}

// result makes sure that all Returns give values of one kind, in which the program's result
// is printed.
func (p *parser) result(value types.Type, span source.Span) {
	p.unsure = p.unsure || p.opts.Raw && !value.IsInt()
	if p.late || value == types.Bot {
		return
	}
	if names := p.unlike(p.returns, value); names != nil && p.returns.Kind != types.KindTop {
		p.reportOnce("no-common-type", span, names...)
		return
	}
	p.returns = p.g.Lattice.Meet(p.returns, value)
}

func hasKind(t types.Type) bool { return t.IsInt() || t.IsFloat() || t.IsRef() }

func kindName(t types.Type) string {
	switch {
	case t.IsInt():
		return "int"
	case t.IsFloat():
		return "f64"
	}
	return "reference"
}
