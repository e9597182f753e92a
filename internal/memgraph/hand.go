package memgraph

import (
	"shoal/node"
	"shoal/node/types"
	"shoal/source"
)

// A Hand makes graphs node by node, as a parser would but without any rule: what it makes
// stays as it is and is held, since no edge shows what a test has in its variables.
type Hand struct {
	G              *node.Graph
	Ctrl, Mem, Arg *node.Node // of Start
}

// NewHand makes a graph with a Start. file is for the places of faults.
func NewHand(file *source.File) *Hand {
	h := &Hand{G: node.NewGraph("main", file, types.Ranges)}
	h.Ctrl = h.Named(node.OpCProj, types.Ctrl, 0, "$ctrl", h.G.Start)
	h.Mem = h.Named(node.OpProj, types.Mem, 1, "$mem", h.G.Start)
	h.Arg = h.Named(node.OpProj, types.Int, 2, "arg", h.G.Start)
	return h
}

// Make makes a node of type t.
func (h *Hand) Make(op node.Op, t types.Type, in ...*node.Node) *node.Node {
	n := h.G.Hold(h.G.New(op, source.NoPos, in...))
	n.Type = t
	return n
}

// About makes a node of type t with a symbol.
func (h *Hand) About(op node.Op, t types.Type, sym *node.Symbol, in ...*node.Node) *node.Node {
	n := h.G.Hold(h.G.NewNamed(op, source.NoPos, sym, in...))
	n.Type = t
	return n
}

// Named makes a node of type t with a name and an Aux.
func (h *Hand) Named(op node.Op, t types.Type, aux int64, name string, in ...*node.Node) *node.Node {
	n := h.About(op, t, &node.Symbol{Name: name, Declared: t}, in...)
	n.Aux = aux
	return n
}

// Int makes an operation on integers.
func (h *Hand) Int(op node.Op, operands ...*node.Node) *node.Node {
	return h.Make(op, types.Int, append([]*node.Node{nil}, operands...)...)
}

// Const is the constant of type t, Integer that of an integer.
func (h *Hand) Const(t types.Type) *node.Node    { return h.G.Hold(h.G.Constant(t, source.NoPos)) }
func (h *Hand) Integer(c int64) *node.Node       { return h.Const(types.Const(c)) }
func (h *Hand) offset(f *node.Symbol) *node.Node { return h.Integer(f.Field.Offset) }

// Branch splits control by a predicate.
func (h *Hand) Branch(ctrl, pred *node.Node) (yes, no *node.Node) {
	split := h.Make(node.OpIf, types.IfBoth, ctrl, pred)
	return h.Named(node.OpCProj, types.Ctrl, 0, "True", split), h.Named(node.OpCProj, types.Ctrl, 1, "False", split)
}

// Join is a Region of two paths, Loop a Loop whose back edge is set later.
func (h *Hand) Join(a, b *node.Node) *node.Node { return h.Make(node.OpRegion, types.Ctrl, nil, a, b) }
func (h *Hand) Loop(entry *node.Node) *node.Node {
	return h.Make(node.OpLoop, types.Ctrl, nil, entry, nil)
}

// Phi merges two values, of which the second may be set later.
func (h *Hand) Phi(t types.Type, name string, r, a, b *node.Node) *node.Node {
	return h.Named(node.OpPhi, t, 0, name, r, a, b)
}

// Return makes a Return of a value, and of states of memory that are seen with it.
func (h *Hand) Return(ctrl, value *node.Node, states ...*node.Node) *node.Node {
	ret := h.Make(node.OpReturn, types.Bot, append([]*node.Node{ctrl, nil, value}, states...)...)
	h.G.AddIn(h.G.Stop, ret)
	return ret
}

// Fault makes the end of a path by a fault.
func (h *Hand) Fault(ctrl *node.Node, fault node.Fault, at source.Pos, numbers ...*node.Node) *node.Node {
	n := h.Make(node.OpFault, types.Bot, append([]*node.Node{ctrl, nil}, numbers...)...)
	n.Aux, n.Pos = int64(fault), at
	h.G.AddIn(h.G.Stop, n)
	return n
}

// New makes an object, an array if it gets a length.
func (h *Hand) New(ctrl *node.Node, o *types.Object, length ...*node.Node) *node.Node {
	sym := &node.Symbol{Name: o.Name, Object: o, Declared: types.RefTo(o)}
	return h.About(node.OpNew, types.RefTo(o), sym, append([]*node.Node{ctrl}, length...)...)
}

// Load and Store access a field of an object; nothing guards them.
func (h *Hand) Load(f *node.Symbol, mem, ref *node.Node) *node.Node {
	return h.About(node.OpLoad, f.Declared, f, nil, mem, ref, h.offset(f))
}

// Store is described at Load.
func (h *Hand) Store(f *node.Symbol, mem, ref, value *node.Node) *node.Node {
	return h.About(node.OpStore, types.Mem, f, nil, mem, ref, h.offset(f), value)
}

// A FieldOf is the symbol of a field.
func FieldOf(f *types.Field) *node.Symbol {
	return &node.Symbol{Name: f.Name, Declared: f.Type, Field: f}
}

// Point is struct P { int x; int y; } with the symbols of its fields.
func Point() (o *types.Object, x, y *node.Symbol) {
	o = types.NewObject("P", source.NoPos)
	o.AddField("x", types.Int)
	o.AddField("y", types.Int)
	o.Defined = true
	o.Layout()
	return o, FieldOf(o.Fields[0]), FieldOf(o.Fields[1])
}
