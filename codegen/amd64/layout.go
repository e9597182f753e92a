package amd64

import "shoal/codegen/mach"

// A layout of blocks is made of chains: blocks that follow each other because control
// most likely goes that way. Pettis and Hansen, "Profile Guided Code Positioning", PLDI
// 1990, section 4, with loop depth for frequency (optimizations §C.12). An edge that is
// always taken counts more than a branch of the same depth, and a branch whose other way
// leaves the loop counts least: where a chain has to break on its way around a loop, it
// breaks after the exit test, which so comes to the bottom.
type chains struct {
	f     *mach.Func
	succs [][2]int32 // where control goes after empty blocks are skipped; -1 for none
	next  []int32    // the next block of the chain, -1 at its end
	head  []int32    // the first block of the chain; right for the last block
	tail  []int32    // the last block of the chain; right for the first block
	inner []bool     // the block follows another in its chain
}

// edgeClasses is the number of weights that edges are sorted by: three for each loop
// depth up to maxDepth, and one for edges to or from cold blocks.
const (
	maxDepth    = 15
	edgeClasses = 3*(maxDepth+1) + 1
)

// An edge is numbered twice its block plus the index of the successor.
type edge int32

// blockOrder returns the blocks that are laid out, in order, and for each block the block
// where a jump to it ends: itself, or the target of the jump that is all it does.
func blockOrder(f *mach.Func) (order, forward []int32) {
	forward = forwardJumps(f)
	c := newChains(f, forward)
	classes := c.sortEdges(forward)
	for class := edgeClasses - 1; class >= 0; class-- {
		for _, e := range classes[class] {
			c.join(int32(e>>1), c.succs[e>>1][e&1])
		}
	}
	return c.place(), forward
}

// isEmpty tells whether a block does nothing but go on to its only successor.
func isEmpty(b *mach.Block) bool {
	return len(b.Succs) == 1 && bodyLen(b) == 0
}

// bodyLen is the number of instructions before the jump that layout decides about.
func bodyLen(b *mach.Block) int {
	n := len(b.Insts)
	if n > 0 && (b.Insts[n-1].Op == Jcc || b.Insts[n-1].Op == Jmp && b.Insts[n-1].Sym == 0) {
		n--
	}
	return n
}

// forwardJumps follows chains of empty blocks. A ring of empty blocks is an endless loop
// of the program; the chase ends at one of them, which stays.
func forwardJumps(f *mach.Func) []int32 {
	const unknown, onPath = -1, -2
	forward := make([]int32, len(f.Blocks))
	for b := range forward {
		forward[b] = unknown
	}
	var path []int32
	for b := range f.Blocks {
		at := int32(b)
		path = path[:0]
		for forward[at] == unknown && isEmpty(&f.Blocks[at]) {
			forward[at] = onPath
			path = append(path, at)
			at = f.Blocks[at].Succs[0].Block
		}
		if forward[at] >= 0 {
			at = forward[at]
		}
		forward[at] = at
		for _, p := range path {
			forward[p] = at
		}
	}
	return forward
}

func newChains(f *mach.Func, forward []int32) *chains {
	n := len(f.Blocks)
	store := make([]int32, 3*n)
	c := &chains{f: f, succs: make([][2]int32, n), next: store[:n], head: store[n : 2*n], tail: store[2*n:], inner: make([]bool, n)}
	for b := range f.Blocks {
		i := int32(b)
		c.next[b], c.head[b], c.tail[b] = -1, i, i
		c.succs[b] = [2]int32{-1, -1}
		for k, e := range f.Blocks[b].Succs {
			c.succs[b][k] = forward[e.Block]
		}
		if c.succs[b][0] == c.succs[b][1] {
			c.succs[b][1] = -1
		}
	}
	return c
}

// sortEdges sorts the edges into classes by weight, in the order of blocks within each.
func (c *chains) sortEdges(forward []int32) [edgeClasses][]edge {
	var classes [edgeClasses][]edge
	for b := range c.succs {
		if b != 0 && forward[b] != int32(b) {
			continue // nothing is left of it
		}
		for k, to := range c.succs[b] {
			if to >= 0 {
				w := c.class(int32(b), to)
				classes[w] = append(classes[w], edge(2*b+k))
			}
		}
	}
	return classes
}

// class is the weight of the edge from one block to another.
func (c *chains) class(from, to int32) int {
	a, b := &c.f.Blocks[from], &c.f.Blocks[to]
	if a.Cold || b.Cold {
		return 0
	}
	depth := min(a.Depth, b.Depth, maxDepth)
	w := 1 + 3*int(depth)
	other := c.succs[from][0]
	if other == to {
		other = c.succs[from][1]
	}
	switch {
	case other < 0:
		return w + 2
	case c.f.Blocks[other].Depth >= depth:
		return w + 1
	}
	return w
}

// join puts the chain that begins with to after the one that ends with from. A chain is
// cold as a whole or not at all: one cold block would take the others with it.
func (c *chains) join(from, to int32) {
	if to == 0 || c.next[from] >= 0 || c.inner[to] || c.head[from] == to || c.f.Blocks[from].Cold != c.f.Blocks[to].Cold {
		return
	}
	c.next[from], c.inner[to] = to, true
	first, last := c.head[from], c.tail[to]
	c.tail[first], c.head[last] = last, first
}

// place lays the chains out: the entry's first, then always the one with the heaviest
// edge from what is placed. What no edge leads to is unreachable and left out.
func (c *chains) place() []int32 {
	order := make([]int32, 0, len(c.succs))
	placed := make([]bool, len(c.succs))
	// first[b] is the first block of the chain of b.
	first := c.firsts()
	var ready [edgeClasses][]int32 // blocks that edges of this class lead to
	for b := int32(0); b >= 0; b = pop(&ready, placed, first) {
		for at := first[b]; at >= 0; at = c.next[at] {
			order = append(order, at)
			placed[at] = true
			for _, to := range c.succs[at] {
				if to >= 0 && !placed[to] {
					w := c.class(at, to)
					ready[w] = append(ready[w], to)
				}
			}
		}
	}
	return order
}

// firsts tells for each block the first of its chain.
func (c *chains) firsts() []int32 {
	first := make([]int32, len(c.next))
	for b := range c.next {
		if c.inner[b] {
			continue
		}
		for at := int32(b); at >= 0; at = c.next[at] {
			first[at] = int32(b)
		}
	}
	return first
}

// pop takes a block that is not placed from the heaviest class, -1 if there is none.
func pop(ready *[edgeClasses][]int32, placed []bool, first []int32) int32 {
	for class := edgeClasses - 1; class >= 0; class-- {
		for r := ready[class]; len(r) > 0; r = ready[class] {
			b := r[len(r)-1]
			ready[class] = r[:len(r)-1]
			if !placed[b] {
				return b
			}
		}
	}
	return -1
}
