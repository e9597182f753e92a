package amd64

import "math/bits"

// A magic turns a division by a constant into a multiplication: the quotient is the high
// word of x>>before times factor, plus x if add is set, shifted right by shift.
// Granlund and Montgomery, "Division by Invariant Integers using Multiplication", PLDI
// 1994; the conditions are those of optimizations §A.6, tail.
type magic struct {
	factor uint64
	add    bool // the factor really is factor + 2^64, or minus 2^64 in the signed case
	before uint8
	shift  uint8
}

// ceilDiv returns ceil(2^(64+s) / d), as its bit 64 and its low word, and how much the
// product with d exceeds 2^(64+s). d is not a power of two and s is below 64.
func ceilDiv(s uint8, d uint64) (high bool, quotient, excess uint64) {
	power := uint64(1) << s
	q, r := bits.Div64(power%d, 0, d)
	return power/d != 0, q + 1, d - r
}

// signedMagicOf is for 3 <= d <= MAX, not a power of two: the smallest shift s such that
// the excess is at most 2^(s+1). The factor is then below 2^64 and is used as a signed
// number; if that makes it negative, x has to be added.
func signedMagicOf(d uint64) magic {
	for s := uint8(0); ; s++ {
		_, q, excess := ceilDiv(s, d)
		if excess <= 1<<(s+1) {
			return magic{factor: q, add: int64(q) < 0, shift: s}
		}
	}
}

// unsignedMagicOf is for 3 <= d <= MAX, not a power of two: the smallest shift s such
// that the excess is at most 2^s. If the factor needs 65 bits, an even divisor is made
// odd by shifting first, which leaves room; an odd one needs the longer sequence, whose
// last shift is one less.
func unsignedMagicOf(d uint64) magic {
	if m := unsignedMagic(d, 0); !m.add {
		return m
	}
	if k := uint8(bits.TrailingZeros64(d)); k > 0 {
		m := unsignedMagic(d>>k, k)
		m.before = k
		return m
	}
	m := unsignedMagic(d, 0)
	m.shift--
	return m
}

// unsignedMagic is unsignedMagicOf for dividends with k leading zeros.
func unsignedMagic(d uint64, k uint8) magic {
	for s := uint8(0); ; s++ {
		high, q, excess := ceilDiv(s, d)
		if excess <= 1<<(s+k) {
			return magic{factor: q, add: high, shift: s}
		}
	}
}

// inverse is the number whose product with the odd number o is 1 modulo 2^64. Newton's
// step doubles the number of right bits, of which there are three at the start.
func inverse(o uint64) uint64 {
	x := o
	for range 5 {
		x *= 2 - o*x
	}
	return x
}
