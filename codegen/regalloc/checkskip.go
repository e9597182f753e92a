package regalloc

import (
	"slices"

	"shoal/internal/domtree"
)

// skips lets a demand on a location go up the dominator tree past all blocks that cannot
// matter to it, in O(log n), where passing it from block to block would take as many
// steps as the live range has blocks.
//
// Let x dominate b, and consider a path from x to b that does not come back to x. It stays
// among the blocks that x dominates. So if no block that x dominates writes a location,
// apart from those that b dominates, then the location holds at the beginning of b what it
// held at the beginning of x, unless the path goes through b before: round a cycle on
// which all blocks but those of the part from x to b are dominated by b. A cycle that
// avoids x has its header among the blocks from x to b, the header not being x; so if b
// dominates a writer, x has to be the nearest header above b, or b itself if it is one.
// (With several entries to a cycle, every block that control joins in counts as a header.)
type skips struct {
	tree    *domtree.Tree
	preNum  []int32   // blocks by their number in preorder of the tree
	header  []int32   // by block: the nearest loop header that dominates it, itself included, or -1
	writers [][]int32 // by location: preorder numbers of the blocks that write it, ascending
}

// findWriters makes the tables. It tells whether the dominator tree is one.
func (c *checker) findWriters() bool {
	n := len(c.f.Blocks)
	succs := make([]int32, 0, 2)
	c.tree = domtree.New(n, func(b int32) []int32 {
		succs = succs[:0]
		for _, e := range c.f.Blocks[b].Succs {
			succs = append(succs, e.Block)
		}
		return succs
	})
	c.preNum = make([]int32, len(c.tree.RPO))
	for _, b := range c.tree.RPO {
		c.preNum[c.tree.Pre[b]] = b
	}
	if !c.checkTree() {
		c.errorf("the dominator tree is wrong")
		return false
	}
	c.findHeaders()
	c.writers = make([][]int32, len(c.now))
	for i, b := range c.preNum {
		for _, p := range c.blocks[b].ends {
			c.writers[p.at] = append(c.writers[p.at], int32(i))
		}
	}
	return true
}

// checkTree verifies what we use of the tree, so that the proof does not rest on how it
// was computed: it has the shape that Pre and Last say, and the parent of a block is an
// ancestor of each of its predecessors, whence ancestors dominate. (L. Georgiadis and R.
// Tarjan, "Dominator Tree Certification", TALG 2016, call it the parent property.)
func (c *checker) checkTree() bool {
	t := c.tree
	var open []int32 // the ancestors of the next block in preorder
	for i, b := range c.preNum {
		for len(open) > 0 && t.Last[open[len(open)-1]] < int32(i) {
			open = open[:len(open)-1]
		}
		if t.Pre[b] != int32(i) || t.Depth[b] != int32(len(open)) || i > 0 && (len(open) == 0 || t.IDom[b] != open[len(open)-1]) {
			return false
		}
		open = append(open, b)
		for _, e := range c.f.Blocks[b].Succs {
			if to := e.Block; to != 0 && !t.Dominates(t.IDom[to], b) {
				return false
			}
		}
	}
	return true
}

// findHeaders fills header.
func (c *checker) findHeaders() {
	n := len(c.f.Blocks)
	index, in := make([]int32, n), make([]int32, n)
	for i, b := range c.tree.RPO {
		index[b] = int32(i)
	}
	isHeader, irreducible := make([]bool, n), false
	for _, b := range c.tree.RPO {
		for _, e := range c.f.Blocks[b].Succs {
			in[e.Block]++
			if index[e.Block] <= index[b] {
				isHeader[e.Block] = true
				irreducible = irreducible || !c.tree.Dominates(e.Block, b)
			}
		}
	}
	c.header = make([]int32, n)
	for _, b := range c.preNum {
		switch {
		case isHeader[b] || irreducible && in[b] > 1:
			c.header[b] = b
		case b == 0:
			c.header[b] = -1
		default:
			c.header[b] = c.header[c.tree.IDom[b]]
		}
	}
}

// back returns the block at whose beginning location at holds what it holds at the
// beginning of block b, as far up as can be told. end says that this is also what it
// holds at the end of that block's parent.
func (c *checker) back(at location, b int32) (stop int32, end bool) {
	t := c.tree
	var writers []int32
	if int(at) < len(c.writers) {
		writers = c.writers[at]
	}
	lo, _ := slices.BinarySearch(writers, t.Pre[b])
	hi, _ := slices.BinarySearch(writers, t.Last[b]+1)
	// above is the nearest block above b that dominates a writer which b does not.
	above := int32(-1)
	if lo > 0 {
		above = t.Common(b, c.preNum[writers[lo-1]])
	}
	if hi < len(writers) {
		if a := t.Common(b, c.preNum[writers[hi]]); above < 0 || t.Depth[a] > t.Depth[above] {
			above = a
		}
	}
	if above >= 0 {
		stop = t.Ancestor(b, t.Depth[above]+1)
		// Nothing comes between if above is the only writer there.
		end = lo > 0 && writers[lo-1] == t.Pre[above] && (hi == len(writers) || writers[hi] > t.Last[above])
	}
	if h := c.header[b]; lo < hi && h >= 0 && t.Depth[h] >= t.Depth[stop] {
		return h, false
	}
	return stop, end
}
