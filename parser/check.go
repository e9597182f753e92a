package parser

import (
	"cmp"
	"slices"

	"shoal/node"
	"shoal/source"
)

// Check reports what can be told only from a finished graph: that a reference through which
// a program reads or writes might be null (chapters §10.6). What the rules of the chapter
// know decides.
func Check(f Func, diags *source.Diagnostics) {
	g := f.Graph
	var bad []*node.Node
	blamed := map[*node.Node]bool{}
	for id := 1; id < g.NumIDs(); id++ {
		n := g.At(node.ID(id))
		if n.Op != node.OpLoad && n.Op != node.OpStore {
			continue
		}
		if t := n.In(2).Type; t.MayBeNull() || !t.IsRef() {
			bad = append(bad, n)
		}
	}
	slices.SortStableFunc(bad, func(a, b *node.Node) int { return cmp.Compare(a.Pos, b.Pos) })
	p := &parser{file: g.File, diags: diags}
	for _, n := range bad {
		if ref := n.In(2); !blamed[ref] && !diags.Full() {
			blamed[ref] = true
			name := n.Sym.Field.Name
			if at := n.Pos.Offset(); g.File.Text[at] == '[' {
				name = "[]" // whose check reads the length first
			}
			p.report("might-be-null", source.Span{Start: n.Pos, End: n.Pos + source.Pos(len(name))}, name)
		}
	}
}
