package dump

import (
	"fmt"

	"github.com/emicklei/dot"

	"shoal/gcm"
	"shoal/node"
)

// makeBlocks makes a frame for each block of the schedule that something is drawn in.
func (s *sheet) makeBlocks() {
	if s.f.Schedule == nil {
		return
	}
	blocks := s.f.Schedule.Blocks
	s.block = make([]*dot.Graph, len(blocks))
	width := len(fmt.Sprint(len(blocks)))
	for _, n := range s.list {
		b := s.blockOf(n)
		if b == nil || s.block[b.ID] != nil {
			continue
		}
		c := s.cluster(s.nodes, fmt.Sprintf("block%0*d", width, b.ID), b.Name())
		label := b.Name()
		if d := b.LoopDepth(); d > 0 {
			label += fmt.Sprintf(", loop depth %d", d)
		}
		c.Attrs("label", label, "labeljust", "l", "labelloc", "b", "style", "dashed", "fontname", "Helvetica", "fontsize", 10)
		s.block[b.ID] = c
	}
}

// blockOf is the block in whose frame n stands: that of the Multi for a projection.
func (s *sheet) blockOf(n *node.Node) *gcm.Block { return s.f.Schedule.Block(box(n)) }

// home is the frame that n stands in. A Region and its Phis form a rank of their own.
func (s *sheet) home(n *node.Node) *dot.Graph {
	in := s.nodes
	if s.block != nil {
		if b := s.blockOf(n); b != nil {
			in = s.block[b.ID]
		}
	}
	region := n
	if n.Op == node.OpPhi {
		region = n.In(0)
	}
	if region == nil || !region.IsRegion() || !s.drawable(region) {
		return in
	}
	rank := in.Subgraph(fmt.Sprintf("rank%s%0*d", s.key, s.width, region.ID))
	rank.Attrs("label", "", "rank", "same", "id", s.own+"rank_"+identifier(region))
	return rank
}
