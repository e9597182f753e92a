package shoal_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"shoal"
	"shoal/source"
)

// programs are the programs of testdata/run.
func programs(t *testing.T) map[string][]byte {
	t.Helper()
	names, err := filepath.Glob("testdata/run/*.smp")
	if err != nil || len(names) == 0 {
		t.Fatalf("no programs in testdata/run: %v", err)
	}
	texts := map[string][]byte{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		texts[name] = text
	}
	return texts
}

// TestDeterminism compiles everything twice, the second time with another number of
// workers, and wants the same bytes.
func TestDeterminism(t *testing.T) {
	for name, text := range programs(t) {
		for _, opt := range []shoal.Opt{shoal.Full, shoal.Rules, shoal.Raw} {
			var images [2][]byte
			for i := range images {
				u, err := shoal.Compile(source.NewFile(name, text), shoal.Options{Opt: opt, Workers: 1 + 3*i})
				if err != nil {
					t.Fatalf("%s: %v\n%v", name, err, u.Diagnostics)
				}
				if images[i], err = u.Program.Executable(false); err != nil {
					t.Fatal(err)
				}
			}
			if !bytes.Equal(images[0], images[1]) {
				t.Errorf("%s: two compilations differ", name)
			}
		}
	}
}

// TestPipeline checks the table of passes: names are unique, documents are there, and
// Compile stops where it is told.
func TestPipeline(t *testing.T) {
	file := source.NewFile("p.smp", []byte("return arg+1;"))
	seen := map[string]bool{}
	for i, p := range shoal.Pipeline {
		if seen[p.Name] || p.Doc == "" || p.Since < 1 {
			t.Errorf("pass %d %q: name taken, or no document or chapter", i, p.Name)
		}
		seen[p.Name] = true
		u, err := shoal.Compile(file, shoal.Options{Until: p.Name, Measure: true, Verify: true})
		if err != nil {
			t.Fatal(err)
		}
		if len(u.Stats) != i+1 || u.Stats[i].Pass != p.Name {
			t.Errorf("until %s: ran %v", p.Name, u.Stats)
		}
	}
}
