package node

// Disjoint tells whether two accesses to memory, Loads or Stores, surely touch no byte in
// common: they are about different fields, or about two objects of which each was made by
// its own New, or about offsets that are too far apart, whatever the objects are. A Load
// that was made to skip a Store because they are disjoint is scheduled by the same
// question, so it must not be asked elsewhere in another way.
func Disjoint(a, b *Node) bool {
	if a.Sym.Field != b.Sym.Field {
		return true
	}
	if p, q := madeBy(a.In(accessRef)), madeBy(b.In(accessRef)); p != nil && q != nil && p != q {
		return true
	}
	s, t := a.In(accessOffset).Type, b.In(accessOffset).Type
	if !s.IsInt() || !t.IsInt() {
		return false
	}
	size := a.Sym.Field.Storage.Size()
	aLo, aHi := s.Bounds()
	bLo, bHi := t.Bounds()
	return below(aLo, aHi, bLo, size) || below(bLo, bHi, aLo, size)
}

// The inputs of Load and Store.
const (
	accessRef    = 2
	accessOffset = 3
)

// below tells whether size bytes at any offset from lo to hi end before the offset next.
func below(lo, hi, next, size int64) bool { return lo <= hi && hi <= next-size && next-size < next }

// madeBy is the New that n is the reference of, nil if n is something else.
func madeBy(n *Node) *Node {
	for n.Op == OpCast || n.Op == OpReadOnly {
		n = n.In(1)
	}
	if n.Op == OpNew {
		return n
	}
	return nil
}
