package peephole

import (
	"math"
	"math/bits"

	"shoal/node"
	"shoal/node/types"
)

// A rangeFunc gives the range of a result on words of w bits from those of the operands,
// none of them empty (optimizations §A.20). Every row is tested over all pairs of
// intervals at a small width: the result contains whatever can come out, and a wider
// operand never gives a narrower result.
type rangeFunc func(w types.Width, a, b, c types.Type) types.Type

// ranges has the range functions; an op without one can give any integer.
var ranges = [node.NumOps]rangeFunc{
	node.OpAdd:    func(w types.Width, a, b, _ types.Type) types.Type { return sumRange(w, a, b) },
	node.OpSub:    func(w types.Width, a, b, _ types.Type) types.Type { return differenceRange(w, a, b) },
	node.OpMul:    func(w types.Width, a, b, _ types.Type) types.Type { return productRange(w, a, b) },
	node.OpDiv:    func(w types.Width, a, b, _ types.Type) types.Type { return quotientRange(w, a, b) },
	node.OpRem:    func(w types.Width, a, b, _ types.Type) types.Type { return remainderRange(w, a, b) },
	node.OpMinus:  func(w types.Width, a, _, _ types.Type) types.Type { return differenceRange(w, types.Zero, a) },
	node.OpEQ:     func(_ types.Width, a, b, _ types.Type) types.Type { return equalRange(a, b) },
	node.OpLT:     func(_ types.Width, a, b, _ types.Type) types.Type { return lessRange(a, b, 0) },
	node.OpLE:     func(_ types.Width, a, b, _ types.Type) types.Type { return lessRange(a, b, 1) },
	node.OpNot:    func(_ types.Width, a, _, _ types.Type) types.Type { return equalRange(a, types.Zero) },
	node.OpULT:    func(_ types.Width, a, b, _ types.Type) types.Type { return unsignedLessRange(a, b, 0) },
	node.OpULE:    func(_ types.Width, a, b, _ types.Type) types.Type { return unsignedLessRange(a, b, 1) },
	node.OpAnd:    func(w types.Width, a, b, _ types.Type) types.Type { return andRange(a, b) },
	node.OpOr:     func(w types.Width, a, b, _ types.Type) types.Type { return orRange(a, b) },
	node.OpXor:    func(w types.Width, a, b, _ types.Type) types.Type { return xorRange(a, b) },
	node.OpBitNot: func(_ types.Width, a, _, _ types.Type) types.Type { lo, hi := a.Bounds(); return types.Range(^hi, ^lo) },
	node.OpShl:    func(w types.Width, a, b, _ types.Type) types.Type { return shlRange(w, a, b) },
	node.OpShr:    func(w types.Width, a, b, _ types.Type) types.Type { return shrRange(w, a, b) },
	node.OpSar:    func(w types.Width, a, b, _ types.Type) types.Type { return sarRange(w, a, b) },
	node.OpSelect: func(_ types.Width, a, b, c types.Type) types.Type { return selectRange(a, b, c) },
	node.OpMin: func(_ types.Width, a, b, _ types.Type) types.Type {
		return endpoints(a, b, func(x, y int64) int64 { return min(x, y) })
	},
	node.OpMax: func(_ types.Width, a, b, _ types.Type) types.Type {
		return endpoints(a, b, func(x, y int64) int64 { return max(x, y) })
	},
	node.OpUMin:    unsignedMinRange,
	node.OpUMax:    unsignedMaxRange,
	node.OpUDiv:    unsignedQuotientRange,
	node.OpURem:    unsignedRemainderRange,
	node.OpAbs:     func(w types.Width, a, _, _ types.Type) types.Type { return absRange(w, a) },
	node.OpSignExt: func(w types.Width, a, b, _ types.Type) types.Type { return signExtRange(w, a, b) },
	node.OpZeroExt: func(w types.Width, a, b, _ types.Type) types.Type { return zeroExtRange(w, a, b) },
}

func whole(w types.Width) types.Type { return types.Range(w.Min(), w.Max()) }

// wrapped is the range of values that run from lo to hi before they wrap, given as exact
// 128-bit numbers: it stays a range if both ends wrap equally often.
func wrapped(w types.Width, lo, hi int128) types.Type {
	if l, h := lo.wraps(w), hi.wraps(w); l == h {
		return types.Range(w.Wrap(int64(lo.lo)), w.Wrap(int64(hi.lo)))
	}
	return whole(w)
}

// int128 is a number in two's complement.
type int128 struct {
	hi int64
	lo uint64
}

func wide(x int64) int128 { return int128{x >> 63, uint64(x)} }

func (x int128) add(y int128) int128 {
	lo, carry := bits.Add64(x.lo, y.lo, 0)
	hi, _ := bits.Add64(uint64(x.hi), uint64(y.hi), carry)
	return int128{int64(hi), lo}
}

func (x int128) neg() int128 { return int128{^x.hi, ^x.lo}.add(int128{0, 1}) }

func product(x, y int64) int128 {
	hi, lo := bits.Mul64(uint64(x), uint64(y))
	return int128{int64(hi) - x>>63&y - y>>63&x, lo}
}

func (x int128) less(y int128) bool { return x.hi < y.hi || x.hi == y.hi && x.lo < y.lo }

// wraps is how many times the number is off the words of w bits: 0 if it fits.
func (x int128) wraps(w types.Width) int128 {
	fits := wide(w.Wrap(int64(x.lo)))
	return x.add(fits.neg())
}

func sumRange(w types.Width, a, b types.Type) types.Type {
	lo, hi := exactSum(a, b)
	return wrapped(w, lo, hi)
}

func exactSum(a, b types.Type) (lo, hi int128) {
	al, ah := a.Bounds()
	bl, bh := b.Bounds()
	return wide(al).add(wide(bl)), wide(ah).add(wide(bh))
}

// sumFits tells whether no sum of members wraps.
func sumFits(w types.Width, a, b types.Type) bool {
	lo, hi := exactSum(a, b)
	return lo.wraps(w) == int128{} && hi.wraps(w) == int128{}
}

func differenceRange(w types.Width, a, b types.Type) types.Type {
	al, ah := a.Bounds()
	bl, bh := b.Bounds()
	return wrapped(w, wide(al).add(wide(bh).neg()), wide(ah).add(wide(bl).neg()))
}

// productRange takes the smallest and the largest of the corner products if none leaves
// the words; a product that wraps may be anything in between.
func productRange(w types.Width, a, b types.Type) types.Type {
	lo, hi := exactProduct(a, b)
	if lo.wraps(w) != (int128{}) || hi.wraps(w) != (int128{}) {
		return whole(w)
	}
	return types.Range(int64(lo.lo), int64(hi.lo))
}

func exactProduct(a, b types.Type) (lo, hi int128) {
	al, ah := a.Bounds()
	bl, bh := b.Bounds()
	corners := [...]int128{product(al, bl), product(al, bh), product(ah, bl), product(ah, bh)}
	lo, hi = corners[0], corners[0]
	for _, c := range corners {
		if c.less(lo) {
			lo = c
		}
		if hi.less(c) {
			hi = c
		}
	}
	return lo, hi
}

// productFits tells whether no product of members wraps.
func productFits(w types.Width, a, b types.Type) bool {
	lo, hi := exactProduct(a, b)
	return lo.wraps(w) == int128{} && hi.wraps(w) == int128{}
}

func quotientRange(w types.Width, a, b types.Type) types.Type {
	al, ah := a.Bounds()
	bl, bh := b.Bounds()
	if bl < 1 {
		return quotientByAny(w, al, ah)
	}
	lo, hi := al/bl, ah/bh
	if al >= 0 {
		lo = al / bh
	}
	if ah >= 0 {
		hi = ah / bl
	}
	return types.Range(lo, hi)
}

// quotientByAny: a quotient is never larger than its dividend, but for the sign.
func quotientByAny(w types.Width, al, ah int64) types.Type {
	if al == w.Min() {
		return whole(w)
	}
	m := max(ah, -al, 0)
	return types.Range(-m, m)
}

// remainderRange: a remainder has the sign of the dividend and is smaller than it and than
// the divisor, whose signs do not matter; the remainder by 0 is the dividend.
func remainderRange(_ types.Width, a, b types.Type) types.Type {
	al, ah := a.Bounds()
	bl, bh := b.Bounds()
	lo, hi := min(al, 0), max(ah, 0)
	switch {
	case bl >= 1:
		lo, hi = max(lo, -(bh-1)), min(hi, bh-1)
	case bh <= -1:
		lo, hi = max(lo, bl+1), min(hi, -(bl+1))
	}
	return types.Range(lo, hi)
}

// truthRange is 1, 0 or either.
func truthRange(always, never bool) types.Type {
	switch {
	case always:
		return types.One
	case never:
		return types.Zero
	}
	return types.Bool
}

func equalRange(a, b types.Type) types.Type {
	al, ah := a.Bounds()
	bl, bh := b.Bounds()
	return truthRange(al == ah && a == b, ah < bl || bh < al)
}

// lessRange decides a < b, or a <= b with orEqual 1.
func lessRange(a, b types.Type, orEqual int64) types.Type {
	al, ah := a.Bounds()
	bl, bh := b.Bounds()
	if orEqual == 1 {
		return truthRange(ah <= bl, al > bh)
	}
	return truthRange(ah < bl, al >= bh)
}

// unsignedBounds are the ends of a range read as unsigned. One that crosses 0 has them all.
func unsignedBounds(t types.Type) (lo, hi uint64) {
	l, h := t.Bounds()
	if l < 0 && h >= 0 {
		return 0, math.MaxUint64
	}
	return uint64(l), uint64(h)
}

// unsignedLessRange decides a <u b, or a <=u b with orEqual 1. Sign-extended words are in
// the same unsigned order as the words themselves.
func unsignedLessRange(a, b types.Type, orEqual int64) types.Type {
	al, ah := unsignedBounds(a)
	bl, bh := unsignedBounds(b)
	if orEqual == 1 {
		return truthRange(ah <= bl, al > bh)
	}
	return truthRange(ah < bl, al >= bh)
}

// magnitude is 2^n-1 for the least n bits that hold every member without its sign.
func magnitude(lo, hi int64) int64 {
	n := max(types.Bits(lo), types.Bits(hi))
	return int64(1)<<n - 1 // n = 63 gives the largest integer
}

func andRange(a, b types.Type) types.Type {
	al, ah := a.Bounds()
	bl, bh := b.Bounds()
	switch {
	case al >= 0 && bl >= 0:
		return types.Range(0, min(ah, bh))
	case al >= 0:
		return types.Range(0, ah)
	case bl >= 0:
		return types.Range(0, bh)
	}
	lo := ^max(magnitude(al, ah), magnitude(bl, bh))
	if ah < 0 && bh < 0 {
		return types.Range(lo, min(ah, bh))
	}
	return types.Range(lo, max(ah, bh))
}

func orRange(a, b types.Type) types.Type {
	al, ah := a.Bounds()
	bl, bh := b.Bounds()
	m := max(magnitude(al, ah), magnitude(bl, bh))
	switch {
	case al >= 0 && bl >= 0:
		return types.Range(max(al, bl), m)
	case ah < 0 && bh < 0:
		return types.Range(max(al, bl), -1)
	case ah < 0:
		return types.Range(al, -1)
	case bh < 0:
		return types.Range(bl, -1)
	}
	return types.Range(min(al, bl), m)
}

func xorRange(a, b types.Type) types.Type {
	al, ah := a.Bounds()
	bl, bh := b.Bounds()
	m := max(magnitude(al, ah), magnitude(bl, bh))
	switch {
	case al >= 0 && bl >= 0, ah < 0 && bh < 0:
		return types.Range(0, m)
	case al >= 0 && bh < 0, ah < 0 && bl >= 0:
		return types.Range(^m, -1)
	}
	return types.Range(^m, m)
}

func shlRange(w types.Width, a, b types.Type) types.Type {
	if !b.IsConst() {
		return whole(w)
	}
	al, ah := a.Bounds()
	k := w.Count(b.Value())
	lo, hi := w.Wrap(al<<k), w.Wrap(ah<<k)
	if lo>>k != al || hi>>k != ah {
		return whole(w)
	}
	return types.Range(lo, hi)
}

// counts are the smallest and the largest shift count, once taken modulo the width.
func counts(w types.Width, b types.Type) (lo, hi uint) {
	bl, bh := b.Bounds()
	if bl < 0 || bh >= int64(w) {
		if b.IsConst() {
			return w.Count(bl), w.Count(bl)
		}
		return 0, uint(w) - 1
	}
	return uint(bl), uint(bh)
}

func shrRange(w types.Width, a, b types.Type) types.Type {
	al, ah := a.Bounds()
	k1, k2 := counts(w, b)
	switch {
	case al >= 0:
		return types.Range(al>>k2, ah>>k1)
	case k1 >= 1:
		return types.Range(0, int64(w.Unsigned(-1)>>k1))
	}
	return whole(w)
}

func sarRange(w types.Width, a, b types.Type) types.Type {
	al, ah := a.Bounds()
	k1, k2 := counts(w, b)
	lo, hi := al>>k1, ah>>k2
	if al >= 0 {
		lo = al >> k2
	}
	if ah >= 0 {
		hi = ah >> k1
	}
	return types.Range(lo, hi)
}

func selectRange(a, b, c types.Type) types.Type {
	switch {
	case !a.Contains(0):
		return b
	case a == types.Zero:
		return c
	}
	return types.Ranges.Meet(b, c)
}

func endpoints(a, b types.Type, f func(x, y int64) int64) types.Type {
	al, ah := a.Bounds()
	bl, bh := b.Bounds()
	return types.Range(f(al, bl), f(ah, bh))
}

func absRange(w types.Width, a types.Type) types.Type {
	lo, hi := a.Bounds()
	switch {
	case lo == w.Min():
		return whole(w)
	case lo >= 0:
		return a
	case hi < 0:
		return types.Range(-hi, -lo)
	}
	return types.Range(0, max(-lo, hi))
}

func signExtRange(w types.Width, a, bits types.Type) types.Type {
	k := min(w, types.Width(bits.Value()))
	if lo, hi := a.Bounds(); lo < k.Min() || hi > k.Max() {
		return types.Range(k.Min(), k.Max())
	}
	return a
}

func zeroExtRange(w types.Width, a, bits types.Type) types.Type {
	k := min(w, types.Width(bits.Value()))
	if k == w {
		return a
	}
	if lo, hi := a.Bounds(); lo < 0 || uint64(hi) > k.Unsigned(-1) {
		return types.Range(0, int64(k.Unsigned(-1)))
	}
	return a
}

// fromUnsigned is the range of the words lo to hi, given as unsigned ones: they must be on
// one side of the sign.
func fromUnsigned(w types.Width, lo, hi uint64) types.Type {
	if (int64(lo) < 0) != (int64(hi) < 0) {
		return whole(w)
	}
	return types.Range(int64(lo), int64(hi))
}

func unsignedMinRange(w types.Width, a, b, _ types.Type) types.Type {
	al, ah := unsignedBounds(a)
	bl, bh := unsignedBounds(b)
	return fromUnsigned(w, min(al, bl), min(ah, bh))
}

func unsignedMaxRange(w types.Width, a, b, _ types.Type) types.Type {
	al, ah := unsignedBounds(a)
	bl, bh := unsignedBounds(b)
	return fromUnsigned(w, max(al, bl), max(ah, bh))
}

// unsignedQuotientRange is that of the signed quotient if no operand is negative.
func unsignedQuotientRange(w types.Width, a, b, _ types.Type) types.Type {
	al, _ := a.Bounds()
	bl, _ := b.Bounds()
	if al < 0 || bl < 0 {
		return whole(w)
	}
	if bl == 0 {
		_, ah := a.Bounds()
		return types.Range(0, ah)
	}
	return quotientRange(w, a, b)
}

func unsignedRemainderRange(w types.Width, a, b, _ types.Type) types.Type {
	al, ah := a.Bounds()
	bl, bh := b.Bounds()
	switch {
	case al >= 0 && bl >= 0:
		return remainderRange(w, a, b)
	case al >= 0:
		return types.Range(0, ah) // never larger than the dividend
	case bl >= 1:
		return types.Range(0, bh-1)
	}
	return whole(w)
}
