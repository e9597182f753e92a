package shoal_test

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"shoal"
	"shoal/codegen"
	"shoal/codegen/exec"
	"shoal/gcm"
	"shoal/internal/heap"
	"shoal/internal/smith"
	"shoal/node/interp"
	"shoal/source"
	"shoal/ssa"
)

var (
	dataCount = flag.Int64("data.count", 150, "how many programs TestDifferentialData tries at most")
	dataTime  = flag.Duration("data.time", 5*time.Second, "how long TestDifferentialData tries programs")
	dataSeed  = flag.Uint64("data.seed", 1, "seed of its programs")
	dataFirst = flag.Int64("data.first", 0, "number of its first program")
)

// languageData is the first chapter that has all of the language that Data uses: operator
// assignment to fields and elements came last.
const languageData = 18

// dataSteps is how long its programs may run.
const dataSteps = 50_000

// TestDifferentialData: programs with objects, arrays, floats and narrow numbers end as
// their own evaluator says, with a value or with a fault, in all engines.
func TestDifferentialData(t *testing.T) {
	p := newProver(t)
	programs, compilations, faults, long, rejected := 0, 0, 0, 0, 0
	for n, start := *dataFirst, time.Now(); n < *dataFirst+*dataCount && time.Since(start) < *dataTime; n++ {
		r := rand.New(rand.NewPCG(*dataSeed, uint64(n)))
		prog := smith.GenerateData(r, 4+r.IntN(24))
		var args []int64
		for _, arg := range []int64{0, 1, -1, 3, 7, 300, r.Int64(), -r.Int64()} {
			want, ended := prog.Run(arg, dataSteps)
			if !ended {
				long++
				continue
			}
			if strings.Contains(want, "fault:") {
				faults++
			}
			args = append(args, arg)
		}
		programs++
		if want := p.rejected(prog.Text(), config{chapter: shoal.MaxChapter, opt: shoal.Raw}); want != "" {
			rejected++
			c := config{chapter: shoal.MaxChapter, opt: shoal.Opt(r.IntN(2)), seed: r.Int64()}
			if diff := cmp.Diff(want, p.rejected(prog.Text(), c)); diff != "" {
				t.Fatalf("-data.seed %d -data.first %d, %v: diagnostics (-want +got):\n%s\n%s", *dataSeed, n, c, diff, indent(prog.Text()))
			}
			continue
		}
		chapter := languageData + r.IntN(shoal.MaxChapter-languageData+1)
		for _, c := range []config{
			{chapter: shoal.MaxChapter, opt: shoal.Raw}, {chapter: shoal.MaxChapter, opt: shoal.Rules}, {chapter: shoal.MaxChapter},
			{chapter: chapter, opt: shoal.Opt(r.IntN(3)), seed: r.Int64(), verify: true},
		} {
			compilations++
			m := p.data(prog, c, args)
			if m == nil {
				continue
			}
			least := m
			smith.ReduceData(prog, func(q *smith.Data) bool {
				got := p.data(q, c, args)
				if got == nil || got.kind() != m.kind() {
					return false
				}
				least = got
				return true
			})
			t.Fatalf("-data.seed %d -data.first %d, %v: %v\n%s", *dataSeed, n, c, least, indent(prog.Text()))
		}
	}
	t.Logf("seed %d: %d programs, %d compilations, %d runs end in a fault; %d programs are rejected, %d runs left out because they are long",
		*dataSeed, programs, compilations, faults, rejected, long)
	if rejected*2 > programs {
		t.Errorf("%d of %d programs are rejected", rejected, programs)
	}
}

// rejected are the diagnostics of a program: for a reference that is known to be null where
// it may not be. They do not depend on -O or on the order of the worklist.
func (p *prover) rejected(text string, c config) string {
	u, err := shoal.Compile(source.NewFile("t.smp", []byte(text)), shoal.Options{Chapter: c.chapter, Opt: c.opt, Seed: c.seed, Workers: 1})
	if !errors.Is(err, shoal.ErrProgram) {
		return "" // or a bug, which data tells
	}
	return diagnostics(u)
}

// data compiles a program in one way and compares all engines with its evaluator.
func (p *prover) data(prog *smith.Data, c config, args []int64) *mismatch {
	u, err := shoal.Compile(source.NewFile("t.smp", []byte(prog.Text())), shoal.Options{Chapter: c.chapter, Opt: c.opt, Seed: c.seed, Verify: c.verify, Workers: 1})
	var bug *shoal.Bug
	switch {
	case errors.As(err, &bug):
		return &mismatch{"compile", fmt.Sprintf("%v\n%s", bug, frames(bug.Stack))}
	case err != nil:
		return &mismatch{"parse", fmt.Sprintf("%v: %v", err, u.Diagnostics)}
	}
	typ := u.Funcs[0].Graph.ResultType()
	told := func(memory io.ReaderAt, v int64, err error) string {
		if err != nil {
			return strings.TrimSpace(err.Error())
		}
		text, err := heap.AppendValue(nil, memory, typ, v)
		if err != nil {
			return err.Error()
		}
		return string(text)
	}
	graph, linear := interp.New(u.Funcs[0].Graph), ssa.NewInterp(u.Module.Funcs[0])
	stages := []struct {
		name string
		run  func(arg int64) string
	}{
		{"optimize", func(arg int64) string {
			v, how := graph.Run(arg, maxSteps)
			if how == interp.Timeout {
				return errSteps.Error()
			}
			return told(graph.Heap, v, graph.Err)
		}},
		{"schedule", func(arg int64) string {
			r := gcm.Evaluate(u.Schedules[0], arg, maxSteps)
			return told(r.Heap, r.Value, r.Err)
		}},
		{"ssa", func(arg int64) string {
			v, err := linear.Run(maxSteps, arg)
			return told(linear.Heap, v, err)
		}},
		{"native", func(arg int64) string { return p.dataNative(u.Program, arg, told) }},
	}
	for _, arg := range args {
		want, ended := prog.Run(arg, dataSteps)
		if !ended {
			continue // it was made smaller and is another program
		}
		for _, s := range stages {
			if s.name == "native" && p.server == nil {
				continue
			}
			if got := s.run(arg); got != want {
				return &mismatch{s.name, fmt.Sprintf("for argument %d: got %s, want %s", arg, got, want)}
			}
		}
	}
	return nil
}

// dataNative makes one call; a fault ends the server, so the code is loaded each time.
func (p *prover) dataNative(prog *codegen.Program, arg int64, told func(io.ReaderAt, int64, error) string) string {
	image, err := prog.Image()
	if err != nil {
		return err.Error()
	}
	entry, ok := image.Offset(codegen.WordMain)
	if !ok {
		return "no main"
	}
	if err := p.server.Load(image.Bytes, image.Size); err != nil {
		return err.Error()
	}
	got, err := p.server.Call(entry, []int64{arg}, nativeLimit)
	var crash *exec.CrashError
	if errors.As(err, &crash) {
		return strings.TrimSpace(crash.Stderr)
	}
	if err != nil {
		return err.Error()
	}
	return told(p.server.Memory(), got[0], nil)
}
