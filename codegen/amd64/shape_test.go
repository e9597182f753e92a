//go:build linux && amd64

package amd64

import (
	"math/rand/v2"
	"testing"

	"shoal/node"
	"shoal/ssa"
)

// shapeConstants are what tiles look for: shift counts, masks, scales, the ends of
// immediates, divisors.
var shapeConstants = []int64{
	0, 1, 1, 1, 2, 3, 4, 5, 7, 8, 9, 10, 31, 32, 63, 64, 127, 128, 129, 255, 65535, -1, -1, -2, -8, -128, -129,
	1<<31 - 1, 1 << 31, -1 << 31, -1<<31 - 1, 1<<32 - 1, 1 << 40, 1 << 62, -1 << 63, 1<<63 - 1,
}

// A shaper makes functions of expression trees: every value has one use, in the block
// where it is, so that whatever a tile can take in, it takes in.
type shaper struct {
	r      *rand.Rand
	f      *ssa.Func
	block  int32
	leaves []ssa.ValueID
}

var shapeOps = manyOps()

// manyOps are the pure ops, those with many shapes several times.
func manyOps() []node.Op {
	ops := pureOps()
	for range 6 {
		ops = append(ops, node.OpAdd, node.OpSub, node.OpAnd, node.OpShl, node.OpEQ, node.OpNot, node.OpLT, node.OpSelect)
	}
	return ops
}

// tree appends the computation of a random tree to the block.
func (s *shaper) tree(depth int) ssa.ValueID {
	if depth == 0 || s.r.IntN(8) == 0 {
		if s.r.IntN(2) == 0 {
			c := shapeConstants[s.r.IntN(len(shapeConstants))]
			return s.f.Add(ssa.Value{Kind: ssa.Const, Block: -1, Aux: c})
		}
		return s.leaves[s.r.IntN(len(s.leaves))]
	}
	if s.r.IntN(12) == 0 {
		return s.remainder(depth)
	}
	op := shapeOps[s.r.IntN(len(shapeOps))]
	v := ssa.Value{Kind: ssa.Instr, Op: op, NArgs: uint8(op.Info().Arity - 1), Block: s.block}
	if op.Info().Aux == node.AuxBits {
		v.Aux = 1 + s.r.Int64N(64)
	}
	for i := range v.NArgs {
		v.Args[i] = s.tree(depth - 1)
	}
	id := s.f.Add(v)
	s.f.Blocks[s.block].Body = append(s.f.Blocks[s.block].Body, id)
	return id
}

// remainder appends x - x/y*y or x == x/y*y, with the operands of products either way.
func (s *shaper) remainder(depth int) ssa.ValueID {
	x, y := s.tree(depth-1), s.tree(0)
	op := func(op node.Op, a, b ssa.ValueID) ssa.ValueID {
		if op.Is(node.Commutes) && s.r.IntN(2) == 0 {
			a, b = b, a
		}
		id := s.f.Add(ssa.Value{Kind: ssa.Instr, Op: op, NArgs: 2, Args: [3]ssa.ValueID{a, b}, Block: s.block})
		s.f.Blocks[s.block].Body = append(s.f.Blocks[s.block].Body, id)
		return id
	}
	q := op([]node.Op{node.OpDiv, node.OpUDiv}[s.r.IntN(2)], x, y)
	r := op([]node.Op{node.OpSub, node.OpEQ}[s.r.IntN(2)], x, op(node.OpMul, q, y))
	if s.r.IntN(3) == 0 { // the quotient is needed too
		r = op(node.OpXor, r, q)
	}
	return r
}

// shapes makes a function of two trees: one decides which way, one is the result there.
func shapes(seed uint64) *ssa.Func {
	s := &shaper{r: rand.New(rand.NewPCG(seed, 1)), f: ssa.NewFunc("f", 64)}
	s.f.Blocks = make([]ssa.Block, 3)
	for i := range int64(3) {
		id := s.f.Add(ssa.Value{Kind: ssa.Input, Block: -1, Aux: i})
		s.f.Inputs = append(s.f.Inputs, id)
	}
	s.leaves = s.f.Inputs
	early := s.tree(1 + s.r.IntN(3)) // has a use in another block
	cond := s.tree(1 + s.r.IntN(4))
	s.f.Blocks[0].Term = ssa.Term{Kind: ssa.Cbr, Arg: cond, Succs: [2]ssa.Target{{Block: 1}, {Block: 2}}}
	s.leaves = append(s.leaves[:3:3], early, cond)
	for b := int32(1); b < 3; b++ {
		s.block = b
		s.f.Blocks[b].Term = ssa.Term{Kind: ssa.Ret, Arg: s.tree(1 + s.r.IntN(4))}
	}
	s.f.LinkPreds()
	return s.f
}

// TestShapes compares native code with the interpreter of SSA.
func TestShapes(t *testing.T) {
	h := newHost(t)
	for seed := range uint64(12000) {
		checkShapes(t, h, seed)
	}
}

func FuzzShapes(f *testing.F) {
	h := newHost(f)
	f.Add(uint64(0))
	f.Fuzz(func(t *testing.T, seed uint64) { checkShapes(t, h, seed) })
}

func checkShapes(t *testing.T, h *host, seed uint64) {
	t.Helper()
	f := shapes(seed)
	if errs := f.Validate(); len(errs) > 0 {
		t.Fatalf("seed %d: %v", seed, errs)
	}
	h.load(t, compile(t, f, spillAll(seed|1)))
	r := rand.New(rand.NewPCG(seed, 2))
	in := ssa.NewInterp(f)
	for range 6 {
		var args [3]int64
		for i := range args {
			args[i] = int64(r.Uint64()) >> r.IntN(64)
			if r.IntN(2) == 0 {
				args[i] = shapeConstants[r.IntN(len(shapeConstants))]
			}
		}
		want, err := in.Run(1000, args[:]...)
		if err != nil {
			t.Fatal(err)
		}
		if got := h.call(t, args[:]...); got != want {
			t.Fatalf("seed %d %v: native %d, interpreter %d\n%v", seed, args, got, want, f)
		}
	}
}
