package regalloc

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"shoal/codegen/mach"
)

// A mutation breaks an allocated function at a random place. It tells whether it found
// one.
type mutation struct {
	name   string
	mutate func(r *rand.Rand, t *toy, f *mach.Func) bool
}

// randomInst picks an instruction of f that ok accepts; nil if there is none.
func randomInst(r *rand.Rand, f *mach.Func, ok func(bl *mach.Block, i int) bool) (bl *mach.Block, i int) {
	n := 0
	for b := range f.Blocks {
		for k := range f.Blocks[b].Insts {
			if !ok(&f.Blocks[b], k) {
				continue
			}
			if n++; r.IntN(n) == 0 { // each with equal probability
				bl, i = &f.Blocks[b], k
			}
		}
	}
	return bl, i
}

// dropWhere deletes one instruction with one of ops.
func dropWhere(ops ...uint16) func(*rand.Rand, *toy, *mach.Func) bool {
	return func(r *rand.Rand, _ *toy, f *mach.Func) bool {
		bl, i := randomInst(r, f, func(bl *mach.Block, i int) bool { return slices.Contains(ops, bl.Insts[i].Op) })
		if bl == nil {
			return false
		}
		bl.Insts = slices.Delete(bl.Insts, i, i+1)
		if i < bl.Branch {
			bl.Branch--
		}
		return true
	}
}

// randomOperands picks two operands of one instruction.
func randomOperands(r *rand.Rand, f *mach.Func) (a, b *mach.Operand) {
	bl, i := randomInst(r, f, func(bl *mach.Block, i int) bool { return len(bl.Insts[i].Args) > 0 })
	if bl == nil {
		return nil, nil
	}
	args := bl.Insts[i].Args
	return &args[r.IntN(len(args))], &args[r.IntN(len(args))]
}

var mutations = []mutation{
	{"drop a move", dropWhere(opMove, opFMove)},
	{"drop a reload", dropWhere(opLoad, opFLoad)},
	{"drop a spill", dropWhere(opStore, opFStore)},
	{"drop an exchange", dropWhere(opExchange)},
	{"drop a constant", dropWhere(opConst, opFConst)},
	{"drop an instruction", dropWhere(opWork, opNothing)},
	{"swap two registers", func(r *rand.Rand, t *toy, f *mach.Func) bool {
		a, b := randomOperands(r, f)
		if a == nil || a.Reg == b.Reg || t.file.Class[a.Reg] != t.file.Class[b.Reg] {
			return false
		}
		a.Reg, b.Reg = b.Reg, a.Reg
		return true
	}},
	{"take another register", func(r *rand.Rand, t *toy, f *mach.Func) bool {
		a, _ := randomOperands(r, f)
		if a == nil {
			return false
		}
		regs := t.file.Allocatable[t.file.Class[a.Reg]]
		old := a.Reg
		a.Reg = regs[r.IntN(len(regs))]
		return a.Reg != old
	}},
	{"take another slot", func(r *rand.Rand, t *toy, f *mach.Func) bool {
		bl, i := randomInst(r, f, func(bl *mach.Block, i int) bool {
			return bl.Insts[i].Op >= opLoad && bl.Insts[i].Op <= opFStore
		})
		if bl == nil || f.Slots < 2 {
			return false
		}
		in := &bl.Insts[i]
		in.Disp = (in.Disp + 1 + int32(r.IntN(f.Slots-1))) % int32(f.Slots)
		return true
	}},
	{"swap two instructions", func(r *rand.Rand, _ *toy, f *mach.Func) bool {
		bl, i := randomInst(r, f, func(_ *mach.Block, i int) bool { return i > 0 })
		if bl == nil {
			return false
		}
		bl.Insts[i-1], bl.Insts[i] = bl.Insts[i], bl.Insts[i-1]
		return true
	}},
	{"swap the successors", func(r *rand.Rand, _ *toy, f *mach.Func) bool {
		bl := &f.Blocks[r.IntN(len(f.Blocks))]
		if len(bl.Succs) < 2 || bl.Succs[0].Block == bl.Succs[1].Block {
			return false
		}
		bl.Succs[0], bl.Succs[1] = bl.Succs[1], bl.Succs[0]
		return true
	}},
}

// TestCheckerObjects breaks allocated functions. Whenever the interpreter sees a
// difference, the checker must have seen one too; it must see most of the mutations in
// any case, for few of them are harmless.
func TestCheckerObjects(t *testing.T) {
	for _, m := range mutations {
		t.Run(m.name, func(t *testing.T) {
			mutants, caught, wrong := 0, 0, 0
			for seed := uint64(0); mutants < 60 && seed < 3_000; seed++ {
				data := randomBytes(seed)
				toy, f := generate(data)
				blocks := len(f.Blocks)
				want := traces(toy, f, blocks)
				s := Snap(f)
				if err := Allocate(f, toy); err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				r := rand.New(rand.NewPCG(seed, 2))
				if !m.mutate(r, toy, f) {
					continue
				}
				mutants++
				err := s.Check(f, toy)
				differs := !reflect.DeepEqual(want, traces(toy, f, blocks))
				if differs {
					wrong++
				}
				if err != nil {
					caught++
				} else if differs {
					t.Fatalf("seed %d: computes something else, but the checker has no objection:\n%s", seed, text(toy, f))
				}
			}
			t.Logf("%d mutants, %d seen by the checker, %d by the interpreter", mutants, caught, wrong)
			if mutants < 20 || wrong < mutants/10 || caught < mutants/2 {
				t.Errorf("%d mutants, %d seen by the checker, %d by the interpreter: too few", mutants, caught, wrong)
			}
		})
	}
}

// TestCheckerUsed forgets the registers that a function writes.
func TestCheckerUsed(t *testing.T) {
	toy, f := generate(randomBytes(3))
	s := Snap(f)
	if err := Allocate(f, toy); err != nil {
		t.Fatal(err)
	}
	f.Used = 0
	err := s.Check(f, toy)
	if err == nil || !strings.Contains(err.Error(), "is written but not in Used") {
		t.Errorf("got %v, want a complaint about Used", err)
	}
}

// TestCheckerRules checks small functions, allocated by hand, that break one rule each.
func TestCheckerRules(t *testing.T) {
	m := newToy(4, 0)
	type hand struct {
		name   string
		before []mach.Inst // over the virtual registers 64 and up
		regs   [][]mach.Reg
		want   string // part of the error, "" if all is well
	}
	work := func(args ...mach.Operand) mach.Inst { return mach.Inst{Op: opWork, Args: args} }
	a, b, c, k := mach.FirstVirtual, mach.FirstVirtual+1, mach.FirstVirtual+2, mach.FirstVirtual+3
	only := func(o mach.Operand, r mach.Reg) mach.Operand { o.Allow = mach.Of(r); return o }
	early := func(r mach.Reg) mach.Operand { return mach.Operand{Reg: r, Role: mach.EarlyDef} }
	tests := []hand{
		{"right", []mach.Inst{work(def(a), def(b)), work(use(a), use(b), def(c))}, [][]mach.Reg{{1, 2}, {1, 2, 1}}, ""},
		{"wrong value", []mach.Inst{work(def(a), def(b)), work(use(a), use(b), def(c))}, [][]mach.Reg{{1, 2}, {2, 2, 1}}, "reads v0 from r2, which holds v1"},
		{"nothing there", []mach.Inst{work(def(a)), work(use(a))}, [][]mach.Reg{{1}, {3}}, "the value is defined there, elsewhere"},
		{"constant not made", []mach.Inst{work(use(k))}, [][]mach.Reg{{3}}, "nothing has been written there before"},
		{"two definitions in one", []mach.Inst{work(def(a), def(b))}, [][]mach.Reg{{1, 1}}, "writes r1 twice"},
		{"not allowed", []mach.Inst{work(only(def(a), 2))}, [][]mach.Reg{{1}}, "operand 0 cannot be in r1"},
		{"early", []mach.Inst{work(def(a)), work(use(a), early(b))}, [][]mach.Reg{{1}, {1, 1}}, "operand 1 is written before operand 0 is read"},
		{"late", []mach.Inst{work(def(a)), work(use(a), def(b))}, [][]mach.Reg{{1}, {1, 1}}, ""},
		{"tied", []mach.Inst{work(def(a)), work(use(a), mach.Operand{Reg: b, Role: mach.Def, Tied: 1})}, [][]mach.Reg{{1}, {1, 2}}, "operand 1 is in r2 but tied to r1"},
		{"clobbered", []mach.Inst{work(def(a)), {Op: opWork, Args: []mach.Operand{use(a)}, Clobber: mach.Of(1)}, work(use(a))},
			[][]mach.Reg{{1}, {1}, {1}}, "which instruction 1 has spoilt"},
		{"definition clobbered", []mach.Inst{{Op: opWork, Args: []mach.Operand{def(a)}, Clobber: mach.Of(1)}}, [][]mach.Reg{{1}}, "which the instruction clobbers"},
		{"stack pointer", []mach.Inst{work(use(m.sp))}, [][]mach.Reg{{1}}, "operand 0 was sp and is r1"},
		{"not allocatable", []mach.Inst{work(def(a))}, [][]mach.Reg{{m.sp}}, "which is none of its class"},
		{"virtual", []mach.Inst{work(def(a))}, [][]mach.Reg{{a}}, "is in no physical register"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := &mach.Func{Name: "hand", Values: make([]mach.Value, 3)}
			m.constant(f, mach.General, 7)
			var insts []mach.Inst
			for _, in := range tt.before {
				in.Args = slices.Clone(in.Args)
				insts = append(insts, in)
			}
			f.Blocks = []mach.Block{{Insts: insts, Branch: len(insts)}}
			s := Snap(f)
			for i, regs := range tt.regs {
				for j, r := range regs {
					insts[i].Args[j].Reg = r
				}
			}
			f.Used = mach.Of(1, 2, 3, 4)
			got := ""
			if err := s.Check(f, m); err != nil {
				got = err.Error()
			}
			if tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
