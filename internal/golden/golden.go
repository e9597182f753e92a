// Package golden compares what a test made with what files say it must be.
//
// Needs: folders of txtar files (golang.org/x/tools/txtar), one case a file. A case has
// its inputs and its expected outputs as sections; the comment before the first section
// says what it shows. Gives: one sub-test for each file. Breaks: nothing, but with the
// flag -update it writes what the test made into the files, in place, to be read line by
// line before it is committed.
//
//	go test ./dump -update
//
// Start reading at Run.
package golden

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "write what was made into the golden files")

// A Case is one file. It knows which of its sections were looked at.
type Case struct {
	t       *testing.T
	archive *txtar.Archive
	used    map[string]bool
	changed bool
}

// Run makes a sub-test of each file that matches the pattern; there must be one. A
// section that the test never asks for is an error: it would say something untested.
func Run(t *testing.T, pattern string, test func(t *testing.T, c *Case)) {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatalf("no file matches %s", pattern)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		t.Run(name, func(t *testing.T) { runFile(t, file, test) })
	}
}

func runFile(t *testing.T, file string, test func(t *testing.T, c *Case)) {
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	c := &Case{t: t, archive: archive, used: map[string]bool{}}
	test(t, c)
	for _, f := range archive.Files {
		if !c.used[f.Name] && !t.Failed() {
			t.Errorf("%s: nothing looks at section %s", file, f.Name)
		}
	}
	if c.changed {
		if err := os.WriteFile(file, txtar.Format(archive), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// Has tells whether the file has a section.
func (c *Case) Has(section string) bool { return c.find(section) != nil }

// Text is an input of the case, which must be there.
func (c *Case) Text(section string) string {
	c.t.Helper()
	f := c.find(section)
	if f == nil {
		c.t.Fatalf("there is no section %s", section)
	}
	return string(f.Data)
}

// Field is the first line of a section without white space around it, or what is given
// if there is no such section: for settings such as the level.
func (c *Case) Field(section, otherwise string) string {
	f := c.find(section)
	if f == nil {
		return otherwise
	}
	line, _, _ := strings.Cut(string(f.Data), "\n")
	return strings.TrimSpace(line)
}

// Want compares what the test made with a section. Text always ends with a line end.
func (c *Case) Want(section, got string) {
	c.t.Helper()
	if !strings.HasSuffix(got, "\n") {
		got += "\n"
	}
	f := c.find(section)
	if *update {
		c.replace(section, f, got)
		return
	}
	if f == nil {
		c.t.Errorf("there is no section %s; -update makes it", section)
		return
	}
	if diff := cmp.Diff(string(f.Data), got); diff != "" {
		c.t.Errorf("%s (-want +got):\n%s", section, diff)
	}
}

func (c *Case) replace(section string, f *txtar.File, got string) {
	switch {
	case f == nil:
		c.archive.Files = append(c.archive.Files, txtar.File{Name: section, Data: []byte(got)})
		c.used[section] = true
	case bytes.Equal(f.Data, []byte(got)):
		return
	default:
		f.Data = []byte(got)
	}
	c.changed = true
}

func (c *Case) find(section string) *txtar.File {
	for i := range c.archive.Files {
		if f := &c.archive.Files[i]; f.Name == section {
			c.used[section] = true
			return f
		}
	}
	return nil
}
