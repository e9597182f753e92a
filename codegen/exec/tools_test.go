//go:build linux && amd64

package exec

import (
	"os"
	osexec "os/exec"
	"path/filepath"
	"strings"
	"testing"

	"shoal/codegen/amd64"
)

// TestDebuggers runs executables under the host's tools, which must see the program's
// functions and not trip over its stack or its start.
func TestDebuggers(t *testing.T) {
	dir := t.TempDir()
	for name, image := range map[string][]byte{
		"square": executable(t, amd64.StartPrinting, square),
		"faulty": executable(t, amd64.Start, faulty, faultyRelocs...),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), image, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct {
		name string
		argv []string
		want []string
	}{
		{"gdb stops in main", []string{"gdb", "-batch", "-nx", "-ex", "break main", "-ex", "run 12", "-ex", "bt", "-ex", "continue", "square"},
			[]string{"#0 ", " in main ()", "\n144\n", "exited with code 0220"}},
		{"gdb stops at a fault", []string{"gdb", "-batch", "-nx", "-ex", "run 7", "-ex", "info symbol $pc", "faulty"},
			[]string{"fault: index 7 is outside", "SIGABRT", "shoal$abort"}},
		{"valgrind finds nothing", []string{"valgrind", "./square", "12"}, []string{"\n144\n", "ERROR SUMMARY: 0 errors"}},
		{"valgrind names functions", []string{"valgrind", "./faulty", "7"}, []string{"fault: index 7 is outside", "shoal$abort"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := osexec.LookPath(tt.argv[0]); err != nil {
				t.Skipf("%s is not installed", tt.argv[0])
			}
			cmd := osexec.Command(tt.argv[0], tt.argv[1:]...)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "DEBUGINFOD_URLS=")
			out, _ := cmd.CombinedOutput() // the status is the program's, or says that it was killed
			for _, w := range tt.want {
				if !strings.Contains(string(out), w) {
					t.Errorf("no %q in\n%s", w, out)
				}
			}
		})
	}
}
