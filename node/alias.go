package node

// An Above tells whether control passes n on every way to ctrl, or is it. It may give up
// and say no.
type Above func(n, ctrl *Node) bool

// maxAgeDepth bounds how deeply Older looks into what a reference was loaded from.
const maxAgeDepth = 4

// Object is the reference itself, without what is only known of it.
func Object(ref *Node) *Node {
	for ref.Op == OpCast || ref.Op == OpReadOnly {
		ref = ref.In(1)
	}
	return ref
}

// Disjoint tells whether two accesses to memory, Loads or Stores, are surely to two places.
// A Load that was made to skip a Store because they are is checked by the same question
// once it is scheduled, so it must not be asked in another way elsewhere.
func Disjoint(a, b *Node, above Above) bool {
	return a.Sym.Field != b.Sym.Field || Apart(a.In(2), a.In(3), b.In(2), b.In(3), above)
}

// Apart tells whether two addresses of one field, reference and offset, are surely two
// places: the object of one was made after the reference to the other was there, or the
// offsets differ, whatever the objects are.
func Apart(ref, offset, ref2, offset2 *Node, above Above) bool {
	p, q := Object(ref), Object(ref2)
	if p != q && (p.Op == OpNew && Older(q, p, above) || q.Op == OpNew && Older(p, q, above)) {
		return true
	}
	s, t := offset.Type, offset2.Type
	if offset == offset2 || !s.IsInt() || !t.IsInt() {
		return false
	}
	lo, hi := s.Bounds()
	lo2, hi2 := t.Bounds()
	return max(lo, lo2) > min(hi, hi2)
}

// Older tells whether the reference x, or the state of memory x, was there before the New
// p ran.
func Older(x, p *Node, above Above) bool { return older(x, p, above, maxAgeDepth) }

func older(x, p *Node, above Above, depth int) bool {
	if depth == 0 {
		return false
	}
	x = Object(x)
	switch x.Op {
	case OpNew:
		return x != p
	case OpConstant, OpProj:
		return true
	case OpPhi:
		return x.In(0).IsRegion() && above(x.In(0), p.In(0))
	case OpLoad:
		return x.In(1) != nil && older(x.In(1), p, above, depth-1)
	case OpStore:
		return older(x.In(4), p, above, depth-1) && older(x.In(1), p, above, depth-1)
	}
	return false
}
