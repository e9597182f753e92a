package peephole

import (
	"math/rand"

	"shoal/node"
)

// A worklist is a set of nodes that some rule may apply to. Whatever is not on it is
// finished: that is the invariant of the engine.
type worklist struct {
	queue []node.ID // from first on
	first int
	reach []uint8 // by ID: 0 if not in the queue, else one plus how far below it to look too
	rng   *rand.Rand
}

// push adds n. After n its users are looked at, and theirs, down to that depth: a pattern
// reaches so far.
func (w *worklist) push(n *node.Node, depth int) {
	if int(n.ID) >= len(w.reach) {
		w.reach = append(w.reach, make([]uint8, max(64, int(n.ID)+1-len(w.reach), len(w.reach)))...)
	}
	if w.reach[n.ID] == 0 {
		w.queue = append(w.queue, n.ID)
	}
	w.reach[n.ID] = max(w.reach[n.ID], uint8(depth)+1)
}

// pop takes the oldest entry, or a random one in shuffled mode.
func (w *worklist) pop() (id node.ID, depth int) {
	if w.rng != nil {
		i := w.first + w.rng.Intn(len(w.queue)-w.first)
		w.queue[w.first], w.queue[i] = w.queue[i], w.queue[w.first]
	}
	id = w.queue[w.first]
	w.first++
	depth = int(w.reach[id]) - 1
	w.reach[id] = 0
	if w.first == len(w.queue) {
		w.queue, w.first = w.queue[:0], 0
	}
	return id, depth
}

func (w *worklist) empty() bool { return w.first == len(w.queue) }

// all puts all nodes of g into the queue, by rising IDs: operands before their users.
func (w *worklist) all(g *node.Graph) {
	w.queue, w.first = w.queue[:0], 0
	for len(w.reach) < g.NumIDs() {
		w.reach = append(w.reach, make([]uint8, max(64, g.NumIDs()-len(w.reach)))...)
	}
	for id := node.ID(1); int(id) < g.NumIDs(); id++ {
		if g.At(id).Dead() {
			w.reach[id] = 0
			continue
		}
		w.reach[id] = max(w.reach[id], 1)
		w.queue = append(w.queue, id)
	}
}

// visitsPerNode bounds the work of Run: rules that chase each other are a bug of theirs,
// which must not hang the compiler.
const visitsPerNode = 200

// Run applies the rules everywhere until none applies. Below chapter 9 it does nothing.
func (e *Engine) Run() {
	if !e.is.numbering || e.o.Off {
		return
	}
	e.busy = true
	if e.o.Seed != 0 {
		e.work.rng = rand.New(rand.NewSource(e.o.Seed))
	}
	e.work.all(e.g)
	budget := visitsPerNode * (e.g.NumLive() + 10)
	for {
		for !e.work.empty() {
			if e.Visits++; e.Visits > budget {
				e.giveUp()
				return
			}
			id, depth := e.work.pop()
			if n := e.g.At(id); !n.Dead() {
				e.visit(n, depth)
			}
		}
		if swept := e.sweep(); !e.retryTests() && !swept {
			break
		}
	}
	e.busy = false
	if e.o.Check {
		e.checkFinished()
	}
}

func (e *Engine) giveUp() {
	e.busy = false
	if e.o.Check {
		panic(e.g.Bug(e.g.Start, "the rules do not come to an end"))
	}
}

func (e *Engine) visit(n *node.Node, depth int) {
	if n.Unused() && n.Op != node.OpStop && n.Op != node.OpStart {
		e.g.Kill(n)
		return
	}
	e.wake(n)
	r := e.step(n)
	switch {
	case n.Dead():
	case r == nil:
		e.ripple(n, depth)
	default:
		e.changed(n, r)
		if r != n {
			e.g.Replace(n, r)
		}
	}
}

// changed queues all that may be affected by n becoming r, before it does.
func (e *Engine) changed(n, r *node.Node) {
	if !e.is.numbering {
		return
	}
	if n.IsCFG() {
		e.dom.changed = true
	}
	e.touchUses(n)
	e.work.push(r, 0)
	if r == n {
		return
	}
	for i := range n.NumIn() {
		if d := n.In(i); d != nil && d.Op != node.OpConstant {
			e.work.push(d, 0)
		}
	}
}

// touchUses queues the users of n, and theirs, as far as a pattern reaches.
func (e *Engine) touchUses(n *node.Node) {
	for _, u := range n.Uses() {
		if u.User.Op != node.OpScope {
			e.work.push(u.User, e.rules.depth-1)
		}
	}
}

// ripple passes a change somewhere above n on to the users of n, where rules look through
// n: no rule but those for cycles of Phis looks through a Phi unless all of its inputs are
// constants, or from chapter 24 on one of two, and none looks from a join of more than two
// paths, or from Stop, at what leads there.
func (e *Engine) ripple(n *node.Node, depth int) {
	if depth == 0 {
		return
	}
	toPhis := n.Op == node.OpPhi && !constants(n) && !e.pushable(n)
	for _, u := range n.Uses() {
		if toPhis && u.User.Op != node.OpPhi {
			continue
		}
		switch u.User.Op {
		case node.OpScope, node.OpStop:
			continue
		case node.OpRegion:
			if u.User.NumIn() > 3 {
				continue
			}
		}
		e.work.push(u.User, depth-1)
	}
}

// pushable tells whether an operation on the Phi n may be done on its inputs instead. One
// that is being taken apart has lost some.
func (e *Engine) pushable(n *node.Node) bool {
	if !e.is.singleSpine || n.NumIn() != 3 || n.In(1) == nil || n.In(2) == nil || n.InProgress() {
		return false
	}
	return n.In(1).IsConst() || n.In(2).IsConst()
}

// lostUse queues a node that fewer use now: it may be dead, and patterns that want it for
// themselves alone may fit.
func (e *Engine) lostUse(n *node.Node) {
	switch {
	case n.Op == node.OpConstant:
	case n.Op.Is(node.Pure) && n.NumOut() == 1:
		e.touchUses(n)
	case n.Op == node.OpPhi && n.NumOut() == 1 && e.pushable(n):
		e.touchUses(n)
		e.work.push(n, 0)
	case n.NumOut() == 0 || !n.Op.Is(node.Pure):
		e.work.push(n, 0)
	}
}

// checkFinished panics if a rule applies to some node although the worklist is empty.
func (e *Engine) checkFinished() {
	for id := 1; id < e.g.NumIDs(); id++ {
		n := e.g.At(node.ID(id))
		if n.Dead() {
			continue
		}
		before := n.Label()
		if r := e.step(n); r != nil {
			panic(e.g.Bug(n, "left with a rule that applies: %s becomes %s", before, r.Label()))
		}
	}
}
