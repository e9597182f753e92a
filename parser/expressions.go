package parser

import (
	"errors"
	"maps"
	"strconv"
	"strings"

	"shoal/node"
	"shoal/node/types"
	"shoal/source"
)

// A binary operator is an op of the graph, perhaps with the operands exchanged or the
// result negated: there is no node for >, >= and !=.
type binary struct {
	op     node.Op
	swap   bool
	negate bool
}

// The binary operators by precedence (chapters §2.2, §4.2, §14.2, §24.2).
var (
	equalities = map[string]binary{"==": {op: node.OpEQ}, "!=": {op: node.OpEQ, negate: true}}
	relations  = map[string]binary{
		"<": {op: node.OpLT}, "<=": {op: node.OpLE}, ">": {op: node.OpLT, swap: true}, ">=": {op: node.OpLE, swap: true},
	}
	bits   = map[string]binary{"&": {op: node.OpAnd}, "|": {op: node.OpOr}, "^": {op: node.OpXor}}
	shifts = map[string]binary{"<<": {op: node.OpShl}, ">>": {op: node.OpSar}, ">>>": {op: node.OpShr}}
	sums   = map[string]binary{"+": {op: node.OpAdd}, "-": {op: node.OpSub}}
	terms  = map[string]binary{"*": {op: node.OpMul}, "/": {op: node.OpDiv}}
)

// operatorRows are the binary operators of a chapter, the loosest first. All associate to
// the left. From chapter 24 on relations bind tighter than equality.
func operatorRows(level int) []map[string]binary {
	var rows []map[string]binary
	if level >= features[featBits].since {
		rows = append(rows, bits)
	}
	if level >= features[featChains].since {
		rows = append(rows, equalities, relations)
	} else {
		all := maps.Clone(equalities)
		maps.Copy(all, relations)
		rows = append(rows, all)
	}
	if level >= features[featBits].since {
		rows = append(rows, shifts)
	}
	return append(rows, sums, terms)
}

// expression = binary [ "?" asgn [ ":" asgn ] ] .
func (p *parser) expression() *node.Node { return p.conditional(p.binary(0)) }

// binary reads a chain of operators of one precedence and of the tighter ones.
func (p *parser) binary(row int) *node.Node {
	if row == len(p.rows) {
		return p.unary()
	}
	left := p.binary(row + 1)
	for chained := false; p.tok.kind == tokOp; chained = true {
		b, ok := p.rows[row][p.tok.text]
		if !ok {
			break
		}
		op := p.tok
		p.need(operatorFeatures[op.text], op.span())
		if _, relation := relations[op.text]; relation && chained && p.opts.Level >= features[featChains].since {
			p.need(featChains, op.span())
		}
		p.advance()
		p.g.Hold(left) // the right side must not take it along when it simplifies
		right := p.binary(row + 1)
		p.g.Release(left)
		left = p.apply(b, op.span(), left, right)
	}
	return left
}

// apply makes the node of a binary operator.
func (p *parser) apply(b binary, span source.Span, left, right *node.Node) *node.Node {
	if b.swap {
		left, right = right, left
	}
	in := [4]*node.Node{1: left, 2: right}
	op := b.op
	if left.Type.Kind != types.KindInt || right.Type.Kind != types.KindInt {
		op = p.operands(op, span, in[1:3])
	}
	n := p.e.Make(op, span.Start, in[:3]...)
	if b.negate {
		n = p.e.Make(node.OpNot, span.Start, nil, n)
	}
	return n
}

// unary = ( "++" | "--" ) IDENT | "-" unary | "!" unary | primary .
func (p *parser) unary() *node.Node {
	op := p.tok
	switch {
	case p.has(featIncrement) && p.doubled() && p.stepsVariable():
		return p.step(map[string]node.Op{"+": node.OpAdd, "-": node.OpSub}[op.text])
	case op.is("-") && p.has(featArithmetic):
		p.advance()
		p.enter(&p.parens)
		in := [1]*node.Node{p.unary()}
		p.parens--
		minus := p.operands(node.OpMinus, op.span(), in[:])
		return p.make(minus, op.start, in[0])
	case op.is("!"):
		p.need(featNot, op.span())
		p.advance()
		p.enter(&p.parens)
		n := p.not(p.unary(), op.start)
		p.parens--
		return n
	}
	return p.primary()
}

// stepsVariable tells whether the "++" or "--" here changes a variable: two minus signs
// before anything else are just that (language §3.2, 5).
func (p *parser) stepsVariable() bool {
	if p.tok.is("+") {
		return true
	}
	ahead := p.lex
	ahead.comment = func(source.Span, bool, bool) {}
	ahead.next()
	t := ahead.next()
	if t.kind != tokName {
		return false
	}
	return p.lookup(t.text) >= 0 && p.stepsNumber(t)
}

// primary = NUMBER | "true" | "false" | "null" | IDENT [ update | postfix ]
// | "(" asgn ")" postfix | "new" allocation postfix .
func (p *parser) primary() *node.Node {
	t := p.tok
	switch {
	case t.kind == tokNumber:
		p.advance()
		return p.number(t)
	case p.word("new"):
		return p.postfix(p.allocation(), types.Bot)
	case t.is("("):
		p.need(featArithmetic, t.span())
		p.enter(&p.parens)
		p.advance()
		n := p.assignable()
		p.parens--
		p.g.Hold(n)
		p.expect(")")
		return p.postfix(p.g.Release(n), types.Bot)
	case t.is("{") && p.opts.Level >= features[featFunctions].since:
		p.need(featFunctions, t.span())
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
		case "null":
			p.need(featNull, t.span())
			return p.postfix(p.constant(types.Null, t.start), types.Bot)
		}
		p.suspect = p.suspect || p.blamed["'"+t.text+"'"] // it was refused as a name before
		p.needKeyword(t)
		p.fail("operand", t.span(), t.text)
	}
	slot := p.lookup(t.text)
	if slot < 0 && p.structs[t.text] != nil && p.tok.is(".") {
		p.need(featTypeField, t.span())
	}
	if slot < 0 {
		p.undefined(t)
		return p.unknown(types.Bot)
	}
	n := p.scopes.Get(p.scope, slot)
	if p.unset[p.scopes.VarAt(slot).Sym] && !p.opts.Raw && p.isUnset(n) {
		p.readUnset(t)
	}
	return p.postfix(p.updateVariable(t, p.guarded(n)), p.scopes.VarAt(slot).Sym.Declared)
}

// number = INTEGER | FLOAT .
func (p *parser) number(t token) *node.Node {
	for i := range len(t.text) {
		if class[t.text[i]] == classDigit {
			continue
		}
		p.need(featFloat, t.span())
		x, err := strconv.ParseFloat(t.text, 64)
		if err != nil && !errors.Is(err, strconv.ErrRange) {
			p.fail("float", t.span(), t.text)
		}
		return p.constant(types.ConstFloat(x), t.start)
	}
	return p.integer(t)
}

// integer = "0" | nonzero { digit } .
func (p *parser) integer(t token) *node.Node {
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
