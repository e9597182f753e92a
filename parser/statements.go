package parser

import (
	"fmt"

	"shoal/node"
	"shoal/node/types"
	"shoal/source"
)

// program = { statement } EOF .
func (p *parser) program() {
	p.push()
	for p.tok.kind != tokEOF && !p.diags.Full() {
		if p.tok.is("}") {
			p.report("unexpected", p.tok.span(), p.tok.text)
			for p.take("}") {
			}
			p.skipElse()
			continue
		}
		p.next()
		if p.opts.Level < features[featVariables].since && p.tok.kind != tokEOF {
			p.afterOnly()
			break
		}
	}
	if p.diags.Any() {
		return
	}
	if p.opts.Level < features[featIf].since && !p.returned {
		p.report("no-return", source.Span{Start: p.tok.start, End: p.tok.start})
		return
	}
	p.finish()
}

// afterOnly reports text behind the one statement of chapters 1 and 2.
func (p *parser) afterOnly() {
	if p.diags.Any() {
		return
	}
	if p.tok.kind == tokName || p.tok.is("{") {
		p.lacks(featVariables, p.tok.span())
		return
	}
	p.report("unexpected", p.tok.span(), p.tok.text)
}

// next reads one statement of a list.
func (p *parser) next() {
	p.item(func() {
		before := p.tok.start
		if p.returned && !p.has(featAfterReturn) && !p.tok.is(";") {
			p.need(featAfterReturn, p.tok.span())
		}
		p.statement()
		p.g.Emit(node.Event{Kind: node.Parsed, Node: p.scope.Node, At: before})
	})
}

// item reads one item of a list that ';' or braces end. Behind a syntax error it goes on
// at the next one, with a new graph: what was built is of no use any more.
func (p *parser) item(read func()) {
	before, level, nesting, returned := p.tok.start, p.scopes.Level(), p.nesting, p.returned
	defer func() {
		if !p.bailing {
			return
		}
		p.lex.comment = p.comment
		p.resync(before)
		if p.tok.kind == tokEOF && nesting.blocks > 0 {
			return // nothing to go on with, here or in the blocks around
		}
		recover()
		p.bailing = false
		p.skipElse()
		p.nesting, p.returned, p.suspect = nesting, returned, false
		p.restart(level)
	}()
	p.declares, p.declared, p.suspect = "", types.Int, false
	read()
	p.suspect = false
}

// resync skips to behind the next ';' or a block, or to the '}' of the block around.
func (p *parser) resync(before source.Pos) {
	braces, parens := 0, p.nesting.header // open ones; of parentheses only those of a for, which has ';'
	for p.tok.kind != tokEOF {
		t := p.tok
		if t.kind == tokName && (p.prev.kind == tokName || p.prev.is("]") || p.prev.is("?") || p.prev.is("!")) {
			p.blame("'" + t.text + "'") // perhaps it is declared here
		}
		switch {
		case t.is("{"):
			braces++
		case t.is("}") && braces == 0 && t.start > before:
			return
		case t.is("}"):
			braces--
		case t.is("(") && (parens > 0 || p.prev.text == "for"):
			parens++
		case t.is(")") && parens > 0:
			parens--
		}
		p.advance()
		if braces <= 0 && (t.is(";") && parens == 0 || t.is("}") && p.beginsStatement()) {
			return
		}
	}
}

// skipElse skips the word between an arm with an error and the other arm, which is read
// as a statement of its own.
func (p *parser) skipElse() {
	for p.word("else") {
		p.advance()
	}
}

// beginsStatement tells whether the next token, behind a block, may begin a statement.
func (p *parser) beginsStatement() bool {
	return p.tok.kind == tokName && p.tok.text != "else" || p.tok.is("{") || p.tok.is("}")
}

// restart takes the names of the outermost levels along into a new graph, where each has
// a value that nothing is known of.
func (p *parser) restart(level int) {
	vars := p.scopes.AllVars()
	p.late = true
	p.restarts++
	p.begin()
	p.g.OnEvent = nil
	p.breaks, p.continues = nil, nil
	have := p.scopes.Count()
	for _, v := range vars {
		for p.scopes.Level() < v.Level && v.Level <= level {
			p.push()
		}
		if v.Level > level {
			break
		}
		if have > 0 {
			have-- // begin has defined it
			continue
		}
		p.define(v.Sym, p.unknown(v.Sym.Declared))
	}
	for p.scopes.Level() < level {
		p.push()
	}
	for _, s := range p.structs {
		for i := range s.start {
			s.start[i] = p.g.Hold(p.unknown(s.object.Fields[i].Type))
		}
	}
	if p.declares != "" && !p.definedHere(p.declares) {
		p.define(symbol(p.declares, p.declared), p.unknown(p.declared))
	}
}

// unknown is a value behind an error, of which only the type is known.
func (p *parser) unknown(t types.Type) *node.Node {
	n := p.g.New(node.OpConstant, source.NoPos, p.g.Start)
	n.Type = t
	return n
}

// statement = return | declaration | assignment | block | if | while | break | continue
// | "#showGraph" ";" | expr ";" | ";" .
func (p *parser) statement() {
	switch {
	case p.word("return"):
		p.returnStatement()
	case p.tok.is("{") && p.has(featVariables):
		p.advance()
		p.block()
	case p.tok.is(";") && p.has(featVariables):
		p.advance()
	case p.tok.is("#") && p.has(featVariables):
		p.showGraph()
	case p.beginsType():
		p.declaration()
	case p.word("struct"):
		p.structStatement()
	case p.word("for"):
		p.forStatement()
	case p.word("if"):
		p.ifStatement()
	case p.word("while"):
		p.whileStatement()
	case p.word("break"), p.word("continue"):
		p.jump()
	default:
		p.simpleStatement()
	}
}

func (p *parser) returnStatement() {
	at := p.tok.start
	p.advance()
	span := p.tok.span()
	value := p.assignable()
	span.End = p.prev.end
	p.g.Hold(value)
	p.expect(";")
	p.g.Release(value)
	p.result(value.Type, span)
	p.addReturn(value, at)
	p.returned = true
}

// block = { statement } "}" .
func (p *parser) block() {
	open := p.prev
	outer := p.returned
	p.push()
	p.list(open, nil)
	p.pop()
	if p.has(featIf) {
		p.returned = outer
	}
}

// begins is a hint about a block that does not end.
func (p *parser) begins(open token) string {
	line, column := p.file.Line(open.start)
	return fmt.Sprintf("the block begins at %d:%d", line, column)
}

// showGraph = "#showGraph" ";" .
func (p *parser) showGraph() {
	at := p.tok
	p.advance()
	if p.tok.kind != tokName || p.tok.text != "showGraph" {
		p.fail("operand", at.span(), at.text)
	}
	p.advance()
	p.expect(";")
	p.g.Emit(node.Event{Kind: node.Shown, Node: p.scope.Node, At: at.start})
}

// name reads a name that may be declared.
func (p *parser) name() token {
	t := p.tok
	switch {
	case t.is("!"):
		p.need(featFinal, t.span())
	case t.is("["):
		p.need(featArrays, t.span())
	case t.is("?"):
		p.need(featNullable, t.span())
	case t.kind == tokEOF:
		p.fail("identifier", p.missing(), t.text)
	case t.kind != tokName, p.reserved(t.text):
		p.fail("identifier", t.span(), t.text)
	}
	p.advance()
	return t
}

func (p *parser) definedHere(name string) bool {
	slot := p.lookup(name)
	if slot < 0 {
		return false
	}
	at, level := p.scopes.VarAt(slot).Level, p.scopes.Level()
	return at == level || at == 0 && level == 1 && p.opts.Level >= features[featFunctions].since // arg is a parameter of main
}

// simpleStatement = IDENT "=" expr ";" | expr ";" .
func (p *parser) simpleStatement() {
	t := p.tok
	if !p.has(featVariables) {
		p.laterStatement(t)
		p.fail("statement", t.span(), t.text)
	}
	if t.kind == tokName && !p.reserved(t.text) {
		next := p.peek()
		p.laterKeyword(t, next)
		if next.is("=") && !p.has(featAssignValue) {
			p.advance()
			p.advance()
			p.assignment(t)
			return
		}
		p.notAssigned(t, next)
	}
	if t.kind == tokName && !p.has(featExprStatement) {
		p.fail("identifier", t.span(), t.text)
	}
	if !p.has(featExprStatement) {
		if t.kind == tokNumber || t.kind == tokString || t.is("(") || t.is("-") || t.is("!") {
			p.need(featExprStatement, t.span())
		}
		p.fail("statement", t.span(), t.text)
	}
	p.assignable()
	p.expect(";")
}

// notAssigned reports what can not be right about a statement that begins with a name
// and is no assignment.
func (p *parser) notAssigned(t, next token) {
	typ := next.kind == tokName && p.opts.Level >= features[featStructs].since
	if p.has(featExprStatement) && !typ || p.has(featStructs) {
		return
	}
	if typ && p.lookup(t.text) < 0 {
		p.undefined(t) // where a type might stand
		p.bail()
	}
	if typ {
		return
	}
	if p.lookup(t.text) < 0 {
		p.needKeyword(t)
	}
	p.advance()
	if p.tok.is("?") {
		p.need(featNullable, p.tok.span())
	}
	if p.signs(p.tok.start.Offset()) {
		p.need(featIncrement, source.Span{Start: p.tok.start, End: p.tok.start + 2})
	}
	p.laterOperator()
	if _, ok := operatorFeatures[next.text]; p.lookup(t.text) >= 0 && (ok || next.is(";")) {
		p.need(featExprStatement, t.span())
	}
	p.failHint("expected", p.missing(), p.similarWord(t.text), "=", p.tok.text)
}

// laterStatement reports a statement of a later chapter at chapters 1 and 2.
func (p *parser) laterStatement(t token) {
	if t.kind == tokName {
		p.needKeyword(t)
	}
	if t.is("{") || t.is(";") {
		p.need(featVariables, t.span())
	}
}

// laterKeyword reports a statement that begins with a word of a later chapter. Such a word
// is a name as long as it can be one (chapters, appendix B.3).
func (p *parser) laterKeyword(t, next token) {
	if next.kind == tokOp && laterNameNext[next.text] {
		return
	}
	if p.lookup(t.text) < 0 {
		p.needKeyword(t)
	}
}

// laterNameNext are the tokens behind which a word is taken for a name.
var laterNameNext = map[string]bool{"=": true, ".": true, "[": true, ";": true, "+": true, "-": true}

// assignment = expr ";" , behind IDENT "=".
func (p *parser) assignment(name token) {
	value := p.g.Hold(p.expression())
	p.expect(";")
	p.assign(name, p.g.Release(value))
}

// jump = ( "break" | "continue" ) ";" .
func (p *parser) jump() {
	t := p.tok
	p.advance()
	p.expect(";")
	switch {
	case p.loops == 0:
		p.report("no-loop", t.span())
	case p.breaks == nil: // behind an error
	case t.text == "break":
		p.breaks = p.jumpTo(p.breaks)
	default:
		p.continues = p.jumpTo(p.continues)
	}
}

// jumpTo adds the current path to those that wait at target, which may be none yet. The
// text behind the jump is not reached.
func (p *parser) jumpTo(target *node.Scope) *node.Scope {
	label := "continue"
	if target != nil {
		label = target.Label
	}
	here := p.scopes.Dup(p.scope, label)
	p.scopes.SetCtrl(p.scope, p.e.DeadCtrl())
	p.scopes.Truncate(here, p.breaks.Count())
	if target == nil {
		return here
	}
	p.merge(target, here, p.prev.start)
	return target
}
