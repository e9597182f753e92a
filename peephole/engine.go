package peephole

import (
	"shoal/node"
	"shoal/node/types"
	"shoal/source"
)

// Options choose what an Engine does.
type Options struct {
	Level  int    // the chapter, 1 to 24: which rules there are
	Off    bool   // raw mode (-O 0): types are computed, nothing is replaced
	Global bool   // -O 2: passes over whole functions too
	Arg    *int64 // the program's argument, if it is known to the compiler
	Seed   int64  // order of the worklist; 0 is the order of creation
	Check  bool   // panic if a type widens, or if Run leaves a node that a rule applies to
}

// features are what a level turns on besides rules, made once from the level so that
// nothing asks for the level itself (levels.md, end).
type features struct {
	deadControl    bool // 6: control that is never reached has a type of its own
	phiTypes       bool // 6: a Phi is typed by its inputs
	livePaths      bool // 9: ... by those that control can take
	numbering      bool // 9: equal values are one node, and the worklist runs
	declared       bool // 10: a Phi under construction has the type of its variable
	freshMemory    bool // 15: new memory is known to be zero
	setFields      bool // 16: constructors set what must not be null
	nonNullTests   bool // 17: a test of what cannot be null is decided
	singleSpine    bool // 24: reassociation is a pass; rules touch sums of one use only
	endlessExits   bool // 11: endless loops get an exit
	bits           bool // 24: single bits are known too
	wholeFunctions bool // 24: passes over whole functions (with -O 2)
}

func featuresOf(level int) features {
	return features{
		deadControl:    level >= 6,
		phiTypes:       level >= 6,
		livePaths:      level >= 9,
		numbering:      level >= 9,
		declared:       level >= 10,
		endlessExits:   level >= 11,
		freshMemory:    level >= 15,
		setFields:      level >= 16,
		nonNullTests:   level >= 17,
		singleSpine:    level >= 24,
		bits:           level >= 24,
		wholeFunctions: level >= 24,
	}
}

// An Engine makes the nodes of one graph and keeps them as simple as its rules can.
type Engine struct {
	g        *node.Graph
	o        Options
	is       features
	rules    *ruleSet
	m        Match
	bits     bitTable
	narrowed []uint8 // by ID: how often the type of a loop's Phi became narrower
	work     worklist
	dom      dominators
	waiting  map[node.ID][]node.ID // what to look at again when something happens to a node far away
	dead     *node.Node            // the one XCtrl
	phis     []*node.Node          // scratch of dropPath
	nesting  int                   // how many nodes are being improved, each for the sake of the one before
	busy     bool                  // Run is running: changes are queued, not followed at once

	Visits int // nodes looked at by Run, for benchmarks
}

// New makes the engine of g. The hooks of g are its own from now on.
func New(g *node.Graph, o Options) *Engine {
	e := &Engine{g: g, o: o, is: featuresOf(o.Level), rules: rulesOf(o.Level)}
	e.m.W, e.m.e = 64, e
	g.Lattice = types.Flat
	if o.Level >= 14 {
		g.Lattice = types.Ranges
	}
	g.Start.Type = e.startType()
	if e.is.numbering && !o.Off {
		g.OnUnused = e.lostUse
	}
	return e
}

func (e *Engine) startType() types.Type {
	arg := types.Int
	if e.o.Arg != nil {
		arg = types.Const(*e.o.Arg)
	}
	return types.Tuple(types.Ctrl, types.Mem, arg)
}

// Graph is the graph that the engine works on.
func (e *Engine) Graph() *node.Graph { return e.g }

// Make makes a node, or finds one with the same value.
func (e *Engine) Make(op node.Op, at source.Pos, in ...*node.Node) *node.Node {
	return e.MakeAux(op, at, 0, nil, in...)
}

// MakeNamed is Make for ops with a name: Phis. Regions come back as they are asked for,
// since they are looked at only when their Phis are there.
func (e *Engine) MakeNamed(op node.Op, at source.Pos, sym *node.Symbol, in ...*node.Node) *node.Node {
	return e.MakeAux(op, at, 0, sym, in...)
}

// MakeAux is Make for ops with an index or a number of bits.
func (e *Engine) MakeAux(op node.Op, at source.Pos, aux int64, sym *node.Symbol, in ...*node.Node) *node.Node {
	n := e.begin(op, at, aux, sym, in)
	if e.o.Off || n.IsRegion() {
		return n
	}
	return e.improve(n)
}

// begin makes a node with its type, nothing more.
func (e *Engine) begin(op node.Op, at source.Pos, aux int64, sym *node.Symbol, in []*node.Node) *node.Node {
	n := e.g.Prepare(op, at, in...)
	n.Aux, n.Sym = aux, sym
	f := e.compute(n)
	n.Type = f.t
	if e.is.bits {
		e.bits.set(n.ID, f.bits)
	}
	e.g.Emit(node.Event{Kind: node.Created, Node: n})
	return n
}

// Int makes the constant c.
func (e *Engine) Int(c int64, at source.Pos) *node.Node { return e.constant(types.Const(c), at) }

// Constant makes the constant whose value is all there is of type t.
func (e *Engine) Constant(t types.Type, at source.Pos) *node.Node { return e.constant(t, at) }

func (e *Engine) constant(t types.Type, at source.Pos) *node.Node {
	if t == types.XCtrl {
		return e.DeadCtrl()
	}
	n := e.g.Constant(t, at)
	if e.is.numbering && !e.o.Off && !n.Numbered() {
		e.g.Number(n)
	}
	return n
}

// DeadCtrl is control that is never reached.
func (e *Engine) DeadCtrl() *node.Node {
	if e.dead == nil {
		e.dead = e.g.Hold(e.g.Prepare(node.OpXCtrl, source.NoPos, e.g.Start))
		e.dead.Type = types.XCtrl
		e.g.Emit(node.Event{Kind: node.Created, Node: e.dead})
	}
	return e.dead
}

// maxNesting is how deeply rules may make nodes for the right side of a rule for the right
// side of a rule: a chain as long as the program must not become one of calls.
const maxNesting = 50

// improve applies rules to n, which has no uses yet and whose type is computed, until none
// applies. Nested too deeply, it leaves that to Run.
func (e *Engine) improve(n *node.Node) *node.Node {
	if e.nesting >= maxNesting && e.is.numbering {
		e.work.push(n, 0)
		return n
	}
	e.nesting++
	defer func() { e.nesting-- }()
	for {
		r := e.reduce(n)
		switch r {
		case nil:
			return n
		case n:
			e.retype(n)
			continue
		}
		if n.Unused() {
			e.g.Hold(r) // n may be all that uses it
			e.g.Kill(n)
			e.g.Release(r)
		}
		return r // it was made, and so improved, or there before
	}
}

// Reduce applies rules to n, which may have uses, until none applies; they follow what it
// becomes.
func (e *Engine) Reduce(n *node.Node) *node.Node {
	if e.o.Off {
		n.Type = e.compute(n).t
		return n
	}
	for {
		r := e.step(n)
		if r == nil {
			return n
		}
		e.changed(n, r)
		if r != n {
			e.g.Replace(n, r)
			n = r
		}
	}
}

// step looks at n once: its type, a constant for it, an equal node, a rule. It returns nil
// if nothing changed, n if n itself changed, else what should stand for it (chapters §9.5).
func (e *Engine) step(n *node.Node) *node.Node {
	changed := e.retype(n)
	if r := e.reduce(n); r != nil {
		return r
	}
	if changed {
		return n
	}
	return nil
}

// reduce is step without the type.
func (e *Engine) reduce(n *node.Node) *node.Node {
	if n.Type.HighOrConst() && n.Op != node.OpConstant && n.Op != node.OpXCtrl {
		return e.rewrote(n, e.constant(n.Type, n.Pos), "constant")
	}
	if e.is.numbering {
		if m := e.g.Number(n); m != nil {
			return e.merge(n, m)
		}
	}
	return e.apply(n)
}

// retype computes the type of n again and reports whether more is known of n than before.
func (e *Engine) retype(n *node.Node) bool {
	f := e.compute(n)
	narrower, learns := !f.t.Equal(n.Type), e.learns(n, f.bits)
	if !narrower && !learns || e.narrowsTooOften(n, f.t) {
		return false
	}
	if learns {
		e.bits.set(n.ID, e.bits.at(n.ID).both(f.bits))
	}
	return narrower && e.narrow(n, f.t) || learns
}

// learns tells whether the bits k of n say more than what is known.
func (e *Engine) learns(n *node.Node, k knownBits) bool {
	if !e.is.bits {
		return false
	}
	old := e.bits.at(n.ID)
	return k.zeros&^old.zeros|k.ones&^old.ones != 0
}

// narrow gives n the type t, unless the one it has is as good. It may be better where n
// stands for another node of which more was known; then both are true.
func (e *Engine) narrow(n *node.Node, t types.Type) bool {
	if t != types.XCtrl && !e.g.Lattice.IsA(t, n.Type) { // a Return that dies turns from a tuple into dead control
		if e.o.Check && e.g.Lattice == types.Flat {
			panic(e.g.Bug(n, "type widens from %v to %v", n.Type, t))
		}
		t = e.g.Lattice.Join(t, n.Type)
		if lo, hi := t.Bounds(); t.Equal(n.Type) || t.IsInt() && lo > hi {
			return false // no news, or the value is never computed
		}
	}
	n.Type = t
	e.g.Emit(node.Event{Kind: node.Typed, Node: n})
	return true
}

// maxNarrowings is how often the range of a loop's Phi may become narrower: around a loop
// it could shrink by one each time, 2^64 times.
const maxNarrowings = 16

func (e *Engine) narrowsTooOften(n *node.Node, t types.Type) bool {
	if n.Op != node.OpPhi || n.In(0).Op != node.OpLoop || t.HighOrConst() || e.g.Lattice == types.Flat {
		return false
	}
	for int(n.ID) >= len(e.narrowed) {
		e.narrowed = append(e.narrowed, make([]uint8, max(64, int(n.ID)+1-len(e.narrowed)))...)
	}
	if e.narrowed[n.ID] == maxNarrowings {
		return true
	}
	e.narrowed[n.ID]++
	return false
}

// merge makes m stand for n, which computes the same.
func (e *Engine) merge(n, m *node.Node) *node.Node {
	e.inherit(n, m)
	if n.Pos.Known() && n.Pos < m.Pos && m.Op != node.OpConstant {
		m.Pos = n.Pos
	}
	e.g.Emit(node.Event{Kind: node.Merged, Node: n, With: m})
	return m
}

// inherit: what is known of n is true of m, which has the same value.
func (e *Engine) inherit(n, m *node.Node) {
	t := e.g.Lattice.Join(n.Type, m.Type)
	if lo, hi := t.Bounds(); t.Kind == types.KindInt && lo > hi {
		return // neither is ever computed
	}
	learns := e.learns(m, e.bits.at(n.ID))
	if t.Equal(m.Type) && !learns {
		return
	}
	m.Type = t
	if learns {
		e.bits.set(m.ID, e.bits.at(m.ID).both(e.bits.at(n.ID)))
	}
	e.touchUses(m)
	e.work.push(m, 0)
}

// rewrote reports that a rule made r of n. What was known of an operation is true of the
// operation that gives the same.
func (e *Engine) rewrote(n, r *node.Node, rule string) *node.Node {
	if r != n && e.g.Lattice == types.Ranges && n.Op.Is(node.Pure) && n.Type.IsInt() && r.Type.IsInt() && !r.IsConst() {
		e.inherit(n, r)
	}
	e.g.Emit(node.Event{Kind: node.Rewrote, Node: n, With: r, Rule: rule})
	return r
}
