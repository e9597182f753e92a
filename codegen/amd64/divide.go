package amd64

import "shoal/codegen/mach"

// division replaces DivTotal or UDivTotal, which divide as the language wants (semantics
// §2: x/0 = 0, MIN/-1 = MIN), by branches around the machine's instruction, which would
// trap. It splits block b:
//
//	b:     test the divisor, jump to slow or go on to fast
//	fast:  divide
//	slow:  the answers for divisors that trap; jumps to rest
//	rest:  what followed
//
// There is no second path for operands below 2^32, which helps processors whose 64-bit
// division is slow whatever the operands. On an AMD server processor with AVX-512 the test
// for it cost dependent divisions 2 to 7 %, that of the divisor nothing measurable.
func (x *expander) division(b int32, k int) {
	f := x.f
	div := f.Blocks[b].Insts[k]
	x.pos = div.Pos
	y, parts := div.Args[3].Reg, (*expander).signed
	if div.Op == UDivTotal {
		parts = (*expander).unsigned
	}
	test, whole, special := parts(x, y)
	rest := x.cut(b, k)
	fast := int32(len(f.Blocks))
	slow := fast + 1
	x.branch(b, test, 2, x.edges(slow, fast))
	next := x.edges(slow + 1)
	f.Blocks = append(f.Blocks,
		mach.Block{Insts: whole, Branch: len(whole), Succs: next, Depth: rest.Depth, Cold: rest.Cold},
		mach.Block{Insts: special, Branch: len(special), Succs: next, Depth: rest.Depth, Cold: true},
		rest)
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
