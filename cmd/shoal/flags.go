package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"shoal"
	"shoal/codegen"
	"shoal/source"
)

// flags are those that all compiling commands have.
type flags struct {
	chapter     int
	opt         int
	arg         int64
	seed        int64
	verify      bool
	time        bool
	diagnostics string
	color       string
	unchecked   bool
	target      string
}

// compiling adds the shared flags to a command.
func (a *app) compiling(c *cobra.Command) *cobra.Command {
	f := c.Flags()
	f.IntVar(&a.flags.chapter, "chapter", shoal.MaxChapter, "level of the language and of the optimizer, 1 to 24")
	f.IntVarP(&a.flags.opt, "opt", "O", 2, "0: no rules at all; 1: rules and value numbering; 2: everything")
	f.Int64Var(&a.flags.arg, "arg", 0, "compile with the argument known (chapters 4 to 17)")
	f.Int64Var(&a.flags.seed, "seed", 0, "order of the worklist")
	f.BoolVar(&a.flags.unchecked, "unchecked", false, "leave run-time checks out; a program with a bad index is then undefined")
	a.flags.reports(f)
	return a.generating(c)
}

// generating adds the flags that the back end has by itself.
func (a *app) generating(c *cobra.Command) *cobra.Command {
	f := c.Flags()
	f.BoolVar(&a.flags.verify, "verify", false, "run all verifiers after every pass")
	f.BoolVar(&a.flags.time, "time", false, "print time, nodes and bytes of every pass")
	f.StringVar(&a.flags.target, "target", onlyTarget, "the machine to compile for")
	return c
}

func (f *flags) checkTarget() error {
	if f.target != onlyTarget {
		return fmt.Errorf("--target must be %s", onlyTarget)
	}
	return nil
}

// onlyTarget is the machine there is.
const onlyTarget = "amd64-linux"

// reports adds the flags of how to report what is wrong.
func (f *flags) reports(set interface {
	StringVar(p *string, name, value, usage string)
}) {
	set.StringVar(&f.diagnostics, "diagnostics", "text", "text or json")
	set.StringVar(&f.color, "color", "auto", "auto, always or never")
}

func (f *flags) checkReports() error {
	switch {
	case f.diagnostics != "text" && f.diagnostics != "json":
		return fmt.Errorf("--diagnostics must be text or json")
	case f.color != "auto" && f.color != "always" && f.color != "never":
		return fmt.Errorf("--color must be auto, always or never")
	}
	return nil
}

// options are the options that the flags ask for.
func (a *app) options(c *cobra.Command, until string) (shoal.Options, error) {
	f := &a.flags
	o := shoal.Options{Chapter: f.chapter, Until: until, Seed: f.seed, Unchecked: f.unchecked, Verify: f.verify, Measure: f.time, Target: f.target, Lean: until == ""}
	switch {
	case f.chapter < 1 || f.chapter > shoal.MaxChapter:
		return o, fmt.Errorf("--chapter must be 1 to %d", shoal.MaxChapter)
	case f.opt < 0 || f.opt > 2:
		return o, fmt.Errorf("-O must be 0, 1 or 2")
	}
	if err := errors.Join(f.checkReports(), f.checkTarget()); err != nil {
		return o, err
	}
	o.Opt = [...]shoal.Opt{shoal.Raw, shoal.Rules, shoal.Full}[f.opt]
	if c.Flags().Changed("arg") {
		if f.chapter < 4 || f.chapter > 17 {
			return o, fmt.Errorf("--arg is for chapters 4 to 17")
		}
		o.Arg = &f.arg
	}
	return o, nil
}

// read reads a source file; "-" is standard input.
func (a *app) read(name string) (*source.File, error) {
	var text []byte
	var err error
	if name == "-" {
		text, err = io.ReadAll(io.LimitReader(a.in, source.MaxSize+1))
	} else {
		text, err = readFile(name)
	}
	if err != nil {
		return nil, err
	}
	return source.NewFile(name, text), nil
}

// readFile reads a file, but not one that is too large to be a program.
func readFile(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return nil, fmt.Errorf("%s is a directory", name)
	}
	text := make([]byte, 0, min(info.Size(), source.MaxSize)+1)
	for {
		n, err := f.Read(text[len(text):cap(text)])
		text = text[:len(text)+n]
		if err == io.EOF || len(text) > source.MaxSize {
			return text, nil
		}
		if err != nil {
			return nil, err
		}
		if len(text) == cap(text) {
			text = append(text, 0)[:len(text)]
		}
	}
}

// compile takes a file through the passes up to until and reports what is wrong with it.
func (a *app) compile(c *cobra.Command, name, until string, more ...func(*shoal.Options)) (*shoal.Unit, error) {
	file, err := a.read(name)
	if err != nil {
		return nil, err
	}
	return a.compileFile(c, file, until, more...)
}

// compileFile is compile for a file that has been read.
func (a *app) compileFile(c *cobra.Command, file *source.File, until string, more ...func(*shoal.Options)) (*shoal.Unit, error) {
	o, err := a.options(c, until)
	if err != nil {
		return nil, err
	}
	for _, m := range more {
		m(&o)
	}
	a.showGraphs(&o, file)
	u, err := shoal.Compile(file, o)
	if a.flags.time {
		a.printStats(u)
	}
	if err == shoal.ErrProgram {
		return nil, a.report(u.Diagnostics)
	}
	return u, err
}

// report prints diagnostics; the error is the status that goes with them.
func (a *app) report(ds *source.Diagnostics) error {
	if a.flags.diagnostics == "json" {
		if err := ds.WriteJSON(a.err); err != nil {
			return err
		}
	} else {
		ds.WriteText(a.err, a.colored())
	}
	return exitStatus(statusErrors)
}

// colored tells whether diagnostics are painted: when asked for, or on a terminal.
func (a *app) colored() bool {
	if a.flags.color != "auto" {
		return a.flags.color == "always"
	}
	f, ok := a.err.(*os.File)
	if !ok || os.Getenv("NO_COLOR") != "" {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

func (a *app) printStats(u *shoal.Unit) {
	fmt.Fprintf(a.err, "%-10s %12s %10s %14s\n", "pass", "time", "nodes", "bytes")
	for _, s := range u.Stats {
		fmt.Fprintf(a.err, "%-10s %12v %10d %14d\n", s.Pass, s.Time, s.Nodes, s.Bytes)
	}
	if u.Program != nil {
		a.printStages(u.Program)
	}
}

// printStages prints what the stages of the back end took, summed over all functions.
func (a *app) printStages(p *codegen.Program) {
	for i, t := range p.Times {
		fmt.Fprintf(a.err, "  %-8s %12v\n", codegen.StageName(i), t)
	}
}
