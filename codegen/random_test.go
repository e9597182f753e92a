package codegen

import (
	"math"
	"math/rand/v2"

	"shoal/node"
	"shoal/ssa"
)

// A generator makes random functions: straight code over all pure ops, diamonds and
// counted loops, nested, so that every function ends.
type generator struct {
	*rand.Rand
	f     *ssa.Func
	at    int32         // the block being filled
	avail []ssa.ValueID // values whose definition dominates the end of that block
	left  int           // how many instructions may still be made
}

var pureOps = func() (ops []node.Op) {
	for op := range node.NumOps {
		if op.Is(node.Pure) && !op.Is(node.FloatIn) && !op.Is(node.FloatOut) {
			ops = append(ops, op)
		}
	}
	return ops
}()

// randomFunc makes a function with the given number of inputs and about size instructions.
func randomFunc(r *rand.Rand, name string, inputs, size int) *ssa.Func {
	g := &generator{Rand: r, f: ssa.NewFunc(name, 2*size), left: size}
	for i := range inputs {
		v := g.f.Add(ssa.Value{Kind: ssa.Input, Block: -1, Aux: int64(i)})
		g.f.Inputs = append(g.f.Inputs, v)
		g.avail = append(g.avail, v)
	}
	g.block()
	for g.left > 0 {
		g.statement(0)
	}
	// The result depends on several values, so that few of them are dead.
	sum := g.operand()
	for range 3 {
		sum = g.instr(node.OpAdd, g.instr(node.OpRotL, sum, g.constant(7)), g.operand())
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

// operand is a value that may be used here, now and then a constant.
func (g *generator) operand() ssa.ValueID {
	switch k := g.IntN(8); {
	case k == 0 || len(g.avail) == 0:
		return g.constant(boundary[g.IntN(len(boundary))])
	case k == 1:
		return g.constant(int64(g.Uint64()) >> g.IntN(64))
	case k < 5: // young values: short live ranges
		return g.avail[len(g.avail)-1-g.IntN(min(4, len(g.avail)))]
	}
	return g.avail[g.IntN(len(g.avail))]
}

func (g *generator) instr(op node.Op, args ...ssa.ValueID) ssa.ValueID {
	v := ssa.Value{Kind: ssa.Instr, Op: op, Block: g.at, NArgs: uint8(len(args))}
	copy(v.Args[:], args)
	if op.Info().Aux == node.AuxBits {
		v.Aux = int64(1 + g.IntN(64))
	}
	id := g.f.Add(v)
	g.f.Blocks[g.at].Body = append(g.f.Blocks[g.at].Body, id)
	g.avail = append(g.avail, id)
	g.left--
	return id
}

func (g *generator) randomInstr() ssa.ValueID {
	op := pureOps[g.IntN(len(pureOps))]
	args := make([]ssa.ValueID, op.Info().Arity-1)
	for i := range args {
		args[i] = g.operand()
	}
	return g.instr(op, args...)
}

func (g *generator) param(b int32) ssa.ValueID {
	id := g.f.Add(ssa.Value{Kind: ssa.Param, Block: b})
	g.f.Blocks[b].Params = append(g.f.Blocks[b].Params, id)
	return id
}

func (g *generator) operands(n int) []ssa.ValueID {
	args := make([]ssa.ValueID, n)
	for i := range args {
		args[i] = g.operand()
	}
	return args
}

const maxNesting = 3

func (g *generator) statement(depth int) {
	switch k := g.IntN(12); {
	case k == 0 && depth < maxNesting:
		g.diamond(depth + 1)
	case k == 1 && depth < maxNesting:
		g.loop(depth + 1)
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
	n, outer := g.IntN(4), len(g.avail)
	var ends [2]ssa.Target
	var last [2]int32
	term := ssa.Term{Kind: ssa.Cbr, Arg: cond}
	for k := range 2 {
		term.Succs[k].Block = g.block()
		if k == 0 || g.IntN(2) == 0 {
			g.statements(depth)
		}
		ends[k].Args, last[k] = g.operands(n), g.at
		g.avail = g.avail[:outer]
	}
	g.f.Blocks[from].Term = term
	join := g.block()
	for k := range 2 {
		ends[k].Block = join
		g.f.Blocks[last[k]].Term = ssa.Term{Kind: ssa.Br, Succs: [2]ssa.Target{ends[k]}}
	}
	for range n {
		g.avail = append(g.avail, g.param(join))
	}
}

// loop makes a loop of a few rounds whose test is at the top or, with a critical back
// edge, at the bottom; carried values may change places.
func (g *generator) loop(depth int) {
	n := g.IntN(5)
	enter := append(g.operands(n), g.constant(0))
	from := g.at
	head := g.block()
	g.f.Blocks[from].Term = ssa.Term{Kind: ssa.Br, Succs: [2]ssa.Target{{Block: head, Args: enter}}}
	for range n {
		g.avail = append(g.avail, g.param(head))
	}
	i := g.param(head)
	rounds := g.constant(int64(1 + g.IntN(4)))
	top := g.IntN(2) == 0
	if top {
		more := g.instr(node.OpLT, i, rounds)
		outer := len(g.avail)
		body := g.block()
		g.statements(depth)
		again := g.next(head, n, i)
		g.f.Blocks[g.at].Term = ssa.Term{Kind: ssa.Br, Succs: [2]ssa.Target{again}}
		g.avail = g.avail[:outer]
		exit := g.block()
		g.f.Blocks[head].Term = ssa.Term{Kind: ssa.Cbr, Arg: more, Succs: [2]ssa.Target{{Block: body}, {Block: exit}}}
		return
	}
	g.statements(depth)
	again := g.next(head, n, i)
	more := g.instr(node.OpLE, again.Args[n], rounds)
	end := g.at
	exit := g.block()
	g.f.Blocks[end].Term = ssa.Term{Kind: ssa.Cbr, Arg: more, Succs: [2]ssa.Target{again, {Block: exit}}}
}

// next makes the back edge of a loop with n carried values and the counter i.
func (g *generator) next(head int32, n int, i ssa.ValueID) ssa.Target {
	args := g.operands(n)
	if params := g.f.Blocks[head].Params; n > 1 && g.IntN(2) == 0 {
		copy(args, params[1:n]) // rotate: a cycle of copies
		args[n-1] = params[0]
	}
	one := g.constant(1)
	return ssa.Target{Block: head, Args: append(args, g.instr(node.OpAdd, i, one))}
}
