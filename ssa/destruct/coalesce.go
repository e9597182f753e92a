package destruct

import (
	"slices"

	"shoal/ssa"
)

// budgetPerItem bounds the work of coalescing, in steps for each value, block and
// argument. Random functions full of loops need about two, those of people less; what
// exceeds it is left uncoalesced, so that time is linear in the function whatever it is.
const budgetPerItem = 16

// coalesce decides which variables share a name. It returns for each variable of t, by
// number, the one that represents its class.
//
// Every parameter p starts as a copy p = p' of its isolated variable at the top of its
// block, where the edges write p'. Classes of p, p' and the arguments are joined one pair
// at a time, unless that would bring together two variables of which one is live at the
// definition of the other and which differ in value. Arguments on critical edges come
// first, because what stays there costs a block; then p with p'; then the other arguments.
// In each step the innermost loops come first, because they are executed most.
func coalesce(t *translation, budget int) []int32 {
	c := newCoalescer(t, budget)
	order := byDepth(t)
	c.joinEdges(order, true)
	for _, b := range order {
		for i, p := range t.f.Blocks[b].Params {
			c.join(c.rank[p], c.rank[t.isolated(b, i)])
		}
	}
	c.joinEdges(order, false)
	return c.result()
}

// byDepth lists the reachable blocks, those in the innermost loops first and those of one
// loop depth in reverse postorder.
func byDepth(t *translation) []int32 {
	depth := ssa.LoopDepths(t.f, t.dom)
	next := []int32{} // by depth: how many blocks have it; then, where the next one goes
	for _, b := range t.dom.RPO {
		for int(depth[b]) >= len(next) {
			next = append(next, 0)
		}
		next[depth[b]]++
	}
	sum := int32(0)
	for d := len(next) - 1; d >= 0; d-- {
		sum, next[d] = sum+next[d], sum
	}
	order := make([]int32, sum)
	for _, b := range t.dom.RPO {
		order[next[depth[b]]] = b
		next[depth[b]]++
	}
	return order
}

// joinEdges joins arguments with the isolated variables that they go to, for all critical
// edges or for all others.
func (c *coalescer) joinEdges(order []int32, critical bool) {
	for _, b := range order {
		succs := c.t.f.Blocks[b].Term.Targets()
		for k := range succs {
			if to := &succs[k]; critical == (len(succs) > 1 && c.t.preds[to.Block] > 1) {
				c.joinArgs(to)
			}
		}
	}
}

type coalescer struct {
	t *translation
	*classes
	live   *liveness
	budget int
	rank   []int32       // by variable number; none for what is no variable
	number []int32       // by rank: the variable number
	def    []place       // by rank
	value  []ssa.ValueID // by rank: what it holds; equal means equal whenever both are live
	small  []int32       // members of the smaller class, in a join
}

func newCoalescer(t *translation, budget int) *coalescer {
	f := t.f
	c := &coalescer{t: t, budget: budget}
	c.live = newLiveness(f, t.dom, &c.budget)
	total := len(f.Values) + len(t.params)
	c.rank = make([]int32, total)
	for v := range c.rank {
		c.rank[v] = none
	}
	c.number, c.def = make([]int32, 0, total), make([]place, 0, total)
	end := make([]int32, len(t.dom.Order)) // by preorder: the rank after the block
	for i, b := range t.dom.Order {
		c.rankBlock(b)
		end[i] = int32(len(c.number))
	}
	last := make([]int32, len(c.number))
	for r := range last {
		last[r] = end[t.dom.Last[c.def[r].block]] - 1
	}
	c.classes = newClasses(last)
	same := sameValues(t)
	c.value = make([]ssa.ValueID, len(c.number))
	for r, v := range c.number {
		c.value[r] = find(same, t.source(v))
	}
	return c
}

// source is the value that variable number v holds.
func (t *translation) source(v int32) ssa.ValueID {
	if n := int32(len(t.f.Values)); v >= n {
		return t.params[v-n]
	}
	return ssa.ValueID(v)
}

// rankBlock ranks the variables of block b.
func (c *coalescer) rankBlock(b int32) {
	block := &c.t.f.Blocks[b]
	if b == 0 {
		for _, v := range c.t.f.Inputs {
			c.add(int32(v), place{b, atInputs})
		}
	}
	for i := range block.Params {
		c.add(int32(c.t.isolated(b, i)), place{b, atIsolated})
	}
	for _, v := range block.Params {
		c.add(int32(v), place{b, atParams})
	}
	for j, v := range block.Body {
		if c.t.f.Values[v].HasResult() {
			c.add(int32(v), place{b, int32(j)})
		}
	}
}

func (c *coalescer) add(v int32, p place) {
	c.rank[v] = int32(len(c.number))
	c.number, c.def = append(c.number, v), append(c.def, p)
}

// joinArgs joins the arguments of an edge with the isolated variables they go to.
func (c *coalescer) joinArgs(to *ssa.Target) {
	for i, a := range to.Args {
		if r := c.rank[a]; r != none { // not a constant
			c.join(r, c.rank[c.t.isolated(to.Block, i)])
		}
	}
}

// join makes one class of those of ranks a and b if their members do not interfere.
//
// The paper walks both classes side by side, which is quadratic when the arguments of one
// parameter are joined one by one. Here each member of the smaller class looks for its
// neighbours in the tree of the larger one.
func (c *coalescer) join(a, b int32) {
	a, b = c.find(a), c.find(b)
	if a == b {
		return
	}
	if c.size[a] > c.size[b] {
		a, b = b, a
	}
	c.small = c.members(c.small[:0], c.root[a])
	for _, x := range c.small {
		if c.interferes(x, c.root[b]) {
			return
		}
	}
	for _, x := range c.small {
		c.link(x, b)
	}
	c.parent[a] = b
	c.size[b] += c.size[a]
}

// interferes tells whether x conflicts with a variable in the tree of another class. In
// that class itself nothing conflicts. So all of its variables that are live at x hold one
// value, and the nearest of them is the nearest above x or equal to that one in value and
// live there: it is on its chain of equals. Below x, if x is dead at a definition, it is
// dead at all that this definition dominates.
func (c *coalescer) interferes(x, tree int32) bool {
	if z := c.liveAbove(x, tree); z != none && c.value[z] != c.value[x] {
		return true
	}
	for y := c.next(tree, x); y != none && y <= c.last[x]; {
		if !c.liveAt(x, y) {
			y = c.next(tree, c.last[y])
			continue
		}
		if c.value[x] != c.value[y] {
			return true
		}
		y = c.next(tree, y)
	}
	return c.budget < 0
}

// liveAbove is the nearest variable of the tree above x that is live at x's definition.
func (c *coalescer) liveAbove(x, tree int32) int32 {
	z := c.above(tree, x)
	for z != none && !c.liveAt(z, x) {
		z = c.equal[z]
	}
	return z
}

// link moves x into the tree of class b, which it does not interfere with.
func (c *coalescer) link(x, b int32) {
	c.equal[x] = c.liveAbove(x, c.root[b])
	for y := c.next(c.root[b], x); y != none && y <= c.last[x]; {
		if !c.liveAt(x, y) {
			y = c.next(c.root[b], c.last[y])
			continue
		}
		c.equal[y] = max(c.equal[y], x) // of two above y, the later is the nearer
		y = c.next(c.root[b], y)
	}
	c.nodes[x] = treeNode{left: none, right: none, reach: c.last[x]}
	c.root[b] = c.insert(c.root[b], x)
}

// liveAt tells whether x, which dominates y, still has to keep its value just after the
// definition of y. Variables that are defined at one place are written together, so that
// they cannot share a location even if nothing reads them.
func (c *coalescer) liveAt(x, y int32) bool {
	if c.budget--; c.budget < 0 {
		return true
	}
	if c.def[x] == c.def[y] {
		return true
	}
	v := c.number[x]
	if v >= int32(len(c.t.f.Values)) {
		return false // isolated: read just after its definition, and by nobody else
	}
	return c.live.after(ssa.ValueID(v), c.def[y])
}

// result maps each variable number to that of the first value of its class, which lends
// its name; the isolated variable does so only if it is alone.
func (c *coalescer) result() []int32 {
	n := int32(len(c.t.f.Values))
	lead := slices.Repeat([]int32{none}, len(c.number)) // by representative
	for r, v := range c.number {
		if k := c.find(int32(r)); lead[k] == none || lead[k] >= n && v < n {
			lead[k] = v
		}
	}
	class := make([]int32, len(c.rank))
	for v, r := range c.rank {
		class[v] = int32(v)
		if r != none {
			class[v] = lead[c.find(r)]
		}
	}
	return class
}
