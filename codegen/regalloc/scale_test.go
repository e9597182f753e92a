package regalloc

import (
	"math"
	"runtime"
	"syscall"
	"testing"
	"time"

	"shoal/codegen/mach"
)

// A builder makes large functions of known shape.
type builder struct {
	f   *mach.Func
	imm int64
}

// block adds an empty block of the given loop depth.
func (m *builder) block(depth int) int32 {
	m.f.Blocks = append(m.f.Blocks, mach.Block{Depth: int32(depth)})
	return int32(len(m.f.Blocks)) - 1
}

// work adds an instruction to block b that reads uses and returns what it defines.
func (m *builder) work(b int32, uses ...mach.Reg) mach.Reg {
	m.imm++
	d := m.f.NewReg(mach.General)
	in := mach.Inst{Op: opWork, Imm: m.imm, Args: []mach.Operand{def(d)}}
	for _, r := range uses {
		in.Args = append(in.Args, use(r))
	}
	bl := &m.f.Blocks[b]
	bl.Insts = append(bl.Insts, in)
	bl.Branch = len(bl.Insts)
	return d
}

// values defines n values in block b.
func (m *builder) values(b int32, n int) []mach.Reg {
	vs := make([]mach.Reg, n)
	for i := range vs {
		vs[i] = m.work(b)
	}
	return vs
}

// useAll reads vs in block b, two at a time.
func (m *builder) useAll(b int32, vs []mach.Reg) {
	for i := range vs {
		m.work(b, vs[i], vs[(i*7+3)%len(vs)])
	}
}

// param adds a parameter to block b.
func (m *builder) param(b int32) mach.Reg {
	r := m.f.NewReg(mach.General)
	m.f.Blocks[b].Params = append(m.f.Blocks[b].Params, r)
	return r
}

// jump goes from block b to another, passing args.
func (m *builder) jump(b, to int32, args ...mach.Reg) {
	m.f.Blocks[b].Succs = []mach.Edge{{Block: to, Args: args}}
}

// branch goes to one of two blocks without parameters, depending on v.
func (m *builder) branch(b int32, v mach.Reg, yes, no int32) {
	bl := &m.f.Blocks[b]
	m.imm++
	bl.Insts = append(bl.Insts, mach.Inst{Op: opBranch, Imm: m.imm, Args: []mach.Operand{use(v)}})
	bl.Succs = []mach.Edge{{Block: yes}, {Block: no}}
}

// ret returns from block b.
func (m *builder) ret(b int32, v mach.Reg) {
	bl := &m.f.Blocks[b]
	bl.Insts = append(bl.Insts, mach.Inst{Op: opReturn, Args: []mach.Operand{use(v)}})
}

// A shape is a family of functions that grow with n.
type shape struct {
	name string
	n    int // size of the benchmark
	make func(m *builder, n int)
}

var shapes = []shape{
	{"block", 500_000, longBlock},
	{"diamonds", 100_000, diamonds},
	{"live across loop", 20_000, func(m *builder, n int) { liveAcross(m, n, 1) }},
	{"live across long loop", 20_000, func(m *builder, n int) { liveAcross(m, n, n/20) }},
	{"loop nest", 1_000, func(m *builder, n int) { loopNest(m, n, 20) }},
	{"wide loop nest", 4_000, func(m *builder, n int) { loopNest(m, n, n) }},
	{"else-if chain", 100_000, elseIfs},
	{"nested ifs", 10_000, nestedIfs},
	{"many parameters", 20_000, manyParams},
	{"calls", 50_000, calls},
}

// longBlock is straight code over values of all distances.
func longBlock(m *builder, n int) {
	b := m.block(0)
	vs := m.values(b, 10)
	for i := range n {
		k := len(vs)
		vs = append(vs, m.work(b, vs[k-1-i%9], vs[k-1-min(k-1, i*i%200)]))
	}
	m.ret(b, vs[len(vs)-1])
}

// diamonds are two-way branches one after the other with 50 variables live throughout;
// each assigns one of them on one side.
func diamonds(m *builder, n int) {
	at := m.block(0)
	vars := m.values(at, 50)
	for i := range n {
		v := &vars[i%50]
		yes, no, join := m.block(0), m.block(0), m.block(0)
		m.branch(at, *v, yes, no)
		m.jump(yes, join, m.work(yes, *v, vars[(i+7)%50]))
		m.jump(no, join, *v)
		*v = m.param(join)
		at = join
	}
	m.useAll(at, vars)
	m.ret(at, vars[0])
}

// liveAcross has n values live across a loop of some blocks that uses a few of them.
func liveAcross(m *builder, n, blocks int) {
	entry, head := m.block(0), m.block(1)
	vs := m.values(entry, n)
	m.jump(entry, head, vs[0])
	i := m.param(head)
	at, next := head, i
	for k := range max(blocks, 1) {
		next = m.work(at, next, vs[k%10])
		b := m.block(1)
		m.jump(at, b)
		at = b
	}
	latch, exit := m.block(1), m.block(0)
	m.branch(at, next, latch, exit)
	m.jump(latch, head, next)
	m.useAll(exit, vs)
	m.ret(exit, i)
}

// loopNest is loops n deep with some values from outside that the innermost uses and a
// counter for each loop.
func loopNest(m *builder, n, outside int) {
	entry := m.block(0)
	vs := m.values(entry, outside)
	heads, counters := make([]int32, n), make([]mach.Reg, n)
	at, start := entry, vs[0]
	for d := range n {
		heads[d] = m.block(d + 1)
		m.jump(at, heads[d], start)
		counters[d] = m.param(heads[d])
		start = m.work(heads[d], counters[d], vs[d%outside])
		at = heads[d]
	}
	m.useAll(at, vs)
	for d := n - 1; d >= 0; d-- {
		next := m.work(at, counters[d], vs[(d*3)%outside])
		latch, exit := m.block(d+1), m.block(d)
		m.branch(at, next, latch, exit)
		m.jump(latch, heads[d], next)
		at = exit
	}
	m.ret(at, vs[0])
}

// elseIfs is a chain of tests with 20 variables in sight, all arms of which meet in one
// block.
func elseIfs(m *builder, n int) {
	at := m.block(0)
	vars := m.values(at, 20)
	join := m.block(0)
	result := m.param(join)
	for i := range n {
		arm, next := m.block(0), m.block(0)
		m.branch(at, m.work(at, vars[i%20]), arm, next)
		m.jump(arm, join, m.work(arm, vars[(i+5)%20], vars[(i+11)%20]))
		at = next
	}
	m.jump(at, join, vars[0])
	m.useAll(join, vars)
	m.ret(join, result)
}

// nestedIfs is tests nested n deep, each with an else arm and something to do after it.
func nestedIfs(m *builder, n int) {
	at := m.block(0)
	vars := m.values(at, 20)
	joins, tests := make([]int32, n), make([]mach.Reg, n)
	for i := range n {
		tests[i] = m.work(at, vars[i%20])
		then, other := m.block(0), m.block(0)
		joins[i] = m.block(0)
		m.branch(at, tests[i], then, other)
		m.jump(other, joins[i], m.work(other, vars[(i+3)%20]))
		at = then
	}
	for i := n - 1; i >= 0; i-- {
		m.jump(at, joins[i], m.work(at, tests[i], vars[(i+9)%20]))
		p := m.param(joins[i])
		m.work(joins[i], p, tests[i])
		at = joins[i]
	}
	m.ret(at, vars[0])
}

// manyParams is a loop whose header has n parameters that rotate on each trip.
func manyParams(m *builder, n int) {
	entry, head := m.block(0), m.block(1)
	vs := m.values(entry, n)
	m.jump(entry, head, vs...)
	ps := make([]mach.Reg, n)
	for i := range ps {
		ps[i] = m.param(head)
	}
	test := m.work(head, ps[0], ps[n-1])
	latch, exit := m.block(1), m.block(0)
	m.branch(head, test, latch, exit)
	m.jump(latch, head, append(ps[1:n:n], ps[0])...)
	m.useAll(exit, ps)
	m.ret(exit, test)
}

// calls are calls in a row that leave half of the registers alone, with 12 values across.
func calls(m *builder, n int) {
	b := m.block(0)
	vars := m.values(b, 12)
	for i := range n {
		m.imm++
		d := m.f.NewReg(mach.General)
		in := mach.Inst{Op: opWork, Imm: m.imm, Clobber: mach.Of(1, 2, 3, 4, 5, 6, 7, 8) &^ mach.Of(3), Args: []mach.Operand{
			{Reg: d, Role: mach.Def, Allow: mach.Of(3)},
			{Reg: vars[i%12], Allow: mach.Of(1)},
			{Reg: vars[(i+5)%12], Allow: mach.Of(2)},
		}}
		m.f.Blocks[b].Insts = append(m.f.Blocks[b].Insts, in)
		vars[(i*5)%12] = d
	}
	m.f.Blocks[b].Branch = len(m.f.Blocks[b].Insts)
	m.useAll(b, vars)
	m.ret(b, vars[0])
}

// build makes the function of a shape.
func (s *shape) build(n int) *mach.Func {
	m := &builder{f: &mach.Func{Name: s.name}}
	s.make(m, n)
	m.f.LinkPreds()
	return m.f
}

// size is the number of instructions of f, with the jumps that layout may have to add.
func size(f *mach.Func) (n int) {
	for b := range f.Blocks {
		bl := &f.Blocks[b]
		n += len(bl.Insts)
		if len(bl.Insts) == bl.Branch {
			n++
		}
	}
	return n
}

// cpuTime is the processor time of this process, the collector's included. Other work on
// the machine does not count.
func cpuTime(tb testing.TB) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// A stage is something to measure on a function: prepare comes before the clock starts.
type stage struct {
	name    string
	prepare func(tb testing.TB, f *mach.Func, m *toy) (timed func() error)
}

var stages = []stage{
	{"allocate", func(_ testing.TB, f *mach.Func, m *toy) func() error {
		return func() error { return Allocate(f, m) }
	}},
	{"check", func(tb testing.TB, f *mach.Func, m *toy) func() error {
		s := Snap(f)
		if err := Allocate(f, m); err != nil {
			tb.Fatal(err)
		}
		return func() error { return s.Check(f, m) }
	}},
}

// measure runs st on the function of a shape and returns the processor time in nanoseconds
// and the bytes that it took for each instruction. The bytes are all that was allocated,
// most of it not at the same time.
func (s *shape) measure(tb testing.TB, st *stage, n int) (ns, bytes float64) {
	f := s.build(n)
	n0 := float64(size(f))
	timed := st.prepare(tb, f, newToy(15, 16))
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	start := cpuTime(tb)
	if err := timed(); err != nil {
		tb.Fatal(err)
	}
	took := cpuTime(tb) - start
	runtime.ReadMemStats(&after)
	return float64(took) / n0, float64(after.TotalAlloc-before.TotalAlloc) / n0
}

// exponent is how the total time grows with n, between n/8 and n: 1 is linear. The smaller
// function is measured eight times as often, because the clock ticks in milliseconds.
func (s *shape) exponent(tb testing.TB, st *stage, n int) float64 {
	small, large := math.Inf(1), math.Inf(1)
	for range 3 {
		sum := 0.0
		for range 8 {
			ns, _ := s.measure(tb, st, n/8)
			sum += ns / 8
		}
		ns, _ := s.measure(tb, st, n)
		small, large = min(small, sum), min(large, ns)
	}
	return 1 + math.Log(large/small)/math.Log(8)
}

// TestShapes proves that large functions are allocated right.
func TestShapes(t *testing.T) {
	for _, s := range shapes {
		f := s.build(s.n / 20)
		if err := AllocateChecked(f, newToy(15, 16)); err != nil {
			t.Errorf("%s: %v", s.name, err)
		}
	}
}

// BenchmarkShapes measures the stages; an exponent of 1 is linear.
func BenchmarkShapes(b *testing.B) {
	for _, st := range stages {
		for _, s := range shapes {
			b.Run(st.name+"/"+s.name, func(b *testing.B) {
				best, bytes := math.Inf(1), 0.0
				for b.Loop() {
					ns, mem := s.measure(b, &st, s.n)
					best, bytes = min(best, ns), mem
				}
				b.ReportMetric(best, "ns/inst")
				b.ReportMetric(bytes, "B/inst")
				b.ReportMetric(s.exponent(b, &st, s.n), "exponent")
			})
		}
	}
}
