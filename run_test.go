package shoal_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"shoal"
	"shoal/internal/smith"
	"shoal/source"
)

var update = flag.Bool("update", false, "write what the twins in C give into testdata/run/*.want")

// A sample is a program of testdata/run: NAME.smp, what it gives for some arguments in
// NAME.want, and in NAME.c a function run that gives the same, by another way if there is
// one.
type sample struct {
	name string // with its folder, without extension
	text string
	args []int64
	want []int64
}

// samples are those that can be read; with -update the results may be missing.
func samples(t testing.TB) (list []sample) {
	t.Helper()
	names, err := filepath.Glob("testdata/run/*.smp")
	if err != nil || len(names) == 0 {
		t.Fatalf("no programs in testdata/run: %v", err)
	}
	for _, file := range names {
		s := sample{name: strings.TrimSuffix(file, ".smp"), text: readText(t, file)}
		for line := range strings.Lines(readText(t, s.name+".want")) {
			words := strings.Fields(line)
			if len(words) != 2 && !*update {
				t.Fatalf("%s.want: %q is not an argument and a result", s.name, line)
			}
			s.args = append(s.args, parse(t, words[0]))
			s.want = append(s.want, parse(t, words[len(words)-1]))
		}
		list = append(list, s)
	}
	return list
}

func readText(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func parse(t testing.TB, word string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(word, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// format is the text of a file of results.
func format(args, results []int64) string {
	var b strings.Builder
	for i, v := range results {
		fmt.Fprintf(&b, "%d %d\n", args[i], v)
	}
	return b.String()
}

// TestSamplesC compares the stored results with those of the twins in C.
func TestSamplesC(t *testing.T) {
	cc := newCompilerC(t)
	if cc == nil {
		t.Skip("no C compiler: the twins are not run")
	}
	for _, s := range samples(t) {
		t.Run(filepath.Base(s.name), func(t *testing.T) {
			var text strings.Builder
			text.WriteString("#include <inttypes.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n" + readText(t, s.name+".c"))
			text.WriteString("int main(void) {\n")
			for _, arg := range s.args {
				fmt.Fprintf(&text, "\tprintf(\"%d %%\" PRId64 \"\\n\", run((int64_t)UINT64_C(%d)));\n", arg, uint64(arg))
			}
			text.WriteString("\treturn 0;\n}\n")
			got, err := cc.run(text.String(), filepath.Base(s.name))
			if err != nil {
				t.Fatal(err)
			}
			if *update {
				if err := os.WriteFile(s.name+".want", got, 0o666); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(format(s.args, s.want), string(got)); diff != "" {
				t.Errorf("%s.want is not what C gives (-want +got):\n%s", s.name, diff)
			}
		})
	}
}

// TestSamples takes each program through all engines at every chapter that has its
// language and every -O, with all verifiers.
func TestSamples(t *testing.T) {
	p := newProver(t)
	for _, s := range samples(t) {
		t.Run(filepath.Base(s.name), func(t *testing.T) {
			tree, err := smith.Parse(s.text)
			if err != nil {
				t.Fatal(err)
			}
			level, err := tree.Resolve()
			if err != nil {
				t.Fatal(err)
			}
			got, ok := expected(tree, s.args)
			if diff := cmp.Diff(s.want, got); diff != "" || !ok {
				t.Errorf("the evaluator of trees (-want +got):\n%s", diff)
			}
			for i, c := range matrix(level) {
				text := s.text
				if c.chapter < languageLevels {
					text = tree.Text(c.chapter) // which has no comments
				}
				if m := p.rawParse(text, c.chapter, s.args, s.want); m != nil {
					t.Errorf("%v: %v", c, m)
				}
				c.seed = int64(i % 3)
				if m := p.prove(text, c, s.args, s.want); m != nil {
					t.Errorf("%v: %v", c, m)
				}
			}
		})
	}
}

// TestSamplesCommand runs the programs as people do: shoal run, shoal eval and what shoal
// build makes, each a process of its own.
func TestSamplesCommand(t *testing.T) {
	bin := filepath.Join(t.TempDir(), "shoal")
	if out, err := exec.Command("go", "build", "-o", bin, "./cmd/shoal").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, s := range samples(t) {
		t.Run(filepath.Base(s.name), func(t *testing.T) {
			t.Parallel()
			words := []string{s.name + ".smp"}
			for _, arg := range s.args {
				words = append(words, strconv.FormatInt(arg, 10))
			}
			for _, opt := range []string{"-O0", "-O1", "-O2"} {
				for _, stage := range []string{"parse", "optimize", "schedule", "ssa"} {
					out, status := command(t, bin, append([]string{"eval", opt, "--after", stage, "--"}, words...)...)
					if diff := cmp.Diff(column(s.want), out); diff != "" || status != 0 {
						t.Errorf("eval %s --after %s ends with status %d (-want +got):\n%s", opt, stage, status, diff)
					}
				}
				runNatively(t, bin, opt, s)
			}
		})
	}
}

// runNatively compares shoal run and an executable of shoal build with what s gives.
func runNatively(t *testing.T, bin, opt string, s sample) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Logf("native code is not run: it needs linux on amd64, not %s on %s", runtime.GOOS, runtime.GOARCH)
		return
	}
	exe := filepath.Join(t.TempDir(), "program"+opt)
	if out, status := command(t, bin, "build", opt, "-o", exe, s.name+".smp"); status != 0 {
		t.Fatalf("build %s ends with status %d\n%s", opt, status, out)
	}
	for i, arg := range s.args {
		word := strconv.FormatInt(arg, 10)
		out, status := command(t, bin, "run", opt, "--print-result", "--", s.name+".smp", word)
		if want := column(s.want[i : i+1]); out != want || status != int(s.want[i]&0xff) {
			t.Errorf("run %s for %d gives %q and status %d, want %q and its low 8 bits", opt, arg, out, status, want)
		}
		if out, status := command(t, exe, word); out != "" || status != int(s.want[i]&0xff) {
			t.Errorf("the executable of build %s gives %q and status %d for %d, want no output and the low 8 bits of %d", opt, out, status, arg, s.want[i])
		}
	}
}

// column is a line for each number.
func column(numbers []int64) string {
	var b strings.Builder
	for _, n := range numbers {
		fmt.Fprintln(&b, n)
	}
	return b.String()
}

// command runs a process and returns what it writes and its exit status.
func command(t *testing.T, name string, args ...string) (out string, status int) {
	t.Helper()
	c := exec.Command(name, args...)
	var stderr bytes.Buffer
	c.Stderr = &stderr
	b, err := c.Output()
	if _, ok := err.(*exec.ExitError); err != nil && !ok {
		t.Fatal(err)
	}
	return string(b) + stderr.String(), c.ProcessState.ExitCode()
}

// TestDeterminism compiles everything twice, the second time with another number of
// workers, and wants the same bytes.
func TestDeterminism(t *testing.T) {
	for _, s := range samples(t) {
		for _, opt := range []shoal.Opt{shoal.Full, shoal.Rules, shoal.Raw} {
			var images [2][]byte
			for i := range images {
				u, err := shoal.Compile(source.NewFile(s.name, []byte(s.text)), shoal.Options{Opt: opt, Workers: 1 + 3*i})
				if err != nil {
					t.Fatalf("%s: %v\n%v", s.name, err, u.Diagnostics)
				}
				if images[i], err = u.Program.Executable(false); err != nil {
					t.Fatal(err)
				}
			}
			if !bytes.Equal(images[0], images[1]) {
				t.Errorf("%s: two compilations differ", s.name)
			}
		}
	}
}
