package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"shoal/internal/golden"
)

// command runs shoal on a program, which must be to its liking.
func command(t testing.TB, program string, args ...string) (out string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if status := run(args, strings.NewReader(program), &stdout, &stderr); status != 0 {
		t.Fatalf("shoal %s: status %d\n%s\n%s", strings.Join(args, " "), status, stderr.String(), program)
	}
	return stdout.String()
}

// TestPictures has a case for each convention of the pictures. What a case "shows" and
// "hides" is written by people; only the picture as a whole is rewritten with -update.
func TestPictures(t *testing.T) {
	golden.Run(t, "../../testdata/graph/*.txtar", func(t *testing.T, c *golden.Case) {
		args := append(strings.Fields(c.Text("flags")), "-")
		picture := command(t, c.Text("program.smp"), append([]string{"dot"}, args...)...)
		for what, must := range map[string]bool{"shows": true, "hides": false} {
			part, _ := c.Part(what)
			for line := range strings.Lines(part) {
				text := strings.ReplaceAll(strings.TrimSuffix(line, "\n"), "¶", "\n")
				if strings.Contains(picture, text) != must {
					t.Errorf("%s %q: it does not", what, text)
				}
			}
		}
		c.Want("picture.dot", picture)
	})
}

// readmeSteps are the steps that the README promises: two scopes before they merge, and
// the Phi after it.
var readmeSteps = regexp.MustCompile(`(?m)^ +bin/shoal (dot --chapter 5 --scopes --step \d+) (testdata/run/seed004\.smp)$`)

// TestReadmeShowsTheMerge runs the commands of the README as they stand there.
func TestReadmeShowsTheMerge(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	commands := readmeSteps.FindAllStringSubmatch(string(text), -1)
	if len(commands) != 2 {
		t.Fatalf("README.md has %d of the two commands", len(commands))
	}
	want := []struct {
		scopes, phis int
		value        []string // where the edges from a lead to
	}{
		{scopes: 2, phis: 0, value: []string{"Add", "Sub"}},
		{scopes: 1, phis: 1, value: []string{"Phi"}},
	}
	valueOfA := regexp.MustCompile(`Scope\d+_1:v2->([A-Za-z]+)`)
	for i, c := range commands {
		picture := command(t, "", append(strings.Fields(c[1]), "../../"+c[2])...)
		var leads []string
		for _, m := range valueOfA.FindAllStringSubmatch(picture, -1) {
			leads = append(leads, m[1])
		}
		if got := strings.Count(picture, `<TD PORT="v2">a</TD>`); got != want[i].scopes {
			t.Errorf("%s: a stands in %d scopes, want %d", c[1], got, want[i].scopes)
		}
		if got := strings.Count(picture, "φ_a"); got != want[i].phis {
			t.Errorf("%s: %d Phis, want %d", c[1], got, want[i].phis)
		}
		if diff := cmp.Diff(want[i].value, leads); diff != "" {
			t.Errorf("%s: a leads to (-want +got):\n%s", c[1], diff)
		}
	}
}

// A subject is a program with the first chapter that takes it.
type subject struct {
	name, text string
	chapter    int
}

// subjects are the programs of testdata/run and of the suites of the chapters.
func subjects(t *testing.T) (all []subject) {
	t.Helper()
	files, err := filepath.Glob("../../testdata/run/*.smp")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		all = append(all, subject{filepath.Base(file), read(t, file), 11})
	}
	suites, err := filepath.Glob("../../chapters/chapter*/*.txtar")
	if err != nil || len(files) == 0 || len(suites) == 0 {
		t.Fatalf("%d programs, %d suites: %v", len(files), len(suites), err)
	}
	for _, file := range suites {
		var chapter int
		if _, err := fmt.Sscanf(filepath.Base(filepath.Dir(file)), "chapter%d", &chapter); err != nil {
			t.Fatal(err)
		}
		for _, part := range txtar.Parse([]byte(read(t, file))).Files {
			if name, ok := strings.CutSuffix(part.Name, ".smp"); ok {
				all = append(all, subject{filepath.Base(file) + " " + name, string(part.Data), chapter})
			}
		}
	}
	return slices.DeleteFunc(all, func(s subject) bool { return !s.valid() || strings.Contains(s.text, "#showGraph") })
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// valid tells whether the program is one: the suites have wrong programs, too.
func (s subject) valid() bool {
	var out bytes.Buffer
	return run([]string{"check", "--chapter", fmt.Sprint(s.chapter), "-"}, strings.NewReader(s.text), &out, &out) == 0
}

// looks are ways to draw a program.
var looks = []string{
	"",
	"-O 0 --after optimize",
	"--scopes",
	"--after schedule",
	"-O 0 --after schedule --edges control",
	"--scopes --step 3",
	"--after optimize --edges data,memory",
	"--node 1 --hops 3 --scopes",
	"--func main --after schedule --edges memory",
	"--scopes --step 7 -O 0",
}

// TestGraphvizTakesWhatTheCommandDraws lays out every program in some of the ways at its
// own chapter and at 24, and all of the steps of some programs.
func TestGraphvizTakesWhatTheCommandDraws(t *testing.T) {
	path, err := exec.LookPath("dot")
	if err != nil {
		t.Skip("there is no dot: install Graphviz to check that it takes the pictures")
	}
	each := 3 // of the ways, for each program
	if testing.Short() {
		each = 1
	}
	var pictures []string
	for i, s := range subjects(t) {
		for k := range each {
			chapter := s.chapter
			if k%2 == 1 {
				chapter = 24
			}
			look := looks[(i+3*k)%len(looks)]
			if picture, ok := s.draw(chapter, strings.Fields(look)); ok {
				pictures = append(pictures, picture)
			}
		}
	}
	if len(pictures) < 100 {
		t.Fatalf("only %d pictures", len(pictures))
	}
	layOutAll(t, path, pictures)
}

// draw draws a program; not ok if it is refused at the chapter or has no such step.
func (s subject) draw(chapter int, look []string) (picture string, ok bool) {
	var stdout, stderr bytes.Buffer
	args := append([]string{"dot", "--chapter", fmt.Sprint(chapter)}, look...)
	status := run(append(args, "-"), strings.NewReader(s.text), &stdout, &stderr)
	return stdout.String(), status == 0
}

// layOutAll lets Graphviz lay out all pictures in one process.
func layOutAll(t *testing.T, path string, pictures []string) {
	t.Helper()
	slices.Sort(pictures)
	pictures = slices.Compact(pictures)
	c := exec.Command(path, "-Tsvg")
	c.Stdin = strings.NewReader(strings.Join(pictures, "\n"))
	var said bytes.Buffer
	c.Stderr = &said
	out, err := c.Output()
	if err != nil || said.Len() > 0 {
		t.Fatalf("dot: %v: %s", err, said.String())
	}
	if n := bytes.Count(out, []byte("</svg>")); n != len(pictures) {
		t.Fatalf("dot laid out %d of %d pictures", n, len(pictures))
	}
	t.Logf("%d pictures", len(pictures))
}

// TestSteps writes a picture for every event, and compares some with --step.
func TestSteps(t *testing.T) {
	const program = "int s=0;\nwhile(arg>0) {\n    if(s==9) break;\n    s=s+arg;\n    arg=arg-1;\n}\nreturn s;"
	dir := filepath.Join(t.TempDir(), "steps")
	flags := []string{"dot", "--chapter", "11", "--scopes"}
	command(t, program, append(flags, "--steps", dir, "-")...)
	files, err := filepath.Glob(filepath.Join(dir, "*.dot"))
	if err != nil || len(files) < 20 {
		t.Fatalf("%d pictures: %v", len(files), err)
	}
	var pictures []string
	for i, file := range files {
		if want := fmt.Sprintf("%04d.dot", i+1); filepath.Base(file) != want {
			t.Fatalf("file %s, want %s", file, want)
		}
		picture := read(t, file)
		pictures = append(pictures, picture)
		if i%10 == 0 {
			single := command(t, program, append(flags, "--step", fmt.Sprint(i+1), "-")...)
			if diff := cmp.Diff(picture, single); diff != "" {
				t.Errorf("step %d (-steps +step):\n%s", i+1, diff)
			}
		}
	}
	path, err := exec.LookPath("dot")
	if err != nil {
		t.Skip("there is no dot: install Graphviz to check that it takes the pictures of all steps")
	}
	layOutAll(t, path, pictures)
}

func TestDotUsage(t *testing.T) {
	tests := []struct{ flags, want string }{
		{"--node 99", "there is no node 99"},
		{"--node -1", "there is no node -1"},
		{"--hops 2", "--hops is for --node"},
		{"--node 1 --hops -1", "--hops must be 0 or more"},
		{"--edges red", `there are no "red" edges`},
		{"--after lunch", `there is no pass "lunch"`},
		{"--func f", `there is no function "f"`},
		{"--step 0", "--step must be 1 to"},
		{"--step 1000", "--step must be 1 to"},
		{"--step 1 --steps d", "none of the others can be"},
	}
	for _, tt := range tests {
		var out, said bytes.Buffer
		args := append(append([]string{"dot"}, strings.Fields(tt.flags)...), "-")
		if status := run(args, strings.NewReader("return arg;"), &out, &said); status != statusUsage || out.Len() > 0 || !strings.Contains(said.String(), tt.want) {
			t.Errorf("%s: status %d, %q, want 2 and %q", tt.flags, status, said.String(), tt.want)
		}
	}
}

// TestLargePictureIsNoted draws a program that nobody should lay out as a whole.
func TestLargePictureIsNoted(t *testing.T) {
	program := strings.Repeat("arg=arg*3+7; arg=7/arg;\n", 300) + "return arg;"
	for _, tt := range []struct {
		flags string
		noted bool
	}{{"", true}, {"--node 20", false}} {
		var out, said bytes.Buffer
		args := append([]string{"dot", "--chapter", "11", "-"}, strings.Fields(tt.flags)...)
		if status := run(args, strings.NewReader(program), &out, &said); status != 0 || strings.Contains(said.String(), "slow to lay out") != tt.noted {
			t.Errorf("%q: status %d, said %q", tt.flags, status, said.String())
		}
	}
}

// asProcess in the environment makes the test below be the command.
const asProcess = "SHOAL_TEST_ARGS"

func TestBeTheCommand(t *testing.T) {
	args := os.Getenv(asProcess)
	if args == "" {
		t.Skip("there is nothing to do: another test starts this one as a process of its own")
	}
	os.Exit(run(strings.Fields(args), os.Stdin, os.Stdout, os.Stderr))
}

// TestOutputIsTheSameEverywhere makes each output twice here and once in another process,
// where maps have another order.
func TestOutputIsTheSameEverywhere(t *testing.T) {
	const file = "../../testdata/run/primes.smp"
	commands := []string{
		"dot --chapter 24 --after schedule " + file,
		"dot --chapter 11 --scopes --step 50 " + file,
		"dot --chapter 11 --after optimize -O 0 --edges control " + file,
		"walk --chapter 11 " + file,
		"walk --chapter 24 --format md " + file,
		"walk --chapter 11 --format html --from 10 --to 30 " + file,
	}
	for _, line := range commands {
		first := command(t, "", strings.Fields(line)...)
		second := command(t, "", strings.Fields(line)...)
		if diff := cmp.Diff(first, second); diff != "" {
			t.Errorf("%s (-first +second):\n%s", line, diff)
		}
		c := exec.Command(os.Args[0], "-test.run=^TestBeTheCommand$")
		c.Env = append(os.Environ(), asProcess+"="+line)
		third, err := c.Output()
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if diff := cmp.Diff(first, string(third)); diff != "" {
			t.Errorf("%s (-here +other process):\n%s", line, diff)
		}
	}
}
