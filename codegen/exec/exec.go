// Package exec runs the machine code that this process made, without leaving a file.
//
// Needs: a whole executable, or for Server an image in memory and a server program; both
// come from package codegen. Gives: exit status or results. Breaks: nothing.
// Source: memfd_create(2), execve(2) and proc(5) of the Linux manual.
//
// Code never runs inside the Go process: its stacks are small and move, and its signals
// would strike foreign code. Run starts a process for each program; Server keeps one
// process for many functions and is hundreds of times faster; Replace becomes the program.
//
// Start reading at Run, then RunTelling and Server.
package exec

import (
	"errors"
	"fmt"
	"io"
	"os"
	osexec "os/exec"
	"os/signal"
	"runtime"
	"strconv"
	"syscall"
	"time"
)

// Run runs the executable image as a child process with the arguments argv, argv[0] being
// the program's name, and waits for it. It returns the exit status as a shell counts it:
// 128 plus the number of the signal for a process that a signal ended. The error is not
// nil if the program could not be run at all.
//
// A stream that is an *os.File is handed to the program as it is. While the program runs,
// signals that would end this process are passed on to it instead.
func Run(image []byte, argv []string, stdin io.Reader, stdout, stderr io.Writer) (status int, err error) {
	template := &osexec.Cmd{Args: argv, Stdin: stdin, Stdout: stdout, Stderr: stderr, SysProcAttr: dieWithParent()}
	return runLike(template, image, func(*osexec.Cmd) {})
}

// runLike runs a command like template from image and waits for it. While it runs, started is
// called with the command, or with nil if it could not be started.
func runLike(template *osexec.Cmd, image []byte, started func(*osexec.Cmd)) (status int, err error) {
	// The kernel ends the child when the thread that started it ends; keep that thread.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	name := template.Args[0]
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, os.Interrupt, syscall.SIGQUIT, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(signals)
	cmd, err := start(template, image)
	if err != nil {
		started(nil)
		return 0, fmt.Errorf("run %s: %w", name, err)
	}
	ended := make(chan error, 1)
	go func() {
		started(cmd)
		ended <- cmd.Wait()
	}()
	for {
		select {
		case s := <-signals:
			cmd.Process.Signal(s) // fails only if the program has just ended
		case err := <-ended:
			if status, err = exitStatus(cmd, err); err != nil {
				return 0, fmt.Errorf("run %s: %w", name, err)
			}
			return status, nil
		}
	}
}

// Replace turns this process into the executable image: same number, same streams. It
// returns only if that fails.
func Replace(image []byte, argv []string) error {
	f, err := fileOf(image)
	if err != nil {
		return fmt.Errorf("run %s: %w", argv[0], err)
	}
	defer f.Close()
	return fmt.Errorf("run %s: %w", argv[0], syscall.Exec(openFilePath(f), argv, os.Environ()))
}

// start starts a program from image: from a file that exists in memory only or, on a
// system that has none or does not let it run, from a temporary file that is removed at
// once. template is the command but for its Path.
func start(template *osexec.Cmd, image []byte) (*osexec.Cmd, error) {
	f, err := fileOf(image)
	if err == nil {
		defer f.Close()
		cmd := command(template, openFilePath(f))
		if cmd.Start() == nil {
			return cmd, nil
		}
	}
	return startFromDisk(template, image, os.TempDir())
}

// command is a fresh command like template; one whose start failed cannot be tried again.
func command(template *osexec.Cmd, path string) *osexec.Cmd {
	return &osexec.Cmd{
		Path: path, Args: template.Args, Stdin: template.Stdin, Stdout: template.Stdout, Stderr: template.Stderr,
		ExtraFiles: template.ExtraFiles, SysProcAttr: template.SysProcAttr,
	}
}

// fileOf makes a file in memory that holds image. It closes itself when it is executed,
// so the program does not find it among its open files.
func fileOf(image []byte) (*os.File, error) {
	f, err := memoryFile("shoal")
	if err != nil {
		return nil, err
	}
	if _, err := f.Write(image); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// openFilePath names a file that this process, or its child before execve, has open.
func openFilePath(f *os.File) string {
	return "/proc/self/fd/" + strconv.Itoa(int(f.Fd()))
}

// busyTries is how often a temporary file is tried that another thread's fork still holds
// open for writing; such a fork lasts well below the millisecond between two tries.
const busyTries = 100

// startFromDisk starts a program from a temporary file in dir.
func startFromDisk(template *osexec.Cmd, image []byte, dir string) (*osexec.Cmd, error) {
	f, err := os.CreateTemp(dir, "shoal-")
	if err != nil {
		return nil, err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(image)
	if err := errors.Join(err, f.Chmod(0o700), f.Close()); err != nil {
		return nil, err
	}
	for range busyTries {
		cmd := command(template, f.Name())
		if err = cmd.Start(); err == nil {
			return cmd, nil
		}
		if !errors.Is(err, syscall.ETXTBSY) {
			break
		}
		time.Sleep(time.Millisecond)
	}
	return nil, err
}

// signalBase is what a shell adds to the number of a signal that ended a process.
const signalBase = 128

// exitStatus is the status of a command that has ended, given what its Wait returned.
func exitStatus(cmd *osexec.Cmd, err error) (int, error) {
	var exit *osexec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return 0, err
	}
	if w, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		return signalBase + int(w.Signal()), nil
	}
	return cmd.ProcessState.ExitCode(), nil
}
