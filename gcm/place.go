package gcm

import (
	"fmt"

	"shoal/node"
)

// findLive lists the floating nodes, News and Casts that a reached If, Return or Fault, or
// a Phi that matters, needs: definitions before uses, and otherwise in the order in which
// blocks need them.
func (c *scheduler) findLive() {
	w := liveWalk{c: c, seen: make([]bool, c.g.NumIDs())}
	for _, b := range c.s.Blocks {
		if b.End != nil {
			for i := range b.End.NumIn() {
				if needed(b.End, i) {
					w.root(b.End.In(i))
				}
			}
		}
	}
	for len(w.phis) > 0 {
		phi := w.phis[len(w.phis)-1]
		w.phis = w.phis[:len(w.phis)-1]
		for _, path := range c.s.Block(phi).Paths {
			w.root(phi.In(path))
		}
	}
	c.listPhis(w.seen)
	c.orderMemory(w.seen)
}

// needed tells whether the end of a block needs its input i: all but control and, of a
// Return and a Fault, the memory of which nobody will see anything. What will be seen of it
// with the result of a Return comes after the result.
func needed(end *node.Node, i int) bool {
	if end.Op == node.OpReturn || end.Op == node.OpFault {
		return i >= 2
	}
	return i == 1
}

// inBody tells whether n is among the nodes of a block that have an order there.
func inBody(n *node.Node) bool {
	return !n.Op.Is(node.Pinned) || n.Op == node.OpNew || n.Op == node.OpCast
}

type liveWalk struct {
	c     *scheduler
	seen  []bool
	phis  []*node.Node // seen, their inputs not walked yet
	stack []walkFrame
}

type walkFrame struct {
	n    *node.Node
	next int
}

// root walks what n needs, in postorder and without recursion.
func (w *liveWalk) root(n *node.Node) {
	w.enter(n)
	for len(w.stack) > 0 {
		top := &w.stack[len(w.stack)-1]
		if top.next == top.n.NumIn() {
			w.c.order = append(w.c.order, top.n)
			w.stack = w.stack[:len(w.stack)-1]
			continue
		}
		d := top.n.In(top.next)
		top.next++
		if d != nil {
			w.enter(d)
		}
	}
}

func (w *liveWalk) enter(n *node.Node) {
	if w.seen[n.ID] {
		return
	}
	w.seen[n.ID] = true
	switch {
	case n.Op == node.OpPhi:
		if r := n.In(0); r.IsRegion() && w.c.s.Block(r) != nil {
			w.c.s.at[n.ID] = w.c.s.at[r.ID]
			w.phis = append(w.phis, n)
			return
		}
		panic(w.c.g.Bug(n, "is used where control does not reach it"))
	case !inBody(n) || n.Op == node.OpConstant:
		return
	}
	w.stack = append(w.stack, walkFrame{n, 1})
}

// listPhis gives each block its Phis that matter, oldest first.
func (c *scheduler) listPhis(seen []bool) {
	for id := 1; id < len(seen); id++ {
		if !seen[id] {
			continue
		}
		if n := c.g.At(node.ID(id)); n.Op == node.OpPhi {
			b := c.s.Block(n)
			b.Phis = append(b.Phis, n)
		}
	}
	for _, l := range c.s.Loops {
		for _, phi := range l.Header.Phis {
			if !phi.IsMem() {
				l.values++
			}
		}
	}
}

// scheduleEarly finds the deepest block in which an input of a node is defined; control
// is one, of what it guards. News and Casts stay where their control is.
func (c *scheduler) scheduleEarly() {
	c.early = make([]int32, c.g.NumIDs())
	for _, n := range c.order {
		deepest := int32(0)
		for i := range n.NumIn() {
			if n.In(i) == nil {
				continue
			}
			if b := c.earliest(n.In(i)); c.tree.Depth[b] > c.tree.Depth[deepest] {
				deepest = b
			}
		}
		c.early[n.ID] = deepest
		if n.Op.Is(node.Pinned) {
			c.pin(n)
		}
	}
}

// pin places a New or a Cast.
func (c *scheduler) pin(n *node.Node) {
	b := c.s.Block(n.In(0))
	if b == nil {
		panic(c.g.Bug(n, "is used where control does not reach it"))
	}
	c.s.at[n.ID] = int32(b.ID) + 1
}

// earliest is the first block in which the value of n is there.
func (c *scheduler) earliest(n *node.Node) int32 {
	if at := c.s.at[n.ID]; at > 0 {
		return at - 1
	}
	return c.early[n.ID] // 0, the entry, for constants
}

// scheduleLate places users before what they use. The nearest block above all uses is the
// common dominator of the first and the last of them in preorder of the tree.
func (c *scheduler) scheduleLate() {
	for i := len(c.order) - 1; i >= 0; i-- {
		n := c.order[i]
		if n.Op.Is(node.Pinned) {
			continue
		}
		late := c.latest(n)
		if n.Op == node.OpLoad {
			late = c.aboveReplacers(n, late)
		}
		best := late
		if n.Op == node.OpStore {
			best = c.outOfLoops(n, late)
		} else {
			best = c.best(n, late)
		}
		c.s.at[n.ID] = int32(best) + 1
		if c.g.Listening() {
			c.g.Emit(node.Event{Kind: node.Placed, Node: n, Note: fmt.Sprintf("early %s, late %s, placed in %s, loop depth %d",
				c.s.Blocks[c.early[n.ID]].Name(), c.s.Blocks[late].Name(), c.s.Blocks[best].Name(), c.s.Blocks[best].LoopDepth())})
		}
	}
}

func (c *scheduler) latest(n *node.Node) int32 {
	first, last := int32(-1), int32(-1)
	use := func(b int32) {
		if first < 0 || c.tree.Pre[b] < c.tree.Pre[first] {
			first = b
		}
		if last < 0 || c.tree.Pre[b] > c.tree.Pre[last] {
			last = b
		}
	}
	for _, u := range n.Uses() {
		b := c.s.Block(u.User)
		if b == nil || u.User.Op == node.OpScope {
			continue // nobody needs that user
		}
		if u.User.Op != node.OpPhi {
			if u.User != b.End || needed(b.End, int(u.Index)) {
				use(int32(b.ID))
			}
			continue
		}
		for k, path := range b.Paths {
			if path == int(u.Index) {
				use(int32(b.Preds[k].ID))
			}
		}
	}
	if first < 0 {
		panic(c.g.Bug(n, "is placed but not used"))
	}
	return c.tree.Common(first, last)
}

// maxLoopValues is how many values may be live all through a loop before cheap ones are
// computed inside rather than kept (optimizations §B.4: 12 general registers).
const maxLoopValues = 12

// cheapOp is the largest cost of an op that is not worth a spilled register.
const cheapOp = 3

// best is late, or the block before a loop around it: there is one candidate for each
// loop that the inputs of n do not come from.
func (c *scheduler) best(n *node.Node, late int32) int32 {
	best := late
	if n.Op.Is(node.Bool) && c.onlyBranch(n, late) {
		return late // with its branch it needs no register
	}
	b := c.s.Blocks[late]
	for l := b.Loop; l != nil; l = l.Outer {
		before := l.Header.IDom
		if before == nil || !c.tree.Dominates(c.early[n.ID], int32(before.ID)) {
			break
		}
		if before.Freq > c.s.Blocks[best].Freq {
			break // it is seldom needed in there
		}
		if l.values >= maxLoopValues && n.Op.Info().Cost <= cheapOp {
			break
		}
		best = int32(before.ID)
	}
	for l := b.Loop; l != nil && !inside(c.s.Blocks[best], l); l = l.Outer {
		l.values++
	}
	return best
}

// onlyBranch tells whether n is used by nothing but the If of block b.
func (c *scheduler) onlyBranch(n *node.Node, b int32) bool {
	end := c.s.Blocks[b].End
	return end != nil && n.NumOut() == 1 && n.Out(0).User == end
}
