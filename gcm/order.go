package gcm

import (
	"container/heap"

	"shoal/node"
)

// orderWithinBlocks gives the nodes of each block an order: that of the source, as far as
// definitions come before uses, which keeps live ranges as short as the programmer made
// them. O(n log n).
func (c *scheduler) orderWithinBlocks() {
	count := make([]int32, len(c.s.Blocks)+1)
	for _, n := range c.order {
		count[c.s.at[n.ID]]++
	}
	for i := 1; i < len(count); i++ {
		count[i] += count[i-1]
	}
	all := make([]*node.Node, len(c.order))
	fill := append([]int32(nil), count...)
	for _, n := range c.order {
		at := c.s.at[n.ID] - 1
		all[fill[at]] = n
		fill[at]++
	}
	o := orderer{c: c, waits: make([]int32, c.g.NumIDs())}
	for i, b := range c.s.Blocks {
		nodes := all[count[i]:count[i+1]:count[i+1]]
		if c.mem.noteStores(nodes); !o.sorted(nodes) {
			o.sort(nodes)
		}
		b.Nodes = nodes
	}
}

// sorted tells whether the nodes are in order of creation already. They are in an order
// that definitions and Loads allow, so then nothing is to be done.
func (o *orderer) sorted(nodes []*node.Node) bool {
	for i := 1; i < len(nodes); i++ {
		if nodes[i].ID < nodes[i-1].ID {
			return false
		}
	}
	return true
}

type orderer struct {
	c     *scheduler
	waits []int32 // by ID: inputs in the same block that are not emitted yet
	ready readyHeap
}

// sort orders the nodes of one block in place: always the oldest that is ready next.
func (o *orderer) sort(nodes []*node.Node) {
	at := o.c.s.at[nodes[0].ID]
	o.ready = o.ready[:0]
	for _, n := range nodes {
		for i := 1; i < n.NumIn(); i++ {
			if d := n.In(i); d != nil && o.c.s.at[d.ID] == at && inBody(d) {
				o.waits[n.ID]++
			}
		}
		if s := o.c.storeAfter(n); s != nil {
			o.waits[s.ID]++
		}
	}
	for _, n := range nodes {
		if o.waits[n.ID] == 0 {
			o.ready = append(o.ready, n)
		}
	}
	heap.Init(&o.ready)
	for k := 0; len(o.ready) > 0; k++ {
		n := heap.Pop(&o.ready).(*node.Node)
		nodes[k] = n
		for _, u := range n.Uses() {
			if u.Index > 0 && o.c.s.at[u.User.ID] == at && inBody(u.User) {
				o.emitted(u.User)
			}
		}
		if s := o.c.storeAfter(n); s != nil {
			o.emitted(s)
		}
	}
}

// emitted counts down what n waits for.
func (o *orderer) emitted(n *node.Node) {
	if o.waits[n.ID]--; o.waits[n.ID] == 0 {
		heap.Push(&o.ready, n)
	}
}

// A readyHeap has the oldest node at its top.
type readyHeap []*node.Node

func (h readyHeap) Len() int           { return len(h) }
func (h readyHeap) Less(i, j int) bool { return h[i].ID < h[j].ID }
func (h readyHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *readyHeap) Push(x any)        { *h = append(*h, x.(*node.Node)) }
func (h *readyHeap) Pop() any {
	old := *h
	n := old[len(old)-1]
	*h = old[:len(old)-1]
	return n
}
