package gcm

import (
	"cmp"
	"slices"

	"shoal/node"
	"shoal/node/types"
)

// # Memory
//
// A Store makes a state of a class of memory out of another one, and there is but one
// memory: a Load must run before whatever replaces the state that it reads. The graph has
// no edge for that (an anti-dependence; Click calls it so in section 2.4). The replacers
// of a state are the Stores that use it, where they are placed, and the ends of paths on
// which a Phi takes it.
//
// A Store is placed like a pure node. That is right because the graph comes from a program:
// in that program it stood in a block above all that uses it and after all that uses the
// state before it, so as late as possible it still is.
//
// Loads may have been made to skip Stores that they are disjoint from. If such a Load
// even depends on the Store, it is taken to read the state after it.

// isMem tells whether n is a state of memory.
func isMem(n *node.Node) bool {
	return n.Op == node.OpStore || n.Op == node.OpPhi && n.Type.Kind == types.KindMem
}

// A state is what is known of one state of memory that is loaded from.
type state struct {
	loads     []*node.Node // live ones that read it
	replacers []int32      // blocks, sorted by preorder number; only good once placed is set
	placed    bool
}

// orderMemory puts Loads before the Stores that replace what they read. Afterwards c.order
// has definitions before uses, and Loads before replacers.
func (c *scheduler) orderMemory(live []bool) {
	loads := false
	for _, n := range c.order {
		loads = loads || n.Op == node.OpLoad && n.In(1) != nil
	}
	if !loads {
		return
	}
	c.live = live
	c.reads = make([]*node.Node, c.g.NumIDs())
	c.states = make([]*state, c.g.NumIDs())
	for _, n := range c.order {
		if n.Op == node.OpLoad && n.In(1) != nil {
			c.setReads(n, n.In(1))
		}
	}
	for !c.orderLoads() { // each time a Load reads a later state
	}
}

func (c *scheduler) setReads(load, mem *node.Node) {
	if old := c.reads[load.ID]; old != nil {
		s := c.states[old.ID]
		s.loads = slices.DeleteFunc(s.loads, func(n *node.Node) bool { return n == load })
	}
	c.reads[load.ID] = mem
	if c.states[mem.ID] == nil {
		c.states[mem.ID] = &state{}
	}
	c.states[mem.ID].loads = append(c.states[mem.ID].loads, load)
}

// orderLoads makes the order anew in postorder of a walk in which a Store also needs the
// Loads of the state that it replaces. It gives up, and returns false, when a Load depends
// on such a Store; then that Load reads the state after it from now on.
func (c *scheduler) orderLoads() bool {
	const unseen, open, done = 0, 1, 2
	mark := make([]uint8, c.g.NumIDs())
	order := make([]*node.Node, 0, len(c.order))
	floats := make([]bool, c.g.NumIDs())
	for _, n := range c.order {
		floats[n.ID] = true
	}
	var stack []walkFrame
	for _, root := range c.order {
		if mark[root.ID] != unseen {
			continue
		}
		mark[root.ID] = open
		stack = append(stack, walkFrame{n: root})
		for len(stack) > 0 {
			top := &stack[len(stack)-1]
			d := c.need(top.n, top.next)
			top.next++
			switch {
			case d == end:
				mark[top.n.ID] = done
				order = append(order, top.n)
				stack = stack[:len(stack)-1]
			case d == nil || !floats[d.ID] || mark[d.ID] == done:
			case mark[d.ID] == open:
				c.readLater(stack, d)
				return false
			default:
				mark[d.ID] = open
				stack = append(stack, walkFrame{n: d})
			}
		}
	}
	c.order = order
	return true
}

// end is what need gives after the last.
var end = &node.Node{}

// need is the k-th node that must run before n: its inputs, then, for a Store, the Loads of
// the state that it replaces.
func (c *scheduler) need(n *node.Node, k int) *node.Node {
	if k < n.NumIn() {
		return n.In(k)
	}
	k -= n.NumIn()
	if n.Op == node.OpStore && c.states[n.In(1).ID] != nil {
		if loads := c.states[n.In(1).ID].loads; k < len(loads) {
			return loads[k]
		}
	}
	return end
}

// readLater breaks a cycle, which runs from d up to the end of the stack: where it goes
// from a Store to a Load of the state before, the Load is to read the last state on its way.
func (c *scheduler) readLater(stack []walkFrame, d *node.Node) {
	first := len(stack) - 1
	for stack[first].n != d {
		first--
	}
	cycle := stack[first:]
	for k := range cycle {
		store, load := cycle[k].n, cycle[(k+1)%len(cycle)].n
		if store.Op != node.OpStore || load.Op != node.OpLoad || cycle[k].next <= store.NumIn() {
			continue
		}
		for i := 2; i <= len(cycle); i++ {
			s := cycle[(k+i)%len(cycle)].n
			if s.Op != node.OpStore || s.Sym.Field != load.Sym.Field {
				continue
			}
			if !node.Disjoint(load, s) {
				panic(c.g.Bug(load, "reads a state of memory before node %d, which it depends on", s.ID))
			}
			c.setReads(load, s)
			return
		}
	}
	panic(c.g.Bug(d, "needs itself"))
}

// aboveReplacers is the latest block for a Load, given the one that its uses allow: it
// must dominate every replacer that lies under its earliest block. The replacers under a
// block are neighbours in preorder, and the first and the last of them, together with
// late, have the same common dominator as all.
func (c *scheduler) aboveReplacers(load *node.Node, late int32) int32 {
	mem := c.reads[load.ID]
	if mem == nil {
		return late
	}
	s := c.states[mem.ID]
	if !s.placed {
		c.findReplacers(mem, s)
	}
	early := c.early[load.ID]
	pre := func(b, at int32) int { return cmp.Compare(c.tree.Pre[b], at) }
	i, _ := slices.BinarySearchFunc(s.replacers, c.tree.Pre[early], pre)
	j, _ := slices.BinarySearchFunc(s.replacers, c.tree.Last[early]+1, pre)
	if i < j {
		late = c.tree.Common(c.tree.Common(late, s.replacers[i]), s.replacers[j-1])
	}
	return late
}

// findReplacers lists the blocks of what replaces a state. All Stores that do are placed.
func (c *scheduler) findReplacers(mem *node.Node, s *state) {
	s.placed = true
	for _, u := range mem.Uses() {
		b := c.s.Block(u.User)
		switch {
		case b == nil || !c.live[u.User.ID]:
		case u.User.Op == node.OpStore && u.Index == 1:
			s.replacers = append(s.replacers, int32(b.ID))
		case u.User.Op == node.OpPhi:
			for k, path := range b.Paths {
				if path == int(u.Index) {
					s.replacers = append(s.replacers, int32(b.Preds[k].ID))
				}
			}
		}
	}
	slices.SortFunc(s.replacers, func(a, b int32) int { return cmp.Compare(c.tree.Pre[a], c.tree.Pre[b]) })
}

// noteStores notes by the state that it replaces each Store of a block, in which no two
// replace the same one.
func (o *orderer) noteStores(nodes []*node.Node) {
	if o.c.reads == nil {
		return
	}
	if o.replacer == nil {
		o.replacer = make([]*node.Node, o.c.g.NumIDs())
	}
	for _, n := range nodes {
		if n.Op == node.OpStore {
			o.replacer[n.In(1).ID] = n
		}
	}
}
