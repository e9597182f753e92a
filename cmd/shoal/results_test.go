package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestResults prints results that are no integers, and faults, interpreted after each stage
// and natively.
func TestResults(t *testing.T) {
	tests := []struct {
		text, arg      string
		stdout, stderr string
	}{
		{"flt x=arg; return x/4;", "3", "0.75\n", ""},
		{"struct P { int x; flt y; bool b; }; return new P{ x = 2; };", "0", "P{x=2,y=0.0,b=0}\n", ""},
		{"struct P { P? n; int v; }; P !p = new P{ v = arg; }; p.n = p; return p;", "3", "P{n=$cyclic,v=3}\n", ""},
		{"struct P { int x; }; if( arg ) return null; return new P;", "1", "null\n", ""},
		{"int[] !a = new int[arg]; for( int i=0; i<a#; i++ ) a[i]=i*i; return a;", "4", "i64[ 0,1,4,9]\n", ""},
		{"u8[] !a = new u8[2]; a[0]=72; a[1]=111; return a;", "0", "Ho\n", ""},
		{"if( arg==7 ) while( 1 ) arg++; return arg+1.5;", "0", "1.5\n", ""},
		{"int[] !a = new int[3];\nreturn a[arg];", "3", "", "p.smp:2:9: fault: index 3 is outside array of length 3\n"},
		{"return new int[arg];", "-1", "", "p.smp:1:8: fault: array length -1 is negative\n"},
		{"struct P { int !x; }; P !p = new P{ x=7; }; for( int i=0; i<arg; i++ ) p.x=0; if( arg==3 ) p.x=0; return p.x;", "0", "7\n", ""},
		{"struct N { N? !n; int !v; }; N !p = new N; int s=0; for( int i=0; i<arg; i++ ) { if( p.n ) s = s+p.n.v; p.v++; } return s;", "4", "0\n", ""},
		{"return new int[arg];", "4294967296", "", "p.smp:1:8: fault: out of memory\n"},
	}
	inFolder(t)
	for _, tt := range tests {
		if err := os.WriteFile("p.smp", []byte(tt.text), 0o666); err != nil {
			t.Fatal(err)
		}
		for _, how := range []string{"eval --after parse", "eval", "eval --after schedule", "eval --after ssa", "eval -O 0 --verify --after schedule", "eval -O 0 --after ssa", "eval -O 1 --after schedule", "run --print-result"} {
			var stdout, stderr bytes.Buffer
			run(strings.Fields(how+" --chapter 17 p.smp -- "+tt.arg), strings.NewReader(""), &stdout, &stderr)
			if diff := cmp.Diff([]string{tt.stdout, tt.stderr}, []string{stdout.String(), stderr.String()}); diff != "" {
				t.Errorf("shoal %s: %s with %s (-want +got):\n%s", how, tt.text, tt.arg, diff)
			}
		}
	}
}
