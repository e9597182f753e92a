package chapters

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"shoal"
	"shoal/codegen"
	"shoal/codegen/exec"
	"shoal/gcm"
	"shoal/internal/heap"
	"shoal/node/interp"
	"shoal/ssa"
)

// Results that are no numbers (chapters §8.6).
const (
	fallThrough = "FALLTHROUGH"
	timeout     = "TIMEOUT"
)

// Limits of one run. A native program that ends within nativeTime although it should not
// is caught; one that is slow is caught by the interpreters, which count steps.
const (
	maxSteps   = 200_000
	nativeTime = 10 * time.Second
	endless    = 3 * time.Millisecond
)

// An engine runs a compiled program. No two of them share code, but that the graph is run
// twice: as it was parsed and as it is optimized.
type engine struct {
	name  string
	after string // the pass after which it runs the program; empty for the last
	run   func(u *shoal.Unit, calls []call) ([]string, error)
	// falls tells that it can see whether control ended without a return.
	falls bool
}

var engines = []engine{
	{"parse", "parse", runGraph, true},
	{"optimize", "", runGraph, true},
	{"schedule", "", each(runSchedule), false},
	{"ssa", "", each(runSSA), false},
	{"native", "", runNative, false},
}

// implicitReturn is the chapter from which on the end of a program returns 0.
const implicitReturn = 11

// expects is what the engine should say at a level where people should see want.
func (e *engine) expects(want string, level int) string {
	if want == fallThrough && !(e.falls && level < implicitReturn) {
		return "0"
	}
	return want
}

func runGraph(u *shoal.Unit, calls []call) (got []string, err error) {
	in := interp.New(u.Funcs[0].Graph)
	for _, c := range calls {
		n, outcome := in.Run(c.arg, maxSteps)
		switch outcome {
		case interp.Value, interp.Faulted:
			got = append(got, ended(u, in.Heap, n, in.Err))
		default:
			got = append(got, outcome.String())
		}
	}
	return got, nil
}

// ended is how a run that ended is told: what it gave, with the objects that it leads to in
// memory, or the fault that ended it.
func ended(u *shoal.Unit, memory io.ReaderAt, v int64, err error) string {
	if err != nil {
		return strings.TrimPrefix(strings.TrimSpace(err.Error()), u.File.Name+":")
	}
	text, err := heap.AppendValue(nil, memory, u.Funcs[0].Graph.ResultType(), v)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// each makes an engine of what runs one argument.
func each(run func(u *shoal.Unit, arg int64) (string, bool)) func(*shoal.Unit, []call) ([]string, error) {
	return func(u *shoal.Unit, calls []call) (got []string, err error) {
		for _, c := range calls {
			text, ended := run(u, c.arg)
			if !ended {
				text = timeout
			}
			got = append(got, text)
		}
		return got, nil
	}
}

func runSchedule(u *shoal.Unit, arg int64) (string, bool) {
	r := gcm.Evaluate(u.Schedules[0], arg, maxSteps)
	if !r.Ended {
		return "", false
	}
	return ended(u, r.Heap, r.Value, r.Err), true
}

func runSSA(u *shoal.Unit, arg int64) (string, bool) {
	in := ssa.NewInterp(u.Module.Funcs[0])
	n, err := in.Run(maxSteps, arg)
	if errors.Is(err, ssa.ErrSteps) {
		return "", false
	}
	return ended(u, in.Heap, n, err), true
}

// server runs the native code of all tests. Where the host cannot, there is none, and no
// engine that needs it.
var server *exec.Server

func TestMain(m *testing.M) {
	if err := startServer(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	status := m.Run()
	if server != nil {
		server.Close()
	}
	os.Exit(status)
}

func startServer() error {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		fmt.Printf("native code is not run: it needs linux on amd64, not %s on %s\n", runtime.GOOS, runtime.GOARCH)
		engines = slices.DeleteFunc(engines, func(e engine) bool { return e.name == "native" })
		return nil
	}
	image, err := codegen.ServerExecutable()
	if err != nil {
		return err
	}
	server, err = exec.NewServer(image)
	return err
}

// runNative runs together the calls that should end with a number, for that is fast, and
// the others one by one.
func runNative(u *shoal.Unit, calls []call) ([]string, error) {
	got := make([]string, len(calls))
	image, err := u.Program.Image()
	if err != nil {
		return nil, err
	}
	entry, ok := image.Offset(codegen.WordMain)
	if !ok {
		return nil, errors.New("the image has no main")
	}
	if err := server.Load(image.Bytes, image.Size); err != nil {
		return nil, err
	}
	together := ending(calls)
	if u.Funcs[0].Graph.ResultType().IsRef() {
		together = nil // each call needs its memory to be read
	}
	results, err := server.Call(entry, args(together), nativeTime)
	if err != nil {
		return nil, err
	}
	for i, c := range calls {
		if len(together) > 0 && endsWithNumber(c) {
			got[i], results = ended(u, nil, results[0], nil), results[1:]
			continue
		}
		if got[i], err = runAlone(u, image.Bytes, image.Size, entry, c); err != nil {
			return nil, err
		}
	}
	return got, nil
}

// runAlone makes one call. A fault ends the server, so the code is loaded again.
func runAlone(u *shoal.Unit, code []byte, size, entry int64, c call) (string, error) {
	limit := nativeTime
	if c.want == timeout {
		limit = endless
	}
	if err := server.Load(code, size); err != nil {
		return "", err
	}
	results, err := server.Call(entry, []int64{c.arg}, limit)
	var crash *exec.CrashError
	switch {
	case errors.Is(err, exec.ErrTimeout):
		return timeout, nil
	case errors.As(err, &crash) && crash.Status == faultStatus:
		return ended(u, nil, 0, errors.New(crash.Stderr)), nil
	case err != nil:
		return "", err
	}
	return ended(u, server.Memory(), results[0], nil), nil
}

// faultStatus is the status of a process that a fault has ended (semantics §10).
const faultStatus = 134

func args(calls []call) (list []int64) {
	for _, c := range calls {
		list = append(list, c.arg)
	}
	return list
}
