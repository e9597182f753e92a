package gcm

import (
	"fmt"
	"io"
	"slices"
	"strconv"

	"shoal/node"
)

// headingColumns is how wide the name of a block is in its heading (language §17.7).
const headingColumns = 13

// Name is what listings and pictures call a block: START, LOOP3 or L4, by its number.
func (b *Block) Name() string {
	switch {
	case b.ID == 0:
		return "START"
	case b.Head != nil && b.Head.Op == node.OpLoop:
		return "LOOP" + strconv.Itoa(b.ID)
	}
	return "L" + strconv.Itoa(b.ID)
}

// Write writes the schedule as a node table by blocks: a heading with the predecessors,
// then Phis, then the nodes in the order in which they run, and how the block ends
// (chapters §11.7). Constants, which no block computes, stand with what Start gives.
func (s *Schedule) Write(w io.Writer, rows node.Rows) error {
	var buf []byte
	for i, b := range s.Blocks {
		if i > 0 {
			buf = append(buf, '\n')
		}
		buf = b.appendHeading(buf)
		if i == 0 {
			buf = s.appendGiven(buf, rows)
		}
		for _, n := range b.Phis {
			buf = rows.Append(buf, n)
		}
		for _, n := range b.Nodes {
			buf = rows.Append(buf, n)
		}
		if b.End != nil {
			buf = rows.Append(buf, b.End)
		}
	}
	_, err := w.Write(buf)
	return err
}

func (b *Block) appendHeading(buf []byte) []byte {
	buf = fmt.Appendf(buf, "%-*s[[ ", headingColumns, b.Name()+":")
	for _, p := range b.Preds {
		buf = append(buf, p.Name()+" "...)
	}
	buf = append(buf, "]]"...)
	if d := b.LoopDepth(); d > 0 {
		buf = fmt.Appendf(buf, " loop depth %d", d)
	}
	return append(buf, '\n')
}

// appendGiven appends Start with its projections, and the constants that are used.
func (s *Schedule) appendGiven(buf []byte, rows node.Rows) []byte {
	buf = rows.Append(buf, s.Graph.Start)
	given := s.constants()
	for _, u := range s.Graph.Start.Uses() {
		if (u.User.Op == node.OpProj || u.User.Op == node.OpCProj) && !rows.Hides(u.User) {
			given = append(given, u.User)
		}
	}
	slices.SortFunc(given, func(a, b *node.Node) int { return int(a.ID) - int(b.ID) })
	for _, n := range given {
		buf = rows.Append(buf, n)
	}
	return buf
}

// constants are those that a placed node needs.
func (s *Schedule) constants() (found []*node.Node) {
	seen := make([]bool, s.Graph.NumIDs())
	look := func(n *node.Node) {
		for i := range n.NumIn() {
			if d := n.In(i); d != nil && d.Op == node.OpConstant && !seen[d.ID] {
				seen[d.ID] = true
				found = append(found, d)
			}
		}
	}
	for _, b := range s.Blocks {
		for _, n := range b.Phis {
			look(n)
		}
		for _, n := range b.Nodes {
			look(n)
		}
		if b.End != nil {
			look(b.End)
		}
	}
	return found
}
