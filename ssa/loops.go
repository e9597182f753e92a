package ssa

// SetDepths enters the loop depth of every block; see LoopDepths.
func (f *Func) SetDepths(d *Dom) {
	for b, depth := range LoopDepths(f, d) {
		f.Blocks[b].Depth = depth
	}
}

// LoopDepths computes the loop depth of every block: the number of natural loops that it
// is in. A natural loop belongs to a header that dominates the source of an edge to it;
// cycles without such a header (irreducible ones) do not count. It needs Preds.
//
// Headers are taken innermost first, and each loop found is collapsed into its header by
// union-find, so that a block is walked once for each loop level that borders on it and
// no more: near-linear. Havlak, "Nesting of Reducible and Irreducible Loops", TOPLAS 1997.
func LoopDepths(f *Func, d *Dom) []int32 {
	n := len(f.Blocks)
	l := &loopFinder{f: f, d: d, rep: make([]int32, n), header: make([]int32, n)}
	for b := range n {
		l.rep[b], l.header[b] = int32(b), -1
	}
	isHeader := make([]bool, n)
	for i := len(d.Order) - 1; i >= 0; i-- {
		isHeader[d.Order[i]] = l.loop(d.Order[i])
	}
	depth := make([]int32, n)
	// Headers dominate their loops, so preorder meets the outer header first.
	for _, b := range d.Order {
		if h := l.header[b]; h >= 0 {
			depth[b] = depth[h]
		}
		if isHeader[b] {
			depth[b]++
		}
	}
	return depth
}

type loopFinder struct {
	f      *Func
	d      *Dom
	rep    []int32 // union-find: the outermost header found so far that a block is in
	header []int32 // the innermost header of a block; of a header, the next outer one
	stack  []int32
}

// loop collects the loop of header h, if there is one.
func (l *loopFinder) loop(h int32) bool {
	found := false
	l.stack = l.stack[:0]
	for _, e := range l.f.Blocks[h].Preds {
		if l.d.Reaches(e.Block) && l.d.Dominates(h, e.Block) {
			found = true
			l.push(h, e.Block)
		}
	}
	for len(l.stack) > 0 {
		b := l.stack[len(l.stack)-1]
		l.stack = l.stack[:len(l.stack)-1]
		for _, e := range l.f.Blocks[b].Preds {
			if l.d.Reaches(e.Block) {
				l.push(h, e.Block)
			}
		}
	}
	return found
}

// push adds the collapsed block of b to the loop of h, if it is new to it. h dominates b:
// else a path to b, and on to the source of the back edge, would avoid h.
func (l *loopFinder) push(h, b int32) {
	if b = l.find(b); b == h {
		return
	}
	l.rep[b], l.header[b] = h, h
	l.stack = append(l.stack, b)
}

// find returns the representative of b, halving its path.
func (l *loopFinder) find(b int32) int32 {
	for l.rep[b] != b {
		l.rep[b] = l.rep[l.rep[b]]
		b = l.rep[b]
	}
	return b
}
