package amd64

import (
	"fmt"

	"shoal/codegen/mach"
	"shoal/source"
	"shoal/ssa"
)

// Select makes machine code over virtual registers from linear SSA.
//
// It covers each block with tiles from its end to its start, blocks in postorder, so that
// every user is reached before what it uses (maximal munch from roots, optimizations
// §C.1). A value gets a register when a user asks for one; a value that nobody has asked
// for when the walk reaches it is dead or part of its user's tile, and makes no code.
func (Target) Select(f *ssa.Func) (*mach.Func, error) {
	s := newSelector(f)
	s.orderBlocks()
	s.countUses()
	for k := len(s.order) - 1; k >= 0; k-- {
		s.selectBlock(k)
	}
	s.out.LinkPreds()
	return s.out, nil
}

// A selector is the state of one call of Select.
type selector struct {
	f   *ssa.Func
	out *mach.Func

	order  []int32 // blocks that the entry reaches, in reverse postorder
	number []int32 // index in order of each block; -1 if the entry does not reach it

	// By value:
	uses    []int32       // how many operands name it, in blocks of order
	regs    []mach.Reg    // its register, NoReg until somebody asks
	partner []ssa.ValueID // the other half of a division with remainder, see pairDivisions

	block  int32       // the block at hand
	pos    source.Pos  // of the value at hand
	tile   []mach.Inst // the instructions of the tile at hand, in order
	insts  []mach.Inst // of the block at hand: insts[at:end]; filled from the end
	at     int
	end    int
	reuse  reuse // the compare of the block's branch that may turn out superfluous
	args   []mach.Operand
	remats []mach.Inst
	consts [64]constant // the latest constants that tiles made, by hash
}

// A constant is a register that stands for a value made by a tile.
type constant struct {
	value int64
	reg   mach.Reg
}

func newSelector(f *ssa.Func) *selector {
	n := len(f.Values)
	return &selector{
		f:       f,
		out:     &mach.Func{Name: f.Name, File: f.File, Values: make([]mach.Value, 0, n+n/8)},
		number:  make([]int32, len(f.Blocks)),
		uses:    make([]int32, n),
		regs:    make([]mach.Reg, n),
		partner: make([]ssa.ValueID, n),
	}
}

// targets are the edges that the terminator of b may take: a constant condition has one.
func (s *selector) targets(b *ssa.Block) []ssa.Target {
	t := b.Term.Targets()
	if b.Term.Kind != ssa.Cbr {
		return t
	}
	c, ok := s.constant(b.Term.Arg)
	switch {
	case !ok:
		return t
	case c != 0:
		return t[:1]
	}
	return t[1:]
}

// orderBlocks numbers the blocks that the entry reaches in reverse postorder.
func (s *selector) orderBlocks() {
	for i := range s.number {
		s.number[i] = -1
	}
	type frame struct {
		block int32
		left  int // edges still to follow, from the last to the first
	}
	post := make([]int32, 0, len(s.f.Blocks))
	stack := []frame{{0, len(s.targets(&s.f.Blocks[0]))}}
	s.number[0] = 0
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if top.left == 0 {
			post = append(post, top.block)
			stack = stack[:len(stack)-1]
			continue
		}
		top.left--
		to := s.targets(&s.f.Blocks[top.block])[top.left].Block
		if s.number[to] < 0 {
			s.number[to] = 0
			stack = append(stack, frame{to, len(s.targets(&s.f.Blocks[to]))})
		}
	}
	for i, j := 0, len(post)-1; i < j; i, j = i+1, j-1 {
		post[i], post[j] = post[j], post[i]
	}
	for i, b := range post {
		s.number[b] = int32(i)
	}
	s.order = post
	s.out.Blocks = make([]mach.Block, len(post))
}

// countUses counts how often each value is named in the blocks of order, and finds
// quotients and remainders that one division gives.
func (s *selector) countUses() {
	last := make([]ssa.ValueID, len(s.f.Values))
	for _, b := range s.order {
		block := &s.f.Blocks[b]
		for _, v := range block.Body {
			for _, a := range s.f.Values[v].Operands() {
				s.uses[a]++
			}
		}
		s.uses[block.Term.Arg]++
		for _, t := range s.targets(block) {
			for _, a := range t.Args {
				s.uses[a]++
			}
		}
		s.pairDivisions(block, last)
	}
}

// selectBlock makes the k-th block of order.
func (s *selector) selectBlock(k int) {
	s.block = s.order[k]
	from := &s.f.Blocks[s.block]
	to := &s.out.Blocks[k]
	to.Depth, to.Cold = from.Depth, from.Cold
	s.end = s.at
	s.reuse = reuse{}

	s.terminator(from, to)
	branch := s.end - s.at
	for i := len(from.Body) - 1; i >= 0; i-- {
		if v := from.Body[i]; s.regs[v] != mach.NoReg {
			s.value(v)
			s.flush()
		}
	}
	if s.reuse.done {
		branch--
	}
	to.Params = s.registers(from.Params)
	if k == 0 {
		s.inputs()
		s.flush()
	}
	to.Insts = s.insts[s.at:s.end:s.end]
	to.Branch = len(to.Insts) - branch
}

// value selects v, which has a register.
func (s *selector) value(v ssa.ValueID) {
	val := &s.f.Values[v]
	t := tiles[val.Op].make
	if t == nil {
		panic(fmt.Sprintf("amd64 select: %s: v%d: no tile for %v", s.f.Name, v, val.Op))
	}
	s.pos = val.Pos
	t(s, s.regs[v], v, val)
}

// terminator makes the edges and the branch of a block.
func (s *selector) terminator(from *ssa.Block, to *mach.Block) {
	targets := s.targets(from)
	to.Succs = make([]mach.Edge, len(targets))
	for i, t := range targets {
		to.Succs[i] = mach.Edge{Block: s.number[t.Block], Args: s.registers(t.Args)}
	}
	s.pos = from.Term.Pos
	switch {
	case from.Term.Kind == ssa.Ret:
		s.op(RetVal, s.use(from.Term.Arg))
	case len(targets) == 2:
		s.branch(from.Term.Arg)
	}
	s.flush()
}

// inputs defines the inputs that somebody asked for. System V ABI, section 3.2.3: six in
// registers, the rest on the stack above the return address.
func (s *selector) inputs() {
	s.pos = source.NoPos
	args := make([]mach.Operand, 0, len(inputRegs))
	for i, v := range s.f.Inputs {
		if r := s.regs[v]; r != mach.NoReg && i < len(inputRegs) {
			args = append(args, mach.Operand{Reg: r, Role: mach.Def, Allow: mach.Of(inputRegs[i])})
		}
	}
	if len(args) > 0 {
		s.tile = append(s.tile, mach.Inst{Op: Inputs, Args: args})
	}
	for i, v := range s.f.Inputs {
		if r := s.regs[v]; r != mach.NoReg && i >= len(inputRegs) {
			s.mem(LoadInput, Addr{Base: RSP, Disp: int32(8 * (i - len(inputRegs)))}, r)
		}
	}
}

// registers asks for the registers of vs.
func (s *selector) registers(vs []ssa.ValueID) []mach.Reg {
	if len(vs) == 0 {
		return nil
	}
	regs := make([]mach.Reg, len(vs))
	for i, v := range vs {
		regs[i] = s.use(v)
	}
	return regs
}

// use asks for the register of v.
func (s *selector) use(v ssa.ValueID) mach.Reg {
	if r := s.regs[v]; r != mach.NoReg {
		return r
	}
	r := s.temp()
	s.regs[v] = r
	value := s.out.Value(r)
	if int(v) < len(s.f.Names) {
		value.Name = s.f.Names[v]
	}
	if c, ok := s.constant(v); ok {
		value.Remat = s.remat(r, c)
	}
	return r
}

// temp makes a register for an intermediate result of a tile.
func (s *selector) temp() mach.Reg { return s.out.NewReg(mach.General) }

// imm is a register that holds the constant c.
func (s *selector) imm(c int64) mach.Reg {
	slot := &s.consts[uint64(c)*0x9e3779b97f4a7c15>>58]
	if slot.reg == mach.NoReg || slot.value != c {
		*slot = constant{c, s.temp()}
		s.out.Value(slot.reg).Remat = s.remat(slot.reg, c)
	}
	return slot.reg
}

// remat is the instruction that sets r to c.
func (s *selector) remat(r mach.Reg, c int64) *mach.Inst {
	if len(s.remats) == cap(s.remats) {
		s.remats = make([]mach.Inst, 0, 64)
	}
	op := movImmOp(c)
	s.remats = append(s.remats, mach.Inst{Op: op, Args: fill(s.operands(1, 1), op, []mach.Reg{r}), Imm: c})
	return &s.remats[len(s.remats)-1]
}

// constant is the value of v if it is a constant.
func (s *selector) constant(v ssa.ValueID) (int64, bool) {
	val := &s.f.Values[v]
	return val.Aux, val.Kind == ssa.Const
}

// imm32 is the value of v if it is a constant that instructions can hold.
func (s *selector) imm32(v ssa.ValueID) (int64, bool) {
	c, ok := s.constant(v)
	return c, ok && fits32(c)
}

// local is v if it is an instruction of the block at hand, whose operands are therefore
// available here, else nil.
func (s *selector) local(v ssa.ValueID) *ssa.Value {
	val := &s.f.Values[v]
	if val.Kind == ssa.Instr && val.Block == s.block {
		return val
	}
	return nil
}

// fusible is v if it may become part of the tile of its user, its only one, else nil.
func (s *selector) fusible(v ssa.ValueID) *ssa.Value {
	if s.uses[v] == 1 && s.regs[v] == mach.NoReg && s.partner[v] == ssa.None {
		return s.local(v)
	}
	return nil
}

// livesOn guesses whether v is still wanted after the instruction at hand: if a later
// user has asked for it, or if it comes from outside of the loop at hand.
func (s *selector) livesOn(v ssa.ValueID) bool {
	if s.regs[v] != mach.NoReg {
		return true
	}
	val := &s.f.Values[v]
	depth := int32(0)
	if val.Block >= 0 {
		depth = s.f.Blocks[val.Block].Depth
	}
	return depth < s.f.Blocks[s.block].Depth
}
