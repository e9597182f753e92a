package peephole

import (
	"math/bits"

	"shoal/node"
	"shoal/node/types"
)

// knownBits says which bits of a value are surely 0 and which surely 1. Like the words
// themselves, the masks of w bits are sign-extended to 64.
type knownBits struct{ zeros, ones uint64 }

// bitsOfRange are the bits that all members of a range share: the common prefix of its
// ends.
func bitsOfRange(t types.Type) knownBits {
	lo, hi := t.Bounds()
	known := ^uint64(0) << bits.Len64(uint64(lo^hi))
	return knownBits{^uint64(lo) & known, uint64(lo) & known}
}

// refine is the part of a range whose members have the known bits. An empty part means
// that the value is never computed; the range stays as it is then.
func (k knownBits) refine(w types.Width, t types.Type) types.Type {
	lo, hi := t.Bounds()
	sign := uint64(w.Min()) &^ (k.zeros | k.ones) // the sign, if it is not known
	lo, hi = max(lo, int64(k.ones|sign)), min(hi, int64(^k.zeros&^sign))
	if lo > hi {
		return t
	}
	return types.Range(lo, hi)
}

// both is what is known from two sources.
func (k knownBits) both(l knownBits) knownBits {
	return knownBits{k.zeros | l.zeros, k.ones | l.ones}
}

// either is what is known of a value that is one of two.
func (k knownBits) either(l knownBits) knownBits {
	return knownBits{k.zeros & l.zeros, k.ones & l.ones}
}

func (k knownBits) unknown() uint64 { return ^(k.zeros | k.ones) }

// contradicts tells whether values with bits k and l surely differ.
func (k knownBits) contradicts(l knownBits) bool {
	return k.zeros&l.ones|k.ones&l.zeros != 0
}

func (k knownBits) wrap(w types.Width) knownBits {
	return knownBits{uint64(w.Wrap(int64(k.zeros))), uint64(w.Wrap(int64(k.ones)))}
}

// trailingZeros is the number of low bits that are surely 0, at most w.
func (k knownBits) trailingZeros(w types.Width) int {
	return min(bits.TrailingZeros64(^k.zeros), int(w))
}

// trailingKnown is the number of low bits that are known, at most w.
func (k knownBits) trailingKnown(w types.Width) int {
	return min(bits.TrailingZeros64(k.unknown()), int(w))
}

func lowMask(n int) uint64 { return uint64(1)<<n - 1 } // n = 64 gives all

// A bitsFunc gives the known bits of a result on words of w bits from those of the
// operands (optimizations §A.20). Every row is tested over all pairs of masks at a small
// width, for truth and for monotony.
type bitsFunc func(w types.Width, a, b, c knownBits) knownBits

// bitsOf has the functions; what an op without one gives is known from its range alone.
var bitsOf = [node.NumOps]bitsFunc{
	node.OpAdd:    sumBits,
	node.OpSub:    differenceBits,
	node.OpMinus:  func(w types.Width, a, _, _ knownBits) knownBits { return differenceBits(w, exactly(0), a, a) },
	node.OpMul:    productBits,
	node.OpAnd:    func(_ types.Width, a, b, _ knownBits) knownBits { return knownBits{a.zeros | b.zeros, a.ones & b.ones} },
	node.OpOr:     func(_ types.Width, a, b, _ knownBits) knownBits { return knownBits{a.zeros & b.zeros, a.ones | b.ones} },
	node.OpXor:    xorBits,
	node.OpBitNot: func(_ types.Width, a, _, _ knownBits) knownBits { return knownBits{a.ones, a.zeros} },
	node.OpShl:    shlBits,
	node.OpShr:    shrBits,
	node.OpSar:    sarBits,
	node.OpRotL:   rotateBits,
	node.OpEQ:     equalBits,
	node.OpNot:    func(w types.Width, a, _, _ knownBits) knownBits { return equalBits(w, a, exactly(0), a) },
	node.OpSelect: func(_ types.Width, _, b, c knownBits) knownBits { return b.either(c) },
	node.OpMin:    eitherBits,
	node.OpMax:    eitherBits,
	node.OpUMin:   eitherBits,
	node.OpUMax:   eitherBits,
	node.OpAbs: func(w types.Width, a, _, _ knownBits) knownBits {
		return knownBits{zeros: lowMask(a.trailingZeros(w))}.wrap(w)
	},
	node.OpSignExt: func(w types.Width, a, k, _ knownBits) knownBits {
		return a.wrap(min(w, types.Width(k.ones)))
	},
	node.OpZeroExt: zeroExtBits,
}

// exactly are the bits of a constant.
func exactly(c int64) knownBits { return knownBits{^uint64(c), uint64(c)} }

func eitherBits(_ types.Width, a, b, _ knownBits) knownBits { return a.either(b) }

// sumBits: a bit of the sum is known if it comes out the same with all unknown bits 0 and
// with all of them 1, and is not itself unknown in an operand.
func sumBits(w types.Width, a, b, _ knownBits) knownBits {
	sum := a.ones + b.ones
	unknown := a.unknown() | b.unknown() | (sum ^ (sum + a.unknown() + b.unknown()))
	return knownBits{^sum &^ unknown, sum &^ unknown}.wrap(w)
}

func differenceBits(w types.Width, a, b, _ knownBits) knownBits {
	d := a.ones - b.ones
	unknown := a.unknown() | b.unknown() | ((d + a.unknown()) ^ (d - b.unknown()))
	return knownBits{^d &^ unknown, d &^ unknown}.wrap(w)
}

// productBits: what is unknown of one factor is moved up by the trailing zeros of the
// other.
func productBits(w types.Width, a, b, _ knownBits) knownBits {
	za, zb := a.trailingZeros(w), b.trailingZeros(w)
	known := lowMask(min(a.trailingKnown(w)+zb, b.trailingKnown(w)+za, int(w)))
	p := a.ones * b.ones
	return knownBits{^p & known, p & known}.wrap(w)
}

func xorBits(_ types.Width, a, b, _ knownBits) knownBits {
	return knownBits{a.zeros&b.zeros | a.ones&b.ones, a.zeros&b.ones | a.ones&b.zeros}
}

// constant is the value of bits that are all known.
func (k knownBits) constant() (c int64, ok bool) { return int64(k.ones), k.unknown() == 0 }

func shlBits(w types.Width, a, b, _ knownBits) knownBits {
	c, ok := b.constant()
	if !ok {
		return knownBits{zeros: lowMask(a.trailingZeros(w))}.wrap(w)
	}
	k := w.Count(c)
	return knownBits{a.zeros<<k | lowMask(int(k)), a.ones << k}.wrap(w)
}

func shrBits(w types.Width, a, b, _ knownBits) knownBits {
	c, ok := b.constant()
	word := lowMask(int(w))
	if !ok {
		leading := bits.LeadingZeros64(^(a.zeros << (64 - w)))
		return knownBits{zeros: word &^ (word >> leading)}.wrap(w)
	}
	k := w.Count(c)
	return knownBits{(a.zeros&word)>>k | word&^(word>>k), (a.ones & word) >> k}.wrap(w)
}

func sarBits(w types.Width, a, b, _ knownBits) knownBits {
	c, ok := b.constant()
	if !ok {
		return knownBits{}
	}
	k := w.Count(c)
	return knownBits{uint64(int64(a.zeros) >> k), uint64(int64(a.ones) >> k)}
}

func rotateBits(w types.Width, a, b, _ knownBits) knownBits {
	c, ok := b.constant()
	if !ok {
		return knownBits{}
	}
	rotate := func(mask uint64) uint64 { return uint64(node.Ops[node.OpRotL].Eval(w, int64(mask), c, 0)) }
	return knownBits{rotate(a.zeros), rotate(a.ones)}
}

// equalBits: one bit that differs settles it.
func equalBits(_ types.Width, a, b, _ knownBits) knownBits {
	if a.contradicts(b) {
		return exactly(0)
	}
	return knownBits{zeros: ^uint64(1)}
}

func zeroExtBits(w types.Width, a, k, _ knownBits) knownBits {
	n := types.Width(k.ones)
	if n >= w {
		return a
	}
	low := lowMask(int(n))
	return knownBits{a.zeros | ^low, a.ones & low}
}
