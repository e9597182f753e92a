package chapters

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"shoal/internal/golden"
)

// A shell runs the commands of lessons as a reader would: in the root of the project, with
// shoal on the path. What they write lands elsewhere, so that the tree stays clean.
type shell struct {
	t   *testing.T
	dir string
	env []string
}

func newShell(t *testing.T) *shell {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("lessons are recomputed where there is a shell: ", err)
	}
	s := &shell{t: t, dir: t.TempDir()}
	s.env = append(os.Environ(), "PATH="+s.dir+string(filepath.ListSeparator)+os.Getenv("PATH"), "LC_ALL=C")
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"chapters", "testdata"} {
		if err := os.Symlink(filepath.Join(root, name), filepath.Join(s.dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	s.build()
	return s
}

// build makes the command, with the lessons as they are now.
func (s *shell) build() {
	if out, err := exec.Command("go", "build", "-o", filepath.Join(s.dir, "shoal"), "shoal/cmd/shoal").CombinedOutput(); err != nil {
		s.t.Fatalf("go build: %v\n%s", err, out)
	}
}

// run runs a command; what it says on either channel is one text.
func (s *shell) run(command string) (output string, status int) {
	c := exec.Command("sh", "-c", command)
	c.Dir, c.Env = s.dir, s.env
	out, err := c.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		s.t.Fatalf("%s: %v", command, err)
	}
	return string(out), c.ProcessState.ExitCode()
}

// onDisk are the lessons as they lie in the folder: those in the test itself may be older
// when pages are being rewritten.
func onDisk(t *testing.T) []*Lesson {
	lessons, err := lessonsIn(os.DirFS("."))
	if err != nil {
		t.Fatal(err)
	}
	return lessons
}

func TestLesson(t *testing.T) {
	s := newShell(t)
	for _, l := range onDisk(t) {
		t.Run(l.Name, func(t *testing.T) {
			s.t = t
			testBlocks(t, s, l)
			testFiles(t, l)
			testSections(t, l)
			testLinks(t, l)
			t.Run("pictures", func(t *testing.T) { testPictures(t, s, l) })
		})
	}
	if s.t = t; golden.Updating() {
		s.build()
	}
	answers := "Answers to the questions of the lessons, as computed.\n"
	for _, l := range onDisk(t) {
		answers += "\n" + testQuestions(t, s, l)
	}
	golden.File(t, "answers.txt", answers)
}

// testBlocks recomputes all that is computed in a page.
func testBlocks(t *testing.T, s *shell, l *Lesson) {
	var b strings.Builder
	at := 0
	for _, block := range l.Blocks() {
		b.WriteString(l.Text[at:block.Start])
		text := l.Text[block.Start:block.End]
		if name, ok := block.Shows(); ok {
			text = readFile(t, filepath.Join("..", name))
		} else if block.Transcript() {
			text = s.replay(block, text)
		}
		b.WriteString(text)
		at = block.End
	}
	b.WriteString(l.Text[at:])
	golden.File(t, l.File, b.String())
}

// testFiles tests that a page shows all programs that lie beside it.
func testFiles(t *testing.T, l *Lesson) {
	programs, err := filepath.Glob(filepath.Join(filepath.Dir(l.File), "*.s[ms][pa]"))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range programs {
		shown := false
		for _, page := range pagesBeside(t, l) {
			shown = shown || strings.Contains(page, " chapters/"+filepath.ToSlash(p)+"\n")
		}
		if !shown {
			t.Errorf("no page shows %s", p)
		}
	}
}

func pagesBeside(t *testing.T, l *Lesson) (texts []string) {
	files, err := filepath.Glob(filepath.Join(filepath.Dir(l.File), "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		texts = append(texts, readFile(t, file))
	}
	return texts
}

func readFile(t *testing.T, name string) string {
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// commands are the commands of a transcript.
func commands(text string) (list []string) {
	for line := range strings.Lines(text) {
		if command, ok := strings.CutPrefix(line, "$ "); ok {
			list = append(list, strings.TrimSpace(command))
		}
	}
	return list
}

// isPicture tells commands that need Graphviz, which print nothing.
func isPicture(command string) bool { return strings.Contains(command, "| dot ") }

// replay runs the commands of a transcript and writes it anew.
func (s *shell) replay(block Block, text string) string {
	want := 0
	if _, code, ok := strings.Cut(block.Info, "exit="); ok {
		n, err := strconv.Atoi(code)
		if err != nil {
			s.t.Fatalf("%q: the exit status is no number", block.Info)
		}
		want = n
	}
	var b strings.Builder
	for _, command := range commands(text) {
		fmt.Fprintf(&b, "$ %s\n", command)
		if isPicture(command) {
			continue
		}
		output, status := s.run(command)
		if status != want {
			s.t.Errorf("%s: exit status %d, not %d:\n%s", command, status, want, output)
		}
		if output = strings.TrimRight(output, "\n"); output != "" {
			b.WriteString(output + "\n")
		}
	}
	return b.String()
}

// testSections tests that a page has what readers have come to expect.
func testSections(t *testing.T, l *Lesson) {
	for _, section := range []string{"In HotSpot C2", "Where to read", "Questions", "Exercise"} {
		if !strings.Contains(l.Text, "\n## "+section+"\n") {
			t.Errorf("%s has no section %q", l.File, section)
		}
	}
}

// TestLessonIndex tests that the index leads to every page.
func TestLessonIndex(t *testing.T) {
	index := &Lesson{File: "README.md", Text: readFile(t, "README.md")}
	testLinks(t, index)
	for _, l := range onDisk(t) {
		if !strings.Contains(index.Text, "]("+l.File+")") {
			t.Errorf("the index has no link to %s", l.File)
		}
	}
}

var link = regexp.MustCompile(`\]\(([^)#:]+)\)`)

// testLinks tests that links lead somewhere.
func testLinks(t *testing.T, l *Lesson) {
	for _, m := range link.FindAllStringSubmatch(l.Text, -1) {
		if _, err := os.Stat(filepath.Join(filepath.Dir(l.File), m[1])); err != nil {
			t.Errorf("%s: %v", l.File, err)
		}
	}
}

// testQuestions tests that a right answer is taken and a wrong one gets a hint. It returns
// the answers.
func testQuestions(t *testing.T, s *shell, l *Lesson) (answers string) {
	questions, err := l.Questions()
	if err != nil {
		t.Fatal(err)
	}
	if asked := strings.Count(l.Text, "\nQ"); len(questions) == 0 || asked != len(questions) {
		t.Errorf("%s: %d questions are asked and %d answered", l.File, asked, len(questions))
	}
	for _, q := range questions {
		output, _ := s.run(strings.Join(q.Command, " "))
		right, err := q.Answer(output)
		if err != nil {
			t.Error(err)
			continue
		}
		answers += fmt.Sprintf("%s %s: %s\n", l.Name, q.Name, right)
		for _, tt := range []struct{ value, want string }{
			{right, q.Name + ": right.\n1 0"},
			{right + "9", q.Name + ": not " + right + "9. " + q.Hint + "\n1 1"},
		} {
			output, status := s.run(fmt.Sprintf("shoal lesson %s --answer '%s=%s'", l.Name, q.Name, tt.value))
			if diff := cmp.Diff(tt.want, fmt.Sprintf("%s%d %d", output, strings.Count(output, "\n"), status)); diff != "" {
				t.Errorf("lesson %s: output, lines and status for %s=%s (-want +got):\n%s", l.Name, q.Name, tt.value, diff)
			}
		}
	}
	return answers
}

// testPictures renders the pictures that a page invites to make; it has at least one.
func testPictures(t *testing.T, s *shell, l *Lesson) {
	if _, err := exec.LookPath("dot"); err != nil {
		t.Skip("pictures are rendered where Graphviz is: ", err)
	}
	pictures := 0
	for _, block := range l.Blocks() {
		if !block.Transcript() {
			continue
		}
		for _, command := range commands(l.Text[block.Start:block.End]) {
			if isPicture(command) {
				pictures++
				s.render(command)
			}
		}
	}
	if pictures == 0 {
		t.Errorf("%s: there is no command that makes a picture", l.File)
	}
}

// render runs a command of the form "shoal dot ... | dot -Tsvg > NAME.svg".
func (s *shell) render(command string) {
	name := command[strings.LastIndex(command, " ")+1:]
	output, status := s.run(command)
	if status != 0 || output != "" {
		s.t.Errorf("%s: exit status %d: %s", command, status, output)
		return
	}
	svg, err := os.ReadFile(filepath.Join(s.dir, name))
	if err != nil {
		s.t.Fatal(err)
	}
	if err := wellFormed(svg); err != nil || !bytes.Contains(svg, []byte(`class="node"`)) {
		s.t.Errorf("%s: no picture with a node in it: %v", command, err)
	}
}

func wellFormed(text []byte) error {
	d := xml.NewDecoder(bytes.NewReader(text))
	for {
		if _, err := d.Token(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

func TestLessonBlocks(t *testing.T) {
	l := &Lesson{Text: "# T\n```simple a.smp\nreturn 1;\n```\ntext\n````console exit=1\n$ a\n```\nb\n````\n"}
	type block struct{ Info, Text string }
	var got []block
	for _, b := range l.Blocks() {
		got = append(got, block{b.Info, l.Text[b.Start:b.End]})
	}
	want := []block{{"simple a.smp", "return 1;\n"}, {"console exit=1", "$ a\n```\nb\n"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("blocks (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]string{"a.smp": "return 1;\n"}, l.Files()); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}

func TestLessonQuestions(t *testing.T) {
	const asked = "# T\n\nQ1: What?\n"
	tests := []struct{ name, comment, output, want string }{
		{"match takes the group", "run: shoal ir x\nmatch: ^b(.)d\nhint: h", "abcd\nbxd\n", "x, h"},
		{"count takes the number", "run: shoal ir x\ncount: Add\nhint: h", "Add Mul Add", "2, h"},
		{"a line goes on", "run: shoal ir\n  x\ncount: Add\nhint: h\n  more", "", "0, h more"},
		{"nothing matches", "run: shoal ir x\nmatch: (b)\nhint: h", "a", "error"},
		{"no hint", "run: shoal ir x\nmatch: (b)", "b", "error"},
		{"no group", "run: shoal ir x\nmatch: b\nhint: h", "b", "error"},
		{"another command", "run: rm -r x\ncount: b\nhint: h", "b", "error"},
		{"an unknown line", "run: shoal ir x\nanswer: b\nhint: h", "b", "error"},
	}
	for _, tt := range tests {
		l := &Lesson{Text: asked + "<!-- answer Q1\n" + tt.comment + "\n-->\n"}
		got := "error"
		if questions, err := l.Questions(); err == nil {
			if a, err := questions[0].Answer(tt.output); err == nil {
				got = a + ", " + questions[0].Hint
			}
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
		if diff := cmp.Diff(asked, l.Page()); diff != "" {
			t.Errorf("%s: the page (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestLessonSameAnswer(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want bool
	}{{"arg * 2;", " arg*2", true}, {"8", "8", true}, {"8", "08", false}} {
		if diff := cmp.Diff(tt.want, SameAnswer(tt.a, tt.b)); diff != "" {
			t.Errorf("%q and %q (-want +got):\n%s", tt.a, tt.b, diff)
		}
	}
}
