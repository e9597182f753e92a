package peephole

import (
	"slices"

	"shoal/node"
)

// A forwarder finds what Loads read across joins and loops: the value that was stored last
// on each way, with Phis where ways meet. It makes the Phis where the states of memory have
// theirs. M. Braun et al., "Simple and Efficient Construction of Static Single Assignment
// Form", CC 2013, with the Stores to one place as the assignments to one variable.
type forwarder struct {
	e       *Engine
	private []bool              // by ID of a New: nothing but Loads, Stores and tests has the reference
	made    map[cell]*node.Node // the Phis of values, held
	held    []*node.Node
	budget  int     // how many states the current Load may still look at
	reached []later // scratch of unread
}

// A cell is one place at the time of a Phi of states of memory.
type cell struct {
	state *node.Node
	at    address
}

// maxForward bounds how many states of memory are looked at for one Load.
const maxForward = 64

// forward replaces a Load by what memory holds there, if that is known on all ways.
func (f *forwarder) forward(load *node.Node) bool {
	if load.Sym.Field.Name == "#" || load.In(1) == nil {
		return false
	}
	s := search{forwarder: f, at: addressOf(load), load: load}
	f.budget = maxForward
	first, ok := s.source(load.In(1))
	if !ok || !s.closeOver(first) {
		return false
	}
	value := s.common(first)
	if value == nil {
		value = s.build(first)
	}
	if value == load {
		return false // a loop that only ever puts back what it read
	}
	e := f.e
	if load.In(2).Type.IsReadOnly() && value.Type.IsRef() && !value.Type.IsReadOnly() && !value.Type.IsNull() {
		value = e.Make(node.OpReadOnly, load.Pos, nil, value)
	}
	e.rewrote(load, value, "forward")
	e.g.Replace(load, value)
	return true
}

// A search is what is found out for one Load.
type search struct {
	*forwarder
	at    address
	load  *node.Node
	order []*node.Node // the Phis of states that were met
	in    [][]origin   // of each, for each way into it
}

// An origin is where a value comes from: a node, or the Phi of the value at the Phi of a
// state.
type origin struct{ value, state *node.Node }

// source walks up from a state to the nearest Store to the place, or to a Phi.
func (s *search) source(m *node.Node) (origin, bool) {
	isNew := s.at.ref.Op == node.OpNew
	for s.budget > 0 {
		s.budget--
		switch m.Op {
		case node.OpStore:
			switch to := addressOf(m); {
			case to == s.at:
				return origin{value: m.In(4)}, true
			case !s.differs(to, s.at):
				return origin{}, false
			}
			m = m.In(1)
			continue
		case node.OpProj:
			return s.zero(), isNew
		case node.OpPhi:
			if isNew && node.Older(m, s.at.ref, s.e.above) {
				return s.zero(), true
			}
			r := m.In(0)
			if m.InProgress() || !r.IsRegion() || !s.e.availableAt(s.at.ref, r, maxAvailableDepth) || !s.e.availableAt(s.at.offset, r, maxAvailableDepth) {
				return origin{}, false
			}
			return origin{state: m}, true
		}
		break
	}
	return origin{}, false
}

func (s *search) zero() origin {
	return origin{value: s.e.constant(s.load.Sym.Declared.Zero(), s.load.Pos)}
}

// closeOver finds the sources on all ways into the Phi that o stands for, and on those into
// the Phis that are met on the way.
func (s *search) closeOver(o origin) bool {
	meet := func(o origin) {
		if o.state != nil && !slices.Contains(s.order, o.state) {
			s.order = append(s.order, o.state)
		}
	}
	meet(o)
	for k := 0; k < len(s.order); k++ {
		phi := s.order[k]
		in := make([]origin, 0, phi.NumIn())
		for i := 1; i < phi.NumIn(); i++ {
			from, ok := s.source(phi.In(i))
			if !ok {
				return false
			}
			in = append(in, from)
			meet(from)
		}
		s.in = append(s.in, in)
	}
	return true
}

// common is the only value that comes from anywhere, nil if there are several. It is there
// before the first of the Phis.
func (s *search) common(first origin) *node.Node {
	if first.state == nil {
		return first.value
	}
	var only *node.Node
	for _, o := range slices.Concat(s.in...) {
		switch {
		case o.state != nil || o.value == only:
		case only != nil:
			return nil
		default:
			only = o.value
		}
	}
	return only
}

// build makes the Phis of the value, and gives what stands for the first of the sources.
func (s *search) build(first origin) *node.Node {
	var fresh []int // Phis of states that get a Phi of the value now
	for k, state := range s.order {
		key := cell{state, s.at}
		if s.made[key] == nil {
			fresh = append(fresh, k)
			s.made[key] = s.hold(s.newPhi(state))
		}
	}
	for _, k := range fresh {
		phi := s.made[cell{s.order[k], s.at}]
		for i, o := range s.in[k] {
			s.e.g.SetIn(phi, i+1, s.standsFor(o))
		}
	}
	return s.standsFor(first)
}

func (s *search) standsFor(o origin) *node.Node {
	if o.state != nil {
		return s.made[cell{o.state, s.at}]
	}
	return o.value
}

func (f *forwarder) hold(n *node.Node) *node.Node {
	f.held = append(f.held, n)
	return f.e.g.Hold(n)
}

// newPhi makes the Phi for the value at a Phi of states, still without its inputs.
func (s *search) newPhi(state *node.Node) *node.Node {
	g := s.e.g
	in := make([]*node.Node, state.NumIn())
	in[0] = state.In(0)
	phi := g.Prepare(node.OpPhi, s.load.Pos, in...)
	t := s.load.Sym.Declared
	if t.IsRef() {
		t = t.OrNull()
	}
	phi.Sym = &node.Symbol{Name: s.load.Name(), Declared: t.Widest()}
	phi.Type = t
	g.Emit(node.Event{Kind: node.Created, Node: phi})
	return phi
}

// differs tells whether two addresses are surely two places. What is private is reached by
// its own reference only.
func (f *forwarder) differs(a, b address) bool {
	return a.ref != b.ref && (f.isPrivate(a.ref) || f.isPrivate(b.ref)) || f.e.differs(a, b)
}

func (f *forwarder) isPrivate(ref *node.Node) bool {
	return int(ref.ID) < len(f.private) && f.private[ref.ID]
}

// maxAvailableDepth bounds how deeply availableAt looks into an operation.
const maxAvailableDepth = 8

// availableAt tells whether a value is there when control comes to the region r, and is the
// same as long as r is not left.
func (e *Engine) availableAt(n, r *node.Node, depth int) bool {
	switch {
	case n.Op == node.OpConstant || n.Op == node.OpProj:
		return true
	case depth == 0:
		return false
	case n.Op == node.OpNew || n.Op == node.OpCast || n.Op == node.OpPhi && n.In(0).IsRegion():
		return n.In(0) != r && e.above(n.In(0), r)
	case n.Op == node.OpReadOnly || n.Op.Is(node.Pure):
		for i := 1; i < n.NumIn(); i++ {
			if !e.availableAt(n.In(i), r, depth-1) {
				return false
			}
		}
		return true
	}
	return false
}

// release ends the holding of the Phis, once rules are to look at them.
func (f *forwarder) release() {
	for _, n := range f.held {
		f.e.g.Drop(n)
	}
	f.held = nil
}
