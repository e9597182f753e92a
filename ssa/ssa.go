// Package ssa is linear SSA with block arguments: what a function is after global code
// motion and what the back end reads.
//
// A function is a list of blocks with parameters; a terminator passes arguments. Taking
// the edge P -> B(a...) is one parallel copy: all arguments are read, then all parameters
// of B are written. Kelsey, "A Correspondence between Continuation Passing Style and
// Static Single Assignment Form", 1995; the rules S0 to S4 are in validate.go.
//
// Start reading at Func, then parse.go (the text form) and build.go (from a schedule).
package ssa

import (
	"shoal/node"
	"shoal/source"
)

// A ValueID is the index of a value in Func.Values. 0 is no value.
type ValueID int32

// None is the absent value.
const None ValueID = 0

// A ValueKind says how a value comes to be.
type ValueKind uint8

// The kinds of values.
const (
	Invalid ValueKind = iota
	Const             // a constant: Aux; it stands in no block and may be used anywhere
	Input             // an input of the function: Aux is its index; defined before the entry block
	Param             // a parameter of Block
	Instr             // the result of the pure operation Op in the body of Block
)

// A Value is a constant, an input, a block parameter or the result of an instruction.
type Value struct {
	Kind  ValueKind
	Op    node.Op // of an Instr: an op with the flag node.Pure
	NArgs uint8
	Args  [3]ValueID // operands, in the order of the op's inputs
	Block int32      // index in Func.Blocks of the defining block; -1 for Const and Input
	Pos   source.Pos
	Aux   int64 // Const: the value. Input: the index. Instr: Aux of the op (bits)
}

// Operands are the arguments of v as a slice.
func (v *Value) Operands() []ValueID { return v.Args[:v.NArgs] }

// A TermKind is the kind of a block's end.
type TermKind uint8

// The kinds of terminators.
const (
	Ret TermKind = iota // ret Arg
	Br                  // br Succs[0]
	Cbr                 // cbr Arg, Succs[0], Succs[1]: the first if Arg is not 0
)

// A Target is one successor of a terminator with the arguments that it passes.
type Target struct {
	Block int32
	Args  []ValueID
}

// A Term ends a block.
type Term struct {
	Kind  TermKind
	Arg   ValueID // what Ret returns, what Cbr tests
	Succs [2]Target
	Pos   source.Pos
}

// Targets are the successors of the terminator: none, one or two.
func (t *Term) Targets() []Target { return t.Succs[:t.Kind] }

// An EdgeRef names a control-flow edge: successor Succ of block Block.
type EdgeRef struct {
	Block int32
	Succ  int8
}

// A Block is a basic block.
type Block struct {
	Name   string    // unique in the function; empty means "b" and its index
	Params []ValueID // of kind Param
	Body   []ValueID // of kind Instr, in execution order
	Term   Term
	Preds  []EdgeRef // in order of block, then successor; kept by Func.LinkPreds
	Depth  int32     // loop depth: 0 outside of loops; a hint for allocation and layout
	Cold   bool      // seldom executed; a hint for layout
}

// A Func is one function in strict SSA form.
type Func struct {
	Name   string
	File   *source.File
	Inputs []ValueID // of kind Input
	Values []Value   // Values[0] is no value
	Blocks []Block   // Blocks[0] is the entry: no parameters, no predecessors
	Names  []string  // by ValueID, for printing; may be short, empty means "v" and the ID
}

// A Module is the functions of one compilation or one text file.
type Module struct {
	Funcs []*Func
}

// NewFunc makes a function with room for about n values.
func NewFunc(name string, n int) *Func {
	return &Func{Name: name, Values: make([]Value, 1, n+1)}
}

// Add appends a value and returns its ID; the caller puts it into its block.
func (f *Func) Add(v Value) ValueID {
	f.Values = append(f.Values, v)
	return ValueID(len(f.Values) - 1)
}

// LinkPreds recomputes the predecessor lists from the terminators.
func (f *Func) LinkPreds() {
	for i := range f.Blocks {
		f.Blocks[i].Preds = f.Blocks[i].Preds[:0]
	}
	for i := range f.Blocks {
		for k, t := range f.Blocks[i].Term.Targets() {
			b := &f.Blocks[t.Block]
			b.Preds = append(b.Preds, EdgeRef{Block: int32(i), Succ: int8(k)})
		}
	}
}
