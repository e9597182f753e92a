package parser

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"shoal/internal/golden"
	"shoal/source"
)

// errorFiles hold programs with what is wrong about them: a section NAME.LEVEL.smp and
// NAME.want, which has a line for each message and one for its hint.
const errorFiles = "../testdata/errors/*.txtar"

func TestErrors(t *testing.T) {
	golden.Run(t, errorFiles, func(t *testing.T, c *golden.Case) {
		for _, section := range c.Sections() {
			name, level, ok := program(section)
			if !ok {
				continue
			}
			c.Want(name+".want", messages(c.Text(section), Options{Level: level}))
		}
	})
}

// program takes the name of a section apart.
func program(section string) (name string, level int, ok bool) {
	rest, ok := strings.CutSuffix(section, ".smp")
	name, number, _ := strings.Cut(rest, ".")
	level, err := strconv.Atoi(number)
	return name, level, ok && err == nil
}

// reports are the diagnostics of a program, those that need the finished graph included.
func reports(file *source.File, opts Options) *source.Diagnostics {
	funcs, diags := Parse(file, opts)
	for _, f := range funcs {
		f.Engine.Run()
		Check(f, diags)
	}
	return diags
}

// messages are what is wrong with a program, each with its place and hint.
func messages(src string, opts Options) string {
	file := source.NewFile("test.smp", []byte(src))
	diags := reports(file, opts)
	var b strings.Builder
	for _, d := range diags.List() {
		line, column := file.Line(d.Span.Start)
		fmt.Fprintf(&b, "%d:%d: %s\n", line, column, d.Message)
		if d.Hint != "" {
			fmt.Fprintf(&b, "    hint: %s\n", d.Hint)
		}
	}
	if !diags.Any() {
		return "nothing\n"
	}
	return b.String()
}

// Every message has a program in the files that gives it, but for those that it takes a
// program of great size to get.
func TestEveryMessageHasACase(t *testing.T) {
	seen := map[string]bool{}
	files, err := filepath.Glob(errorFiles)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range txtar.Parse(text).Files {
			if _, level, ok := program(f.Name); ok {
				diags := reports(source.NewFile(f.Name, f.Data), Options{Level: level})
				for _, d := range diags.List() {
					seen[d.Code] = true
				}
			}
		}
	}
	for _, m := range Messages {
		if m.Example != "" && !seen[m.Code] {
			t.Errorf("no case gives %s", m.Code)
		}
	}
}

func TestMessagesAreSorted(t *testing.T) {
	var codes []string
	for _, m := range Messages {
		codes = append(codes, m.Code)
	}
	sorted := slices.Clone(codes)
	slices.Sort(sorted)
	if diff := cmp.Diff(slices.Compact(sorted), codes); diff != "" {
		t.Errorf("codes (-sorted +are):\n%s", diff)
	}
}
