package ssa

// A Dom is the dominator tree of the blocks that the entry reaches. All slices but RPO
// and Order are indexed by block.
type Dom struct {
	RPO   []int32 // the reachable blocks in reverse postorder, the entry first
	Order []int32 // the reachable blocks in preorder of the tree
	IDom  []int32 // the parent in the tree; -1 for the entry and for unreachable blocks
	Pre   []int32 // the index in Order; -1 for unreachable blocks
	Last  []int32 // the largest Pre in the block's subtree
}

// Reaches tells whether the entry reaches block b.
func (d *Dom) Reaches(b int32) bool { return d.Pre[b] >= 0 }

// Dominates tells whether every path from the entry to b passes a. Both are reachable.
func (d *Dom) Dominates(a, b int32) bool { return d.Pre[a] <= d.Pre[b] && d.Pre[b] <= d.Last[a] }

// Dominators computes the dominator tree of f by the simple version of Lengauer and
// Tarjan, "A Fast Algorithm for Finding Dominators in a Flowgraph", TOPLAS 1979: time
// O(E log N) on any input. It needs terminators only, not Preds.
func Dominators(f *Func) *Dom {
	n := len(f.Blocks)
	d := &Dom{IDom: make([]int32, n), Pre: make([]int32, n), Last: make([]int32, n)}
	for i := range n {
		d.IDom[i], d.Pre[i] = -1, -1
	}
	if n == 0 {
		return d
	}
	lt := newLengauer(f, d)
	lt.semidominators()
	d.number(lt.block, lt.idom)
	return d
}

// A lengauer is the state of the algorithm. Blocks go by their number in depth-first
// order, so that a smaller number is nearer to the root.
type lengauer struct {
	block  []int32 // the block of a number
	parent []int32 // in the depth-first tree
	preds  []int32 // the predecessors of number i are preds[first[i]:first[i+1]]
	first  []int32
	semi   []int32
	idom   []int32
	// The forest of link and eval: ancestor -1 at a root, label with the least semi on
	// the compressed path.
	ancestor, label []int32
	path            []int32
}

// newLengauer walks f in depth-first order, which also gives d.RPO.
func newLengauer(f *Func, d *Dom) *lengauer {
	n := len(f.Blocks)
	lt := &lengauer{}
	number := make([]int32, n) // number + 1; 0 is not yet seen
	type frame struct {
		block int32
		succ  int8
	}
	stack := make([]frame, 0, 64)
	enter := func(b, parent int32) {
		lt.block, lt.parent = append(lt.block, b), append(lt.parent, parent)
		number[b] = int32(len(lt.block))
		stack = append(stack, frame{block: b})
	}
	enter(0, -1)
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		targets := f.Blocks[top.block].Term.Targets()
		if int(top.succ) == len(targets) {
			d.RPO = append(d.RPO, top.block)
			stack = stack[:len(stack)-1]
			continue
		}
		next, from := targets[top.succ].Block, number[top.block]-1
		top.succ++
		if number[next] == 0 {
			enter(next, from)
		}
	}
	for i, j := 0, len(d.RPO)-1; i < j; i, j = i+1, j-1 {
		d.RPO[i], d.RPO[j] = d.RPO[j], d.RPO[i]
	}
	lt.linkPreds(f, number)
	return lt
}

// linkPreds lists the reachable predecessors of every number.
func (lt *lengauer) linkPreds(f *Func, number []int32) {
	lt.first = make([]int32, len(lt.block)+2)
	for _, b := range lt.block {
		for _, t := range f.Blocks[b].Term.Targets() {
			lt.first[number[t.Block]+1]++
		}
	}
	for i := 1; i < len(lt.first); i++ {
		lt.first[i] += lt.first[i-1]
	}
	lt.preds = make([]int32, lt.first[len(lt.first)-1])
	for i, b := range lt.block {
		for _, t := range f.Blocks[b].Term.Targets() {
			at := &lt.first[number[t.Block]]
			lt.preds[*at] = int32(i)
			*at++
		}
	}
	// Filling moved every start to the next one's place, one slot to the left of it.
}

// semidominators runs steps 2 to 4 of the algorithm: semidominators by eval over the
// vertices already linked, then immediate dominators from them.
func (lt *lengauer) semidominators() {
	n := int32(len(lt.block))
	lt.semi, lt.idom = make([]int32, n), make([]int32, n)
	lt.ancestor, lt.label = make([]int32, n), make([]int32, n)
	bucket, next := make([]int32, n), make([]int32, n) // lists of vertices by semidominator
	for i := range n {
		lt.semi[i], lt.label[i], lt.ancestor[i], bucket[i] = i, i, -1, -1
	}
	for w := n - 1; w > 0; w-- {
		for _, v := range lt.preds[lt.first[w]:lt.first[w+1]] {
			lt.semi[w] = min(lt.semi[w], lt.semi[lt.eval(v)])
		}
		next[w], bucket[lt.semi[w]] = bucket[lt.semi[w]], w
		p := lt.parent[w]
		lt.ancestor[w] = p // link
		for v := bucket[p]; v >= 0; v = next[v] {
			lt.idom[v] = p
			if u := lt.eval(v); lt.semi[u] < lt.semi[v] {
				lt.idom[v] = u
			}
		}
		bucket[p] = -1
	}
	lt.idom[0] = -1
	for w := int32(1); w < n; w++ {
		if lt.idom[w] != lt.semi[w] {
			lt.idom[w] = lt.idom[lt.idom[w]]
		}
	}
}

// eval returns the vertex of least semidominator on the path from v up to, but not with,
// the root of its tree, and shortens that path.
func (lt *lengauer) eval(v int32) int32 {
	if lt.ancestor[v] < 0 {
		return v
	}
	path := lt.path[:0]
	for u := v; lt.ancestor[lt.ancestor[u]] >= 0; u = lt.ancestor[u] {
		path = append(path, u)
	}
	for i := len(path) - 1; i >= 0; i-- {
		u := path[i]
		a := lt.ancestor[u]
		if lt.semi[lt.label[a]] < lt.semi[lt.label[u]] {
			lt.label[u] = lt.label[a]
		}
		lt.ancestor[u] = lt.ancestor[a]
	}
	lt.path = path
	return lt.label[v]
}

// number fills d from the immediate dominators by depth-first number. A parent has a
// smaller number than its children, so two sweeps do without a stack.
func (d *Dom) number(block, idom []int32) {
	n := len(block)
	size, next := make([]int32, n), make([]int32, n)
	for w := n - 1; w >= 0; w-- {
		size[w]++
		if w > 0 {
			size[idom[w]] += size[w]
		}
	}
	d.Order = make([]int32, n)
	for w := range n {
		b, pre := block[w], int32(0)
		if w > 0 {
			p := idom[w]
			d.IDom[b] = block[p]
			pre = next[p]
			next[p] += size[w]
		}
		next[w] = pre + 1
		d.Pre[b], d.Last[b], d.Order[pre] = pre, pre+size[w]-1, b
	}
}
