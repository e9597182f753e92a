package parser

import (
	"slices"

	"shoal/node"
	"shoal/node/types"
	"shoal/source"
)

// An arm is the side of an if that waits to be merged with what follows.
type arm struct {
	scope *node.Scope
	at    source.Pos
}

// ifStatement = "if" "(" expr ")" statement [ "else" statement ] . An else-if chain is a
// loop here, so that its length does not nest.
func (p *parser) ifStatement() {
	var arms []arm
	var first *node.Node // what the first if tests
	restarts, known := p.restarts, p.mark()
	for {
		at := p.tok.start
		p.advance()
		test := p.splitOn(p.condition(), at)
		if first == nil {
			first = p.g.Hold(test.pred)
		}
		other := p.scopes.Dup(p.scope, "else")
		p.enterSides(test, p.scope, other)
		inner := p.mark()
		p.refine(p.scope, test.pred, true)
		p.arm()
		if p.restarts != restarts {
			p.readElse()
			return
		}
		p.leave(inner)
		arms = append(arms, arm{p.scope, at})
		p.scope = other
		p.refine(p.scope, test.pred, false)
		p.g.Drop(test.pred)
		if !p.word("else") {
			break
		}
		p.advance()
		if p.word("if") {
			continue
		}
		p.arm()
		break
	}
	if p.restarts != restarts {
		return
	}
	p.joinArms(arms, first, known)
}

// joinArms goes on behind an if, or a chain of them. Where only one side is left what it knows
// stays known: that all tests were false, or that the only one was true.
func (p *parser) joinArms(arms []arm, first *node.Node, known mark) {
	if slices.ContainsFunc(arms, func(a arm) bool { return !dead(a.scope) }) {
		p.leave(known)
	}
	onlyTrue := len(arms) == 1 && dead(p.scope)
	for i := len(arms) - 1; i >= 0; i-- {
		p.merge(arms[i].scope, p.scope, arms[i].at)
		p.scope = arms[i].scope
	}
	if onlyTrue {
		p.refine(p.scope, first, true)
	}
	p.g.Drop(first)
}

// dead tells whether control does not reach a scope.
func dead(s *node.Scope) bool { return s.Ctrl().Type == types.XCtrl }

// readElse reads the rest of a chain in which an error was found.
func (p *parser) readElse() {
	for p.word("else") {
		p.advance()
		if p.word("if") {
			p.advance()
			p.condition()
		}
		p.arm()
	}
}

// arm reads one side of an if. It is not a block: names that it declares would be there
// on one side only.
func (p *parser) arm() {
	count, restarts, returned := p.scopes.Count(), p.restarts, p.returned
	start := p.tok
	p.armStatement()
	p.returned = returned
	if p.restarts == restarts && p.scopes.Count() > count {
		vars := p.scopes.AllVars()
		name := vars[count].Sym.Name
		p.fail("arm", start.span(), name)
	}
}

func (p *parser) armStatement() {
	if p.tok.is("}") || p.tok.kind == tokEOF {
		p.fail("statement", p.missing(), p.tok.text)
	}
	if p.tok.is("{") { // which counts itself
		p.statement()
		return
	}
	p.enter(&p.blocks)
	p.statement()
	p.blocks--
}

// merge lets into go on behind both paths.
func (p *parser) merge(into, that *node.Scope, at source.Pos) {
	r := p.scopes.Merge(into, that, at)
	p.e.Reduce(r)
	p.g.Drop(r)
}
