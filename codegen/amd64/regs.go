package amd64

import "shoal/codegen/mach"

// The registers: one plus the number that the machine encodes them by, which for a
// vector register has 16 added.
const (
	RAX mach.Reg = iota + 1
	RCX
	RDX
	RBX
	RSP
	RBP
	RSI
	RDI
	R8
	R9
	R10
	R11
	R12
	R13
	R14
	R15
	XMM0
	XMM15 = XMM0 + 15
)

// number is the four-bit number by which instructions name r.
func number(r mach.Reg) byte { return byte(r-1) & 15 }

// Sets of registers that operands are limited to.
const (
	onlyRAX  mach.RegSet = 1 << RAX
	onlyRCX  mach.RegSet = 1 << RCX
	onlyRDX  mach.RegSet = 1 << RDX
	onlyXMM0 mach.RegSet = 1 << XMM0

	general   mach.RegSet = (1<<(R15+1) - 1<<RAX) &^ (1 << RSP)
	notRCX                = general &^ onlyRCX
	notRAXRDX             = general &^ (onlyRAX | onlyRDX)
)

// savedRegs are those that a function leaves as it found them, in the order of pushing.
var savedRegs = [...]mach.Reg{RBX, RBP, R14, R15, R12, R13}

// The sizes of general registers, as indices of names.
const (
	size64 = iota
	size32
	size16
	size8
)

// names are the general registers by size and number.
var names = [...][16]string{
	size64: {"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15"},
	size32: {"eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi", "r8d", "r9d", "r10d", "r11d", "r12d", "r13d", "r14d", "r15d"},
	size16: {"ax", "cx", "dx", "bx", "sp", "bp", "si", "di", "r8w", "r9w", "r10w", "r11w", "r12w", "r13w", "r14w", "r15w"},
	size8:  {"al", "cl", "dl", "bl", "spl", "bpl", "sil", "dil", "r8b", "r9b", "r10b", "r11b", "r12b", "r13b", "r14b", "r15b"},
}

// vectorNames are the vector registers by number.
var vectorNames = [16]string{"xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15"}

// regFile is what allocation knows. Registers that calls, divisions and shifts need come
// late in the order of preference, so that what lives long stays out of their way; then
// those that have to be saved, r12 and r13 last because as a base they need more bytes.
var regFile = makeRegFile()

func makeRegFile() *mach.RegFile {
	f := &mach.RegFile{CalleeSaved: mach.Of(savedRegs[:]...)}
	f.Allocatable[mach.General] = []mach.Reg{RSI, RDI, R8, R9, R10, R11, RCX, RAX, RDX, RBX, RBP, R14, R15, R12, R13}
	for i := range mach.Reg(16) {
		f.Names[RAX+i] = names[size64][i]
		f.Names[XMM0+i] = vectorNames[i]
		f.Class[XMM0+i] = mach.Float
		f.Allocatable[mach.Float] = append(f.Allocatable[mach.Float], XMM0+i)
	}
	return f
}
