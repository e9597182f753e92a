package amd64

import (
	"slices"

	"shoal/codegen/mach"
)

// expansions has, for each pseudo-instruction that becomes branches, the function that
// expands it where it stands, at index k of block b.
var expansions = [numOps]func(x *expander, b int32, k int){
	DivTotal:  (*expander).division,
	UDivTotal: (*expander).division,
	CmovF:     (*expander).choice,
	NewObject: (*expander).object,
	NewArray:  (*expander).object,
}

// Bounds for one expansion: the blocks that it adds, their edges, and its instructions.
const (
	maxNewBlocks = 5
	maxEdges     = 7
	maxParts     = 12
)

// expand replaces all pseudo-instructions that have an expansion. The new blocks come
// after the function's own.
func expand(f *mach.Func) {
	n := 0
	for i := range f.Blocks {
		for k := range f.Blocks[i].Insts {
			if expansions[f.Blocks[i].Insts[k].Op] != nil {
				n++
			}
		}
	}
	f.Blocks = slices.Grow(f.Blocks, maxNewBlocks*n)
	x := expander{f: f, store: make([]mach.Edge, 0, maxEdges*n)}
	x.slab = maxSlab
	x.buf = make([]mach.Inst, 0, maxParts*n)
	for i := 0; i < len(f.Blocks); i++ {
		// What follows an expansion is a new block, which a later round looks at.
		for k := range f.Blocks[i].Insts {
			if do := expansions[f.Blocks[i].Insts[k].Op]; do != nil {
				do(&x, int32(i), k)
				break
			}
		}
	}
	f.LinkPreds()
}

// An expander makes the instructions of expansions, all in one buffer.
type expander struct {
	f     *mach.Func
	store []mach.Edge // slab
	emitter
}

// since returns what was emitted from the mark on, and the next mark.
func (x *expander) since(mark int) ([]mach.Inst, int) {
	n := len(x.buf)
	return x.buf[mark:n:n], n
}

// edges makes a list of edges.
func (x *expander) edges(to ...int32) []mach.Edge {
	n := len(x.store)
	for _, b := range to {
		x.store = append(x.store, mach.Edge{Block: b})
	}
	return x.store[n:len(x.store):len(x.store)]
}

// cut ends block b before the instruction with index k and returns a block with what
// follows that instruction. The caller gives b its end and adds the block.
func (x *expander) cut(b int32, k int) (rest mach.Block) {
	old := &x.f.Blocks[b]
	rest = mach.Block{Insts: old.Insts[k+1:], Branch: old.Branch - k - 1, Succs: old.Succs, Depth: old.Depth, Cold: old.Cold}
	old.Insts = old.Insts[:k:k]
	old.Branch = k
	return rest
}

// branch ends block b with insts, whose last branch instructions are its branch.
func (x *expander) branch(b int32, insts []mach.Inst, branch int, succs []mach.Edge) {
	block := &x.f.Blocks[b]
	block.Insts = append(block.Insts, insts...)
	block.Branch = len(block.Insts) - branch
	block.Succs = succs
}

// choice jumps around the copy of a float that is only to be made if a condition holds.
// The machine has no conditional copy for vector registers.
func (x *expander) choice(b int32, k int) {
	in := x.f.Blocks[b].Insts[k]
	x.pos = in.Pos
	rest := x.cut(b, k)
	mark := len(x.buf)
	x.emit(Jcc).Cond = in.Cond ^ 1
	jump, mark := x.since(mark)
	x.emit(MovapsRR, in.Args[0].Reg, in.Args[2].Reg)
	copied, _ := x.since(mark)
	moves := int32(len(x.f.Blocks))
	x.branch(b, jump, 1, x.edges(moves+1, moves))
	x.f.Blocks = append(x.f.Blocks,
		mach.Block{Insts: copied, Branch: len(copied), Succs: x.edges(moves + 1), Depth: rest.Depth, Cold: rest.Cold},
		rest)
}
