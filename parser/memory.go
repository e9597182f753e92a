package parser

import (
	"shoal/node"
	"shoal/node/types"
	"shoal/source"
)

// A place is what a field access names: a field of an object, or an element.
type place struct {
	field  *types.Field
	ref    *node.Node // the object, held
	offset *node.Node // in bytes, held
	guard  *node.Node // control that the access needs, held; nil for fields, which any will do
	read   bool       // nothing may be changed through ref
	span   source.Span
}

// drop ends the use of a place.
func (p *parser) drop(at place) {
	p.g.Drop(at.ref)
	p.g.Drop(at.offset)
	if at.guard != nil {
		p.g.Drop(at.guard)
	}
}

// class is the slot of the scopes that has the state of the memory in which a field lies.
func (p *parser) class(f *types.Field) int {
	slot, ok := p.classes[f]
	if !ok {
		name := "$" + f.Object.Name + "." + f.Name
		if f.Object.Array {
			name = "$" + f.Object.Name
		}
		slot = p.scopes.AddClass(symbol(name, types.Mem), p.mem)
		p.classes[f] = slot
	}
	return slot
}

// fieldSymbol names a field in Loads and Stores.
func (p *parser) fieldSymbol(f *types.Field) *node.Symbol {
	s := p.fields[f]
	if s == nil {
		s = &node.Symbol{Name: f.Name, Declared: f.Type, Field: f}
		p.fields[f] = s
	}
	return s
}

// control is what an access has to stay behind. Without rules no Cast stands for a null test
// that a reference has passed, so that the access itself must not leave the place where it
// was written.
func (p *parser) control(at place) *node.Node {
	if at.guard == nil && p.opts.Raw && at.ref.Type.MayBeNull() {
		return p.scope.Ctrl()
	}
	return at.guard
}

// load reads a place. The length of an array never changes, so it can be read from the
// memory of the beginning.
func (p *parser) load(at place) *node.Node {
	mem := p.mem
	if at.field.Name != "#" {
		mem = p.scopes.Get(p.scope, p.class(at.field))
	}
	return p.e.MakeAux(node.OpLoad, at.span.Start, 0, p.fieldSymbol(at.field), p.control(at), mem, at.ref, at.offset)
}

// store writes a value, which it converts, and gives what was stored.
func (p *parser) store(at place, value *node.Node) *node.Node {
	if at.field.Final || at.read {
		p.reportOnce("modify-final", at.span, at.field.Name)
	}
	value = p.g.Hold(p.convert(value, at.field.Type, at.span))
	p.put(at, value)
	return p.g.Release(value)
}

// put makes the Store of a value that is converted already.
func (p *parser) put(at place, value *node.Node) {
	slot := p.class(at.field)
	mem := p.scopes.Get(p.scope, slot)
	p.scopes.Set(p.scope, slot, p.e.MakeAux(node.OpStore, at.span.Start, 0, p.fieldSymbol(at.field), p.control(at), mem, at.ref, at.offset, value))
}

// object is the object type that a value refers to; it reports a value that is no
// reference to one which has the field name.
// In code that is not reached nothing is asked of null, which a test above may have found.
func (p *parser) object(ref *node.Node, declared types.Type, name string, span source.Span) *types.Object {
	t := ref.Type
	if !p.late && (t == types.Bot || t == types.Top) {
		t = declaredType(ref)
	}
	if declared.IsRef() && (t == types.Top || t.IsNull() && (p.opts.Raw || dead(p.scope))) {
		t = declared
	}
	o := t.Object()
	switch {
	case t == types.Bot && p.late:
		p.bail() // behind an error
	case t == types.Bot && len(p.unsetReads) > 0:
		unset := p.unsetReads[0]
		p.fail("uninitialized", unset.span(), unset.text)
	case t.IsNull():
		p.fail("no-field", span, name, "null")
	case !t.IsRef():
		what := "reference"
		if name == "[]" || name == "#" {
			what = "array"
		}
		p.fail("expected-kind", span, what, t)
	case o == nil || o.Field(name) == nil:
		p.fail("no-field", span, name, t.NonNull())
	}
	return o
}

// declaredType is what a value that is never computed would be: in code that is not
// reached nothing else tells.
func declaredType(n *node.Node) types.Type {
	for n.Op == node.OpCast || n.Op == node.OpReadOnly {
		n = n.In(1)
	}
	if n.Sym == nil {
		return n.Type
	}
	return n.Sym.Declared
}

// fieldPlace is the field name of an object.
func (p *parser) fieldPlace(ref *node.Node, declared types.Type, name string, span source.Span) place {
	o := p.object(ref, declared, name, span)
	f := o.Field(name)
	if f.Type == types.Bot {
		p.fail("uninitialized", span, name) // no constructor has set it yet
	}
	p.g.Hold(ref)
	return place{field: f, ref: ref, offset: p.g.Hold(p.e.Int(f.Offset, span.Start)), read: ref.Type.IsReadOnly(), span: span}
}

// elementPlace = "[" expr "]" . It checks the index.
func (p *parser) elementPlace(ref *node.Node, declared types.Type) place {
	open := p.tok
	p.advance()
	o := p.object(ref, declared, "[]", open.span())
	p.g.Hold(ref)
	index := p.nested()
	p.expect("]")
	span := source.Span{Start: open.start, End: p.prev.end}
	if t := index.Type; t != types.Bot && t != types.Top && !t.IsInt() {
		p.fail("index", span, index.Type)
	}
	p.g.Hold(index)
	length := p.load(place{field: o.Length(), ref: ref, offset: p.e.Int(0, span.Start), span: span})
	p.g.Hold(length)
	guard := p.check(node.FaultIndex, p.make(node.OpULT, span.Start, index, length), span.Start, index, length)
	p.g.Drop(length)
	at := place{field: o.Element(), ref: ref, guard: guard, read: ref.Type.IsReadOnly(), span: span}
	at.offset = p.g.Hold(p.elementOffset(o, index, span.Start))
	p.g.Drop(index)
	return at
}

// elementOffset is where element index of an array lies, in bytes.
func (p *parser) elementOffset(o *types.Object, index *node.Node, at source.Pos) *node.Node {
	f := o.Element()
	scaled := p.make(node.OpShl, at, index, p.e.Int(int64(f.Storage.Log2()), at))
	return p.make(node.OpAdd, at, p.e.Int(f.Offset, at), scaled)
}

// check goes on only where good is true; elsewhere the program ends in a fault. It gives
// the control behind the check, held. What the check guards needs that control even if the
// check is decided: then something above decides it.
func (p *parser) check(fault node.Fault, good *node.Node, at source.Pos, numbers ...*node.Node) *node.Node {
	if p.opts.Unchecked {
		p.g.Hold(good)
		p.g.Drop(good)
		return p.g.Hold(p.scope.Ctrl())
	}
	if c := p.passed(good); c != nil {
		return p.g.Hold(c)
	}
	for _, n := range numbers {
		p.g.Hold(n)
	}
	s := p.splitOn(good, at)
	in := append([]*node.Node{s.f, nil}, numbers...)
	end := p.e.MakeAux(node.OpFault, at, int64(fault), nil, in...)
	if end.Op == node.OpFault {
		p.g.AddIn(p.g.Stop, end)
	}
	p.g.Drop(s.f)
	for _, n := range numbers {
		p.g.Release(n)
	}
	if s.t != p.scope.Ctrl() && s.t.Op == node.OpCProj {
		p.checks = append(p.checks, check{p.g.Hold(good), p.g.Hold(s.t)})
	}
	p.g.Drop(s.pred)
	p.scopes.SetCtrl(p.scope, s.t)
	return s.t
}

// A check is one that control has passed: what it found true, and the control behind it. The
// same check again is none, and what it guards is what the first one guarded: an element that
// is read twice is one value.
type check struct{ good, ctrl *node.Node }

// passed is the control behind a check of good above this place, nil if none of the last few
// was one.
func (p *parser) passed(good *node.Node) *node.Node {
	const last = 64
	for i := len(p.checks) - 1; i >= max(0, len(p.checks)-last); i-- {
		if p.checks[i].good == good {
			return p.checks[i].ctrl
		}
	}
	return nil
}

// newObject allocates an object of zeros.
func (p *parser) newObject(o *types.Object, at source.Pos, length *node.Node) *node.Node {
	s := p.objects[o]
	if s == nil {
		s = &node.Symbol{Name: o.Name, Declared: types.RefTo(o), Object: o}
		p.objects[o] = s
	}
	if length != nil {
		return p.e.MakeAux(node.OpNew, at, 0, s, p.scope.Ctrl(), length)
	}
	return p.e.MakeAux(node.OpNew, at, 0, s, p.scope.Ctrl())
}
