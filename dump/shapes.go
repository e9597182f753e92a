package dump

import (
	"fmt"
	"html"
	"strconv"
	"strings"

	"github.com/emicklei/dot"

	"shoal/node"
)

// The colors of nodes.
const (
	controlColor = "yellow"
	phiColor     = "lightyellow"
	deadColor    = "gray"
	eventColor   = "blue"      // what the step is about
	withColor    = "darkgreen" // what takes its place
	newColor     = "green"     // where an object is allocated
)

// drawNode draws n, which is no part of another one.
func (s *sheet) drawNode(n *node.Node) {
	if s.o.Chapter < multiSince || !n.Op.Is(node.Multi) {
		s.drawPlain(n)
		if n.Op.Is(node.Multi) {
			s.refProjections(n, false)
		}
		return
	}
	s.drawMulti(n)
}

func (s *sheet) newNode(n *node.Node) dot.Node {
	at := s.home(n).Node(fmt.Sprintf("%s%0*d", s.key, s.width, n.ID))
	at.Attr("id", s.own+identifier(n))
	s.refs[n.ID] = ref{at: at}
	return at
}

// identifier is the name of a node with its number, Add7, and Con_8 for a constant.
func identifier(n *node.Node) string {
	name := n.Op.Info().Name
	if n.Op == node.OpConstant {
		name = "Con_"
	}
	return name + strconv.Itoa(int(n.ID))
}

// text is what stands in the box of n.
func (s *sheet) text(n *node.Node) string {
	t := n.Label()
	switch info := n.Op.Info(); {
	case n.Op == node.OpPhi && n.Name() == "": // the value of a ?: belongs to no variable
		t = "φ"
	case n.Op == node.OpPhi:
		t = "φ_" + n.Name()
	case n.Op == node.OpXCtrl:
		t = n.Type.String()
	case n.Op == node.OpNew:
		t = "new " + n.Name()
	case n.Op == node.OpFault:
		t += " " + node.Fault(n.Aux).String()
	case info.Aux == node.AuxBits:
		t = info.Text + strconv.FormatInt(n.Aux, 10)
	case info.Text != "":
		t = info.Text
	}
	return t
}

func (s *sheet) drawPlain(n *node.Node) {
	at := s.newNode(n)
	label := s.text(n)
	if s.o.Chapter >= typesSince && n.Op != node.OpConstant {
		label += "\n" + shortType(n)
	}
	at.Attr("label", label).Attr("tooltip", tooltip(n))
	var style []string
	if fill := s.fill(n); fill != "" {
		style = append(style, "filled")
		at.Attr("fillcolor", fill)
	}
	if n.IsCFG() {
		at.Attr("shape", "box")
	}
	if color, dashed := s.mark(n); color != "" {
		at.Attr("color", color).Attr("penwidth", 3)
		if dashed {
			style = append(style, "dashed")
		}
	}
	if style != nil {
		at.Attr("style", strings.Join(style, ","))
	}
}

func (s *sheet) fill(n *node.Node) string {
	switch {
	case isDeadPath(n):
		return deadColor
	case n.IsCFG():
		return controlColor
	case n.Op == node.OpPhi:
		return phiColor
	}
	return ""
}

// mark is the color in which n stands out, dashed if it is about to go.
func (s *sheet) mark(n *node.Node) (color string, dashed bool) {
	e := s.o.Event
	switch {
	case e == nil:
		return "", false
	case n == e.Node:
		return eventColor, e.Kind == node.Killed || e.With != nil && e.With != n
	case n == e.With:
		return withColor, false
	}
	return "", false
}

// tooltip says what has no room in the box.
func tooltip(n *node.Node) string {
	return fmt.Sprintf("%d %s: %v", n.ID, n.Label(), n.Type)
}

// drawMulti draws a Multi as a table: its label, and below a cell for each projection.
func (s *sheet) drawMulti(n *node.Node) {
	at := s.newNode(n)
	cells := s.refProjections(n, true)
	border := ""
	if color, _ := s.mark(n); color != "" {
		border = fmt.Sprintf(` COLOR="%s" BORDER="3"`, color)
	} else {
		border = ` BORDER="0"`
	}
	color := controlColor
	if isDeadPath(n) {
		color = deadColor
	}
	header := ""
	if cells == "" {
		header = s.typeLine(n) // else the cells say it
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<TABLE%s CELLBORDER="1" CELLSPACING="0"><TR><TD BGCOLOR="%s">%s%s</TD></TR>`,
		border, color, html.EscapeString(s.text(n)), header)
	if cells != "" {
		fmt.Fprintf(&b, `<TR><TD BORDER="0" CELLPADDING="0"><TABLE BORDER="0" CELLBORDER="1" CELLSPACING="0"><TR>%s</TR></TABLE></TD></TR>`, cells)
	}
	b.WriteString(`</TABLE>`)
	at.Attr("label", dot.HTML(b.String())).Attr("shape", "plaintext").Attr("tooltip", tooltip(n))
}

// typeLine is the type of n on a line of its own, where the chapter shows it.
func (s *sheet) typeLine(n *node.Node) string {
	if s.o.Chapter < typesSince {
		return ""
	}
	return "<BR/>" + html.EscapeString(shortType(n))
}

// shortType is the type of n, cut if it would make the box wide: the tooltip has it whole.
func shortType(n *node.Node) string {
	t := []rune(n.Type.String())
	if len(t) > maxTypeText {
		t = append(t[:maxTypeText-1], '…')
	}
	return string(t)
}

// refProjections lets edges to the projections of a drawn Multi end in their ports, or at
// the Multi itself where it has none, and returns the cells with the ports.
func (s *sheet) refProjections(multi *node.Node, ports bool) string {
	at := s.refs[multi.ID].at
	var b strings.Builder
	projections := s.projections(multi)
	for i, n := range projections {
		if !ports {
			s.refs[n.ID] = ref{at: at}
			continue
		}
		port := fmt.Sprintf("p%d", n.Aux)
		s.refs[n.ID] = ref{at, port}
		if i > 0 && projections[i-1].Aux == n.Aux {
			continue // the same one twice, while it is being made
		}
		b.WriteString(`<TD PORT="` + port + `"`)
		if color := s.fill(n); color != "" {
			b.WriteString(` BGCOLOR="` + color + `"`)
		}
		if color, _ := s.mark(n); color != "" {
			b.WriteString(` BORDER="3" COLOR="` + color + `"`)
		}
		b.WriteString(`>` + html.EscapeString(n.Name()) + s.typeLine(n) + `</TD>`)
	}
	return b.String()
}

// projections are those of a Multi that may be drawn, by index.
func (s *sheet) projections(multi *node.Node) []*node.Node {
	var found []*node.Node
	for _, u := range multi.Uses() {
		if isProjection(u.User) && s.drawable(u.User) {
			found = append(found, u.User)
		}
	}
	sortBy(found, func(n *node.Node) int64 { return n.Aux<<32 + int64(n.ID) })
	return found
}
