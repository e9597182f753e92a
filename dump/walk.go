package dump

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"shoal/node"
	"shoal/peephole"
	"shoal/source"
)

// A Format is how a walkthrough is written.
type Format string

// The formats.
const (
	Text     Format = "text"
	Markdown Format = "md"
	HTML     Format = "html"
)

// maxFrames is how many steps a walkthrough may have: a page of pictures gets too large
// for a browser, and takes Graphviz some 30 ms a picture; nobody reads more text either.
var maxFrames = map[Format]int{Text: 20_000, Markdown: 20_000, HTML: 500}

// What the picture of a step shows at most.
const (
	frameHops  = 2
	frameNodes = 40
	frameVars  = 24
	frameUsers = 12 // rows for users of a node, in text

	frameListed = 40 // users that a row lists
)

// WalkOptions choose what a walkthrough shows.
type WalkOptions struct {
	Chapter  int
	Format   Format
	Pictures bool // with HTML: frames get pictures
	From, To int  // the steps, from 1; a To of 0 means all
	Only     []node.EventKind
}

// A Walker collects the steps of a compilation. Its OnEvent is the one of the compiler.
type Walker struct {
	o      WalkOptions
	file   *source.File
	rules  map[string]*peephole.Rule // by name
	frames []frame
	count  int // events so far
	chosen int // of these, those that the options want
}

// A frame is one step, written down while the graph was as it was then.
type frame struct {
	K        int
	Kind     node.EventKind
	Pass     string
	Rule     string
	Equation string
	Source   string // where the equation is from
	Sentence string
	Line     int // of the program; 0 if no place is known
	Column   int
	Rows     string // the neighbourhood as a node table
	picture  []byte
}

// NewWalker makes a Walker for a program.
func NewWalker(file *source.File, o WalkOptions) *Walker {
	w := &Walker{o: o, file: file, rules: map[string]*peephole.Rule{}}
	rules := peephole.Rules()
	for i := range rules {
		w.rules[rules[i].Name] = &rules[i]
	}
	return w
}

// OnEvent takes down a step if it is one of those that are wanted.
func (w *Walker) OnEvent(g *node.Graph, e node.Event) {
	w.count++
	if w.o.Chapter < memorySince && isMemory(e.Node) || w.count < w.o.From || w.o.To > 0 && w.count > w.o.To || w.o.Only != nil && !slices.Contains(w.o.Only, e.Kind) {
		return
	}
	if w.chosen++; w.chosen > maxFrames[w.o.Format] {
		return
	}
	w.frames = append(w.frames, w.frame(g, e))
}

func (w *Walker) frame(g *node.Graph, e node.Event) frame {
	f := frame{K: w.count, Kind: e.Kind, Pass: e.Pass, Rule: e.Rule, Sentence: Sentence(g, e), Equation: equation(e, w.rules)}
	if r := w.rules[e.Rule]; r != nil && e.Kind == node.Rewrote {
		f.Source = r.Source()
	}
	at := e.At
	if !at.Known() && e.Node != nil {
		at = e.Node.Pos
	}
	f.Line, f.Column = w.file.Line(at)
	f.Rows = w.rows(g, e)
	if w.o.Format == HTML && w.o.Pictures {
		f.picture = w.draw(g, e)
	}
	return f
}

// draw draws what is near the nodes of an event.
func (w *Walker) draw(g *node.Graph, e node.Event) []byte {
	o := Options{Chapter: w.o.Chapter, Around: focus(g, e), Hops: frameHops, MaxNodes: frameNodes, MaxVars: frameVars, Event: &e}
	o.Scopes = e.Node.Op.Is(node.Table)
	var b bytes.Buffer
	Draw(&b, o, Func{Graph: g}) // a buffer takes everything
	return b.Bytes()
}

// focus is the nodes that an event is about: of a scope, what it stands for.
func focus(g *node.Graph, e node.Event) []*node.Node {
	nodes := []*node.Node{}
	for _, n := range []*node.Node{e.Node, e.With} {
		if n == nil {
			continue
		}
		if !n.Op.Is(node.Table) {
			nodes = append(nodes, n)
			continue
		}
		if n.NumIn() > 0 && n.In(0) != nil {
			nodes = append(nodes, n.In(0))
		}
		if sc := scopeOf(g, n); sc != nil {
			values := g.Scopes.Bindings(sc)
			for _, v := range values[max(1, len(values)-frameVars):] {
				if v != nil {
					nodes = append(nodes, v)
				}
			}
		}
	}
	return nodes
}

// rows is the neighbourhood of an event as a node table: the nodes that it is about, with
// a mark, what they need, and who uses them.
func (w *Walker) rows(g *node.Graph, e node.Event) string {
	var near []*node.Node
	table := Rows(w.o.Chapter)
	table.MaxUsers = frameListed
	add := func(n *node.Node) {
		if n != nil && !table.Hides(n) && n.Op != node.OpXCtrl && !slices.Contains(near, n) {
			near = append(near, n)
		}
	}
	for _, n := range focus(g, e) {
		add(n)
		if e.Node.Op.Is(node.Table) {
			continue
		}
		for i := range min(n.NumIn(), frameUsers) {
			add(n.In(i))
		}
		for i, u := range n.Uses() {
			if i == frameUsers || n.Op == node.OpStart || n.Op == node.OpConstant {
				break
			}
			add(u.User)
		}
	}
	sortBy(near, func(n *node.Node) node.ID { return n.ID })
	var b []byte
	for _, n := range near {
		mark := "  "
		switch {
		case n == e.Node:
			mark = "* "
		case n == e.With:
			mark = "> "
		}
		b = table.Append(append(b, mark...), n)
	}
	return string(b)
}

// Check is the error of a program with more steps than a walkthrough can have.
func (w *Walker) Check() error {
	switch {
	case w.chosen > maxFrames[w.o.Format]:
		return fmt.Errorf("%d of the program's %d steps are too many for one walkthrough in %s, which takes %d: choose some with --from and --to, or with --only",
			w.chosen, w.count, w.o.Format, maxFrames[w.o.Format])
	case w.o.From > w.count:
		return fmt.Errorf("--from %d: the program takes only %d steps", w.o.From, w.count)
	}
	return nil
}

// Pictures are the pictures of the steps for Graphviz to lay out, in order.
func (w *Walker) Pictures() [][]byte {
	var all [][]byte
	for _, f := range w.frames {
		all = append(all, f.picture)
	}
	return all
}

// Write writes the walkthrough; svgs are the pictures as laid out, nil for text instead.
func (w *Walker) Write(out io.Writer, svgs [][]byte) error {
	var b bytes.Buffer
	switch w.o.Format {
	case HTML:
		if err := w.writeHTML(&b, svgs); err != nil {
			return err
		}
	case Markdown:
		w.writeMarkdown(&b)
	default:
		w.writeText(&b)
	}
	_, err := out.Write(b.Bytes())
	return err
}

// title says what the walkthrough of the program with the given name is about.
func (w *Walker) title(program string) string {
	return fmt.Sprintf("%s at chapter %d: %d of %d steps", program, w.o.Chapter, len(w.frames), w.count)
}

func (f *frame) heading() string {
	s := fmt.Sprintf("Step %d: %v", f.K, f.Kind)
	if f.Line > 0 {
		s += fmt.Sprintf(", line %d:%d", f.Line, f.Column)
	}
	return s + ", " + f.Pass
}

func (w *Walker) writeText(b *bytes.Buffer) {
	fmt.Fprintf(b, "%s\n", w.title(w.file.Name))
	for _, f := range w.frames {
		fmt.Fprintf(b, "\n%s\n  %s\n", f.heading(), f.Sentence)
		if f.Equation != "" {
			fmt.Fprintf(b, "  %s: %s\n", f.Rule, f.equationAndSource())
		}
		for row := range strings.Lines(f.Rows) {
			fmt.Fprintf(b, "    %s", row)
		}
	}
}

func (f *frame) equationAndSource() string {
	if f.Source == "" {
		return f.Equation
	}
	return f.Equation + "   (" + f.Source + ")"
}

func (w *Walker) writeMarkdown(b *bytes.Buffer) {
	fmt.Fprintf(b, "# %s\n\n```\n%s\n```\n", w.title(w.file.Name), strings.TrimRight(printable(w.file.Text), "\n"))
	for _, f := range w.frames {
		fmt.Fprintf(b, "\n## %s\n\n%s\n", f.heading(), markdownText(f.Sentence))
		if f.Equation != "" {
			fmt.Fprintf(b, "\nRule `%s`: `%s`\n", f.Rule, f.equationAndSource())
		}
		if f.Rows != "" {
			fmt.Fprintf(b, "\n```\n%s```\n", f.Rows)
		}
	}
}

// markdownText keeps operators and names from being taken for markup. What stands in
// backquotes is left alone.
func markdownText(s string) string {
	parts := strings.Split(s, "`")
	for i := 0; i < len(parts); i += 2 {
		parts[i] = markdownEscapes.Replace(parts[i])
	}
	return strings.Join(parts, "`")
}

var markdownEscapes = strings.NewReplacer("*", `\*`, "_", `\_`, "<", `\<`, ">", `\>`, "|", `\|`, "[", `\[`, "&", `\&`, "~", `\~`)

// printable is a program's text as far as it is text.
func printable(text []byte) string {
	if len(text) > maxSourceText {
		text = text[:maxSourceText]
	}
	return strings.ReplaceAll(strings.ToValidUTF8(string(text), "?"), "\x00", "?")
}
