package amd64

import (
	"fmt"

	"shoal/codegen/mach"
	"shoal/node"
	"shoal/ssa"
)

// Select covers the values of f by tiles, each some instructions: blocks in postorder,
// each block backward, so that the uses of a value are seen before the value. A value is
// selected if somebody has asked for its register by then; one that its only user has
// taken into its own tile is not, nor is a dead one (optimizations §C.1).
func (Target) Select(f *ssa.Func) (*mach.Func, error) {
	s := newSelector(f)
	s.order()
	s.countUses()
	s.makeBlocks()
	for i := len(s.rpo) - 1; i >= 0; i-- {
		s.selectBlock(int32(i))
	}
	s.m.LinkPreds()
	return s.m, nil
}

// A selector is the state of Select for one function.
type selector struct {
	f *ssa.Func
	m *mach.Func

	rpo  []int32 // blocks of f that the entry reaches, in reverse postorder: blocks of m
	num  []int32 // by block of f: its number in rpo, -1 if it is unreachable
	uses []int32 // by value: the number of its uses
	regs []mach.Reg
	seen []int32 // by value: one plus the block of the last selected use, which runs later than what follows

	block int32 // of f, the one at hand
	index int   // in its body, of the value at hand; its length for the terminator
	depth int32 // loop depth of the block

	epoch  []int32 // by load: the number of stores before it in its block; nil without loads
	stores int32   // in the block before the value at hand

	// flags is the value whose tile has to leave in the flags how its result compares
	// with 0: the next one to be selected, None if there is none.
	flags ssa.ValueID

	div divisions
	emitter
}

func newSelector(f *ssa.Func) *selector {
	n := len(f.Values)
	s := &selector{f: f, m: &mach.Func{Name: f.Name, File: f.File}}
	s.uses = make([]int32, n)
	s.regs = make([]mach.Reg, n)
	s.seen = make([]int32, n)
	return s
}

// order numbers the reachable blocks in reverse postorder. Of two successors the one in
// the shallower loop is searched first and so comes last: loops stay together.
func (s *selector) order() {
	const unseen, open = -1, -2
	s.num = make([]int32, len(s.f.Blocks))
	for i := range s.num {
		s.num[i] = unseen
	}
	type visit struct {
		block, left int32 // left is the number of successors still to be searched
	}
	post := make([]int32, 0, len(s.f.Blocks))
	stack := []visit{{0, int32(len(s.succs(0)))}}
	s.num[0] = open
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if top.left == 0 {
			post = append(post, top.block)
			stack = stack[:len(stack)-1]
			continue
		}
		top.left--
		to := s.searched(top.block, top.left)
		if s.num[to] == unseen {
			s.num[to] = open
			stack = append(stack, visit{to, int32(len(s.succs(to)))})
		}
	}
	s.rpo = post
	for i, j := 0, len(post)-1; i < j; i, j = i+1, j-1 {
		post[i], post[j] = post[j], post[i]
	}
	for i, b := range s.rpo {
		s.num[b] = int32(i)
	}
}

// searched is the successor of a block that is searched when left others are to follow.
func (s *selector) searched(block, left int32) int32 {
	succs := s.succs(block)
	if len(succs) == 2 && s.f.Blocks[succs[0].Block].Depth < s.f.Blocks[succs[1].Block].Depth {
		left ^= 1
	}
	return succs[left].Block
}

// succs are the successors of a block, only the one that is taken if its condition is
// constant.
func (s *selector) succs(block int32) []ssa.Target {
	t := &s.f.Blocks[block].Term
	if t.Kind != ssa.Cbr {
		return t.Targets()
	}
	if c, ok := s.constant(t.Arg); ok {
		if c != 0 {
			return t.Succs[:1]
		}
		return t.Succs[1:2]
	}
	return t.Targets()
}

// countUses counts the uses in reachable blocks and pairs quotients with remainders.
func (s *selector) countUses() {
	n := 0
	for _, b := range s.rpo {
		block := &s.f.Blocks[b]
		n += len(block.Body) + 2 // with the branch
		for _, id := range block.Body {
			v := &s.f.Values[id]
			for _, a := range v.Operands() {
				s.uses[a]++
			}
			if isDivision(v.Op) {
				s.div.pair(s.f, id)
			}
		}
		succs := s.succs(b)
		switch {
		case block.Term.Kind == ssa.Ret || len(succs) == 2:
			s.uses[block.Term.Arg]++
		case block.Term.Kind == ssa.Fail:
			for _, a := range faultNumbers(&block.Term) {
				s.uses[a]++
			}
		}
		for _, t := range succs {
			for _, a := range t.Args {
				s.uses[a]++
			}
		}
	}
	s.emitter.init(s.m, n)
}

// makeBlocks makes the blocks of m and the registers of parameters. Parameters without
// uses are dropped.
func (s *selector) makeBlocks() {
	s.m.Blocks = make([]mach.Block, len(s.rpo))
	for i, b := range s.rpo {
		from, to := &s.f.Blocks[b], &s.m.Blocks[i]
		to.Depth, to.Cold = from.Depth, from.Cold || from.Term.Kind == ssa.Fail
		to.Params = s.regList(len(from.Params))
		for _, p := range from.Params {
			if s.uses[p] > 0 {
				to.Params = append(to.Params, s.newReg(p))
			}
		}
	}
}

// classOf is the kind of register for each class of values.
var classOf = [...]mach.Class{ssa.Word: mach.General, ssa.Float: mach.Float}

// newReg gives the value v a register.
func (s *selector) newReg(v ssa.ValueID) mach.Reg {
	r := s.m.NewReg(classOf[s.f.Values[v].Class])
	s.regs[v] = r
	if int(v) < len(s.f.Names) {
		s.m.Value(r).Name = s.f.Names[v]
	}
	return r
}

// selectBlock selects block number i of m.
func (s *selector) selectBlock(i int32) {
	s.block = s.rpo[i]
	block, out := &s.f.Blocks[s.block], &s.m.Blocks[i]
	s.depth = block.Depth
	s.begin()
	s.countStores(block.Body)
	s.index = len(block.Body)
	s.pos = block.Term.Pos
	group := s.terminator(block, out)
	s.flush()
	for s.index--; s.index >= 0; s.index-- {
		id := block.Body[s.index]
		switch {
		case s.f.Values[id].Op == node.OpStore:
			s.stores--
		case s.regs[id] == mach.NoReg && !s.div.wanted(id):
			continue
		}
		s.selectValue(id)
		s.flush()
	}
	if s.flags != ssa.None {
		panic(fmt.Sprintf("select %s: nobody leaves flags for v%d", s.f.Name, s.flags))
	}
	if i == 0 {
		s.inputs()
		s.flush()
	}
	out.Insts = s.end()
	out.Branch = len(out.Insts) - group
}

// selectValue emits the tile of a value whose register is wanted.
func (s *selector) selectValue(id ssa.ValueID) {
	v := &s.f.Values[id]
	s.pos = v.Pos
	if s.flags != ssa.None && s.flags != id {
		panic(fmt.Sprintf("select %s: v%d comes between v%d and the reader of its flags", s.f.Name, id, s.flags))
	}
	t := tiles[v.Op]
	if t == nil {
		panic(fmt.Sprintf("select %s: no tile for v%d = %s", s.f.Name, id, v.Op))
	}
	if second := s.div.first(id); second != ssa.None {
		s.deferDivision(id, second)
		return
	}
	t(s, id, v, s.regs[id])
	if s.flags == id { // done; the tile may have asked for those of another value
		s.flags = ssa.None
	}
}

// terminator emits the end of a block and tells how many instructions are its branch.
func (s *selector) terminator(block *ssa.Block, out *mach.Block) (group int) {
	succs := s.succs(s.block)
	out.Succs = s.edgeList(len(succs))
	for k := range succs {
		out.Succs[k] = s.edge(&succs[k])
	}
	switch {
	case block.Term.Kind == ssa.Ret && s.isFloat(block.Term.Arg):
		s.emit(RetValF, s.reg(block.Term.Arg))
		return 1
	case block.Term.Kind == ssa.Ret:
		s.emit(RetVal, s.reg(block.Term.Arg))
		return 1
	case block.Term.Kind == ssa.Fail:
		s.fault(&block.Term)
		return 1
	case len(succs) < 2:
		return 0
	}
	cond := s.condition(block.Term.Arg, false)
	s.emit(Jcc).Cond = cond
	if s.flags != ssa.None {
		return 1
	}
	return 2 // with the compare
}

// edge makes the edge to a target.
func (s *selector) edge(t *ssa.Target) mach.Edge {
	params := s.f.Blocks[t.Block].Params
	e := mach.Edge{Block: s.num[t.Block], Args: s.regList(len(t.Args))}
	for i, a := range t.Args {
		if s.uses[params[i]] > 0 {
			e.Args = append(e.Args, s.reg(a))
		}
	}
	return e
}

// reg is the register of the operand v. Each use of a constant has one of its own, so that
// a two-address instruction may overwrite it.
func (s *selector) reg(v ssa.ValueID) mach.Reg {
	if c, ok := s.constant(v); ok {
		r := s.m.NewReg(classOf[s.f.Values[v].Class])
		s.setConstantOf(v, r, c)
		return r
	}
	s.seen[v] = s.block + 1
	if r := s.regs[v]; r != mach.NoReg {
		return r
	}
	return s.newReg(v)
}

// setConstantOf makes d the constant c that v is.
func (s *selector) setConstantOf(v ssa.ValueID, d mach.Reg, c int64) {
	if s.isFloat(v) {
		s.setFloat(d, c)
		return
	}
	s.setConstant(d, c)
}

// constant tells whether v is a constant and which.
func (s *selector) constant(v ssa.ValueID) (int64, bool) {
	x := &s.f.Values[v]
	return x.Aux, x.Kind == ssa.Const
}

// imm32 tells whether v is a constant that fits an immediate.
func (s *selector) imm32(v ssa.ValueID) (int64, bool) {
	c, ok := s.constant(v)
	return c, ok && fits32(c)
}

// fusable returns the instruction v if it has op and its only user is the tile at hand,
// which may then compute it itself; nil otherwise.
func (s *selector) fusable(v ssa.ValueID, op node.Op) *ssa.Value {
	x := &s.f.Values[v]
	if x.Kind != ssa.Instr || x.Op != op || s.uses[v] != 1 || x.Block != s.block || s.regs[v] != mach.NoReg {
		return nil
	}
	return x
}

// alias makes the value in d equal to the operand v, without an instruction if v can be
// computed into d right away.
func (s *selector) alias(d mach.Reg, v ssa.ValueID) {
	if c, ok := s.constant(v); ok {
		s.setConstantOf(v, d, c)
		return
	}
	if x := &s.f.Values[v]; x.Kind == ssa.Instr && s.regs[v] == mach.NoReg {
		s.regs[v], s.seen[v] = d, s.block+1
		return
	}
	op := MovRR
	if s.isFloat(v) {
		op = MovapsRR
	}
	s.emit(op, d, s.reg(v))
}

// dies guesses whether the operand v is not needed any more after the tile at hand: no
// later use has been seen, and no loop will come back to an earlier one. What goes around
// the loop at hand and is only used behind it leaves from the head, most likely, where a
// new round's value has taken its place.
func (s *selector) dies(v ssa.ValueID) bool {
	x := &s.f.Values[v]
	if x.Kind == ssa.Const {
		return true // made on the spot
	}
	if use := s.seen[v]; use != 0 {
		return s.onLoop(v) && s.f.Blocks[use-1].Depth < s.depth
	}
	return x.Block < 0 && s.depth == 0 || x.Block >= 0 && s.f.Blocks[x.Block].Depth >= s.depth
}
