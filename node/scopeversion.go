package node

import "shoal/source"

// A version is what the slots of one or more scopes contain. The root has an input for
// each slot; another one only for those in which it differs from its base. The bases of
// all lead to the root.
//
// To make another version the root is to turn around the differences on the way to it
// (H. Baker, "Shallow binding makes functional arrays fast", SIGPLAN Notices 26(8), 1991).
//
// A version whose scopes see fewer names than those of the others does not record what
// the others write beyond, so a jump out of a block costs nothing for the block's names.
type version struct {
	id     int32 // of its time as child of the root: Scopes.saved names it
	own    int   // its scopes do not care for the slots from here on
	count  int   // nor does what is based on it for those from here on
	owners int   // scopes that are this version
	refs   int   // owners, and versions based on this one
	base   *version
	node   *Node
	slots  []int32  // of each input, but for the root
	stamps []int32  // likewise
	child  *version // of the root: one that is based on it, and saved is up to date for it
}

func (sc *Scopes) newVersion() *version {
	if n := len(sc.spare); n > 0 {
		v := sc.spare[n-1]
		sc.spare = sc.spare[:n-1]
		return v
	}
	return &version{node: sc.g.Hold(sc.g.Prepare(OpScope, source.NoPos))}
}

// free keeps v, which nobody refers to any more, for another use.
func (sc *Scopes) free(v *version) {
	sc.g.DelLastIn(v.node, 0)
	*v = version{node: v.node, slots: v.slots[:0], stamps: v.stamps[:0]}
	sc.spare = append(sc.spare, v)
}

// limit is the number of slots that v, or what is based on it, may still ask for.
func (v *version) limit() int {
	if v.refs == v.owners {
		return v.own
	}
	return max(v.own, v.count)
}

// wants tells whether v, or what is based on it, may still ask for a slot.
func (v *version) wants(slot int) bool { return isClass(slot) || slot < v.limit() }

// adopt makes v, which is based on the root, its child.
func (sc *Scopes) adopt(v *version) {
	sc.ids++
	v.id = sc.ids
	for _, slot := range v.slots {
		sc.saved[slot] = v.id
	}
	sc.root.child = v
}

// unref takes one reference from v, and frees what has none left but for the root.
func (sc *Scopes) unref(v *version) {
	for v != nil {
		v.refs--
		if v.refs > 0 || v == sc.root {
			return
		}
		base := v.base
		if base.child == v {
			base.child = nil
		}
		sc.free(v)
		v = base
	}
}

// write stores a value in a slot of s, which is current.
func (sc *Scopes) write(s *Scope, slot int, value *Node) {
	r := sc.root
	based := r.refs - r.owners
	if r.owners > 1 || based > 1 || based == 1 && r.child == nil {
		r = sc.split(s)
	}
	if c := r.child; c != nil && c.wants(slot) && sc.saved[slot] != c.id {
		sc.saved[slot] = c.id
		sc.record(c, slot, r.node.In(slot), sc.stamps[slot])
	}
	sc.stamps[slot] = sc.time // before what SetIn kills is reported: who listens sees no mix
	sc.g.SetIn(r.node, slot, value)
	r.own = max(r.own, s.slots())
}

func (sc *Scopes) record(v *version, slot int, value *Node, stamp int32) {
	sc.g.AddIn(v.node, value)
	v.slots = append(v.slots, int32(slot))
	v.stamps = append(v.stamps, stamp)
}

// split gives s, which is current, a root of its own. The old root stays behind as what
// the others share, ready to record in what s departs from it.
func (sc *Scopes) split(s *Scope) *version {
	old := sc.root
	fresh := sc.newVersion()
	fresh.node, old.node = old.node, fresh.node
	fresh.own, fresh.count, fresh.owners, fresh.refs = s.slots(), old.limit(), 1, 2
	old.base, old.child = fresh, nil
	old.owners--
	old.refs--
	s.version, sc.root = fresh, fresh
	sc.adopt(old)
	return fresh
}

// detach gives s, which shares its version, one of its own that does not differ from it.
func (sc *Scopes) detach(s *Scope) {
	base := s.version
	v := sc.newVersion()
	v.own, v.owners, v.refs, v.base = s.slots(), 1, 1, base
	s.version = v
	base.owners-- // the reference is now that of v
	base.count = max(base.count, s.slots())
	if base == sc.root && base.child == nil {
		sc.adopt(v)
	}
}

// makeCurrent turns the differences between s and the root around, so that the version of
// s is the root.
func (sc *Scopes) makeCurrent(s *Scope) {
	if s.version == sc.root {
		return
	}
	sc.path = sc.path[:0]
	for v := s.version; v != sc.root; v = v.base {
		sc.absorb(v)
		sc.path = append(sc.path, v)
	}
	for i := len(sc.path) - 1; i >= 0; i-- {
		sc.reroot(sc.path[i])
	}
}

// absorb takes over the bases of v that nobody else needs.
func (sc *Scopes) absorb(v *version) {
	marked := false
	for b := v.base; b != sc.root && b.owners == 0 && b.refs == 1; b = v.base {
		if !marked {
			marked = true
			sc.mark++
			for _, slot := range v.slots {
				sc.marks[slot] = sc.mark
			}
		}
		for k, slot := range b.slots {
			if sc.marks[slot] != sc.mark && v.wants(int(slot)) {
				sc.marks[slot] = sc.mark
				sc.record(v, int(slot), b.node.In(k), b.stamps[k])
			}
		}
		v.base = b.base
		if v.base.child == b {
			v.base.child = nil
		}
		sc.free(b)
	}
	if marked && v.base == sc.root && sc.root.child == nil {
		sc.adopt(v)
	}
}

// reroot makes v the root; its base is the root.
func (sc *Scopes) reroot(v *version) {
	old := sc.root
	for k, slot := range v.slots {
		sc.g.swapIn(v.node, k, old.node, int(slot))
		v.stamps[k], sc.stamps[slot] = sc.stamps[slot], v.stamps[k]
	}
	v.node, old.node = old.node, v.node
	v.slots, old.slots = old.slots[:0], v.slots
	v.stamps, old.stamps = old.stamps[:0], v.stamps
	v.base, old.base = nil, v
	v.child, old.child = nil, nil
	old.refs--
	v.count = max(v.count, old.limit())
	v.refs++
	sc.root = v
	if old.refs == 0 {
		v.refs--
		sc.free(old)
		return
	}
	sc.adopt(old)
}

// swapIn exchanges input i of a with input j of b; no use is lost on the way.
func (g *Graph) swapIn(a *Node, i int, b *Node, j int) {
	a.in[i], b.in[j] = b.in[j], a.in[i]
	if e := a.in[i]; e.def != nil {
		e.def.out[e.at] = Use{a, int32(i)}
	}
	if e := b.in[j]; e.def != nil {
		e.def.out[e.at] = Use{b, int32(j)}
	}
}
