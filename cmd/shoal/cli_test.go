package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"shoal/internal/golden"
)

// Sessions are transcripts of testdata/cli. A file is written into an empty folder, section
// by section; the section "session" is what is typed there and what comes back:
//
//	;; What is to be seen.
//	$ shoal eval twice.smp 4
//	8
//	$ shoal eval twice.smp x
//	! shoal: "x" is not a 64-bit integer
//	[2]
//
// Lines of standard error have a ! and come after those of standard output; the exit status
// follows unless it is 0. Commands are shoal, the programs it made, and a few helpers. One
// that ends with < FILE reads that file; | grep PATTERN and | head N limit what is shown.
func TestSessions(t *testing.T) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skipf("native code is run on linux and amd64, not on %s and %s", runtime.GOOS, runtime.GOARCH)
	}
	files, err := filepath.Abs("../../testdata/cli/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	golden.Run(t, files, func(t *testing.T, g *golden.Case) {
		dir := t.TempDir()
		for _, name := range g.Sections() {
			if name == "session" {
				continue
			}
			if err := os.WriteFile(filepath.Join(dir, name), []byte(g.Text(name)), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		t.Chdir(dir)
		t.Setenv("TMPDIR", t.TempDir())
		g.Want("session", replay(t, g.Text("session")))
		if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) > 0 {
			t.Errorf("temporary files are left: %v, %v", left, err)
		}
	})
}

// replay runs the commands of a transcript and returns what the transcript should be.
func replay(t *testing.T, text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		switch {
		case strings.HasPrefix(line, ";; "):
			b.WriteString(line)
		case strings.HasPrefix(line, "$ "):
			b.WriteString(line)
			b.WriteString(typed(t, strings.TrimSpace(line[2:])))
		}
	}
	return b.String()
}

// typed runs one line and returns what comes back.
func typed(t *testing.T, line string) string {
	line, filter, _ := strings.Cut(line, " | ")
	line, input, _ := strings.Cut(line, " < ")
	words := strings.Fields(line)
	for i, w := range words {
		if w == "''" {
			words[i] = ""
		}
	}
	var stdin io.Reader = strings.NewReader("")
	if input != "" {
		text, err := os.ReadFile(input)
		if err != nil {
			t.Fatal(err)
		}
		stdin = bytes.NewReader(text)
	}
	var stdout, stderr bytes.Buffer
	var status int
	switch helper := helpers[words[0]]; {
	case words[0] == "shoal":
		status = run(words[1:], stdin, &stdout, &stderr)
	case helper != nil:
		if err := helper(&stdout, words[1:]); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
	default:
		status = execute(t, words, stdin, &stdout, &stderr)
	}
	back := limited(t, lines(stdout.String(), ""), filter) + lines(stderr.String(), "! ")
	if status != 0 {
		back += fmt.Sprintf("[%d]\n", status)
	}
	return back
}

// lines puts a prefix before each line and marks a last line that has no end.
func lines(text, prefix string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(prefix + line)
	}
	if text != "" && !strings.HasSuffix(text, "\n") {
		b.WriteString("(no end of line)\n")
	}
	return b.String()
}

// limited is what grep or head leave of a text.
func limited(t *testing.T, text, filter string) string {
	what, how, _ := strings.Cut(filter, " ")
	var keep func(i int, line string) bool
	switch what {
	case "":
		return text
	case "grep":
		pattern, err := regexp.Compile(how)
		if err != nil {
			t.Fatal(err)
		}
		keep = func(_ int, line string) bool { return pattern.MatchString(strings.TrimSuffix(line, "\n")) }
	case "head":
		n, err := strconv.Atoi(how)
		if err != nil {
			t.Fatal(err)
		}
		keep = func(i int, _ string) bool { return i < n }
	default:
		t.Fatalf("there is no filter %q", what)
	}
	var b strings.Builder
	for i, line := range strings.SplitAfter(text, "\n") {
		if line != "" && keep(i, line) {
			b.WriteString(line)
		}
	}
	return b.String()
}

// execute runs a program that shoal made.
func execute(t *testing.T, words []string, stdin io.Reader, stdout, stderr io.Writer) int {
	c := exec.Command(words[0], words[1:]...)
	c.Stdin, c.Stdout, c.Stderr = stdin, stdout, stderr
	err := c.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return c.ProcessState.ExitCode()
}

// helpers are the commands that look at files and make them.
var helpers = map[string]func(w io.Writer, args []string) error{
	"ls":    list,
	"cat":   show,
	"mkdir": func(_ io.Writer, args []string) error { return os.Mkdir(args[0], 0o777) },
	"same": func(_ io.Writer, args []string) error {
		a, err := os.ReadFile(args[0])
		if err != nil {
			return err
		}
		b, err := os.ReadFile(args[1])
		if err == nil && !bytes.Equal(a, b) {
			err = fmt.Errorf("%s and %s differ", args[0], args[1])
		}
		return err
	},
}

// list shows the files of the folder that can be executed with a star.
func list(w io.Writer, _ []string) error {
	entries, err := os.ReadDir(".")
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			return err
		}
		star := ""
		if info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			star = "*"
		}
		fmt.Fprintf(w, "%s%s\n", e.Name(), star)
	}
	return err
}

func show(w io.Writer, args []string) error {
	text, err := os.ReadFile(args[0])
	if err == nil {
		_, err = w.Write(text)
	}
	return err
}

// TestReplay checks the replaying itself: what is wrong in a transcript is put right.
func TestReplay(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("p.smp", []byte("return arg*2;"), 0o666); err != nil {
		t.Fatal(err)
	}
	got := replay(t, ";; twice\n$ shoal eval p.smp 4\n9\n$ shoal eval - x < p.smp\n$ shoal eval p.smp 1 2 3 | grep [26]\n$ shoal eval p.smp 1 2 3 | head 1\n$ cat p.smp\n")
	want := ";; twice\n$ shoal eval p.smp 4\n8\n$ shoal eval - x < p.smp\n! shoal: \"x\" is not a 64-bit integer\n[2]\n" +
		"$ shoal eval p.smp 1 2 3 | grep [26]\n2\n6\n$ shoal eval p.smp 1 2 3 | head 1\n2\n$ cat p.smp\nreturn arg*2;(no end of line)\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
