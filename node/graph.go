package node

import (
	"fmt"
	"math"

	"shoal/node/types"
	"shoal/source"
)

// MaxNodes is how many nodes one graph may have (semantics §13).
const MaxNodes = 1<<31 - 1

// A Program is all functions of one compilation.
type Program struct {
	File  *source.File
	Funcs []*Graph // main first, then in order of creation
}

// A Graph is one function as a sea of nodes. It owns its nodes, their edges, the table
// of equal values and the scopes of the parser.
type Graph struct {
	Name    string
	File    *source.File
	Lattice types.Lattice
	Start   *Node
	Stop    *Node

	// Scopes is the parser's table while it is at work, for dumps; nil afterwards.
	Scopes *Scopes

	// Pass is the name of the running pass, for events and for messages about bugs.
	Pass string
	// OnEvent, if not nil, is told every step. Nothing is computed for it otherwise.
	OnEvent func(Event)
	// OnUnused, if not nil, is told of each node that lost a use and lives on, so that a
	// worklist can look at it again.
	OnUnused func(*Node)
	// OnKill, if not nil, is told of each node that is about to be freed.
	OnKill func(*Node)

	slabs  [][]Node
	count  int32
	edges  slab[Edge]
	uses   slab[Use]
	values valueTable
	dying  []*Node // work of Kill, kept between calls
	live   int
}

// nodesPerSlab is how many nodes are allocated at a time (optimizations §D.3).
const (
	nodesPerSlab = 1 << slabShift
	slabShift    = 8
)

// NewGraph makes a graph with a Start, which later gets its projections from the parser,
// and a Stop.
func NewGraph(name string, file *source.File, lattice types.Lattice) *Graph {
	g := &Graph{Name: name, File: file, Lattice: lattice}
	g.Start = g.New(OpStart, source.NoPos)
	g.Stop = g.New(OpStop, source.NoPos)
	return g
}

// ResultType is what is known of the value that the function returns: the static type by
// which it is printed.
func (g *Graph) ResultType() types.Type {
	result := types.Top
	for i := range g.Stop.NumIn() {
		if n := g.Stop.In(i); n.Op == OpReturn && !n.Pretended() {
			result = g.Lattice.Meet(result, n.In(2).Type)
		}
	}
	return result
}

// NumIDs is one more than the largest ID: the length of a side table.
func (g *Graph) NumIDs() int { return int(g.count) + 1 }

// NumLive is the number of nodes that were not killed.
func (g *Graph) NumLive() int { return g.live }

// At is the node with the given ID, which may be dead.
func (g *Graph) At(id ID) *Node {
	i := int(id) - 1
	return &g.slabs[i>>slabShift][i&(nodesPerSlab-1)]
}

// New makes a node. Nil inputs are empty slots. Its type is Bot until somebody computes
// it; most callers want peephole.Engine.Make, which does.
func (g *Graph) New(op Op, at source.Pos, in ...*Node) *Node {
	n := g.Prepare(op, at, in...)
	g.event(Event{Kind: Created, Node: n})
	return n
}

// Prepare is New without the event: the caller fills in what else the node has and then
// reports Created, so that whoever listens sees it complete.
func (g *Graph) Prepare(op Op, at source.Pos, in ...*Node) *Node {
	n := g.alloc(op, at)
	n.in = g.edges.take(len(in), len(in))
	for i, def := range in {
		n.in[i].def = def
		if def != nil {
			n.in[i].at = g.addUse(def, n, i)
		}
	}
	return n
}

// NewNamed is New with a symbol: a Phi's variable, a projection's name.
func (g *Graph) NewNamed(op Op, at source.Pos, sym *Symbol, in ...*Node) *Node {
	n := g.Prepare(op, at, in...)
	n.Sym = sym
	g.event(Event{Kind: Created, Node: n})
	return n
}

func (g *Graph) alloc(op Op, at source.Pos) *Node {
	if g.count == MaxNodes-1 {
		panic(TooBig{g.Name})
	}
	i := int(g.count)
	if i&(nodesPerSlab-1) == 0 {
		g.slabs = append(g.slabs, make([]Node, nodesPerSlab))
	}
	g.count++
	g.live++
	n := &g.slabs[i>>slabShift][i&(nodesPerSlab-1)]
	n.ID, n.Op, n.Pos = ID(g.count), op, at
	return n
}

// TooBig is the panic of a graph that outgrows MaxNodes; the compiler makes a diagnostic
// of it.
type TooBig struct{ Func string }

// Constant makes, or finds, the constant of type t.
func (g *Graph) Constant(t types.Type, at source.Pos) *Node {
	if n := g.FindConstant(t); n != nil {
		return n
	}
	n := g.Prepare(OpConstant, at, g.Start)
	n.Type = t
	g.event(Event{Kind: Created, Node: n})
	return n
}

func (g *Graph) addUse(def, user *Node, i int) int32 {
	if def.Dead() {
		panic(g.Bug(user, "gets a dead node as input %d", i))
	}
	if len(def.out) == cap(def.out) {
		def.out = g.uses.grow(def.out)
	}
	def.out = append(def.out, Use{user, int32(i)})
	return int32(len(def.out) - 1)
}

// dropUse takes the edge at input i of n out of its definition's list; the last use moves
// into the gap.
func (g *Graph) dropUse(n *Node, i int) {
	def, at := n.in[i].def, n.in[i].at
	last := def.out[len(def.out)-1]
	def.out[at] = last
	last.User.in[last.Index].at = at
	def.out = def.out[:len(def.out)-1]
}

// SetIn makes def input i of n. The old definition is killed if that was its last use.
func (g *Graph) SetIn(n *Node, i int, def *Node) {
	old := n.in[i].def
	if old == def {
		return
	}
	g.Unlock(n)
	if old != nil {
		g.dropUse(n, i)
	}
	n.in[i] = Edge{def: def}
	if def != nil {
		n.in[i].at = g.addUse(def, n, i)
	}
	g.released(old)
}

// AddIn appends an input to n.
func (g *Graph) AddIn(n *Node, def *Node) {
	g.Unlock(n)
	if len(n.in) == cap(n.in) {
		n.in = g.edges.grow(n.in)
	}
	n.in = append(n.in, Edge{def: def})
	if def != nil {
		n.in[len(n.in)-1].at = g.addUse(def, n, len(n.in)-1)
	}
}

// DelIn removes input slot i of n; those after it move down.
func (g *Graph) DelIn(n *Node, i int) {
	g.Unlock(n)
	old := n.in[i].def
	if old != nil {
		g.dropUse(n, i)
	}
	for ; i < len(n.in)-1; i++ {
		e := n.in[i+1]
		n.in[i] = e
		if e.def != nil {
			e.def.out[e.at].Index = int32(i)
		}
	}
	n.in[i] = Edge{}
	n.in = n.in[:i]
	g.released(old)
}

// DelLastIn removes the last input slots of n until size are left.
func (g *Graph) DelLastIn(n *Node, size int) {
	for len(n.in) > size {
		g.DelIn(n, len(n.in)-1)
	}
}

// maxKeep is the count of holds that sticks: what is held by that many, the zero of a
// struct with a hundred thousand fields, is kept for good.
const maxKeep = math.MaxUint16

// Hold keeps n alive although no edge uses it, until Release.
func (g *Graph) Hold(n *Node) *Node {
	if n.keep < maxKeep {
		n.keep++
	}
	return n
}

// Release ends a Hold. It does not kill n, even if nobody uses it: the caller has it in
// hand.
func (g *Graph) Release(n *Node) *Node {
	if n.keep == 0 {
		panic(g.Bug(n, "released more often than held"))
	}
	if n.keep < maxKeep {
		n.keep--
	}
	return n
}

// Drop ends a Hold and kills n if nobody uses it.
func (g *Graph) Drop(n *Node) {
	g.Release(n)
	g.released(n)
}

func (g *Graph) released(n *Node) {
	switch {
	case n == nil || n.Dead():
	case n.Unused() && n.Op != OpStop && n.Op != OpStart:
		g.Kill(n)
	case g.OnUnused != nil:
		g.OnUnused(n)
	}
}

// Kill frees n, which nobody may use, and whatever only n used. It works through chains
// of any length without recursion.
func (g *Graph) Kill(n *Node) {
	if !n.Unused() {
		panic(g.Bug(n, "killed while in use"))
	}
	base := len(g.dying) // Kill may be called from a hook of Kill
	g.dying = append(g.dying, n)
	for len(g.dying) > base {
		n := g.dying[len(g.dying)-1]
		g.dying = g.dying[:len(g.dying)-1]
		if n.Dead() || !n.Unused() {
			continue
		}
		g.free(n)
	}
}

func (g *Graph) free(n *Node) {
	g.Unlock(n)
	if g.OnKill != nil {
		g.OnKill(n)
	}
	if !n.Op.Is(Table) {
		g.event(Event{Kind: Killed, Node: n})
	}
	for i := range n.in {
		def := n.in[i].def
		if def == nil {
			continue
		}
		g.dropUse(n, i)
		n.in[i].def = nil
		switch {
		case def.Unused() && def.Op != OpStop && def.Op != OpStart:
			g.dying = append(g.dying, def)
		case g.OnUnused != nil:
			g.OnUnused(def)
		}
	}
	g.edges.give(n.in)
	g.uses.give(n.out)
	n.in, n.out, n.Op = nil, nil, OpInvalid
	g.live--
}

// Replace moves all uses of old to with and kills old, unless somebody holds it.
func (g *Graph) Replace(old, with *Node) {
	if old == with {
		panic(g.Bug(old, "replaced by itself"))
	}
	if old.Pos.Known() && (!with.Pos.Known() || old.Pos < with.Pos) && with.Op != OpConstant {
		with.Pos = old.Pos // late errors point at the first place that means the value
	}
	for i := len(old.out) - 1; i >= 0; i-- {
		u := old.out[i]
		g.Unlock(u.User)
		u.User.in[u.Index] = Edge{with, g.addUse(with, u.User, int(u.Index))}
	}
	old.out = old.out[:0]
	if old.keep == 0 {
		g.Hold(with) // it may be among the things that only old used
		g.Kill(old)
		g.Release(with)
	}
}

// Bug is the value of a panic about an error of ours: it names pass and node.
func (g *Graph) Bug(n *Node, format string, args ...any) error {
	return fmt.Errorf("%s: %s: node %d %s: %s", g.Name, g.Pass, n.ID, n.Label(), fmt.Sprintf(format, args...))
}
