package peephole

import (
	"math/bits"

	"shoal/node"
	"shoal/node/types"
)

// A Pat is one side of a rule, or its condition: a tree of ops over variables and
// constants.
type Pat struct {
	Op   node.Op // of an inner node; OpInvalid for a leaf
	Leaf Leaf
	Var  int8   // index of the variable, for AnyNode and AnyConst
	Lit  int64  // for Literal
	Name string // of a variable or a computed constant, for printing
	Args []*Pat
	Once bool // of an inner node: it must have no other use, or the rule does not pay
	Free bool // of a variable for any node: but not a constant
	// Calc is the value of a Computed constant from its arguments at width w.
	Calc func(w types.Width, args []int64) int64
	// Range is what Calc can give for arguments in ranges; nil if they must be constants.
	Range rangeFunc
}

// A Leaf is what kind of leaf a pattern is.
type Leaf uint8

// The leaves.
const (
	NotLeaf  Leaf = iota
	AnyNode       // any value; the same variable twice means the same node twice
	AnyConst      // any integer constant
	Literal       // the constant Lit, cut to the width
	Computed      // the constant that Calc makes of constants; on the left side, of those matched before it
)

// The variables of patterns: X to V stand for any node, C to F for any constant. T is
// another name of V where it is a test.
var (
	X = &Pat{Leaf: AnyNode, Var: 0, Name: "x"}
	Y = &Pat{Leaf: AnyNode, Var: 1, Name: "y"}
	Z = &Pat{Leaf: AnyNode, Var: 2, Name: "z"}
	V = &Pat{Leaf: AnyNode, Var: 3, Name: "w"}
	T = &Pat{Leaf: AnyNode, Var: 3, Name: "t"}
	C = &Pat{Leaf: AnyConst, Var: 4, Name: "C"}
	D = &Pat{Leaf: AnyConst, Var: 5, Name: "D"}
	E = &Pat{Leaf: AnyConst, Var: 6, Name: "E"}
	F = &Pat{Leaf: AnyConst, Var: 7, Name: "F"}
)

// MaxVars is the number of variables that a pattern can have.
const MaxVars = 8

// Words that depend on the width: the width itself, its largest shift count, and the ends
// of the signed range.
var (
	Bits = Fn("W", func(w types.Width, _ []int64) int64 { return int64(w) })
	Last = Fn("W-1", func(w types.Width, _ []int64) int64 { return int64(w) - 1 })
	MIN  = Fn("MIN", func(w types.Width, _ []int64) int64 { return w.Min() })
	MAX  = Fn("MAX", func(w types.Width, _ []int64) int64 { return w.Max() })
)

// K is the constant c.
func K(c int64) *Pat { return &Pat{Leaf: Literal, Lit: c} }

// P is the pattern of an op over operands.
func P(op node.Op, args ...*Pat) *Pat { return &Pat{Op: op, Args: args} }

// Fn is a constant computed from constants; name is how the equation prints it.
func Fn(name string, calc func(w types.Width, args []int64) int64, args ...*Pat) *Pat {
	return &Pat{Leaf: Computed, Name: name, Calc: calc, Args: args}
}

// Fold is the constant value of an expression over constants, {C + D} in equations.
func Fold(p *Pat) *Pat {
	return &Pat{Leaf: Computed, Name: "{}", Args: []*Pat{p}, Calc: func(_ types.Width, args []int64) int64 { return args[0] }}
}

// Once is the inner pattern p for a node without other uses.
func Once(p *Pat) *Pat {
	q := *p
	q.Once = true
	return &q
}

// NoConst is the variable p for a node that is not a constant.
func NoConst(p *Pat) *Pat {
	q := *p
	q.Free = true
	return &q
}

// Pow2 is 1 if exactly one bit of c is set; MIN counts.
func Pow2(c *Pat) *Pat {
	return Fn("pow2", func(w types.Width, args []int64) int64 {
		if bits.OnesCount64(w.Unsigned(args[0])) == 1 {
			return 1
		}
		return 0
	}, c)
}

// Log2 is the number of zeros below the lowest bit of c: its logarithm if Pow2 holds.
func Log2(c *Pat) *Pat {
	return Fn("log2", func(w types.Width, args []int64) int64 {
		return int64(min(bits.TrailingZeros64(uint64(args[0])), int(w)))
	}, c)
}

// Ones is the constant with the low c bits set, 2^c - 1.
func Ones(c *Pat) *Pat {
	return Fn("ones", func(w types.Width, args []int64) int64 {
		return int64(lowMask(int(min(w.Unsigned(args[0]), uint64(w)))))
	}, c)
}

// AddFits is 1 if the sum of x and y does not wrap.
func AddFits(x, y *Pat) *Pat { return exact("addFits", sumFits, x, y) }

// MulFits is 1 if the product of x and y does not wrap.
func MulFits(x, y *Pat) *Pat { return exact("mulFits", productFits, x, y) }

// exact is the condition that an operation is exact; fits tells whether it is for all
// members of two ranges.
func exact(name string, fits func(w types.Width, a, b types.Type) bool, x, y *Pat) *Pat {
	p := Fn(name, func(w types.Width, args []int64) int64 {
		if fits(w, types.Const(args[0]), types.Const(args[1])) {
			return 1
		}
		return 0
	}, x, y)
	p.Range = func(w types.Width, a, b, _ types.Type) types.Type { return truthRange(fits(w, a, b), false) }
	return p
}

// The constructors of patterns, one for each pure op.
func Add(a, b *Pat) *Pat       { return P(node.OpAdd, a, b) }
func Sub(a, b *Pat) *Pat       { return P(node.OpSub, a, b) }
func Mul(a, b *Pat) *Pat       { return P(node.OpMul, a, b) }
func Div(a, b *Pat) *Pat       { return P(node.OpDiv, a, b) }
func Minus(a *Pat) *Pat        { return P(node.OpMinus, a) }
func EQ(a, b *Pat) *Pat        { return P(node.OpEQ, a, b) }
func LT(a, b *Pat) *Pat        { return P(node.OpLT, a, b) }
func LE(a, b *Pat) *Pat        { return P(node.OpLE, a, b) }
func Not(a *Pat) *Pat          { return P(node.OpNot, a) }
func And(a, b *Pat) *Pat       { return P(node.OpAnd, a, b) }
func Or(a, b *Pat) *Pat        { return P(node.OpOr, a, b) }
func Xor(a, b *Pat) *Pat       { return P(node.OpXor, a, b) }
func BitNot(a *Pat) *Pat       { return P(node.OpBitNot, a) }
func Shl(a, b *Pat) *Pat       { return P(node.OpShl, a, b) }
func Shr(a, b *Pat) *Pat       { return P(node.OpShr, a, b) }
func Sar(a, b *Pat) *Pat       { return P(node.OpSar, a, b) }
func Rem(a, b *Pat) *Pat       { return P(node.OpRem, a, b) }
func UDiv(a, b *Pat) *Pat      { return P(node.OpUDiv, a, b) }
func URem(a, b *Pat) *Pat      { return P(node.OpURem, a, b) }
func ULT(a, b *Pat) *Pat       { return P(node.OpULT, a, b) }
func ULE(a, b *Pat) *Pat       { return P(node.OpULE, a, b) }
func Select(c, a, b *Pat) *Pat { return P(node.OpSelect, c, a, b) }
func Min(a, b *Pat) *Pat       { return P(node.OpMin, a, b) }
func Max(a, b *Pat) *Pat       { return P(node.OpMax, a, b) }
func UMin(a, b *Pat) *Pat      { return P(node.OpUMin, a, b) }
func UMax(a, b *Pat) *Pat      { return P(node.OpUMax, a, b) }
func Abs(a *Pat) *Pat          { return P(node.OpAbs, a) }
func RotL(a, b *Pat) *Pat      { return P(node.OpRotL, a, b) }

// SX and ZX are the extensions of the low bits of a; bits is a constant variable or a
// computed constant.
func SX(bits, a *Pat) *Pat { return P(node.OpSignExt, a, bits) }

// ZX is the zero extension; see SX.
func ZX(bits, a *Pat) *Pat { return P(node.OpZeroExt, a, bits) }
