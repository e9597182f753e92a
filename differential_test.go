package shoal_test

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"shoal"
	"shoal/codegen"
	"shoal/codegen/exec"
	"shoal/gcm"
	"shoal/internal/smith"
	"shoal/node/interp"
	"shoal/source"
	"shoal/ssa"
)

// The long run is
//
//	go test -run 'TestDifferential$' -timeout 0 -differential.time 10m .
//
// A failure names the number of its program; the same seed with -differential.first at
// that number begins there.
var (
	diffTime  = flag.Duration("differential.time", 2*time.Second, "how long TestDifferential tries random programs")
	diffCount = flag.Int64("differential.count", math.MaxInt64, "how many programs TestDifferential tries at most")
	diffSeed  = flag.Uint64("differential.seed", 1, "seed of the random programs")
	diffFirst = flag.Int64("differential.first", 0, "number of the first program")
	diffKeep  = flag.Int("differential.failures", 1, "after how many failures of different kinds TestDifferential stops")
	diffC     = flag.Int64("differential.c", 4, "every how many programs one goes through C as well")
)

// A config is one way to compile a program.
type config struct {
	chapter int
	opt     shoal.Opt
	seed    int64
	verify  bool
	arg     *int64 // known to the compiler
}

func (c config) String() string {
	s := fmt.Sprintf("--chapter %d -O %d --seed %d", c.chapter, 2-c.opt, c.seed)
	if c.verify {
		s += " --verify"
	}
	if c.arg != nil {
		s += fmt.Sprintf(" --arg %d", *c.arg)
	}
	return s
}

// usualArgs are the arguments that every program is run with.
var usualArgs = []int64{0, 1, -1, 2, 7, -5, 100, math.MaxInt64, math.MinInt64}

// maxSteps ends a run of an interpreter that should have ended long before.
const maxSteps = 10_000_000

// nativeLimit ends native calls of one program.
const nativeLimit = 20 * time.Second

// A mismatch is a stage at which a program first gives something wrong.
type mismatch struct {
	stage string
	what  string
}

func (m *mismatch) Error() string { return m.stage + ": " + m.what }

// kind is what failures with one cause have in common: the stage and, of a message of the
// compiler, its words without numbers.
func (m *mismatch) kind() string {
	line, _, _ := strings.Cut(m.what, "\n")
	if strings.HasPrefix(line, "for argument") {
		return m.stage
	}
	return m.stage + strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return -1
		}
		return r
	}, line)
}

// A prover compiles programs and compares what all stages give. Each goroutine has its
// own, for the server.
type prover struct {
	server *exec.Server // nil where native code does not run
}

func newProver(tb testing.TB) *prover {
	tb.Helper()
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		return &prover{}
	}
	image, err := codegen.ServerExecutable()
	if err != nil {
		tb.Fatal(err)
	}
	s, err := exec.NewServer(image)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { s.Close() })
	return &prover{server: s}
}

// prove compiles text and compares the results of every stage with want, in order.
func (p *prover) prove(text string, c config, args, want []int64) *mismatch {
	u, err := shoal.Compile(source.NewFile("t.smp", []byte(text)), shoal.Options{
		Chapter: c.chapter, Opt: c.opt, Seed: c.seed, Verify: c.verify, Arg: c.arg, Workers: 1,
	})
	var bug *shoal.Bug
	switch {
	case errors.As(err, &bug):
		return &mismatch{"compile", fmt.Sprintf("%v\n%s", bug, frames(bug.Stack))}
	case err != nil:
		return &mismatch{"parse", fmt.Sprintf("%v: %v", err, u.Diagnostics)}
	}
	return p.run(u, args, want)
}

// frames are the innermost functions of this module on a stack, without what reports bugs.
func frames(stack []byte) string {
	var out []string
	_, at, _ := strings.Cut(string(stack), "panic(")
	for line := range strings.Lines(at) {
		if strings.HasPrefix(line, "shoal/") && len(out) < 6 {
			name, _, _ := strings.Cut(line, "(0x")
			out = append(out, "\t"+strings.TrimSpace(name))
		}
	}
	return strings.Join(out, "\n")
}

// run compares the stages of a compiled program.
func (p *prover) run(u *shoal.Unit, args, want []int64) *mismatch {
	graph := interp.New(u.Funcs[0].Graph)
	linear := ssa.NewInterp(u.Module.Funcs[0])
	stages := []struct {
		name string
		run  func(arg int64) (int64, error)
	}{
		{"optimize", func(arg int64) (int64, error) {
			v, how := graph.Run(arg, maxSteps)
			if how == interp.Timeout {
				return 0, errSteps
			}
			return v, nil
		}},
		{"schedule", func(arg int64) (int64, error) {
			v, ended := gcm.Eval(u.Schedules[0], arg, maxSteps)
			if !ended {
				return 0, errSteps
			}
			return v, nil
		}},
		{"ssa", func(arg int64) (int64, error) { return linear.Run(maxSteps, arg) }},
	}
	for _, s := range stages {
		for i, arg := range args {
			if v, err := s.run(arg); err != nil || v != want[i] {
				return wrong(s.name, arg, v, want[i], err)
			}
		}
	}
	return p.native(u.Program, args, want)
}

var errSteps = errors.New("does not end")

func wrong(stage string, arg, got, want int64, err error) *mismatch {
	if err != nil {
		return &mismatch{stage, fmt.Sprintf("for argument %d: %v", arg, err)}
	}
	return &mismatch{stage, fmt.Sprintf("for argument %d: got %d, want %d", arg, got, want)}
}

func (p *prover) native(prog *codegen.Program, args, want []int64) *mismatch {
	if p.server == nil {
		return nil
	}
	image, err := prog.Image()
	if err != nil {
		return &mismatch{"link", err.Error()}
	}
	entry, ok := image.Offset(codegen.WordMain)
	if !ok {
		return &mismatch{"link", "no main"}
	}
	if err := p.server.Load(image.Bytes, image.Size); err != nil {
		return &mismatch{"native", err.Error()}
	}
	got, err := p.server.Call(entry, args, nativeLimit)
	for i, v := range got {
		if v != want[i] {
			return wrong("native", args[i], v, want[i], nil)
		}
	}
	if err != nil {
		return &mismatch{"native", fmt.Sprintf("for argument %d: %v", args[min(len(got), len(args)-1)], err)}
	}
	return nil
}

// rawParse compares the graph before any rule and the one before the worklist: what the
// stages of prove begin with.
func (p *prover) rawParse(text string, chapter int, args, want []int64) *mismatch {
	for _, opt := range []shoal.Opt{shoal.Raw, shoal.Full} {
		u, err := shoal.Compile(source.NewFile("t.smp", []byte(text)), shoal.Options{Chapter: chapter, Opt: opt, Until: "parse"})
		if err != nil {
			return &mismatch{"parse", fmt.Sprintf("%v: %v", err, u.Diagnostics)}
		}
		in := interp.New(u.Funcs[0].Graph)
		for i, arg := range args {
			v, how := in.Run(arg, maxSteps)
			if how == interp.Timeout {
				return wrong("parse", arg, v, want[i], errSteps)
			}
			if v != want[i] {
				return wrong(fmt.Sprintf("parse -O %d", 2-opt), arg, v, want[i], nil)
			}
		}
	}
	return nil
}

// A trial is one random program with everything that is tried on it.
type trial struct {
	number  int64
	program *smith.Program
	level   int
	args    []int64
	configs []config
}

// maxSteps of the evaluator; programs that need more are left out.
const trialSteps = 1_000_000

// newTrial makes trial number n of a seed.
func newTrial(seed uint64, n int64) *trial {
	r := rand.New(rand.NewPCG(seed, uint64(n)))
	level := 1 + r.IntN(languageLevels)
	if r.IntN(2) == 0 {
		level = languageLevels
	}
	size := []int{3, 8, 8, 20}[r.IntN(4)]
	if n%200 == 199 {
		size = 150
	}
	t := &trial{number: n, program: smith.Generate(r, smith.Swarm(r, level, size))}
	t.args = append(t.args, usualArgs...)
	for range 3 {
		t.args = append(t.args, r.Int64N(40)-10, int64(r.Uint64())>>r.IntN(64))
	}
	var err error
	if t.level, err = t.program.Resolve(); err != nil {
		panic(fmt.Sprintf("program %d of seed %d: %v", n, seed, err))
	}
	t.configs = configs(r, t)
	return t
}

// languageLevels is the last chapter that brings language which is built.
const languageLevels = 11

// configs chooses how a trial is compiled: always at every -O, with two orders of the
// worklist, on a share verified or in the way of another chapter, on a small share in
// all ways.
func configs(r *rand.Rand, t *trial) []config {
	last := shoal.MaxChapter
	cs := []config{
		{chapter: last, opt: shoal.Raw}, {chapter: last, opt: shoal.Rules}, {chapter: last, opt: shoal.Full},
		{chapter: last, opt: shoal.Full, seed: r.Int64(), verify: r.IntN(8) == 0},
	}
	chapter := func() int { return t.level + r.IntN(last-t.level+1) }
	switch r.IntN(16) {
	case 0, 1, 2, 3:
		cs = append(cs, config{chapter: chapter(), opt: shoal.Opt(r.IntN(3)), seed: r.Int64(), verify: true})
	case 4:
		if c := chapter(); c >= firstArg && c <= lastArg {
			cs = append(cs, config{chapter: c, opt: shoal.Opt(r.IntN(3)), seed: r.Int64(), verify: true, arg: &t.args[r.IntN(len(t.args))]})
		}
	case 5:
		if r.IntN(8) == 0 {
			cs = matrix(t.level)
		}
	}
	return cs
}

// Options.Arg may be used at these chapters.
const firstArg, lastArg = 4, 17

// matrix is every chapter from level on with every -O.
func matrix(level int) (cs []config) {
	for chapter := level; chapter <= shoal.MaxChapter; chapter++ {
		for _, opt := range []shoal.Opt{shoal.Raw, shoal.Rules, shoal.Full} {
			cs = append(cs, config{chapter: chapter, opt: opt, verify: true})
		}
	}
	return cs
}

// expected is what the program gives by its own evaluator; ok is false if it does not end.
func expected(p *smith.Program, args []int64) (want []int64, ok bool) {
	for _, arg := range args {
		v, _, ended := p.Run(arg, trialSteps)
		if !ended {
			return nil, false
		}
		want = append(want, v)
	}
	return want, true
}

// try runs a trial with one of its configs.
func (p *prover) try(prog *smith.Program, c config, args []int64) *mismatch {
	if c.arg != nil {
		args = []int64{*c.arg}
	}
	want, ok := expected(prog, args)
	if !ok {
		return nil
	}
	return p.prove(prog.Text(c.chapter), c, args, want)
}

func TestDifferential(t *testing.T) {
	d := &differential{T: t, deadline: time.Now().Add(*diffTime), last: *diffFirst - 1}
	if *diffCount < math.MaxInt64-*diffFirst {
		d.end = *diffFirst + *diffCount
	} else {
		d.end = math.MaxInt64
	}
	cc := newCompilerC(t)
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		p := newProver(t)
		wg.Go(func() { d.work(p, cc) })
	}
	wg.Wait()
	t.Logf("seed %d: %d programs, %d compilations, %d programs also by C; %d left out because they run long",
		*diffSeed, d.programs.Load(), d.compilations.Load(), d.byC.Load(), d.long.Load())
	if n := d.programs.Load(); d.long.Load()*100 > n {
		t.Errorf("%d of %d programs do not end in time", d.long.Load(), n)
	}
}

// A differential is one run of TestDifferential.
type differential struct {
	*testing.T
	deadline                          time.Time
	end                               int64
	mu                                sync.Mutex
	last                              int64 // number of the last trial handed out
	programs, compilations, byC, long atomic.Int64
	failures                          map[string]bool // their kinds
	failed                            bool
}

// next is the number of the next trial.
func (d *differential) next() (n int64, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.failed || d.last+1 >= d.end || time.Now().After(d.deadline) {
		return 0, false
	}
	d.last++
	return d.last, true
}

func (d *differential) work(p *prover, cc *compilerC) {
	var batch []caseC
	flush := func() {
		if len(batch) == 0 {
			return
		}
		if err := cc.check(batch); err != nil {
			d.note("c")
			d.Errorf("seed %d: %v", *diffSeed, err)
		}
		d.byC.Add(int64(len(batch)))
		batch = batch[:0]
	}
	for {
		n, ok := d.next()
		if !ok {
			break
		}
		tr := newTrial(*diffSeed, n)
		want, ok := expected(tr.program, tr.args)
		if !ok {
			d.long.Add(1)
			continue
		}
		d.trial(p, tr, want)
		d.programs.Add(1)
		if cc != nil && n%*diffC == 0 {
			if batch = append(batch, caseC{n, tr.program, tr.args, want}); len(batch) == batchC {
				flush()
			}
		}
	}
	flush()
}

// trial runs a trial in all its ways.
func (d *differential) trial(p *prover, tr *trial, want []int64) {
	stop := watch(tr)
	defer stop()
	if m := p.rawParse(tr.program.Text(tr.level), tr.level, tr.args, want); m != nil {
		d.fail(p, tr, config{chapter: tr.level}, m)
		return
	}
	for _, c := range tr.configs {
		d.compilations.Add(1)
		if m := p.try(tr.program, c, tr.args); m != nil {
			d.fail(p, tr, c, m)
			return
		}
	}
}

// note keeps account of a failure; it tells whether it is the first of its kind.
func (d *differential) note(kind string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.failures[kind] {
		return false
	}
	if d.failures == nil {
		d.failures = map[string]bool{}
	}
	d.failures[kind] = true
	d.failed = len(d.failures) >= *diffKeep
	return true
}

// fail reports a trial and the smallest program that fails like it.
func (d *differential) fail(p *prover, tr *trial, c config, m *mismatch) {
	if !d.note(m.kind()) {
		return
	}
	small, least := reduce(p, tr, c, m)
	if testing.Verbose() {
		d.Logf("before it was reduced: %v\n%s", m, indent(tr.program.Text(c.chapter)))
	}
	d.Errorf("-differential.seed %d -differential.first %d, %s: %v\n%s", *diffSeed, tr.number, c, least, indent(small.Text(c.chapter)))
}

// reduce makes the program of a failed trial small; what is left fails at the same stage.
func reduce(p *prover, tr *trial, c config, m *mismatch) (*smith.Program, *mismatch) {
	least := m
	small := smith.Reduce(tr.program, func(q *smith.Program, level int) bool {
		if level > c.chapter {
			return false
		}
		var got *mismatch
		if strings.HasPrefix(m.stage, "parse -O") {
			want, ok := expected(q, tr.args)
			if !ok {
				return false
			}
			got = p.rawParse(q.Text(c.chapter), c.chapter, tr.args, want)
		} else {
			got = p.try(q, c, tr.args)
		}
		if got == nil || got.kind() != m.kind() {
			return false
		}
		least = got
		return true
	})
	return small, least
}

func indent(s string) string { return "\t" + strings.ReplaceAll(s, "\n", "\n\t") }

// watchLimit is how long one trial may take before it counts as a hang.
const watchLimit = 2 * time.Minute

// watch ends the test with the program in hand if the trial takes too long.
func watch(tr *trial) (stop func()) {
	timer := time.AfterFunc(watchLimit, func() {
		panic(fmt.Sprintf("-differential.seed %d -differential.first %d hangs:\n%s", *diffSeed, tr.number, tr.program.Text(tr.level)))
	})
	return func() { timer.Stop() }
}
