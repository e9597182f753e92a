package types

import "math/bits"

// A Width is a number of bits, 1 to 64, of the words that integer operations work on.
// Programs run at 64; the rule prover also runs every operation at small widths, where
// it can try all values. A word of w bits is kept sign-extended in an int64.
type Width uint

// Wrap keeps the low w bits of x, sign-extended: what is left of x in a word of w bits.
func (w Width) Wrap(x int64) int64 { return x << (64 - w) >> (64 - w) }

// Unsigned is the value of the word x read as unsigned, in 0 .. 2^w-1.
func (w Width) Unsigned(x int64) uint64 { return uint64(x) << (64 - w) >> (64 - w) }

// Min is the smallest signed word of w bits.
func (w Width) Min() int64 { return -1 << (w - 1) }

// Max is the largest signed word of w bits.
func (w Width) Max() int64 { return ^w.Min() }

// Count reduces a shift count to 0 .. w-1 (semantics §3). Below 64 bits it is only
// meaningful for powers of two, which are the widths the prover uses.
func (w Width) Count(x int64) uint { return uint(w.Unsigned(x) % uint64(w)) }

// Bits is the number of bits of the magnitude of x without its sign: 0 for 0 and -1.
func Bits(x int64) int { return bits.Len64(uint64(x ^ x>>63)) }
