package peephole

import (
	"slices"

	"shoal/node"
	"shoal/node/types"
)

// Objects takes memory out of the program where values do (optimizations §B.10 to §B.12):
// Loads become what was stored, across joins and loops; Stores that nobody will read go; and
// with them the objects of which nothing else is known than their fields.
func (e *Engine) Objects() {
	if !e.wholeFunctions() {
		return
	}
	for range maxObjectsRounds {
		if !e.replaceAccesses() {
			return
		}
		e.Run()
	}
}

// maxObjectsRounds is how often Objects starts again: an object may be reached only through
// a field of another one that has just become a value.
const maxObjectsRounds = 4

func (e *Engine) replaceAccesses() (changed bool) {
	f := &forwarder{e: e, private: make([]bool, e.g.NumIDs()), made: map[cell]*node.Node{}}
	var loads, stores, news []*node.Node
	for id := 1; id < len(f.private); id++ {
		switch n := e.g.At(node.ID(id)); n.Op {
		case node.OpLoad:
			loads = append(loads, n)
		case node.OpStore:
			stores = append(stores, n)
		case node.OpNew:
			news = append(news, n)
			f.private[id] = isPrivate(n)
		}
	}
	for _, n := range loads {
		changed = !n.Dead() && f.forward(n) || changed
	}
	for _, n := range news {
		changed = !n.Dead() && f.private[n.ID] && f.decideTests(n) || changed
	}
	for _, n := range stores {
		changed = !n.Dead() && f.dropStore(n) || changed
	}
	f.release()
	return changed
}

// isPrivate tells whether the reference to a new object goes nowhere: it is loaded from,
// stored to, tested and compared.
func isPrivate(ref *node.Node) bool {
	for _, u := range ref.Uses() {
		switch n := u.User; n.Op {
		case node.OpLoad, node.OpNot, node.OpEQ, node.OpIf:
		case node.OpStore:
			if u.Index != 2 {
				return false
			}
		case node.OpCast, node.OpReadOnly:
			if !isPrivate(n) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// decideTests: a private object is no other one.
func (f *forwarder) decideTests(ref *node.Node) (changed bool) {
	e := f.e
	for i := ref.NumOut() - 1; i >= 0 && !ref.Dead(); i-- {
		if i >= ref.NumOut() {
			continue
		}
		switch n := ref.Out(i).User; n.Op {
		case node.OpEQ:
			same := node.Object(n.In(1)) == node.Object(n.In(2))
			r := e.constant(types.Zero, n.Pos)
			if same {
				r = e.constant(types.One, n.Pos)
			}
			e.rewrote(n, r, "scalar")
			e.g.Replace(n, r)
			changed = true
		case node.OpCast, node.OpReadOnly:
			changed = f.decideTests(n) || changed
		}
	}
	return changed
}

// dropStore replaces a Store that nobody will read by the state before it.
func (f *forwarder) dropStore(store *node.Node) bool {
	if !f.unread(store) {
		return false
	}
	f.e.rewrote(store, store.In(1), "dead-store")
	f.e.g.Replace(store, store.In(1))
	return true
}

// A later is a state of memory that a Store's comes to be part of.
type later struct {
	state  *node.Node
	looped bool // a loop was gone around: what a node stands for may have changed
}

// maxUnread bounds how many states a Store's is followed into: those that overwrite it, or
// the end, are near.
const maxUnread = 24

// unread tells whether no Load reads what a Store put where it did: everywhere behind it
// other Stores come first, or the end.
func (f *forwarder) unread(store *node.Node) bool {
	at := addressOf(store)
	reached := append(f.reached[:0], later{store, false})
	defer func() { f.reached = reached }()
	for k := 0; k < len(reached); k++ {
		for _, u := range reached[k].state.Uses() {
			next, fine := f.passes(store, at, reached[k], u)
			switch {
			case !fine || len(reached) == maxUnread:
				return false
			case next.state != nil && !slices.Contains(reached, next):
				reached = append(reached, next)
			}
		}
	}
	return true
}

// passes tells whether a use of a state does not read what a Store put into it, and which
// state it makes in which that may still be.
func (f *forwarder) passes(store *node.Node, at address, l later, u node.Use) (next later, fine bool) {
	n := u.User
	switch n.Op {
	case node.OpLoad:
		return later{}, f.apartLater(at, addressOf(n), l.looped)
	case node.OpStore:
		if u.Index != 1 {
			return later{}, false
		}
		if to := addressOf(n); to == at && !l.looped && n != store {
			return later{}, true
		}
		return later{n, l.looped}, true
	case node.OpPhi:
		return later{n, l.looped || n.In(0).Op != node.OpRegion}, true
	case node.OpReturn:
		return later{}, f.isPrivate(at.ref)
	}
	return later{}, false
}

// apartLater tells whether a Load cannot be from where something was stored, perhaps on an
// earlier trip around a loop. Then only offsets, whatever they stand for, and references
// that go nowhere can tell.
func (f *forwarder) apartLater(at, from address, looped bool) bool {
	switch {
	case at.ref != from.ref && (f.isPrivate(at.ref) || f.isPrivate(from.ref)):
		return true
	case looped:
		return rangesApart(at.offset, from.offset)
	}
	return f.e.differs(at, from)
}

func rangesApart(a, b *node.Node) bool {
	lo, hi := a.Type.Bounds()
	lo2, hi2 := b.Type.Bounds()
	return max(lo, lo2) > min(hi, hi2)
}
