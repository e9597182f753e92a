//go:build linux && amd64

package amd64

import (
	"math"
	"runtime"
	"testing"
	"time"

	"shoal/node"
	"shoal/ssa"
)

// largeShapes are programs of about n values, of the kinds that tend to find squares.
var largeShapes = []struct {
	name string
	make func(n int) *ssa.Func
}{
	{"one block of sums with constants", func(n int) *ssa.Func {
		b := newBuilder("sums", 1)
		x, one := b.f.Inputs[0], b.constant(1)
		for range n {
			x = b.op(node.OpAdd, x, one)
		}
		return b.ret(x)
	}},
	{"negations of negations, all used", func(n int) *ssa.Func {
		b := newBuilder("nots", 1)
		x, sum := b.f.Inputs[0], b.f.Inputs[0]
		for range n / 2 {
			x = b.op(node.OpNot, x)
			sum = b.op(node.OpAdd, sum, x)
		}
		return b.ret(sum)
	}},
	{"shifts by shifts", func(n int) *ssa.Func {
		b := newBuilder("shifts", 1)
		x := b.f.Inputs[0]
		for range n / 2 {
			x = b.op(node.OpShl, x, b.op(node.OpSub, b.constant(64), x))
		}
		return b.ret(x)
	}},
	{"selects of one compare", func(n int) *ssa.Func {
		b := newBuilder("selects", 2)
		x, y := b.f.Inputs[0], b.f.Inputs[1]
		c := b.op(node.OpLT, x, y)
		for range n {
			x = b.op(node.OpSelect, c, x, y)
		}
		return b.ret(x)
	}},
	{"divisions of one dividend", func(n int) *ssa.Func {
		b := newBuilder("divisions", 2)
		x, y := b.f.Inputs[0], b.f.Inputs[1]
		for range n / 2 {
			y = b.op(node.OpXor, b.op(node.OpDiv, x, y), b.op(node.OpRem, x, y))
		}
		return b.ret(y)
	}},
	{"many live at once", func(n int) *ssa.Func {
		b := newBuilder("live", 1)
		var all []ssa.ValueID
		for i := range n / 2 {
			all = append(all, b.op(node.OpMul, b.f.Inputs[0], b.constant(int64(i))))
		}
		sum := b.f.Inputs[0]
		for i := len(all) - 1; i >= 0; i-- {
			sum = b.op(node.OpSub, all[i], sum)
		}
		return b.ret(sum)
	}},
	{"chain of branches", func(n int) *ssa.Func {
		b := newBuilder("tests", 1)
		x := b.f.Inputs[0]
		for i := range n / 2 {
			c := b.op(node.OpEQ, x, b.constant(int64(i)))
			at := len(b.f.Blocks) - 1
			yes := b.block()
			b.ret(b.constant(int64(i)))
			no := b.block()
			b.f.Blocks[at].Term = ssa.Term{Kind: ssa.Cbr, Arg: c, Succs: [2]ssa.Target{{Block: yes}, {Block: no}}}
		}
		return b.ret(x)
	}},
	{"wide edges", func(n int) *ssa.Func {
		b := newBuilder("edges", 1)
		vars := make([]ssa.ValueID, 50)
		for i := range vars {
			vars[i] = b.f.Inputs[0]
		}
		for range n / len(vars) {
			at := int32(len(b.f.Blocks) - 1)
			params := make([]ssa.ValueID, len(vars))
			for i := range params {
				params[i] = b.f.Add(ssa.Value{Kind: ssa.Param, Block: at + 1})
			}
			to := b.block(params...)
			b.f.Blocks[at].Term = ssa.Term{Kind: ssa.Br, Succs: [2]ssa.Target{{Block: to, Args: append(append([]ssa.ValueID(nil), vars[1:]...), vars[0])}}}
			copy(vars, params)
		}
		return b.ret(vars[0])
	}},
	{"nest of loops", func(n int) *ssa.Func {
		b := newBuilder("nest", 1)
		x := b.f.Inputs[0]
		depth := n / 2
		jump := func(k ssa.TermKind, arg ssa.ValueID, to ...int32) {
			t := ssa.Term{Kind: k, Arg: arg}
			for i, s := range to {
				t.Succs[i].Block = s
			}
			b.f.Blocks[len(b.f.Blocks)-1].Term = t
		}
		jump(ssa.Br, ssa.None, 1)
		for i := range int32(depth) { // heads are 1 ... depth
			b.block()
			b.f.Blocks[i+1].Depth = i + 1
			jump(ssa.Br, ssa.None, i+2)
		}
		for i := range int32(depth) { // then the ends, the innermost first
			at := b.block()
			b.f.Blocks[at].Depth = int32(depth) - i
			jump(ssa.Cbr, b.op(node.OpAnd, x, b.constant(int64(i))), int32(depth)-i, at+1)
		}
		b.block()
		return b.ret(x)
	}},
}

// BenchmarkShapes reports how the time of the machine's stages grows with the size of each
// shape: an exponent of 1 is linear.
func BenchmarkShapes(b *testing.B) {
	const small, factor = 10_000, 8
	for _, shape := range largeShapes {
		b.Run(shape.name, func(b *testing.B) {
			var perValue [2]time.Duration
			for b.Loop() {
				for i, n := range []int{small, small * factor} {
					f := shape.make(n)
					perValue[i] = bestTime(b, n, func() error {
						m, err := Target{}.Select(f)
						if err != nil {
							return err
						}
						allotted(m)
						Target{}.Frame(m)
						_, err = Target{}.Encode(m)
						return err
					})
				}
			}
			reportGrowth(b, perValue, factor)
		})
	}
}

// bestTime is the least time in three runs, divided by n.
func bestTime(b *testing.B, n int, run func() error) time.Duration {
	best := time.Hour
	for range 3 {
		runtime.GC()
		start := time.Now()
		if err := run(); err != nil {
			b.Fatal(err)
		}
		best = min(best, time.Since(start))
	}
	return best / time.Duration(n)
}

// reportGrowth reports times for each part of an input and of one factor times as large.
func reportGrowth(b *testing.B, perPart [2]time.Duration, factor float64) {
	b.ReportMetric(float64(perPart[1]), "ns/part")
	b.ReportMetric(1+math.Log(float64(perPart[1])/float64(perPart[0]))/math.Log(factor), "exponent")
}

// TestShapesRun runs small ones of the same shapes.
func TestShapesRun(t *testing.T) {
	h := newHost(t)
	for _, shape := range largeShapes {
		f := shape.make(120)
		for k, a := range allocators(t, 5) {
			h.load(t, compile(t, f, a))
			for _, x := range []int64{0, 3, 59, -1, 1 << 40} {
				inputs := []int64{x, 7}[:len(f.Inputs)]
				want, err := ssa.NewInterp(f).Run(2_000_000, inputs...)
				if err != nil {
					continue // the nest of loops takes too long for some
				}
				if got := h.call(t, inputs...); got != want {
					t.Errorf("%s, allocator %d, on %v: got %d, want %d", shape.name, k, inputs, got, want)
				}
			}
		}
	}
}
