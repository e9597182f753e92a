package regalloc

// A tree is a forest of parent links with jump links, in which an ancestor is found in
// O(log n) steps. E. Myers, "An Applicative Random-Access Stack", IPL 1983.
type tree struct {
	parent, jump, depth []int32
}

// newTree makes room for n nodes, which add must get before their children.
func newTree(n int) *tree {
	return &tree{make([]int32, n), make([]int32, n), make([]int32, n)}
}

// add puts node x below parent, or makes it a root if parent is none.
func (t *tree) add(x, parent int32) {
	t.parent[x] = parent
	if parent == none {
		t.jump[x], t.depth[x] = x, 0
		return
	}
	t.depth[x] = t.depth[parent] + 1
	j := t.jump[parent]
	if t.depth[parent]-t.depth[j] == t.depth[j]-t.depth[t.jump[j]] {
		t.jump[x] = t.jump[j]
	} else {
		t.jump[x] = parent
	}
}

// highest is the last node on the way up from x, x included, for which ok holds, where ok
// holds for x and from some ancestor on no more.
func (t *tree) highest(x int32, ok func(int32) bool) int32 {
	for {
		switch {
		case t.jump[x] != x && ok(t.jump[x]):
			x = t.jump[x]
		case t.parent[x] != none && ok(t.parent[x]):
			x = t.parent[x]
		default:
			return x
		}
	}
}

// common is the lowest common ancestor of a and b, which are in one tree.
func (t *tree) common(a, b int32) int32 {
	if t.depth[a] < t.depth[b] {
		a, b = b, a
	}
	for t.depth[a] > t.depth[b] {
		if t.depth[t.jump[a]] >= t.depth[b] {
			a = t.jump[a]
		} else {
			a = t.parent[a]
		}
	}
	for a != b {
		if t.jump[a] != t.jump[b] {
			a, b = t.jump[a], t.jump[b]
		} else {
			a, b = t.parent[a], t.parent[b]
		}
	}
	return a
}

// dominators is the dominator tree over blocks, with preorder numbers of the depth-first
// tree d. T. Lengauer and R. Tarjan, "A Fast Algorithm for Finding Dominators in a
// Flowgraph", TOPLAS 1979, the simple version: O(m log n).
func (g *flow) dominators(d *dfs) *tree {
	n := int32(len(d.vertex))
	semi, idom, best, anc := make([]int32, n), make([]int32, n), make([]int32, n), make([]int32, n)
	bucket, chain := make([]int32, n), make([]int32, n)
	for v := range n {
		semi[v], best[v], anc[v], bucket[v] = v, v, none, none
	}
	var path []int32
	// eval is the node of least semidominator on the way up to, not including, the root.
	eval := func(v int32) int32 {
		if anc[v] == none {
			return v
		}
		for u := v; anc[anc[u]] != none; u = anc[u] {
			path = append(path, u)
		}
		for len(path) > 0 {
			u := path[len(path)-1]
			path = path[:len(path)-1]
			if semi[best[anc[u]]] < semi[best[u]] {
				best[u] = best[anc[u]]
			}
			anc[u] = anc[anc[u]]
		}
		return best[v]
	}
	for w := n - 1; w > 0; w-- {
		for _, e := range g.preds(d.vertex[w]) {
			if s := semi[eval(d.pre[g.from[e]])]; s < semi[w] {
				semi[w] = s
			}
		}
		chain[w], bucket[semi[w]] = bucket[semi[w]], w
		p := d.parent[w]
		anc[w] = p
		for v := bucket[p]; v != none; v = chain[v] {
			if u := eval(v); semi[u] < semi[v] {
				idom[v] = u
			} else {
				idom[v] = p
			}
		}
		bucket[p] = none
	}
	t := newTree(len(g.f.Blocks))
	t.add(d.vertex[0], none)
	for w := int32(1); w < n; w++ {
		if idom[w] != semi[w] {
			idom[w] = idom[idom[w]]
		}
		t.add(d.vertex[w], d.vertex[idom[w]])
	}
	return t
}
