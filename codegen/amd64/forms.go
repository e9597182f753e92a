package amd64

import "shoal/codegen/mach"

// The ops: the rows of forms. A suffix names the operands: R register, I immediate,
// M address, C the count in cl; a number is a width other than 64 bits.
const (
	Invalid uint16 = iota

	// Pseudo-instructions: Frame replaces all but Inputs, which is no code.
	Inputs
	LoadInput
	LoadInputF
	Reload
	Spill
	ReloadF
	SpillF
	DivTotal
	UDivTotal
	CmovF
	NewObject
	NewArray

	MovRR
	Mov32RR
	Mov32RI
	MovRI
	MovAbs
	Zero
	Xchg
	Movzx8
	Movzx16
	Movsx8
	Movsx16
	Movsxd
	Lea

	AddRR
	SubRR
	AndRR
	OrRR
	XorRR
	CmpRR
	TestRR
	Add32RR
	Sub32RR
	And32RR
	Or32RR
	Xor32RR
	Cmp32RR
	Test32RR
	AddRI
	SubRI
	AndRI
	OrRI
	XorRI
	CmpRI
	TestRI
	Add32RI
	Sub32RI
	And32RI
	Or32RI
	Xor32RI
	Cmp32RI
	Test32RI
	Test8RI
	AddRM
	SubRM
	AndRM
	OrRM
	XorRM
	CmpRM
	Cmp32RM
	AddMR
	SubMR
	AndMR
	OrMR
	XorMR
	CmpMR
	TestMR
	AddMI
	SubMI
	AndMI
	OrMI
	XorMI
	CmpMI
	Cmp32MI
	Cmp8MI
	Add32MR
	Sub32MR
	And32MR
	Or32MR
	Xor32MR
	Add32MI
	Sub32MI
	And32MI
	Or32MI
	Xor32MI
	Add16MR
	Sub16MR
	And16MR
	Or16MR
	Xor16MR
	Add16MI
	Sub16MI
	And16MI
	Or16MI
	Xor16MI
	Add8MR
	Sub8MR
	And8MR
	Or8MR
	Xor8MR
	Add8MI
	Sub8MI
	And8MI
	Or8MI
	Xor8MI
	Test8MI
	Test32MI

	Inc
	Dec
	Neg
	Not
	ImulRR
	ImulRRI
	ImulRM
	Imul1
	Mul1
	Idiv
	Div
	Idiv32
	Div32
	Cqo
	Cdq

	ShlRI
	ShrRI
	SarRI
	RolRI
	RorRI
	Shl32RI
	Shr32RI
	ShlRC
	ShrRC
	SarRC
	RolRC
	BtRR
	BtRI

	Setcc
	Cmovcc

	Load64
	Load32
	LoadU8
	LoadU16
	LoadS8
	LoadS16
	LoadS32
	Store64
	Store32
	Store16
	Store8
	Store64I
	Store32I
	Store16I
	Store8I

	MovapsRR
	LoadF64
	StoreF64
	LoadF32
	StoreF32
	MovqRX
	MovqXR
	ZeroF
	XorpsRR
	XorpsRM
	AddsdRR
	SubsdRR
	MulsdRR
	DivsdRR
	MinsdRR
	MaxsdRR
	AddsdRM
	SubsdRM
	MulsdRM
	DivsdRM
	UcomisdRR
	UcomisdRM
	Cvtsi2sdRR
	Cvtsi2sdRM
	Cvtsd2ss
	Cvtss2sd

	Push
	Pop
	Jmp
	Jcc
	JmpR
	Call
	CallR
	Fault
	Ret
	RetVal
	RetValF
	Ud2
	Syscall

	numOps
)

// flagUse says what an instruction does with the flags.
type flagUse uint8

const (
	readsFlags  flagUse = 1 << iota
	writesFlags         // all of them, or some and ruins others
)

// A form is one row of forms: how an instruction is written, encoded and constrained.
type form struct {
	name   string  // mnemonic; a condition follows where the form has one
	doc    string  // one sentence
	code   string  // opcode bytes, after the prefixes
	short  byte    // the opcode instead if Imm, or the distance, fits a signed byte; 0 if none
	prefix byte    // 66, F2 or F3, which come before REX; 0 if none
	w      bool    // REX.W
	cond   bool    // Cond is added to the opcode's last byte
	imm    uint8   // bytes of the immediate
	digit  byte    // ModRM.reg, where no register stands there
	layout layout  // the roles of Args and their places in the encoding
	size   uint8   // bits of the register operands
	src    uint8   // bits of the rm operand if it differs; 0 if not
	flags  flagUse //
}

// forms has the row of each op. Opcodes are those of Intel's manual, volume 2.
var forms = [numOps]form{
	Invalid: {name: "invalid", doc: "no instruction"},

	Inputs:     {name: "inputs", doc: "defines what the calling convention passes in registers; no code", layout: free},
	LoadInput:  {name: "loadinput", doc: "loads an input from the caller's part of the stack, Disp bytes above the first", layout: load, size: 64, w: true, code: "\x8b"},
	LoadInputF: {name: "loadinputf", doc: "loads an input from the caller's part of the stack, Disp bytes above the first", layout: load, size: 128, prefix: 0xf2, code: "\x0f\x10"},
	Reload:     {name: "reload", doc: "loads spill slot Disp", layout: load, size: 64, w: true, code: "\x8b"},
	Spill:      {name: "spill", doc: "stores to spill slot Disp", layout: store, size: 64, w: true, code: "\x89"},
	ReloadF:    {name: "reloadf", doc: "loads spill slot Disp", layout: load, size: 128, prefix: 0xf2, code: "\x0f\x10"},
	SpillF:     {name: "spillf", doc: "stores to spill slot Disp", layout: store, size: 128, prefix: 0xf2, code: "\x0f\x11"},
	DivTotal:   {name: "divtotal", doc: "rax = rax / y, rdx = rax % y, signed, for any y", layout: divTotal, size: 64, flags: writesFlags},
	UDivTotal:  {name: "udivtotal", doc: "rax = rax / y, rdx = rax % y, unsigned, for any y", layout: divTotal, size: 64, flags: writesFlags},
	CmovF:      {name: "cmovf", doc: "copies a float if the condition holds", layout: floatChoice, size: 128, flags: readsFlags},
	NewObject:  {name: "new", doc: "room for Imm bytes; the second register is a temporary", layout: newObject, size: 64, flags: writesFlags},
	NewArray:   {name: "newarray", doc: "room for an array of so many elements, of 1 << Imm bytes each; the second register is a temporary", layout: newArray, size: 64, flags: writesFlags},

	MovRR:   {name: "mov", doc: "copy", code: "\x89", layout: moveMR, size: 64, w: true},
	Mov32RR: {name: "mov", doc: "copies the low half, clears the high half", code: "\x89", layout: moveMR, size: 32},
	Mov32RI: {name: "mov", doc: "unsigned 32-bit constant", code: "\xb8", layout: plusDef, imm: 4, size: 32},
	MovRI:   {name: "mov", doc: "signed 32-bit constant", code: "\xc7", layout: rmDef, imm: 4, size: 64, w: true},
	MovAbs:  {name: "movabs", doc: "64-bit constant", code: "\xb8", layout: plusDef, imm: 8, size: 64, w: true},
	Zero:    {name: "xor", doc: "the constant 0", code: "\x31", layout: twiceDef, size: 32, flags: writesFlags},
	Xchg:    {name: "xchg", doc: "swaps two registers", code: "\x87", layout: swap, size: 64, w: true},
	Movzx8:  {name: "movzx", doc: "zero-extends 8 bits", code: "\x0f\xb6", layout: moveRM, size: 32, src: 8},
	Movzx16: {name: "movzx", doc: "zero-extends 16 bits", code: "\x0f\xb7", layout: moveRM, size: 32, src: 16},
	Movsx8:  {name: "movsx", doc: "sign-extends 8 bits", code: "\x0f\xbe", layout: moveRM, size: 64, src: 8, w: true},
	Movsx16: {name: "movsx", doc: "sign-extends 16 bits", code: "\x0f\xbf", layout: moveRM, size: 64, src: 16, w: true},
	Movsxd:  {name: "movsxd", doc: "sign-extends 32 bits", code: "\x63", layout: moveRM, size: 64, src: 32, w: true},
	Lea:     {name: "lea", doc: "the address itself: a sum that leaves flags and operands alone", code: "\x8d", layout: load, size: 64, w: true},

	AddRR:    {name: "add", doc: "sum", code: "\x01", layout: twoMR, size: 64, w: true, flags: writesFlags},
	SubRR:    {name: "sub", doc: "difference", code: "\x29", layout: twoMR, size: 64, w: true, flags: writesFlags},
	AndRR:    {name: "and", doc: "bitwise and", code: "\x21", layout: twoMR, size: 64, w: true, flags: writesFlags},
	OrRR:     {name: "or", doc: "bitwise or", code: "\x09", layout: twoMR, size: 64, w: true, flags: writesFlags},
	XorRR:    {name: "xor", doc: "bitwise exclusive or", code: "\x31", layout: twoMR, size: 64, w: true, flags: writesFlags},
	CmpRR:    {name: "cmp", doc: "flags of the difference", code: "\x39", layout: testMR, size: 64, w: true, flags: writesFlags},
	TestRR:   {name: "test", doc: "flags of the and", code: "\x85", layout: testMR, size: 64, w: true, flags: writesFlags},
	Add32RR:  {name: "add", doc: "sum of the low halves", code: "\x01", layout: twoMR, size: 32, flags: writesFlags},
	Sub32RR:  {name: "sub", doc: "difference of the low halves", code: "\x29", layout: twoMR, size: 32, flags: writesFlags},
	And32RR:  {name: "and", doc: "bitwise and of the low halves", code: "\x21", layout: twoMR, size: 32, flags: writesFlags},
	Or32RR:   {name: "or", doc: "bitwise or of the low halves", code: "\x09", layout: twoMR, size: 32, flags: writesFlags},
	Xor32RR:  {name: "xor", doc: "bitwise exclusive or of the low halves", code: "\x31", layout: twoMR, size: 32, flags: writesFlags},
	Cmp32RR:  {name: "cmp", doc: "flags of the difference of the low halves", code: "\x39", layout: testMR, size: 32, flags: writesFlags},
	Test32RR: {name: "test", doc: "flags of the and of the low halves", code: "\x85", layout: testMR, size: 32, flags: writesFlags},

	AddRI:    {name: "add", doc: "sum with a constant", code: "\x81", short: 0x83, digit: 0, imm: 4, layout: twoM, size: 64, w: true, flags: writesFlags},
	SubRI:    {name: "sub", doc: "difference with a constant", code: "\x81", short: 0x83, digit: 5, imm: 4, layout: twoM, size: 64, w: true, flags: writesFlags},
	AndRI:    {name: "and", doc: "bitwise and with a constant", code: "\x81", short: 0x83, digit: 4, imm: 4, layout: twoM, size: 64, w: true, flags: writesFlags},
	OrRI:     {name: "or", doc: "bitwise or with a constant", code: "\x81", short: 0x83, digit: 1, imm: 4, layout: twoM, size: 64, w: true, flags: writesFlags},
	XorRI:    {name: "xor", doc: "bitwise exclusive or with a constant", code: "\x81", short: 0x83, digit: 6, imm: 4, layout: twoM, size: 64, w: true, flags: writesFlags},
	CmpRI:    {name: "cmp", doc: "flags of the difference with a constant", code: "\x81", short: 0x83, digit: 7, imm: 4, layout: testM, size: 64, w: true, flags: writesFlags},
	TestRI:   {name: "test", doc: "flags of the and with a constant", code: "\xf7", digit: 0, imm: 4, layout: testM, size: 64, w: true, flags: writesFlags},
	Add32RI:  {name: "add", doc: "sum with a constant, low half", code: "\x81", short: 0x83, digit: 0, imm: 4, layout: twoM, size: 32, flags: writesFlags},
	Sub32RI:  {name: "sub", doc: "difference with a constant, low half", code: "\x81", short: 0x83, digit: 5, imm: 4, layout: twoM, size: 32, flags: writesFlags},
	And32RI:  {name: "and", doc: "bitwise and with a constant, low half", code: "\x81", short: 0x83, digit: 4, imm: 4, layout: twoM, size: 32, flags: writesFlags},
	Or32RI:   {name: "or", doc: "bitwise or with a constant, low half", code: "\x81", short: 0x83, digit: 1, imm: 4, layout: twoM, size: 32, flags: writesFlags},
	Xor32RI:  {name: "xor", doc: "bitwise exclusive or with a constant, low half", code: "\x81", short: 0x83, digit: 6, imm: 4, layout: twoM, size: 32, flags: writesFlags},
	Cmp32RI:  {name: "cmp", doc: "flags of the difference with a constant, low half", code: "\x81", short: 0x83, digit: 7, imm: 4, layout: testM, size: 32, flags: writesFlags},
	Test32RI: {name: "test", doc: "flags of the and with a constant, low half", code: "\xf7", digit: 0, imm: 4, layout: testM, size: 32, flags: writesFlags},
	Test8RI:  {name: "test", doc: "flags of the and with a constant, low byte", code: "\xf6", digit: 0, imm: 1, layout: testM, size: 8, flags: writesFlags},

	AddRM:    {name: "add", doc: "sum with memory", code: "\x03", layout: twoRA, size: 64, w: true, flags: writesFlags},
	SubRM:    {name: "sub", doc: "difference with memory", code: "\x2b", layout: twoRA, size: 64, w: true, flags: writesFlags},
	AndRM:    {name: "and", doc: "bitwise and with memory", code: "\x23", layout: twoRA, size: 64, w: true, flags: writesFlags},
	OrRM:     {name: "or", doc: "bitwise or with memory", code: "\x0b", layout: twoRA, size: 64, w: true, flags: writesFlags},
	XorRM:    {name: "xor", doc: "bitwise exclusive or with memory", code: "\x33", layout: twoRA, size: 64, w: true, flags: writesFlags},
	CmpRM:    {name: "cmp", doc: "flags of register minus memory", code: "\x3b", layout: testRA, size: 64, w: true, flags: writesFlags},
	Cmp32RM:  {name: "cmp", doc: "flags of register minus memory, 32 bits", code: "\x3b", layout: testRA, size: 32, flags: writesFlags},
	AddMR:    {name: "add", doc: "adds to memory", code: "\x01", layout: store, size: 64, w: true, flags: writesFlags},
	SubMR:    {name: "sub", doc: "subtracts from memory", code: "\x29", layout: store, size: 64, w: true, flags: writesFlags},
	AndMR:    {name: "and", doc: "bitwise and into memory", code: "\x21", layout: store, size: 64, w: true, flags: writesFlags},
	OrMR:     {name: "or", doc: "bitwise or into memory", code: "\x09", layout: store, size: 64, w: true, flags: writesFlags},
	XorMR:    {name: "xor", doc: "bitwise exclusive or into memory", code: "\x31", layout: store, size: 64, w: true, flags: writesFlags},
	CmpMR:    {name: "cmp", doc: "flags of memory minus register", code: "\x39", layout: store, size: 64, w: true, flags: writesFlags},
	TestMR:   {name: "test", doc: "flags of the and of memory and register", code: "\x85", layout: store, size: 64, w: true, flags: writesFlags},
	AddMI:    {name: "add", doc: "adds a constant to memory", code: "\x81", short: 0x83, digit: 0, imm: 4, layout: onlyA, size: 64, w: true, flags: writesFlags},
	SubMI:    {name: "sub", doc: "subtracts a constant from memory", code: "\x81", short: 0x83, digit: 5, imm: 4, layout: onlyA, size: 64, w: true, flags: writesFlags},
	AndMI:    {name: "and", doc: "bitwise and of a constant into memory", code: "\x81", short: 0x83, digit: 4, imm: 4, layout: onlyA, size: 64, w: true, flags: writesFlags},
	OrMI:     {name: "or", doc: "bitwise or of a constant into memory", code: "\x81", short: 0x83, digit: 1, imm: 4, layout: onlyA, size: 64, w: true, flags: writesFlags},
	XorMI:    {name: "xor", doc: "bitwise exclusive or of a constant into memory", code: "\x81", short: 0x83, digit: 6, imm: 4, layout: onlyA, size: 64, w: true, flags: writesFlags},
	CmpMI:    {name: "cmp", doc: "flags of memory minus a constant", code: "\x81", short: 0x83, digit: 7, imm: 4, layout: onlyA, size: 64, w: true, flags: writesFlags},
	Cmp32MI:  {name: "cmp", doc: "flags of memory minus a constant, 32 bits", code: "\x81", short: 0x83, digit: 7, imm: 4, layout: onlyA, size: 32, flags: writesFlags},
	Cmp8MI:   {name: "cmp", doc: "flags of memory minus a constant, 8 bits", code: "\x80", digit: 7, imm: 1, layout: onlyA, size: 8, flags: writesFlags},
	Add32MR:  {name: "add", doc: "adds to memory, 32 bits", code: "\x01", layout: store, size: 32, flags: writesFlags},
	Sub32MR:  {name: "sub", doc: "subtracts from memory, 32 bits", code: "\x29", layout: store, size: 32, flags: writesFlags},
	And32MR:  {name: "and", doc: "bitwise and into memory, 32 bits", code: "\x21", layout: store, size: 32, flags: writesFlags},
	Or32MR:   {name: "or", doc: "bitwise or into memory, 32 bits", code: "\x09", layout: store, size: 32, flags: writesFlags},
	Xor32MR:  {name: "xor", doc: "bitwise exclusive or into memory, 32 bits", code: "\x31", layout: store, size: 32, flags: writesFlags},
	Add32MI:  {name: "add", doc: "adds a constant to memory, 32 bits", code: "\x81", short: 0x83, digit: 0, imm: 4, layout: onlyA, size: 32, flags: writesFlags},
	Sub32MI:  {name: "sub", doc: "subtracts a constant from memory, 32 bits", code: "\x81", short: 0x83, digit: 5, imm: 4, layout: onlyA, size: 32, flags: writesFlags},
	And32MI:  {name: "and", doc: "bitwise and of a constant into memory, 32 bits", code: "\x81", short: 0x83, digit: 4, imm: 4, layout: onlyA, size: 32, flags: writesFlags},
	Or32MI:   {name: "or", doc: "bitwise or of a constant into memory, 32 bits", code: "\x81", short: 0x83, digit: 1, imm: 4, layout: onlyA, size: 32, flags: writesFlags},
	Xor32MI:  {name: "xor", doc: "bitwise exclusive or of a constant into memory, 32 bits", code: "\x81", short: 0x83, digit: 6, imm: 4, layout: onlyA, size: 32, flags: writesFlags},
	Add16MR:  {name: "add", doc: "adds to memory, 16 bits", code: "\x01", layout: store, size: 16, prefix: 0x66, flags: writesFlags},
	Sub16MR:  {name: "sub", doc: "subtracts from memory, 16 bits", code: "\x29", layout: store, size: 16, prefix: 0x66, flags: writesFlags},
	And16MR:  {name: "and", doc: "bitwise and into memory, 16 bits", code: "\x21", layout: store, size: 16, prefix: 0x66, flags: writesFlags},
	Or16MR:   {name: "or", doc: "bitwise or into memory, 16 bits", code: "\x09", layout: store, size: 16, prefix: 0x66, flags: writesFlags},
	Xor16MR:  {name: "xor", doc: "bitwise exclusive or into memory, 16 bits", code: "\x31", layout: store, size: 16, prefix: 0x66, flags: writesFlags},
	Add16MI:  {name: "add", doc: "adds a constant to memory, 16 bits (a signed byte)", code: "\x83", digit: 0, imm: 1, layout: onlyA, size: 16, prefix: 0x66, flags: writesFlags},
	Sub16MI:  {name: "sub", doc: "subtracts a constant from memory, 16 bits (a signed byte)", code: "\x83", digit: 5, imm: 1, layout: onlyA, size: 16, prefix: 0x66, flags: writesFlags},
	And16MI:  {name: "and", doc: "bitwise and of a constant into memory, 16 bits (a signed byte)", code: "\x83", digit: 4, imm: 1, layout: onlyA, size: 16, prefix: 0x66, flags: writesFlags},
	Or16MI:   {name: "or", doc: "bitwise or of a constant into memory, 16 bits (a signed byte)", code: "\x83", digit: 1, imm: 1, layout: onlyA, size: 16, prefix: 0x66, flags: writesFlags},
	Xor16MI:  {name: "xor", doc: "bitwise exclusive or of a constant into memory, 16 bits (a signed byte)", code: "\x83", digit: 6, imm: 1, layout: onlyA, size: 16, prefix: 0x66, flags: writesFlags},
	Add8MR:   {name: "add", doc: "adds to memory, 8 bits", code: "\x00", layout: store, size: 8, flags: writesFlags},
	Sub8MR:   {name: "sub", doc: "subtracts from memory, 8 bits", code: "\x28", layout: store, size: 8, flags: writesFlags},
	And8MR:   {name: "and", doc: "bitwise and into memory, 8 bits", code: "\x20", layout: store, size: 8, flags: writesFlags},
	Or8MR:    {name: "or", doc: "bitwise or into memory, 8 bits", code: "\x08", layout: store, size: 8, flags: writesFlags},
	Xor8MR:   {name: "xor", doc: "bitwise exclusive or into memory, 8 bits", code: "\x30", layout: store, size: 8, flags: writesFlags},
	Add8MI:   {name: "add", doc: "adds a constant to memory, 8 bits", code: "\x80", digit: 0, imm: 1, layout: onlyA, size: 8, flags: writesFlags},
	Sub8MI:   {name: "sub", doc: "subtracts a constant from memory, 8 bits", code: "\x80", digit: 5, imm: 1, layout: onlyA, size: 8, flags: writesFlags},
	And8MI:   {name: "and", doc: "bitwise and of a constant into memory, 8 bits", code: "\x80", digit: 4, imm: 1, layout: onlyA, size: 8, flags: writesFlags},
	Or8MI:    {name: "or", doc: "bitwise or of a constant into memory, 8 bits", code: "\x80", digit: 1, imm: 1, layout: onlyA, size: 8, flags: writesFlags},
	Xor8MI:   {name: "xor", doc: "bitwise exclusive or of a constant into memory, 8 bits", code: "\x80", digit: 6, imm: 1, layout: onlyA, size: 8, flags: writesFlags},
	Test8MI:  {name: "test", doc: "flags of the and of memory and a constant, 8 bits", code: "\xf6", digit: 0, imm: 1, layout: onlyA, size: 8, flags: writesFlags},
	Test32MI: {name: "test", doc: "flags of the and of memory and a constant, 32 bits", code: "\xf7", digit: 0, imm: 4, layout: onlyA, size: 32, flags: writesFlags},

	Inc:     {name: "inc", doc: "adds 1", code: "\xff", digit: 0, layout: twoM, size: 64, w: true, flags: writesFlags},
	Dec:     {name: "dec", doc: "subtracts 1", code: "\xff", digit: 1, layout: twoM, size: 64, w: true, flags: writesFlags},
	Neg:     {name: "neg", doc: "negation", code: "\xf7", digit: 3, layout: twoM, size: 64, w: true, flags: writesFlags},
	Not:     {name: "not", doc: "bitwise complement; flags stay", code: "\xf7", digit: 2, layout: twoM, size: 64, w: true},
	ImulRR:  {name: "imul", doc: "low half of the product", code: "\x0f\xaf", layout: twoRM, size: 64, w: true, flags: writesFlags},
	ImulRRI: {name: "imul", doc: "low half of the product with a constant, to another register", code: "\x69", short: 0x6b, imm: 4, layout: moveRM, size: 64, w: true, flags: writesFlags},
	ImulRM:  {name: "imul", doc: "low half of the product with memory", code: "\x0f\xaf", layout: twoRA, size: 64, w: true, flags: writesFlags},
	Imul1:   {name: "imul", doc: "signed product rdx:rax", code: "\xf7", digit: 5, layout: mulM, size: 64, w: true, flags: writesFlags},
	Mul1:    {name: "mul", doc: "unsigned product rdx:rax", code: "\xf7", digit: 4, layout: mulM, size: 64, w: true, flags: writesFlags},
	Idiv:    {name: "idiv", doc: "signed quotient rax and remainder rdx of rdx:rax; traps on 0 and overflow", code: "\xf7", digit: 7, layout: divM, size: 64, w: true, flags: writesFlags},
	Div:     {name: "div", doc: "unsigned quotient rax and remainder rdx of rdx:rax; traps on 0 and overflow", code: "\xf7", digit: 6, layout: divM, size: 64, w: true, flags: writesFlags},
	Idiv32:  {name: "idiv", doc: "the same in 32 bits, of edx:eax", code: "\xf7", digit: 7, layout: divM, size: 32, flags: writesFlags},
	Div32:   {name: "div", doc: "the same in 32 bits, of edx:eax", code: "\xf7", digit: 6, layout: divM, size: 32, flags: writesFlags},
	Cqo:     {name: "cqo", doc: "fills rdx with the sign of rax", code: "\x99", layout: widen, size: 64, w: true},
	Cdq:     {name: "cdq", doc: "fills edx with the sign of eax", code: "\x99", layout: widen, size: 32},

	ShlRI:   {name: "shl", doc: "shift left by a constant", code: "\xc1", digit: 4, imm: 1, layout: twoM, size: 64, w: true, flags: writesFlags},
	ShrRI:   {name: "shr", doc: "logical shift right by a constant", code: "\xc1", digit: 5, imm: 1, layout: twoM, size: 64, w: true, flags: writesFlags},
	SarRI:   {name: "sar", doc: "arithmetic shift right by a constant", code: "\xc1", digit: 7, imm: 1, layout: twoM, size: 64, w: true, flags: writesFlags},
	RolRI:   {name: "rol", doc: "rotate left by a constant", code: "\xc1", digit: 0, imm: 1, layout: twoM, size: 64, w: true, flags: writesFlags},
	RorRI:   {name: "ror", doc: "rotate right by a constant", code: "\xc1", digit: 1, imm: 1, layout: twoM, size: 64, w: true, flags: writesFlags},
	Shl32RI: {name: "shl", doc: "shift left by a constant, low half", code: "\xc1", digit: 4, imm: 1, layout: twoM, size: 32, flags: writesFlags},
	Shr32RI: {name: "shr", doc: "logical shift right by a constant, low half", code: "\xc1", digit: 5, imm: 1, layout: twoM, size: 32, flags: writesFlags},
	ShlRC:   {name: "shl", doc: "shift left", code: "\xd3", digit: 4, layout: twoMC, size: 64, w: true, flags: writesFlags},
	ShrRC:   {name: "shr", doc: "logical shift right", code: "\xd3", digit: 5, layout: twoMC, size: 64, w: true, flags: writesFlags},
	SarRC:   {name: "sar", doc: "arithmetic shift right", code: "\xd3", digit: 7, layout: twoMC, size: 64, w: true, flags: writesFlags},
	RolRC:   {name: "rol", doc: "rotate left", code: "\xd3", digit: 0, layout: twoMC, size: 64, w: true, flags: writesFlags},
	BtRR:    {name: "bt", doc: "carry = the bit with that number, modulo 64", code: "\x0f\xa3", layout: testMR, size: 64, w: true, flags: writesFlags},
	BtRI:    {name: "bt", doc: "carry = the bit with that number", code: "\x0f\xba", digit: 4, imm: 1, layout: testM, size: 64, w: true, flags: writesFlags},

	Setcc:  {name: "set", doc: "writes the condition into the low byte of a register that was 0", code: "\x0f\x90", cond: true, layout: twoM, size: 8, flags: readsFlags},
	Cmovcc: {name: "cmov", doc: "copies if the condition holds", code: "\x0f\x40", cond: true, layout: twoRM, size: 64, w: true, flags: readsFlags},

	Load64:   {name: "mov", doc: "loads 64 bits", code: "\x8b", layout: load, size: 64, w: true},
	Load32:   {name: "mov", doc: "loads 32 bits, zero-extended", code: "\x8b", layout: load, size: 32},
	LoadU8:   {name: "movzx", doc: "loads 8 bits, zero-extended", code: "\x0f\xb6", layout: load, size: 32, src: 8},
	LoadU16:  {name: "movzx", doc: "loads 16 bits, zero-extended", code: "\x0f\xb7", layout: load, size: 32, src: 16},
	LoadS8:   {name: "movsx", doc: "loads 8 bits, sign-extended", code: "\x0f\xbe", layout: load, size: 64, src: 8, w: true},
	LoadS16:  {name: "movsx", doc: "loads 16 bits, sign-extended", code: "\x0f\xbf", layout: load, size: 64, src: 16, w: true},
	LoadS32:  {name: "movsxd", doc: "loads 32 bits, sign-extended", code: "\x63", layout: load, size: 64, src: 32, w: true},
	Store64:  {name: "mov", doc: "stores 64 bits", code: "\x89", layout: store, size: 64, w: true},
	Store32:  {name: "mov", doc: "stores the low 32 bits", code: "\x89", layout: store, size: 32},
	Store16:  {name: "mov", doc: "stores the low 16 bits", code: "\x89", layout: store, size: 16, prefix: 0x66},
	Store8:   {name: "mov", doc: "stores the low 8 bits", code: "\x88", layout: store, size: 8},
	Store64I: {name: "mov", doc: "stores a signed 32-bit constant as 64 bits", code: "\xc7", imm: 4, layout: onlyA, size: 64, w: true},
	Store32I: {name: "mov", doc: "stores a constant as 32 bits", code: "\xc7", imm: 4, layout: onlyA, size: 32},
	Store16I: {name: "mov", doc: "stores a constant as 16 bits", code: "\xc7", imm: 2, layout: onlyA, size: 16, prefix: 0x66},
	Store8I:  {name: "mov", doc: "stores a constant as 8 bits", code: "\xc6", imm: 1, layout: onlyA, size: 8},

	MovapsRR:   {name: "movaps", doc: "copy of a vector register", code: "\x0f\x28", layout: moveRM, size: 128},
	LoadF64:    {name: "movsd", doc: "loads a 64-bit float", code: "\x0f\x10", prefix: 0xf2, layout: load, size: 128, src: 64},
	StoreF64:   {name: "movsd", doc: "stores a 64-bit float", code: "\x0f\x11", prefix: 0xf2, layout: store, size: 128, src: 64},
	LoadF32:    {name: "movss", doc: "loads a 32-bit float, as one", code: "\x0f\x10", prefix: 0xf3, layout: load, size: 128, src: 32},
	StoreF32:   {name: "movss", doc: "stores a 32-bit float", code: "\x0f\x11", prefix: 0xf3, layout: store, size: 128, src: 32},
	MovqRX:     {name: "movq", doc: "the bits of a float", code: "\x0f\x7e", prefix: 0x66, w: true, layout: moveMR, size: 128, src: 64},
	MovqXR:     {name: "movq", doc: "the float with these bits", code: "\x0f\x6e", prefix: 0x66, w: true, layout: moveRM, size: 128, src: 64},
	ZeroF:      {name: "xorps", doc: "the constant 0.0; flags stay", code: "\x0f\x57", layout: twiceDef, size: 128},
	XorpsRR:    {name: "xorps", doc: "bitwise exclusive or of whole registers", code: "\x0f\x57", layout: twoRM, size: 128},
	XorpsRM:    {name: "xorps", doc: "bitwise exclusive or with 16 bytes of memory, which are aligned", code: "\x0f\x57", layout: twoRA, size: 128},
	AddsdRR:    {name: "addsd", doc: "sum of floats", code: "\x0f\x58", prefix: 0xf2, layout: twoRM, size: 128},
	SubsdRR:    {name: "subsd", doc: "difference of floats", code: "\x0f\x5c", prefix: 0xf2, layout: twoRM, size: 128},
	MulsdRR:    {name: "mulsd", doc: "product of floats", code: "\x0f\x59", prefix: 0xf2, layout: twoRM, size: 128},
	DivsdRR:    {name: "divsd", doc: "quotient of floats", code: "\x0f\x5e", prefix: 0xf2, layout: twoRM, size: 128},
	MinsdRR:    {name: "minsd", doc: "the operand if it is less, else the source", code: "\x0f\x5d", prefix: 0xf2, layout: twoRM, size: 128},
	MaxsdRR:    {name: "maxsd", doc: "the operand if it is greater, else the source", code: "\x0f\x5f", prefix: 0xf2, layout: twoRM, size: 128},
	AddsdRM:    {name: "addsd", doc: "sum of floats with memory", code: "\x0f\x58", prefix: 0xf2, layout: twoRA, size: 128, src: 64},
	SubsdRM:    {name: "subsd", doc: "difference of floats with memory", code: "\x0f\x5c", prefix: 0xf2, layout: twoRA, size: 128, src: 64},
	MulsdRM:    {name: "mulsd", doc: "product of floats with memory", code: "\x0f\x59", prefix: 0xf2, layout: twoRA, size: 128, src: 64},
	DivsdRM:    {name: "divsd", doc: "quotient of floats with memory", code: "\x0f\x5e", prefix: 0xf2, layout: twoRA, size: 128, src: 64},
	UcomisdRR:  {name: "ucomisd", doc: "compares floats: zero and carry as if unsigned; zero, carry and parity set if a NaN is among them", code: "\x0f\x2e", prefix: 0x66, layout: testRM, size: 128, flags: writesFlags},
	UcomisdRM:  {name: "ucomisd", doc: "compares a float with memory", code: "\x0f\x2e", prefix: 0x66, layout: testRA, size: 128, src: 64, flags: writesFlags},
	Cvtsi2sdRR: {name: "cvtsi2sd", doc: "the integer as a float; keeps the high half of the destination", code: "\x0f\x2a", prefix: 0xf2, w: true, layout: twoRM, size: 128, src: 64},
	Cvtsi2sdRM: {name: "cvtsi2sd", doc: "the integer in memory as a float", code: "\x0f\x2a", prefix: 0xf2, w: true, layout: twoRA, size: 128, src: 64},
	Cvtsd2ss:   {name: "cvtsd2ss", doc: "rounds to 32 bits; keeps the rest of the destination", code: "\x0f\x5a", prefix: 0xf2, layout: twoRM, size: 128},
	Cvtss2sd:   {name: "cvtss2sd", doc: "the 32-bit float as one of 64; keeps the high half of the destination", code: "\x0f\x5a", prefix: 0xf3, layout: twoRM, size: 128},

	Push:    {name: "push", doc: "pushes a register", code: "\x50", layout: plusUse, size: 64},
	Pop:     {name: "pop", doc: "pops a register", code: "\x58", layout: plusDef, size: 64},
	Jmp:     {name: "jmp", doc: "jumps to Succs[0], or to Sym", code: "\xe9", short: 0xeb, imm: 4, layout: relative},
	Jcc:     {name: "j", doc: "jumps to Succs[0] if the condition holds", code: "\x0f\x80", short: 0x70, cond: true, imm: 4, layout: relative, flags: readsFlags},
	JmpR:    {name: "jmp", doc: "jumps to the address in a register", code: "\xff", digit: 4, layout: testM, size: 64},
	Call:    {name: "call", doc: "calls Sym; arguments, results and clobbers as given", code: "\xe8", imm: 4, layout: relative, flags: writesFlags},
	CallR:   {name: "call", doc: "calls the address in a register", code: "\xff", digit: 2, layout: testM, size: 64, flags: writesFlags},
	Fault:   {name: "call", doc: "calls the fault stub Sym, which takes its numbers in rdi and rsi and does not return", code: "\xe8", imm: 4, layout: relative, flags: writesFlags},
	Ret:     {name: "ret", doc: "returns", code: "\xc3", layout: free},
	RetVal:  {name: "ret", doc: "returns the value in rax", code: "\xc3", layout: resultRAX},
	RetValF: {name: "ret", doc: "returns the float in xmm0", code: "\xc3", layout: resultXMM0},
	Ud2:     {name: "ud2", doc: "traps: control never comes here", code: "\x0f\x0b", layout: free},
	Syscall: {name: "syscall", doc: "enters the kernel; writes rcx and r11", code: "\x0f\x05", layout: free, flags: writesFlags},
}

// A layout says what Args an instruction has and where the encoding puts them.
type layout uint8

const (
	free        layout = iota // any Args, none of them encoded
	moveMR                    // d, s
	moveRM                    // d, s
	plusDef                   // d
	plusUse                   // s
	rmDef                     // d
	twiceDef                  // d
	swap                      // a, b, then the old b, a
	twoMR                     // d, the operand in d, s
	twoRM                     // d, the operand in d, s
	twoM                      // d, the operand in d
	twoMC                     // d, the operand in d, count in rcx
	testMR                    // a, b
	testRM                    // a, b
	testM                     // a
	mulM                      // rax, rdx, rax, s
	divM                      // rax, rdx, rax, rdx, divisor
	divTotal                  // rax, rdx, rax, divisor
	widen                     // rdx, rax
	load                      // d, address
	store                     // s, address
	twoRA                     // d, the operand in d, address
	testRA                    // a, address
	onlyA                     // address
	relative                  // any Args, none of them encoded; the target is a distance
	resultRAX                 // rax
	resultXMM0                // xmm0
	floatChoice               // d, the operand in d, s
	newObject                 // d, temporary
	newArray                  // d, temporary, length
	numLayouts
)

// none stands for an Arg that a layout has not, inAddr for one that is an address.
const (
	none   = -1
	inAddr = -2
)

// A place tells which Arg goes where in an encoding, and what all Args are.
type place struct {
	reg, rm, plus int // ModRM.reg, ModRM.rm, low bits of the opcode
	args          []mach.Operand
}

var (
	use     = mach.Operand{Role: mach.Use}
	def     = mach.Operand{Role: mach.Def}
	def2    = mach.Operand{Role: mach.Def, Tied: 2}
	defRAX  = mach.Operand{Role: mach.Def, Allow: onlyRAX}
	defRDX  = mach.Operand{Role: mach.Def, Allow: onlyRDX}
	useRAX  = mach.Operand{Role: mach.Use, Allow: onlyRAX}
	useRDX  = mach.Operand{Role: mach.Use, Allow: onlyRDX}
	useRCX  = mach.Operand{Role: mach.Use, Allow: onlyRCX}
	early   = mach.Operand{Role: mach.EarlyDef}
	useXMM0 = mach.Operand{Role: mach.Use, Allow: onlyXMM0}
	divisor = mach.Operand{Role: mach.Use, Allow: notRAXRDX}
	shifted = mach.Operand{Role: mach.Use, Allow: notRCX}
	shift   = mach.Operand{Role: mach.Def, Tied: 2, Allow: notRCX}
)

// places has the row of each layout; args are those before the address.
var places = [numLayouts]place{
	free:        {none, none, none, nil},
	moveMR:      {1, 0, none, []mach.Operand{def, use}},
	moveRM:      {0, 1, none, []mach.Operand{def, use}},
	plusDef:     {none, none, 0, []mach.Operand{def}},
	plusUse:     {none, none, 0, []mach.Operand{use}},
	rmDef:       {none, 0, none, []mach.Operand{def}},
	twiceDef:    {0, 0, none, []mach.Operand{def}},
	swap:        {1, 0, none, []mach.Operand{def, def, use, use}},
	twoMR:       {2, 0, none, []mach.Operand{def2, use, use}},
	twoRM:       {0, 2, none, []mach.Operand{def2, use, use}},
	twoM:        {none, 0, none, []mach.Operand{def2, use}},
	twoMC:       {none, 0, none, []mach.Operand{shift, shifted, useRCX}},
	testMR:      {1, 0, none, []mach.Operand{use, use}},
	testRM:      {0, 1, none, []mach.Operand{use, use}},
	testM:       {none, 0, none, []mach.Operand{use}},
	mulM:        {none, 3, none, []mach.Operand{defRAX, defRDX, useRAX, use}},
	divM:        {none, 4, none, []mach.Operand{defRAX, defRDX, useRAX, useRDX, divisor}},
	divTotal:    {none, none, none, []mach.Operand{defRAX, defRDX, useRAX, divisor}},
	widen:       {none, none, none, []mach.Operand{defRDX, useRAX}},
	load:        {0, inAddr, none, []mach.Operand{def}},
	store:       {0, inAddr, none, []mach.Operand{use}},
	twoRA:       {0, inAddr, none, []mach.Operand{def2, use}},
	testRA:      {0, inAddr, none, []mach.Operand{use}},
	onlyA:       {none, inAddr, none, nil},
	relative:    {none, none, none, nil},
	resultRAX:   {none, none, none, []mach.Operand{useRAX}},
	resultXMM0:  {none, none, none, []mach.Operand{useXMM0}},
	floatChoice: {none, none, none, []mach.Operand{def2, use, use}},
	newObject:   {none, none, none, []mach.Operand{def, def}},
	newArray:    {none, none, none, []mach.Operand{early, early, use}},
}
