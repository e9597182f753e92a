package codegen

import (
	"bytes"
	"math"
	"math/rand/v2"

	"shoal/internal/heap"
	"shoal/node"
	"shoal/node/types"
	"shoal/source"
	"shoal/ssa"
)

// A generator makes random functions: straight code over all pure ops and memory, checks
// that fail now and then, diamonds and counted loops, nested, so that every function ends.
type generator struct {
	*rand.Rand
	f      *ssa.Func
	at     int32                          // the block being filled
	avail  [numClasses][]ssa.ValueID      // values whose definition dominates the end of that block
	arrays [types.NumStorages]ssa.ValueID // one of each storage, once it is made
	left   int                            // how many instructions may still be made
}

const numClasses = 2

var pureOps = func() (ops []node.Op) {
	for op := range node.NumOps {
		if op.Is(node.Pure) {
			ops = append(ops, op)
		}
	}
	return ops
}()

// randomFunc makes a function with the given number of inputs and about size instructions.
func randomFunc(r *rand.Rand, name string, inputs, size int) *ssa.Func {
	g := &generator{Rand: r, f: ssa.NewFunc(name, 2*size), left: size}
	g.f.File = randomText
	for i := range inputs {
		c := g.class()
		v := g.f.Add(ssa.Value{Kind: ssa.Input, Block: -1, Aux: int64(i), Class: c})
		g.f.Inputs = append(g.f.Inputs, v)
		g.avail[c] = append(g.avail[c], v)
	}
	g.block()
	for st := range g.arrays {
		if size > 8 && g.IntN(3) == 0 {
			g.arrays[st] = g.array(types.Storage(st))
		}
	}
	for g.left > 0 {
		g.statement(0)
	}
	// The result depends on several values, so that few of them are dead.
	sum := g.operand()
	for range 3 {
		sum = g.instr(node.OpAdd, g.instr(node.OpRotL, sum, g.constant(7)), g.operand())
	}
	if g.IntN(3) == 0 {
		sum = g.instr(node.OpAddF, g.instr(node.OpToFloat, sum), g.operandOf(ssa.Float))
	}
	g.f.Blocks[g.at].Term = ssa.Term{Kind: ssa.Ret, Arg: sum}
	g.f.LinkPreds()
	g.f.SetDepths(ssa.Dominators(g.f))
	return g.f
}

// block starts a new block.
func (g *generator) block() int32 {
	g.f.Blocks = append(g.f.Blocks, ssa.Block{})
	g.at = int32(len(g.f.Blocks) - 1)
	return g.at
}

func (g *generator) constant(c int64) ssa.ValueID {
	return g.f.Add(ssa.Value{Kind: ssa.Const, Block: -1, Aux: c})
}

var boundary = []int64{0, 1, -1, 2, 3, 7, 10, 63, 64, 127, 128, 255, 1 << 31, 1<<31 - 1, -1 << 31, 1 << 32, math.MaxInt64, math.MinInt64}

func (g *generator) float(x float64) ssa.ValueID {
	return g.f.Add(ssa.Value{Kind: ssa.Const, Block: -1, Aux: int64(math.Float64bits(x)), Class: ssa.Float})
}

var boundaryFloats = []float64{0, math.Copysign(0, -1), 1, -1, 0.1, 3e100, math.MaxFloat64, math.SmallestNonzeroFloat64, math.Inf(1), math.Inf(-1), math.NaN()}

// class is the class of a new value.
func (g *generator) class() ssa.Class {
	if g.IntN(3) == 0 {
		return ssa.Float
	}
	return ssa.Word
}

// operand is an integer that may be used here, now and then a constant.
func (g *generator) operand() ssa.ValueID { return g.operandOf(ssa.Word) }

// operandOf is a value of class c that may be used here.
func (g *generator) operandOf(c ssa.Class) ssa.ValueID {
	avail := g.avail[c]
	switch k := g.IntN(8); {
	case (k == 0 || len(avail) == 0) && c == ssa.Word:
		return g.constant(boundary[g.IntN(len(boundary))])
	case k == 0 || len(avail) == 0:
		return g.float(boundaryFloats[g.IntN(len(boundaryFloats))])
	case k == 1 && c == ssa.Word:
		return g.constant(int64(g.Uint64()) >> g.IntN(64))
	case k == 1:
		return g.float(g.NormFloat64())
	case k < 5: // young values: short live ranges
		return avail[len(avail)-1-g.IntN(min(4, len(avail)))]
	}
	return avail[g.IntN(len(avail))]
}

func (g *generator) instr(op node.Op, args ...ssa.ValueID) ssa.ValueID {
	aux := int64(0)
	if op.Info().Aux == node.AuxBits {
		aux = int64(1 + g.IntN(64))
	}
	c := ssa.Word
	if op.Is(node.FloatOut) {
		c = ssa.Float
	}
	id := g.append(op, aux, c, args...)
	g.avail[c] = append(g.avail[c], id)
	return id
}

// append adds an instruction whose result nobody uses yet.
func (g *generator) append(op node.Op, aux int64, c ssa.Class, args ...ssa.ValueID) ssa.ValueID {
	v := ssa.Value{Kind: ssa.Instr, Op: op, Block: g.at, NArgs: uint8(len(args)), Aux: aux, Class: c, Pos: g.pos()}
	copy(v.Args[:], args)
	id := g.f.Add(v)
	g.f.Blocks[g.at].Body = append(g.f.Blocks[g.at].Body, id)
	g.left--
	return id
}

// randomText is what positions are in.
var randomText = source.NewFile("random.ssa", bytes.Repeat([]byte("0123456789\n"), 50))

func (g *generator) pos() source.Pos { return source.At(g.IntN(len(randomText.Text))) }

// elementCount is how many elements arrays have that are accessed without checks.
const elementCount = 8

// array makes an array of at least elementCount elements.
func (g *generator) array(st types.Storage) ssa.ValueID {
	n := g.constant(elementCount)
	if g.IntN(2) == 0 {
		n = g.instr(node.OpAdd, g.instr(node.OpAnd, g.operand(), g.constant(31)), n)
	}
	return g.append(node.OpNew, int64(st.Log2()), ssa.Word, n)
}

// access reads or writes an element of one of the arrays, each of which only has values of
// its own storage, as in programs.
func (g *generator) access() {
	st := types.Storage(g.IntN(int(types.Ref)))
	array := g.arrays[st]
	if array == ssa.None {
		return
	}
	c := ssa.Word
	if st.IsFloat() {
		c = ssa.Float
	}
	index := g.constant(int64(g.IntN(elementCount)))
	if g.IntN(3) > 0 {
		index = g.instr(node.OpAnd, g.operand(), g.constant(elementCount-1))
	}
	if g.IntN(8) == 0 {
		index = g.check(array)
	}
	off := g.instr(node.OpAdd, g.instr(node.OpShl, index, g.constant(int64(st.Log2()))), g.constant(heap.ArrayBase(st.Log2())))
	load := func() ssa.ValueID {
		v := g.append(node.OpLoad, int64(st), c, array, off)
		g.avail[c] = append(g.avail[c], v)
		return v
	}
	switch x := g.operandOf(c); {
	case g.IntN(2) == 0:
		load()
	case g.IntN(3) == 0 && c == ssa.Word:
		g.append(node.OpStore, int64(st), ssa.Word, array, off, g.instr(node.OpAdd, load(), x))
	default:
		g.append(node.OpStore, int64(st), ssa.Word, array, off, x)
	}
}

// check makes an index that is checked, and seldom too large.
func (g *generator) check(array ssa.ValueID) ssa.ValueID {
	index := g.instr(node.OpAnd, g.operand(), g.constant(63))
	index = g.instr(node.OpShr, index, g.constant(int64(g.IntN(4))))
	length := g.append(node.OpLoad, int64(types.U32), ssa.Word, array, g.constant(0))
	inside := g.instr(node.OpULT, index, length)
	from := g.at
	bad := g.block()
	g.f.Blocks[bad].Term = ssa.Term{Kind: ssa.Fail, Fault: node.FaultIndex, Arg: index, Arg2: length, Pos: g.pos()}
	g.f.Blocks[from].Term = ssa.Term{Kind: ssa.Cbr, Arg: inside, Succs: [2]ssa.Target{{Block: g.block()}, {Block: bad}}}
	return index
}

func (g *generator) randomInstr() ssa.ValueID {
	op := pureOps[g.IntN(len(pureOps))]
	args := make([]ssa.ValueID, op.Info().Arity-1)
	c := ssa.Word
	if op.Is(node.FloatIn) {
		c = ssa.Float
	}
	for i := range args {
		args[i] = g.operandOf(c)
	}
	return g.instr(op, args...)
}

func (g *generator) param(b int32, c ssa.Class) ssa.ValueID {
	id := g.f.Add(ssa.Value{Kind: ssa.Param, Block: b, Class: c})
	g.f.Blocks[b].Params = append(g.f.Blocks[b].Params, id)
	return id
}

// classes are the classes of n merged values.
func (g *generator) classes(n int) []ssa.Class {
	cs := make([]ssa.Class, n)
	for i := range cs {
		cs[i] = g.class()
	}
	return cs
}

// params makes parameters that may be used.
func (g *generator) params(b int32, cs []ssa.Class) {
	for _, c := range cs {
		g.avail[c] = append(g.avail[c], g.param(b, c))
	}
}

func (g *generator) operands(cs []ssa.Class) []ssa.ValueID {
	args := make([]ssa.ValueID, len(cs))
	for i, c := range cs {
		args[i] = g.operandOf(c)
	}
	return args
}

// forget makes the values unavailable that came after the call of mark.
func (g *generator) mark() (forget func()) {
	old := g.avail
	return func() { g.avail = old }
}

const maxNesting = 3

func (g *generator) statement(depth int) {
	switch k := g.IntN(12); {
	case k == 0 && depth < maxNesting:
		g.diamond(depth + 1)
	case k == 1 && depth < maxNesting:
		g.loop(depth + 1)
	case k < 5:
		g.access()
	default:
		g.randomInstr()
	}
}

func (g *generator) statements(depth int) {
	for range 1 + g.IntN(6) {
		g.statement(depth)
	}
}

// diamond makes an if with two arms, of which one may be empty, and merged values.
func (g *generator) diamond(depth int) {
	from, cond := g.at, g.operand()
	merged, forget := g.classes(g.IntN(4)), g.mark()
	var ends [2]ssa.Target
	var last [2]int32
	term := ssa.Term{Kind: ssa.Cbr, Arg: cond}
	for k := range 2 {
		term.Succs[k].Block = g.block()
		if k == 0 || g.IntN(2) == 0 {
			g.statements(depth)
		}
		ends[k].Args, last[k] = g.operands(merged), g.at
		forget()
	}
	g.f.Blocks[from].Term = term
	join := g.block()
	for k := range 2 {
		ends[k].Block = join
		g.f.Blocks[last[k]].Term = ssa.Term{Kind: ssa.Br, Succs: [2]ssa.Target{ends[k]}}
	}
	g.params(join, merged)
}

// loop makes a loop of a few rounds whose test is at the top or, with a critical back
// edge, at the bottom; carried values may change places.
func (g *generator) loop(depth int) {
	carried := g.classes(g.IntN(5))
	n := len(carried)
	enter := append(g.operands(carried), g.constant(0))
	from := g.at
	head := g.block()
	g.f.Blocks[from].Term = ssa.Term{Kind: ssa.Br, Succs: [2]ssa.Target{{Block: head, Args: enter}}}
	g.params(head, carried)
	i := g.param(head, ssa.Word)
	rounds := g.constant(int64(1 + g.IntN(4)))
	top := g.IntN(2) == 0
	if top {
		more := g.instr(node.OpLT, i, rounds)
		test, forget := g.at, g.mark()
		body := g.block()
		g.statements(depth)
		again := g.next(head, carried, i)
		g.f.Blocks[g.at].Term = ssa.Term{Kind: ssa.Br, Succs: [2]ssa.Target{again}}
		forget()
		exit := g.block()
		g.f.Blocks[test].Term = ssa.Term{Kind: ssa.Cbr, Arg: more, Succs: [2]ssa.Target{{Block: body}, {Block: exit}}}
		return
	}
	g.statements(depth)
	again := g.next(head, carried, i)
	more := g.instr(node.OpLE, again.Args[n], rounds)
	end := g.at
	exit := g.block()
	g.f.Blocks[end].Term = ssa.Term{Kind: ssa.Cbr, Arg: more, Succs: [2]ssa.Target{again, {Block: exit}}}
}

// next makes the back edge of a loop with carried values and the counter i.
func (g *generator) next(head int32, carried []ssa.Class, i ssa.ValueID) ssa.Target {
	args := g.operands(carried)
	if params := g.f.Blocks[head].Params; g.IntN(2) == 0 { // rotate each class: cycles of copies
		last := [numClasses]int{-1, -1}
		for k, c := range carried {
			if last[c] >= 0 {
				args[last[c]] = params[k]
			}
			last[c] = k
		}
	}
	one := g.constant(1)
	return ssa.Target{Block: head, Args: append(args, g.instr(node.OpAdd, i, one))}
}
