package amd64

import (
	"slices"

	"shoal/codegen/mach"
)

// expandDivisions replaces the pseudo-instructions DivTotal and UDivTotal, which divide
// as the language wants (semantics §2: x/0 = 0, MIN/-1 = MIN), by branches around the
// machine's instruction, which would trap. The new blocks come after the function's own.
//
// There is no second path for operands below 2^32, which helps processors whose 64-bit
// division is slow whatever the operands. On an AMD server processor with AVX-512 the test
// for it cost dependent divisions 2 to 7 %, that of the divisor nothing measurable.
func expandDivisions(f *mach.Func) {
	n := countDivisions(f)
	f.Blocks = slices.Grow(f.Blocks, 3*n)
	x := expander{f: f, edges: make([]mach.Edge, 0, 3*n)}
	x.slab = maxSlab
	x.buf = make([]mach.Inst, 0, maxParts*n)
	for i := 0; i < len(f.Blocks); i++ {
		// What follows a division is a new block, which a later round looks at.
		for k := range f.Blocks[i].Insts {
			op := f.Blocks[i].Insts[k].Op
			if op == DivTotal || op == UDivTotal {
				x.expand(int32(i), k)
				break
			}
		}
	}
	f.LinkPreds()
}

// countDivisions is the number of divisions to expand.
func countDivisions(f *mach.Func) (n int) {
	for i := range f.Blocks {
		for k := range f.Blocks[i].Insts {
			if op := f.Blocks[i].Insts[k].Op; op == DivTotal || op == UDivTotal {
				n++
			}
		}
	}
	return n
}

// maxParts is the number of instructions that one division becomes, at most.
const maxParts = 10

// An expander makes the instructions of divisions, all in one buffer.
type expander struct {
	f     *mach.Func
	edges []mach.Edge
	emitter
}

// expand splits block b at the division with index k:
//
//	b:     test the divisor, jump to slow or go on to fast
//	fast:  divide
//	slow:  the answers for divisors that trap; jumps to rest
//	rest:  what followed
func (x *expander) expand(b int32, k int) {
	f := x.f
	div := f.Blocks[b].Insts[k]
	x.pos = div.Pos
	y, parts := div.Args[3].Reg, (*expander).signed
	if div.Op == UDivTotal {
		parts = (*expander).unsigned
	}
	test, whole, special := parts(x, y)
	fast := int32(len(f.Blocks))
	slow, rest := fast+1, fast+2
	old := &f.Blocks[b]
	depth, cold := old.Depth, old.Cold
	tail := mach.Block{Insts: old.Insts[k+1:], Branch: old.Branch - k - 1, Succs: old.Succs, Depth: depth, Cold: cold}
	old.Insts = append(old.Insts[:k:k], test...)
	old.Branch = len(old.Insts) - 2
	n := len(x.edges)
	x.edges = append(x.edges, mach.Edge{Block: slow}, mach.Edge{Block: fast}, mach.Edge{Block: rest})
	old.Succs = x.edges[n : n+2 : n+2]
	next := x.edges[n+2 : n+3 : n+3]
	f.Blocks = append(f.Blocks,
		mach.Block{Insts: whole, Branch: len(whole), Succs: next, Depth: depth, Cold: cold},
		mach.Block{Insts: special, Branch: len(special), Succs: next, Depth: depth, Cold: true},
		tail)
}

// since returns what was emitted from the mark on, and the next mark.
func (x *expander) since(mark int) ([]mach.Inst, int) {
	n := len(x.buf)
	return x.buf[mark:n:n], n
}

// signed makes the instructions of a signed division of rax by y. The divisors 0 and -1
// need no division: then the quotient is -(x & y) and the remainder x & ^y
// (optimizations §C.7).
func (x *expander) signed(y mach.Reg) (test, whole, special []mach.Inst) {
	mark := len(x.buf)
	x.emitMem(Lea, Addr{Base: y, Disp: 1}, RDX)
	x.emitImm(CmpRI, 1, RDX)
	x.emit(Jcc).Cond = CondBE
	test, mark = x.since(mark)
	x.emit(Cqo, RDX, RAX)
	x.emit(Idiv, RAX, RDX, RAX, RDX, y)
	whole, mark = x.since(mark)
	x.emit(MovRR, RDX, y)
	x.emit(Not, RDX, RDX)
	x.emit(AndRR, RDX, RDX, RAX)
	x.emit(AndRR, RAX, RAX, y)
	x.emit(Neg, RAX, RAX)
	special, _ = x.since(mark)
	return test, whole, special
}

// unsigned makes the instructions of an unsigned division of rax by y: by 0 the quotient
// is 0 and the remainder x.
func (x *expander) unsigned(y mach.Reg) (test, whole, special []mach.Inst) {
	mark := len(x.buf)
	x.emit(TestRR, y, y)
	x.emit(Jcc).Cond = CondE
	test, mark = x.since(mark)
	x.emit(Zero, RDX)
	x.emit(Div, RAX, RDX, RAX, RDX, y)
	whole, mark = x.since(mark)
	x.emit(MovRR, RDX, RAX)
	x.emit(Zero, RAX)
	special, _ = x.since(mark)
	return test, whole, special
}
