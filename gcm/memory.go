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
// A Store is placed as late as its uses allow, but outside of the loops that it does not
// depend on. That is right because the graph comes from a program. There the Store stood in
// a block above all that uses it and after all that uses the state before it, so a later
// block that is still above its uses will do. And it stood outside of these loops: in a loop
// with a Store to its class the state is a Phi, on which that Store depends. It must not get
// into one, or it would run again when the state that it replaces is long over.
//
// Loads may have been made to skip Stores that they are disjoint from (node.Disjoint). If
// such a Load can only run behind the Store, it is taken to read the state after it. That it
// was right to skip the Store is not our question but Verify's.

// A state is what is known of one state of one class of memory that is loaded from.
type state struct {
	mem       *node.Node
	class     *types.Field
	loads     []*node.Node // live ones that read it
	replacers []replacer   // sorted by preorder number of blocks; only good once placed is set
	placed    bool
	inBlock   *node.Node // the last Store met that replaces it, while blocks are ordered
}

// A replacer is a Store or a Phi that makes another state out of one, and the block at
// whose end at the latest that happens.
type replacer struct {
	block int32
	by    *node.Node
}

// A memory is what the scheduler knows of Loads, Stores and Phis of memory.
type memory struct {
	live    []bool                  // by node ID
	class   []*types.Field          // by ID of a Phi of memory that is live
	states  []*state                // by ID of what makes the state
	initial map[*types.Field]*state // the states that the function begins with, which one node stands for
	reads   []*state                // by ID of a Load: what it reads
}

// stateOf is the state of a class that mem stands for, nil if no Load reads it.
func (m *memory) stateOf(mem *node.Node, class *types.Field) *state {
	if mem.Op == node.OpProj {
		return m.initial[class]
	}
	return m.states[mem.ID]
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
	n := c.g.NumIDs()
	c.mem = &memory{
		live: live, class: make([]*types.Field, n), states: make([]*state, n),
		initial: map[*types.Field]*state{}, reads: make([]*state, n),
	}
	for _, n := range c.order {
		if n.Op == node.OpStore || n.Op == node.OpLoad && n.In(1) != nil {
			c.mem.spread(n.In(1), n.Sym.Field)
			c.mem.spreadToUsers(n, n.Sym.Field)
		}
		if n.Op == node.OpLoad && n.In(1) != nil {
			c.mem.setReads(n, n.In(1))
		}
	}
	for !c.orderLoads() { // each time a Load reads a later state
	}
}

// spread notes the class of the Phis that n, a state of that class, is made of and goes
// into.
func (m *memory) spread(n *node.Node, class *types.Field) {
	todo := []*node.Node{n}
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if n.Op != node.OpPhi || !m.live[n.ID] || m.class[n.ID] != nil {
			continue
		}
		m.class[n.ID] = class
		for i := 1; i < n.NumIn(); i++ {
			if d := n.In(i); d != nil && d.Op == node.OpPhi {
				todo = append(todo, d)
			}
		}
		m.spreadToUsers(n, class)
	}
}

// spreadToUsers does that for the Phis that the state n goes into.
func (m *memory) spreadToUsers(n *node.Node, class *types.Field) {
	if !n.IsMem() {
		return
	}
	for _, u := range n.Uses() {
		if u.User.Op == node.OpPhi && m.class[u.User.ID] == nil {
			m.spread(u.User, class)
		}
	}
}

func (m *memory) setReads(load, mem *node.Node) {
	if old := m.reads[load.ID]; old != nil {
		old.loads = slices.DeleteFunc(old.loads, func(n *node.Node) bool { return n == load })
	}
	s := m.enter(mem, load.Sym.Field)
	m.reads[load.ID] = s
	s.loads = append(s.loads, load)
}

// enter is the state of a class that mem stands for, from now on known.
func (m *memory) enter(mem *node.Node, class *types.Field) *state {
	s := m.stateOf(mem, class)
	switch {
	case s != nil:
	case mem.Op == node.OpProj:
		s = &state{mem: mem, class: class}
		m.initial[class] = s
	default:
		s = &state{mem: mem, class: class}
		m.states[mem.ID] = s
	}
	return s
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
	if n.Op == node.OpStore {
		if s := c.mem.stateOf(n.In(1), n.Sym.Field); s != nil && k < len(s.loads) {
			return s.loads[k]
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
			c.mem.setReads(load, s)
			return
		}
	}
	panic(c.g.Bug(d, "needs itself"))
}

// outOfLoops is the block for a Store of which late is the last that its uses allow.
func (c *scheduler) outOfLoops(store *node.Node, late int32) int32 {
	best := late
	for l := c.s.Blocks[late].Loop; l != nil; l = l.Outer {
		before := l.Header.IDom
		if before == nil || !c.tree.Dominates(c.early[store.ID], int32(before.ID)) {
			break
		}
		best = int32(before.ID)
	}
	return best
}

// aboveReplacers is the latest block for a Load, given the one that its uses allow: it
// must dominate every replacer that lies under its earliest block. The replacers under a
// block are neighbours in preorder, and the first and the last of them, together with
// late, have the same common dominator as all.
func (c *scheduler) aboveReplacers(load *node.Node, late int32) int32 {
	if c.mem == nil || c.mem.reads[load.ID] == nil {
		return late
	}
	early := c.early[load.ID]
	s, i := c.stateAt(load, early)
	j, _ := slices.BinarySearchFunc(s.replacers, c.tree.Last[early]+1, c.byPre)
	if i < j {
		late = c.tree.Common(c.tree.Common(late, s.replacers[i].block), s.replacers[j-1].block)
	}
	return late
}

// stateAt is the state that a Load finds in its earliest block, with the index of the first
// replacer that is not before that block: of those before it, which the Load was made to
// skip, none dominates another, so that only the last may dominate the block.
func (c *scheduler) stateAt(load *node.Node, early int32) (*state, int) {
	for {
		s := c.mem.reads[load.ID]
		if !s.placed {
			c.findReplacers(s)
		}
		i, _ := slices.BinarySearchFunc(s.replacers, c.tree.Pre[early], c.byPre)
		if i == 0 || !c.tree.Dominates(s.replacers[i-1].block, early) {
			return s, i
		}
		c.mem.reads[load.ID] = c.mem.enter(s.replacers[i-1].by, s.class)
	}
}

func (c *scheduler) byPre(r replacer, pre int32) int { return cmp.Compare(c.tree.Pre[r.block], pre) }

// findReplacers lists the blocks of what replaces a state. All Stores that do are placed.
func (c *scheduler) findReplacers(s *state) {
	s.placed = true
	for _, u := range s.mem.Uses() {
		b := c.s.Block(u.User)
		switch {
		case b == nil || !c.mem.live[u.User.ID] || u.User == s.mem:
		case u.User.Op == node.OpStore && u.Index == 1 && u.User.Sym.Field == s.class:
			s.replacers = append(s.replacers, replacer{int32(b.ID), u.User})
		case u.User.Op == node.OpPhi && c.mem.class[u.User.ID] == s.class:
			for k, path := range b.Paths {
				if path == int(u.Index) {
					s.replacers = append(s.replacers, replacer{int32(b.Preds[k].ID), u.User})
				}
			}
		}
	}
	slices.SortFunc(s.replacers, func(a, b replacer) int { return c.byPre(a, c.tree.Pre[b.block]) })
}

// noteStores notes the Stores of a block with the states that they replace: no two of one
// block replace the same.
func (m *memory) noteStores(nodes []*node.Node) {
	if m == nil {
		return
	}
	for _, n := range nodes {
		if n.Op != node.OpStore {
			continue
		}
		if s := m.stateOf(n.In(1), n.Sym.Field); s != nil {
			s.inBlock = n
		}
	}
}

// storeAfter is the Store in the block of a Load that must come after it, nil if there is
// none.
func (c *scheduler) storeAfter(load *node.Node) *node.Node {
	if c.mem == nil || load.Op != node.OpLoad || c.mem.reads[load.ID] == nil {
		return nil
	}
	s := c.mem.reads[load.ID].inBlock
	if s == nil || c.s.at[s.ID] != c.s.at[load.ID] {
		return nil
	}
	return s
}
