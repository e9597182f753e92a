package amd64

import (
	"shoal/codegen/mach"
)

// Tiles write their instructions in the order of execution into selector.tile; flush puts
// them before those of the block that exist already.

// op appends an instruction to the tile. regs are the Args of its layout in order.
func (s *selector) op(op uint16, regs ...mach.Reg) *mach.Inst {
	return s.append(op, fill(s.operands(len(regs), len(regs)), op, regs))
}

// opI is op with an immediate.
func (s *selector) opI(op uint16, imm int64, regs ...mach.Reg) *mach.Inst {
	in := s.append(op, fill(s.operands(len(regs), len(regs)), op, regs))
	in.Imm = imm
	return in
}

// opC is op with a condition.
func (s *selector) opC(op uint16, cond uint8, regs ...mach.Reg) {
	s.append(op, fill(s.operands(len(regs), len(regs)), op, regs)).Cond = cond
}

// mem is op with an address.
func (s *selector) mem(op uint16, a Addr, regs ...mach.Reg) {
	in := s.append(op, fill(s.operands(len(regs), len(regs)+2), op, regs))
	appendAddr(in, a)
}

func (s *selector) append(op uint16, args []mach.Operand) *mach.Inst {
	s.tile = append(s.tile, mach.Inst{Op: op, Args: args, Pos: s.pos})
	return &s.tile[len(s.tile)-1]
}

// operands cuts n operands with room for max from the slab.
func (s *selector) operands(n, max int) []mach.Operand {
	if len(s.args) < max {
		s.args = make([]mach.Operand, 4096)
	}
	args := s.args[:n:max]
	s.args = s.args[max:]
	return args
}

// instChunk is how many instructions are allocated at a time.
const instChunk = 4096

// flush moves the tile to the front of the block.
func (s *selector) flush() {
	n := len(s.tile)
	if s.at < n {
		s.grow(n)
	}
	s.at -= n
	copy(s.insts[s.at:], s.tile)
	for i := range s.tile {
		s.reuse.pass(s.tile[i].Op)
	}
	s.tile = s.tile[:0]
}

// grow makes room for n instructions before those of the block at hand. The blocks that
// are done keep the memory that they are in.
func (s *selector) grow(n int) {
	have := s.end - s.at
	size := max(instChunk, 2*(have+n))
	next := make([]mach.Inst, size)
	copy(next[size-have:], s.insts[s.at:s.end])
	s.insts, s.at, s.end = next, size-have, size
}

// A reuse is the compare of the branch of the block at hand while it may still turn out
// that an earlier instruction leaves the same flags (optimizations §C.6, X49 and X51).
type reuse struct {
	x, y  mach.Reg // what it compares; y is NoReg for a test of x against 0
	cond  uint8    // what the branch wants to know
	since int      // instructions emitted since; 0 before the compare itself is in the block
	done  bool     // the compare is gone
}

// reuseWindow bounds how many instructions may stand between: all of them move when the
// compare goes.
const reuseWindow = 8

// pass notes that an instruction stands between the compare and what comes before.
func (r *reuse) pass(op uint16) {
	if r.x == mach.NoReg {
		return
	}
	r.since++
	// The first two to pass are the compare and the branch themselves.
	if r.since > 2 && forms[op].flags&writesFlags != 0 || r.since > reuseWindow {
		r.x = mach.NoReg
	}
}

// flagsWanted tells whether the branch tests the result d against 0, in a way that the
// flags of the operation itself answer. Only if overflow is clear, as after and, or and
// xor, do they answer signed comparisons other than with the sign.
func (s *selector) flagsWanted(d mach.Reg, logical bool) bool {
	r := &s.reuse
	if r.x != d || r.y != mach.NoReg {
		return false
	}
	switch r.cond {
	case CondE, CondNE, CondS, CondNS:
		return true
	}
	return logical
}

// dropCompare takes the compare out of the block: the last instruction of the tile at
// hand leaves the same flags.
func (s *selector) dropCompare() {
	at := s.end - 2
	copy(s.insts[s.at+1:at+1], s.insts[s.at:at])
	s.at++
	s.reuse = reuse{done: true}
}
