package types

import "math"

// A float type has in lo one of these tags, for how much is known (chapters §14.4): the
// higher the less. A constant has its bits in hi. The dual negates the tag.
const (
	tagTop   = -64 // no number yet, or any will do
	tagTop32 = -32 // likewise, of those that fit 32 bits
	tagConst = 0
	tagF32   = 32 // one that fits 32 bits
	tagFlt   = 64 // any
)

// The float types that are no constants.
var (
	FltTop = Type{Kind: KindFloat, lo: tagTop}
	F32Top = Type{Kind: KindFloat, lo: tagTop32}
	F32Any = Type{Kind: KindFloat, lo: tagF32}
	Flt    = Type{Kind: KindFloat, lo: tagFlt}
)

// ConstFloat is the type of the number c alone. All NaNs are one.
func ConstFloat(c float64) Type {
	if c != c {
		c = math.NaN()
	}
	return ConstBits(int64(math.Float64bits(c)))
}

// ConstBits is the type of the number with the given bits.
func ConstBits(bits int64) Type { return Type{Kind: KindFloat, lo: tagConst, hi: bits} }

// IsFloat tells whether t is a float type, high or low.
func (t Type) IsFloat() bool { return t.Kind == KindFloat }

// IsFloatConst tells whether t is one number.
func (t Type) IsFloatConst() bool { return t.Kind == KindFloat && t.lo == tagConst }

// Bits are the bits of a float constant.
func (t Type) Bits() int64 { return t.hi }

// Float is the number of a float constant.
func (t Type) Float() float64 { return math.Float64frombits(uint64(t.hi)) }

// fits32 tells whether a float constant is exactly a 32-bit one.
func (t Type) fits32() bool {
	c := t.Float()
	return c != c || float64(float32(c)) == c
}

func (l Lattice) meetFloats(t, u Type) Type {
	if t == u {
		return t
	}
	if t.lo > u.lo {
		t, u = u, t
	}
	switch { // t is as high as u or higher
	case t.lo == tagTop || u.lo == tagFlt:
		return u
	case t.lo == tagConst && !t.fits32(), u.lo == tagConst && !u.fits32():
		return Flt
	case u.lo == tagF32 || t.lo == tagTop32:
		return u
	case l == Flat:
		return Flt
	}
	return F32Any // two different constants
}

func (t Type) dualFloat() Type {
	t.lo = -t.lo
	return t
}
