package dump

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/emicklei/dot"

	"shoal/node"
)

func sortBy[K cmp.Ordered](nodes []*node.Node, key func(*node.Node) K) {
	slices.SortFunc(nodes, func(a, b *node.Node) int { return cmp.Compare(key(a), key(b)) })
}

// drawEdges draws what the nodes need, from user to definition.
func (s *sheet) drawEdges() {
	for _, n := range s.list {
		from, ok := s.refs[n.ID]
		if !ok {
			continue
		}
		for i := range n.NumIn() {
			kind := s.kindDrawn(n, i)
			if kind == 0 || joined(n, i) {
				continue
			}
			if to, ok := s.refs[n.In(i).ID]; ok {
				s.styleEdge(s.edge(from, to), n, i, kind)
			}
		}
		s.drawBlockEdge(n, from)
	}
	s.drawReplacement()
}

// joined tells whether input i of n shares the edge of the input before it. Graphviz
// could concentrate edges by itself, but loses the labels of some.
func joined(n *node.Node, i int) bool {
	return i > 1 && i < n.NumIn() && n.In(i) == n.In(i-1) && !isBackEdge(n, i)
}

// inputs is the label of the edge for input i of n and those that share it.
func inputs(n *node.Node, i int) string {
	last := i
	for joined(n, last+1) {
		last++
	}
	switch last - i {
	case 0:
		return strconv.Itoa(i)
	case 1:
		return fmt.Sprintf("%d,%d", i, last)
	}
	return fmt.Sprintf("%d-%d", i, last)
}

// edge makes an edge. Only the picture as a whole owns edges, which come after all nodes.
func (p *picture) edge(from, to ref) dot.Edge {
	return p.root.EdgeWithPorts(from.at, to.at, from.port, to.port)
}

func (s *sheet) styleEdge(e dot.Edge, n *node.Node, i int, kind Edges) {
	e.Attrs(edgeStyles[kind]...)
	e.Attr("taillabel", inputs(n, i))
	switch {
	case i == 0 && n.Op == node.OpPhi:
		e.Attr("style", "dotted")
	case i == 0 && (n.Op == node.OpConstant || n.Op == node.OpXCtrl):
		e.Attr("style", "dotted") // only for walking the graph, not real
	case i == 0 && n.Op == node.OpNew:
		e.Attr("color", newColor)
	case isDeadPath(n.In(i)):
		e.Attr("color", deadColor)
	}
	if isBackEdge(n, i) {
		e.Attr("constraint", dot.Literal("false"))
		return
	}
	if i > 0 || n.Op != node.OpPhi {
		s.held[box(n.In(i)).ID] = true
	}
}

// drawBlockEdge shows a value's block, after scheduling, by an edge to its head.
func (s *sheet) drawBlockEdge(n *node.Node, from ref) {
	if s.f.Schedule == nil || s.o.Edges&Control == 0 || n.IsCFG() || n.Op == node.OpPhi || isProjection(n) {
		return
	}
	b := s.f.Schedule.Block(n)
	if b == nil || b.Head == nil {
		return
	}
	if to, ok := s.refs[b.Head.ID]; ok {
		s.edge(from, to).Attr("color", "red").Attr("constraint", dot.Literal("false"))
	}
}

// drawReplacement shows what takes the place of the node of an event.
func (s *sheet) drawReplacement() {
	e := s.o.Event
	if e == nil || e.Node == nil || e.With == nil || e.Node == e.With {
		return
	}
	from, drawn := s.refs[e.Node.ID]
	to, known := s.refs[e.With.ID]
	if drawn && known && from.at.ID() != to.at.ID() {
		s.edge(from, to).Attr("color", withColor).Attr("style", "dashed").Attr("label", e.Rule).
			Attr("fontcolor", withColor).Attr("constraint", dot.Literal("false"))
	}
}
