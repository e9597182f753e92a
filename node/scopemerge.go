package node

import (
	"cmp"
	"slices"

	"shoal/source"
)

// A difference is a slot in which two scopes may differ, and where the other one has it.
type difference struct {
	slot int
	in   *version
	k    int
}

// Merge joins two paths: into continues after both, with a new Region for its control and
// a Phi for each variable whose value depends on the path. That is freed. The caller
// still has to peephole the Region, which is held until then, and releases it.
func (sc *Scopes) Merge(into, that *Scope, at source.Pos) *Node {
	sc.g.event(Event{Kind: Merged, Node: that.Node, With: into.Node})
	r := sc.g.Hold(sc.Make(OpRegion, at, nil, nil, into.Ctrl(), that.Ctrl()))
	sc.makeCurrent(into)
	for _, d := range sc.differences(into, that) {
		stamp := d.in.stamps[d.k]
		theirs := sc.g.Hold(sc.upToDate(d.slot, d.in.node.In(d.k), stamp))
		ours := sc.Get(into, d.slot)
		if ours != theirs {
			phi := sc.phi(d.slot, r, at, ours, theirs)
			sc.write(into, d.slot, phi)
		}
		sc.g.Drop(theirs)
	}
	sc.SetCtrl(into, r)
	sc.Drop(that)
	return r
}

func (sc *Scopes) phi(slot int, region *Node, at source.Pos, a, b *Node) *Node {
	sc.in = [3]*Node{region, a, b}
	return sc.Make(OpPhi, at, sc.symbol(slot), sc.in[:]...)
}

// differences are the slots in which that may differ from into, the current scope, in
// order. They are good until the next call.
func (sc *Scopes) differences(into, that *Scope) []difference {
	for v := that.version; v != sc.root; v = v.base {
		sc.absorb(v)
	}
	sc.diffs = sc.diffs[:0]
	sc.mark++
	for v := that.version; v != sc.root; v = v.base {
		for k, slot := range v.slots {
			if (isClass(int(slot)) || int(slot) < min(into.slots(), that.slots())) && sc.marks[slot] != sc.mark {
				sc.marks[slot] = sc.mark
				sc.diffs = append(sc.diffs, difference{int(slot), v, k})
			}
		}
	}
	slices.SortFunc(sc.diffs, func(a, b difference) int { return cmp.Compare(a.slot, b.slot) })
	return sc.diffs
}

// upToDate is a stored value as the current loop sees it.
func (sc *Scopes) upToDate(slot int, v *Node, stamp int32) *Node {
	if sc.fresh(stamp) {
		return v
	}
	return sc.resolve(slot, v, stamp)
}

// fresh tells whether a value with this stamp was written since the current loop began.
func (sc *Scopes) fresh(stamp int32) bool {
	return len(sc.loops) == 0 || stamp >= sc.loops[len(sc.loops)-1].serial
}

// BeginLoop starts a loop at region, whose back edge is still empty. From now on scopes
// see the loop's Phis. With eager set every variable of s gets its Phi at once
// (chapters §7.6).
func (sc *Scopes) BeginLoop(s *Scope, region *Node, eager bool) {
	sc.time++
	l := &loopHead{depth: len(sc.loops) + 1, serial: sc.time, region: region, head: sc.Dup(s, "head")}
	sc.loops = append(sc.loops, l)
	s.loops, l.head.loops = l.depth, l.depth
	if !eager {
		return
	}
	for i := 1; i < s.count; i++ {
		sc.Get(s, 2*i)
	}
}

// resolve is the Phi at the innermost loop for a variable whose value v is older than
// that loop. It makes the Phis at all loops between, outermost first.
func (sc *Scopes) resolve(slot int, v *Node, stamp int32) *Node {
	first := len(sc.loops)
	for first > 0 && sc.loops[first-1].serial > stamp {
		first--
		if top := sc.tops[slot]; top != nil && top.loop == sc.loops[first] {
			v = top.phi
			first++
			break
		}
	}
	for _, l := range sc.loops[first:] {
		phi := sc.phi(slot, l.region, l.region.Pos, v, nil)
		rec := &loopPhi{slot: slot, loop: l, phi: sc.g.Hold(phi), outer: sc.tops[slot]}
		sc.tops[slot] = rec
		l.phis = append(l.phis, rec)
		v = phi
	}
	return v
}

// EndLoop closes the innermost loop: back is the scope at the end of its body, exit the
// one that goes on behind it. It plugs the back edge and the second inputs of the Phis,
// frees back, and returns the Phis, held and in order of their variables, for the caller
// to peephole and drop.
func (sc *Scopes) EndLoop(back, exit *Scope) []*Node {
	l := sc.loops[len(sc.loops)-1]
	slices.SortFunc(l.phis, func(a, b *loopPhi) int { return cmp.Compare(a.slot, b.slot) })
	sc.g.SetIn(l.region, 2, back.Ctrl())
	phis := make([]*Node, len(l.phis))
	for i, rec := range l.phis {
		phis[i] = rec.phi
		sc.g.SetIn(rec.phi, 2, sc.Get(back, rec.slot))
	}
	sc.Drop(back)
	for _, rec := range l.phis {
		if isClass(rec.slot) || rec.slot < exit.slots() {
			sc.Get(exit, rec.slot)
		}
	}
	for _, rec := range l.phis {
		sc.tops[rec.slot] = rec.outer
	}
	sc.loops = sc.loops[:len(sc.loops)-1]
	exit.loops = len(sc.loops)
	sc.Drop(l.head)
	return phis
}
