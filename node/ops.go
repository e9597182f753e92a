package node

import (
	"math"
	"math/bits"

	"shoal/node/types"
)

// An Op says what a Node does. Everything else about an op is its row in Ops.
type Op uint8

// The ops, in the order of the chapters that bring them. Control first.
const (
	OpInvalid Op = iota
	OpStart
	OpReturn
	OpStop
	OpIf
	OpNever
	OpRegion
	OpLoop
	OpCProj
	OpXCtrl
	OpProj
	OpPhi
	OpScope
	OpConstant
	OpAdd
	OpSub
	OpMul
	OpDiv
	OpMinus
	OpEQ
	OpLT
	OpLE
	OpNot
	OpAnd
	OpOr
	OpXor
	OpBitNot
	OpShl
	OpShr
	OpSar
	OpRem
	OpUDiv
	OpURem
	OpULT
	OpULE
	OpSelect
	OpMin
	OpMax
	OpUMin
	OpUMax
	OpAbs
	OpSignExt
	OpZeroExt
	OpRotL
	OpAddF
	OpSubF
	OpMulF
	OpDivF
	OpMinusF
	OpEQF
	OpLTF
	OpLEF
	OpToFloat
	OpRoundF32
	OpNew
	OpLoad
	OpStore
	OpCast
	OpReadOnly
	OpFault
	NumOps
)

// Aux says what the fields Node.Aux and Node.Sym hold for an op.
type Aux uint8

// The uses of Aux.
const (
	AuxNone   Aux = iota
	AuxIndex      // Aux is the index of the projection in its Multi, Sym its name
	AuxName       // Sym is the variable that the Phi merges
	AuxBits       // Aux is a number of bits, 1 to 64
	AuxField      // Sym is the field or element that is read or written
	AuxObject     // Sym is the struct or array type that is allocated
	AuxFault      // Aux is a Fault
)

// Flags are yes-or-no facts about an op.
type Flags uint16

// The flags of ops.
const (
	CFG      Flags = 1 << iota // it is a point of control
	Pinned                     // it belongs where its control input is and never floats
	Multi                      // its result is a tuple, taken apart by projections
	Commutes                   // the two operands may be exchanged
	Assoc                      // (x op y) op z = x op (y op z)
	Bool                       // the result is 0 or 1
	Pure                       // a function of its inputs alone, total: it has Eval
	Table                      // the parser's own table, not part of the program
	FloatIn                    // its operands are floating-point numbers, for Eval as their bits; w is 64
	FloatOut                   // its result is one
	Memory                     // it reads or writes memory, or makes room in it
)

// An OpInfo is one row of Ops, the only place where an op is described.
type OpInfo struct {
	Name  string // as in node tables and listings: "Add"
	Text  string // as in the one-line print, for operators: "+"
	Mnem  string // in linear SSA text: "add"; empty for ops that do not get there
	Doc   string // one sentence
	Since int    // the first chapter that knows it
	Arity int    // number of inputs, slot 0 (control) included; -1 if it varies
	Cost  int    // rough cycles; what rules may not make worse (optimizations §D.6)
	Aux   Aux
	Flags Flags
	// Eval is the meaning of a pure op on words of w bits (at most three operands, the
	// Aux of an op with AuxBits comes after them). Folding, both interpreters (w = 64)
	// and the rule prover (small w) all call it.
	Eval func(w types.Width, a, b, c int64) int64
}

// Ops has the row of each op.
var Ops = [NumOps]OpInfo{
	OpInvalid:  {Name: "Invalid", Doc: "no node: the mark of a killed one", Since: 1, Arity: 0},
	OpStart:    {Name: "Start", Doc: "entry of the function: a tuple of control, memory and the parameters", Since: 1, Arity: 0, Flags: CFG | Pinned | Multi},
	OpReturn:   {Name: "Return", Doc: "ends the function with a value: control, memory, value, and the states of memory that will be seen with a reference", Since: 1, Arity: -1, Flags: CFG | Pinned},
	OpStop:     {Name: "Stop", Doc: "collects the Returns of a function; slot 0 is not special", Since: 5, Arity: -1, Flags: CFG | Pinned},
	OpIf:       {Name: "If", Doc: "sends control to projection 0 if the predicate is not 0, else to projection 1", Since: 5, Arity: 2, Flags: CFG | Pinned | Multi},
	OpNever:    {Name: "Never", Doc: "an If that always takes projection 0 and pretends that it might not, so that an endless loop has a way to Stop", Since: 11, Arity: -1, Flags: CFG | Pinned | Multi},
	OpRegion:   {Name: "Region", Doc: "joins control: inputs 1 and up, one for each path", Since: 5, Arity: -1, Flags: CFG | Pinned},
	OpLoop:     {Name: "Loop", Doc: "a Region with an entry (input 1) and a back edge (input 2)", Since: 7, Arity: 3, Flags: CFG | Pinned},
	OpCProj:    {Name: "CProj", Doc: "a control projection of a Multi", Since: 4, Arity: 1, Aux: AuxIndex, Flags: CFG | Pinned},
	OpXCtrl:    {Name: "XCtrl", Doc: "dead control", Since: 6, Arity: 1, Flags: CFG | Pinned},
	OpProj:     {Name: "Proj", Doc: "a data projection of a Multi", Since: 4, Arity: 1, Aux: AuxIndex, Flags: Pinned},
	OpPhi:      {Name: "Phi", Doc: "the value that belongs to the path by which control came: Region, then a value for each path", Since: 5, Arity: -1, Aux: AuxName, Flags: Pinned},
	OpScope:    {Name: "Scope", Doc: "the parser's table: control, memory and the value of every variable in sight", Since: 3, Arity: -1, Flags: Table},
	OpConstant: {Name: "Constant", Mnem: "const", Doc: "a constant, the value of its type; hangs off Start only so that a walk finds it", Since: 1, Arity: 1, Cost: 0},

	OpAdd:   {Name: "Add", Text: "+", Mnem: "add", Doc: "the sum, wrapping", Since: 2, Arity: 3, Cost: 1, Flags: Pure | Commutes | Assoc, Eval: func(w types.Width, a, b, _ int64) int64 { return w.Wrap(a + b) }},
	OpSub:   {Name: "Sub", Text: "-", Mnem: "sub", Doc: "the difference, wrapping", Since: 2, Arity: 3, Cost: 1, Flags: Pure, Eval: func(w types.Width, a, b, _ int64) int64 { return w.Wrap(a - b) }},
	OpMul:   {Name: "Mul", Text: "*", Mnem: "mul", Doc: "the low word of the product", Since: 2, Arity: 3, Cost: 3, Flags: Pure | Commutes | Assoc, Eval: func(w types.Width, a, b, _ int64) int64 { return w.Wrap(a * b) }},
	OpDiv:   {Name: "Div", Text: "/", Mnem: "div", Doc: "the quotient truncated toward zero; x/0 = 0, MIN/-1 = MIN (semantics §2)", Since: 2, Arity: 3, Cost: 20, Flags: Pure, Eval: func(w types.Width, a, b, _ int64) int64 { return quotient(w, a, b) }},
	OpMinus: {Name: "Minus", Text: "-", Mnem: "neg", Doc: "the negation, wrapping", Since: 2, Arity: 2, Cost: 1, Flags: Pure, Eval: func(w types.Width, a, _, _ int64) int64 { return w.Wrap(-a) }},

	OpEQ:  {Name: "EQ", Text: "==", Mnem: "eq", Doc: "1 if equal, else 0", Since: 4, Arity: 3, Cost: 1, Flags: Pure | Commutes | Bool, Eval: func(_ types.Width, a, b, _ int64) int64 { return truth(a == b) }},
	OpLT:  {Name: "LT", Text: "<", Mnem: "lt", Doc: "1 if less, signed, else 0", Since: 4, Arity: 3, Cost: 1, Flags: Pure | Bool, Eval: func(_ types.Width, a, b, _ int64) int64 { return truth(a < b) }},
	OpLE:  {Name: "LE", Text: "<=", Mnem: "le", Doc: "1 if less or equal, signed, else 0", Since: 4, Arity: 3, Cost: 1, Flags: Pure | Bool, Eval: func(_ types.Width, a, b, _ int64) int64 { return truth(a <= b) }},
	OpNot: {Name: "Not", Text: "!", Mnem: "not", Doc: "logical not: 1 if the value is 0, else 0", Since: 4, Arity: 2, Cost: 1, Flags: Pure | Bool, Eval: func(_ types.Width, a, _, _ int64) int64 { return truth(a == 0) }},

	OpAnd:    {Name: "And", Text: "&", Mnem: "and", Doc: "bitwise and", Since: 14, Arity: 3, Cost: 1, Flags: Pure | Commutes | Assoc, Eval: func(_ types.Width, a, b, _ int64) int64 { return a & b }},
	OpOr:     {Name: "Or", Text: "|", Mnem: "or", Doc: "bitwise or", Since: 14, Arity: 3, Cost: 1, Flags: Pure | Commutes | Assoc, Eval: func(_ types.Width, a, b, _ int64) int64 { return a | b }},
	OpXor:    {Name: "Xor", Text: "^", Mnem: "xor", Doc: "bitwise exclusive or", Since: 14, Arity: 3, Cost: 1, Flags: Pure | Commutes | Assoc, Eval: func(_ types.Width, a, b, _ int64) int64 { return a ^ b }},
	OpBitNot: {Name: "BitNot", Text: "~", Mnem: "com", Doc: "bitwise complement", Since: 14, Arity: 2, Cost: 1, Flags: Pure, Eval: func(_ types.Width, a, _, _ int64) int64 { return ^a }},
	OpShl:    {Name: "Shl", Text: "<<", Mnem: "shl", Doc: "shift left, the count modulo the width", Since: 14, Arity: 3, Cost: 1, Flags: Pure, Eval: func(w types.Width, a, b, _ int64) int64 { return w.Wrap(a << w.Count(b)) }},
	OpShr:    {Name: "Shr", Text: ">>>", Mnem: "shr", Doc: "logical shift right, the count modulo the width", Since: 14, Arity: 3, Cost: 1, Flags: Pure, Eval: func(w types.Width, a, b, _ int64) int64 { return w.Wrap(int64(w.Unsigned(a) >> w.Count(b))) }},
	OpSar:    {Name: "Sar", Text: ">>", Mnem: "sar", Doc: "arithmetic shift right, the count modulo the width", Since: 14, Arity: 3, Cost: 1, Flags: Pure, Eval: func(w types.Width, a, b, _ int64) int64 { return a >> w.Count(b) }},

	OpRem:  {Name: "Rem", Text: "%", Mnem: "rem", Doc: "x - (x/y)*y: the remainder with the sign of the dividend; x%0 = x", Since: 24, Arity: 3, Cost: 21, Flags: Pure, Eval: func(w types.Width, a, b, _ int64) int64 { return w.Wrap(a - w.Wrap(quotient(w, a, b)*b)) }},
	OpUDiv: {Name: "UDiv", Text: "/u", Mnem: "udiv", Doc: "the unsigned quotient; x/0 = 0", Since: 24, Arity: 3, Cost: 20, Flags: Pure, Eval: func(w types.Width, a, b, _ int64) int64 { return unsignedQuotient(w, a, b) }},
	OpURem: {Name: "URem", Text: "%u", Mnem: "urem", Doc: "the unsigned remainder; x%0 = x", Since: 24, Arity: 3, Cost: 21, Flags: Pure, Eval: func(w types.Width, a, b, _ int64) int64 { return w.Wrap(a - w.Wrap(unsignedQuotient(w, a, b)*b)) }},
	OpULT:  {Name: "ULT", Text: "<u", Mnem: "ult", Doc: "1 if less, unsigned, else 0", Since: 24, Arity: 3, Cost: 1, Flags: Pure | Bool, Eval: func(w types.Width, a, b, _ int64) int64 { return truth(w.Unsigned(a) < w.Unsigned(b)) }},
	OpULE:  {Name: "ULE", Text: "<=u", Mnem: "ule", Doc: "1 if less or equal, unsigned, else 0", Since: 24, Arity: 3, Cost: 1, Flags: Pure | Bool, Eval: func(w types.Width, a, b, _ int64) int64 { return truth(w.Unsigned(a) <= w.Unsigned(b)) }},

	OpSelect: {Name: "Select", Text: "?", Mnem: "select", Doc: "the second operand if the first is not 0, else the third", Since: 24, Arity: 4, Cost: 2, Flags: Pure, Eval: func(_ types.Width, a, b, c int64) int64 {
		if a != 0 {
			return b
		}
		return c
	}},
	OpMin:  {Name: "Min", Text: "min", Mnem: "min", Doc: "the smaller, signed", Since: 24, Arity: 3, Cost: 2, Flags: Pure | Commutes | Assoc, Eval: func(_ types.Width, a, b, _ int64) int64 { return min(a, b) }},
	OpMax:  {Name: "Max", Text: "max", Mnem: "max", Doc: "the larger, signed", Since: 24, Arity: 3, Cost: 2, Flags: Pure | Commutes | Assoc, Eval: func(_ types.Width, a, b, _ int64) int64 { return max(a, b) }},
	OpUMin: {Name: "UMin", Text: "umin", Mnem: "umin", Doc: "the smaller, unsigned", Since: 24, Arity: 3, Cost: 2, Flags: Pure | Commutes | Assoc, Eval: func(w types.Width, a, b, _ int64) int64 { return w.Wrap(int64(min(w.Unsigned(a), w.Unsigned(b)))) }},
	OpUMax: {Name: "UMax", Text: "umax", Mnem: "umax", Doc: "the larger, unsigned", Since: 24, Arity: 3, Cost: 2, Flags: Pure | Commutes | Assoc, Eval: func(w types.Width, a, b, _ int64) int64 { return w.Wrap(int64(max(w.Unsigned(a), w.Unsigned(b)))) }},
	OpAbs:  {Name: "Abs", Text: "abs", Mnem: "abs", Doc: "the absolute value; that of MIN is MIN", Since: 24, Arity: 2, Cost: 2, Flags: Pure, Eval: func(w types.Width, a, _, _ int64) int64 { return w.Wrap(max(a, -a)) }},

	OpSignExt: {Name: "SignExt", Text: "sx", Mnem: "sx", Doc: "the low Aux bits, sign-extended", Since: 24, Arity: 2, Cost: 1, Aux: AuxBits, Flags: Pure, Eval: func(w types.Width, a, b, _ int64) int64 { return w.Wrap(lowBits(w, b).Wrap(a)) }},
	OpZeroExt: {Name: "ZeroExt", Text: "zx", Mnem: "zx", Doc: "the low Aux bits, zero-extended", Since: 24, Arity: 2, Cost: 1, Aux: AuxBits, Flags: Pure, Eval: func(w types.Width, a, b, _ int64) int64 { return w.Wrap(int64(lowBits(w, b).Unsigned(a))) }},
	OpRotL:    {Name: "RotL", Text: "rotl", Mnem: "rotl", Doc: "rotate left, the count modulo the width", Since: 24, Arity: 3, Cost: 1, Flags: Pure, Eval: rotateLeft},

	OpAddF:     {Name: "AddF", Text: "+", Mnem: "fadd", Doc: "the sum of floats, IEEE 754 binary64, rounded to nearest even", Since: 12, Arity: 3, Cost: 4, Flags: Pure | Commutes | FloatIn | FloatOut, Eval: float2(func(a, b float64) float64 { return a + b })},
	OpSubF:     {Name: "SubF", Text: "-", Mnem: "fsub", Doc: "the difference of floats", Since: 12, Arity: 3, Cost: 4, Flags: Pure | FloatIn | FloatOut, Eval: float2(func(a, b float64) float64 { return a - b })},
	OpMulF:     {Name: "MulF", Text: "*", Mnem: "fmul", Doc: "the product of floats", Since: 12, Arity: 3, Cost: 4, Flags: Pure | Commutes | FloatIn | FloatOut, Eval: float2(func(a, b float64) float64 { return a * b })},
	OpDivF:     {Name: "DivF", Text: "/", Mnem: "fdiv", Doc: "the quotient of floats; x/0.0 is an infinity or NaN", Since: 12, Arity: 3, Cost: 13, Flags: Pure | FloatIn | FloatOut, Eval: float2(func(a, b float64) float64 { return a / b })},
	OpMinusF:   {Name: "MinusF", Text: "-", Mnem: "fneg", Doc: "the float with the other sign", Since: 12, Arity: 2, Cost: 1, Flags: Pure | FloatIn | FloatOut, Eval: func(_ types.Width, a, _, _ int64) int64 { return a ^ math.MinInt64 }},
	OpEQF:      {Name: "EQF", Text: "==", Mnem: "feq", Doc: "1 if the floats are equal, else 0; NaN equals nothing, -0.0 equals 0.0", Since: 12, Arity: 3, Cost: 3, Flags: Pure | Commutes | Bool | FloatIn, Eval: compare2(func(a, b float64) bool { return a == b })},
	OpLTF:      {Name: "LTF", Text: "<", Mnem: "flt", Doc: "1 if the float is less, else 0; 0 with NaN", Since: 12, Arity: 3, Cost: 3, Flags: Pure | Bool | FloatIn, Eval: compare2(func(a, b float64) bool { return a < b })},
	OpLEF:      {Name: "LEF", Text: "<=", Mnem: "fle", Doc: "1 if the float is less or equal, else 0; 0 with NaN", Since: 12, Arity: 3, Cost: 3, Flags: Pure | Bool | FloatIn, Eval: compare2(func(a, b float64) bool { return a <= b })},
	OpToFloat:  {Name: "ToFloat", Text: "(flt)", Mnem: "i2f", Doc: "the integer as a float, rounded to nearest even", Since: 12, Arity: 2, Cost: 4, Flags: Pure | FloatOut, Eval: func(_ types.Width, a, _, _ int64) int64 { return floatBits(float64(a)) }},
	OpRoundF32: {Name: "RoundF32", Text: "(f32)", Mnem: "f32", Doc: "the float rounded to binary32", Since: 14, Arity: 2, Cost: 8, Flags: Pure | FloatIn | FloatOut, Eval: func(_ types.Width, a, _, _ int64) int64 { return floatBits(float64(float32(floatOf(a)))) }},

	OpNew:      {Name: "New", Mnem: "new", Doc: "an object of zeros that nobody had before: control, length of an array; memory was zero there before, so no state of it changes", Since: 10, Arity: -1, Cost: 10, Aux: AuxObject, Flags: Pinned | Memory},
	OpLoad:     {Name: "Load", Mnem: "load", Doc: "what is in memory: control, memory, reference, offset in bytes", Since: 10, Arity: 4, Cost: 4, Aux: AuxField, Flags: Memory},
	OpStore:    {Name: "Store", Mnem: "store", Doc: "memory with a place changed: control, memory, reference, offset in bytes, value", Since: 10, Arity: 5, Cost: 2, Aux: AuxField, Flags: Memory},
	OpCast:     {Name: "Cast", Doc: "a value that the control it hangs off has found to be neither 0 nor null", Since: 10, Arity: 2, Flags: Pinned},
	OpReadOnly: {Name: "ReadOnly", Doc: "a reference through which nothing may be changed", Since: 17, Arity: 2},
	OpFault:    {Name: "Fault", Mnem: "fault", Doc: "ends the program with a message (semantics §10): control, memory, numbers of the message", Since: 15, Arity: -1, Aux: AuxFault, Flags: CFG | Pinned},
}

// Info returns the row of op.
func (op Op) Info() *OpInfo { return &Ops[op] }

// Is tells whether op has all of the flags f.
func (op Op) Is(f Flags) bool { return Ops[op].Flags&f == f }

func (op Op) String() string { return Ops[op].Name }

func truth(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

func quotient(w types.Width, a, b int64) int64 {
	switch b {
	case 0:
		return 0
	case -1:
		return w.Wrap(-a) // MIN / -1 = MIN, without the host's own trap or rule
	}
	return a / b
}

func unsignedQuotient(w types.Width, a, b int64) int64 {
	if b == 0 {
		return 0
	}
	return w.Wrap(int64(w.Unsigned(a) / w.Unsigned(b)))
}

// lowBits is the width of the low part that an extension keeps, at most the whole word.
func lowBits(w types.Width, k int64) types.Width { return min(w, types.Width(k)) }

func rotateLeft(w types.Width, a, b, _ int64) int64 {
	if w == 64 {
		return int64(bits.RotateLeft64(uint64(a), int(w.Count(b))))
	}
	k, u := w.Count(b), w.Unsigned(a)
	return w.Wrap(int64(u<<k | u>>(uint(w)-k)))
}

func floatOf(x int64) float64 { return math.Float64frombits(uint64(x)) }

// floatBits are the bits of x; all NaNs are one, since nobody can tell them apart.
func floatBits(x float64) int64 {
	if x != x {
		x = math.NaN()
	}
	return int64(math.Float64bits(x))
}

func float2(f func(a, b float64) float64) func(w types.Width, a, b, c int64) int64 {
	return func(_ types.Width, a, b, _ int64) int64 { return floatBits(f(floatOf(a), floatOf(b))) }
}

func compare2(f func(a, b float64) bool) func(w types.Width, a, b, c int64) int64 {
	return func(_ types.Width, a, b, _ int64) int64 { return truth(f(floatOf(a), floatOf(b))) }
}
