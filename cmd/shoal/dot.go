package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"shoal"
	"shoal/dump"
	"shoal/node"
	"shoal/source"
)

// maxStepFiles is how many pictures --steps writes at most, and maxStepBytes how large
// they are together. Each is as large as the graph, so a program of many steps would fill
// the disk.
const (
	maxStepFiles = 5000
	maxStepBytes = 256 << 20
)

// readableNodes is how many nodes a picture can have before it says little to a reader and
// much to Graphviz, whose time grows faster than the graph.
const readableNodes = 400

// dotFlags are the flags of shoal dot.
type dotFlags struct {
	after  string
	fn     string
	node   int
	hops   int
	edges  []string
	scopes bool
	step   int
	steps  string
}

func (a *app) dotCommand() *cobra.Command {
	var f dotFlags
	c := &cobra.Command{
		Use:   "dot FILE",
		Short: "A picture of the graph for Graphviz",
		Long: `Writes a picture of the graph for Graphviz: shoal dot FILE | dot -Tsvg -o out.svg

Events are counted from 1, as shoal walk counts them. A picture of a step is the graph
as it stands when the event is told: a node that is about to be replaced is still there,
with an edge to what takes its place.`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			o, err := f.options(a)
			if err != nil {
				return err
			}
			if err := f.findPass(c); err != nil {
				return err
			}
			if c.Flags().Changed("hops") && f.node == 0 {
				return fmt.Errorf("--hops is for --node, which says from where")
			}
			file, err := a.read(args[0])
			if err != nil {
				return err
			}
			d := drawing{a: a, c: c, f: f, file: file, o: o}
			switch {
			case f.steps != "":
				return d.writeSteps()
			case c.Flags().Changed("step"):
				return d.drawStep(f.step)
			case f.scopes && f.after == "parse":
				return d.drawLastScopes()
			}
			return d.drawResult()
		},
	}
	f.register(c)
	c.MarkFlagsMutuallyExclusive("step", "steps")
	return a.compiling(c)
}

func (f *dotFlags) register(c *cobra.Command) {
	s := c.Flags()
	s.StringVar(&f.after, "after", "parse", "the pass to stop after")
	s.StringVar(&f.fn, "func", "", "draw this function only")
	s.IntVar(&f.node, "node", 0, "draw the node with this number and what is near")
	s.IntVar(&f.hops, "hops", 1, "with --node: how many edges away is near")
	s.StringSliceVar(&f.edges, "edges", nil, "the kinds of edges to draw: control, data, memory")
	s.BoolVar(&f.scopes, "scopes", false, "draw the parser's scopes; without --step as the last statement left them")
	s.IntVar(&f.step, "step", 0, "draw the graph right after this event")
	s.StringVar(&f.steps, "steps", "", "write a numbered picture for every event into this folder")
}

// options are the options of the picture that do not depend on the graph.
func (f *dotFlags) options(a *app) (dump.Options, error) {
	o := dump.Options{Chapter: a.flags.chapter, Source: true, Scopes: f.scopes, Hops: f.hops}
	for _, name := range f.edges {
		kind := dump.EdgesNamed(name)
		if kind == 0 {
			return o, fmt.Errorf("--edges: there are no %q edges, but control, data and memory", name)
		}
		o.Edges |= kind
	}
	if f.hops < 0 {
		return o, fmt.Errorf("--hops must be 0 or more")
	}
	return o, nil
}

// findPass lets steps go on as far as graphs change, unless the command says where to stop.
func (f *dotFlags) findPass(c *cobra.Command) error {
	if _, ok := shoal.PassNamed(f.after); !ok {
		return fmt.Errorf("--after: there is no pass %q; shoal passes lists them", f.after)
	}
	if (f.steps != "" || c.Flags().Changed("step")) && !c.Flags().Changed("after") {
		chapter, _ := c.Flags().GetInt("chapter")
		f.after = lastGraphPass(chapter)
	}
	return nil
}

// lastGraphPass is the last pass over graphs that a chapter explains.
func lastGraphPass(chapter int) string {
	last := "parse"
	for _, p := range shoal.Pipeline {
		if p.Since <= chapter && (p.Name == "optimize" || p.Name == "schedule") {
			last = p.Name
		}
	}
	return last
}

// A drawing is one run of shoal dot.
type drawing struct {
	a    *app
	c    *cobra.Command
	f    dotFlags
	file *source.File
	o    dump.Options
}

// compile compiles the program and counts the events; on may be nil.
func (d *drawing) compile(on func(k int, g *node.Graph, e node.Event)) (u *shoal.Unit, events int, err error) {
	u, err = d.a.compileFile(d.c, d.file, d.f.after, func(o *shoal.Options) {
		o.OnEvent = func(g *node.Graph, e node.Event) {
			events++
			if on != nil {
				on(events, g, e)
			}
		}
	})
	return u, events, err
}

// around limits a picture to a neighbourhood, if that was asked for.
func (d *drawing) around(g *node.Graph) (dump.Options, error) {
	o := d.o
	if d.f.node == 0 {
		return o, nil
	}
	if d.f.node < 0 || d.f.node >= g.NumIDs() || g.At(node.ID(d.f.node)).Dead() {
		return o, fmt.Errorf("--node: there is no node %d; shoal ir --form table lists them", d.f.node)
	}
	o.Around = []*node.Node{g.At(node.ID(d.f.node))}
	return o, nil
}

func (d *drawing) wants(g *node.Graph) bool { return d.f.fn == "" || d.f.fn == g.Name }

// drawResult draws the graphs as the last pass left them.
func (d *drawing) drawResult() error {
	u, err := d.a.compileFile(d.c, d.file, d.f.after, func(o *shoal.Options) {
		o.OnEvent = func(*node.Graph, node.Event) {} // #showGraph has nothing to add
	})
	if err != nil {
		return err
	}
	var funcs []dump.Func
	o := d.o
	for i, f := range u.Funcs {
		if !d.wants(f.Graph) {
			continue
		}
		fn := dump.Func{Graph: f.Graph}
		if i < len(u.Schedules) {
			fn.Schedule = u.Schedules[i]
		}
		funcs = append(funcs, fn)
		if o, err = d.around(f.Graph); err != nil {
			return err
		}
	}
	if len(funcs) == 0 {
		return fmt.Errorf("--func: there is no function %q", d.f.fn)
	}
	d.noteSize(funcs)
	return dump.Draw(d.a.out, o, funcs...)
}

// noteSize warns of a picture that is written at once but takes Graphviz long.
func (d *drawing) noteSize(funcs []dump.Func) {
	nodes := 0
	for _, f := range funcs {
		nodes += f.Graph.NumLive()
	}
	if d.f.node == 0 && nodes > readableNodes {
		fmt.Fprintf(d.a.err, "shoal: the picture has up to %d nodes, which is hard to read and slow to lay out; --node N --hops K draws a part, shoal ir --form table lists the nodes\n", nodes)
	}
}

// draw draws the graph at an event.
func (d *drawing) draw(w io.Writer, k int, g *node.Graph, e node.Event) error {
	o, err := d.around(g)
	if err != nil {
		return err
	}
	o.Event = &e
	o.Caption = dump.Caption(k, g, e)
	return dump.Draw(w, o, dump.Func{Graph: g})
}

// drawStep draws the graph right after event number step.
func (d *drawing) drawStep(step int) error {
	var buf bytes.Buffer
	var failed error
	_, events, err := d.compile(func(k int, g *node.Graph, e node.Event) {
		switch {
		case k != step:
		case !d.wants(g):
			failed = fmt.Errorf("--func: step %d is in function %q", step, g.Name)
		default:
			d.noteSize([]dump.Func{{Graph: g}})
			failed = d.draw(&buf, k, g, e)
		}
	})
	switch {
	case err != nil:
		return err
	case failed != nil:
		return failed
	case step < 1 || step > events:
		return fmt.Errorf("--step must be 1 to %d here", events)
	}
	_, err = d.a.out.Write(buf.Bytes())
	return err
}

// drawLastScopes draws the graph as the last statement left it: the scopes are gone at
// the end of the parse.
func (d *drawing) drawLastScopes() error {
	last := 0
	if _, _, err := d.compile(func(k int, g *node.Graph, e node.Event) {
		if e.Kind == node.Parsed && d.wants(g) {
			last = k
		}
	}); err != nil {
		return err
	}
	var buf bytes.Buffer
	var failed error
	if _, _, err := d.compile(func(k int, g *node.Graph, e node.Event) {
		if k != last {
			return
		}
		var o dump.Options
		if o, failed = d.around(g); failed == nil {
			d.noteSize([]dump.Func{{Graph: g}})
			failed = dump.Draw(&buf, o, dump.Func{Graph: g})
		}
	}); err != nil {
		return err
	}
	if failed != nil {
		return failed
	}
	if last == 0 {
		return d.drawResult()
	}
	_, err := d.a.out.Write(buf.Bytes())
	return err
}

// writeSteps writes a picture for every event. With --node there is none for those steps
// at which the node does not exist.
func (d *drawing) writeSteps() error {
	_, events, err := d.compile(nil)
	if err != nil {
		return err
	}
	if events > maxStepFiles {
		return fmt.Errorf("--steps: the program takes %d steps, more than the %d pictures that are written; use --step, or shoal walk with --from and --to", events, maxStepFiles)
	}
	if err := os.MkdirAll(d.f.steps, 0o777); err != nil {
		return err
	}
	var failed error
	written, size := 0, 0
	_, _, err = d.compile(func(k int, g *node.Graph, e node.Event) {
		if _, err := d.around(g); failed != nil || err != nil || !d.wants(g) {
			return
		}
		var buf bytes.Buffer
		if failed = d.draw(&buf, k, g, e); failed == nil {
			written++
			if size += buf.Len(); size > maxStepBytes {
				failed = fmt.Errorf("--steps: the pictures up to step %d have more than %d MB; --node N --hops K draws smaller ones, --step K a single one", k, maxStepBytes>>20)
				return
			}
			failed = writeFile(filepath.Join(d.f.steps, fmt.Sprintf("%04d.dot", k)), buf.Bytes(), 0o666)
		}
	})
	if err != nil {
		return err
	}
	if failed == nil {
		fmt.Fprintf(d.a.err, "%d pictures of %d steps in %s\n", written, events, d.f.steps)
	}
	return failed
}

// showGraphs lets the statement #showGraph print a picture while the program is parsed
// (language §8.10).
func (a *app) showGraphs(o *shoal.Options, file *source.File) {
	if o.OnEvent != nil || !bytes.Contains(file.Text, []byte("#")) {
		return // nobody is to pay for events without need
	}
	o.OnEvent = func(g *node.Graph, e node.Event) {
		if e.Kind == node.Shown {
			dump.Draw(a.out, dump.Options{Chapter: o.Chapter, Source: true, Scopes: true}, dump.Func{Graph: g})
		}
	}
}
