// Package mach is machine code as data: instructions over virtual or physical registers,
// in blocks, for any machine. It knows what every instruction looks like and what none of
// them means.
//
// Before allocation a function is in SSA form over virtual registers, block parameters
// and edge arguments included; package regalloc replaces virtual registers by physical
// ones and edge arguments by moves. A machine (package amd64) makes and encodes it.
//
// Start reading at Func, then Target.
package mach

import (
	"io"

	"shoal/source"
	"shoal/ssa"
)

// A Reg is a register. 0 is none; 1 .. FirstVirtual-1 are physical registers of the
// machine, whose names only its Target knows; the others are virtual.
type Reg int32

// NoReg is the absent register, FirstVirtual the first virtual one.
const (
	NoReg        Reg = 0
	FirstVirtual Reg = 64
)

// Virtual tells whether r still has to be allocated.
func (r Reg) Virtual() bool { return r >= FirstVirtual }

// A RegSet is a set of physical registers, bit r for register r.
type RegSet uint64

// Has tells whether the physical register r is in s.
func (s RegSet) Has(r Reg) bool { return s>>uint(r)&1 != 0 }

// Of is the set of the physical registers regs.
func Of(regs ...Reg) (s RegSet) {
	for _, r := range regs {
		s |= 1 << uint(r)
	}
	return s
}

// A Class is a kind of register: values of one class never live in another's registers.
type Class uint8

// The register classes.
const (
	General Class = iota // integers and addresses
	Float                // floating point
	NumClasses
)

// A Role says what an instruction does with an operand.
type Role uint8

// The roles of operands. All uses are read before any Def is written; an EarlyDef is
// written while uses are still to be read, so it shares no register with them.
const (
	Use Role = iota
	Def
	EarlyDef
)

// An Operand is a register with a constraint. Reg is never NoReg. Before allocation it is
// virtual, but for registers outside of RegFile.Allocatable (a stack pointer), which
// allocation leaves alone. A virtual register may be used twice by one instruction, but
// never with two Allow sets that have nothing in common. A Def may have no use at all: it
// then only says that the register is written.
type Operand struct {
	Reg  Reg
	Role Role
	// Tied is, for a Def, one plus the index of the Use operand whose register it must
	// share (two-address instructions); 0 for none.
	Tied uint8
	// Allow is the set of registers the machine can take here; 0 means any of the class.
	Allow RegSet
}

// An Inst is one machine instruction. Op is a number of the machine's table of forms.
//
// A form with an address has its registers last in Args: [base], [base, index] if Scale
// is not 0, [index] alone if Scale is not 0 and there is one, or none.
type Inst struct {
	Op      uint16
	Cond    uint8 // condition code, where the form has one
	Scale   uint8 // of the index register in an address: 1, 2, 4 or 8; 0 if there is none
	Disp    int32 // displacement of an address, in bytes
	Args    []Operand
	Imm     int64      // immediate
	Clobber RegSet     // physical registers left with rubbish, besides the Defs
	Sym     int32      // one plus the index in Func.Syms of what is addressed or called
	Pos     source.Pos // of what this computes
}

// A Value is what a virtual register stands for, indexed by register - FirstVirtual.
type Value struct {
	Class Class
	// Remat, if not nil, is an instruction with one Def and no Use that makes the value
	// anew anywhere: a constant. It is cheaper than a reload (optimizations §C.2), and
	// like all that allocation inserts it leaves the flags alone. Such a register needs
	// no definition, and one that it has may go away: it may be used anywhere, edges
	// included, and allocation makes it where it is wanted, at best outside of loops.
	Remat *Inst
	Name  string // for listings; may be empty
}

// An Edge is a way out of a block. Args are the values for the parameters of the target
// block, as one parallel copy; allocation turns them into Moves and drops them.
type Edge struct {
	Block int32
	Args  []Reg
}

// A Block is a basic block. Its last instructions, from index Branch on, are its branch:
// instructions that allocation may not separate (a compare and its jump, or the return).
// The branch goes to Succs[0] if its condition holds, else to Succs[1]; a block with one
// successor needs no branch instruction, layout adds what is missing.
//
// Allocation may insert before any other instruction, between the writer and the reader
// of the flags too: nothing that it inserts writes flags.
type Block struct {
	Params []Reg
	Insts  []Inst
	Branch int // index of the first instruction of the branch group, len(Insts) if none
	Succs  []Edge
	Preds  []int32 // a predecessor twice if two edges lead here; kept by Func.LinkPreds
	Depth  int32   // loop depth, 0 outside of loops
	Cold   bool    // seldom executed: laid out last
}

// A Func is one function of machine code. Blocks[0] is the entry; registers that the
// calling convention passes are defined by an ordinary instruction there, with a fixed
// operand for each. Selection makes the blocks that the entry reaches, no others, in
// reverse postorder.
type Func struct {
	Name   string
	File   *source.File
	Blocks []Block
	Values []Value  // of virtual registers
	Syms   []string // symbols that instructions name, see Inst.Sym
	Slots  int      // spill slots of 8 bytes each, given out by allocation
	Used   RegSet   // physical registers that the function writes, set by allocation
}

// NewReg makes a virtual register of class c.
func (f *Func) NewReg(c Class) Reg {
	f.Values = append(f.Values, Value{Class: c})
	return FirstVirtual + Reg(len(f.Values)-1)
}

// Value returns what the virtual register r stands for.
func (f *Func) Value(r Reg) *Value { return &f.Values[r-FirstVirtual] }

// LinkPreds recomputes the predecessor lists from the edges. They share one array.
func (f *Func) LinkPreds() {
	count := make([]int32, len(f.Blocks))
	edges := 0
	for i := range f.Blocks {
		for _, e := range f.Blocks[i].Succs {
			count[e.Block]++
			edges++
		}
	}
	store := make([]int32, 0, edges)
	for i := range f.Blocks {
		at, n := len(store), len(store)+int(count[i])
		f.Blocks[i].Preds = store[at:at:n]
		store = store[:n]
	}
	for i := range f.Blocks {
		for _, e := range f.Blocks[i].Succs {
			b := &f.Blocks[e.Block]
			b.Preds = append(b.Preds, int32(i))
		}
	}
}

// A RegFile is all that the allocator knows of a machine's registers.
type RegFile struct {
	Names [FirstVirtual]string
	Class [FirstVirtual]Class
	// Allocatable registers of each class, in the order of preference.
	Allocatable [NumClasses][]Reg
	// CalleeSaved registers cost a save and a restore in functions that write them.
	CalleeSaved RegSet
}

// Code is an encoded function.
type Code struct {
	Name   string
	Bytes  []byte
	Relocs []Reloc
	Lines  []Line  // in order of Offset
	Blocks []int32 // offset of each block of the function, by block index
}

// A Reloc asks the linker for the 32-bit distance from the end of the field at Offset to
// the symbol, plus Addend (R_X86_64_PC32 with the usual -4 included in Addend).
type Reloc struct {
	Offset int
	Symbol string
	Addend int64
}

// A Line says that the code from Offset on comes from Pos.
type Line struct {
	Offset int32
	Pos    source.Pos
}

// A Target is all that the back end knows about a machine.
type Target interface {
	Name() string
	Regs() *RegFile
	// Select makes machine code over virtual registers from linear SSA.
	Select(*ssa.Func) (*Func, error)
	// Move, Load and Store make the instructions that allocation inserts: a copy between
	// registers of a class, a reload from and a spill to a stack slot. None of them
	// writes flags. Exchange swaps two general registers. Slots count from 0.
	Move(c Class, to, from Reg) Inst
	Load(c Class, to Reg, slot int) Inst
	Store(c Class, slot int, from Reg) Inst
	Exchange(a, b Reg) Inst
	// Frame finishes an allocated function: prologue, epilogue and stack addresses,
	// expansion of pseudo-instructions (which may add blocks), last improvements.
	Frame(*Func)
	// Encode lays out the blocks of a function that Frame has finished and makes bytes.
	Encode(*Func) (*Code, error)
	// Print writes one instruction in the machine's assembly notation, on one line.
	Print(io.Writer, *Inst)
}
