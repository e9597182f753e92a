package main

import (
	"bytes"
	"fmt"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/spf13/cobra"

	"shoal"
	"shoal/dump"
	"shoal/node"
)

func (a *app) walkCommand() *cobra.Command {
	var format string
	var from, to int
	var only []string
	c := &cobra.Command{
		Use:   "walk FILE",
		Short: "How the graph comes to be, step by step",
		Long: `Shows how the graph comes to be: every event as a step, with a sentence, the rule and
its equation, and the neighbourhood that changed: * marks the node that the step is about,
> what takes its place. With --format html it is one page, with
keys to step back and forth, and with pictures if Graphviz is installed.`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			o := dump.WalkOptions{Chapter: a.flags.chapter, Format: dump.Format(format), From: from, To: to}
			switch o.Format {
			case dump.Text, dump.Markdown, dump.HTML:
			default:
				return fmt.Errorf("--format must be md, text or html")
			}
			if from < 1 || to < 0 || to > 0 && to < from {
				return fmt.Errorf("--from and --to must name steps, the first before the last")
			}
			for _, name := range only {
				kind, err := eventNamed(name)
				if err != nil {
					return err
				}
				o.Only = append(o.Only, kind)
			}
			return a.walk(c, args[0], o)
		},
	}
	c.Flags().StringVar(&format, "format", "text", "text, md or html")
	c.Flags().IntVar(&from, "from", 1, "the first step to show")
	c.Flags().IntVar(&to, "to", 0, "the last step to show; 0 for all")
	c.Flags().StringSliceVar(&only, "only", nil, "show these kinds of steps only: "+strings.Join(eventNames(), ","))
	return a.compiling(c)
}

func eventNames() []string {
	names := make([]string, node.NumEventKinds)
	for k := range node.NumEventKinds {
		names[k] = k.String()
	}
	return names
}

func eventNamed(name string) (node.EventKind, error) {
	for k := range node.NumEventKinds {
		if strings.EqualFold(name, k.String()) {
			return k, nil
		}
	}
	return 0, fmt.Errorf("--only: there is no kind of step %q, but %s", name, strings.Join(eventNames(), ", "))
}

func (a *app) walk(c *cobra.Command, name string, o dump.WalkOptions) error {
	file, err := a.read(name)
	if err != nil {
		return err
	}
	dot, err := exec.LookPath("dot")
	o.Pictures = err == nil
	w := dump.NewWalker(file, o)
	_, err = a.compileFile(c, file, lastGraphPass(o.Chapter), func(o *shoal.Options) { o.OnEvent = w.OnEvent })
	if err != nil {
		return err
	}
	if err := w.Check(); err != nil {
		return err
	}
	if o.Format != dump.HTML {
		return w.Write(a.out, nil)
	}
	if !o.Pictures {
		fmt.Fprintln(a.err, "shoal: the page has no pictures, because there is no dot: install Graphviz")
		return w.Write(a.out, nil)
	}
	svgs, err := layOut(dot, w.Pictures())
	if err != nil {
		fmt.Fprintf(a.err, "shoal: the page has no pictures: %v\n", err)
	}
	return w.Write(a.out, svgs)
}

// layOut lets Graphviz lay out all pictures, as many at a time as there are processors.
// Each gets a process of its own: in one process for all, dot 2.43 lays the same picture
// out in another way every time.
func layOut(dot string, pictures [][]byte) ([][]byte, error) {
	svgs := make([][]byte, len(pictures))
	failed := make([]error, len(pictures))
	var next atomic.Int64
	var work sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		work.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(pictures); i = int(next.Add(1)) - 1 {
				svgs[i], failed[i] = layOutOne(dot, pictures[i])
			}
		})
	}
	work.Wait()
	for _, err := range failed {
		if err != nil {
			return nil, err
		}
	}
	return svgs, nil
}

func layOutOne(dot string, picture []byte) ([]byte, error) {
	var messages bytes.Buffer
	c := exec.Command(dot, "-Tsvg")
	c.Stdin = bytes.NewReader(picture)
	c.Stderr = &messages
	svg, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("dot: %w: %s", err, strings.TrimSpace(messages.String()))
	}
	return svg, nil
}
