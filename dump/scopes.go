package dump

import (
	"fmt"
	"html"
	"slices"
	"strings"

	"github.com/emicklei/dot"

	"shoal/node"
	"shoal/node/types"
)

// drawScopes draws every scope that the parser follows or has still to merge, below the
// graph.
func (s *sheet) drawScopes() {
	s.drawFloor()
	live, more := s.chooseScopes()
	if s.o.Chapter >= newestFirst {
		slices.Reverse(live)
	}
	for i, sc := range live {
		s.drawScope(sc, i)
	}
	if more > 0 {
		rest := s.root.Node(fmt.Sprintf("~%s%05d", s.key, len(live)))
		rest.Attrs("id", s.own+"MoreScopes", "label", fmt.Sprintf("… %d more scopes", more), "shape", "plaintext")
		s.lift(rest, s.floor)
	}
}

// chooseScopes are the scopes to draw, from old to new, and how many more there are: in a
// deep program every scope that waits has the names of all around it. The scope that the
// parser is in is the first; after it the newest ones are the nearest.
func (s *sheet) chooseScopes() (chosen []*node.Scope, more int) {
	live := slices.DeleteFunc(slices.Clone(s.g.Scopes.Live()), func(sc *node.Scope) bool {
		return s.o.Chapter >= neededSince && sc.Ctrl().Type == types.XCtrl // nothing gets there
	})
	if len(live) == 0 {
		return nil, 0
	}
	cells := len(s.g.Scopes.Vars(live[0]))
	first := len(live)
	for first > 1 {
		cells += len(s.g.Scopes.Vars(live[first-1]))
		if cells > maxCells {
			break
		}
		first--
	}
	return append(live[:1:1], live[first:]...), first - 1
}

// drawFloor makes an invisible point below all nodes that no other one stands below. What
// points to it, as tables of scopes do, gets below the whole graph with few edges.
func (s *sheet) drawFloor() {
	s.floor = s.root.Node("~" + s.key)
	s.floor.Attrs("id", s.own+"Floor", "shape", "point", "style", "invis")
	for _, n := range s.list {
		if at, ok := s.refs[n.ID]; ok && !isProjection(n) && !s.held[n.ID] {
			s.lift(s.floor, at.at)
		}
	}
}

// floorWeight makes the edges from and to the floor stronger than those of all names of a
// table together usually are: between clusters an edge only pulls in its direction.
const floorWeight = 3

// lift places one node of the picture above another.
func (s *sheet) lift(from, to dot.Node) {
	s.edge(ref{at: from}, ref{at: to}).Attrs("style", "invis", "weight", floorWeight)
}

// A cell is one place of a scope's table: a name and its value.
type cell struct {
	name  string
	port  string
	level int
	value *node.Node
}

// cellsOf lists what a scope says, control first and outer names before inner ones.
func (s *sheet) cellsOf(sc *node.Scope) []cell {
	vars, values := s.g.Scopes.Vars(sc), s.g.Scopes.Bindings(sc)
	cells := []cell{{name: "$ctrl", port: "ctrl", value: sc.Ctrl()}}
	limit := maxCells
	if s.o.MaxVars > 0 {
		limit = min(limit, s.o.MaxVars)
	}
	first := max(0, len(vars)-limit)
	if first > 0 {
		cells = append(cells, cell{name: fmt.Sprintf("… %d more", first), port: "more", level: vars[first].Level})
	}
	for i := first; i < len(vars); i++ {
		if i != node.MemorySlot || s.o.Chapter >= memorySince {
			cells = append(cells, cell{vars[i].Sym.Name, fmt.Sprintf("v%d", i), vars[i].Level, values[i]})
		}
	}
	return cells
}

// drawScope draws one scope: a frame for each nesting level, inner ones in outer ones,
// with a table of the names of that level; edges lead from the names to their values.
func (s *sheet) drawScope(sc *node.Scope, order int) {
	frame := s.root
	cells := s.cellsOf(sc)
	for depth := 0; len(cells) > 0; depth++ {
		level := cells[0].level
		n := 1
		for n < len(cells) && cells[n].level == level {
			n++
		}
		id := fmt.Sprintf("Scope%d_%d", sc.Node.ID, level)
		key := fmt.Sprintf("~%s%05d_%05d", s.key, order, level) // behind all nodes
		if depth < maxNesting {
			frame = s.cluster(frame, key, id)
			if depth == 0 {
				frame.Attrs("label", sc.Label, "labelloc", "b", "fontname", "Helvetica", "fontsize", 10)
			}
		}
		s.drawCells(frame.Node(key), id, level, cells[:n])
		cells = cells[n:]
	}
}

func (s *sheet) drawCells(at dot.Node, id string, level int, cells []cell) {
	var b strings.Builder
	fmt.Fprintf(&b, `<TABLE BORDER="0" CELLBORDER="1" CELLSPACING="0"><TR><TD BGCOLOR="cyan">%d</TD>`, level)
	for _, c := range cells {
		fmt.Fprintf(&b, `<TD PORT="%s">%s</TD>`, c.port, html.EscapeString(c.name))
	}
	b.WriteString(`</TR></TABLE>`)
	s.lift(at, s.floor)
	at.Attr("label", dot.HTML(b.String())).Attr("shape", "plaintext").Attr("id", s.own+id)
	for _, c := range cells {
		if c.value == nil {
			continue
		}
		if to, ok := s.refs[c.value.ID]; ok {
			s.edge(ref{at, c.port}, to).Attr("style", "dashed").Attr("color", "cornflowerblue")
		}
	}
}
