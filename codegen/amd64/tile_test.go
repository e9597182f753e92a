//go:build linux && amd64

package amd64

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"shoal/codegen/mach"
	"shoal/node"
	"shoal/ssa"
)

// boundary are the words where operations change their ways.
var boundary = []int64{
	0, 1, -1, 2, -2, 3, -3, 7, 8, 10, 31, 32, 63, 64, 65, 100, -100, 127, 128, -128, -129, 255, 256,
	math.MaxInt32 - 1, math.MaxInt32, math.MaxInt32 + 1, math.MinInt32, math.MinInt32 - 1, math.MaxUint32, math.MaxUint32 + 1,
	1 << 40, -(1 << 40), 1<<62 - 1, 1 << 62, math.MaxInt64 - 1, math.MaxInt64, math.MinInt64, math.MinInt64 + 1,
	0x0123456789abcdef, -0x0123456789abcdef,
}

func randomWord(rng *rand.Rand) int64 {
	switch rng.IntN(4) {
	case 0:
		return boundary[rng.IntN(len(boundary))]
	case 1:
		return int64(rng.IntN(200) - 100)
	case 2:
		return int64(1)<<rng.IntN(64) + int64(rng.IntN(3)-1)
	}
	return int64(rng.Uint64())
}

// A builder writes SSA by hand.
type builder struct{ f *ssa.Func }

func newBuilder(name string, inputs int) *builder {
	b := &builder{ssa.NewFunc(name, 16)}
	for i := range inputs {
		b.f.Inputs = append(b.f.Inputs, b.f.Add(ssa.Value{Kind: ssa.Input, Block: -1, Aux: int64(i)}))
	}
	b.block()
	return b
}

// block begins a new block.
func (b *builder) block(params ...ssa.ValueID) int32 {
	b.f.Blocks = append(b.f.Blocks, ssa.Block{Params: params})
	return int32(len(b.f.Blocks) - 1)
}

func (b *builder) constant(c int64) ssa.ValueID {
	return b.f.Add(ssa.Value{Kind: ssa.Const, Block: -1, Aux: c})
}

// op appends an instruction to the latest block.
func (b *builder) op(op node.Op, args ...ssa.ValueID) ssa.ValueID { return b.opAux(op, 0, args...) }

func (b *builder) opAux(op node.Op, aux int64, args ...ssa.ValueID) ssa.ValueID {
	at := len(b.f.Blocks) - 1
	v := ssa.Value{Kind: ssa.Instr, Op: op, NArgs: uint8(len(args)), Block: int32(at), Aux: aux}
	copy(v.Args[:], args)
	if op.Is(node.FloatOut) {
		v.Class = ssa.Float
	}
	id := b.f.Add(v)
	b.f.Blocks[at].Body = append(b.f.Blocks[at].Body, id)
	return id
}

func (b *builder) ret(v ssa.ValueID) *ssa.Func {
	b.f.Blocks[len(b.f.Blocks)-1].Term = ssa.Term{Kind: ssa.Ret, Arg: v}
	return b.f
}

// branch ends the latest block and returns v in one block and w in another.
func (b *builder) branch(cond, v, w ssa.ValueID) *ssa.Func {
	at := len(b.f.Blocks) - 1
	yes := b.block()
	b.ret(v)
	no := b.block()
	b.ret(w)
	b.f.Blocks[at].Term = ssa.Term{Kind: ssa.Cbr, Arg: cond, Succs: [2]ssa.Target{{Block: yes}, {Block: no}}}
	b.f.LinkPreds()
	return b.f
}

// listing is the selected code of f, for messages.
func listing(t testing.TB, f *ssa.Func) string {
	m, err := Target{}.Select(f)
	if err != nil {
		t.Fatal(err)
	}
	var s strings.Builder
	s.WriteString(f.String())
	for b := range m.Blocks {
		fmt.Fprintf(&s, "b%d%v:\n", b, m.Blocks[b].Params)
		for i := range m.Blocks[b].Insts {
			fmt.Fprintf(&s, "\t%s\n", appendInst(nil, &m.Blocks[b].Insts[i]))
		}
		for _, e := range m.Blocks[b].Succs {
			fmt.Fprintf(&s, "\t-> b%d%v\n", e.Block, e.Args)
		}
	}
	return s.String()
}

// pureOps are the pure ops on integers.
func pureOps() (ops []node.Op) {
	for op := range node.NumOps {
		if op.Is(node.Pure) && !op.Is(node.FloatIn) && !op.Is(node.FloatOut) {
			ops = append(ops, op)
		}
	}
	return ops
}

func TestEveryOpHasATile(t *testing.T) {
	for op := range node.NumOps {
		if got, want := tiles[op] != nil, op.Is(node.Pure) || op.Is(node.Memory); got != want {
			t.Errorf("%v: has a tile: %t, needs one: %t", op, got, want)
		}
	}
}

// auxOf are the values of Aux to try for an op.
func auxOf(op node.Op) []int64 {
	if node.Ops[op].Aux != node.AuxBits {
		return []int64{0}
	}
	var all []int64
	for k := range int64(64) {
		all = append(all, k+1)
	}
	return all
}

func eval(op node.Op, aux int64, x [3]int64) int64 {
	if node.Ops[op].Aux == node.AuxBits {
		x[1] = aux
	}
	return node.Ops[op].Eval(64, x[0], x[1], x[2])
}

// TestTilesOnRegisters runs every op on registers, all of them different or the same.
func TestTilesOnRegisters(t *testing.T) {
	h := newHost(t)
	rng := rand.New(rand.NewPCG(1, 2))
	for _, op := range pureOps() {
		arity := node.Ops[op].Arity - 1
		for _, aux := range auxOf(op) {
			for shape := range 2 {
				b := newBuilder(op.String(), 3)
				args := b.f.Inputs[:arity]
				if shape == 1 {
					args = []ssa.ValueID{b.f.Inputs[0], b.f.Inputs[0], b.f.Inputs[0]}[:arity]
				}
				f := b.ret(b.opAux(op, aux, args...))
				for seed := range uint64(3) {
					h.load(t, compile(t, f, spillAll(seed+1)))
					check := func(x [3]int64) {
						got := h.call(t, x[:]...)
						if shape == 1 {
							x[1], x[2] = x[0], x[0]
						}
						if want := eval(op, aux, x); got != want {
							t.Fatalf("%v %d %v: got %d, want %d\n%s", op, aux, x, got, want, listing(t, f))
						}
					}
					for _, a := range boundary {
						for _, c := range boundary {
							check([3]int64{a, c, rng.Int64()})
						}
					}
					for range 100 {
						check([3]int64{randomWord(rng), randomWord(rng), randomWord(rng)})
					}
				}
			}
		}
	}
}

// TestTilesOnConstants runs every op with a constant in each of its places, and in all.
func TestTilesOnConstants(t *testing.T) {
	h := newHost(t)
	rng := rand.New(rand.NewPCG(3, 4))
	for _, op := range pureOps() {
		arity := node.Ops[op].Arity - 1
		if node.Ops[op].Aux == node.AuxBits {
			arity = 1
		}
		for mask := 1; mask < 1<<arity; mask++ {
			for i := range len(boundary) + 40 {
				var fixed [3]int64
				for k := range fixed {
					fixed[k] = randomWord(rng)
				}
				if i < len(boundary) {
					fixed[i%arity] = boundary[i]
					fixed[(mask>>1)%arity] = boundary[i]
				}
				checkConstants(t, h, rng, op, arity, mask, fixed)
			}
		}
	}
}

func checkConstants(t *testing.T, h *host, rng *rand.Rand, op node.Op, arity, mask int, fixed [3]int64) {
	t.Helper()
	aux := auxOf(op)
	bits := aux[rng.IntN(len(aux))]
	b := newBuilder(op.String(), 3)
	var args []ssa.ValueID
	for k := range arity {
		if mask>>k&1 != 0 {
			args = append(args, b.constant(fixed[k]))
		} else {
			args = append(args, b.f.Inputs[k])
		}
	}
	f := b.ret(b.opAux(op, bits, args...))
	h.load(t, compile(t, f, spillAll(rng.Uint64()|1)))
	for i := range len(boundary) + 10 {
		x := [3]int64{randomWord(rng), randomWord(rng), randomWord(rng)}
		if i < len(boundary) {
			x = [3]int64{boundary[i], boundary[i], boundary[i]}
		}
		got := h.call(t, x[:]...)
		for k := range arity {
			if mask>>k&1 != 0 {
				x[k] = fixed[k]
			}
		}
		if want := eval(op, bits, x); got != want {
			t.Fatalf("%v %d %v, constants %b: got %d, want %d\n%s", op, bits, x, mask, got, want, listing(t, f))
		}
	}
}

// divisors are the constants that division is tested with.
func divisors(rng *rand.Rand) (all []int64) {
	for c := int64(-300); c <= 300; c++ {
		all = append(all, c)
	}
	for k := range 64 {
		for d := int64(-1); d <= 1; d++ {
			all = append(all, int64(1)<<k+d, -(int64(1)<<k + d), (int64(1)<<k)*3+d)
		}
	}
	all = append(all, boundary...)
	for range 300 {
		all = append(all, int64(rng.Uint64())>>rng.IntN(64))
	}
	return all
}

// TestDivisionByConstants runs the four divisions, alone and together with the other
// result of the same division.
func TestDivisionByConstants(t *testing.T) {
	h := newHost(t)
	rng := rand.New(rand.NewPCG(5, 6))
	other := map[node.Op]node.Op{node.OpDiv: node.OpRem, node.OpRem: node.OpDiv, node.OpUDiv: node.OpURem, node.OpURem: node.OpUDiv}
	for _, c := range divisors(rng) {
		for _, op := range []node.Op{node.OpDiv, node.OpRem, node.OpUDiv, node.OpURem} {
			for _, both := range []bool{false, true} {
				b := newBuilder(fmt.Sprintf("%v %d", op, c), 1)
				r := b.op(op, b.f.Inputs[0], b.constant(c))
				if both { // quotient + 3 * remainder
					w := b.op(other[op], b.f.Inputs[0], b.constant(c))
					r = b.op(node.OpAdd, r, b.op(node.OpMul, w, b.constant(3)))
				}
				f := b.ret(r)
				h.load(t, compile(t, f, spillAll(rng.Uint64()|1)))
				check := func(x int64) {
					want := node.Ops[op].Eval(64, x, c, 0)
					if both {
						want += 3 * node.Ops[other[op]].Eval(64, x, c, 0)
					}
					if got := h.call(t, x); got != want {
						t.Fatalf("%v both %t: %d by %d: got %d, want %d\n%s", op, both, x, c, got, want, listing(t, f))
					}
				}
				for _, x := range boundary {
					check(x)
				}
				for k := int64(-2); k <= 2; k++ { // around multiples of the divisor
					check(c + k)
					check(-c + k)
					check(c*(math.MaxInt64/max(1, c|1)) + k)
					check(int64(rng.Uint64())>>rng.IntN(64) + k)
					check(c*int64(rng.Uint64()>>40) + k)
				}
			}
		}
	}
}

// TestMultiplicationByConstants covers the sequences that replace imul.
func TestMultiplicationByConstants(t *testing.T) {
	h := newHost(t)
	rng := rand.New(rand.NewPCG(7, 8))
	for _, c := range divisors(rng) {
		b := newBuilder(fmt.Sprintf("mul %d", c), 1)
		f := b.ret(b.op(node.OpMul, b.f.Inputs[0], b.constant(c)))
		h.load(t, compile(t, f, spillAll(rng.Uint64()|1)))
		for _, x := range boundary {
			if got, want := h.call(t, x), x*c; got != want {
				t.Fatalf("%d * %d: got %d, want %d\n%s", x, c, got, want, listing(t, f))
			}
		}
	}
}

// A random expression is a straight line of ops with a branch at its end. Operands are
// near, so that tiles can take them in, and constants are those that tiles look for.
type expression struct {
	b      *builder
	rng    *rand.Rand
	ops    []node.Op
	values []ssa.ValueID
}

func newExpression(rng *rand.Rand) *expression {
	e := &expression{b: newBuilder("expression", 3), rng: rng, ops: pureOps()}
	// A few ops only, so that they meet each other.
	rng.Shuffle(len(e.ops), func(i, j int) { e.ops[i], e.ops[j] = e.ops[j], e.ops[i] })
	e.ops = e.ops[:1+rng.IntN(6)]
	e.values = append(e.values, e.b.f.Inputs...)
	return e
}

var cornerstones = []int64{0, 1, -1, 2, 3, 4, 5, 8, 9, 10, 63, 64, 127, 128, -128, -129, 255, 65535, math.MaxUint32, math.MinInt64, math.MaxInt64, math.MinInt32}

func (e *expression) operand() ssa.ValueID {
	switch e.rng.IntN(8) {
	case 0, 1, 2:
		return e.values[len(e.values)-1]
	case 3, 4:
		return e.b.constant(cornerstones[e.rng.IntN(len(cornerstones))])
	case 5:
		return e.b.constant(int64(1)<<e.rng.IntN(64) - int64(e.rng.IntN(2)))
	}
	return e.values[e.rng.IntN(len(e.values))]
}

// grow appends one op.
func (e *expression) grow() {
	op := e.ops[e.rng.IntN(len(e.ops))]
	arity, aux := node.Ops[op].Arity-1, int64(0)
	if node.Ops[op].Aux == node.AuxBits {
		arity, aux = 1, int64(1+e.rng.IntN(64))
	}
	var args []ssa.ValueID
	for range arity {
		args = append(args, e.operand())
	}
	if op == node.OpDiv && e.rng.IntN(2) == 0 { // a remainder as programs write it
		q := e.b.op(op, args...)
		p := e.b.op(node.OpMul, q, args[1])
		if e.rng.IntN(2) == 0 {
			p = e.b.op(node.OpMul, args[1], q)
		}
		e.values = append(e.values, q, p)
		op, args = node.OpSub, []ssa.ValueID{args[0], p}
	}
	e.values = append(e.values, e.b.opAux(op, aux, args...))
}

// evaluate computes f, whose blocks are the expression and two returns, without package
// ssa.
func evaluate(f *ssa.Func, inputs [3]int64) int64 {
	value := make([]int64, len(f.Values))
	for i := range f.Values {
		switch v := &f.Values[i]; v.Kind {
		case ssa.Const:
			value[i] = v.Aux
		case ssa.Input:
			value[i] = inputs[v.Aux]
		case ssa.Instr:
			value[i] = eval(v.Op, v.Aux, [3]int64{value[v.Args[0]], value[v.Args[1]], value[v.Args[2]]})
		}
	}
	t := &f.Blocks[0].Term
	if value[t.Arg] != 0 {
		return value[f.Blocks[t.Succs[0].Block].Term.Arg]
	}
	return value[f.Blocks[t.Succs[1].Block].Term.Arg]
}

// checkExpression compiles one random expression and compares it with evaluate.
func checkExpression(t testing.TB, h *host, rng *rand.Rand, allocate func(*mach.Func)) error {
	t.Helper()
	e := newExpression(rng)
	for range 1 + rng.IntN(12) {
		e.grow()
	}
	v, w := e.operand(), e.operand()
	f := e.b.branch(e.operand(), v, w)
	h.load(t, compile(t, f, allocate))
	for range 12 {
		x := [3]int64{randomWord(rng), randomWord(rng), randomWord(rng)}
		if got, want := h.call(t, x[:]...), evaluate(f, x); got != want {
			return fmt.Errorf("on %v: got %d, want %d\n%s", x, got, want, listing(t, f))
		}
	}
	return nil
}

// TestInputsOnTheStack passes more inputs than there are registers for.
func TestInputsOnTheStack(t *testing.T) {
	h := newHost(t)
	b := newBuilder("stack", 9)
	sum := b.constant(0)
	for i, v := range b.f.Inputs {
		sum = b.op(node.OpAdd, b.op(node.OpMul, sum, b.constant(10)), b.op(node.OpAdd, v, b.constant(int64(i))))
	}
	f := b.ret(sum)
	for seed := range uint64(20) {
		h.load(t, compile(t, f, spillAll(seed+1)))
		if got, want := h.call(t, 1, 1, 1, 1, 1, 1, 1, 1, 1), int64(123456789); got != want {
			t.Fatalf("got %d, want %d\n%s", got, want, listing(t, f))
		}
	}
}
