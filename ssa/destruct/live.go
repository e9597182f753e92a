package destruct

import (
	"slices"

	"shoal/ssa"
)

// A place is a point of a function: the index of an instruction in the body of a block,
// or one of the points around a body.
type place struct{ block, pos int32 }

// Points at the top of a block, in this order. After a body of n instructions, the
// terminator is at n and the edges that leave the block at n+1.
const (
	atInputs   int32 = -3 // of the entry: the inputs are defined
	atIsolated int32 = -2 // the edge to the block has written the isolated variables
	atParams   int32 = -1 // they were copied to the parameters
)

// liveness answers whether a value is live at a place. Nothing is computed for all
// values: a value that is asked for has its live range walked once, from its uses upward
// to its definition, and the blocks it is live into are kept. That is the query of a
// strict SSA form as in Appel and Palsberg, "Modern Compiler Implementation", 2nd ed.,
// algorithm 19.17.
//
// Live ranges can be long and many, so the walks share a budget; when it is used up, a
// value counts as live wherever it may be. That is safe: it only keeps copies.
type liveness struct {
	f     *ssa.Func
	dom   *ssa.Dom
	first []int32 // by ValueID: its uses are uses[first[v]:first[v+1]]
	uses  []place // the last use in each block, in order of block
	// into is by ValueID: one plus the index in sets of the blocks it is live into, or one
	// of the states below.
	into   []int32
	sets   []blockSet
	seen   []ssa.ValueID // by block: the last value whose walk came here
	stack  []int32
	found  []int32 // by the walk at hand
	budget *int
}

// What into says of a value without a set.
const (
	unasked int32 = 0
	unknown int32 = -1 // the budget was used up
)

func newLiveness(f *ssa.Func, dom *ssa.Dom, budget *int) *liveness {
	l := &liveness{
		f: f, dom: dom, budget: budget,
		first: make([]int32, len(f.Values)+1),
		into:  make([]int32, len(f.Values)),
		seen:  make([]ssa.ValueID, len(f.Blocks)),
	}
	// Twice over all uses: count the blocks that use each value, then list them.
	last := make([]int32, len(f.Values)) // one plus the block of the last use met
	l.eachUse(func(v ssa.ValueID, p place) {
		if last[v] != p.block+1 {
			last[v] = p.block + 1
			l.first[v]++
		}
	})
	sum := int32(0)
	for v := range l.first {
		sum, l.first[v] = sum+l.first[v], sum
	}
	l.uses = make([]place, sum)
	clear(last)
	next := slices.Clone(l.first)
	l.eachUse(func(v ssa.ValueID, p place) {
		if last[v] != p.block+1 {
			last[v] = p.block + 1
			next[v]++
		}
		l.uses[next[v]-1] = p
	})
	return l
}

// eachUse calls use for every use of a value in a reachable block, in order of block and
// place.
func (l *liveness) eachUse(use func(v ssa.ValueID, p place)) {
	for b := range l.f.Blocks {
		if !l.dom.Reaches(int32(b)) {
			continue
		}
		body := l.f.Blocks[b].Body
		for j, id := range body {
			for _, a := range l.f.Values[id].Operands() {
				use(a, place{int32(b), int32(j)})
			}
		}
		t, n := &l.f.Blocks[b].Term, int32(len(body))
		for _, a := range t.Operands() {
			use(a, place{int32(b), n})
		}
		for _, to := range t.Targets() {
			for _, a := range to.Args {
				use(a, place{int32(b), n + 1})
			}
		}
	}
}

// after tells whether v, whose definition dominates p, is live just after p.
func (l *liveness) after(v ssa.ValueID, p place) bool {
	uses := l.uses[l.first[v]:l.first[v+1]]
	i, found := slices.BinarySearchFunc(uses, p.block, func(u place, b int32) int { return int(u.block - b) })
	if found && uses[i].pos > p.pos {
		return true
	}
	if l.into[v] == unasked {
		l.walk(v)
	}
	if l.into[v] == unknown {
		return true
	}
	set := &l.sets[l.into[v]-1]
	for _, to := range l.f.Blocks[p.block].Term.Targets() {
		if set.has(to.Block) {
			return true
		}
	}
	return false
}

// walk finds the blocks that v is live into.
func (l *liveness) walk(v ssa.ValueID) {
	def := max(0, l.f.Values[v].Block) // inputs are defined in front of the entry block
	into := l.found[:0]
	for _, u := range l.uses[l.first[v]:l.first[v+1]] {
		l.visit(v, def, u.block)
	}
	for len(l.stack) > 0 {
		b := l.stack[len(l.stack)-1]
		l.stack = l.stack[:len(l.stack)-1]
		into = append(into, b)
		*l.budget -= 1 + len(l.f.Blocks[b].Preds)
		if *l.budget < 0 {
			l.stack, l.found, l.into[v] = l.stack[:0], into, unknown
			return
		}
		for _, e := range l.f.Blocks[b].Preds {
			if l.dom.Reaches(e.Block) {
				l.visit(v, def, e.Block)
			}
		}
	}
	l.found = into
	l.sets = append(l.sets, newBlockSet(into, len(l.f.Blocks)))
	l.into[v] = int32(len(l.sets))
}

// A blockSet is a set of blocks: a sorted list, or one bit for each block if the list
// would be longer than that.
type blockSet struct {
	list []int32
	bits []uint64
}

func newBlockSet(blocks []int32, n int) (s blockSet) {
	const wordsPerBlock = 2 // of a list, for sorting is dearer than setting bits
	if len(blocks)*wordsPerBlock < n/64 {
		slices.Sort(blocks)
		s.list = slices.Clone(blocks)
		return s
	}
	s.bits = make([]uint64, n/64+1)
	for _, b := range blocks {
		s.bits[b/64] |= 1 << (b % 64)
	}
	return s
}

func (s *blockSet) has(b int32) bool {
	if s.bits != nil {
		return s.bits[b/64]>>(b%64)&1 != 0
	}
	_, found := slices.BinarySearch(s.list, b)
	return found
}

// visit notes that v is live into block b, unless b defines it.
func (l *liveness) visit(v ssa.ValueID, def, b int32) {
	if b != def && l.seen[b] != v {
		l.seen[b] = v
		l.stack = append(l.stack, b)
	}
}
