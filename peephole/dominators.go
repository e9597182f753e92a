package peephole

import (
	"shoal/node"
)

// dominators is the dominator tree of control as far as rules have asked for it. Rules
// only ever delete control, so what dominated still does: an entry that outlives a change
// is true, if not the nearest, and its depth still grows downward.
type dominators struct {
	entries []domEntry   // by ID
	tests   []*node.Node // Ifs that ask what another If on the same predicate asks
	changed bool         // control changed since the tests were tried
	rounds  int
}

type domEntry struct {
	idom  *node.Node
	jump  *node.Node // another dominator, further up, so that O(log n) jumps lead from any node to Start
	depth int32      // 0: not computed
}

// idom is the immediate dominator of a control node, nil for Start, and for a region of
// which too little is known yet.
func (e *Engine) idom(n *node.Node) *node.Node {
	e.domEntry(n)
	return e.dom.entries[n.ID].idom
}

// domEntry computes the entries of n and of all that dominates it, without recursion:
// control chains are as long as the program.
func (e *Engine) domEntry(n *node.Node) domEntry {
	var todo []*node.Node
	for {
		for int(n.ID) >= len(e.dom.entries) {
			e.dom.entries = append(e.dom.entries, make([]domEntry, max(256, len(e.dom.entries)))...)
		}
		d := &e.dom.entries[n.ID]
		if d.depth == 0 || d.idom != nil && d.idom.Dead() {
			if need := e.domInput(n); need != nil {
				todo = append(todo, n)
				n = need
				continue
			}
			*d = e.newEntry(n)
		}
		if len(todo) == 0 {
			return *d
		}
		n = todo[len(todo)-1]
		todo = todo[:len(todo)-1]
	}
}

// domInput is a control input of n whose entry is needed first and is not known.
func (e *Engine) domInput(n *node.Node) *node.Node {
	for i := range n.NumIn() {
		c := n.In(i)
		if c == nil || i > 0 && !n.IsRegion() || n.Op == node.OpLoop && i > 1 {
			continue
		}
		if int(c.ID) >= len(e.dom.entries) {
			return c
		}
		if d := e.dom.entries[c.ID]; d.depth == 0 || d.idom != nil && d.idom.Dead() {
			return c
		}
	}
	return nil
}

func (e *Engine) newEntry(n *node.Node) domEntry {
	switch {
	case n.NumIn() == 0:
		return domEntry{depth: 1}
	case n.Op == node.OpLoop:
		return e.below(n.In(1))
	case n.Op == node.OpRegion:
		var common *node.Node
		for i := 1; i < n.NumIn(); i++ {
			switch c := n.In(i); {
			case c == nil:
			case common == nil:
				common = c
			default:
				common = e.commonDominator(common, c)
			}
		}
		return e.below(common)
	}
	return e.below(n.In(0))
}

// below is the entry of what n dominates. Two jumps of one length become one of twice the
// length. E. Myers, "An Applicative Random-Access Stack", IPL 17, 1983.
func (e *Engine) below(n *node.Node) domEntry {
	if n == nil {
		return domEntry{depth: 1}
	}
	up := e.dom.entries[n.ID]
	d := domEntry{idom: n, jump: n, depth: up.depth + 1}
	if up.jump != nil {
		over := e.dom.entries[up.jump.ID]
		if over.jump != nil && up.depth-over.depth == over.depth-e.dom.entries[over.jump.ID].depth {
			d.jump = over.jump
		}
	}
	return d
}

// commonDominator lifts the deeper of the two until they meet, by jumps that do not lead
// above the place: not above the other, nor, from one depth, to one node.
func (e *Engine) commonDominator(a, b *node.Node) *node.Node {
	for a != b && a != nil && b != nil {
		p, q := e.domEntry(a), e.domEntry(b)
		if p.depth < q.depth {
			a, b, p, q = b, a, q, p
		}
		switch {
		case p.depth > q.depth && e.depthOf(p.jump) >= q.depth:
			a = p.jump
		case p.depth > q.depth:
			a = p.idom
		case p.jump != q.jump && e.depthOf(p.jump) > 0 && e.depthOf(p.jump) == e.depthOf(q.jump):
			a, b = p.jump, q.jump
		default:
			a, b = p.idom, q.idom
		}
	}
	if a == nil || b == nil {
		return e.g.Start
	}
	return a
}

// depthOf is the depth of a node that has an entry, 0 for one that is dead or none.
func (e *Engine) depthOf(n *node.Node) int32 {
	if n == nil || n.Dead() {
		return 0
	}
	return e.dom.entries[n.ID].depth
}

// maxDominatorWalk bounds how far a rule looks up the dominator tree (rulings §1).
const maxDominatorWalk = 200

// decided tells how an If that tests pred came out on all paths to ctrl: the index of its
// projection, or -1 if there is none or no such If in reach.
func (e *Engine) decided(pred, ctrl *node.Node) int64 {
	below := ctrl
	for range maxDominatorWalk {
		if below.Dead() {
			return -1
		}
		n := e.idom(below)
		if n == nil {
			return -1
		}
		if n.Op == node.OpIf && n.In(1) == pred && below.Op == node.OpCProj {
			return below.Aux
		}
		below = n
	}
	return -1
}

// otherIf tells whether a node is tested by another If than n.
func otherIf(pred, n *node.Node) bool {
	for _, u := range pred.Uses() {
		if u.User.Op == node.OpIf && u.User != n && u.Index == 1 {
			return true
		}
	}
	return false
}

// maxTestRounds bounds how often Run comes back to the undecided tests.
const maxTestRounds = 20

// retryTests queues the undecided tests again if control has changed since they were
// tried: a region with fewer paths has a nearer dominator.
func (e *Engine) retryTests() bool {
	if !e.dom.changed || len(e.dom.tests) == 0 || e.dom.rounds >= maxTestRounds {
		return false
	}
	e.dom.changed = false
	e.dom.rounds++
	clear(e.dom.entries)
	for _, n := range e.dom.tests {
		if !n.Dead() {
			e.work.push(n, 0)
		}
	}
	e.dom.tests = e.dom.tests[:0]
	return true
}
