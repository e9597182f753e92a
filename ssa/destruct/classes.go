package destruct

// classes is a partition of variables into classes of names that share one location.
//
// Variables go by rank: their order in a preorder walk of the dominator tree, and in it
// by place. So the variables that the definition of r dominates are exactly those from
// r+1 up to last[r]. A class is a tree sorted by rank, of random shape by a hash of the
// rank (a treap: R. Seidel and C. Aragon, "Randomized Search Trees", Algorithmica 1996).
type classes struct {
	parent []int32 // union-find over ranks
	size   []int32 // of a representative
	root   []int32 // of a representative: the root of its tree
	nodes  []treeNode
	last   []int32 // by rank
	// equal is by rank the nearest variable above in its class that is live at its
	// definition, and so has the same value; none if there is none.
	equal []int32
	stack []int32
}

// A treeNode is a variable in the tree of its class.
type treeNode struct {
	left, right int32 // none at a leaf
	reach       int32 // the largest last in this subtree
}

const none int32 = -1

func newClasses(last []int32) *classes {
	n := len(last)
	c := &classes{
		parent: make([]int32, n), size: make([]int32, n), root: make([]int32, n),
		nodes: make([]treeNode, n), last: last, equal: make([]int32, n),
	}
	for r := range int32(n) {
		c.parent[r], c.size[r], c.root[r], c.equal[r] = r, 1, r, none
		c.nodes[r] = treeNode{left: none, right: none, reach: last[r]}
	}
	return c
}

func (c *classes) find(r int32) int32 {
	for c.parent[r] != r {
		c.parent[r] = c.parent[c.parent[r]]
		r = c.parent[r]
	}
	return r
}

// priority orders a variable among its ancestors in the tree: a hash that is a bijection
// (the finalizer of MurmurHash3), so that any set of ranks makes a shallow tree.
func priority(r int32) uint32 {
	h := uint32(r)
	h = (h ^ h>>16) * 0x85ebca6b
	h = (h ^ h>>13) * 0xc2b2ae35
	return h ^ h>>16
}

// above returns the nearest variable of the tree t that dominates rank r: of those
// with a smaller rank whose subtree r lies in, the last.
func (c *classes) above(t, r int32) int32 {
	if t == none || c.nodes[t].reach < r {
		return none
	}
	if t >= r {
		return c.above(c.nodes[t].left, r)
	}
	if a := c.above(c.nodes[t].right, r); a != none {
		return a
	}
	if c.last[t] >= r {
		return t
	}
	return c.above(c.nodes[t].left, r)
}

// next returns the first variable of the tree t after rank r.
func (c *classes) next(t, r int32) int32 {
	best := none
	for t != none {
		if t > r {
			best, t = t, c.nodes[t].left
		} else {
			t = c.nodes[t].right
		}
	}
	return best
}

// insert puts the single node r into the tree t and returns its new root.
func (c *classes) insert(t, r int32) int32 {
	if t == none {
		return r
	}
	if priority(r) > priority(t) {
		c.nodes[r].left, c.nodes[r].right = c.cut(t, r)
		c.update(r)
		return r
	}
	if r < t {
		c.nodes[t].left = c.insert(c.nodes[t].left, r)
	} else {
		c.nodes[t].right = c.insert(c.nodes[t].right, r)
	}
	c.update(t)
	return t
}

// cut splits the tree t into the ranks below and above r.
func (c *classes) cut(t, r int32) (low, high int32) {
	if t == none {
		return none, none
	}
	if t < r {
		c.nodes[t].right, high = c.cut(c.nodes[t].right, r)
		c.update(t)
		return t, high
	}
	low, c.nodes[t].left = c.cut(c.nodes[t].left, r)
	c.update(t)
	return low, t
}

func (c *classes) update(t int32) {
	n := &c.nodes[t]
	n.reach = c.last[t]
	if n.left != none {
		n.reach = max(n.reach, c.nodes[n.left].reach)
	}
	if n.right != none {
		n.reach = max(n.reach, c.nodes[n.right].reach)
	}
}

// members lists the tree t in order of rank.
func (c *classes) members(list []int32, t int32) []int32 {
	c.stack = c.stack[:0]
	for t != none || len(c.stack) > 0 {
		for ; t != none; t = c.nodes[t].left {
			c.stack = append(c.stack, t)
		}
		t = c.stack[len(c.stack)-1]
		c.stack = c.stack[:len(c.stack)-1]
		list = append(list, t)
		t = c.nodes[t].right
	}
	return list
}
