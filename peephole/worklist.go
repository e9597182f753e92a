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
	on    []bool // by ID
	rng   *rand.Rand
}

func (w *worklist) push(n *node.Node) {
	for int(n.ID) >= len(w.on) {
		w.on = append(w.on, make([]bool, max(64, len(w.on)))...)
	}
	if !w.on[n.ID] {
		w.on[n.ID] = true
		w.queue = append(w.queue, n.ID)
	}
}

// pop takes the oldest entry, or a random one in shuffled mode.
func (w *worklist) pop() node.ID {
	if w.rng != nil {
		i := w.first + w.rng.Intn(len(w.queue)-w.first)
		w.queue[w.first], w.queue[i] = w.queue[i], w.queue[w.first]
	}
	id := w.queue[w.first]
	w.first++
	w.on[id] = false
	if w.first == len(w.queue) {
		w.queue, w.first = w.queue[:0], 0
	}
	return id
}

func (w *worklist) empty() bool { return w.first == len(w.queue) }

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
	for id := 1; id < e.g.NumIDs(); id++ {
		if n := e.g.At(node.ID(id)); !n.Dead() {
			e.work.push(n)
		}
	}
	budget := visitsPerNode * (e.g.NumLive() + 10)
	for {
		for !e.work.empty() {
			if e.Visits++; e.Visits > budget {
				e.giveUp()
				return
			}
			if n := e.g.At(e.work.pop()); !n.Dead() {
				e.visit(n)
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

func (e *Engine) visit(n *node.Node) {
	if n.Unused() && n.Op != node.OpStop && n.Op != node.OpStart {
		e.g.Kill(n)
		return
	}
	r := e.step(n)
	if r == nil || n.Dead() {
		return
	}
	e.changed(n, r)
	if r != n {
		e.g.Replace(n, r)
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
	e.work.push(r)
	if r == n {
		return
	}
	for i := range n.NumIn() {
		if d := n.In(i); d != nil {
			e.work.push(d)
		}
	}
}

// touchUses queues the users of n, and theirs, as far as a pattern reaches.
func (e *Engine) touchUses(n *node.Node) { e.touch(n, e.rules.depth) }

func (e *Engine) touch(n *node.Node, depth int) {
	for _, u := range n.Uses() {
		if u.User.Op == node.OpScope {
			continue
		}
		e.work.push(u.User)
		if depth > 1 {
			e.touch(u.User, depth-1)
		}
	}
}

// lostUse queues a node that fewer use now: it may be dead, and patterns that want it for
// themselves alone may fit.
func (e *Engine) lostUse(n *node.Node) {
	e.work.push(n)
	if n.NumOut() == 1 && n.Op.Is(node.Pure) {
		e.touch(n, e.rules.depth)
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
