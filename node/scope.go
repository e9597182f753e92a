package node

import (
	"slices"

	"shoal/source"
)

// MemorySlot is the slot of a scope that holds the state of memory; variables follow.
//
// Variable i has slot 2*i. The odd slots are those of the classes of memory, which come up
// wherever the program first touches them and are in sight of every scope.
const MemorySlot = 0

// A Var is a name in the scopes: what it is called and how deeply its block is nested.
type Var struct {
	Sym   *Symbol
	Level int // 0 for what is there before the program starts
}

// isClass tells whether a slot is that of a class of memory.
func isClass(slot int) bool { return slot&1 == 1 }

// Scopes is the symbol table of a function being parsed: the names in sight, and the
// Scope of every path that the parser has still to follow or to merge.
//
// Duplicating a scope is O(1) and merging two costs what differs between them: all scopes
// share one array of values, and a scope that is not the current one records where it
// differs (see version). The array and the differences are the inputs of nodes, so a value
// in scope is alive and follows when it is replaced.
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

	vars        []Var     // all names in sight, innermost last
	classes     []*Symbol // of memory
	starts      []int     // number of names before each nesting level
	first, last *Scope    // all that exist, oldest first

	root   *version
	stamps []int32    // of each slot of the root: when it was written
	saved  []int32    // of each slot: id of the version that recorded it last
	marks  []int32    // of each slot: scratch for absorb and differences
	mark   int32      // marks with this number count
	ids    int32      // the last id of a version
	spare  []*version // to be used again
	path   []*version // scratch of makeCurrent

	loops []*loopHead
	time  int32
	tops  []*loopPhi // of each slot: the innermost open loop's Phi

	diffs []difference // scratch of Merge
	in    [3]*Node     // scratch of phi
}

// A Scope is the state of the parse at one point: current control, memory, and a value
// for every variable in sight.
type Scope struct {
	Node       *Node // of OpScope: its input is the control
	Label      string
	version    *version
	count      int // names in sight
	loops      int // how many of the open loops it is in
	prev, next *Scope
}

type loopHead struct {
	depth  int   // 1 for the outermost
	serial int32 // the time at which it began
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
	sc.root = sc.newVersion()
	s := sc.newScope(sc.root, ctrl, "")
	sc.Define(s, &Symbol{Name: "$mem"}, mem)
	return sc, s
}

func (sc *Scopes) newScope(v *version, ctrl *Node, label string) *Scope {
	s := &Scope{Node: sc.g.Prepare(OpScope, source.NoPos, ctrl), version: v, Label: label, prev: sc.last}
	sc.g.Hold(s.Node)
	v.owners++
	v.refs++
	if sc.last == nil {
		sc.first = s
	} else {
		sc.last.next = s
	}
	sc.last = s
	return s
}

// Live are the scopes that exist, oldest first; dumps draw them all.
func (sc *Scopes) Live() []*Scope {
	var live []*Scope
	for s := sc.first; s != nil; s = s.next {
		live = append(live, s)
	}
	return live
}

// Vars are the names that s can see, outermost first.
func (sc *Scopes) Vars(s *Scope) []Var { return sc.vars[:s.count] }

// AllVars are the names that the parser can see, outermost first.
func (sc *Scopes) AllVars() []Var { return sc.vars }

// VarAt is the variable that has a slot.
func (sc *Scopes) VarAt(slot int) Var { return sc.vars[slot/2] }

// Slot is the slot of name i in sight, Index the other way around.
func (sc *Scopes) Slot(i int) int     { return 2 * i }
func (sc *Scopes) Index(slot int) int { return slot / 2 }

// maxHolding bounds the work of Holding.
const maxHolding = 1 << 12

// Holding lists the slots of the names of s whose value is n, in order. Of a value that
// is used very often in a scope of very many names it finds none.
func (sc *Scopes) Holding(s *Scope, n *Node) []int {
	sc.makeCurrent(s)
	var slots []int
	root := sc.root.node
	switch {
	case n.NumOut() <= maxHolding:
		for _, u := range n.Uses() {
			if slot := int(u.Index); u.User == root && !isClass(slot) && slot < s.slots() && sc.fresh(sc.stamps[slot]) {
				slots = append(slots, slot)
			}
		}
		slices.Sort(slots)
	case s.count <= maxHolding:
		for i := range s.count {
			if root.In(2*i) == n && sc.fresh(sc.stamps[2*i]) {
				slots = append(slots, 2*i)
			}
		}
	}
	return slots
}

// Count is the number of names in sight of s.
func (s *Scope) Count() int { return s.count }

// slots is the number of slots that belong to the names in sight; classes of memory come
// on top.
func (s *Scope) slots() int { return 2 * s.count }

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

// Truncate makes s forget all but its first count slots. Values go with them if s is the
// only one that has them; what it shares with another scope stays for that one, at no
// cost.
func (sc *Scopes) Truncate(s *Scope, count int) {
	if s.count <= count {
		return
	}
	if s.version.owners > 1 {
		s.count = count
		sc.detach(s)
		return
	}
	sc.makeCurrent(s)
	for i := s.count - 1; i >= count; i-- {
		sc.write(s, 2*i, nil)
	}
	s.count = count
	s.version.own = s.slots()
}

// Define adds a variable to the innermost level and returns its slot.
func (sc *Scopes) Define(s *Scope, sym *Symbol, value *Node) int {
	slot := 2 * len(sc.vars)
	sc.vars = append(sc.vars, Var{sym, sc.Level()})
	sc.makeCurrent(s)
	s.count = len(sc.vars)
	sc.room(slot)
	sc.write(s, slot, value)
	return slot
}

// AddClass adds a class of memory, which all scopes have in the state mem of the
// function's beginning, and returns its slot. sym names its Phis.
func (sc *Scopes) AddClass(sym *Symbol, mem *Node) int {
	slot := 2*len(sc.classes) + 1
	sc.classes = append(sc.classes, sym)
	sc.room(slot)
	sc.g.SetIn(sc.root.node, slot, mem) // its stamp is older than every loop
	return slot
}

// room makes sure that the tables have the slot.
func (sc *Scopes) room(slot int) {
	for len(sc.stamps) <= slot {
		sc.stamps = append(sc.stamps, 0)
		sc.saved = append(sc.saved, 0)
		sc.marks = append(sc.marks, 0)
		sc.tops = append(sc.tops, nil)
	}
	for sc.root.node.NumIn() <= slot {
		sc.g.AddIn(sc.root.node, nil)
	}
}

// symbol is the name of what is in a slot.
func (sc *Scopes) symbol(slot int) *Symbol {
	if isClass(slot) {
		return sc.classes[slot/2]
	}
	return sc.vars[slot/2].Sym
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

// ClassSlot is the slot of class k.
func (sc *Scopes) ClassSlot(k int) int { return 2*k + 1 }

// Classes are the symbols of the classes of memory, in order of their slots.
func (sc *Scopes) Classes() []*Symbol { return sc.classes }

// Set changes the value of a variable in s.
func (sc *Scopes) Set(s *Scope, slot int, value *Node) {
	sc.g.Hold(value)
	old := sc.Get(s, slot) // a loop that writes a variable has a Phi for it
	sc.g.Release(value)
	if old != value {
		sc.write(s, slot, value)
	}
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
	if s.prev != nil {
		s.prev.next = s.next
	} else {
		sc.first = s.next
	}
	if s.next != nil {
		s.next.prev = s.prev
	} else {
		sc.last = s.prev
	}
	v := s.version
	s.version = nil
	v.owners--
	sc.unref(v)
	sc.g.Drop(s.Node)
}

// Close frees what is left of the table when all scopes are gone.
func (sc *Scopes) Close() {
	for _, v := range append(sc.spare, sc.root) {
		sc.g.Drop(v.node)
	}
	sc.spare, sc.root = nil, nil
}

// Bindings are the values of all names in sight of s as they stand; where a loop that s
// is in has a Phi for a variable that s did not touch since, the Phi. For dumps; O(names).
func (sc *Scopes) Bindings(s *Scope) []*Node {
	all := sc.bindings(s)
	values := make([]*Node, s.count)
	for i := range values {
		values[i] = all[2*i]
	}
	return values
}

// ClassBindings are likewise the states of the classes of memory, in order of Classes.
func (sc *Scopes) ClassBindings(s *Scope) []*Node {
	all := sc.bindings(s)
	states := make([]*Node, len(sc.classes))
	for k := range states {
		states[k] = all[2*k+1]
	}
	return states
}

// bindings has the value of each slot.
func (sc *Scopes) bindings(s *Scope) []*Node {
	values := make([]*Node, len(sc.stamps))
	stamps := make([]int32, len(sc.stamps))
	var path []*version
	v := s.version
	for ; v != sc.root; v = v.base {
		path = append(path, v)
	}
	for i := range min(len(values), v.node.NumIn()) {
		values[i], stamps[i] = v.node.In(i), sc.stamps[i]
	}
	for i := len(path) - 1; i >= 0; i-- {
		for k, slot := range path[i].slots {
			values[slot], stamps[slot] = path[i].node.In(k), path[i].stamps[k]
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
