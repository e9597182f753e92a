// Command shoal compiles, runs, shows and teaches the language Simple. It has flags and
// files only; package shoal does the work.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"github.com/spf13/cobra"

	"shoal"
	"shoal/source"
)

// The exit statuses (cli.md).
const (
	statusErrors = 1 // the program has errors, or a check failed
	statusUsage  = 2 // wrong usage, or a file that can not be read or written
	statusBug    = 3 // a bug in shoal
)

// gcPercent keeps the collector out of the way of a process that lives for a second
// (architecture §4); memoryLimit calls it back before memory is short.
const (
	gcPercent   = 400
	memoryLimit = 4 << 30
)

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
		debug.SetMemoryLimit(memoryLimit)
	}
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run runs the command and returns its exit status.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) (status int) {
	defer func() {
		if v := recover(); v != nil {
			unit := &shoal.Unit{File: source.NewFile(fmt.Sprintf("of shoal %q", args), nil)}
			reportBug(stderr, &shoal.Bug{Pass: "command", Value: v, Stack: debug.Stack(), Unit: unit})
			status = statusBug
		}
	}()
	out := &output{w: stdout}
	root := newRoot(&app{in: stdin, out: out, err: stderr})
	root.SetArgs(separate(root, args))
	root.SetIn(stdin)
	root.SetOut(out)
	root.SetErr(stderr)
	err := root.Execute()
	if err == nil {
		err = out.err
	}
	return statusOf(err, stderr)
}

// statusOf is the exit status for the error of a command, which it prints unless that has
// been done.
func statusOf(err error, stderr io.Writer) int {
	var status exitStatus
	var bug *shoal.Bug
	switch {
	case err == nil:
		return 0
	case errors.As(err, &status):
		return int(status)
	case errors.As(err, &bug):
		reportBug(stderr, bug)
		return statusBug
	}
	fmt.Fprintf(stderr, "shoal: %v\n", err)
	return statusUsage
}

// An output is standard output. It remembers the first error, so that no result gets lost
// in silence on a full disk.
type output struct {
	w   io.Writer
	err error
}

func (o *output) Write(b []byte) (int, error) {
	n, err := o.w.Write(b)
	if err != nil && o.err == nil {
		o.err = err
	}
	return n, err
}

// An exitStatus is the error of a command that has said all there is to say.
type exitStatus int

func (s exitStatus) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

// reportBug says that shoal is at fault and leaves a file for the report.
func reportBug(stderr io.Writer, bug *shoal.Bug) {
	fmt.Fprintf(stderr, "shoal: this is a %v\n", bug)
	f, err := os.CreateTemp(".", "bug-*.txt")
	if err != nil {
		fmt.Fprintf(stderr, "%s", bug.Stack)
		return
	}
	defer f.Close()
	bug.Write(f)
	fmt.Fprintf(stderr, "shoal: please report it together with %s\n", f.Name())
}

// An app is what all commands share.
type app struct {
	in    io.Reader
	out   *output
	err   io.Writer
	flags flags
}

func newRoot(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:           "shoal",
		Short:         "An optimizing compiler for the language Simple, built on a sea of nodes",
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	root.AddCommand(
		a.buildCommand(), a.runCommand(), a.evalCommand(), a.checkCommand(), a.irCommand(), a.dotCommand(), a.walkCommand(),
		a.ssaCommand(), a.lessonCommand(), a.explainCommand(), a.passesCommand(), a.rulesCommand(), a.opsCommand(), a.versionCommand(),
	)
	root.SetHelpCommand(a.helpCommand())
	explainUsage(root)
	return root
}
