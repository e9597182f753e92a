package gcm

import (
	"shoal/internal/domtree"
	"shoal/node"
)

// A Schedule says in which block, and in which order there, each node that matters runs.
type Schedule struct {
	Graph  *node.Graph
	Blocks []*Block // in reverse postorder; the entry first
	Loops  []*Loop  // outer before inner
	at     []int32  // by node ID: one plus the block's index; 0 if the node has no place
}

// A Block is a basic block.
type Block struct {
	ID    int
	Head  *node.Node   // Start, Region, Loop or a projection of an If; nil where control ends without a Return
	Phis  []*node.Node // of Head, those that matter
	Nodes []*node.Node // the floating nodes, New and Cast in execution order
	End   *node.Node   // If, Return or Fault; nil if control goes on to Succs[0], or ends

	Preds []*Block // of a Region, those of its inputs that are reached, in their order
	Paths []int    // the input of Head that each of Preds comes in by
	Succs []*Block // of an If: where projection 0 leads, then 1
	IDom  *Block   // nil for the entry
	Loop  *Loop    // the innermost around the block; nil outside of loops
	Freq  float64  // how often it is expected to run for one run of the function
}

// A Loop is a natural loop.
type Loop struct {
	Header *Block
	Outer  *Loop // nil for an outermost one
	Depth  int   // 1 for an outermost one
	skip   *Loop // some loop around it, while loops are being found
	values int   // how many values are live all through it: its Phis and what was hoisted
}

// LoopDepth is the number of loops around b.
func (b *Block) LoopDepth() int {
	if b.Loop == nil {
		return 0
	}
	return b.Loop.Depth
}

// Block is the block of n, nil if n has no place: constants, what is dead, and what runs
// on edges.
func (s *Schedule) Block(n *node.Node) *Block {
	if i := s.at[n.ID]; i > 0 {
		return s.Blocks[i-1]
	}
	return nil
}

// A scheduler is the state of one run.
type scheduler struct {
	g     *node.Graph
	s     *Schedule
	tree  *domtree.Tree // of the blocks
	order []*node.Node  // the live floating nodes, definitions before uses
	early []int32       // by node ID: index of the earliest block
	mem   *memory       // nil if there are no Loads
}

// Run makes a schedule of g.
func Run(g *node.Graph) *Schedule {
	c := &scheduler{g: g, s: &Schedule{Graph: g, at: make([]int32, g.NumIDs())}}
	c.findBlocks()
	c.findDominators()
	c.findLoops()
	c.findFrequencies()
	c.findLive()
	c.scheduleEarly()
	c.scheduleLate()
	c.orderWithinBlocks()
	return c.s
}
