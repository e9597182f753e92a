package peephole

import (
	"math/rand"
	"testing"

	"shoal/node"
	"shoal/node/types"
)

// testWidth is the width at which functions of ranges and bits are tested for all operands.
const testWidth = types.Width(4)

// intervals are all ranges of words of w bits.
func intervals(w types.Width) []types.Type {
	var all []types.Type
	for lo := w.Min(); lo <= w.Max(); lo++ {
		for hi := lo; hi <= w.Max(); hi++ {
			all = append(all, types.Range(lo, hi))
		}
	}
	return all
}

// wider are the ranges with one member more.
func wider(w types.Width, t types.Type) []types.Type {
	var all []types.Type
	lo, hi := t.Bounds()
	if lo > w.Min() {
		all = append(all, types.Range(lo-1, hi))
	}
	if hi < w.Max() {
		all = append(all, types.Range(lo, hi+1))
	}
	return all
}

// within tells whether range a is part of range b.
func within(a, b types.Type) bool {
	al, ah := a.Bounds()
	bl, bh := b.Bounds()
	return bl <= al && ah <= bh
}

// operandsOf are what the operands of op may be: those that it does not have, or that are
// a number of bits, only constants.
func operandsOf[T any](op node.Op, w types.Width, all []T, constant func(int64) T) [3][]T {
	var of [3][]T
	arity := op.Info().Arity - 1
	for i := range of {
		of[i] = all
		if i >= arity {
			of[i] = []T{constant(0)}
		}
	}
	if op.Info().Aux == node.AuxBits {
		of[arity] = nil
		for k := range int64(w) {
			of[arity] = append(of[arity], constant(1+k))
		}
	}
	return of
}

// TestRanges tries every function of ranges on all operands: no result may lie outside,
// and a wider operand must not give a narrower range, or the optimistic analysis would go
// round for ever.
func TestRanges(t *testing.T) {
	for op, f := range ranges {
		op := node.Op(op)
		if f == nil {
			continue
		}
		w := testWidth
		if op == node.OpSelect {
			w = 3 // there are three operands
		}
		of := operandsOf(op, w, intervals(w), types.Const)
		for _, a := range of[0] {
			for _, b := range of[1] {
				for _, c := range of[2] {
					if err := rangeFault(op, f, w, a, b, c); err != "" {
						t.Fatalf("%v of %v, %v, %v: %s", op, a, b, c, err)
					}
				}
			}
		}
	}
}

func rangeFault(op node.Op, f rangeFunc, w types.Width, a, b, c types.Type) string {
	r := f(w, a, b, c)
	if !within(r, whole(w)) {
		return r.String() + " is wider than the words"
	}
	al, ah := a.Bounds()
	bl, bh := b.Bounds()
	cl, ch := c.Bounds()
	for x := al; x <= ah; x++ {
		for y := bl; y <= bh; y++ {
			for z := cl; z <= ch; z++ {
				if v := node.Ops[op].Eval(w, x, y, z); !r.Contains(v) {
					return types.Const(v).String() + " is not in " + r.String()
				}
			}
		}
	}
	isBits := op.Info().Aux == node.AuxBits
	for _, a2 := range wider(w, a) {
		if r2 := f(w, a2, b, c); !within(r, r2) {
			return "not monotone in the first operand: " + r.String() + " becomes " + r2.String()
		}
	}
	for _, b2 := range wider(w, b) {
		if r2 := f(w, a, b2, c); !isBits && !within(r, r2) {
			return "not monotone in the second operand: " + r.String() + " becomes " + r2.String()
		}
	}
	for _, c2 := range wider(w, c) {
		if r2 := f(w, a, b, c2); !within(r, r2) {
			return "not monotone in the third operand: " + r.String() + " becomes " + r2.String()
		}
	}
	return ""
}

// TestWideRanges tries the same functions at the width of the language, where ends
// overflow 64 bits, on members of special and random ranges.
func TestWideRanges(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	special := specialValues(64)
	some := func() int64 {
		if rng.Intn(3) > 0 {
			return special[rng.Intn(len(special))]
		}
		return int64(rng.Uint64()) >> rng.Intn(64)
	}
	rangeOf := func() (r types.Type, member int64) {
		x, y := some(), some()
		x, y = min(x, y), max(x, y)
		switch rng.Intn(3) {
		case 0:
			member = x
		case 1:
			member = y
		default:
			member = min(y, x+int64(rng.Uint64()%(uint64(y)-uint64(x)|1)))
		}
		return types.Range(x, y), member
	}
	for op := range ranges {
		op := node.Op(op)
		if ranges[op] == nil {
			continue
		}
		for range 50_000 {
			a, x := rangeOf()
			b, y := rangeOf()
			c, z := rangeOf()
			if i := op.Info().Arity - 1; op.Info().Aux == node.AuxBits {
				k := 1 + rng.Int63n(64)
				if i == 1 {
					b, y = types.Const(k), k
				}
			}
			r := transfer(op, 64, newFact(64, a, knownBits{}), newFact(64, b, knownBits{}), newFact(64, c, knownBits{}))
			v := node.Ops[op].Eval(64, x, y, z)
			if !r.t.Contains(v) || !r.bits.admits(v) {
				t.Fatalf("%v of %v, %v, %v: %d, from %d, %d, %d, is not in %v with bits %x", op, a, b, c, v, x, y, z, r.t, r.bits)
			}
		}
	}
}

// Functions that look right and are not. The test above is worth something if it finds out.
func TestRangesFindErrors(t *testing.T) {
	wrong := []struct {
		name string
		op   node.Op
		f    rangeFunc
	}{
		{"a sum wraps at one end only", node.OpAdd, func(w types.Width, a, b, _ types.Type) types.Type {
			al, ah := a.Bounds()
			bl, bh := b.Bounds()
			lo, hi := w.Wrap(al+bl), w.Wrap(ah+bh)
			return types.Range(min(lo, hi), max(lo, hi))
		}},
		{"the quotient by 0 is forgotten", node.OpDiv, func(w types.Width, a, b, _ types.Type) types.Type {
			al, ah := a.Bounds()
			bl, bh := b.Bounds()
			if al < 0 || bl < 0 || bh < 1 {
				return whole(w)
			}
			return types.Range(al/bh, ah)
		}},
		{"the remainder by 0 is forgotten", node.OpRem, func(w types.Width, a, b, _ types.Type) types.Type {
			_, bh := b.Bounds()
			if bh < 1 {
				return whole(w)
			}
			return types.Range(-(bh - 1), bh-1)
		}},
		{"an unsigned comparison by signed ends", node.OpULT, func(_ types.Width, a, b, _ types.Type) types.Type { return lessRange(a, b, 0) }},
		{"a mask that may be negative", node.OpAnd, func(_ types.Width, a, _, _ types.Type) types.Type {
			_, ah := a.Bounds()
			return types.Range(0, max(ah, 0))
		}},
		{"a constant shift is better known than a longer one, but not monotone", node.OpShr, func(w types.Width, a, b, _ types.Type) types.Type {
			if b.IsConst() {
				return whole(w)
			}
			return shrRange(w, a, b)
		}},
		{"|MIN| is forgotten", node.OpAbs, func(w types.Width, _, _, _ types.Type) types.Type { return types.Range(0, w.Max()) }},
	}
	for _, tt := range wrong {
		found := false
		of := operandsOf(tt.op, testWidth, intervals(testWidth), types.Const)
		for _, a := range of[0] {
			for _, b := range of[1] {
				found = found || rangeFault(tt.op, tt.f, testWidth, a, b, of[2][0]) != ""
			}
		}
		if !found {
			t.Errorf("%s: not found out", tt.name)
		}
	}
}
