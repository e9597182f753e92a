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
// division is slow whatever the operands. On a current one (AMD, 2022) the test for it
// made gcd-like loops 4 % slower, while that of the divisor cost nothing measurable.
func expandDivisions(f *mach.Func) {
	f.Blocks = slices.Grow(f.Blocks, 3*countDivisions(f))
	for i := 0; i < len(f.Blocks); i++ {
		// What follows a division is a new block, which a later round looks at.
		for k := range f.Blocks[i].Insts {
			op := f.Blocks[i].Insts[k].Op
			if op == DivTotal || op == UDivTotal {
				expandDivision(f, int32(i), k)
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

// expandDivision splits block b at the division with index k:
//
//	b:     test the divisor, jump to slow or go on to fast
//	fast:  divide
//	slow:  the answers for divisors that trap; jumps to rest
//	rest:  what followed
func expandDivision(f *mach.Func, b int32, k int) {
	div := f.Blocks[b].Insts[k]
	y := div.Args[3].Reg
	fast := int32(len(f.Blocks))
	slow, rest := fast+1, fast+2
	old := &f.Blocks[b]
	depth, cold := old.Depth, old.Cold
	tail := mach.Block{Insts: old.Insts[k+1:], Branch: old.Branch - k - 1, Succs: old.Succs, Depth: depth, Cold: cold}
	test, whole, special := signedParts(y)
	if div.Op == UDivTotal {
		test, whole, special = unsignedParts(y)
	}
	for _, part := range [][]mach.Inst{test, whole, special} {
		for i := range part {
			part[i].Pos = div.Pos
		}
	}
	old.Insts = append(old.Insts[:k:k], test...)
	old.Branch = len(old.Insts) - 2
	old.Succs = []mach.Edge{{Block: slow}, {Block: fast}}
	next := []mach.Edge{{Block: rest}}
	f.Blocks = append(f.Blocks,
		mach.Block{Insts: whole, Branch: len(whole), Succs: next, Depth: depth, Cold: cold},
		mach.Block{Insts: special, Branch: len(special), Succs: next, Depth: depth, Cold: true},
		tail)
}

// jcc makes the conditional jump that ends a block.
func jcc(cond uint8) mach.Inst { return mach.Inst{Op: Jcc, Cond: cond} }

// signedParts are the instructions of a signed division of rax by y. The divisors 0 and
// -1 need no division: then the quotient is -(x & y) and the remainder x & ^y
// (optimizations §C.7).
func signedParts(y mach.Reg) (test, whole, special []mach.Inst) {
	test = []mach.Inst{
		NewMem(Lea, Addr{Base: y, Disp: 1}, RDX),
		NewI(CmpRI, 1, RDX),
		jcc(CondBE),
	}
	whole = []mach.Inst{
		New(Cqo, RDX, RAX),
		New(Idiv, RAX, RDX, RAX, RDX, y),
	}
	special = []mach.Inst{
		New(MovRR, RDX, y),
		New(Not, RDX, RDX),
		New(AndRR, RDX, RDX, RAX),
		New(AndRR, RAX, RAX, y),
		New(Neg, RAX, RAX),
	}
	return test, whole, special
}

// unsignedParts are the instructions of an unsigned division of rax by y: by 0 the
// quotient is 0 and the remainder x.
func unsignedParts(y mach.Reg) (test, whole, special []mach.Inst) {
	test = []mach.Inst{
		New(TestRR, y, y),
		jcc(CondE),
	}
	whole = []mach.Inst{
		New(Zero, RDX),
		New(Div, RAX, RDX, RAX, RDX, y),
	}
	special = []mach.Inst{
		New(MovRR, RDX, RAX),
		New(Zero, RAX),
	}
	return test, whole, special
}
