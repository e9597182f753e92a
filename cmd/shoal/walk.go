package main

import (
	"bytes"
	"fmt"
	"os/exec"
	"strings"

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
its equation, and the neighbourhood that changed. With --format html it is one page, with
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

// layOut lets one process of Graphviz lay out all pictures.
func layOut(dot string, pictures [][]byte) ([][]byte, error) {
	if len(pictures) == 0 {
		return nil, nil
	}
	var messages bytes.Buffer
	c := exec.Command(dot, "-Tsvg")
	c.Stdin = bytes.NewReader(bytes.Join(pictures, []byte("\n")))
	c.Stderr = &messages
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("dot: %w: %s", err, strings.TrimSpace(messages.String()))
	}
	svgs := dump.SplitSVG(out)
	if len(svgs) != len(pictures) {
		return nil, fmt.Errorf("dot laid out %d of %d pictures", len(svgs), len(pictures))
	}
	return svgs, nil
}
