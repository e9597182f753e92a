package gcm

import (
	"shoal/internal/domtree"
	"shoal/node"
)

// findBlocks walks control from Start and makes the blocks in reverse postorder.
func (c *scheduler) findBlocks() {
	b := builder{c: c, made: make([]*Block, c.g.NumIDs())}
	entry := b.block(c.g.Start)
	type frame struct {
		b    *Block
		next int
	}
	stack := []frame{{b: entry}}
	b.seen(entry)
	var post []*Block
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if top.next == len(top.b.Succs) {
			post = append(post, top.b)
			stack = stack[:len(stack)-1]
			continue
		}
		next := top.b.Succs[len(top.b.Succs)-1-top.next] // the true side comes first in the end
		top.next++
		if next.ID == 0 {
			b.seen(next)
			stack = append(stack, frame{b: next})
		}
	}
	c.s.Blocks = make([]*Block, len(post))
	for i, blk := range post {
		blk.ID = len(post) - 1 - i
		c.s.Blocks[blk.ID] = blk
	}
	for _, blk := range c.s.Blocks {
		c.placeControl(blk)
	}
	c.linkPreds()
}

type builder struct {
	c    *scheduler
	made []*Block // by ID of the head
	slab []Block
}

func (b *builder) block(head *node.Node) *Block {
	if head != nil && b.made[head.ID] != nil {
		return b.made[head.ID]
	}
	if len(b.slab) == 0 {
		b.slab = make([]Block, 64)
	}
	blk := &b.slab[0]
	b.slab = b.slab[1:]
	blk.Head = head
	if head != nil {
		b.made[head.ID] = blk
	}
	return blk
}

// seen finds the end and the successors of a block that control reaches. Until blocks get
// their numbers an ID of 1 marks those that were seen.
func (b *builder) seen(blk *Block) {
	blk.ID = 1
	if blk.Head == nil {
		return
	}
	next, _ := follow(blk.Head)
	if blk.Head.Op == node.OpStart && next != nil {
		next, _ = follow(next) // through the projection of control
	}
	switch {
	case next == nil:
	case next.IsRegion():
		blk.Succs = []*Block{b.block(next)}
	case next.Op == node.OpReturn || next.Op == node.OpFault:
		blk.End = next
	case next.Op == node.OpNever:
		blk.Succs = []*Block{b.block(projection(next, 0))}
	default:
		blk.End = next
		blk.Succs = []*Block{b.block(projection(next, 0)), b.block(projection(next, 1))}
	}
}

// follow is the control node that control goes to from n, nil if it ends, and the input
// by which it comes there.
func follow(n *node.Node) (*node.Node, int) {
	for _, u := range n.Uses() {
		if u.User.IsRegion() && u.Index > 0 || u.User.IsCFG() && u.User.Op != node.OpXCtrl && u.Index == 0 && u.User.Op != node.OpStop {
			return u.User, int(u.Index)
		}
	}
	return nil, 0
}

func projection(multi *node.Node, i int64) *node.Node {
	for _, u := range multi.Uses() {
		if u.User.Op == node.OpCProj && u.User.Aux == i {
			return u.User
		}
	}
	return nil
}

// placeControl notes the block of its control nodes, and of the projections of Start.
func (c *scheduler) placeControl(b *Block) {
	at := int32(b.ID) + 1
	if b.Head == nil {
		return
	}
	c.s.at[b.Head.ID] = at
	if b.End != nil {
		c.s.at[b.End.ID] = at
	}
	if b.Head.Op == node.OpStart {
		for _, u := range b.Head.Uses() {
			if u.User.Op == node.OpProj || u.User.Op == node.OpCProj {
				c.s.at[u.User.ID] = at
			}
		}
	}
}

// linkPreds finds the predecessors: of a Region in the order of its inputs.
func (c *scheduler) linkPreds() {
	for _, b := range c.s.Blocks {
		for _, s := range b.Succs {
			if s.Head == nil || !s.Head.IsRegion() {
				s.Preds, s.Paths = []*Block{b}, []int{0}
			}
		}
	}
	for _, b := range c.s.Blocks {
		if b.Head == nil || !b.Head.IsRegion() {
			continue
		}
		for i := 1; i < b.Head.NumIn(); i++ {
			if p := c.blockOfControl(b.Head.In(i)); p != nil {
				b.Preds, b.Paths = append(b.Preds, p), append(b.Paths, i)
			}
		}
	}
}

// blockOfControl is the block that ends with control n, nil if it is not reached.
func (c *scheduler) blockOfControl(n *node.Node) *Block {
	if n == nil {
		return nil
	}
	if n.Op == node.OpCProj && n.In(0).Op == node.OpNever && n.Aux == 1 {
		return nil
	}
	return c.s.Block(n)
}

func (c *scheduler) findDominators() {
	var buf []int32
	c.tree = domtree.New(len(c.s.Blocks), func(v int32) []int32 {
		buf = buf[:0]
		for _, s := range c.s.Blocks[v].Succs {
			buf = append(buf, int32(s.ID))
		}
		return buf
	})
	for i, b := range c.s.Blocks {
		if d := c.tree.IDom[i]; d >= 0 {
			b.IDom = c.s.Blocks[d]
		}
	}
}
