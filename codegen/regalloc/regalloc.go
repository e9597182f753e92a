// Package regalloc gives physical registers to the virtual ones of a mach.Func, and
// checks that it did.
//
// Needs: a function in strict SSA form over virtual registers, and a Machine.
// Gives: the same function over physical registers; Slots and Used are set.
// Breaks: block parameters, edge arguments and virtual registers are gone; blocks that
// the entry does not reach are emptied; blocks may be added at the end, on critical edges.
//
// Spilling comes first and brings the pressure down to the number of registers at every
// point, so that colouring, which follows, cannot fail:
//
//	flow.go     edges, loops, a linear order of blocks; tree.go: dominators
//	nextuse.go  for each block, the values that are needed soonest, and how soon
//	spill.go    who is in a register where: M. Braun and S. Hack, "Register Spilling and
//	            Live-Range Splitting for SSA-Form Programs", CC 2009
//	live.go     which register contents are still needed; where spilled values are stored
//	slots.go    stack slots for spilled values
//	hints.go    one backward pass that seeds the preferences
//	color.go    a walk in linear order that gives each value a register; M. Braun, C. Mallon
//	            and S. Hack, "Preference-Guided Register Assignment", CC 2010
//	pinned.go   instructions that name registers
//	edges.go    the parallel copies that remain on edges
//
// The literature names every reloaded value anew and repairs SSA form afterwards. Here a
// value keeps its name, and a register belongs to a value from one point to another: a
// block begins with a map from values to registers, and where the end of a predecessor
// disagrees, the edge moves or reloads. All copies of an SSA value hold the same bits, so
// there is nothing to repair.
//
// No pass is worse than O(n log n), with the number of registers as a constant factor: a
// block remembers at most twice as many values as there are registers.
//
// Start reading at Allocate. checker.go shares no code with the rest.
package regalloc

import (
	"fmt"
	"math/bits"

	"shoal/codegen/mach"
)

// A Machine is the part of mach.Target that allocation needs. The forms of Load, Store and
// Exchange are used by allocation alone; Move is also what selection copies with.
type Machine interface {
	Regs() *mach.RegFile
	Move(c mach.Class, to, from mach.Reg) mach.Inst
	Load(c mach.Class, to mach.Reg, slot int) mach.Inst
	Store(c mach.Class, slot int, from mach.Reg) mach.Inst
	Exchange(a, b mach.Reg) mach.Inst
}

// Allocate replaces the virtual registers of f by registers of t. It returns an error if
// f is malformed or an instruction wants more registers than there are; f is then in an
// undefined state.
func Allocate(f *mach.Func, t Machine) (err error) {
	a, err := newAllocator(f, t)
	if err != nil {
		return err
	}
	if err := a.findDefs(); err != nil {
		return err
	}
	a.findNextUses()
	if err := a.spill(); err != nil {
		return err
	}
	if err := a.findLive(); err != nil {
		return err
	}
	a.assignSlots()
	a.seed()
	if err := a.color(); err != nil {
		return err
	}
	a.resolve()
	return nil
}

// An allocator is the state of one allocation. Values are virtual registers counted from
// 0. Side tables are indexed by value, block or edge; each stage documents its own.
type allocator struct {
	f *mach.Func
	m Machine
	*flow
	spanning *dfs

	file  *mach.RegFile
	all   [mach.NumClasses]mach.RegSet // allocatable
	k     [mach.NumClasses]int         // how many
	order [mach.NumClasses][]mach.Reg  // allocatable, in order of preference
	moves [mach.NumClasses]uint16      // Op of Move

	class    []mach.Class // by value
	constant []bool       // by value: it can be made anew
	def      []int32      // by value: block that defines it, none if no reachable one does
	defAt    []int32      // by value: index of the defining instruction, none for a parameter

	nextUses
	spills
	liveness
	slots
	hints
	colors
}

// newAllocator makes the tables that every stage needs.
func newAllocator(f *mach.Func, t Machine) (*allocator, error) {
	a := &allocator{f: f, m: t, file: t.Regs()}
	for c := range mach.NumClasses {
		a.order[c] = a.file.Allocatable[c]
		a.all[c] = mach.Of(a.order[c]...)
		a.k[c] = bits.OnesCount64(uint64(a.all[c]))
		if a.k[c] >= 2 {
			a.moves[c] = t.Move(c, a.order[c][0], a.order[c][1]).Op
		}
	}
	n := len(f.Values)
	a.class, a.constant = make([]mach.Class, n), make([]bool, n)
	for v := range f.Values {
		a.class[v] = f.Values[v].Class
		a.constant[v] = f.Values[v].Remat != nil
	}
	for b := range f.Blocks {
		for _, e := range f.Blocks[b].Succs {
			if len(e.Args) != len(f.Blocks[e.Block].Params) {
				return nil, fmt.Errorf("regalloc: %s: edge from block %d to block %d passes %d arguments for %d parameters",
					f.Name, b, e.Block, len(e.Args), len(f.Blocks[e.Block].Params))
			}
		}
	}
	a.flow, a.spanning = newFlow(f)
	a.dropUnreachable()
	return a, nil
}

// dropUnreachable empties the blocks that the entry does not reach.
func (a *allocator) dropUnreachable() {
	for b := range a.f.Blocks {
		if !a.reachable(int32(b)) {
			bl := &a.f.Blocks[b]
			bl.Params, bl.Insts, bl.Succs, bl.Branch = nil, nil, nil, 0
		}
	}
}

// index is the number of the virtual register r.
func index(r mach.Reg) int32 { return int32(r - mach.FirstVirtual) }

// findDefs finds out where each value is defined and rejects what later stages could not
// stand: two definitions, uses without one, operands that no register fits.
func (a *allocator) findDefs() error {
	n := len(a.f.Values)
	a.def, a.defAt, a.used = make([]int32, n), make([]int32, n), make([]bool, n)
	for v := range a.def {
		a.def[v] = none
	}
	for _, b := range a.linear {
		bl := &a.f.Blocks[b]
		for _, p := range bl.Params {
			if err := a.define(p, b, none); err != nil {
				return err
			}
		}
		for i := range bl.Insts {
			if err := a.checkInst(b, int32(i)); err != nil {
				return err
			}
		}
		for _, e := range bl.Succs {
			for j, r := range e.Args {
				v := index(r)
				p := index(a.f.Blocks[e.Block].Params[j])
				if v < 0 || int(v) >= n || p < 0 || int(p) >= n || a.class[v] != a.class[p] {
					return a.errorf(b, int32(len(bl.Insts)), "argument %d for block %d is no virtual register of the parameter's class", j, e.Block)
				}
				a.used[v] = true
			}
		}
	}
	for v, used := range a.used {
		if used && a.def[v] == none && a.f.Values[v].Remat == nil {
			return fmt.Errorf("regalloc: %s: %s is used but never defined", a.f.Name, a.name(int32(v)))
		}
	}
	if len(a.f.Blocks[0].Params) > 0 {
		return a.errorf(0, 0, "the entry block has parameters")
	}
	return nil
}

// checkInst records what an instruction defines and checks its operands.
func (a *allocator) checkInst(b, i int32) error {
	in := &a.f.Blocks[b].Insts[i]
	if a.isConstDef(in) {
		return nil
	}
	if len(in.Args) > 64 {
		return a.errorf(b, i, "more than 64 operands")
	}
	for j := range in.Args {
		o := &in.Args[j]
		if !o.Reg.Virtual() {
			if (a.all[mach.General] | a.all[mach.Float]).Has(o.Reg) {
				return a.errorf(b, i, "operand %d is an allocatable register", j)
			}
			continue
		}
		if int(index(o.Reg)) >= len(a.class) {
			return a.errorf(b, i, "operand %d is an unknown virtual register", j)
		}
		if o.Allow != 0 && o.Allow&a.all[a.class[index(o.Reg)]] == 0 {
			return a.errorf(b, i, "operand %d allows no register of its class", j)
		}
		if o.Role == mach.Use {
			a.used[index(o.Reg)] = true
			continue
		}
		if int(i) >= a.f.Blocks[b].Branch {
			return a.errorf(b, i, "the branch group defines a register")
		}
		if o.Tied > 0 && !a.tie(in, j) {
			return a.errorf(b, i, "operand %d is tied to no use that could share its register", j)
		}
		if err := a.define(o.Reg, b, i); err != nil {
			return err
		}
	}
	return nil
}

// tie gives definition j of in and the use that it is tied to the same Allow set. It
// returns false if there is no such use, or no register for both.
func (a *allocator) tie(in *mach.Inst, j int) bool {
	o := &in.Args[j]
	if int(o.Tied) > len(in.Args) {
		return false
	}
	u := &in.Args[o.Tied-1]
	if u.Role != mach.Use || !u.Reg.Virtual() || a.class[index(u.Reg)] != a.class[index(o.Reg)] {
		return false
	}
	c := a.class[index(o.Reg)]
	both := a.allowed(o, c) & a.allowed(u, c)
	if both != a.all[c] {
		o.Allow, u.Allow = both, both
	}
	return both != 0
}

// define records the definition of r in block b at instruction i.
func (a *allocator) define(r mach.Reg, b, i int32) error {
	v := index(r)
	if v < 0 || int(v) >= len(a.def) {
		return a.errorf(b, i, "definition of a register that is not virtual")
	}
	if a.def[v] != none {
		return a.errorf(b, i, "%s is defined twice", a.name(v))
	}
	a.def[v], a.defAt[v] = b, i
	return nil
}

// name is the name of a value in messages.
func (a *allocator) name(v int32) string {
	if s := a.f.Values[v].Name; s != "" {
		return s
	}
	return fmt.Sprintf("v%d", v)
}

// errorf is an error at instruction i of block b.
func (a *allocator) errorf(b, i int32, format string, args ...any) error {
	return fmt.Errorf("regalloc: %s: block %d, instruction %d: %s", a.f.Name, b, i, fmt.Sprintf(format, args...))
}

// remat is the instruction that makes value v anew, or nil.
func (a *allocator) remat(v int32) *mach.Inst { return a.f.Values[v].Remat }

// isConstDef tells whether in does nothing but define a value that can be made anew. Such
// definitions go away: the first use makes the value.
func (a *allocator) isConstDef(in *mach.Inst) bool {
	if len(in.Args) != 1 || in.Args[0].Role == mach.Use || in.Clobber != 0 {
		return false
	}
	v := index(in.Args[0].Reg)
	return 0 <= v && int(v) < len(a.class) && a.constant[v]
}

// unitEnd is the end of the unit of instructions that begins at i: the branch group of a
// block is one unit, every other instruction is one by itself. Code is inserted between
// units only.
func unitEnd(bl *mach.Block, i int) int {
	if i >= bl.Branch {
		return len(bl.Insts)
	}
	return i + 1
}
