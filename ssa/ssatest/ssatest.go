// Package ssatest makes random valid functions in block-argument form, for tests and
// benchmarks of everything that works on them.
//
// Needs: a source of random numbers. Gives: functions that obey the rules S0 to S4 and
// always come to an end. Breaks: nothing.
//
// The shape comes first: blocks that branch forward, with a few branches back, so that
// loops overlap in every way, irreducible ones too. A branch back spends fuel, which is
// handed on through every join, and goes forward when there is none left. Then blocks are
// filled in preorder of the dominator tree, from values of the blocks above. Arguments are
// now and then of another variable than their parameter: that makes swaps, rotations,
// lost copies, and two edges between the same blocks with different arguments.
//
// Start reading at Func.
package ssatest

import (
	"math"
	"math/rand/v2"

	"shoal/node"
	"shoal/ssa"
)

// Options say what a function is to look like. All numbers are at least 1.
type Options struct {
	Blocks int // number of blocks
	Vars   int // variables that joins merge
	Ops    int // largest number of instructions in a block
	Inputs int
	Reach  int // largest distance of a branch, in blocks
	Fuel   int // how often a run goes back

	Floats bool // every other variable is a floating-point number
	Memory bool // loads, stores and allocations, and blocks that end in a fault
}

// Small draws options for a function of a few blocks.
func Small(rng *rand.Rand) Options {
	return Options{
		Blocks: 1 + rng.IntN(12),
		Vars:   1 + rng.IntN(5),
		Ops:    1 + rng.IntN(4),
		Inputs: 1 + rng.IntN(3),
		Reach:  1 + rng.IntN(6),
		Fuel:   1 + rng.IntN(12),
	}
}

// All draws options as Small does, of functions that have whatever there is.
func All(rng *rand.Rand) Options {
	o := Small(rng)
	o.Floats, o.Memory = rng.IntN(2) == 0, rng.IntN(2) == 0
	return o
}

// Large are options for a function of about n values.
func Large(n int) Options {
	return Options{Blocks: max(1, n/10), Vars: 4, Ops: 8, Inputs: 2, Reach: 8, Fuel: 50}
}

// Func makes the function that rng and o determine.
func Func(rng *rand.Rand, o Options) *ssa.Func {
	g := &generator{rng: rng, o: o, f: ssa.NewFunc("f", 8*o.Blocks)}
	g.inputs()
	g.shape()
	g.dom = ssa.Dominators(g.f)
	g.parameters()
	g.objects()
	for _, b := range g.dom.Order {
		g.fill(b)
	}
	for b := range int32(o.Blocks) {
		if !g.dom.Reaches(b) {
			g.fill(b)
		}
	}
	return g.f
}

// vars are the present values of the variables; the fuel comes first.
type vars []ssa.ValueID

const fuel = 0

type generator struct {
	rng *rand.Rand
	o   Options
	f   *ssa.Func
	dom *ssa.Dom
	end []vars // by block: the variables at its end
	ops []node.Op
	// consts are a few constants, used again and again; floats likewise.
	consts, floats []ssa.ValueID
	refs           []ssa.ValueID // what objects makes
	// merges are by block the variables that its parameters are for.
	merges [][]int
}

// chance is true once in n times.
func (g *generator) chance(n int) bool { return g.rng.IntN(n) == 0 }

func (g *generator) inputs() {
	for i := range g.o.Inputs {
		v := g.f.Add(ssa.Value{Kind: ssa.Input, Block: -1, Aux: int64(i)})
		g.f.Inputs = append(g.f.Inputs, v)
	}
	for _, c := range []float64{0, math.Copysign(0, -1), 1.5, -3, 1e300, math.Inf(1), math.NaN()} {
		if g.o.Floats {
			bits := int64(math.Float64bits(c))
			g.floats = append(g.floats, g.f.Add(ssa.Value{Kind: ssa.Const, Block: -1, Class: ssa.Float, Aux: bits}))
		}
	}
	for _, c := range []int64{0, 1, 2, -1, 7, 64, -1 << 63, 1<<63 - 1, g.rng.Int64(), int64(g.o.Fuel)} {
		g.consts = append(g.consts, g.f.Add(ssa.Value{Kind: ssa.Const, Block: -1, Aux: c}))
	}
	for op := range node.NumOps {
		float := op.Is(node.FloatIn) || op.Is(node.FloatOut)
		if op.Is(node.Pure) && (!float || g.o.Floats) {
			g.ops = append(g.ops, op)
		}
	}
}

// shape draws the terminators, without operands. The second target of a branch always
// leads forward; so does the first, unless it spends fuel. A block without successors
// leaves another way on, so that most blocks can be reached, however many there are.
func (g *generator) shape() {
	n := g.o.Blocks
	g.f.Blocks = make([]ssa.Block, n)
	reached := make([]bool, n)
	reached[0] = true
	furthest := int32(0) // that the blocks reached so far branch to
	for i := range n {
		t := &g.f.Blocks[i].Term
		ahead := func() int32 {
			to := int32(i + 1 + g.rng.IntN(min(g.o.Reach, n-1-i)))
			if reached[i] {
				reached[to], furthest = true, max(furthest, to)
			}
			return to
		}
		switch {
		case i == n-1 || i > 0 && (!reached[i] || furthest > int32(i)) && g.chance(25):
			t.Kind = ssa.Ret
		case g.chance(3):
			t.Kind = ssa.Br
			t.Succs[0].Block = ahead()
		default:
			t.Kind = ssa.Cbr
			t.Succs[1].Block = ahead()
			if i > 0 && g.chance(3) { // back, but not to the entry
				t.Succs[0].Block = int32(i - g.rng.IntN(min(g.o.Reach, i)))
			} else {
				t.Succs[0].Block = ahead()
			}
		}
	}
	g.f.LinkPreds()
}

// parameters decides which variables each block merges. A join must merge the fuel; all
// else is a matter of taste: a variable that is not merged has the value that it has at
// the end of the immediate dominator.
func (g *generator) parameters() {
	g.merges = make([][]int, g.o.Blocks)
	g.end = make([]vars, g.o.Blocks)
	for b := 1; b < g.o.Blocks; b++ {
		join := len(g.f.Blocks[b].Preds) > 1
		for x := range g.o.Vars + 1 {
			if join && (x == fuel || !g.chance(3)) || g.chance(8) {
				g.merges[b] = append(g.merges[b], x)
				p := g.f.Add(ssa.Value{Kind: ssa.Param, Block: int32(b), Class: g.class(x)})
				g.f.Blocks[b].Params = append(g.f.Blocks[b].Params, p)
			}
		}
	}
}

// fill gives block b its body and the operands of its terminator.
func (g *generator) fill(b int32) {
	now := g.enter(b)
	for range g.rng.IntN(g.o.Ops + 1) {
		v := g.instr(b)
		x := 1 + g.rng.IntN(g.o.Vars)
		if g.f.Values[v].HasResult() && g.f.Values[v].Class == g.class(x) {
			now[x] = v
		}
	}
	t := &g.f.Blocks[b].Term
	switch {
	case t.Kind == ssa.Ret && g.o.Memory && g.chance(8):
		t.Kind, t.Fault = ssa.Fail, node.FaultIndex
		t.Arg, t.Arg2 = g.result(b, now), g.operand(b, ssa.Word)
	case t.Kind == ssa.Ret:
		t.Arg = g.result(b, now)
	case t.Kind == ssa.Cbr && t.Succs[0].Block <= b:
		now[fuel] = g.emit(b, ssa.Value{Op: node.OpSub, NArgs: 2, Args: [3]ssa.ValueID{now[fuel], g.consts[1]}})
		t.Arg = g.emit(b, ssa.Value{Op: node.OpLT, NArgs: 2, Args: [3]ssa.ValueID{g.consts[0], now[fuel]}})
	case t.Kind == ssa.Cbr:
		t.Arg = g.operand(b, ssa.Word)
	}
	g.end[b] = now
	for k := range t.Targets() {
		to := &t.Succs[k]
		for _, x := range g.merges[to.Block] {
			to.Args = append(to.Args, g.argument(b, x, now))
		}
	}
}

// enter is the value of each variable at the top of block b.
func (g *generator) enter(b int32) vars {
	now := make(vars, g.o.Vars+1)
	switch d := g.dom.IDom[b]; {
	case d >= 0:
		copy(now, g.end[d])
	default: // the entry, or a block that it does not reach
		for x := range now {
			now[x] = g.constant(g.class(x))
		}
		now[fuel] = g.consts[len(g.consts)-1]
	}
	for i, x := range g.merges[b] {
		now[x] = g.f.Blocks[b].Params[i]
	}
	return now
}

// emit appends an instruction to block b.
func (g *generator) emit(b int32, v ssa.Value) ssa.ValueID {
	v.Kind, v.Block = ssa.Instr, b
	v.Class = v.ResultClass()
	id := g.f.Add(v)
	g.f.Blocks[b].Body = append(g.f.Blocks[b].Body, id)
	return id
}

// instr appends a random instruction to block b.
func (g *generator) instr(b int32) ssa.ValueID {
	if g.o.Memory && g.chance(3) {
		return g.access(b)
	}
	op := g.ops[g.rng.IntN(len(g.ops))]
	v := ssa.Value{Op: op, NArgs: uint8(op.Info().Arity - 1)}
	for i := range v.NArgs {
		v.Args[i] = g.operand(b, v.OperandClass(int(i)))
	}
	if op.Info().Aux == node.AuxBits {
		v.Aux = 1 + g.rng.Int64N(64)
	}
	return g.emit(b, v)
}

// class is the class of variable x.
func (g *generator) class(x int) ssa.Class {
	if g.o.Floats && x%2 == 0 && x != fuel {
		return ssa.Float
	}
	return ssa.Word
}

func (g *generator) constant(class ssa.Class) ssa.ValueID {
	if class == ssa.Float {
		return g.floats[g.rng.IntN(len(g.floats))]
	}
	return g.consts[g.rng.IntN(len(g.consts))]
}

// operand is a constant, an input or a value of b or of a block that dominates it. No
// reference is used as a number, because engines differ in where objects lie.
func (g *generator) operand(b int32, class ssa.Class) ssa.ValueID {
	const tries = 8
	for range tries {
		v := g.any(b, class)
		if x := &g.f.Values[v]; x.HasResult() && x.Class == class && x.Op != node.OpNew {
			return v
		}
	}
	return g.constant(class)
}

// any is one of the values that operand may be, of any class.
func (g *generator) any(b int32, class ssa.Class) ssa.ValueID {
	if g.chance(5) {
		return g.constant(class)
	}
	for {
		from := &g.f.Blocks[b]
		if n := len(from.Params) + len(from.Body); n > 0 && !g.chance(3) {
			if i := g.rng.IntN(n); i < len(from.Params) {
				return from.Params[i]
			} else {
				return from.Body[i-len(from.Params)]
			}
		}
		if b = g.dom.IDom[b]; b < 0 {
			return g.f.Inputs[g.rng.IntN(len(g.f.Inputs))]
		}
	}
}

// argument is what block b passes for variable x.
func (g *generator) argument(b int32, x int, now vars) ssa.ValueID {
	switch {
	case x == fuel || !g.chance(4):
		return now[x]
	case g.chance(2):
		if y := 1 + g.rng.IntN(g.o.Vars); g.class(y) == g.class(x) {
			return now[y]
		}
	}
	return g.operand(b, g.class(x))
}

// result mixes all variables, so that a wrong value anywhere is likely to show.
func (g *generator) result(b int32, now vars) ssa.ValueID {
	sum := now[fuel]
	for x, v := range now {
		if x == fuel {
			continue
		}
		if g.class(x) == ssa.Float { // a NaN has no value of its own to mix in
			op := []node.Op{node.OpLTF, node.OpLEF, node.OpEQF}[g.rng.IntN(3)]
			v = g.emit(b, ssa.Value{Op: op, NArgs: 2, Args: [3]ssa.ValueID{v, g.constant(ssa.Float)}})
		}
		sum = g.emit(b, ssa.Value{Op: node.OpMul, NArgs: 2, Args: [3]ssa.ValueID{sum, g.consts[4]}})
		sum = g.emit(b, ssa.Value{Op: node.OpAdd, NArgs: 2, Args: [3]ssa.ValueID{sum, v}})
	}
	return sum
}
