package node

import (
	"shoal/node/types"
	"shoal/source"
)

// An ID numbers the nodes of one Graph densely from 1, in order of creation: the index
// of every pass's side tables.
type ID int32

// A Symbol is a name of the program: what a variable is called and what it may hold. It
// also names the field of a Load or Store and the object of a New; there is one Symbol for
// each of them in a graph.
type Symbol struct {
	Name     string
	Declared types.Type
	Field    *types.Field  // that a Load or Store is about
	Object   *types.Object // that a New makes
}

// A Node is one operation in the sea of nodes: a value, an effect or a point of control.
// Fields may be read freely; edges change only through Graph.
type Node struct {
	Type types.Type // what is known about the result; it only ever narrows
	Aux  int64      // as Ops[Op].Aux says
	Sym  *Symbol    // as Ops[Op].Aux says
	in   []Edge     // definitions in order; slot 0 is the control input, or empty
	out  []Use      // uses in no order
	ID   ID
	Pos  source.Pos
	slot int32  // where the value table has it, plus one; 0 if it does not
	keep uint16 // how many hold it although no edge shows it
	Op   Op
}

// An Edge remembers where its Use stands in the definition's list, and a Use which input
// of its user it feeds, so that an edge goes away in O(1) however many uses the
// definition has.
type Edge struct {
	def *Node
	at  int32
}

// A Use is one input of a user.
type Use struct {
	User  *Node
	Index int32
}

// NumIn is the number of input slots, empty ones included.
func (n *Node) NumIn() int { return len(n.in) }

// In is input i, nil if the slot is empty.
func (n *Node) In(i int) *Node { return n.in[i].def }

// NumOut is the number of uses.
func (n *Node) NumOut() int { return len(n.out) }

// Out is use i. The order is arbitrary but deterministic.
func (n *Node) Out(i int) Use { return n.out[i] }

// Uses are the uses of n. The slice is good until an edge changes.
func (n *Node) Uses() []Use { return n.out }

// Dead tells whether n was killed.
func (n *Node) Dead() bool { return n.Op == OpInvalid }

// Unused tells whether nobody would miss n: no uses, and nobody holds it.
func (n *Node) Unused() bool { return len(n.out) == 0 && n.keep == 0 }

// IsCFG tells whether n is a point of control.
func (n *Node) IsCFG() bool { return n.Op.Is(CFG) }

// IsRegion tells whether n joins control: a Region or a Loop.
func (n *Node) IsRegion() bool { return n.Op == OpRegion || n.Op == OpLoop }

// IsIf tells whether n splits control: an If or a Never.
func (n *Node) IsIf() bool { return n.Op == OpIf || n.Op == OpNever }

// InProgress tells whether a Region, or a Phi on one, still waits for its last input:
// the parser has not reached the end of the loop.
func (n *Node) InProgress() bool {
	if n.Op == OpPhi {
		r := n.In(0)
		return r != nil && r.InProgress()
	}
	return n.IsRegion() && n.in[len(n.in)-1].def == nil
}

// IsConst tells whether n is an integer constant; its value is n.Type.Value().
func (n *Node) IsConst() bool { return n.Op == OpConstant && n.Type.IsConst() }

// IsMem tells whether n is a state of memory. The type of a Phi is not known before
// somebody has looked at all of its inputs, but its symbol says what it is for.
func (n *Node) IsMem() bool {
	return n.Type.Kind == types.KindMem || n.Op == OpPhi && n.Sym != nil && n.Sym.Declared.Kind == types.KindMem
}

// Name is the name in Sym, or nothing.
func (n *Node) Name() string {
	if n.Sym == nil {
		return ""
	}
	return n.Sym.Name
}

// Pretended tells whether n, a Return, is the exit of an endless loop, which is never taken.
func (n *Node) Pretended() bool {
	c := n.In(0)
	return c != nil && c.Op == OpCProj && c.In(0).Op == OpNever
}

// Keeps tells whether somebody holds n, for the verifier and for dumps.
func (n *Node) Keeps() bool { return n.keep > 0 }
