package amd64

import (
	"math"

	"shoal/codegen/mach"
	"shoal/node"
	"shoal/ssa"
)

// divisions pairs the quotient and the remainder of the same operands in one block. The
// first of the two defines both results, so the second emits nothing.
type divisions struct {
	last   []ssa.ValueID // by dividend: the last division of it that was counted
	firsts []ssa.ValueID // by division: the first of its pair, if it is the second
	other  []mach.Reg    // by division: where the result goes that it does not name
}

// isDivision tells whether op divides.
func isDivision(op node.Op) bool {
	return op == node.OpDiv || op == node.OpRem || op == node.OpUDiv || op == node.OpURem
}

// isRemainder tells whether a division gives the remainder.
func isRemainder(op node.Op) bool { return op == node.OpRem || op == node.OpURem }

// partner is the op with the other result of the same division.
var partner = [node.NumOps]node.Op{
	node.OpDiv: node.OpRem, node.OpRem: node.OpDiv,
	node.OpUDiv: node.OpURem, node.OpURem: node.OpUDiv,
}

// grow makes the tables on the first division: most functions have none.
func (dv *divisions) grow(n int) {
	if dv.last == nil {
		ids := make([]ssa.ValueID, 2*n)
		dv.last, dv.firsts = ids[:n], ids[n:]
		dv.other = make([]mach.Reg, n)
	}
}

// pair notes the division id; blocks come in order and each from top to bottom.
func (dv *divisions) pair(f *ssa.Func, id ssa.ValueID) {
	dv.grow(len(f.Values))
	v := &f.Values[id]
	x := v.Args[0]
	if p := dv.last[x]; p != ssa.None {
		w := &f.Values[p]
		if w.Block == v.Block && w.Op == partner[v.Op] && w.Args == v.Args {
			dv.firsts[id] = p
			return
		}
	}
	dv.last[x] = id
}

// first returns the first of the pair whose second is id, None if there is no such pair.
func (dv *divisions) first(id ssa.ValueID) ssa.ValueID {
	if dv.firsts == nil {
		return ssa.None
	}
	return dv.firsts[id]
}

// wanted tells whether the division id has to define the result that it does not name.
func (dv *divisions) wanted(id ssa.ValueID) bool {
	return dv.other != nil && dv.other[id] != mach.NoReg
}

// deferDivision leaves the value id, whose register is known, to the first of its pair.
func (s *selector) deferDivision(id, first ssa.ValueID) {
	s.orderOther(s.regs[id], first)
}

// orderOther asks the division first for its other result in d.
func (s *selector) orderOther(d mach.Reg, first ssa.ValueID) {
	if r := s.div.other[first]; r != mach.NoReg {
		s.emit(MovRR, d, r)
		return
	}
	s.div.other[first] = d
}

// quotientOf recognizes q*y for the quotient q of x and y in this block: the product that
// programs subtract from x for the remainder, or compare with x to see whether y divides
// it. The product must not be needed otherwise.
func (s *selector) quotientOf(x, product ssa.ValueID) (q, y ssa.ValueID) {
	mul := s.fusable(product, node.OpMul)
	if mul == nil {
		return ssa.None, ssa.None
	}
	for i, q := range mul.Args[:2] {
		y := mul.Args[1-i]
		div := &s.f.Values[q]
		if div.Kind != ssa.Instr || div.Op != node.OpDiv && div.Op != node.OpUDiv || div.Block != s.block {
			continue
		}
		if div.Args[0] == x && div.Args[1] == y && s.div.first(q) == ssa.None {
			return q, y
		}
	}
	return ssa.None, ssa.None
}

// remainderShape computes x - product into d if that is the remainder of a division.
func (s *selector) remainderShape(d mach.Reg, x, product ssa.ValueID) bool {
	q, y := s.quotientOf(x, product)
	if q == ssa.None {
		return false
	}
	c, ok := s.constant(y)
	if !ok {
		s.orderOther(d, q)
		return true
	}
	signed := s.f.Values[q].Op == node.OpDiv
	if s.fusable(q, s.f.Values[q].Op) == nil {
		return false // the quotient is there: multiply and subtract
	}
	s.divideByConstant(signed, mach.NoReg, d, x, c)
	return true
}

// divideTile is the tile of the four divisions. d is the register of the value, NoReg if
// only its pair is wanted.
func divideTile(s *selector, id ssa.ValueID, v *ssa.Value, d mach.Reg) {
	quotient, remainder := d, s.div.other[id]
	if isRemainder(v.Op) {
		quotient, remainder = remainder, quotient
	}
	signed := v.Op == node.OpDiv || v.Op == node.OpRem
	if c, ok := s.constant(v.Args[1]); ok {
		s.divideByConstant(signed, quotient, remainder, v.Args[0], c)
		return
	}
	if quotient == mach.NoReg {
		quotient = s.temp()
	}
	if remainder == mach.NoReg {
		remainder = s.temp()
	}
	x, y := v.Args[0], s.reg(v.Args[1])
	if x == v.Args[1] { // the dividend is in rax, the divisor is not
		y = s.temp()
		s.emit(MovRR, y, s.reg(x))
	}
	op := UDivTotal
	if signed {
		op = DivTotal
	}
	s.emit(op, quotient, remainder, s.reg(x), y)
}

// divideByConstant computes the quotient and the remainder of x by c, or one of the two.
func (s *selector) divideByConstant(signed bool, quotient, remainder mach.Reg, x ssa.ValueID, c int64) {
	if signed && quotient == mach.NoReg && c != math.MinInt64 {
		c = max(c, -c) // x % -c = x % c
	}
	switch {
	case c == 0 || c == 1 || signed && c == -1:
		s.divideTrivially(quotient, remainder, x, c)
		return
	case signed && c > 0 && isPow2(c) && quotient == mach.NoReg:
		s.remainderPow2(remainder, s.reg(x), c)
		return
	case !signed && isPow2(c):
		s.unsignedPow2(quotient, remainder, x, c)
		return
	}
	r := s.reg(x)
	q := quotient
	if q == mach.NoReg {
		q = s.temp()
	}
	if signed {
		s.signedQuotient(q, r, c)
	} else {
		s.unsignedQuotient(q, r, uint64(c))
	}
	if remainder != mach.NoReg {
		p := s.temp()
		s.multiply(p, q, c)
		s.emit(SubRR, remainder, r, p)
	}
}

// divideTrivially divides by 0, 1 or -1.
func (s *selector) divideTrivially(quotient, remainder mach.Reg, x ssa.ValueID, c int64) {
	if quotient != mach.NoReg {
		switch c {
		case 0:
			s.setConstant(quotient, 0)
		case 1:
			s.emit(MovRR, quotient, s.reg(x))
		case -1:
			s.emit(Neg, quotient, s.reg(x))
		}
	}
	if remainder == mach.NoReg {
		return
	}
	if c == 0 {
		s.emit(MovRR, remainder, s.reg(x))
		return
	}
	s.setConstant(remainder, 0)
}

// unsignedPow2 divides by a power of two.
func (s *selector) unsignedPow2(quotient, remainder mach.Reg, x ssa.ValueID, c int64) {
	k := int(log2(c))
	if quotient != mach.NoReg {
		s.emitImm(ShrRI, int64(k), quotient, s.reg(x))
	}
	if remainder != mach.NoReg {
		s.zeroExtend(remainder, x, k)
	}
}

// bias computes what a signed division by 2^k adds to the dividend so that the shift
// rounds toward zero: 2^k - 1 if x is negative, else 0.
func (s *selector) bias(x mach.Reg, k uint8) mach.Reg {
	sign := x
	if k > 1 {
		sign = s.temp()
		s.emitImm(SarRI, 63, sign, x)
	}
	t := s.temp()
	s.emitImm(ShrRI, int64(64-k), t, sign)
	return t
}

// remainderPow2 is ((x + bias) & (c-1)) - bias for c = 2^k.
func (s *selector) remainderPow2(d, x mach.Reg, c int64) {
	k := log2(c)
	t, sum, low := s.bias(x, k), s.temp(), s.temp()
	s.emitMem(Lea, Addr{Base: x, Index: t, Scale: 1}, sum)
	if c-1 <= math.MaxInt32 {
		s.emitImm(And32RI, c-1, low, sum)
	} else {
		s.emit(AndRR, low, s.makeConstant(c-1), sum)
	}
	s.emit(SubRR, d, low, t)
}

// signedQuotient computes x / c for c other than 0, 1 and -1 (optimizations §A.6, tail).
func (s *selector) signedQuotient(d, x mach.Reg, c int64) {
	switch {
	case c == math.MinInt64:
		zero := s.zero()
		s.emit(CmpRR, x, s.makeConstant(c))
		s.emit(Setcc, d, zero).Cond = CondE
		return
	case isPow2(c) || isPow2(-c):
		s.quotientPow2(d, x, c)
		return
	}
	m := signedMagicOf(uint64(max(c, -c)))
	q := s.highProduct(Imul1, m.factor, x)
	if m.add {
		sum := s.temp()
		s.emitMem(Lea, Addr{Base: q, Index: x, Scale: 1}, sum)
		q = sum
	}
	if m.shift > 0 {
		t := s.temp()
		s.emitImm(SarRI, int64(m.shift), t, q)
		q = t
	}
	sign := s.temp()
	s.emitImm(SarRI, 63, sign, x)
	if c > 0 {
		s.emit(SubRR, d, q, sign)
	} else {
		s.emit(SubRR, d, sign, q)
	}
}

// quotientPow2 computes x / c for c or -c a power of two from 2 to 2^62.
func (s *selector) quotientPow2(d, x mach.Reg, c int64) {
	k := log2(c)
	sum := s.temp()
	s.emitMem(Lea, Addr{Base: x, Index: s.bias(x, k), Scale: 1}, sum)
	if c > 0 {
		s.emitImm(SarRI, int64(k), d, sum)
		return
	}
	t := s.temp()
	s.emitImm(SarRI, int64(k), t, sum)
	s.emit(Neg, d, t)
}

// highProduct is the high word of x times a constant. The low one is not used.
func (s *selector) highProduct(op uint16, factor uint64, x mach.Reg) mach.Reg {
	low, high := s.temp(), s.temp()
	s.emit(op, low, high, s.makeConstant(int64(factor)), x)
	return high
}

// unsignedQuotient computes x /u c for c that is neither 0 nor a power of two.
func (s *selector) unsignedQuotient(d, x mach.Reg, c uint64) {
	if c > math.MaxInt64 { // the quotient is 0 or 1
		zero := s.zero()
		s.compareUnsigned(x, c)
		s.emit(Setcc, d, zero).Cond = CondAE
		return
	}
	m := unsignedMagicOf(c)
	if m.before > 0 {
		t := s.temp()
		s.emitImm(ShrRI, int64(m.before), t, x)
		x = t
	}
	q := s.highProduct(Mul1, m.factor, x)
	if m.add { // (x + q) / 2 without losing the carry
		rest, half, sum := s.temp(), s.temp(), s.temp()
		s.emit(SubRR, rest, x, q)
		s.emitImm(ShrRI, 1, half, rest)
		s.emitMem(Lea, Addr{Base: half, Index: q, Scale: 1}, sum)
		q = sum
	}
	if m.shift == 0 {
		s.emit(MovRR, d, q)
		return
	}
	s.emitImm(ShrRI, int64(m.shift), d, q)
}

// compareUnsigned compares a register with a constant.
func (s *selector) compareUnsigned(x mach.Reg, c uint64) {
	if fits32(int64(c)) {
		s.emitImm(CmpRI, int64(c), x)
		return
	}
	s.emit(CmpRR, x, s.makeConstant(int64(c)))
}
