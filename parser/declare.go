package parser

import (
	"shoal/node"
	"shoal/node/types"
	"shoal/source"
)

// A decl is what a declaration says of a name besides its type (chapters §16.2, §17.2).
type decl struct {
	final bool // it cannot be assigned again
	field bool // as a field it cannot be assigned outside of constructors
}

// declaration = type declarator { "," declarator } ";" .
func (p *parser) declaration() {
	t, how := p.declaredType()
	for {
		p.declarator(t, how)
		if !p.tok.is(",") {
			break
		}
		p.need(featFinal, p.tok.span())
		p.advance()
	}
	p.expect(";")
}

// declarator = [ "!" ] IDENT [ "=" asgn ] .
func (p *parser) declarator(t types.Type, how inference) {
	mark := p.has(featFinal) && p.take("!")
	name := p.name()
	p.declares, p.declared = name.text, t
	var value *node.Node
	initialized := p.tok.is("=")
	switch {
	case initialized:
		p.advance()
		value = p.assignable()
		t = p.inferred(t, how, value, name.span())
	case p.tok.is(";") || p.tok.is(","):
		if p.tok.is(",") {
			p.need(featFinal, p.tok.span())
		}
		p.need(featNoInit, name.span())
		value = p.startValue(t, how, mark, name.start)
	default:
		p.fail("expected", p.missing(), "=", p.tok.text)
	}
	p.g.Hold(value)
	if !p.tok.is(",") {
		p.endsDeclaration()
	}
	p.g.Release(value)
	if p.definedHere(name.text) {
		p.report("redefined", name.span(), name.text)
		return
	}
	d, deep := p.finality(t, how, mark, initialized && !value.Type.IsNull())
	if deep {
		t, value = t.ReadOnly(), p.readOnly(value, name.start)
	}
	if initialized {
		value = p.convert(value, t, name.span())
	}
	sym := symbol(name.text, t)
	if !initialized && value.Type == types.Bot && !p.late {
		p.unset[sym] = true
	}
	p.define(sym, value)
	p.decls = append(p.decls[:p.scopes.Count()-1], d)
}

// endsDeclaration makes sure that a declaration that is wrong declares nothing.
func (p *parser) endsDeclaration() {
	if !p.tok.is(";") {
		p.expect(";")
	}
}

// inferred is the type of a name whose declaration says var or val.
func (p *parser) inferred(t types.Type, how inference, value *node.Node, span source.Span) types.Type {
	switch {
	case how == explicit:
		return t
	case value.Type.IsNull():
		p.fail("infer-null", span)
	case how == inferVar:
		return value.Type.Widest()
	}
	return value.Type
}

// startValue is what a name without initializer holds: 0, 0.0, null, or nothing yet.
func (p *parser) startValue(t types.Type, how inference, mark bool, at source.Pos) *node.Node {
	unset := how != explicit || t.IsRef() && !t.MayBeNull() || mark && p.opts.Level < mutableMark
	if !unset {
		return p.constant(t.Zero(), at)
	}
	if !p.declaresFields() && (how != explicit || p.opts.Level < unsetVariables || p.opts.Level > lastUnsetVariables) {
		p.fail("expected", p.missing(), "=expression", p.tok.text)
	}
	p.unsure = true
	return p.constant(types.Bot, at)
}

// declaresFields tells whether a declaration here is one of a field.
func (p *parser) declaresFields() bool { return p.scopes.Level() == p.nesting.body }

// In these chapters a variable may be declared without a value that it needs: it is an
// error to read it before it is assigned.
const (
	unsetVariables     = 16
	lastUnsetVariables = 17
)

// finality applies the rules of chapters §16.2 and §17.2: what a declaration makes final,
// and whether the object it refers to cannot be changed through it either.
func (p *parser) finality(t types.Type, how inference, mark, given bool) (d decl, deep bool) {
	switch {
	case p.opts.Level < mutableMark:
		return decl{final: mark, field: mark}, false
	case how == inferVal:
		return decl{true, true}, true
	case how == inferVar || !t.IsRef() || mark:
		return decl{}, false
	case given:
		return decl{true, true}, true
	}
	return decl{field: !t.MayBeNull()}, false
}

// mutableMark is the chapter from which on '!' means mutable; before it means final.
const mutableMark = 17

// readOnly is a reference through which nothing can be changed.
func (p *parser) readOnly(value *node.Node, at source.Pos) *node.Node {
	if !value.Type.IsRef() || value.Type.IsNull() {
		return value
	}
	return p.make(node.OpReadOnly, at, value)
}

// assign changes a variable and gives the value that it has then.
func (p *parser) assign(name token, value *node.Node) *node.Node {
	slot := p.lookup(name.text)
	if slot < 0 {
		p.undefined(name)
		return value
	}
	p.g.Hold(value)
	d := p.decls[p.scopes.Index(slot)]
	if d.final && p.scopes.VarAt(slot).Level != p.nesting.body && !(p.opts.Level < mutableMark && p.scopes.Get(p.scope, slot).Type == types.Bot) {
		p.reportOnce("reassign-final", name.span(), name.text)
	}
	p.g.Release(value)
	sym := p.scopes.VarAt(slot).Sym
	if sym.Declared == types.Bot { // of a field that this constructor gives a type
		value = p.inferField(sym, d, value, name)
	}
	value = p.convert(value, sym.Declared, name.span())
	p.scopes.Set(p.scope, slot, value)
	return value
}

// inferField gives a field that was declared with var or val, without a value, the type of
// the first value that it gets.
func (p *parser) inferField(sym *node.Symbol, d decl, value *node.Node, name token) *node.Node {
	if value.Type.IsNull() {
		p.fail("infer-null", name.span())
	}
	if d.field {
		value = p.readOnly(value, name.start)
	}
	sym.Declared = value.Type.Widest()
	return value
}

// reportOnce reports what the rules know more of: without them the program is parsed again to
// be told (semantics §12).
func (p *parser) reportOnce(code string, span source.Span, args ...any) {
	if p.opts.Raw {
		p.unsure = true
		return
	}
	p.report(code, span, args...)
}
