package regalloc

import "shoal/codegen/mach"

// none is the absent block, edge, loop or value in side tables.
const none = int32(-1)

// A flow is what the allocator knows of the control-flow graph: numbered edges, a linear
// order of the blocks in which every loop is contiguous, and the loop forest.
type flow struct {
	f *mach.Func

	edgeBase  []int32 // by block: number of its first edge; edge k of block b is edgeBase[b]+k
	from      []int32 // by edge: the block it leaves
	to        []int32 // by edge: the block it enters
	predStart []int32 // by block: where its edges begin in predEdges
	predEdges []int32 // edges from reachable blocks, grouped by the block they enter

	linear []int32 // reachable blocks: reverse postorder, with each loop in one piece
	pos    []int32 // by block: index in linear, none if unreachable

	hasParams []bool // by block

	loop  []int32 // by block: header of the innermost loop it is in (a header is in its own)
	outer []int32 // by header: header of the next loop around
	last  []int32 // by header: position in linear of the last block of the loop
	depth []int32 // by block: number of loops around it

	// irreducible tells that some loop has a second entry: then an order with contiguous
	// loops need not put all forward edges forward.
	irreducible bool
}

// newFlow numbers edges, finds loops and orders the blocks.
func newFlow(f *mach.Func) (*flow, *dfs) {
	n := len(f.Blocks)
	g := &flow{f: f, edgeBase: make([]int32, n+1), hasParams: make([]bool, n)}
	for b := range f.Blocks {
		g.hasParams[b] = len(f.Blocks[b].Params) > 0
		g.edgeBase[b+1] = g.edgeBase[b] + int32(len(f.Blocks[b].Succs))
	}
	edges := g.edgeBase[n]
	g.from, g.to = make([]int32, edges), make([]int32, edges)
	for b := range f.Blocks {
		for k, e := range f.Blocks[b].Succs {
			g.from[g.edgeBase[b]+int32(k)] = int32(b)
			g.to[g.edgeBase[b]+int32(k)] = e.Block
		}
	}
	d := g.search()
	g.linkPreds(d)
	g.findLoops(d)
	g.arrange(d)
	return g, d
}

// preds are the numbers of the edges into block b that come from reachable blocks.
func (g *flow) preds(b int32) []int32 {
	return g.predEdges[g.predStart[b]:g.predStart[b+1]]
}

// onlyPred tells whether the edge e into its block is the only way in. The function itself
// begins in block 0.
func (g *flow) onlyPred(e int32) bool {
	to := g.to[e]
	return to != 0 && len(g.preds(to)) == 1
}

// reachable tells whether the entry reaches block b.
func (g *flow) reachable(b int32) bool { return g.pos[b] != none }

// isHeader tells whether b is the header of a loop.
func (g *flow) isHeader(b int32) bool { return g.loop[b] == b }

// within tells whether block b is in the loop of header h.
func (g *flow) within(b, h int32) bool {
	return g.pos[h] <= g.pos[b] && g.pos[b] <= g.last[h]
}

// A dfs is a depth-first spanning tree of the reachable blocks.
type dfs struct {
	pre    []int32 // by block: preorder number, none if unreachable
	vertex []int32 // by preorder number: block
	parent []int32 // by preorder number: preorder number of the tree parent
	end    []int32 // by preorder number: the largest number among its descendants
	post   []int32 // blocks in postorder
}

// search walks the graph depth first. Successors are visited from the last to the first,
// so that reverse postorder puts the first of them first.
func (g *flow) search() *dfs {
	n := len(g.f.Blocks)
	d := &dfs{pre: make([]int32, n), post: make([]int32, 0, n)}
	d.vertex, d.parent, d.end = make([]int32, 0, n), make([]int32, 0, n), make([]int32, n)
	for b := range d.pre {
		d.pre[b] = none
	}
	type frame struct{ block, edge int32 }
	var stack []frame
	visit := func(b, parent int32) {
		d.pre[b] = int32(len(d.vertex))
		d.vertex = append(d.vertex, b)
		d.parent = append(d.parent, parent)
		stack = append(stack, frame{b, g.edgeBase[b+1]})
	}
	visit(0, none)
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if top.edge > g.edgeBase[top.block] {
			top.edge--
			if t := g.to[top.edge]; d.pre[t] == none {
				visit(t, d.pre[top.block])
			}
			continue
		}
		d.end[d.pre[top.block]] = int32(len(d.vertex)) - 1
		d.post = append(d.post, top.block)
		stack = stack[:len(stack)-1]
	}
	return d
}

// linkPreds groups the edges that leave reachable blocks by the block they enter.
func (g *flow) linkPreds(d *dfs) {
	n := len(g.f.Blocks)
	g.predStart = make([]int32, n+1)
	for e, t := range g.to {
		if d.pre[g.from[e]] != none {
			g.predStart[t+1]++
		}
	}
	for b := range n {
		g.predStart[b+1] += g.predStart[b]
	}
	g.predEdges = make([]int32, g.predStart[n])
	fill := append([]int32(nil), g.predStart[:n]...)
	for e, t := range g.to {
		if d.pre[g.from[e]] != none {
			g.predEdges[fill[t]] = int32(e)
			fill[t]++
		}
	}
}

// findLoops builds the loop forest: inner loops first, each collapsed into its header by
// union-find, so that every edge is looked at once.
// P. Havlak, "Nesting of Reducible and Irreducible Loops", TOPLAS 1997. An edge into a
// loop beside its header is noted and otherwise ignored.
func (g *flow) findLoops(d *dfs) {
	n := len(g.f.Blocks)
	g.loop, g.outer = make([]int32, n), make([]int32, n)
	for b := range n {
		g.loop[b], g.outer[b] = none, none
	}
	rep := make([]int32, len(d.vertex)) // union-find parent, by preorder number
	inBody := make([]int32, len(d.vertex))
	for i := range rep {
		rep[i], inBody[i] = int32(i), none
	}
	var body []int32
	for w := int32(len(d.vertex)) - 1; w >= 0; w-- {
		h := d.vertex[w]
		body = body[:0]
		looping := false
		add := func(x int32) {
			if x != w && inBody[x] != w {
				inBody[x] = w
				body = append(body, x)
			}
		}
		for _, e := range g.preds(h) {
			if v := d.pre[g.from[e]]; w <= v && v <= d.end[w] {
				looping = true
				add(find(rep, v))
			}
		}
		if !looping {
			continue
		}
		for i := 0; i < len(body); i++ {
			for _, e := range g.preds(d.vertex[body[i]]) {
				y := find(rep, d.pre[g.from[e]])
				if y < w || y > d.end[w] {
					g.irreducible = true
					continue
				}
				add(y)
			}
		}
		g.loop[h] = h
		for _, x := range body {
			rep[x] = w
			if b := d.vertex[x]; g.loop[b] == b {
				g.outer[b] = h
			} else {
				g.loop[b] = h
			}
		}
	}
}

// find is the representative of x, with path halving.
func find(rep []int32, x int32) int32 {
	for rep[x] != x {
		rep[x] = rep[rep[x]]
		x = rep[x]
	}
	return x
}

// arrange orders the blocks: reverse postorder within each loop, where an inner loop
// counts as one item standing at its header.
func (g *flow) arrange(d *dfs) {
	n := len(g.f.Blocks)
	g.pos, g.last, g.depth = make([]int32, n), make([]int32, n), make([]int32, n)
	next := make([]int32, n)
	first, tail := make([]int32, n+1), make([]int32, n+1) // item lists by header; n is no loop
	for b := range n {
		g.pos[b], next[b], first[b], tail[b] = none, none, none, none
	}
	first[n], tail[n] = none, none
	for i := len(d.post) - 1; i >= 0; i-- {
		b := d.post[i]
		list := g.loop[b]
		if list == b {
			list = g.outer[b]
		}
		if list == none {
			list = int32(n)
		}
		if tail[list] == none {
			first[list] = b
		} else {
			next[tail[list]] = b
		}
		tail[list] = b
	}
	g.linear = make([]int32, 0, len(d.post))
	var open []int32 // headers of the loops around the next item
	for b := first[n]; ; {
		for b == none && len(open) > 0 {
			h := open[len(open)-1]
			open = open[:len(open)-1]
			g.last[h] = int32(len(g.linear)) - 1
			b = next[h]
		}
		if b == none {
			return
		}
		g.pos[b] = int32(len(g.linear))
		g.linear = append(g.linear, b)
		g.depth[b] = int32(len(open))
		if g.loop[b] != b {
			b = next[b]
			continue
		}
		g.depth[b]++
		open = append(open, b)
		b = first[b]
	}
}

// maxExits is how many loop exits an edge is charged for; more make no difference.
const maxExits = 8

// exits counts the loops that edge e leaves, up to maxExits.
func (g *flow) exits(e int32) int32 {
	n := int32(0)
	to := g.to[e]
	for h := g.loop[g.from[e]]; h != none && n < maxExits && !g.within(to, h); h = g.outer[h] {
		n++
	}
	return n
}
