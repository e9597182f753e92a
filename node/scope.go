package node

import (
	"slices"

	"shoal/source"
)

// MemorySlot is the slot of a scope that holds the state of memory; variables follow.
const MemorySlot = 0

// A Var is a slot of the scopes: what it is called and how deeply its block is nested.
type Var struct {
	Sym   *Symbol
	Level int // 0 for what is there before the program starts
}

// Scopes is the symbol table of a function being parsed: the names in sight, and the
// Scope of every path that the parser has still to follow or to merge.
//
// Duplicating a scope is O(1) and merging two costs what differs between them: all scopes
// share one array of values, and a scope that is not the current one records where it
// differs. (H. Baker, "Shallow binding makes functional arrays fast", SIGPLAN Notices
// 26(8), 1991: to make another scope the current one is to turn the differences around.)
// The array and the differences are the inputs of nodes, so a value in scope is alive and
// follows when it is replaced.
//
// A loop does not touch its variables when it begins. Each value is stamped with the time
// of its writing, counted in loops begun; one that is older than the current loop stands
// for a Phi at the loop's head, and at those of all loops in between, which the first
// access makes (the sentinels of chapters §8.6).
type Scopes struct {
	g *Graph
	// Make makes Regions and Phis; the parser lets the peephole engine do it. A Region must
	// come back as it was asked for: it is looked at when its Phis are there.
	Make func(op Op, at source.Pos, sym *Symbol, in ...*Node) *Node

	vars   []Var    // all names in sight, innermost last
	starts []int    // number of names before each nesting level
	live   []*Scope // for dumps: what is being followed or waits, oldest first

	root   *version
	stamps []int32 // of each slot of the root: when it was written
	saved  []int32 // of each slot: id of the version that recorded it last
	marks  []int32 // of each slot: scratch for absorb and differences
	mark   int32
	ids    int32

	loops []*loopHead
	time  int32
	tops  []*loopPhi // of each slot: the innermost open loop's Phi
}

// A Scope is the state of the parse at one point: current control, memory, and a value
// for every variable in sight.
type Scope struct {
	Node    *Node // of OpScope: its input is the control
	version *version
	count   int // slots in sight
	loops   int // how many of the open loops it is in
	Label   string
}

// A version is what the slots of a scope contain: the root has an input for each slot,
// another one only for those in which it differs from its base.
type version struct {
	id     int32 // of its time as child of the root
	count  int   // neither it nor what is based on it cares for the slots from here on
	owners int   // scopes that are this version
	refs   int   // owners, and versions based on this one
	base   *version
	node   *Node
	slots  []int32  // of each input, but for the root
	stamps []int32  // likewise
	child  *version // of the root: the one version based on it, if all changes go there
}

type loopHead struct {
	depth  int // 1 for the outermost
	serial int32
	region *Node
	head   *Scope
	phis   []*loopPhi
}

type loopPhi struct {
	slot  int
	loop  *loopHead
	phi   *Node
	outer *loopPhi
}

// NewScopes makes the table with one scope that has no names yet, and that scope.
func NewScopes(g *Graph, ctrl, mem *Node) (*Scopes, *Scope) {
	sc := &Scopes{g: g, Make: g.NewNamed, starts: []int{0}}
	sc.root = sc.newVersion(g.Prepare(OpScope, source.NoPos))
	s := sc.newScope(sc.root, ctrl, "")
	sc.Define(s, &Symbol{Name: "$mem"}, mem)
	return sc, s
}

func (sc *Scopes) newVersion(n *Node) *version {
	sc.ids++
	sc.g.Hold(n)
	return &version{id: sc.ids, node: n}
}

func (sc *Scopes) newScope(v *version, ctrl *Node, label string) *Scope {
	s := &Scope{Node: sc.g.Prepare(OpScope, source.NoPos, ctrl), version: v, count: v.count, Label: label}
	sc.g.Hold(s.Node)
	v.owners++
	v.refs++
	sc.live = append(sc.live, s)
	return s
}

// Live are the scopes that exist, oldest first; dumps draw them all.
func (sc *Scopes) Live() []*Scope { return sc.live }

// Vars are the names that s can see, outermost first.
func (sc *Scopes) Vars(s *Scope) []Var { return sc.vars[:s.count] }

// AllVars are the names that the parser can see, outermost first.
func (sc *Scopes) AllVars() []Var { return sc.vars }

// Count is the number of names in sight of s.
func (s *Scope) Count() int { return s.count }

// Ctrl is the current control of s.
func (s *Scope) Ctrl() *Node { return s.Node.In(0) }

// SetCtrl makes n the current control of s.
func (sc *Scopes) SetCtrl(s *Scope, n *Node) { sc.g.SetIn(s.Node, 0, n) }

// Push opens a nesting level.
func (sc *Scopes) Push() { sc.starts = append(sc.starts, len(sc.vars)) }

// Pop closes the innermost nesting level: s forgets its names, and values that nobody
// else uses are gone.
func (sc *Scopes) Pop(s *Scope) {
	start := sc.starts[len(sc.starts)-1]
	sc.starts = sc.starts[:len(sc.starts)-1]
	sc.Truncate(s, start)
	sc.vars = sc.vars[:start]
}

// Level is the current nesting level, from 0.
func (sc *Scopes) Level() int { return len(sc.starts) - 1 }

// Count is the number of names in sight.
func (sc *Scopes) Count() int { return len(sc.vars) }

// SlotsBelow is the number of names outside of the given nesting level.
func (sc *Scopes) SlotsBelow(level int) int { return sc.starts[level] }

// Truncate makes s forget all but its first count slots.
func (sc *Scopes) Truncate(s *Scope, count int) {
	if s.count <= count {
		return
	}
	sc.makeCurrent(s)
	for i := s.count - 1; i >= count; i-- {
		sc.write(s, i, nil)
	}
	s.count = count
	if v := s.version; v.refs == v.owners && v.owners == 1 {
		v.count = count
	}
}

// Define adds a variable to the innermost level and returns its slot.
func (sc *Scopes) Define(s *Scope, sym *Symbol, value *Node) int {
	slot := len(sc.vars)
	sc.vars = append(sc.vars, Var{sym, sc.Level()})
	for len(sc.stamps) <= slot {
		sc.stamps = append(sc.stamps, 0)
		sc.saved = append(sc.saved, 0)
		sc.marks = append(sc.marks, 0)
		sc.tops = append(sc.tops, nil)
	}
	sc.makeCurrent(s)
	s.count = slot + 1
	for sc.root.node.NumIn() <= slot {
		sc.g.AddIn(sc.root.node, nil)
	}
	sc.write(s, slot, value)
	s.version.count = max(s.version.count, s.count)
	return slot
}

// Get is the value of a variable in s; inside a loop that has not met the variable yet
// this makes its Phi.
func (sc *Scopes) Get(s *Scope, slot int) *Node {
	sc.makeCurrent(s)
	v, stamp := sc.root.node.In(slot), sc.stamps[slot]
	if sc.fresh(stamp) {
		return v
	}
	v = sc.resolve(slot, v, stamp)
	sc.write(s, slot, v)
	return v
}

// Peek is the value of a slot in s as it stands, without making Phis.
func (sc *Scopes) Peek(s *Scope, slot int) *Node {
	v, _ := sc.find(s.version, slot)
	return v
}

// Set changes the value of a variable in s.
func (sc *Scopes) Set(s *Scope, slot int, value *Node) {
	sc.g.Hold(value)
	sc.Get(s, slot) // a loop that writes a variable has a Phi for it
	sc.g.Release(value)
	sc.write(s, slot, value)
}

// Dup makes another scope with the same names and the same values as s.
func (sc *Scopes) Dup(s *Scope, label string) *Scope {
	d := sc.newScope(s.version, s.Ctrl(), label)
	d.count, d.loops = s.count, s.loops
	sc.g.event(Event{Kind: Duplicated, Node: s.Node, With: d.Node})
	return d
}

// Drop frees s.
func (sc *Scopes) Drop(s *Scope) {
	sc.live = slices.DeleteFunc(sc.live, func(l *Scope) bool { return l == s })
	v := s.version
	s.version = nil
	v.owners--
	sc.unref(v)
	sc.g.Drop(s.Node)
}

// Close frees what is left of the table when all scopes are gone.
func (sc *Scopes) Close() {
	sc.g.Drop(sc.root.node)
	sc.root = nil
}

func (sc *Scopes) unref(v *version) {
	for v != nil {
		v.refs--
		if v.refs > 0 || v == sc.root {
			return
		}
		sc.g.Drop(v.node)
		v, v.base, v.node = v.base, nil, nil
	}
}

// write stores a value in a slot of s, which is current.
func (sc *Scopes) write(s *Scope, slot int, value *Node) {
	r := sc.root
	if only := r.child == nil && r.refs == 1 || r.child != nil && r.refs == 2 && r.owners == 1; !only {
		r = sc.split(s)
	}
	if c := r.child; c != nil && slot < c.count && sc.saved[slot] != c.id {
		sc.saved[slot] = c.id
		sc.record(c, slot, r.node.In(slot), sc.stamps[slot])
	}
	sc.stamps[slot] = sc.time // before what SetIn kills is reported: who listens sees no mix
	sc.g.SetIn(r.node, slot, value)
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
	fresh := sc.newVersion(sc.g.Prepare(OpScope, source.NoPos))
	fresh.node, old.node = old.node, fresh.node
	fresh.count, fresh.owners, fresh.refs, fresh.child = max(s.count, old.count), 1, 2, old
	old.base, old.child = fresh, nil
	sc.ids++
	old.id = sc.ids // what it had recorded before, it gave away when it became the root
	old.owners--
	old.refs--
	s.version, sc.root = fresh, fresh
	return fresh
}

// makeCurrent turns the differences between s and the root around, so that the version of
// s is the root.
func (sc *Scopes) makeCurrent(s *Scope) {
	if s.version == sc.root {
		return
	}
	var path []*version
	for v := s.version; v != sc.root; v = v.base {
		sc.absorb(v)
		path = append(path, v)
	}
	for i := len(path) - 1; i >= 0; i-- {
		sc.reroot(path[i])
	}
}

// absorb takes over the bases of v that nobody else needs.
func (sc *Scopes) absorb(v *version) {
	for b := v.base; b != sc.root && b.owners == 0 && b.refs == 1; b = v.base {
		sc.mark++
		for _, slot := range v.slots {
			sc.marks[slot] = sc.mark
		}
		for k, slot := range b.slots {
			if sc.marks[slot] != sc.mark && int(slot) < v.count {
				sc.record(v, int(slot), b.node.In(k), b.stamps[k])
			}
		}
		v.base = b.base
		b.base = nil
		sc.g.Drop(b.node)
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
	v.slots, old.slots = nil, v.slots
	v.stamps, old.stamps = nil, v.stamps
	v.base, old.base = nil, v
	v.child, old.child = nil, nil
	v.count = max(v.count, old.count)
	v.refs++
	sc.root = v
	sc.unref(old)
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

// find is the value of a slot in a version, and its stamp.
func (sc *Scopes) find(v *version, slot int) (*Node, int32) {
	for ; v != sc.root; v = v.base {
		if k := slices.Index(v.slots, int32(slot)); k >= 0 {
			return v.node.In(k), v.stamps[k]
		}
	}
	return v.node.In(slot), sc.stamps[slot]
}

// Bindings are the values of all slots of s as they stand; where a loop has a Phi for a
// variable that s did not touch since, the Phi. For dumps; O(names).
func (sc *Scopes) Bindings(s *Scope) []*Node {
	values := make([]*Node, s.count)
	stamps := make([]int32, s.count)
	var path []*version
	v := s.version
	for ; v != sc.root; v = v.base {
		path = append(path, v)
	}
	for i := range values {
		values[i], stamps[i] = v.node.In(i), sc.stamps[i]
	}
	for _, v := range slices.Backward(path) {
		for k, slot := range v.slots {
			if int(slot) < s.count {
				values[slot], stamps[slot] = v.node.In(k), v.stamps[k]
			}
		}
	}
	for i := range values {
		top := sc.tops[i]
		for top != nil && top.loop.depth > s.loops {
			top = top.outer
		}
		if top != nil && stamps[i] < top.loop.serial {
			values[i] = top.phi
		}
	}
	return values
}
