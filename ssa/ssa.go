package ssa

import (
	"slices"
	"strconv"

	"shoal/node"
	"shoal/node/types"
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
	Instr             // the operation Op in the body of Block and its result; a store has none

	// The kinds below occur only in the two other forms (package forms).
	Phi     // a merge in the body of Block; FormPhi: Aux is the index of its operands in Func.Phis
	Upsilon // no result: writes Args[0] to the shadow variable of the Phi Args[1]
	Shadow  // the shadow variable of Args[0], read as an operand by mistake (it breaks rule U2)
)

// A Form is a way to write the merge of values where control joins. Everything but
// package forms deals in FormArgs alone.
type Form uint8

// The forms (optimizations §C.14; the definitions are in doc.go).
const (
	FormArgs    Form = iota // block arguments
	FormPhi                 // phi nodes, keyed by predecessor
	FormUpsilon             // Upsilon writes a shadow variable, Phi reads it
	NumForms
)

var formNames = [NumForms]string{"args", "phi", "upsilon"}

// String is the name of the form in the header line of a text.
func (f Form) String() string { return formNames[f] }

// FormNamed finds a form by the name that String gives it.
func FormNamed(name string) (Form, bool) {
	for i, s := range formNames {
		if s == name {
			return Form(i), true
		}
	}
	return 0, false
}

// A Class says which kind of register a value belongs in.
type Class uint8

// The classes of values.
const (
	Word  Class = iota // an integer or a reference
	Float              // a floating-point number; constants have its bits in Aux
)

var classNames = [...]string{Word: "integer", Float: "float"}

// String names the class in messages.
func (c Class) String() string { return classNames[c] }

// A Value is a constant, an input, a block parameter or the result of an instruction.
type Value struct {
	Kind  ValueKind
	Op    node.Op // of an Instr: an op with the flag node.Pure, or New, Load or Store
	NArgs uint8
	Class Class
	Args  [3]ValueID // operands, in the order of the op's inputs
	Block int32      // index in Func.Blocks of the defining block; -1 for Const and Input
	Pos   source.Pos
	// Aux of a Const is the value, of an Input the index, of an Instr the number of bits (ops
	// with AuxBits), the types.Storage (Load, Store), the size in bytes (New without operand:
	// a struct) or the binary logarithm of the size of an element (New of an array).
	Aux int64
}

// Operands are the arguments of v as a slice.
func (v *Value) Operands() []ValueID { return v.Args[:v.NArgs] }

// HasBits tells whether v is of an op that takes a number of bits, in Aux.
func (v *Value) HasBits() bool { return v.Kind == Instr && v.Op.Info().Aux == node.AuxBits }

// HasResult tells whether v is something to use: all but stores and Upsilons are.
func (v *Value) HasResult() bool {
	return v.Kind.defines() && (v.Kind != Instr || v.Op != node.OpStore)
}

// Storage is how a Load or Store finds its value in memory.
func (v *Value) Storage() types.Storage { return types.Storage(v.Aux) }

// ResultClass is the class of what an instruction gives.
func (v *Value) ResultClass() Class {
	if v.Op.Is(node.FloatOut) || v.Op == node.OpLoad && v.Storage().IsFloat() {
		return Float
	}
	return Word
}

// OperandClass is the class that operand i of an instruction must have.
func (v *Value) OperandClass(i int) Class {
	if v.Op.Is(node.FloatIn) || v.Op == node.OpStore && i == storedValue && v.Storage().IsFloat() {
		return Float
	}
	return Word
}

// storedValue is the operand of a store that is stored, after reference and offset.
const storedValue = 2

// A TermKind is the kind of a block's end.
type TermKind uint8

// The kinds of terminators.
const (
	Ret  TermKind = iota // ret Arg
	Br                   // br Succs[0]
	Cbr                  // cbr Arg, Succs[0], Succs[1]: the first if Arg is not 0
	Fail                 // fault Fault, Arg, Arg2: ends the program; as many arguments as the fault has numbers
)

// A Target is one successor of a terminator with the arguments that it passes.
type Target struct {
	Block int32
	Args  []ValueID
}

// A Term ends a block.
type Term struct {
	Kind  TermKind
	Fault node.Fault
	Arg   ValueID // what Ret returns, what Cbr tests
	Arg2  ValueID
	Succs [2]Target
	Pos   source.Pos
}

// Targets are the successors of the terminator: none, one or two.
func (t *Term) Targets() []Target { return t.Succs[:successors[t.Kind]] }

var successors = [...]int{Ret: 0, Br: 1, Cbr: 2, Fail: 0}

// Operands are the values that the terminator itself uses, arguments of edges apart.
func (t *Term) Operands() []ValueID {
	n := 1
	switch t.Kind {
	case Br:
		n = 0
	case Fail:
		n = node.Faults[t.Fault].Numbers
	}
	return []ValueID{t.Arg, t.Arg2}[:n]
}

// An EdgeRef names a control-flow edge: successor Succ of block Block.
type EdgeRef struct {
	Block int32
	Succ  int8
}

// A Block is a basic block.
type Block struct {
	Name   string // unique in the function; empty means "b" and its index
	Pos    source.Pos
	Params []ValueID // of kind Param
	Body   []ValueID // of kind Instr (in other forms also Phi and Upsilon), in execution order
	Term   Term
	Preds  []EdgeRef // in order of block, then successor; kept by Func.LinkPreds
	Depth  int32     // loop depth: 0 outside of loops; a hint for allocation and layout
	Cold   bool      // seldom executed; a hint for layout

	// Missing marks a block that the text branches to but does not have: it breaks S4.
	Missing bool
}

// An Entry is one operand of a phi node: the value that comes from the block Pred.
type Entry struct {
	Pred  int32
	Value ValueID
}

// A Func is one function in strict SSA form.
type Func struct {
	Name   string
	File   *source.File
	Inputs []ValueID // of kind Input
	Values []Value   // Values[0] is no value
	Blocks []Block   // Blocks[0] is the entry: no parameters, no predecessors
	Names  []string  // by ValueID, for printing; unique (see UniqueNames); may be short, empty means "v" and the ID
	Form   Form
	Phis   [][]Entry // FormPhi only: the operands of each phi node, by Aux of its value
}

// A Module is the functions of one compilation or one text file.
type Module struct {
	Form  Form // of every function
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

// ValueName is the name of v in text.
func (f *Func) ValueName(v ValueID) string {
	if int(v) < len(f.Names) && f.Names[v] != "" {
		return f.Names[v]
	}
	return "v" + strconv.Itoa(int(v))
}

// SetName gives v a name, which must be unique in f.
func (f *Func) SetName(v ValueID, name string) {
	for len(f.Names) <= int(v) {
		f.Names = append(f.Names, "")
	}
	f.Names[v] = name
}

// BlockName is the name of block b in text.
func (f *Func) BlockName(b int32) string {
	if f.Blocks[b].Name != "" {
		return f.Blocks[b].Name
	}
	return "b" + strconv.Itoa(int(b))
}

// Clone copies f, so that the copy can be edited without f being touched.
func (f *Func) Clone() *Func {
	c := *f
	c.Inputs = slices.Clone(f.Inputs)
	c.Values = slices.Clone(f.Values)
	c.Names = slices.Clone(f.Names)
	c.Blocks = slices.Clone(f.Blocks)
	for i := range c.Blocks {
		b := &c.Blocks[i]
		b.Params, b.Body, b.Preds = slices.Clone(b.Params), slices.Clone(b.Body), slices.Clone(b.Preds)
		for k := range b.Term.Targets() {
			b.Term.Succs[k].Args = slices.Clone(b.Term.Succs[k].Args)
		}
	}
	c.Phis = slices.Clone(f.Phis)
	for i := range c.Phis {
		c.Phis[i] = slices.Clone(c.Phis[i])
	}
	return &c
}
