package ssa

import (
	"shoal/gcm"
	"shoal/node"
	"shoal/node/types"
)

// coldFreq is how seldom, for one run of its function, a block runs to count as cold
// (optimizations §C.12).
const coldFreq = 0.01

// FromSchedule writes a scheduled graph out as linear SSA: Phis become parameters, and
// what a Phi gets on a path becomes an argument of the edge. With names set values are
// called as the variables of the program, for people to read.
//
// A block that one jump alone leads to goes on where that jump stood; a block in which
// nothing happens is passed over.
func FromSchedule(s *gcm.Schedule, names bool) *Func {
	b := &funcBuilder{s: s, f: NewFunc(s.Graph.Name, s.Graph.NumLive()), values: make([]ValueID, s.Graph.NumIDs())}
	b.f.File = s.Graph.File
	b.findResultClass()
	b.names = names
	b.inputs()
	b.findBlocks()
	for _, blk := range s.Blocks {
		b.body(blk)
	}
	for _, blk := range s.Blocks {
		b.term(blk)
	}
	b.skipEmpty()
	b.f.LinkPreds()
	if names {
		b.f.UniqueNames()
	}
	return b.f
}

type funcBuilder struct {
	s      *gcm.Schedule
	f      *Func
	values []ValueID // by node ID
	blocks []int32   // by index in the schedule: the block of f that its code goes to
	args   []ValueID // slab for arguments of edges
	names  bool
	result Class // of what the function returns
}

// class is the class of the values of n. The symbol of a Phi knows it when its type does
// not (node.IsMem).
func class(n *node.Node) Class {
	declared := n.Op == node.OpPhi && n.Type == types.Top && n.Sym != nil && n.Sym.Declared.IsFloat()
	if n.Type.IsFloat() || n.Op.Is(node.FloatOut) || declared {
		return Float
	}
	return Word
}

// findResultClass looks at the Returns, of which all agree but those of values that are
// never needed.
func (b *funcBuilder) findResultClass() {
	for _, blk := range b.s.Blocks {
		if blk.End != nil && blk.End.Op == node.OpReturn && class(blk.End.In(2)) == Float {
			b.result = Float
		}
	}
}

// input is the place of the program's argument in the tuple of Start.
const input = 2

func (b *funcBuilder) inputs() {
	v := b.f.Add(Value{Kind: Input, Block: -1})
	b.f.Inputs = []ValueID{v}
	b.name(v, "arg")
	for _, u := range b.s.Graph.Start.Uses() {
		if u.User.Op == node.OpProj && u.User.Aux == input {
			b.values[u.User.ID] = v
		}
	}
}

func (b *funcBuilder) name(v ValueID, name string) {
	if !b.names {
		return
	}
	for len(b.f.Names) <= int(v) {
		b.f.Names = append(b.f.Names, "")
	}
	b.f.Names[v] = name
}

// joins tells whether blk continues the one block that jumps to it.
func joins(blk *gcm.Block) bool {
	return len(blk.Preds) == 1 && len(blk.Preds[0].Succs) == 1 && blk.Preds[0] != blk
}

func (b *funcBuilder) findBlocks() {
	b.blocks = make([]int32, len(b.s.Blocks))
	count := int32(0)
	for i, blk := range b.s.Blocks { // predecessors that are alone come first
		if joins(blk) {
			b.blocks[i] = b.blocks[blk.Preds[0].ID]
			continue
		}
		b.blocks[i] = count
		count++
	}
	b.f.Blocks = make([]Block, count)
}

// body adds the parameters and instructions of a block.
func (b *funcBuilder) body(blk *gcm.Block) {
	at := b.blocks[blk.ID]
	out := &b.f.Blocks[at]
	if joins(blk) {
		for _, phi := range blk.Phis { // it gets the same value every time
			if !phi.IsMem() {
				b.values[phi.ID] = b.value(phi.In(blk.Paths[0]))
			}
		}
	} else {
		faults := blk.End != nil && blk.End.Op == node.OpFault
		out.Depth, out.Cold = int32(blk.LoopDepth()), blk.Freq < coldFreq || faults
		out.Params = make([]ValueID, 0, len(blk.Phis))
		for _, phi := range blk.Phis {
			if phi.IsMem() {
				continue
			}
			v := b.f.Add(Value{Kind: Param, Block: at, Pos: phi.Pos, Class: class(phi)})
			out.Params = append(out.Params, v)
			b.values[phi.ID] = v
			b.name(v, phi.Name())
		}
	}
	if cap(out.Body)-len(out.Body) < len(blk.Nodes) {
		out.Body = append(make([]ValueID, 0, len(out.Body)+len(blk.Nodes)), out.Body...)
	}
	for _, n := range blk.Nodes {
		if n.Op == node.OpCast || n.Op == node.OpReadOnly { // it only told what is known
			b.values[n.ID] = b.value(n.In(1))
			continue
		}
		id := b.f.Add(b.instr(n, at))
		b.values[n.ID] = id
		out.Body = append(out.Body, id)
	}
}

// instr is the instruction of a node.
func (b *funcBuilder) instr(n *node.Node, at int32) Value {
	v := Value{Kind: Instr, Op: n.Op, Block: at, Pos: n.Pos, Aux: n.Aux}
	first := 1
	switch n.Op {
	case node.OpLoad, node.OpStore:
		v.Aux = int64(n.Sym.Field.Storage)
		first = 2 // after the state of memory
	case node.OpNew:
		o := n.Sym.Object
		if v.Aux = o.Size; o.Array {
			v.Aux = int64(o.Element().Storage.Log2())
		}
	}
	for i := first; i < n.NumIn(); i++ {
		v.Args[v.NArgs] = b.operand(n.In(i), v.OperandClass(i-first))
		v.NArgs++
	}
	v.Class = v.ResultClass()
	return v
}

// value is the value of a node that was met before, or of a constant.
func (b *funcBuilder) value(n *node.Node) ValueID {
	if v := b.values[n.ID]; v != None {
		return v
	}
	if n.Op != node.OpConstant {
		panic(b.s.Graph.Bug(n, "has no value where it is used"))
	}
	v := b.f.Add(Value{Kind: Const, Block: -1, Aux: n.Type.Word(), Class: class(n)})
	b.values[n.ID] = v
	return v
}

// operand is value for a use of class want: a constant that is never needed has none of
// its own.
func (b *funcBuilder) operand(n *node.Node, want Class) ValueID {
	v := b.value(n)
	if x := &b.f.Values[v]; x.Class != want && x.Kind == Const && n.Type.HighOrConst() {
		v = b.f.Add(Value{Kind: Const, Block: -1, Class: want})
	}
	return v
}

// term ends a block, with the arguments for what it leads to.
func (b *funcBuilder) term(blk *gcm.Block) {
	if len(blk.Succs) == 1 && joins(blk.Succs[0]) {
		return
	}
	t := &b.f.Blocks[b.blocks[blk.ID]].Term
	switch {
	case blk.End != nil && blk.End.Op == node.OpReturn:
		*t = Term{Kind: Ret, Arg: b.operand(blk.End.In(2), b.result), Pos: blk.End.Pos}
	case blk.End != nil && blk.End.Op == node.OpFault:
		*t = Term{Kind: Fail, Fault: node.Fault(blk.End.Aux), Pos: blk.End.Pos}
		for i := 2; i < blk.End.NumIn(); i++ {
			*[...]*ValueID{&t.Arg, &t.Arg2}[i-2] = b.value(blk.End.In(i))
		}
	case blk.End != nil:
		*t = Term{Kind: Cbr, Arg: b.value(blk.End.In(1)), Pos: blk.End.Pos}
		t.Succs = [2]Target{b.target(blk, 0), b.target(blk, 1)}
	case len(blk.Succs) == 1:
		*t = Term{Kind: Br}
		t.Succs[0] = b.target(blk, 0)
	default: // control falls off the end of the program, which gives 0 (rulings §6)
		*t = Term{Kind: Ret, Arg: b.zero()}
	}
}

// zero is 0 or 0.0, which have the same bits.
func (b *funcBuilder) zero() ValueID {
	return b.f.Add(Value{Kind: Const, Block: -1, Class: b.result})
}

func (b *funcBuilder) target(blk *gcm.Block, i int) Target {
	s := blk.Succs[i]
	t := Target{Block: b.blocks[s.ID]}
	if len(s.Phis) == 0 {
		return t
	}
	path := 0
	for k, p := range s.Preds { // a Region's predecessors are all different
		if p == blk {
			path = s.Paths[k]
			break
		}
	}
	if len(b.args) < len(s.Phis) {
		b.args = make([]ValueID, max(1024, len(s.Phis)))
	}
	t.Args = b.args[:0:len(s.Phis)]
	b.args = b.args[len(s.Phis):]
	for _, phi := range s.Phis {
		if !phi.IsMem() {
			t.Args = append(t.Args, b.operand(phi.In(path), class(phi)))
		}
	}
	return t
}

// skipEmpty leads edges past blocks that only jump on, and drops these blocks. Whatever
// such a block passes on is defined above it, and so above what leads to it.
func (b *funcBuilder) skipEmpty() {
	blocks := b.f.Blocks
	empty := func(i int32) bool {
		x := &blocks[i]
		return i != 0 && len(x.Params) == 0 && len(x.Body) == 0 && x.Term.Kind == Br && x.Term.Succs[0].Block != i
	}
	final := make([]Target, len(blocks)) // of the empty ones, once known
	const unknown, known, open = 0, 1, 2
	state := make([]uint8, len(blocks))
	var chain []int32
	resolve := func(i int32) {
		chain = chain[:0]
		for empty(i) && state[i] == unknown {
			state[i] = open
			chain = append(chain, i)
			i = blocks[i].Term.Succs[0].Block
		}
		for k := len(chain) - 1; k >= 0; k-- {
			t := blocks[chain[k]].Term.Succs[0]
			if empty(t.Block) && state[t.Block] == known {
				t = final[t.Block]
			}
			final[chain[k]], state[chain[k]] = t, known
		}
	}
	for i := range blocks {
		resolve(int32(i))
	}
	for i := range blocks {
		for k := range blocks[i].Term.Targets() {
			t := &blocks[i].Term.Succs[k]
			if empty(t.Block) && final[t.Block].Block != t.Block {
				*t = final[t.Block]
			}
		}
	}
	b.dropUnreached()
}

// dropUnreached removes the blocks that nothing leads to any more and numbers the others
// anew, in the order they have.
func (b *funcBuilder) dropUnreached() {
	blocks := b.f.Blocks
	reached := make([]bool, len(blocks))
	reached[0] = true
	todo := []int32{0}
	for len(todo) > 0 {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, t := range blocks[i].Term.Targets() {
			if !reached[t.Block] {
				reached[t.Block] = true
				todo = append(todo, t.Block)
			}
		}
	}
	index := make([]int32, len(blocks))
	count := int32(0)
	for i := range blocks {
		if reached[i] {
			index[i] = count
			blocks[count] = blocks[i]
			count++
		}
	}
	b.f.Blocks = blocks[:count]
	for i := range b.f.Blocks {
		x := &b.f.Blocks[i]
		for k := range x.Term.Targets() {
			x.Term.Succs[k].Block = index[x.Term.Succs[k].Block]
		}
		for _, v := range x.Params {
			b.f.Values[v].Block = int32(i)
		}
		for _, v := range x.Body {
			b.f.Values[v].Block = int32(i)
		}
	}
}
