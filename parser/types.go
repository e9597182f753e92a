package parser

import (
	"shoal/node/types"
	"shoal/source"
)

// primitives are the types that are no references. Which of them a chapter has is a matter
// of its reserved words.
var primitives = map[string]types.Type{
	"int": types.Int, "i64": types.Int, "i32": types.I32.Range(), "i16": types.I16.Range(), "i8": types.I8.Range(),
	"u32": types.U32.Range(), "u16": types.U16.Range(), "u8": types.U8.Range(), "byte": types.U8.Range(),
	"u1": types.Bool, "bool": types.Bool,
	"flt": types.Flt, "f64": types.Flt, "f32": types.F32Any,
}

// An inference says where the type of a declared name comes from.
type inference uint8

const (
	explicit inference = iota // it is written
	inferVar                  // var: the widest of its kind
	inferVal                  // val: exactly that of the initializer
)

// beginsType tells whether a declaration begins here: with a type, or with a name that can
// only be one (language §3.2, 2). A variable in sight wins.
func (p *parser) beginsType() bool {
	t := p.tok
	if t.kind != tokName {
		return false
	}
	if k, ok := keywords[t.text]; ok && p.reserved(t.text) {
		return k.typ || t.text == "var" || t.text == "val"
	}
	if !p.has(featStructs) || p.lookup(t.text) >= 0 {
		return false
	}
	return p.structs[t.text] != nil && !p.peek().is(".") || p.beginsForward(t.text)
}

// beginsForward tells whether a struct that is not known yet is mentioned here: its name,
// perhaps suffixes of a type and '!', then the name that is declared. With a value for it the
// struct must be declared further down.
func (p *parser) beginsForward(name string) bool {
	ahead := p.lex
	ahead.comment = func(source.Span, bool, bool) {}
	t := ahead.next()
	for t.is("?") || t.is("[") {
		if t.is("[") && !ahead.next().is("]") {
			return false
		}
		t = ahead.next()
	}
	if t.is("!") {
		t = ahead.next()
	}
	if t.kind != tokName || p.reserved(t.text) {
		return false
	}
	t = ahead.next()
	return t.is(",") || t.is(";") || t.is("=") && p.declaredLater(name)
}

// declaredType = "var" | "val" | type .
func (p *parser) declaredType() (types.Type, inference) {
	for word, how := range map[string]inference{"var": inferVar, "val": inferVal} {
		if p.word(word) {
			p.need(featInfer, p.tok.span())
			p.advance()
			return types.Bot, how
		}
	}
	return p.typeName(), explicit
}

// typeName = ( PRIMITIVE | NAME ) { "?" | "[]" } .
func (p *parser) typeName() types.Type {
	t := p.tok
	if t.kind != tokName || p.reserved(t.text) && !keywords[t.text].typ {
		p.fail("type", t.span())
	}
	p.advance()
	declared, ok := primitives[t.text]
	if ok && p.reserved(t.text) {
		p.need(keywords[t.text].feat, t.span())
	} else {
		declared = types.RefTo(p.structNamed(t))
	}
	for {
		switch {
		case p.tok.is("?"):
			declared = p.nullable(declared)
		case p.tok.is("[") && p.peek().is("~"):
			p.need(featConstArray, p.tok.span())
		case p.tok.is("[") && p.peek().is("]"):
			p.need(featArrays, p.tok.span())
			if declared.IsRef() && !declared.MayBeNull() {
				p.fail("array-elements", source.Span{Start: t.start, End: p.tok.end})
			}
			p.advance()
			declared = types.RefTo(p.arrayOf(declared))
			p.advance()
		default:
			return declared
		}
	}
}

// nullable reads the '?' behind a type.
func (p *parser) nullable(t types.Type) types.Type {
	p.need(featNullable, p.tok.span())
	switch {
	case !t.IsRef():
		p.fail("no-null", p.tok.span(), t)
	case t.MayBeNull():
		p.fail("already-null", p.tok.span(), t.Long())
	}
	p.advance()
	return t.OrNull()
}

// structNamed is the struct of that name, declared or mentioned here for the first time.
func (p *parser) structNamed(t token) *types.Object {
	s := p.structs[t.text]
	if s == nil {
		p.needKeyword(t)
		if !p.has(featForward) && !p.declaredLater(t.text) {
			p.undefined(t)
			p.bail()
		}
		p.need(featForward, t.span())
		s = &structDecl{object: types.NewObject(t.text, t.start)}
		p.structs[t.text] = s
	}
	return s.object
}

// declaredLater tells whether the text that follows declares a struct of that name.
func (p *parser) declaredLater(name string) bool {
	ahead := p.lex
	ahead.comment = func(source.Span, bool, bool) {}
	for last := p.tok; last.kind != tokEOF; {
		t := ahead.next()
		if last.text == "struct" && t.text == name {
			return true
		}
		last = t
	}
	return false
}

// arrayOf is the type of arrays of elem: there is one.
func (p *parser) arrayOf(elem types.Type) *types.Object {
	o := p.arrays[elem]
	if o == nil {
		o = types.NewArray(elem)
		p.arrays[elem] = o
	}
	return o
}
