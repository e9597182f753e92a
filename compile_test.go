package shoal_test

import (
	"testing"

	"shoal"
	"shoal/source"
)

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
