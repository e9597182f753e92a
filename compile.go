package shoal

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"slices"
	"time"

	"shoal/codegen"
	"shoal/gcm"
	"shoal/node"
	"shoal/node/types"
	"shoal/parser"
	"shoal/source"
	"shoal/ssa"
)

// MaxChapter is the last chapter of the language, and what Options mean by 0.
const MaxChapter = 24

// Options choose what a compilation does. The zero value of every field is its default.
type Options struct {
	Chapter   int    // the level of language and optimizer, 1 to MaxChapter
	Opt       Opt    // how much is optimized
	Until     string // the name of the last pass to run; empty for all
	Arg       *int64 // the program's argument, if the compiler is to know it
	Seed      int64  // order of the worklist
	Unchecked bool   // leave the checks of indexes and lengths out (semantics §6)
	Verify    bool   // every verifier after every pass
	Names     bool   // linear SSA keeps the names of variables, for printing
	Target    string // of the back end
	Measure   bool   // keep Stats
	Lean      bool   // graphs and schedules go when linear SSA is there: half the memory is theirs
	Workers   int    // functions compiled at once; 0 for one on each processor
	OnEvent   func(g *node.Graph, e node.Event)
}

// An Opt is a level of optimization. The zero value is the default, -O 2.
type Opt uint8

// The levels of optimization.
const (
	Full  Opt = iota // -O 2: everything
	Rules            // -O 1: rules and value numbering
	Raw              // -O 0: no rules at all
)

// A Unit is one program on its way through the passes, each of which fills a field.
type Unit struct {
	File        *source.File
	Opts        Options
	Diagnostics *source.Diagnostics
	Funcs       []parser.Func
	Schedules   []*gcm.Schedule
	Module      *ssa.Module
	Result      types.Type // of the program, by which its result is printed; comes with Module
	Program     *codegen.Program
	Stats       []Stat // of the passes that ran
}

// A Stat is what a pass cost.
type Stat struct {
	Pass  string
	Time  time.Duration
	Nodes int    // live nodes, or values of linear SSA, afterwards
	Bytes uint64 // allocated
}

// A Pass is one row of the pipeline.
type Pass struct {
	Name  string
	Since int // the chapter whose lesson explains it
	Doc   string
	run   func(*Unit) error
	check func(*Unit) error // the verifier of what it made
}

// Pipeline is what happens to a program, in order. Native code can be made at every
// chapter; Since only says where a pass is taught.
var Pipeline = []Pass{
	{"parse", 1, "source text becomes a graph; rules improve every node as it is made", (*Unit).parse, (*Unit).checkGraphs},
	{"optimize", 9, "rules until none applies; endless loops get an exit", (*Unit).optimize, (*Unit).checkGraphs},
	{"check", 10, "diagnostics that need the finished graph: references that might be null", (*Unit).checkProgram, nil},
	{"objects", 24, "Loads become what was stored, across joins and loops; Stores that nobody reads and objects that do not escape go", (*Unit).objects, (*Unit).checkGraphs},
	{"bounds", 24, "tests that other tests and the ways of loops leave one answer, checks of indexes above all", (*Unit).bounds, (*Unit).checkGraphs},
	{"schedule", 11, "global code motion: nodes get blocks", (*Unit).schedule, (*Unit).checkSchedules},
	{"ssa", 11, "the schedule is written out as linear SSA with block arguments", (*Unit).linearize, (*Unit).checkSSA},
	{"codegen", 19, "selection, allocation, encoding", (*Unit).generate, nil},
}

// PassNamed finds a row of Pipeline.
func PassNamed(name string) (index int, ok bool) {
	index = slices.IndexFunc(Pipeline, func(p Pass) bool { return p.Name == name })
	return index, index >= 0
}

// A Bug is an error of the compiler itself: it names the pass, and holds what helps to
// find it.
type Bug struct {
	Pass  string
	Value any
	Stack []byte
	Unit  *Unit
}

func (b *Bug) Error() string { return fmt.Sprintf("bug in pass %s: %v", b.Pass, b.Value) }

// ErrProgram is the error of a program with diagnostics; they are in the Unit.
var ErrProgram = errors.New("the program has errors")

// Compile takes a program through the passes. The error is ErrProgram if the program is
// wrong, a *Bug if the compiler is.
func Compile(file *source.File, opts Options) (u *Unit, err error) {
	if opts.Chapter == 0 {
		opts.Chapter = MaxChapter
	}
	u = &Unit{File: file, Opts: opts, Diagnostics: &source.Diagnostics{File: file}}
	pass := ""
	defer func() {
		switch v := recover().(type) {
		case nil:
		case node.TooBig:
			u.Diagnostics.Add(source.Diagnostic{Code: "too-many-nodes", Message: "the function " + v.Func + " is too large: its graph has more than 2^31 nodes"})
			err = ErrProgram
		default:
			err = &Bug{Pass: pass, Value: v, Stack: debug.Stack(), Unit: u}
		}
	}()
	for i := range Pipeline {
		p := &Pipeline[i]
		pass = p.Name
		if err := u.runPass(p); err != nil {
			return u, err
		}
		if p.Name == opts.Until {
			break
		}
	}
	return u, nil
}

func (u *Unit) runPass(p *Pass) error {
	if err := u.measured(p); err != nil {
		return err
	}
	if u.Opts.Verify && p.check != nil {
		if err := p.check(u); err != nil {
			panic(err)
		}
	}
	return nil
}

func (u *Unit) measured(p *Pass) error {
	if !u.Opts.Measure {
		return p.run(u)
	}
	before, began := allocated(), time.Now()
	err := p.run(u)
	u.Stats = append(u.Stats, Stat{p.Name, time.Since(began), u.size(), allocated() - before})
	return err
}

// allocated is the number of bytes allocated so far.
func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

func (u *Unit) size() (n int) {
	if u.Module != nil {
		for _, f := range u.Module.Funcs {
			n += len(f.Values)
		}
		return n
	}
	for _, f := range u.Funcs {
		n += f.Graph.NumLive()
	}
	return n
}

// parse reports the same at every level of optimization: what is wrong with a program is
// what the rules of its chapter find (semantics §12). A program that only they know to be
// right, since they see that some of it is never reached, is made with them in any case.
func (u *Unit) parse() error {
	o := u.parserOptions()
	u.Funcs, u.Diagnostics = parser.Parse(u.File, o)
	if u.Diagnostics.Any() && o.Raw {
		o.Raw, o.OnEvent = false, nil
		u.Funcs, u.Diagnostics = parser.Parse(u.File, o)
	}
	if u.Diagnostics.Any() {
		return ErrProgram
	}
	return nil
}

func (u *Unit) parserOptions() parser.Options {
	o := u.Opts
	return parser.Options{
		Level: o.Chapter, Raw: o.Opt == Raw, Global: o.Opt == Full, Arg: o.Arg, Unchecked: o.Unchecked,
		Seed: o.Seed, Check: o.Verify, OnEvent: o.OnEvent,
	}
}

// checkProgram reports the same at every level of optimization: without rules it looks at
// another graph of the program, made with them.
func (u *Unit) checkProgram() error {
	funcs := u.Funcs
	if u.Opts.Opt == Raw {
		if !slices.ContainsFunc(funcs, func(f parser.Func) bool { return f.Typed }) {
			return nil
		}
		o := u.parserOptions()
		o.Raw, o.OnEvent = false, nil
		if funcs, u.Diagnostics = parser.Parse(u.File, o); u.Diagnostics.Any() {
			return ErrProgram
		}
		for _, f := range funcs {
			f.Engine.Run()
		}
	}
	for _, f := range funcs {
		parser.Check(f, u.Diagnostics)
	}
	if u.Diagnostics.Any() {
		return ErrProgram
	}
	return nil
}

func (u *Unit) optimize() error {
	for _, f := range u.Funcs {
		f.Graph.Pass = "optimize"
		f.Engine.Run()
		f.Engine.Exits()
	}
	return nil
}

func (u *Unit) objects() error {
	for _, f := range u.Funcs {
		f.Graph.Pass = "objects"
		f.Engine.Objects()
	}
	return nil
}

// bounds may take away the last exit of a loop, so it looks for endless ones again.
func (u *Unit) bounds() error {
	for _, f := range u.Funcs {
		f.Graph.Pass = "bounds"
		f.Engine.Bounds()
		f.Engine.Exits()
	}
	return nil
}

func (u *Unit) schedule() error {
	for _, f := range u.Funcs {
		f.Graph.Pass = "schedule"
		u.Schedules = append(u.Schedules, gcm.Run(f.Graph))
	}
	return nil
}

func (u *Unit) linearize() error {
	u.Module = &ssa.Module{}
	u.Result = u.Funcs[0].Graph.ResultType()
	for _, s := range u.Schedules {
		u.Module.Funcs = append(u.Module.Funcs, ssa.FromSchedule(s, u.Opts.Names))
	}
	if u.Opts.Lean {
		u.Funcs, u.Schedules = nil, nil
	}
	return nil
}

func (u *Unit) generate() (err error) {
	u.Program, err = codegen.Compile(u.Module, codegen.Options{Target: u.Opts.Target, Verify: u.Opts.Verify, Workers: u.Opts.Workers})
	return err
}

func (u *Unit) checkGraphs() error {
	var errs []error
	for _, f := range u.Funcs {
		errs = append(errs, f.Graph.Verify())
	}
	return errors.Join(errs...)
}

func (u *Unit) checkSchedules() error {
	var errs []error
	for _, s := range u.Schedules {
		errs = append(errs, s.Verify())
	}
	return errors.Join(errs...)
}

func (u *Unit) checkSSA() error {
	var errs []error
	for _, f := range u.Module.Funcs {
		errs = append(errs, f.Validate()...)
	}
	return errors.Join(errs...)
}

// WriteLines writes the one-line print of the program.
func (u *Unit) WriteLines(w io.Writer) error {
	for _, f := range u.Funcs {
		if _, err := fmt.Fprintln(w, f.Graph.Stop); err != nil {
			return err
		}
	}
	return nil
}
