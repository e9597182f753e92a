package peephole

import (
	"math/rand"
	"testing"

	"shoal/node"
	"shoal/node/types"
)

// admits tells whether a value has the known bits.
func (k knownBits) admits(v int64) bool { return uint64(v)&k.zeros == 0 && ^uint64(v)&k.ones == 0 }

// masks are all known bits of words of w bits.
func masks(w types.Width) []knownBits {
	var all []knownBits
	for zeros := w.Min(); zeros <= w.Max(); zeros++ {
		for ones := w.Min(); ones <= w.Max(); ones++ {
			if zeros&ones == 0 {
				all = append(all, knownBits{uint64(zeros), uint64(ones)})
			}
		}
	}
	return all
}

// members are the words that have known bits.
func members(w types.Width, k knownBits) []int64 {
	var all []int64
	for v := w.Min(); v <= w.Max(); v++ {
		if k.admits(v) {
			all = append(all, v)
		}
	}
	return all
}

// fewer are the known bits with one bit known less.
func fewer(w types.Width, k knownBits) []knownBits {
	var all []knownBits
	for i := range uint(w) {
		bit := uint64(w.Wrap(1 << i)) // the sign is repeated up to bit 63
		if (k.zeros|k.ones)&bit != 0 {
			all = append(all, knownBits{k.zeros &^ bit, k.ones &^ bit})
		}
	}
	return all
}

// knowsNoLess tells whether k has all bits of l.
func (k knownBits) knowsNoLess(l knownBits) bool { return l.zeros&^k.zeros|l.ones&^k.ones == 0 }

// TestKnownBits tries every function of bits on all operands at a small width, like
// TestRanges.
func TestKnownBits(t *testing.T) {
	for op, f := range bitsOf {
		op := node.Op(op)
		if f == nil {
			continue
		}
		w := testWidth
		if op == node.OpSelect {
			w = 3
		}
		of := operandsOf(op, w, masks(w), exactly)
		for _, a := range of[0] {
			for _, b := range of[1] {
				for _, c := range of[2] {
					if err := bitsFault(op, f, w, a, b, c); err != "" {
						t.Fatalf("%v of %x, %x, %x: %s", op, a, b, c, err)
					}
				}
			}
		}
	}
}

func bitsFault(op node.Op, f bitsFunc, w types.Width, a, b, c knownBits) string {
	r := f(w, a, b, c)
	if r.wrap(w) != r {
		return "the masks are not words"
	}
	third := []int64{0}
	if op.Info().Arity == 4 {
		third = members(w, c)
	}
	second := members(w, b)
	if op.Info().Aux == node.AuxBits {
		second = []int64{int64(b.ones)}
	}
	for _, x := range members(w, a) {
		for _, y := range second {
			for _, z := range third {
				if v := node.Ops[op].Eval(w, x, y, z); !r.admits(v) {
					return types.Const(v).String() + " does not have them"
				}
			}
		}
	}
	for _, a2 := range fewer(w, a) {
		if r2 := f(w, a2, b, c); !r.knowsNoLess(r2) {
			return "not monotone in the first operand"
		}
	}
	if op.Info().Aux == node.AuxBits {
		return ""
	}
	for _, b2 := range fewer(w, b) {
		if r2 := f(w, a, b2, c); !r.knowsNoLess(r2) {
			return "not monotone in the second operand"
		}
	}
	for _, c2 := range fewer(w, c) {
		if r2 := f(w, a, b, c2); !r.knowsNoLess(r2) {
			return "not monotone in the third operand"
		}
	}
	return ""
}

// TestRangesAndBits: what a range tells of bits, and bits of a range, is true, and so is
// what both give together for every op.
func TestRangesAndBits(t *testing.T) {
	w := testWidth
	ranges, bits := intervals(w), masks(w)
	for _, r := range ranges {
		k := bitsOfRange(r)
		for v := w.Min(); v <= w.Max(); v++ {
			if r.Contains(v) && !k.admits(v) {
				t.Fatalf("bits of %v: %x, which %d has not", r, k, v)
			}
		}
		for _, k := range bits {
			f := newFact(w, r, k)
			for _, v := range members(w, k) {
				if r.Contains(v) && (!f.t.Contains(v) || !f.bits.admits(v)) {
					t.Fatalf("%v with bits %x: %v and %x, which excludes %d", r, k, f.t, f.bits, v)
				}
			}
		}
	}
	rng := rand.New(rand.NewSource(1))
	of := func() (fact, []int64) {
		r, k := ranges[rng.Intn(len(ranges))], bits[rng.Intn(len(bits))]
		var both []int64
		for _, v := range members(w, k) {
			if r.Contains(v) {
				both = append(both, v)
			}
		}
		return newFact(w, r, k), both
	}
	for op := range bitsOf {
		op := node.Op(op)
		if bitsOf[op] == nil || op.Info().Aux == node.AuxBits {
			continue
		}
		for range 5_000 {
			a, xs := of()
			b, ys := of()
			c, zs := of()
			got := transfer(op, w, a, b, c)
			for _, x := range xs {
				for _, y := range ys {
					for _, z := range zs[:min(len(zs), 3)] {
						if v := node.Ops[op].Eval(w, x, y, z); !got.t.Contains(v) || !got.bits.admits(v) {
							t.Fatalf("%v of %v, %v, %v: %v, which excludes %d from %d, %d, %d", op, a, b, c, got, v, x, y, z)
						}
					}
				}
			}
		}
	}
}
