//go:build linux && amd64

package amd64

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/arch/x86/x86asm"

	"shoal/codegen/mach"
	"shoal/source"
)

// A graph is a function given by its edges, for tests of layout: block b sets eax to b
// and then has pad[b] bytes more; pad -1 means that it is empty. Blocks with two
// successors go to the first if the condition cond[b] holds.
type graph struct {
	succs [][]int32
	pad   []int
	cond  []uint8
	depth []int32
	cold  []bool
}

// fill makes the missing columns.
func (g *graph) fill() {
	for len(g.pad) < len(g.succs) {
		g.pad = append(g.pad, 0)
	}
	for len(g.cond) < len(g.succs) {
		g.cond = append(g.cond, CondE)
	}
	for len(g.depth) < len(g.succs) {
		g.depth = append(g.depth, 0)
	}
	for len(g.cold) < len(g.succs) {
		g.cold = append(g.cold, false)
	}
}

func (g *graph) build() *mach.Func {
	g.fill()
	f := &mach.Func{Name: "graph"}
	for b, succs := range g.succs {
		var block mach.Block
		if g.pad[b] >= 0 {
			block.Insts = append(block.Insts, NewI(Mov32RI, int64(b), RAX))
			for n := g.pad[b]; n > 0; n-- {
				block.Insts = append(block.Insts, New(Push, RBX)) // one byte
			}
		}
		for i := range block.Insts {
			block.Insts[i].Pos = source.Pos(b + 1)
		}
		block.Branch = len(block.Insts)
		switch len(succs) {
		case 0:
			block.Insts = append(block.Insts, New(Ret))
		case 2:
			block.Insts = append(block.Insts, mach.Inst{Op: Jcc, Cond: g.cond[b]})
		}
		for _, to := range succs {
			block.Succs = append(block.Succs, mach.Edge{Block: to})
		}
		block.Depth, block.Cold = g.depth[b], g.cold[b]
		f.Blocks = append(f.Blocks, block)
	}
	f.LinkPreds()
	return f
}

// A machine reads code back: at each offset one instruction of another decoder.
type machine struct {
	t    *testing.T
	code []byte
}

func (m machine) at(offset int) x86asm.Inst {
	m.t.Helper()
	if offset < 0 || offset >= len(m.code) {
		m.t.Fatalf("control leaves the code: offset %d of %d", offset, len(m.code))
	}
	in, err := x86asm.Decode(m.code[offset:], 64)
	if err != nil {
		m.t.Fatalf("offset %d: %v", offset, err)
	}
	return in
}

// jump decodes a jump at offset: its target, the offset behind it, its condition.
func (m machine) jump(offset int) (to, next int, cond int, ok bool) {
	in := m.at(offset)
	rel, isRel := in.Args[0].(x86asm.Rel)
	if !isRel {
		return 0, 0, 0, false
	}
	next = offset + in.Len
	cond = -1
	if in.Op != x86asm.JMP {
		op := m.code[offset]
		if op == 0x0f {
			op = m.code[offset+1]
		}
		cond = int(op & 15)
	}
	return next + int(rel), next, cond, true
}

// settle follows unconditional jumps, and padding, to an instruction that is neither. A ring of jumps is an
// endless loop: it ends at -1.
func (m machine) settle(offset int) int {
	for range len(m.code) + 1 {
		if in := m.at(offset); in.Op == x86asm.NOP { // aligns a loop
			offset += in.Len
			continue
		}
		to, _, cond, ok := m.jump(offset)
		if !ok || cond >= 0 {
			return offset
		}
		offset = to
	}
	return -1
}

// marker is the number of the block whose code begins at offset, -1 in an endless loop.
func (m machine) marker(offset int) int {
	offset = m.settle(offset)
	if offset < 0 {
		return -1
	}
	in := m.at(offset)
	if in.Op == x86asm.MOV {
		if imm, ok := in.Args[1].(x86asm.Imm); ok {
			return int(imm)
		}
	}
	m.t.Fatalf("offset %d: %v where a block should begin", offset, in)
	return 0
}

// destination is where control goes from block b of the graph, through empty blocks: the
// number of a block with code, or -1 for an endless loop of empty blocks.
func (g *graph) destination(b int32) int {
	for range len(g.succs) + 1 {
		if g.pad[b] >= 0 {
			return int(b)
		}
		b = g.succs[b][0]
	}
	return -1
}

// check encodes the graph and compares control in the code with the edges.
func (g *graph) check(t *testing.T) *mach.Code {
	t.Helper()
	f := g.build()
	c, err := Target{}.Encode(f)
	if err != nil {
		t.Fatal(err)
	}
	m := machine{t, c.Bytes}
	if got, want := m.marker(0), g.destination(0); got != want {
		t.Fatalf("the entry begins with block %d, want %d", got, want)
	}
	for b := range g.succs {
		if g.pad[b] >= 0 && c.Blocks[b] >= 0 {
			g.checkBlock(t, m, c, b)
		}
	}
	g.checkSizes(t, m)
	return c
}

func (g *graph) checkBlock(t *testing.T, m machine, c *mach.Code, b int) {
	t.Helper()
	at := int(c.Blocks[b])
	if got := m.marker(at); got != b {
		t.Fatalf("block %d: its offset %d is that of block %d", b, at, got)
	}
	at += m.at(at).Len + g.pad[b]
	var want []int
	for _, s := range g.succs[b] {
		want = append(want, g.destination(s))
	}
	if len(want) == 2 && want[0] == want[1] {
		want = want[:1]
	}
	var got []int
	switch to, next, cond, ok := m.jump(at); {
	case len(want) == 0:
		if in := m.at(at); in.Op != x86asm.RET {
			t.Fatalf("block %d ends with %v, want a return", b, in)
		}
		return
	case ok && cond >= 0:
		yes, no := m.marker(to), m.marker(next)
		if cond == int(g.cond[b]^1) {
			yes, no = no, yes
		} else if cond != int(g.cond[b]) {
			t.Fatalf("block %d: condition %d, want %d or its opposite", b, cond, g.cond[b])
		}
		got = []int{yes, no}
		if yes == no { // two endless loops
			got = got[:1]
		}
	default:
		got = []int{m.marker(at)}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("block %d goes to other blocks (-want +got):\n%s", b, diff)
	}
}

// checkSizes checks that no jump is longer than it has to be: growing from short is
// minimal, but for padding, which may shrink again after a jump has grown over it.
func (g *graph) checkSizes(t *testing.T, m machine) {
	t.Helper()
	padding := 0 // at most
	for _, depth := range g.depth {
		if depth > 0 {
			padding += 15
		}
	}
	for at := 0; at < len(m.code); at += m.at(at).Len {
		to, next, _, ok := m.jump(at)
		distance := int64(to - next)
		if ok && next-at > shortJump && fits8(distance-int64(padding)) && fits8(distance+int64(padding)) {
			t.Errorf("offset %d: a long jump over %d bytes", at, distance)
		}
	}
}

func TestBranches(t *testing.T) {
	for _, tt := range []struct {
		name string
		g    graph
	}{
		{"one block", graph{succs: [][]int32{{}}}},
		{"straight line", graph{succs: [][]int32{{1}, {2}, {}}}},
		{"diamond", graph{succs: [][]int32{{1, 2}, {3}, {3}, {}}}},
		{"both ways to one block", graph{succs: [][]int32{{1, 1}, {}}}},
		{"both ways to one block through empty ones", graph{succs: [][]int32{{1, 2}, {3}, {3}, {}}, pad: []int{0, -1, -1, 0}}},
		{"loop with the test above", graph{succs: [][]int32{{1}, {2, 3}, {1}, {}}, depth: []int32{0, 1, 1, 0}}},
		{"loop of one block", graph{succs: [][]int32{{1}, {1, 2}, {}}, depth: []int32{0, 1, 0}}},
		{"endless loop", graph{succs: [][]int32{{1}, {1}}}},
		{"empty endless loop", graph{succs: [][]int32{{1}, {1}}, pad: []int{0, -1}}},
		{"ring of empty blocks", graph{succs: [][]int32{{1, 4}, {2}, {3}, {1}, {}}, pad: []int{0, -1, -1, -1, 0}}},
		{"empty entry", graph{succs: [][]int32{{1}, {2, 1}, {}}, pad: []int{-1, 0, 0}}},
		{"nothing but an endless loop", graph{succs: [][]int32{{1}, {0}}, pad: []int{-1, -1}}},
		{"cold block in between", graph{succs: [][]int32{{1, 2}, {2}, {}}, cold: []bool{false, true, false}}},
		{"far forward", graph{succs: [][]int32{{2, 1}, {2}, {}}, pad: []int{0, 200, 0}}},
		{"far back", graph{succs: [][]int32{{1}, {1, 2}, {}}, pad: []int{0, 200, 0}}},
		{"not reducible", graph{succs: [][]int32{{1, 2}, {2, 3}, {1, 3}, {}}, depth: []int32{0, 1, 1, 0}}},
		{"block that nothing reaches", graph{succs: [][]int32{{2}, {2}, {}}}},
	} {
		t.Run(tt.name, func(t *testing.T) { tt.g.check(t) })
	}
}

// TestBranchReach tries every distance around the limit of short jumps.
func TestBranchReach(t *testing.T) {
	for pad := 100; pad < 140; pad++ {
		forward := graph{succs: [][]int32{{2, 1}, {2}, {}}, pad: []int{0, pad, 0}}
		forward.check(t)
		back := graph{succs: [][]int32{{1}, {1, 2}, {}}, pad: []int{0, pad, 0}}
		back.check(t)
	}
}

func randomGraph(rng *rand.Rand, blocks, pad int) *graph {
	g := &graph{}
	for b := range blocks {
		var succs []int32
		for range rng.IntN(3) {
			to := rng.IntN(blocks)
			if rng.IntN(3) > 0 { // near
				to = min(blocks-1, max(0, b+rng.IntN(9)-4))
			}
			succs = append(succs, int32(to))
		}
		size := rng.IntN(pad)
		if len(succs) == 1 && rng.IntN(2) == 0 {
			size = -1
		}
		g.succs = append(g.succs, succs)
		g.pad = append(g.pad, size)
		g.cond = append(g.cond, uint8(rng.IntN(16)))
		g.depth = append(g.depth, int32(rng.IntN(4)))
		g.cold = append(g.cold, rng.IntN(8) == 0)
	}
	return g
}

func TestRandomBranches(t *testing.T) {
	for seed := range uint64(3000) {
		rng := rand.New(rand.NewPCG(seed, 1))
		randomGraph(rng, 1+rng.IntN(25), 1+rng.IntN(60)).check(t)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// jumpsFrom lists the jumps in a stretch of code, to count what a loop executes.
func jumpsFrom(t *testing.T, c *mach.Code, blocks ...int) (jumps int) {
	t.Helper()
	m := machine{t, c.Bytes}
	low, high := int32(len(c.Bytes)), int32(0)
	for _, b := range blocks {
		low, high = min(low, c.Blocks[b]), max(high, c.Blocks[b])
	}
	for at := int(low); at < len(c.Bytes); at += m.at(at).Len {
		to, _, _, ok := m.jump(at)
		if ok && int32(at) > high && int32(to) < low {
			break
		}
		if ok {
			jumps++
		}
		if ok && int32(at) > high && int32(to) >= low && int32(to) <= high {
			break // the way back
		}
	}
	return jumps
}

// TestLoopsHaveOneJump checks that the test of a loop is at its bottom, so that a trip
// takes one jump, and that what is cold is not in its way.
func TestLoopsHaveOneJump(t *testing.T) {
	for _, tt := range []struct {
		name  string
		g     graph
		loop  []int
		jumps int
	}{
		{"while", graph{succs: [][]int32{{1}, {2, 3}, {1}, {}}, depth: []int32{0, 1, 1, 0}}, []int{1, 2}, 1},
		{"while, the exit first", graph{succs: [][]int32{{1}, {3, 2}, {1}, {}}, depth: []int32{0, 1, 1, 0}}, []int{1, 2}, 1},
		{"do while", graph{succs: [][]int32{{1}, {2}, {1, 3}, {}}, depth: []int32{0, 1, 1, 0}}, []int{1, 2}, 1},
		{"while of three blocks", graph{succs: [][]int32{{1}, {2, 4}, {3}, {1}, {}}, depth: []int32{0, 1, 1, 1, 0}}, []int{1, 2, 3}, 1},
		{"while with a cold way", graph{
			succs: [][]int32{{1}, {2, 5}, {3, 4}, {4}, {1}, {}},
			depth: []int32{0, 1, 1, 1, 1, 0}, cold: []bool{false, false, false, true, false, false},
		}, []int{1, 2, 4}, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := tt.g.check(t)
			if got := jumpsFrom(t, c, tt.loop...); got != tt.jumps {
				t.Errorf("%d jumps in the loop, want %d\n% x", got, tt.jumps, c.Bytes)
			}
		})
	}
}

// warm tells which blocks control reaches without a cold one on the way.
func (g *graph) warm() []bool {
	warm := make([]bool, len(g.succs))
	work := []int32{0}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if warm[b] || g.cold[b] {
			continue
		}
		warm[b] = true
		work = append(work, g.succs[b]...)
	}
	return warm
}

// TestColdIsLast checks that cold blocks come after those that control reaches without
// one.
func TestColdIsLast(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 2))
		g := randomGraph(rng, 2+rng.IntN(20), 5)
		g.cold[0] = false
		c := g.check(t)
		cold, last := int32(len(c.Bytes)), int32(-1)
		for b, warm := range g.warm() {
			switch {
			case g.pad[b] < 0 || c.Blocks[b] < 0:
			case g.cold[b]:
				cold = min(cold, c.Blocks[b])
			case warm:
				last = max(last, c.Blocks[b])
			}
		}
		if cold < last {
			t.Errorf("seed %d: a cold block at %d, another at %d", seed, cold, last)
		}
	}
}

// TestLinesFollowLayout checks that every block is attributed to its place in the text.
func TestLinesFollowLayout(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 3))
		g := randomGraph(rng, 2+rng.IntN(12), 20)
		c := g.check(t)
		for i := 1; i < len(c.Lines); i++ {
			if c.Lines[i-1].Offset > c.Lines[i].Offset {
				t.Fatalf("seed %d: lines are not in order: %v", seed, c.Lines)
			}
		}
		for b := range g.succs {
			if g.pad[b] < 0 || c.Blocks[b] < 0 {
				continue
			}
			pos := source.NoPos
			for _, l := range c.Lines {
				if l.Offset <= c.Blocks[b] {
					pos = l.Pos
				}
			}
			if pos != source.Pos(b+1) {
				t.Fatalf("seed %d: block %d at %d comes from %d: %v", seed, b, c.Blocks[b], pos, c.Lines)
			}
		}
	}
}

// largeGraphs are graphs of about n blocks that tend to find squares.
var largeGraphs = map[string]func(n int) *graph{
	"empty chain": func(n int) *graph {
		g := &graph{}
		for b := range n {
			g.succs = append(g.succs, []int32{int32(b + 1)})
			g.pad = append(g.pad, -1)
		}
		g.succs, g.pad = append(g.succs, nil), append(g.pad, 0)
		return g
	},
	"diamonds": func(n int) *graph {
		g := &graph{}
		for b := int32(0); int(b) < n; b += 4 {
			g.succs = append(g.succs, []int32{b + 1, b + 2}, []int32{b + 3}, []int32{b + 3}, []int32{b + 4})
		}
		g.succs = append(g.succs, nil)
		return g
	},
	"nest": func(n int) *graph { // n/2 heads, then as many latches
		g := &graph{}
		h := n / 2
		for b := range h {
			g.succs = append(g.succs, []int32{int32(b + 1)})
			g.depth = append(g.depth, int32(b+1))
		}
		for b := range h {
			g.succs = append(g.succs, []int32{int32(h - 1 - b), int32(h + b + 1)})
			g.depth = append(g.depth, int32(h-b))
		}
		g.succs = append(g.succs, nil)
		return g
	},
	"chain of tests": func(n int) *graph { // else if, all to one end
		g := &graph{}
		for b := range n {
			g.succs = append(g.succs, []int32{int32(n), int32(b + 1)})
		}
		g.succs = append(g.succs, nil)
		return g
	},
	"branches that just do not reach": func(n int) *graph { // each grows when the one inside has grown
		g := &graph{}
		for b := range n {
			g.succs = append(g.succs, []int32{int32(min(n, b+14)), int32(b + 1)})
			g.pad = append(g.pad, 1+b%2)
		}
		g.succs = append(g.succs, nil)
		return g
	},
}

// TestLargeLayouts checks the layout of functions of the shapes that tend to find squares.
func TestLargeLayouts(t *testing.T) {
	for name, shape := range largeGraphs {
		t.Run(name, func(t *testing.T) { shape(300).check(t) })
	}
}

// BenchmarkLayout reports how the time to encode grows with the number of blocks: an
// exponent of 1 is linear.
func BenchmarkLayout(b *testing.B) {
	const small, factor = 10_000, 8
	for name, shape := range largeGraphs {
		b.Run(name, func(b *testing.B) {
			var perBlock [2]time.Duration
			for b.Loop() {
				for i, n := range []int{small, small * factor} {
					f := shape(n).build()
					perBlock[i] = bestTime(b, n, func() error {
						_, err := Target{}.Encode(f)
						return err
					})
				}
			}
			reportGrowth(b, perBlock, factor)
		})
	}
}
