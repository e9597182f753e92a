package shoal

import (
	"fmt"
	"io"
)

// Version is the version of the compiler.
const Version = "0.1.0"

// Write writes what is needed to find a bug: what happened where, the options, the
// program and the graphs as they were.
func (b *Bug) Write(w io.Writer) {
	fmt.Fprintf(w, "shoal %s\n%v\noptions: %+v\n\n%s\n", Version, b, b.Unit.Opts, b.Stack)
	for _, f := range b.Unit.Funcs {
		fmt.Fprintf(w, "graph of %s: %v\n", f.Graph.Name, f.Graph.Stop)
	}
	fmt.Fprintf(w, "\nprogram %s:\n%s\n", b.Unit.File.Name, b.Unit.File.Text)
}
