//go:build linux && amd64

package amd64

import (
	"math"
	"math/rand/v2"
	"testing"

	"shoal/node"
	"shoal/ssa"
)

// specials are floats where operations change their ways.
var specials = []float64{
	0, math.Copysign(0, -1), 1, -1, 0.5, 2, -2, 3, 1.0 / 3, 1e16, -1e16, 9007199254740993,
	math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64, -math.SmallestNonzeroFloat64, 0x1p-1022, 0x1p-1023,
	math.MaxFloat32, math.SmallestNonzeroFloat32, 0x1p-127, 0x1.000001p0, 0x1.00000101p0, 0x1p128,
	math.Inf(1), math.Inf(-1), math.NaN(),
}

func bitsOf(x float64) int64 { return int64(math.Float64bits(x)) }

// oneNaN makes all NaNs one: a program cannot tell them apart.
func oneNaN(x int64) int64 {
	if f := math.Float64frombits(uint64(x)); f != f {
		return bitsOf(math.NaN())
	}
	return x
}

func randomFloat(rng *rand.Rand) int64 {
	switch rng.IntN(4) {
	case 0:
		return bitsOf(specials[rng.IntN(len(specials))])
	case 1:
		return bitsOf(float64(rng.IntN(200) - 100))
	case 2:
		return bitsOf(rng.NormFloat64())
	}
	return oneNaN(int64(rng.Uint64()))
}

// floatOps are the pure ops that take or give floats.
func floatOps() (ops []node.Op) {
	for op := range node.NumOps {
		if op.Is(node.Pure) && (op.Is(node.FloatIn) || op.Is(node.FloatOut)) {
			ops = append(ops, op)
		}
	}
	return ops
}

// newMixedBuilder is newBuilder for inputs of these classes.
func newMixedBuilder(name string, classes ...ssa.Class) *builder {
	b := newBuilder(name, len(classes))
	for i, v := range b.f.Inputs {
		b.f.Values[v].Class = classes[i]
	}
	return b
}

func (b *builder) float(bits int64) ssa.ValueID {
	return b.f.Add(ssa.Value{Kind: ssa.Const, Block: -1, Aux: bits, Class: ssa.Float})
}

// floatInputs tells which inputs of f are floats.
func floatInputs(f *ssa.Func) (floats []bool) {
	for _, v := range f.Inputs {
		floats = append(floats, f.Values[v].Class == ssa.Float)
	}
	return floats
}

// operandClass is the class of the operands of a pure op.
func operandClass(op node.Op) ssa.Class {
	if op.Is(node.FloatIn) {
		return ssa.Float
	}
	return ssa.Word
}

// TestFloatTiles runs every op on floats on inputs and on constants, as a value and, where
// it compares, as the condition of a branch, negated or not.
func TestFloatTiles(t *testing.T) {
	h := newHost(t)
	rng := rand.New(rand.NewPCG(1, 20))
	for _, op := range floatOps() {
		class := operandClass(op)
		var words []int64
		if class == ssa.Word {
			words = boundary
		} else {
			for _, x := range specials {
				words = append(words, bitsOf(x))
			}
		}
		for shape := range 8 {
			for _, x := range words {
				fixed := words[rng.IntN(len(words))]
				f := floatShape(op, class, shape, x)
				for _, allocate := range allocators(t, 1) {
					h.load(t, compile(t, f, allocate))
					for _, y := range append(words, x, fixed) {
						got := h.callMixed(t, floatInputs(f), op.Is(node.FloatOut), x, y)
						want := floatWant(op, shape, x, y)
						if oneNaN(got) != want && (op.Is(node.FloatOut) || got != want) {
							t.Fatalf("%v, shape %d, on %#x, %#x: got %#x, want %#x\n%s", op, shape, uint64(x), uint64(y), uint64(got), uint64(want), listing(t, f))
						}
					}
				}
			}
		}
	}
}

// floatShape makes a function of two inputs that applies op: to both, to the constant c and
// the second, to the second and c, to the second twice; then the same four as a condition
// that is branched on, negated in the last two.
func floatShape(op node.Op, class ssa.Class, shape int, c int64) *ssa.Func {
	b := newMixedBuilder(op.String(), class, class)
	k := b.constant(c)
	b.f.Values[k].Class = class
	x, y := b.f.Inputs[0], b.f.Inputs[1]
	pairs := [][]ssa.ValueID{{x, y}, {k, y}, {y, k}, {y, y}}
	r := b.op(op, pairs[shape%4][:op.Info().Arity-1]...)
	if shape < 4 || op.Is(node.FloatOut) {
		return b.ret(r)
	}
	if shape >= 6 {
		r = b.op(node.OpNot, r)
	}
	return b.branch(r, b.constant(1), b.constant(0))
}

func floatWant(op node.Op, shape int, x, y int64) int64 {
	pairs := [4][2]int64{{x, y}, {x, y}, {y, x}, {y, y}}
	p := pairs[shape%4]
	if op.Info().Arity == 2 {
		p[1] = 0
	}
	want := node.Ops[op].Eval(64, p[0], p[1], 0)
	if shape >= 6 && !op.Is(node.FloatOut) {
		want ^= 1
	}
	if op.Is(node.FloatOut) {
		want = oneNaN(want)
	}
	return want
}

// TestFloatInputs passes floats and integers mixed, more than there are registers for.
func TestFloatInputs(t *testing.T) {
	h := newHost(t)
	var classes []ssa.Class
	var inputs []int64
	for i := range 20 {
		classes = append(classes, ssa.Class(i%2))
		inputs = append(inputs, int64(i+1))
		if i%2 == 1 {
			inputs[i] = bitsOf(float64(i + 1))
		}
	}
	b := newMixedBuilder("mixed", classes...)
	sum := b.float(0)
	for i, v := range b.f.Inputs {
		if classes[i] == ssa.Word {
			v = b.op(node.OpToFloat, v)
		}
		sum = b.op(node.OpAddF, b.op(node.OpMulF, sum, b.float(bitsOf(2))), v)
	}
	f := b.ret(sum)
	want := 0.0
	for i := range classes {
		want = 2*want + float64(i+1)
	}
	for seed := range uint64(20) {
		for _, allocate := range allocators(t, seed) {
			h.load(t, compile(t, f, allocate))
			if got := h.callMixed(t, floatInputs(f), true, inputs...); got != bitsOf(want) {
				t.Fatalf("got %v, want %v\n%s", math.Float64frombits(uint64(got)), want, listing(t, f))
			}
		}
	}
}
