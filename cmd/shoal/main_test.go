package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A failing is an output that can not be written; a broken one trips over a bug.
type (
	failing struct{}
	broken  struct{}
)

func (failing) Write([]byte) (int, error) { return 0, errors.New("disk full") }
func (broken) Write([]byte) (int, error)  { panic("late block is above early block") }

// inFolder changes to an empty folder with a program in it.
func inFolder(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	if err := os.WriteFile("p.smp", []byte("return arg+1;"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("p.ssa", []byte("form args\nfunc main(n)\nb:\n  ret n\n"), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestLostOutput tests that results are not lost in silence, whichever command has them.
func TestLostOutput(t *testing.T) {
	inFolder(t)
	for _, line := range []string{
		"eval p.smp 1", "ir p.smp", "ir --form table p.smp", "ir --form blocks p.smp", "ir --form args p.smp", "ir --form mach p.smp",
		"ir --form asm p.smp", "dot p.smp", "walk p.smp", "walk --format html p.smp", "ssa convert p.ssa", "ssa destruct p.ssa", "ssa run p.ssa 1",
		"ssa run --native p.ssa 1", "lesson", "explain", "passes", "rules", "ops", "version", "help", "--help",
	} {
		var stderr bytes.Buffer
		status := run(strings.Fields(line), strings.NewReader(""), failing{}, &stderr)
		if status != statusUsage || !strings.Contains(stderr.String(), "disk full") {
			t.Errorf("shoal %s: status %d, %q", line, status, stderr.String())
		}
	}
}

// TestBug tests what a bug of shoal's own looks like: the status, and a file with what
// happened that standard error names.
func TestBug(t *testing.T) {
	inFolder(t)
	var stderr bytes.Buffer
	status := run([]string{"ir", "p.smp"}, strings.NewReader(""), broken{}, &stderr)
	if diff := cmp.Diff(statusBug, status); diff != "" {
		t.Errorf("status (-want +got):\n%s", diff)
	}
	names, err := filepath.Glob("bug-*.txt")
	if err != nil || len(names) != 1 {
		t.Fatalf("files: %v, %v", names, err)
	}
	if !strings.Contains(stderr.String(), "this is a bug") || !strings.Contains(stderr.String(), filepath.Base(names[0])) {
		t.Errorf("standard error is %q", stderr.String())
	}
	text, err := os.ReadFile(names[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"late block is above early block", "main_test.go", `"ir" "p.smp"`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the file says nothing of %q:\n%s", want, text)
		}
	}
}

// TestTime tests the table of --time: a row for each pass that ran, in order, and for the
// stages of the back end, all on standard error.
func TestTime(t *testing.T) {
	inFolder(t)
	pass := func(name string) string { return name + ` +[0-9.]+[nµm]?s +\d+ +\d+\n` }
	stage := func(name string) string { return `  ` + name + ` +[0-9.]+[nµm]?s\n` }
	head := `pass +time +nodes +bytes\n`
	stages := stage("select") + stage("allocate") + stage("frame") + stage("encode")
	tests := []struct{ line, stdout, stderr string }{
		{"eval --time p.smp 4", "5\n", head + pass("parse") + pass("optimize") + pass("check")},
		{"eval --after parse p.smp 4 --time", "5\n", head + pass("parse")},
		{"run --print-result --time p.smp 4", "5\n", head + pass("parse") + pass("optimize") + pass("check") + pass("objects") + pass("bounds") + pass("schedule") + pass("ssa") + pass("codegen") + stages},
		{"ssa run --native --time p.ssa 4", "4\n", stages},
	}
	for _, tt := range tests {
		var stdout, stderr bytes.Buffer
		run(strings.Fields(tt.line), strings.NewReader(""), &stdout, &stderr)
		if diff := cmp.Diff(tt.stdout, stdout.String()); diff != "" {
			t.Errorf("shoal %s (-want +got):\n%s", tt.line, diff)
		}
		if ok, err := regexp.MatchString("^"+tt.stderr+"$", stderr.String()); err != nil || !ok {
			t.Errorf("shoal %s: standard error is\n%swhich does not match %q, %v", tt.line, stderr.String(), tt.stderr, err)
		}
	}
}

// TestNothingHalfWritten tests that a program that can not be compiled leaves an older output
// as it is, and that no other file appears.
func TestNothingHalfWritten(t *testing.T) {
	inFolder(t)
	for name, text := range map[string]string{"old": "old", "bad.smp": "return x;"} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir("locked", 0o555); err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]int{
		"build -o old bad.smp":                statusErrors,
		"build -o old none.smp":               statusUsage,
		"build -o old --chapter 99 p.smp":     statusUsage,
		"build -o missing/out p.smp":          statusUsage,
		"build -o p.smp p.smp":                statusUsage,
		"build -o locked p.smp":               statusUsage,
		"ssa build -o old bad.smp":            statusErrors,
		"ssa build -o p.ssa p.ssa":            statusUsage,
		"dot --steps p.ssa p.smp":             statusUsage,
		"dot --steps pictures --step 1 p.smp": statusUsage,
	} {
		var out bytes.Buffer
		if status := run(strings.Fields(line), strings.NewReader(""), &out, &out); status != want {
			t.Errorf("shoal %s: status %d, want %d: %s", line, status, want, out.String())
		}
	}
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if diff := cmp.Diff([]string{"bad.smp", "locked", "old", "p.smp", "p.ssa"}, names); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	if text, err := os.ReadFile("old"); err != nil || string(text) != "old" {
		t.Errorf("the old output is %q, %v", text, err)
	}
}

// TestSeparate tests that a negative number is an argument, unless it is a flag's value.
func TestSeparate(t *testing.T) {
	tests := []struct{ words, want string }{
		{"eval p.smp 5 -O2", "eval p.smp 5 -O2"},
		{"eval p.smp -5", "eval -- p.smp -5"},
		{"eval --arg -5 p.smp", "eval --arg -5 -- p.smp"},
		{"eval --arg=-5 -O 0 p.smp -6 --verify 7", "eval --arg=-5 -O 0 --verify -- p.smp -6 7"},
		{"eval -O2 -6 --seed 4 -", "eval -O2 --seed 4 -- -6 -"},
		{"eval p.smp -1 -- -2 --verify", "eval -- p.smp -1 -2 --verify"},
		{"ssa run --native p.ssa -1 -2 --strategy naive", "ssa run --native --strategy naive -- p.ssa -1 -2"},
		{"eval p.smp -5x -6", "eval -5x -- p.smp -6"},
		{"nothing -5", "nothing -5"},
	}
	for _, tt := range tests {
		root := newRoot(&app{})
		got := strings.Join(separate(root, strings.Fields(tt.words)), " ")
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.words, diff)
		}
	}
}

// TestSays tests commands whose output grows with the compiler: each must say what matches.
func TestSays(t *testing.T) {
	inFolder(t)
	tests := []struct {
		line   string
		status int
		stdout string
		stderr string
	}{
		{"passes", 0, `^PASS +CHAPTER +WHAT IT DOES\nparse +1 +\S(.*\n)+optimize +9 +\S(.*\n)+schedule +11 +\S(.*\n)*codegen +19 +\S.*\n$`, `^$`},
		{"rules", 0, `^RULE +CHAPTERS +EQUATION +SOURCE(.*\n)+mul-one +4- +x \* 1 => x +\S`, `^$`},
		{"ops", 0, `(?m)^Add +\S? +add +2 +\S`, `^$`},
		{"explain", 0, `(?m)^operand$(.*\n)+^undefined$`, `^$`},
		{"explain undefined", 0, `^undefined: Undefined name '%s'\n\n\S(.*\n)+\nExample \(chapter 3\):\n\n    \S`, `^$`},
		{"lesson", 0, `^LESSON +TITLE\n1 +\S(.*\n)+5 +\S`, `^$`},
		{"lesson 5", 0, `^# Chapter 5`, `^$`},
		{"lesson 1 --answer Q99=3", statusUsage, `^$`, `lesson 1 has no question "Q99", but Q1`},
		{"ir --form table p.smp", 0, `(?m)^ +\d+ Return +\d+ +\d+ +\d+ .*\n`, `^$`},
		{"ir --form asm p.smp", 0, `(?m)^main:\n(.*\n)+ .* c3 +ret`, `^$`},
		{"help run", 0, `(?m)^ +--print-result +\S`, `^$`},
		{"walk --from 2 --to 3 p.smp", 0, `at chapter 24: 2 of \d+ steps\n`, `^$`},
		{"walk --only Created p.smp --chapter 5", 0, `at chapter 5: \d+ of \d+ steps\n`, `^$`},
		{"walk --only Sleeping p.smp", statusUsage, `^$`, `no kind of step "Sleeping", but Created`},
		{"dot --step 0 p.smp", statusUsage, `^$`, `--step must be 1 to \d+`},
		{"dot --step 99999 p.smp", statusUsage, `^$`, `--step must be 1 to \d+`},
		{"dot --step 1 --steps pictures p.smp", statusUsage, `^$`, `step steps`},
		{"dot --steps pictures p.smp", 0, `^$`, `^(\d+) pictures of \d+ steps in pictures\n$`},
	}
	for _, tt := range tests {
		var stdout, stderr bytes.Buffer
		status := run(strings.Fields(tt.line), strings.NewReader(""), &stdout, &stderr)
		if diff := cmp.Diff(tt.status, status); diff != "" {
			t.Errorf("shoal %s: status (-want +got):\n%s", tt.line, diff)
		}
		for _, text := range []struct{ want, got string }{{tt.stdout, stdout.String()}, {tt.stderr, stderr.String()}} {
			if !regexp.MustCompile(text.want).MatchString(text.got) {
				t.Errorf("shoal %s: nothing matches %s in\n%s", tt.line, text.want, text.got)
			}
		}
	}
	if pictures, err := filepath.Glob("pictures/*.dot"); err != nil || len(pictures) == 0 {
		t.Errorf("--steps wrote %v, %v", pictures, err)
	}
}

// TestOutName tests the names of outputs.
func TestOutName(t *testing.T) {
	inFolder(t)
	tests := []struct {
		out, name string
		object    bool
		want      string
	}{
		{"", "prog.smp", false, "prog"},
		{"", "dir/prog.smp", false, "dir/prog"},
		{"", "prog.smp", true, "prog.o"},
		{"", "prog", false, "prog.out"}, // never over the source
		{"", "prog", true, "prog.o"},
		{"", "prog.smp.smp", false, "prog.smp"},
		{"", ".smp", false, ".smp.out"},
		{"", "dir/.smp", true, "dir/.smp.o"},
		{"", "-", false, "out"},
		{"", "-", true, "out.o"},
		{"other", "prog.smp", false, "other"},
		{"other.o", "prog.smp", false, "other.o"},
		{"other", "prog.smp", true, "other.o"},
		{"other.o", "prog.smp", true, "other.o"},
		{"/dev/null", "prog.smp", true, "/dev/null"},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, outName(tt.out, tt.name, tt.object)); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", tt, diff)
		}
	}
}
