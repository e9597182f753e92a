package chapters

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"time"

	"shoal"
	"shoal/codegen"
	"shoal/codegen/exec"
	"shoal/gcm"
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
		case interp.Value:
			got = append(got, strconv.FormatInt(n, 10))
		default:
			got = append(got, outcome.String())
		}
	}
	return got, nil
}

// each makes an engine of what runs one argument.
func each(run func(u *shoal.Unit, arg int64) (int64, bool)) func(*shoal.Unit, []call) ([]string, error) {
	return func(u *shoal.Unit, calls []call) (got []string, err error) {
		for _, c := range calls {
			n, ended := run(u, c.arg)
			if !ended {
				got = append(got, timeout)
				continue
			}
			got = append(got, strconv.FormatInt(n, 10))
		}
		return got, nil
	}
}

func runSchedule(u *shoal.Unit, arg int64) (int64, bool) {
	return gcm.Eval(u.Schedules[0], arg, maxSteps)
}

func runSSA(u *shoal.Unit, arg int64) (int64, bool) {
	n, err := ssa.NewInterp(u.Module.Funcs[0]).Run(maxSteps, arg)
	return n, err == nil
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

// runNative runs the calls that should end together, the others one by one.
func runNative(u *shoal.Unit, calls []call) ([]string, error) {
	got := make([]string, len(calls))
	image, err := u.Program.Image()
	if err != nil {
		return nil, err
	}
	entry, ok := image.Offset("main")
	if !ok {
		return nil, errors.New("the image has no main")
	}
	if err := server.Load(image.Bytes, image.Size); err != nil {
		return nil, err
	}
	results, err := server.Call(entry, args(ending(calls)), nativeTime)
	if err != nil {
		return nil, err
	}
	for i, c := range calls {
		if c.want != timeout {
			got[i], results = strconv.FormatInt(results[0], 10), results[1:]
		}
	}
	for _, i := range withTimeouts(calls) {
		if got[i], err = runEndless(entry, calls[i].arg); err != nil {
			return nil, err
		}
	}
	return got, nil
}

func runEndless(entry, arg int64) (string, error) {
	results, err := server.Call(entry, []int64{arg}, endless)
	switch {
	case errors.Is(err, exec.ErrTimeout):
		return timeout, nil
	case err != nil:
		return "", err
	}
	return strconv.FormatInt(results[0], 10), nil
}

func args(calls []call) (list []int64) {
	for _, c := range calls {
		list = append(list, c.arg)
	}
	return list
}
