package main

import (
	"errors"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"shoal/codegen"
	"shoal/codegen/exec"
	"shoal/internal/heap"
	"shoal/node"
	"shoal/source"
	"shoal/ssa"
	"shoal/ssa/destruct"
	"shoal/ssa/forms"
)

// maxSSASteps ends a run of a text that does not end by itself.
const maxSSASteps = 1 << 40

// maxNativeTime ends a native one: a year.
const maxNativeTime = 365 * 24 * time.Hour

// statusFault is the status of a process that a fault has ended, by SIGABRT.
const statusFault = 134

func (a *app) ssaCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "ssa",
		Short: "The SSA text form on its own: validate, convert, destruct, run, build",
		Args:  cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownCommand(c, args)
			}
			return c.Help()
		},
		PersistentPreRunE: func(*cobra.Command, []string) error { return a.flags.checkReports() },
	}
	a.flags.reports(c.PersistentFlags())
	c.AddCommand(a.ssaValidate(), a.ssaConvert(), a.ssaDestruct(), a.ssaRun(), a.ssaBuild())
	return c
}

// readSSA reads and validates a text in any of the three forms.
func (a *app) readSSA(name string) (*ssa.Module, error) {
	file, err := a.read(name)
	if err != nil {
		return nil, err
	}
	m, err := ssa.Parse(file)
	var ds *source.Diagnostics
	switch {
	case errors.As(err, &ds):
		return nil, a.report(ds)
	case err != nil:
		return nil, err
	}
	for _, broken := range forms.ValidateModule(m) {
		rule, _, _ := strings.Cut(broken.Error(), ":")
		ds = &source.Diagnostics{File: file} // one each: they have no places to be told apart by
		ds.Add(source.Diagnostic{Code: rule, Message: broken.Error()})
		err = a.report(ds)
	}
	return m, err
}

// readArgs is readSSA in block-argument form, ready for the back end.
func (a *app) readArgs(name string) (*ssa.Module, error) {
	m, err := a.readSSA(name)
	if err != nil {
		return nil, err
	}
	if m, err = forms.ConvertModule(m, ssa.FormArgs); err != nil {
		return nil, err
	}
	for _, f := range m.Funcs {
		f.SetDepths(ssa.Dominators(f))
	}
	return m, nil
}

func (a *app) ssaValidate() *cobra.Command {
	return &cobra.Command{
		Use: "validate FILE.ssa", Short: "Check the rules of the form: S0-S4, P1-P3, U1-U3", Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			_, err := a.readSSA(args[0])
			return err
		},
	}
}

func (a *app) ssaConvert() *cobra.Command {
	var to string
	var p params
	c := &cobra.Command{
		Use: "convert --to FORM FILE.ssa", Short: "Convert to args, phi or upsilon", Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			form, ok := ssa.FormNamed(to)
			if !ok {
				return fmt.Errorf("--to must be args, phi or upsilon")
			}
			m, err := a.readSSA(args[0])
			if err != nil {
				return err
			}
			counts, err := p.change(&m)
			if err != nil {
				return err
			}
			if m, err = forms.ConvertModule(m, form); err != nil {
				return err
			}
			if err := ssa.Print(a.out, m); err != nil {
				return err
			}
			_, err = fmt.Fprint(a.out, counts)
			return err
		},
	}
	c.Flags().StringVar(&to, "to", "args", "the form to convert to")
	c.Flags().BoolVar(&p.maximal, "maximal", false, "first make every value a parameter of every block that can see it")
	c.Flags().BoolVar(&p.prune, "prune", false, "first remove the parameters that are dead or trivial")
	return c
}

// params says what to do with the block parameters before a conversion.
type params struct{ maximal, prune bool }

// maxParams is how many parameters --maximal adds at most: there are as many as values
// times blocks.
const maxParams = 1_000_000

// change changes a module and puts what it counted into lines that are comments of the text.
func (p params) change(m **ssa.Module) (counts string, err error) {
	if !p.maximal && !p.prune {
		return "", nil
	}
	if *m, err = forms.ConvertModule(*m, ssa.FormArgs); err != nil {
		return "", err
	}
	for _, f := range (*m).Funcs {
		if p.maximal {
			added, err := f.Maximal(maxParams)
			if err != nil {
				return "", err
			}
			counts += fmt.Sprintf("# %s: %d parameters added\n", f.Name, added)
		}
		if p.prune {
			n := f.Prune()
			counts += fmt.Sprintf("# %s: %d parameters, %d of them dead, %d trivial; %d are left\n",
				f.Name, n.Params, n.Dead, n.Trivial, n.Params-n.Dead-n.Trivial)
		}
	}
	return counts, nil
}

// strategyFlag adds --strategy; the function returned reads it.
func strategyFlag(c *cobra.Command, value string) func() (destruct.Strategy, error) {
	c.Flags().StringVar(&value, "strategy", value, "naive (wrong on purpose), sreedhar1 or boissinot")
	return func() (destruct.Strategy, error) {
		s, ok := destruct.StrategyNamed(value)
		if !ok {
			return 0, fmt.Errorf("--strategy must be naive, sreedhar1 or boissinot")
		}
		return s, nil
	}
}

func (a *app) ssaDestruct() *cobra.Command {
	c := &cobra.Command{Use: "destruct FILE.ssa", Short: "Leave SSA form: copies instead of parameters", Args: cobra.ExactArgs(1)}
	strategy := strategyFlag(c, "boissinot")
	c.RunE = func(_ *cobra.Command, args []string) error {
		s, err := strategy()
		if err != nil {
			return err
		}
		m, err := a.readArgs(args[0])
		if err != nil {
			return err
		}
		for _, f := range m.Funcs {
			code, stats := destruct.Run(f, s)
			fmt.Fprint(a.out, code)
			fmt.Fprintf(a.out, "# %s: %d copies for %d arguments of %d parameters, %d of them to a temporary; %d edges split, %d variables\n",
				s, stats.Copies, stats.Arguments, stats.Params, stats.Temps, stats.SplitEdges, stats.Variables)
		}
		return nil
	}
	return c
}

func (a *app) ssaRun() *cobra.Command {
	var native bool
	c := &cobra.Command{
		Use: "run [--strategy S] [--native] FILE.ssa [ARG...]", Short: "Run the first function; one line for each call", Args: cobra.MinimumNArgs(1),
	}
	c.Flags().BoolVar(&native, "native", false, "compile it instead of interpreting it")
	a.generating(c)
	strategy := strategyFlag(c, "")
	c.RunE = func(c *cobra.Command, args []string) error {
		m, err := a.readSSA(args[0])
		if err != nil {
			return err
		}
		calls, err := groupArgs(m.Funcs[0], args[1:])
		if err != nil {
			return err
		}
		class := m.Funcs[0].ResultClass()
		if native {
			return a.runNative(args[0], class, calls)
		}
		run := func(inputs []int64) (int64, error) { return forms.Run(m.Funcs[0], maxSSASteps, inputs...) }
		if c.Flags().Changed("strategy") {
			s, err := strategy()
			if err != nil {
				return err
			}
			if m, err = forms.ConvertModule(m, ssa.FormArgs); err != nil {
				return err
			}
			code, _ := destruct.Run(m.Funcs[0], s)
			run = func(inputs []int64) (int64, error) { return code.Run(maxSSASteps, inputs...) }
		}
		for _, inputs := range calls {
			result, err := run(inputs)
			if err != nil {
				return a.failed(args[0], err)
			}
			fmt.Fprintln(a.out, wordText(class, result))
		}
		return nil
	}
	return c
}

// failed reports how a run has failed: a fault in the words of the program itself.
func (a *app) failed(name string, err error) error {
	var fault *node.FaultError
	if errors.As(err, &fault) {
		fmt.Fprintln(a.err, fault)
	} else {
		fmt.Fprintf(a.err, "%s: error: %v\n", name, err)
	}
	return exitStatus(statusErrors)
}

// wordText is the result of a function of linear SSA: an address for a reference.
func wordText(class ssa.Class, word int64) string {
	if class == ssa.Float {
		return heap.FloatText(math.Float64frombits(uint64(word)))
	}
	return strconv.FormatInt(word, 10)
}

// parseInputs reads the arguments of a function with inputs of these classes, over and
// over.
func parseInputs(f *ssa.Func, words []string) ([]int64, error) {
	inputs := make([]int64, len(words))
	for i, w := range words {
		if n := len(f.Inputs); n > 0 && f.Values[f.Inputs[i%n]].Class == ssa.Float {
			x, err := strconv.ParseFloat(w, 64)
			if err != nil {
				return nil, fmt.Errorf("argument %q is no number", w)
			}
			inputs[i] = int64(math.Float64bits(x))
			continue
		}
		one, err := parseArgs(words[i : i+1])
		if err != nil {
			return nil, err
		}
		inputs[i] = one[0]
	}
	return inputs, nil
}

// groupArgs cuts the arguments into calls of f.
func groupArgs(f *ssa.Func, words []string) ([][]int64, error) {
	n := len(f.Inputs)
	if n == 0 {
		if len(words) > 0 {
			return nil, fmt.Errorf("the function has no inputs")
		}
		return [][]int64{nil}, nil
	}
	if len(words) == 0 {
		return [][]int64{make([]int64, n)}, nil
	}
	if len(words)%n != 0 {
		return nil, fmt.Errorf("the function has %d inputs; %d arguments do not make whole calls", n, len(words))
	}
	flat, err := parseInputs(f, words)
	if err != nil {
		return nil, err
	}
	var calls [][]int64
	for ; len(flat) > 0; flat = flat[n:] {
		calls = append(calls, flat[:n])
	}
	return calls, nil
}

// runNative compiles the text and calls its first function in a server process.
func (a *app) runNative(name string, class ssa.Class, inputs [][]int64) error {
	p, err := a.compileSSA(name)
	if err != nil {
		return err
	}
	var calls []codegen.Call
	for _, in := range inputs {
		calls = append(calls, codegen.Call{Func: p.Funcs[0].Name, Args: in})
	}
	image, entries, err := p.CallImage(calls)
	if err != nil {
		return err
	}
	server, err := codegen.ServerExecutable()
	if err != nil {
		return err
	}
	s, err := exec.NewServer(server)
	if err != nil {
		return err
	}
	defer s.Close()
	if err := s.Load(image.Bytes, image.Size); err != nil {
		return err
	}
	for _, entry := range entries {
		results, err := s.Call(entry, []int64{0}, maxNativeTime)
		var crash *exec.CrashError
		if errors.As(err, &crash) && crash.Status == statusFault {
			fmt.Fprintln(a.err, strings.TrimSpace(crash.Stderr)) // as the interpreters say it
			return exitStatus(statusErrors)
		}
		if err != nil {
			return err
		}
		fmt.Fprintln(a.out, wordText(class, results[0]))
	}
	return nil
}

func (a *app) compileSSA(name string) (*codegen.Program, error) {
	m, err := a.readArgs(name)
	if err != nil {
		return nil, err
	}
	return a.generate(m)
}

// generate is the back end alone.
func (a *app) generate(m *ssa.Module) (*codegen.Program, error) {
	if err := a.flags.checkTarget(); err != nil {
		return nil, err
	}
	p, err := codegen.Compile(m, codegen.Options{Target: a.flags.target, Verify: a.flags.verify})
	if err == nil && a.flags.time {
		a.printStages(p)
	}
	return p, err
}

// setMain makes the first function main, if none is.
func setMain(m *ssa.Module) error {
	f := m.Funcs[0]
	for _, named := range m.Funcs {
		if named.Name == "main" {
			f = named
		}
	}
	if n := len(f.Inputs); n > 1 {
		return fmt.Errorf("%s has %d inputs, but an executable has one argument to give; -c makes an object", f.Name, n)
	}
	f.Name = "main"
	return nil
}

func (a *app) ssaBuild() *cobra.Command {
	var out string
	var object bool
	c := &cobra.Command{
		Use: "build [-o OUT] FILE.ssa", Short: "Make a native executable, or with -c a relocatable object", Args: cobra.ExactArgs(1),
		Long: `Makes a native executable, whose main is the function of that name, or else the first;
or with -c a relocatable object with all functions under their own names.`,
		RunE: func(_ *cobra.Command, args []string) error {
			m, err := a.readArgs(args[0])
			if err != nil {
				return err
			}
			make, mode := (*codegen.Program).Object, os.FileMode(0o666)
			if !object {
				make, mode = func(p *codegen.Program) ([]byte, error) { return p.Executable(false) }, 0o777
				if err := setMain(m); err != nil {
					fmt.Fprintf(a.err, "%s: error: %v\n", args[0], err)
					return exitStatus(statusErrors)
				}
			}
			p, err := a.generate(m)
			if err != nil {
				return err
			}
			image, err := make(p)
			if err != nil {
				return err
			}
			return writeOutput(outName(out, strings.TrimSuffix(args[0], ".ssa")+".smp", object), args[0], image, mode)
		},
	}
	c.Flags().StringVarP(&out, "output", "o", "", "the file to write; FILE without .ssa unless told. Objects get .o behind it")
	c.Flags().BoolVarP(&object, "object", "c", false, "write a relocatable object")
	return a.generating(c)
}
