package golden

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Updating tells whether golden files are to be written instead of compared: for tests
// whose files are no cases of Run, such as the lessons.
func Updating() bool { return *update }

// File compares what a test made with a whole file.
func File(t testing.TB, name, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatalf("%v; -update makes it", err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

// Sections are the names of the sections of the file in order, for files that hold
// several small cases, told apart by a prefix.
func (c *Case) Sections() []string {
	names := make([]string, len(c.archive.Files))
	for i, f := range c.archive.Files {
		names[i] = f.Name
	}
	return names
}

// Part is Text for a section that may be missing.
func (c *Case) Part(section string) (text string, ok bool) {
	f := c.find(section)
	if f == nil {
		return "", false
	}
	return strings.TrimSuffix(string(f.Data), "\n"), true
}
