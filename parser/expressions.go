package parser

import (
	"strconv"
	"strings"

	"shoal/node"
	"shoal/source"
)

// A binary operator is an op of the graph, perhaps with the operands exchanged or the
// result negated: there is no node for >, >= and !=.
type binary struct {
	op     node.Op
	swap   bool
	negate bool
}

// precedences are the binary operators by level, the loosest first. All associate to the
// left (chapters §2.2).
var precedences = []map[string]binary{
	{
		"==": {op: node.OpEQ}, "!=": {op: node.OpEQ, negate: true},
		"<": {op: node.OpLT}, "<=": {op: node.OpLE},
		">": {op: node.OpLT, swap: true}, ">=": {op: node.OpLE, swap: true},
	},
	{"+": {op: node.OpAdd}, "-": {op: node.OpSub}},
	{"*": {op: node.OpMul}, "/": {op: node.OpDiv}},
}

// expression = comparison .
func (p *parser) expression() *node.Node { return p.binary(0) }

// binary reads a chain of operators of one precedence and of the tighter ones.
func (p *parser) binary(level int) *node.Node {
	if level == len(precedences) {
		return p.unary()
	}
	left := p.binary(level + 1)
	for chained := false; p.tok.kind == tokOp; chained = true {
		b, ok := precedences[level][p.tok.text]
		if !ok {
			break
		}
		op := p.tok
		if level == 0 {
			p.need(featCompare, op.span())
			if chained && p.opts.Level >= features[featChains].since {
				p.need(featChains, op.span())
			}
		} else {
			p.need(featArithmetic, op.span())
			p.noIncrement(op)
		}
		p.advance()
		p.g.Hold(left) // the right side must not take it along when it simplifies
		right := p.binary(level + 1)
		p.g.Release(left)
		left = p.apply(b, op.start, left, right)
	}
	return left
}

func (p *parser) apply(b binary, at source.Pos, left, right *node.Node) *node.Node {
	if b.swap {
		left, right = right, left
	}
	n := p.e.Make(b.op, at, nil, left, right)
	if b.negate {
		n = p.e.Make(node.OpNot, at, nil, n)
	}
	return n
}

// noIncrement reports ++ and -- behind a value, where a chapter has them.
func (p *parser) noIncrement(op token) {
	next := op.end.Offset()
	if p.opts.Level >= features[featIncrement].since && p.prev.kind == tokName && (op.text == "+" || op.text == "-") &&
		next < len(p.lex.src) && p.lex.src[next] == op.text[0] {
		p.need(featIncrement, source.Span{Start: op.start, End: op.end + 1})
	}
}

// unary = "-" unary | "!" unary | primary .
func (p *parser) unary() *node.Node {
	op := p.tok
	switch {
	case op.is("-") && p.has(featArithmetic):
		p.advance()
		if p.tok.is("-") && p.tok.start == op.end && p.opts.Level >= features[featIncrement].since && p.peek().kind == tokName {
			p.need(featIncrement, source.Span{Start: op.start, End: p.tok.end})
		}
		p.enter(&p.parens)
		n := p.e.Make(node.OpMinus, op.start, nil, p.unary())
		p.parens--
		return n
	case op.is("!"):
		p.need(featNot, op.span())
		p.advance()
		p.enter(&p.parens)
		n := p.e.Make(node.OpNot, op.start, nil, p.unary())
		p.parens--
		return n
	}
	return p.primary()
}

// primary = INTEGER | IDENT | "true" | "false" | "(" expr ")" .
func (p *parser) primary() *node.Node {
	t := p.tok
	switch {
	case t.kind == tokNumber:
		p.advance()
		return p.integer(t)
	case t.is("("):
		p.need(featArithmetic, t.span())
		p.enter(&p.parens)
		p.advance()
		n := p.expression()
		p.parens--
		p.g.Hold(n)
		p.expect(")")
		return p.g.Release(n)
	case t.kind == tokString:
		p.need(featStrings, t.span())
	case t.kind == tokName:
		p.need(featVariables, t.span())
		p.advance()
		return p.variable(t)
	}
	p.noOperand(t)
	return nil
}

// noIncrements reports ++ and -- around a place where an operand is missing.
func (p *parser) noIncrements(t token) {
	if !p.has(featArithmetic) {
		return
	}
	for _, at := range []source.Pos{t.start, p.prev.start, p.prev.start - 1} {
		if at > source.NoPos && p.signs(at.Offset()) {
			p.need(featIncrement, source.Span{Start: at, End: at + 2})
		}
	}
}

// signs tells whether there is a "++" or "--" at offset.
func (p *parser) signs(offset int) bool {
	rest := p.lex.src[offset:]
	return strings.HasPrefix(rest, "++") || strings.HasPrefix(rest, "--")
}

// noOperand reports that an operand is missing.
func (p *parser) noOperand(t token) {
	p.noIncrements(t)
	code := "operand"
	if !p.has(featVariables) {
		code = "integer"
	}
	span := t.span()
	if t.kind == tokEOF {
		span = p.missing()
	}
	p.fail(code, span, t.text)
}

func (p *parser) variable(t token) *node.Node {
	if p.reserved(t.text) {
		switch t.text {
		case "true":
			return p.e.Int(1, t.start)
		case "false":
			return p.e.Int(0, t.start)
		}
		p.needKeyword(t)
		p.fail("operand", t.span(), t.text)
	}
	slot := p.lookup(t.text)
	if slot < 0 {
		p.undefined(t)
		return p.unknown()
	}
	return p.scopes.Get(p.scope, slot)
}

// integer = "0" | nonzero { digit } .
func (p *parser) integer(t token) *node.Node {
	for i := range len(t.text) {
		if class[t.text[i]] != classDigit {
			p.need(featFloat, t.span())
		}
	}
	if len(t.text) > 1 && t.text[0] == '0' {
		p.fail("leading-zero", t.span())
	}
	c, err := strconv.ParseInt(t.text, 10, 64)
	if err != nil {
		p.fail("out-of-range", t.span())
	}
	return p.e.Int(c, t.start)
}

// lookup is the slot of the innermost variable of that name, -1 if there is none.
func (p *parser) lookup(name string) int {
	if slots := p.names[name]; len(slots) > 0 {
		return slots[len(slots)-1]
	}
	return -1
}

func (p *parser) undefined(t token) {
	k, later := keywords[t.text]
	switch {
	case later && k.since > p.opts.Level:
		p.lacks(k.feat, t.span())
	case t.text == "arg" && !p.has(featArg):
		p.lacks(featArg, t.span())
	case !p.diags.Full() && !p.blame("'"+t.text+"'"):
		p.reportHint("undefined", t.span(), p.similar(t.text), t.text)
	}
	p.suspect = true
}
