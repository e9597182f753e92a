package memgraph

import (
	"shoal/node"
	"shoal/node/types"
)

// The fields of the struct, which are also classes of memory; those of elements follow.
const (
	fieldA = iota
	fieldB
	fieldC
	fieldD
	fieldNext
	firstElems
)

// object is a reference to a struct that is not null.
func (b *builder) object() *node.Node { return b.vars[firstRef+b.IntN(refs)] }

// load reads a field of some object.
func (b *builder) load(field int) *node.Node {
	f := b.fields[field].Field
	return b.access(field, b.fields[field], nil, b.object(), b.Integer(f.Offset))
}

// access makes a Load of a class. Half of them skip what they are disjoint from.
func (b *builder) access(class int, sym *node.Symbol, guard, ref, offset *node.Node) *node.Node {
	n := b.About(node.OpLoad, sym.Declared, sym, guard, b.mem[class], ref, offset)
	if b.IntN(2) == 0 {
		return n
	}
	never := func(*node.Node, *node.Node) bool { return false } // nothing is known of control
	for n.In(1).Op == node.OpStore && node.Disjoint(n, n.In(1), never) {
		b.G.SetIn(n, 1, n.In(1).In(1))
	}
	return n
}

func (b *builder) storeField() {
	field := b.IntN(firstElems)
	sym := b.fields[field]
	value := b.int
	switch field {
	case fieldB:
		value = b.float
	case fieldNext:
		value = b.object
	}
	v, ref := value(), b.object()
	b.mem[field] = b.Store(sym, b.mem[field], ref, v)
}

// follow goes from an object to the next one, if there is one.
func (b *builder) follow() {
	next := b.load(fieldNext)
	i := firstRef + b.IntN(refs)
	yes, no := b.Branch(b.ctrl, next)
	b.ctrl = yes
	cast := b.Make(node.OpCast, b.types[i], yes, next)
	before := b.snapshot()
	b.vars[i] = cast
	if b.IntN(2) == 0 {
		b.storeField()
	}
	end, then := b.ctrl, b.snapshot()
	b.restore(before)
	b.ctrl = b.Make(node.OpRegion, types.Ctrl, nil, no, end)
	b.join(b.ctrl, then)
}

// element reads or writes an element of an array. An index that may be outside is checked,
// and then the check guards the access.
func (b *builder) element(write bool) {
	kind := b.IntN(len(b.elems))
	array := b.vars[firstLongs+b.IntN(longs)]
	if kind > 0 {
		array = b.vars[firstBytes+b.IntN(bytes)]
	}
	sym, class := b.elems[kind], firstElems+kind
	index, bounds := b.int(), types.Int
	if b.IntN(3) > 0 {
		mask := b.Int64N(4)
		index, bounds = b.Make(node.OpAnd, types.Range(0, mask), nil, index, b.Integer(mask)), types.Range(0, mask)
	}
	guard := b.check(array, index)
	offset := b.offset(index, bounds, sym.Field)
	if !write {
		b.vars[b.IntN(ints)] = b.access(class, sym, guard, array, offset)
		return
	}
	b.mem[class] = b.About(node.OpStore, types.Mem, sym, guard, b.mem[class], array, offset, b.int())
}

// check makes the test of an index and the fault behind it.
func (b *builder) check(array, index *node.Node) *node.Node {
	length := b.About(node.OpLoad, b.length.Declared, b.length, nil, nil, array, b.zero)
	inside, outside := b.Branch(b.ctrl, b.Make(node.OpULT, types.Bool, nil, index, length))
	b.Fault(outside, node.FaultIndex, b.place(), index, length)
	b.ctrl = inside
	return inside
}

// offset is where the element with an index in bounds is.
func (b *builder) offset(index *node.Node, bounds types.Type, f *types.Field) *node.Node {
	scale := f.Storage.Log2()
	scaled, at := types.Int, types.Int
	if lo, hi := bounds.Bounds(); lo >= 0 {
		scaled, at = types.Range(lo<<scale, hi<<scale), types.Range(lo<<scale+f.Offset, hi<<scale+f.Offset)
	}
	shifted := b.Make(node.OpShl, scaled, nil, index, b.Integer(int64(scale)))
	return b.Make(node.OpAdd, at, nil, shifted, b.Integer(f.Offset))
}
