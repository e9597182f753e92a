// Package memgraph makes random graphs with memory, floats and faults, for tests of
// everything that schedules or runs graphs.
//
// Needs: a source of random numbers. Gives: a graph of a program that ends, with structs,
// arrays, null tests and checked accesses. Breaks: nothing.
//
// A generator holds what a parser would: the value of each variable and the state of each
// class of memory. Statements are nested ifs and counted loops; a join makes Phis of what
// differs, a loop Phis of everything. Loads and Stores hang off control only if something
// guards them; otherwise they float as far as the states of memory allow, and now and then a
// Load skips Stores that it is disjoint from, as an optimizer would make it.
//
// Start reading at Graph.
package memgraph

import (
	"math/rand/v2"
	"strconv"

	"shoal/node"
	"shoal/node/types"
	"shoal/source"
)

// Options say what a graph is to look like.
type Options struct {
	Statements int  // about how many
	Depth      int  // of nested statements, at most
	Ref        bool // the result is a reference to an object, else an integer
}

// The variables: integers, then floats, then references to nodes, to arrays of int and of
// u8.
const (
	ints, floats, refs, longs, bytes = 4, 2, 3, 2, 2

	firstFloat = ints
	firstRef   = firstFloat + floats
	firstLongs = firstRef + refs
	firstBytes = firstLongs + longs
	numVars    = firstBytes + bytes
)

// Graph makes the graph that rng and o determine.
func Graph(rng *rand.Rand, o Options) *node.Graph {
	b := &builder{Rand: rng, o: o, left: o.Statements}
	b.declare()
	b.start()
	b.statements(0)
	b.finish()
	return b.G
}

type builder struct {
	*rand.Rand
	*Hand
	o    Options
	left int // statements that may still be made
	zero *node.Node

	fields []*node.Symbol // of the struct
	elems  [2]*node.Symbol
	length *node.Symbol
	types  [numVars]types.Type
	places int

	ctrl *node.Node
	vars [numVars]*node.Node
	mem  []*node.Node // by class: fields of the struct, then elements
}

// declare makes struct N { int a; flt b; i32 c; u8 d; N? next; }, int[] and u8[].
func (b *builder) declare() {
	object := types.NewObject("N", source.NoPos)
	object.AddField("a", types.Int)
	object.AddField("b", types.Flt)
	object.AddField("c", types.I32.Range())
	object.AddField("d", types.U8.Range())
	object.AddField("next", types.RefTo(object).OrNull())
	object.Defined = true
	object.Layout()
	longArray, byteArray := types.NewArray(types.Int), types.NewArray(types.U8.Range())
	for _, f := range object.Fields {
		b.fields = append(b.fields, FieldOf(f))
	}
	b.elems = [2]*node.Symbol{FieldOf(longArray.Element()), FieldOf(byteArray.Element())}
	b.length = FieldOf(longArray.Length())
	for i := range b.types {
		switch {
		case i < firstFloat:
			b.types[i] = types.Int
		case i < firstRef:
			b.types[i] = types.Flt
		case i < firstLongs:
			b.types[i] = types.RefTo(object)
		case i < firstBytes:
			b.types[i] = types.RefTo(longArray)
		default:
			b.types[i] = types.RefTo(byteArray)
		}
	}
}

// maxPlaces is how many places the text has in which faults happen.
const maxPlaces = 1 << 16

// place is another place of the text each time, so that faults can be told apart.
func (b *builder) place() source.Pos {
	b.places++
	return source.At(b.places % maxPlaces)
}

func (b *builder) start() {
	b.Hand = NewHand(source.NewFile("random", make([]byte, maxPlaces)))
	b.ctrl = b.Ctrl
	b.zero = b.Integer(0)
	for range len(b.fields) + len(b.elems) {
		b.mem = append(b.mem, b.Mem)
	}
	for i := range b.vars {
		switch {
		case i == 0:
			b.vars[i] = b.Arg
		case i < firstFloat:
			b.vars[i] = b.Integer(int64(i))
		case i < firstRef:
			b.vars[i] = b.Const(types.ConstFloat(float64(i) / 4))
		default:
			b.vars[i] = b.new(i)
		}
	}
}

// new makes an object for variable i to refer to.
func (b *builder) new(i int) *node.Node {
	o := b.types[i].Object()
	if !o.Array {
		return b.New(b.ctrl, o)
	}
	length := b.Integer(4 + b.Int64N(3))
	if b.IntN(3) == 0 {
		and := b.Make(node.OpAnd, types.Range(0, 7), nil, b.int(), b.Integer(7))
		length = b.Make(node.OpAdd, types.Range(1, 8), nil, and, b.Integer(1))
	}
	return b.New(b.ctrl, o, length)
}

// A snapshot is everything that statements change but control.
type snapshot struct {
	vars [numVars]*node.Node
	mem  []*node.Node
}

func (b *builder) snapshot() snapshot {
	return snapshot{b.vars, append([]*node.Node(nil), b.mem...)}
}

func (b *builder) restore(s snapshot) { b.vars, b.mem = s.vars, append([]*node.Node(nil), s.mem...) }

// join merges what is now, on path 1 of the Region r, with that on path 2.
func (b *builder) join(r *node.Node, that snapshot) {
	for i := range b.vars {
		if b.vars[i] != that.vars[i] {
			b.vars[i] = b.About(node.OpPhi, b.types[i], varSymbol(i), r, b.vars[i], that.vars[i])
		}
	}
	for i := range b.mem {
		if b.mem[i] != that.mem[i] {
			b.mem[i] = b.About(node.OpPhi, types.Mem, memSymbol(i), r, b.mem[i], that.mem[i])
		}
	}
}

func varSymbol(i int) *node.Symbol { return &node.Symbol{Name: "v" + strconv.Itoa(i)} }
func memSymbol(i int) *node.Symbol { return &node.Symbol{Name: "$" + strconv.Itoa(i)} }

func (b *builder) finish() {
	if b.o.Ref {
		b.Return(b.ctrl, b.vars[firstRef], b.mem...)
		return
	}
	sum := b.vars[0]
	for _, v := range b.vars[1:firstFloat] {
		sum = b.Make(node.OpAdd, types.Int, nil, b.Make(node.OpMul, types.Int, nil, sum, b.Integer(31)), v)
	}
	for _, v := range b.vars[firstFloat:firstRef] {
		sum = b.Make(node.OpAdd, types.Int, nil, b.Make(node.OpMul, types.Int, nil, sum, b.Integer(31)), b.less(v))
	}
	b.Return(b.ctrl, sum)
}

// less compares a float with a constant.
func (b *builder) less(v *node.Node) *node.Node {
	return b.Make(node.OpLTF, types.Bool, nil, v, b.Const(types.ConstFloat(float64(b.IntN(9))-2)))
}
