package regalloc

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"shoal/codegen/mach"
)

// A cost counts what allocation has inserted into a function.
type cost struct {
	Moves, Loads, Stores, Constants      int // outside of loops
	LoopMoves, LoopMemory, LoopConstants int
	Saved                                bool // a register is used that has to be saved
}

// costOf counts what is in f. A move that f had counts too.
func costOf(t *toy, f *mach.Func) (c cost) {
	c.Saved = f.Used&t.file.CalleeSaved != 0
	for b := range f.Blocks {
		bl := &f.Blocks[b]
		for i := range bl.Insts {
			loop := bl.Depth > 0
			switch op := bl.Insts[i].Op; {
			case op == opExchange && loop, op == opMove && loop:
				c.LoopMoves++
			case op == opExchange, op == opMove:
				c.Moves++
			case op == opConst && loop:
				c.LoopConstants++
			case op == opConst:
				c.Constants++
			case (op == opLoad || op == opStore) && loop:
				c.LoopMemory++
			case op == opLoad:
				c.Loads++
			case op == opStore:
				c.Stores++
			}
		}
	}
	return c
}

// tied adds an instruction of two addresses to block b: it reads x and y and overwrites x.
func (m *builder) tied(b int32, x, y mach.Reg) mach.Reg {
	d := m.work(b, x, y)
	bl := &m.f.Blocks[b]
	bl.Insts[len(bl.Insts)-1].Args[0].Tied = 2
	return d
}

// loop makes an entry, a loop of two blocks and an exit. The loop's head is filled by
// body, which gets the parameters and returns what the next trip passes for them; exit
// fills the exit.
func (m *builder) loop(initial []mach.Reg, entry int32, body func(head int32, ps []mach.Reg) []mach.Reg, end func(exit int32)) {
	head, latch, exit := m.block(1), m.block(1), m.block(0)
	m.jump(entry, head, initial...)
	var ps []mach.Reg
	for range initial {
		ps = append(ps, m.param(head))
	}
	next := body(head, ps)
	m.branch(head, next[0], latch, exit)
	m.jump(latch, head, next...)
	end(exit)
}

// call adds a call to block b that loses the first half of the registers.
func (m *builder) call(b int32, arg mach.Reg) mach.Reg {
	d := m.work(b, arg)
	bl := &m.f.Blocks[b]
	in := &bl.Insts[len(bl.Insts)-1]
	in.Args[0].Allow, in.Args[1].Allow = mach.Of(1), mach.Of(2)
	in.Clobber = mach.Of(2, 3, 4, 5, 6)
	return d
}

// TestQuality pins what allocation may insert into small functions, on a machine of 12
// registers of which 6 to 12 have to be saved. (Calls lose 1 to 6 here, so that six are
// safe.)
func TestQuality(t *testing.T) {
	tests := []struct {
		name string
		make func(m *builder, t *toy)
		want cost
	}{
		{"a chain needs nothing", func(m *builder, t *toy) {
			b := m.block(0)
			v := m.work(b)
			for range 20 {
				v = m.tied(b, v, v)
			}
			m.ret(b, v)
		}, cost{}},
		{"a counter stays where it is", func(m *builder, t *toy) {
			b := m.block(0)
			i, n := m.work(b), m.work(b)
			m.loop([]mach.Reg{i}, b, func(h int32, ps []mach.Reg) []mach.Reg {
				return []mach.Reg{m.tied(h, ps[0], n)}
			}, func(x int32) { m.ret(x, n) })
		}, cost{}},
		{"a swap in a loop", func(m *builder, t *toy) {
			b := m.block(0)
			x, y := m.work(b), m.work(b)
			m.loop([]mach.Reg{x, y}, b, func(h int32, ps []mach.Reg) []mach.Reg {
				m.work(h, ps...)
				return []mach.Reg{ps[1], ps[0]}
			}, func(x int32) { m.ret(x, y) })
		}, cost{Moves: 1, LoopMoves: 3}}, // y is both a parameter and used behind the loop
		{"what lives through a loop makes room for what the loop uses", func(m *builder, t *toy) {
			b := m.block(0)
			across, used := m.values(b, 8), m.values(b, 9)
			m.loop([]mach.Reg{used[0]}, b, func(h int32, ps []mach.Reg) []mach.Reg {
				m.useAll(h, used)
				return []mach.Reg{m.work(h, ps[0])}
			}, func(x int32) { m.useAll(x, across); m.ret(x, across[0]) })
		}, cost{Moves: 1, Stores: 7, Loads: 7, Saved: true}},
		{"what a loop defines is stored behind it", func(m *builder, t *toy) {
			b := m.block(0)
			var last mach.Reg
			m.loop([]mach.Reg{m.work(b)}, b, func(h int32, ps []mach.Reg) []mach.Reg {
				last = m.work(h, ps[0])
				return []mach.Reg{last}
			}, func(x int32) {
				m.useAll(x, m.values(x, 11))
				m.ret(x, last)
			})
		}, cost{Stores: 1, Loads: 1, Saved: true}},
		{"values across calls in a loop are in saved registers", func(m *builder, t *toy) {
			b := m.block(0)
			vs := m.values(b, 4)
			m.loop([]mach.Reg{vs[0]}, b, func(h int32, ps []mach.Reg) []mach.Reg {
				m.call(h, vs[1])
				m.call(h, vs[2])
				return []mach.Reg{m.tied(h, ps[0], vs[3])}
			}, func(x int32) { m.ret(x, vs[0]) })
		}, cost{Moves: 1, LoopMoves: 2, Saved: true}}, // the arguments, and vs[0] is used behind the loop
		{"a constant for a parameter waits in no register", func(m *builder, t *toy) {
			b, c, d, join := m.block(0), m.block(0), m.block(0), m.block(0)
			vs := m.values(b, 11)
			k := t.constant(m.f, mach.General, 7)
			m.branch(b, vs[0], c, d)
			m.jump(c, join, k)
			m.jump(d, join, vs[1])
			p := m.param(join)
			m.useAll(join, vs[2:])
			m.ret(join, p)
		}, cost{Constants: 1, Saved: true}},
		{"a constant is made before the loop that uses it", func(m *builder, t *toy) {
			b := m.block(0)
			k := t.constant(m.f, mach.General, 7)
			m.loop([]mach.Reg{m.work(b)}, b, func(h int32, ps []mach.Reg) []mach.Reg {
				return []mach.Reg{m.tied(h, ps[0], k)}
			}, func(x int32) { m.ret(x, k) })
		}, cost{Constants: 1}},
		{"the result of a call feeds the next", func(m *builder, t *toy) {
			b := m.block(0)
			v := m.work(b)
			for range 4 {
				v = m.call(b, v)
			}
			m.ret(b, v)
		}, cost{Moves: 3}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			toy := newToy(12, 0)
			m := &builder{f: &mach.Func{Name: "small"}}
			tt.make(m, toy)
			m.f.LinkPreds()
			before := text(toy, m.f)
			if err := AllocateChecked(m.f, toy); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, costOf(toy, m.f)); diff != "" {
				t.Errorf("(-want +got):\n%s\n%s\n%s", diff, before, text(toy, m.f))
			}
		})
	}
}
