package dump

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/emicklei/dot"

	"shoal/gcm"
	"shoal/node"
)

// Options choose what a picture shows.
type Options struct {
	Chapter int
	Caption string
	Source  bool  // the program's text goes into a comment
	Scopes  bool  // the parser's scopes are drawn, as long as there are any
	Edges   Edges // the kinds that are drawn, with the nodes at their ends; 0 for all

	Around   []*node.Node // if not nil: only these, and what is near
	Hops     int          // how many edges away is near
	MaxNodes int          // how many nodes are near at most; 0 for any number
	MaxVars  int          // how many variables of a scope are drawn, innermost first; 0 for many

	// Event, if not nil, is the step that has just happened: its nodes stand out.
	Event *node.Event
}

// A Func is one function to draw: a graph, and its blocks if it has been scheduled.
type Func struct {
	Graph    *node.Graph
	Schedule *gcm.Schedule
}

// Draw writes a picture of functions in the language of Graphviz.
func Draw(w io.Writer, o Options, funcs ...Func) error {
	if o.Edges == 0 {
		o.Edges = AllEdges
	}
	p := &picture{o: o, root: dot.NewGraph(dot.Directed)}
	p.root.ID(fmt.Sprintf("chapter%02d", o.Chapter))
	p.setLook()
	for i, f := range funcs {
		s := p.sheet(f, fmt.Sprintf("%03d", i))
		if len(funcs) > 1 {
			s.own = fmt.Sprintf("f%d_", i+1)
		}
		s.draw()
	}
	var head, body bytes.Buffer
	if o.Source && len(funcs) > 0 {
		writeComment(&head, funcs[0].Graph.File.Text)
	}
	p.root.Write(&body) // it reports no errors, a buffer has none
	head.Write(rename(body.Bytes()))
	_, err := w.Write(head.Bytes())
	return err
}

// writeComment writes a program as a comment, cut if it is huge.
func writeComment(buf *bytes.Buffer, text []byte) {
	more := ""
	if len(text) > maxSourceText {
		text, more = text[:maxSourceText], "\n..."
	}
	safe := strings.ToValidUTF8(strings.ReplaceAll(string(text), "*/", "* /"), "?")
	safe = strings.ReplaceAll(safe, "\x00", "?")
	fmt.Fprintf(buf, "/*\n%s%s\n*/\n", strings.TrimRight(safe, "\n"), more)
}

type picture struct {
	o    Options
	root *dot.Graph
}

// edgeLook is the look of all edges, said once. The library has no words for defaults;
// they ride behind the value of an attribute, and so stand before all edges, which are
// written last.
const edgeLook = "edge[fontname=Helvetica,fontsize=8]"

func (p *picture) setLook() {
	p.root.Attr("rankdir", dot.Literal("BT;"+edgeLook))
	if p.o.Chapter < memorySince {
		p.root.Attr("ordering", "out")
	}
	if p.o.Caption != "" {
		p.root.Attrs("label", p.o.Caption, "labelloc", "t", "fontname", "Helvetica", "fontsize", 11)
	}
}

// A sheet is the part of a picture that shows one function.
type sheet struct {
	*picture
	f     Func
	g     *node.Graph
	key   string          // what the library's identifiers of this function begin with
	own   string          // what ours begin with, if there are several functions
	width int             // digits of a node's number in them: the library sorts them as text
	list  []*node.Node    // what is drawn, by number
	refs  map[node.ID]ref // where; never ranged over
	nodes *dot.Graph      // the cluster of the nodes
	block []*dot.Graph    // by number of block: its cluster
	held  []bool          // by number: something that needs the node stands below it
	floor dot.Node        // what the scopes are drawn below
}

// A ref is where edges to a node end: a node of the picture, and the port in it.
type ref struct {
	at   dot.Node
	port string
}

func (p *picture) sheet(f Func, key string) *sheet {
	return &sheet{picture: p, f: f, g: f.Graph, key: key, width: len(fmt.Sprint(f.Graph.NumIDs())), refs: map[node.ID]ref{}, held: make([]bool, f.Graph.NumIDs())}
}

func (s *sheet) draw() {
	s.nodes = s.cluster(s.root, "Nodes"+s.key, "Nodes")
	if s.own != "" {
		s.nodes.Attr("label", s.g.Name)
	}
	s.choose()
	s.makeBlocks()
	for _, n := range s.list {
		if !isProjection(n) {
			s.drawNode(n)
		}
	}
	s.drawEdges()
	if s.o.Scopes && s.g.Scopes != nil {
		s.drawScopes()
	}
}

// cluster makes a frame. Attributes of the picture would be handed down to frames that do
// not have them, so it gets an empty label.
func (s *sheet) cluster(in *dot.Graph, key, name string) *dot.Graph {
	c := in.Subgraph(key, dot.ClusterOption{})
	c.Attrs("label", "", "id", "cluster_"+s.own+name)
	return c
}
