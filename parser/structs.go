package parser

import (
	"slices"

	"shoal/node"
	"shoal/node/types"
	"shoal/source"
)

// A structDecl is a struct: its object, and the values that its fields start with.
type structDecl struct {
	object *types.Object
	start  []*node.Node // by field, held; Bot-typed where a constructor has to set it
}

// structStatement = "struct" IDENT "{" fields "}" [ ";" ] .
func (p *parser) structStatement() {
	at := p.tok
	p.need(featStructs, at.span())
	p.advance()
	name := p.name()
	if p.nesting.body > 0 {
		p.need(featNested, at.span())
	}
	if p.opts.Level < anywhereStructs && (p.scopes.Level() != 1 || p.loops > 0 || p.blocks > 0) {
		p.report("struct-place", at.span())
	}
	s := p.structs[name.text]
	switch {
	case s == nil:
		s = &structDecl{object: types.NewObject(name.text, name.start)}
		p.structs[name.text] = s
	case s.object.Defined:
		p.report("redefined", name.span(), name.text)
		s = &structDecl{object: types.NewObject(name.text, name.start)}
	}
	p.expect("{")
	open := p.prev
	if p.has(featBodies) {
		p.structBody(s, open)
	} else {
		p.fieldList(s, open)
	}
	s.object.Defined = true
	s.object.Layout()
	if p.has(featBodies) {
		p.expect(";")
	} else {
		p.take(";")
	}
}

// anywhereStructs is the chapter from which on a struct may be declared in a block.
const anywhereStructs = 22

// fieldList = { type IDENT ";" } "}" , up to chapter 15. Fields start with 0 or null.
func (p *parser) fieldList(s *structDecl, open token) {
	p.list(open, func() {
		t := p.fieldType()
		name := p.name()
		p.expect(";")
		if s.object.Field(name.text) != nil {
			p.report("redefined", name.span(), name.text)
			return
		}
		s.object.AddField(name.text, t).Set = true
		s.start = append(s.start, p.g.Hold(p.constant(t.Zero(), name.start)))
	})
}

// fieldType is the type of a field. Chapter 10 has int alone.
func (p *parser) fieldType() types.Type {
	span := p.tok.span()
	t := p.typeName()
	if t.IsRef() {
		p.need(featRefFields, span)
	}
	return t
}

// structBody reads the body of a struct from chapter 16 on: statements, run once, here.
// The names that it declares are the fields; what they hold at the end is what they start
// with in every object (language §10.2).
func (p *parser) structBody(s *structDecl, open token) {
	outer, body := p.returned, p.nesting.body
	p.push()
	first := p.scopes.Count()
	p.nesting.body = p.scopes.Level()
	p.list(open, nil)
	p.nesting.body = body
	for i, v := range p.scopes.AllVars()[first:] {
		f := s.object.AddField(v.Sym.Name, v.Sym.Declared)
		f.Final, f.Set = p.decls[first+i].field, !p.unset[v.Sym]
		if f.Type == types.Bot {
			f.Storage = types.I64 // whatever a constructor makes of it has 8 bytes
		}
		s.start = append(s.start, p.g.Hold(p.scopes.Get(p.scope, p.scopes.Slot(first+i))))
	}
	p.pop()
	p.returned = outer
}

// list reads what read reads, statements if that is nil, up to the brace that closes open.
func (p *parser) list(open token, read func()) {
	p.enter(&p.blocks)
	for !p.tok.is("}") {
		if p.tok.kind == tokEOF {
			p.failHint("open-block", p.missing(), p.begins(open), p.tok.text)
		}
		if p.diags.Full() {
			p.giveUp()
		}
		if read == nil {
			p.next()
		} else {
			p.item(read)
		}
	}
	p.advance()
	p.blocks--
}

// allocation = type "[" expr "]" | type [ "{" { statement } "}" ] , behind "new".
func (p *parser) allocation() *node.Node {
	p.need(featNew, p.tok.span())
	at := p.tok.start
	p.advance()
	start := p.tok
	if start.kind == tokName && !p.reserved(start.text) && p.structs[start.text] == nil {
		p.fail("unknown-struct", start.span(), start.text)
	}
	t := p.typeName()
	span := source.Span{Start: start.start, End: p.prev.end}
	o := t.Object()
	switch {
	case p.tok.is("["):
		return p.newArray(t, at, span)
	case o == nil:
		p.fail("allocate", span, t)
	case o.Array || !o.Defined:
		p.fail("unknown-struct", span, o.Name)
	}
	s := p.structs[o.Name]
	if p.tok.is("{") {
		p.need(featBodies, p.tok.span())
		return p.construct(s, p.constructor(s), at, span)
	}
	values := make([]*node.Node, len(s.start))
	for i, v := range s.start {
		values[i] = p.g.Hold(v)
	}
	return p.construct(s, values, at, span)
}

// newArray = "[" expr "]" .
func (p *parser) newArray(elem types.Type, at source.Pos, span source.Span) *node.Node {
	p.need(featArrays, p.tok.span())
	if elem.IsRef() && !elem.MayBeNull() {
		p.fail("allocate-elements", span)
	}
	open := p.tok
	p.advance()
	length := p.nested()
	p.expect("]")
	if !length.Type.IsInt() {
		p.fail("array-length", source.Span{Start: open.start, End: p.prev.end}, length.Type)
	}
	p.g.Hold(length)
	zero := p.e.Int(0, at)
	p.g.Drop(p.check(node.FaultLength, p.make(node.OpLE, at, zero, length), at, length))
	p.g.Release(length)
	return p.newObject(p.arrayOf(elem), at, length)
}

// constructor = "{" { statement } "}" : a block in which the fields are variables. It gives
// their values at the end, held.
func (p *parser) constructor(s *structDecl) []*node.Node {
	p.advance()
	open, outer, body := p.prev, p.returned, p.nesting.body
	p.nesting.body = 0
	p.unsetReads = nil
	p.push()
	first := p.scopes.Count()
	for i, f := range s.object.Fields {
		sym := symbol(f.Name, f.Type)
		p.unset[sym] = !f.Set
		p.define(sym, s.start[i])
		p.decls[first+i].field = f.Final
	}
	p.push() // a declaration of the block may have the name of a field
	p.nesting.constructors++
	p.list(open, nil)
	p.nesting.constructors--
	p.pop()
	values := make([]*node.Node, len(s.object.Fields))
	for i, f := range s.object.Fields {
		values[i] = p.g.Hold(p.scopes.Get(p.scope, p.scopes.Slot(first+i)))
		if f.Type == types.Bot {
			f.Type = p.scopes.VarAt(p.scopes.Slot(first + i)).Sym.Declared
			f.Storage = f.Type.Storage()
		}
	}
	p.pop()
	p.returned, p.nesting.body = outer, body
	return values
}

// readUnset reports that a name has no value yet. At chapter 16 a field that is read too early
// makes only the field unset that it goes to, which is reported at the end of the constructor
// (chapters §16.8).
func (p *parser) readUnset(t token) {
	if p.opts.Level >= mutableMark || p.nesting.constructors == 0 {
		p.fail("uninitialized", t.span(), t.text)
	}
	p.unsetReads = append(p.unsetReads, t)
}

// construct allocates an object and stores in its fields the values, which it drops. Up to chapter 14
// zeros are stored too, as chapters §10.6 has it: no rule knows yet that new memory is zero.
func (p *parser) construct(s *structDecl, values []*node.Node, at source.Pos, span source.Span) *node.Node {
	if len(p.unsetReads) > 0 && !p.late && !slices.ContainsFunc(values, p.isUnset) {
		t := p.unsetReads[0]
		p.fail("uninitialized", t.span(), t.text)
	}
	ref := p.g.Hold(p.newObject(s.object, at, nil))
	for i, f := range s.object.Fields {
		v := values[i]
		if !f.Set && !p.late && !p.opts.Raw && p.isUnset(v) {
			p.report("not-initialized", span, s.object.Name, f.Name)
			p.bail()
		}
		if !v.Type.IsZero() || p.opts.Level < zeroMemory || v.Type.IsFloat() && v.Type.Bits() != 0 {
			offset := p.g.Hold(p.e.Int(f.Offset, at))
			p.put(place{field: f, ref: ref, offset: offset, span: span}, v)
			p.g.Drop(offset)
		}
	}
	for _, v := range values {
		p.g.Drop(v)
	}
	return p.g.Release(ref)
}

// zeroMemory is the chapter from which on rules know that new memory is zero.
const zeroMemory = 15
