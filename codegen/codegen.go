// Package codegen is the back end of the compiler: it turns linear SSA into machine code
// and machine code into executables, objects, images in memory and listings.
//
// Needs: a valid ssa.Module in block-argument form; loop depths (ssa.Func.SetDepths) only
// matter for how good the code is. Gives: a Program. Breaks: nothing; the module is only
// read.
//
// Every function goes through the stages below on its own, so functions are compiled in
// parallel; what comes out does not depend on how many workers there are.
//
// Start reading at stages, then Compile; link.go makes files, listing.go and machtext.go
// make text.
package codegen

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"shoal/codegen/amd64"
	"shoal/codegen/mach"
	"shoal/codegen/regalloc"
	"shoal/source"
	"shoal/ssa"
)

// A stageRow is one step of the back end for one function.
type stageRow struct {
	name string
	doc  string
	run  func(*unit) error
}

// The stages by number.
const (
	Select = iota
	Allocate
	Frame
	Encode
	NumStages
)

// stages are the steps in order.
var stages = [NumStages]stageRow{
	Select:   {"select", "tiles over linear SSA give machine code over virtual registers", (*unit).selectTiles},
	Allocate: {"allocate", "virtual registers become physical ones and stack slots", (*unit).allocate},
	Frame:    {"frame", "prologue, epilogue, stack addresses, expansion of pseudo-instructions", (*unit).frame},
	Encode:   {"encode", "block layout, branch sizes and bytes", (*unit).encode},
}

// StageName returns the name of stage i as the command line spells it.
func StageName(i int) string { return stages[i].name }

// StageNamed finds a stage by that name.
func StageNamed(name string) (stage int, ok bool) {
	stage = slices.IndexFunc(stages[:], func(s stageRow) bool { return s.name == name })
	return stage, stage >= 0
}

// StageDoc returns one line about stage i.
func StageDoc(i int) string { return stages[i].doc }

// A unit is one function on its way through the stages; each fills the next field.
type unit struct {
	target *target
	verify bool
	ssa    *ssa.Func
	mach   *mach.Func
	code   *mach.Code
}

func (u *unit) selectTiles() (err error) {
	u.mach, err = u.target.Select(u.ssa)
	return err
}

func (u *unit) allocate() error {
	if !u.verify {
		return regalloc.Allocate(u.mach, u.target)
	}
	return regalloc.AllocateChecked(u.mach, u.target)
}

func (u *unit) frame() error {
	u.target.Frame(u.mach)
	return nil
}

func (u *unit) encode() (err error) {
	u.code, err = u.target.Encode(u.mach)
	return err
}

// run takes the unit through the stages up to last and adds the time of each to times.
func (u *unit) run(last int, times *[NumStages]atomic.Int64) error {
	at := Select
	defer func() {
		if v := recover(); v != nil {
			panic(&Bug{Stage: stages[at].name, Func: u.ssa.Name, Value: v, Stack: debug.Stack()})
		}
	}()
	began := time.Now()
	for ; at <= last; at++ {
		if err := stages[at].run(u); err != nil {
			return fmt.Errorf("%s %s: %w", stages[at].name, u.ssa.Name, err)
		}
		now := time.Now()
		times[at].Add(int64(now.Sub(began)))
		began = now
	}
	return nil
}

// A Bug is what Compile panics with: a stage has met what it should never meet.
type Bug struct {
	Stage string
	Func  string
	Value any    // what the stage panicked with
	Stack []byte // where
}

func (b *Bug) Error() string {
	return fmt.Sprintf("bug in %s, function %s: %v", b.Stage, b.Func, b.Value)
}

// Options choose how to compile; the zero value is what a user gets.
type Options struct {
	Target  string // name of a target; empty means DefaultTarget
	Verify  bool   // prove every allocation right, by a checker that knows nothing of the allocator
	Workers int    // how many functions to compile at once; 0 means one for each processor
}

// A Program is compiled functions, ready to be linked.
type Program struct {
	Funcs []*mach.Code             // in the order of the module
	Times [NumStages]time.Duration // spent in each stage, summed over all functions
	files []*source.File           // of each function; nil where the text is not known
	sigs  []amd64.Signature        // of each function
	*target
}

// Compile makes machine code of all functions of m. If several fail, the error is that of
// the first.
func Compile(m *ssa.Module, opts Options) (*Program, error) {
	t, err := lookup(opts.Target)
	if err != nil {
		return nil, err
	}
	return compileFor(t, m, opts)
}

func compileFor(t *target, m *ssa.Module, opts Options) (*Program, error) {
	p := &Program{target: t, Funcs: make([]*mach.Code, len(m.Funcs)), files: make([]*source.File, len(m.Funcs)), sigs: make([]amd64.Signature, len(m.Funcs))}
	var times [NumStages]atomic.Int64
	err := forEach(len(m.Funcs), opts.Workers, func(i int) error {
		u := unit{target: t, verify: opts.Verify, ssa: m.Funcs[i]}
		if err := u.run(Encode, &times); err != nil {
			return err
		}
		p.Funcs[i], p.files[i], p.sigs[i] = u.code, m.Funcs[i].File, signature(m.Funcs[i])
		return nil
	})
	for i := range times {
		p.Times[i] = time.Duration(times[i].Load())
	}
	if err != nil {
		return nil, err
	}
	return p, nil
}

// signature finds out what kinds of values f takes and returns.
func signature(f *ssa.Func) (sig amd64.Signature) {
	for _, v := range f.Inputs {
		sig.FloatInputs = append(sig.FloatInputs, f.Values[v].Class == ssa.Float)
	}
	sig.FloatResult = f.ResultClass() == ssa.Float
	return sig
}

// forEach calls do for 0 to n-1, several at once. It returns the error of the lowest
// number, and panics with the panic of the lowest number.
func forEach(n, workers int, do func(int) error) error {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	if workers = min(workers, n); workers <= 1 {
		for i := range n {
			if err := do(i); err != nil {
				return err
			}
		}
		return nil
	}
	errs := make([]error, n)
	panics := make([]any, n)
	var next atomic.Int64
	var failed atomic.Bool
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for !failed.Load() {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				if panics[i], errs[i] = catch(do, i); errs[i] != nil || panics[i] != nil {
					failed.Store(true)
				}
			}
		})
	}
	wg.Wait()
	if !failed.Load() {
		return nil
	}
	// Numbers are given out in order, so all below the first failure have been done.
	for i := range n {
		if panics[i] != nil {
			panic(panics[i])
		}
		if errs[i] != nil {
			return errs[i]
		}
	}
	return nil
}

// catch calls do(i) and returns what it panics with, so that a panic does not end the
// process before the caller of Compile can report it.
func catch(do func(int) error, i int) (value any, err error) {
	defer func() { value = recover() }()
	return nil, do(i)
}
