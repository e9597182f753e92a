package amd64

import "shoal/codegen/mach"

// A stub is a hand-written function under construction.
type stub struct {
	f      *mach.Func
	labels map[string]int32 // block by label
	jumps  []forward
}

// A forward is an edge to a label that may not be known yet.
type forward struct {
	block, succ int
	label       string
}

func newStub(name string) *stub {
	return &stub{f: &mach.Func{Name: name, Blocks: make([]mach.Block, 1)}, labels: map[string]int32{}}
}

// block is the block being filled.
func (s *stub) block() *mach.Block { return &s.f.Blocks[len(s.f.Blocks)-1] }

func (s *stub) add(in mach.Inst) {
	b := s.block()
	b.Insts = append(b.Insts, in)
	b.Branch = len(b.Insts)
}

// op adds an instruction over registers; a two-address form names its destination once.
func (s *stub) op(op uint16, regs ...mach.Reg) { s.add(New(op, twoAddress(op, regs)...)) }

// imm adds an instruction with an immediate.
func (s *stub) imm(op uint16, imm int64, regs ...mach.Reg) {
	s.add(NewI(op, imm, twoAddress(op, regs)...))
}

// twoAddress repeats the destination where the form reads it too.
func twoAddress(op uint16, regs []mach.Reg) []mach.Reg {
	if args := places[forms[op].layout].args; len(args) > 1 && args[0].Tied == 2 {
		return append([]mach.Reg{regs[0]}, regs...)
	}
	return regs
}

// set makes r a constant.
func (s *stub) set(r mach.Reg, c int64) { s.add(MovImm(r, c)) }

// mem adds an instruction with the address base+disp.
func (s *stub) mem(op uint16, base mach.Reg, disp int32, regs ...mach.Reg) {
	s.add(NewMem(op, Addr{Base: base, Disp: disp}, twoAddress(op, regs)...))
}

// storeByte stores the constant c at [base+disp].
func (s *stub) storeByte(base mach.Reg, disp int32, c byte) {
	in := NewMem(Store8I, Addr{Base: base, Disp: disp})
	in.Imm = int64(c)
	s.add(in)
}

// sym returns the number of a symbol for Addr.Sym and Inst.Sym.
func (s *stub) sym(name string) int32 {
	for i, n := range s.f.Syms {
		if n == name {
			return int32(i) + 1
		}
	}
	s.f.Syms = append(s.f.Syms, name)
	return int32(len(s.f.Syms))
}

// data adds an instruction with the address name+disp.
func (s *stub) data(op uint16, name string, disp int32, regs ...mach.Reg) {
	s.add(NewMem(op, Addr{Sym: s.sym(name), Disp: disp}, twoAddress(op, regs)...))
}

func (s *stub) call(name string) { s.add(NewSym(Call, int(s.sym(name))-1)) }

// jumpTo ends the function with a jump to another one.
func (s *stub) jumpTo(name string) { s.end(NewSym(Jmp, int(s.sym(name))-1)) }

func (s *stub) ret() { s.end(New(Ret)) }

// end adds an instruction behind which control does not come.
func (s *stub) end(in mach.Inst) {
	s.add(in)
	s.block().Branch--
	s.f.Blocks = append(s.f.Blocks, mach.Block{})
}

// label starts a block, into which the one before falls.
func (s *stub) label(name string) {
	i := len(s.f.Blocks) - 1
	if b := s.block(); len(b.Insts) > 0 || i == 0 {
		b.Succs = append(b.Succs, mach.Edge{Block: int32(i + 1)})
		s.f.Blocks = append(s.f.Blocks, mach.Block{})
		i++
	}
	s.labels[name] = int32(i)
}

// jmp goes to a label.
func (s *stub) jmp(label string) {
	s.jumps = append(s.jumps, forward{len(s.f.Blocks) - 1, 0, label})
	s.block().Succs = make([]mach.Edge, 1)
	s.f.Blocks = append(s.f.Blocks, mach.Block{})
}

// jcc goes to a label if the condition holds.
func (s *stub) jcc(cond uint8, label string) {
	in := New(Jcc)
	in.Cond = cond
	s.add(in)
	i := len(s.f.Blocks) - 1
	s.block().Branch--
	s.jumps = append(s.jumps, forward{i, 0, label})
	s.block().Succs = []mach.Edge{{}, {Block: int32(i + 1)}}
	s.f.Blocks = append(s.f.Blocks, mach.Block{})
}

// syscall enters the kernel; the arguments are in place.
func (s *stub) syscall(number int64) {
	s.set(RAX, number)
	s.op(Syscall)
}

// done resolves the labels.
func (s *stub) done() *mach.Func {
	if n := len(s.f.Blocks) - 1; len(s.f.Blocks[n].Insts) == 0 {
		s.f.Blocks = s.f.Blocks[:n] // opened behind the last end or jump
	}
	for _, j := range s.jumps {
		to, ok := s.labels[j.label]
		if !ok {
			panic("amd64: stub " + s.f.Name + " has no label " + j.label)
		}
		s.f.Blocks[j.block].Succs[j.succ].Block = to
	}
	s.f.LinkPreds()
	return s.f
}
