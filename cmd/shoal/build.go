package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"shoal"
	"shoal/codegen/exec"
	"shoal/internal/heap"
)

func (a *app) buildCommand() *cobra.Command {
	var out string
	var object bool
	c := &cobra.Command{
		Use:   "build [-o OUT] FILE",
		Short: "Make a native executable, or with -c a relocatable object",
		Args:  cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			u, err := a.compile(c, args[0], "")
			if err != nil {
				return err
			}
			make, mode := func() ([]byte, error) { return u.Program.Executable(false) }, os.FileMode(0o777)
			if object {
				make, mode = u.Program.Object, 0o666
			}
			image, err := make()
			if err != nil {
				return err
			}
			return writeOutput(outName(out, args[0], object), args[0], image, mode)
		},
	}
	c.Flags().StringVarP(&out, "output", "o", "", "the file to write; FILE without .smp unless told. Objects get .o behind it")
	c.Flags().BoolVarP(&object, "object", "c", false, "write a relocatable object that a C linker takes")
	return a.compiling(c)
}

// outName is the name of the output: the source's without .smp, objects with .o.
func outName(out, name string, object bool) string {
	switch {
	case out != "" && object && !isDevice(out):
		return strings.TrimSuffix(out, ".o") + ".o"
	case out != "":
		return out
	}
	if name == "-" {
		name = "out.smp"
	}
	base, ok := strings.CutSuffix(name, ".smp")
	if filepath.Base(name) == ".smp" {
		base, ok = name, false // there is no name without it
	}
	switch {
	case object:
		return base + ".o"
	case !ok:
		return base + ".out" // never over the source
	}
	return base
}

// isDevice tells whether there is something of that name that is no ordinary file, such as
// /dev/null.
func isDevice(name string) bool {
	info, err := os.Stat(name)
	return err == nil && !info.Mode().IsRegular()
}

// writeOutput is writeFile, but it never writes over the source.
func writeOutput(name, src string, data []byte, mode os.FileMode) error {
	out, err := os.Stat(name)
	if in, inErr := os.Stat(src); err == nil && inErr == nil && src != "-" && os.SameFile(in, out) {
		return fmt.Errorf("the output would overwrite the source %s", src)
	}
	return writeFile(name, data, mode)
}

// writeFile writes a file whole or not at all.
func writeFile(name string, data []byte, mode os.FileMode) error {
	write := replaceFile
	if isDevice(name) {
		write = os.WriteFile // it stays what it is
	}
	err := write(name, data, mode)
	if err != nil {
		return fmt.Errorf("write %s: %w", name, reason(err))
	}
	return nil
}

// reason is an error without the names of files: that of the temporary one helps nobody.
func reason(err error) error {
	if path := (*os.PathError)(nil); errors.As(err, &path) {
		return path.Err
	}
	if link := (*os.LinkError)(nil); errors.As(err, &link) {
		return link.Err
	}
	return err
}

// replaceFile writes to a temporary file beside name and renames it, so that there is never
// half a file.
func replaceFile(name string, data []byte, mode os.FileMode) error {
	f, err := os.CreateTemp(filepath.Dir(name), ".shoal-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // fails once it is renamed
	if _, err := f.Write(data); err != nil {
		f.Close()
		return err
	}
	if err := f.Chmod(mode &^ umask()); err != nil {
		f.Close()
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}

func (a *app) runCommand() *cobra.Command {
	var print bool
	c := &cobra.Command{
		Use:   "run FILE [ARG]",
		Short: "Compile in memory and run natively; the exit status is the program's",
		Args:  cobra.RangeArgs(1, 2),
		RunE: func(c *cobra.Command, args []string) error {
			u, err := a.compile(c, args[0], "")
			if err != nil {
				return err
			}
			if print && (u.Result.IsFloat() || u.Result.IsRef()) {
				return a.executeTelling(u, args)
			}
			image, err := u.Program.Executable(print)
			if err != nil {
				return err
			}
			return a.execute(image, args)
		},
	}
	c.Flags().BoolVar(&print, "print-result", false, "also print the whole result on a line of its own")
	return a.compiling(c)
}

// executeTelling runs a program and prints its result, after all that the program prints
// itself.
func (a *app) executeTelling(u *shoal.Unit, argv []string) error {
	image, err := u.Program.TellingExecutable()
	if err != nil {
		return err
	}
	var text []byte
	var unread error
	status, err := exec.RunTelling(image, argv, a.in, a.out.w, a.err, func(word uint64, memory io.ReaderAt) {
		text, unread = heap.AppendValue(nil, memory, u.Result, int64(word))
		text = append(text, '\n')
	})
	if err := errors.Join(err, unread); err != nil {
		return err
	}
	if _, err := a.out.Write(text); err != nil {
		return err
	}
	return exitStatus(status)
}

// execute runs an image. When nobody listens in between, shoal becomes the program.
func (a *app) execute(image []byte, argv []string) error {
	if a.out.w == os.Stdout && a.err == os.Stderr && a.in == os.Stdin {
		if err := exec.Replace(image, argv); err == nil {
			return nil
		}
	}
	status, err := exec.Run(image, argv, a.in, a.out.w, a.err)
	if err != nil {
		return err
	}
	return exitStatus(status)
}

// parseArgs reads arguments of a program; none is one 0.
func parseArgs(words []string) ([]int64, error) {
	if len(words) == 0 {
		return []int64{0}, nil
	}
	args := make([]int64, len(words))
	for i, w := range words {
		n, err := strconv.ParseInt(w, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("%q is not a 64-bit integer", w)
		}
		args[i] = n
	}
	return args, nil
}
