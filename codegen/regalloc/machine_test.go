package regalloc

import (
	"fmt"

	"shoal/codegen/mach"
)

// The instructions of the toy machine.
const (
	opMove uint16 = iota + 1
	opFMove
	opLoad // reloads have the slot in Disp, like those of a real machine
	opFLoad
	opStore
	opFStore
	opExchange
	opConst // Imm
	opFConst
	opWork    // mixes its uses and Imm, traces the result, defines values made of it
	opNothing // has no operands; traces Imm
	opBranch  // like opWork; the result chooses the successor
	opReturn  // like opWork
)

// A toy is a machine with any number of registers: general ones from 1, then a stack
// pointer that allocation leaves alone, then floating-point ones.
type toy struct {
	file mach.RegFile
	sp   mach.Reg
}

func newToy(general, float int) *toy {
	t := &toy{sp: mach.Reg(general + 1)}
	for r := mach.Reg(1); r <= mach.Reg(general); r++ {
		t.file.Allocatable[mach.General] = append(t.file.Allocatable[mach.General], r)
		t.file.Names[r] = fmt.Sprintf("r%d", r)
		if 2*int(r) > general {
			t.file.CalleeSaved |= mach.Of(r)
		}
	}
	t.file.Names[t.sp] = "sp"
	for i := range float {
		r := t.sp + 1 + mach.Reg(i)
		t.file.Allocatable[mach.Float] = append(t.file.Allocatable[mach.Float], r)
		t.file.Names[r] = fmt.Sprintf("f%d", i)
		t.file.Class[r] = mach.Float
	}
	return t
}

func (t *toy) Regs() *mach.RegFile { return &t.file }

func def(r mach.Reg) mach.Operand { return mach.Operand{Reg: r, Role: mach.Def} }
func use(r mach.Reg) mach.Operand { return mach.Operand{Reg: r} }

func (t *toy) Move(c mach.Class, to, from mach.Reg) mach.Inst {
	return mach.Inst{Op: opMove + uint16(c), Args: []mach.Operand{def(to), use(from)}}
}

func (t *toy) Load(c mach.Class, to mach.Reg, slot int) mach.Inst {
	return mach.Inst{Op: opLoad + uint16(c), Disp: int32(slot), Args: []mach.Operand{def(to), use(t.sp)}}
}

func (t *toy) Store(c mach.Class, slot int, from mach.Reg) mach.Inst {
	return mach.Inst{Op: opStore + uint16(c), Disp: int32(slot), Args: []mach.Operand{use(from), use(t.sp)}}
}

func (t *toy) Exchange(a, b mach.Reg) mach.Inst {
	return mach.Inst{Op: opExchange, Args: []mach.Operand{def(a), def(b), use(b), use(a)}}
}

// constant makes a virtual register of f that stands for n.
func (t *toy) constant(f *mach.Func, c mach.Class, n int64) mach.Reg {
	r := f.NewReg(c)
	f.Value(r).Remat = &mach.Inst{Op: opConst + uint16(c), Imm: n, Args: []mach.Operand{def(r)}}
	return r
}

// A machineRun interprets a function of the toy machine, before or after allocation.
type machineRun struct {
	t     *toy
	f     *mach.Func
	trace []uint64
	// regs are virtual and physical registers; what was never written holds rubbish.
	regs, slots []uint64
	scrap       uint64
	chosen      uint64
}

// mix is a hash of two words (the finalizer of MurmurHash3).
func mix(a, b uint64) uint64 {
	h := a*0x9E3779B97F4A7C15 + b
	h = (h ^ h>>33) * 0xFF51AFD7ED558CCD
	h = (h ^ h>>33) * 0xC4CEB9FE1A85EC53
	return h ^ h>>33
}

// rubbish is another word each time.
func (m *machineRun) rubbish() uint64 {
	m.scrap++
	return mix(0xBAD, m.scrap)
}

// run interprets f for at most steps of its first blocks blocks and returns what its
// instructions computed, in order. Before allocation edges are parallel copies.
func run(t *toy, f *mach.Func, blocks, steps int, seed uint64) []uint64 {
	m := &machineRun{t: t, f: f, scrap: mix(seed, uint64(f.Slots))}
	m.regs = make([]uint64, int(mach.FirstVirtual)+len(f.Values))
	m.slots = make([]uint64, f.Slots)
	for i := range m.regs {
		m.regs[i] = m.rubbish()
	}
	for i := range m.slots {
		m.slots[i] = m.rubbish()
	}
	m.regs[t.sp] = 0x57AC
	m.trace = append(m.trace, seed)
	m.chosen = seed
	for b := 0; ; {
		bl := &f.Blocks[b]
		for i := range bl.Insts {
			m.inst(&bl.Insts[i])
		}
		if b < blocks {
			steps--
		}
		if len(bl.Succs) == 0 || steps == 0 {
			return m.trace
		}
		e := &bl.Succs[int(m.chosen%uint64(len(bl.Succs)))]
		m.edge(e)
		b = int(e.Block)
	}
}

// read is the value of r. A constant needs no definition.
func (m *machineRun) read(r mach.Reg) uint64 {
	if r.Virtual() {
		if in := m.f.Value(r).Remat; in != nil {
			return mix(uint64(in.Imm), uint64(in.Op))
		}
	}
	return m.regs[r]
}

// edge passes all arguments at once.
func (m *machineRun) edge(e *mach.Edge) {
	words := make([]uint64, len(e.Args))
	for i, r := range e.Args {
		words[i] = m.read(r)
	}
	for i, p := range m.f.Blocks[e.Block].Params {
		m.regs[p] = words[i]
	}
}

func (m *machineRun) inst(in *mach.Inst) {
	switch in.Op {
	case opMove, opFMove:
		m.regs[in.Args[0].Reg] = m.read(in.Args[1].Reg)
	case opLoad, opFLoad:
		m.regs[in.Args[0].Reg] = m.slots[in.Disp]
	case opStore, opFStore:
		m.slots[in.Disp] = m.regs[in.Args[0].Reg]
	case opExchange:
		a, b := in.Args[0].Reg, in.Args[1].Reg
		m.regs[a], m.regs[b] = m.regs[b], m.regs[a]
	case opConst, opFConst:
		m.regs[in.Args[0].Reg] = mix(uint64(in.Imm), uint64(in.Op))
	default:
		m.work(in)
	}
}

// work executes the instructions that say nothing about what they compute. The early
// definitions spoil their registers before anything is read.
func (m *machineRun) work(in *mach.Inst) {
	for _, o := range in.Args {
		if o.Role == mach.EarlyDef && o.Tied == 0 {
			m.regs[o.Reg] = m.rubbish()
		}
	}
	h := mix(uint64(in.Op), uint64(in.Imm))
	for _, o := range in.Args {
		if o.Role == mach.Use {
			h = mix(h, m.read(o.Reg))
		}
	}
	m.trace = append(m.trace, h)
	for r := range mach.FirstVirtual {
		if in.Clobber.Has(r) {
			m.regs[r] = m.rubbish()
		}
	}
	for i, o := range in.Args {
		if o.Role != mach.Use {
			m.regs[o.Reg] = mix(h, uint64(i))
		}
	}
	if in.Op == opBranch {
		m.chosen = mix(m.chosen, h)
	}
}
