package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"shoal"
	"shoal/gcm"
	"shoal/internal/heap"
	"shoal/node/interp"
	"shoal/source"
	"shoal/ssa"
)

// defaultSteps is how many steps eval allows: more than anybody waits for.
const defaultSteps = 1 << 62

// evaluators has the interpreter of each stage.
var evaluators = map[string]func(u *shoal.Unit, arg int64, steps int) gcm.Result{
	"parse":    evalGraph,
	"optimize": evalGraph,
	"schedule": func(u *shoal.Unit, arg int64, steps int) gcm.Result { return gcm.Evaluate(u.Schedules[0], arg, steps) },
	"ssa": func(u *shoal.Unit, arg int64, steps int) gcm.Result {
		in := ssa.NewInterp(u.Module.Funcs[0])
		n, err := in.Run(steps, arg)
		if errors.Is(err, ssa.ErrSteps) {
			return gcm.Result{}
		}
		return gcm.Result{Value: n, Heap: in.Heap, Ended: true, Err: err}
	},
}

// compileChecked is compile, but a program is checked whatever stage is to be interpreted:
// one that is wrong has no meaning.
func (a *app) compileChecked(c *cobra.Command, name, until string) (*shoal.Unit, error) {
	if until == "optimize" {
		return a.compile(c, name, "check")
	}
	file, err := a.read(name)
	if err != nil {
		return nil, err
	}
	if until == "parse" {
		o, err := a.options(c, "check")
		if err != nil {
			return nil, err
		}
		if u, err := shoal.Compile(file, o); err == shoal.ErrProgram {
			return nil, a.report(u.Diagnostics)
		}
	}
	return a.compileFile(c, file, until)
}

func evalGraph(u *shoal.Unit, arg int64, steps int) gcm.Result {
	in := interp.New(u.Funcs[0].Graph)
	n, outcome := in.Run(arg, steps)
	return gcm.Result{Value: n, Heap: in.Heap, Ended: outcome != interp.Timeout, Err: in.Err}
}

func (a *app) evalCommand() *cobra.Command {
	after := "optimize"
	steps := defaultSteps
	c := &cobra.Command{
		Use:   "eval FILE [ARG...]",
		Short: "Interpret the program; one line with the result for each argument",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			values, err := parseArgs(args[1:])
			if err != nil {
				return err
			}
			eval := evaluators[after]
			if eval == nil {
				return fmt.Errorf("--after must be parse, optimize, schedule or ssa")
			}
			if steps < 1 {
				return fmt.Errorf("--max-steps must be 1 or more")
			}
			u, err := a.compileChecked(c, args[0], after)
			if err != nil {
				return err
			}
			for _, arg := range values {
				r := eval(u, arg, steps)
				if !r.Ended {
					u.Diagnostics.Add(source.Diagnostic{Code: "steps", Message: fmt.Sprintf("the program did not end within %d steps", steps)})
					return a.report(u.Diagnostics)
				}
				if r.Err != nil {
					fmt.Fprintln(a.err, r.Err)
					return exitStatus(statusErrors)
				}
				text, err := heap.AppendValue(nil, r.Heap, u.Funcs[0].Graph.ResultType(), r.Value)
				if err != nil {
					return err
				}
				fmt.Fprintf(a.out, "%s\n", text)
			}
			return nil
		},
	}
	c.Flags().StringVar(&after, "after", after, "the pass after which to interpret: parse, optimize, schedule or ssa")
	c.Flags().IntVar(&steps, "max-steps", steps, "give up after so many steps")
	return a.compiling(c)
}

func (a *app) checkCommand() *cobra.Command {
	return a.compiling(&cobra.Command{
		Use:   "check FILE",
		Short: "Report what is wrong with the program",
		Args:  cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			_, err := a.compile(c, args[0], "check")
			return err
		},
	})
}
