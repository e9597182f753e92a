package parser

import (
	"shoal/node"
	"shoal/source"
)

// A loop is one that is being read.
type loop struct {
	node              *node.Node
	breaks, continues *node.Scope // those of the loop around
	restarts          int
	known             mark
}

// beginLoop starts a loop at the current place.
func (p *parser) beginLoop(at source.Pos) loop {
	l := loop{breaks: p.breaks, continues: p.continues, restarts: p.restarts, known: p.mark()}
	l.node = p.e.MakeNamed(node.OpLoop, at, nil, nil, p.scope.Ctrl(), nil)
	p.scopes.SetCtrl(p.scope, l.node)
	p.scopes.BeginLoop(p.scope, l.node, p.opts.Level < lazyPhis)
	return l
}

// lazyPhis is the chapter from which on a loop makes a Phi for a variable when it is
// first touched; before, for all at once.
const lazyPhis = 8

// test goes on in the loop where pred is true; where it is not the loop ends. From
// chapter 17 on both sides know what that says.
func (p *parser) test(pred *node.Node, at source.Pos) {
	s := p.splitOn(pred, at)
	p.breaks, p.continues = p.scopes.Dup(p.scope, "exit"), nil
	p.enterSides(s, p.scope, p.breaks)
	if p.opts.Level >= guardedValues {
		if tested, known := p.known(p.breaks, s.pred, false); known != nil {
			p.g.Drop(tested)
			p.g.Drop(known)
		}
		p.refine(p.scope, s.pred, true)
	}
	p.g.Drop(s.pred)
}

// whileStatement = "while" "(" asgn ")" statement .
func (p *parser) whileStatement() {
	at := p.tok.start
	p.advance()
	l := p.beginLoop(at)
	p.test(p.condition(), at)
	p.body()
	p.endLoop(l, nil)
}

// forStatement = "for" "(" [ declaration | asgn ] ";" [ asgn ] ";" [ asgn ] ")" statement .
// The third part is skipped, and read when the body is done (chapters §17.6).
func (p *parser) forStatement() {
	p.need(featFor, p.tok.span())
	at := p.tok.start
	p.advance()
	p.expect("(")
	p.nesting.header = 1
	restarts := p.restarts
	p.push()
	switch {
	case p.take(";"):
	case p.beginsType():
		p.declaration()
	default:
		p.assignable()
		p.expect(";")
	}
	l := p.beginLoop(at)
	pred := p.e.Int(1, p.tok.start)
	if !p.tok.is(";") {
		pred = p.truth(p.assignable(), p.tok.start)
	}
	p.g.Hold(pred)
	p.expect(";")
	p.g.Release(pred)
	p.test(pred, at)
	next := p.skipNext()
	p.nesting.header = 0
	p.body()
	p.endLoop(l, &next)
	if p.restarts == restarts {
		p.pop()
	}
}

// A clause is where the third part of a for begins.
type clause struct {
	lex       lexer
	tok, prev token
}

// skipNext skips to behind the parenthesis that closes the header of a for.
func (p *parser) skipNext() clause {
	c := clause{p.lex, p.tok, p.prev}
	for depth := 0; depth > 0 || !p.tok.is(")"); p.advance() {
		switch {
		case p.tok.kind == tokEOF:
			p.expect(")")
		case p.tok.is("("):
			depth++
		case p.tok.is(")"):
			depth--
		}
	}
	p.advance()
	return c
}

// readNext reads the third part of a for, which is at c, and comes back.
func (p *parser) readNext(c clause) {
	here := clause{p.lex, p.tok, p.prev}
	p.lex, p.tok, p.prev = c.lex, c.tok, c.prev
	p.lex.comment = func(source.Span, bool, bool) {} // they were seen before
	if !p.tok.is(")") {
		p.nesting.header = 1
		p.assignable()
		p.nesting.header = 0
		if !p.tok.is(")") {
			p.report("expected", p.tok.span(), "Unexpected code after expression", p.tok.text)
		}
	}
	p.lex, p.tok, p.prev = here.lex, here.tok, here.prev
}

// body reads the statement that a loop repeats.
func (p *parser) body() {
	returned, restarts := p.returned, p.restarts
	p.loops++
	p.push()
	p.armStatement()
	p.loops--
	p.returned = returned
	if p.restarts == restarts {
		p.pop()
	}
}

// endLoop joins the continues, reads the third part of a for, and leads the end of the
// body back to the loop's head.
func (p *parser) endLoop(l loop, next *clause) {
	if p.restarts != l.restarts {
		return
	}
	p.leave(l.known)
	if p.continues != nil {
		back := p.jumpTo(p.continues)
		p.scopes.Drop(p.scope)
		p.scope = back
	}
	if next != nil {
		p.readNext(*next)
		if p.restarts != l.restarts {
			return
		}
	}
	exit := p.breaks
	p.breaks, p.continues = l.breaks, l.continues
	p.closeLoop(l.node, exit)
}

func (p *parser) closeLoop(loop *node.Node, exit *node.Scope) {
	p.g.Hold(loop)
	back := p.scope
	p.scope = exit
	for _, phi := range p.scopes.EndLoop(back, exit) {
		p.e.Reduce(phi)
		p.g.Drop(phi)
	}
	p.e.Reduce(loop)
	p.g.Drop(loop)
}
