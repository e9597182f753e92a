// Package domtree computes the dominator tree of any flow graph.
//
// Needs: successor lists. Gives: parents, numbers for O(1) dominance tests, and nearest
// common dominators in O(log n). It knows nothing of blocks or instructions, so that code
// motion, linear SSA and allocation can all use it.
package domtree

// A Tree is the dominator tree of the vertices 0 to n-1 that vertex 0 reaches. All slices
// but RPO are indexed by vertex.
type Tree struct {
	RPO   []int32 // the reachable vertices in reverse postorder, 0 first
	IDom  []int32 // the parent; -1 for 0 and for what is not reached
	Depth []int32 // the distance from 0 in the tree
	Pre   []int32 // number in preorder of the tree; -1 if not reached
	Last  []int32 // the largest Pre below the vertex
	jump  []int32 // an ancestor some way up (Myers, "An Applicative Random-Access Stack", 1983)
}

// Reaches tells whether vertex 0 reaches v.
func (t *Tree) Reaches(v int32) bool { return t.Pre[v] >= 0 }

// Dominates tells whether every path from vertex 0 to b passes a. Both are reachable.
func (t *Tree) Dominates(a, b int32) bool { return t.Pre[a] <= t.Pre[b] && t.Pre[b] <= t.Last[a] }

// Common is the nearest vertex that dominates both a and b.
func (t *Tree) Common(a, b int32) int32 {
	a, b = t.Ancestor(a, min(t.Depth[a], t.Depth[b])), t.Ancestor(b, min(t.Depth[a], t.Depth[b]))
	for a != b {
		if t.jump[a] != t.jump[b] {
			a, b = t.jump[a], t.jump[b]
		} else {
			a, b = t.IDom[a], t.IDom[b]
		}
	}
	return a
}

// Ancestor is the vertex on the way from v to 0 that is at depth, which is at most v's.
func (t *Tree) Ancestor(v, depth int32) int32 {
	for t.Depth[v] > depth {
		v = t.up(v, depth)
	}
	return v
}

// up is an ancestor of v at depth or below it, as far as one step goes.
func (t *Tree) up(v, depth int32) int32 {
	if j := t.jump[v]; t.Depth[j] >= depth {
		return j
	}
	return t.IDom[v]
}

// New computes the tree of n vertices by the simple version of T. Lengauer and R. Tarjan,
// "A Fast Algorithm for Finding Dominators in a Flowgraph", TOPLAS 1979: O(e log n) on any
// graph. The slice that succs returns is read before it is called again.
func New(n int, succs func(v int32) []int32) *Tree {
	t := &Tree{IDom: make([]int32, n), Depth: make([]int32, n), Pre: make([]int32, n), Last: make([]int32, n), jump: make([]int32, n)}
	for i := range n {
		t.IDom[i], t.Pre[i] = -1, -1
	}
	if n == 0 {
		return t
	}
	w := walk(n, succs)
	t.RPO = w.rpo
	w.semidominators()
	t.number(w)
	return t
}

// A walker is the state of the algorithm. Vertices go by their number in depth-first
// order: a smaller one is nearer to the root.
type walker struct {
	vertex []int32 // of a number
	parent []int32 // in the depth-first tree
	from   []int32 // the edges: from[i] leads to to[i], both numbers
	to     []int32
	rpo    []int32
	semi   []int32
	idom   []int32
	// The forest of link and eval: ancestor -1 at a root; label is the number with the
	// least semi on the path that was compressed.
	ancestor, label []int32
	path            []int32
}

type frame struct {
	v          int32
	next, last int32 // its edges not yet followed are edges[next:last]
}

func walk(n int, succs func(v int32) []int32) *walker {
	w := &walker{}
	number := make([]int32, n) // plus one; 0 is not seen yet
	var stack []frame
	var edges []int32 // of the vertices on the stack
	enter := func(v, parent int32) {
		w.vertex, w.parent = append(w.vertex, v), append(w.parent, parent)
		number[v] = int32(len(w.vertex))
		first := int32(len(edges))
		edges = append(edges, succs(v)...)
		stack = append(stack, frame{v, first, int32(len(edges))})
	}
	enter(0, -1)
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if top.next == top.last {
			w.rpo = append(w.rpo, top.v)
			stack = stack[:len(stack)-1]
			if len(stack) > 0 {
				edges = edges[:stack[len(stack)-1].last]
			}
			continue
		}
		v, s := number[top.v]-1, edges[top.next]
		top.next++
		if number[s] == 0 {
			enter(s, v)
		}
		w.from, w.to = append(w.from, v), append(w.to, number[s]-1)
	}
	for i, j := 0, len(w.rpo)-1; i < j; i, j = i+1, j-1 {
		w.rpo[i], w.rpo[j] = w.rpo[j], w.rpo[i]
	}
	return w
}

// preds sorts the edges by their end: those into v are order[first[v]:first[v+1]].
func (w *walker) preds() (order, first []int32) {
	n := len(w.vertex)
	first = make([]int32, n+2)
	for _, v := range w.to {
		first[v+2]++
	}
	for i := 2; i < len(first); i++ {
		first[i] += first[i-1]
	}
	order = make([]int32, len(w.to))
	for i, v := range w.to {
		order[first[v+1]] = w.from[i]
		first[v+1]++
	}
	return order, first[:n+1]
}

func (w *walker) semidominators() {
	n := int32(len(w.vertex))
	order, first := w.preds()
	w.semi, w.idom = make([]int32, n), make([]int32, n)
	w.ancestor, w.label = make([]int32, n), make([]int32, n)
	bucket := make([]int32, n) // head of the list of vertices with this semidominator, plus one
	chain := make([]int32, n)  // next in that list, plus one
	for i := range n {
		w.semi[i], w.label[i], w.ancestor[i] = i, i, -1
	}
	for v := n - 1; v > 0; v-- {
		for _, p := range order[first[v]:first[v+1]] {
			w.semi[v] = min(w.semi[v], w.semi[w.eval(p)])
		}
		s, p := w.semi[v], w.parent[v]
		chain[v], bucket[s] = bucket[s], v+1
		w.ancestor[v] = p
		for u := bucket[p]; u != 0; u = chain[u-1] {
			best := w.eval(u - 1)
			w.idom[u-1] = p
			if w.semi[best] < p {
				w.idom[u-1] = best // its dominator is that of best, known below
			}
		}
		bucket[p] = 0
	}
	for v := int32(1); v < n; v++ {
		if w.idom[v] != w.semi[v] {
			w.idom[v] = w.idom[w.idom[v]]
		}
	}
}

// eval is the vertex with the least semi on the way up to the root of v's tree; the path
// is compressed, without recursion.
func (w *walker) eval(v int32) int32 {
	if w.ancestor[v] < 0 {
		return v
	}
	w.path = w.path[:0]
	for u := v; w.ancestor[w.ancestor[u]] >= 0; u = w.ancestor[u] {
		w.path = append(w.path, u)
	}
	for i := len(w.path) - 1; i >= 0; i-- {
		u := w.path[i]
		a := w.ancestor[u]
		if w.semi[w.label[a]] < w.semi[w.label[u]] {
			w.label[u] = w.label[a]
		}
		w.ancestor[u] = w.ancestor[a]
	}
	return w.label[v]
}

// number fills the tree: depths, numbers and jumps. Parents have smaller depth-first
// numbers than their children.
func (t *Tree) number(w *walker) {
	n := len(w.vertex)
	size := make([]int32, n)
	for v := n - 1; v > 0; v-- {
		size[v]++
		size[w.idom[v]] += size[v]
	}
	size[0]++
	next := make([]int32, n) // the number of the next child of a vertex
	for v := range n {
		x := w.vertex[v]
		if v == 0 {
			t.Pre[x] = 0
		} else {
			p := w.vertex[w.idom[v]]
			t.IDom[x], t.Depth[x] = p, t.Depth[p]+1
			t.Pre[x] = next[w.idom[v]]
			next[w.idom[v]] += size[v]
			t.setJump(x, p)
		}
		next[v] = t.Pre[x] + 1
		t.Last[x] = t.Pre[x] + size[v] - 1
	}
}

// setJump: a vertex jumps as far as its parent's jump and the jump behind it together if
// these are equally long, else to its parent.
func (t *Tree) setJump(v, p int32) {
	j := t.jump[p]
	if t.Depth[p]-t.Depth[j] == t.Depth[j]-t.Depth[t.jump[j]] {
		t.jump[v] = t.jump[j]
		return
	}
	t.jump[v] = p
}
