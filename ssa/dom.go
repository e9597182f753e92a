package ssa

import "shoal/internal/domtree"

// A Dom is the dominator tree of the blocks that the entry reaches.
type Dom struct {
	*domtree.Tree         // by block
	Order         []int32 // the reachable blocks in preorder of the tree: Order[Pre[b]] is b
}

// Dominators computes the dominator tree of f. It needs terminators only, not Preds.
func Dominators(f *Func) *Dom {
	var buf [2]int32
	t := domtree.New(len(f.Blocks), func(b int32) []int32 {
		targets := f.Blocks[b].Term.Targets()
		for k := range targets {
			buf[k] = targets[k].Block
		}
		return buf[:len(targets)]
	})
	d := &Dom{Tree: t, Order: make([]int32, len(t.RPO))}
	for _, b := range t.RPO {
		d.Order[t.Pre[b]] = b
	}
	return d
}
