package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestSSARunMemory runs texts with floats and memory interpreted, out of SSA form, and
// natively: results, faults and their places are the same.
func TestSSARunMemory(t *testing.T) {
	const dir = "../../testdata/ssa/"
	tests := []struct {
		args           string
		stdout, stderr string
		status         int
	}{
		{dir + "newton.ssa 2.0 6 0.5 0 1e300 3", "4.41421365737915\n3.5\nDouble.POSITIVE_INFINITY\n", "", 0},
		{dir + "newton.ssa 2 0", "5.0\n", "", 0},
		{dir + "sieve.ssa 100 1000", "25\n168\n", "", 0},
		{dir + "sieve.ssa -5", "", dir + "sieve.ssa:9:3: fault: array length -5 is negative\n", statusErrors},
		{dir + "narrow.ssa -1", "4295033081\n", "", 0},
	}
	for _, tt := range tests {
		for _, how := range []string{"", "--strategy sreedhar1 ", "--strategy boissinot ", "--native "} {
			var stdout, stderr bytes.Buffer
			status := run(strings.Fields("ssa run "+how+tt.args), strings.NewReader(""), &stdout, &stderr)
			got := []any{stdout.String(), stderr.String(), status}
			if diff := cmp.Diff([]any{tt.stdout, tt.stderr, tt.status}, got); diff != "" {
				t.Errorf("shoal ssa run %s%s (-want +got):\n%s", how, tt.args, diff)
			}
		}
	}
}
