package peephole_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"shoal"
	"shoal/node"
	"shoal/node/interp"
	"shoal/source"
)

// compiled takes a program through the passes up to one.
func compiled(t *testing.T, text string, o shoal.Options) *node.Graph {
	t.Helper()
	o.Verify = true
	u, err := shoal.Compile(source.NewFile("t.smp", []byte(text)), o)
	if err != nil {
		t.Fatalf("%s: %v %v", text, err, u.Diagnostics)
	}
	return u.Funcs[0].Graph
}

// faults is how many checks a program has left.
func faults(g *node.Graph) (n int) {
	for i := range g.Stop.NumIn() {
		if g.Stop.In(i).Op == node.OpFault {
			n++
		}
	}
	return n
}

// boundsTests are loops over arrays, with the number of checks that must be left: those
// that some argument makes fail, and those of lengths.
var boundsTests = []struct {
	name, text string
	want       int
}{
	{"up to the length", "int[] !a=new int[9]; for(int i=0;i<a#;i++) a[i]=i; return a[arg&7];", 0},
	{"one too far", "int[] !a=new int[9]; for(int i=0;i<=a#;i++) a[i]=i; return 0;", 1},
	{"from below", "int[] !a=new int[9]; for(int i=0-1;i<a#;i++) a[i]=i; return 0;", 1},
	{"from anywhere", "int[] !a=new int[9]; for(int i=arg;i<a#;i++) a[i]=i; return 0;", 1},
	{"up to the size asked for", "int[] !a=new int[arg]; for(int i=0;i<arg;i++) a[i]=i; return 0;", 1},
	{"up to and with the size less 1", "int[] !a=new int[arg+1]; for(int i=0;i<=arg;i++) a[i]=i; return 0;", 1},
	{"down", "int[] !a=new int[9]; for(int i=a#-1;i>=0;i--) a[i]=i; return 0;", 0},
	{"down from the length", "int[] !a=new int[9]; for(int i=a#;i>0;i--) a[i-1]=i; return 0;", 0},
	{"down, one too far", "int[] !a=new int[9]; for(int i=a#;i>=0;i--) a[i]=i; return 0;", 1},
	{"strides", "int[] !a=new int[arg]; int s=0; for(int i=1;i<a#;i+=3) { a[i]=i; s=s+a[i>>>1]; } return s;", 1},
	{"a stride that is never negative", "int[] !a=new int[arg]; int k=1+(arg&7); int s=0; for(int i=1;i<a#;i+=k) { a[i]=i; s=s+a[i>>>1]; } return s;", 1},
	{"a stride that may be negative", "int[] !a=new int[20]; int k=(arg&7)-4; for(int i=5;i<a#;i+=k) a[i]=i; return 0;", 1},
	{"neighbours", "int[] !a=new int[20]; for(int i=1;i<a#-1;i++) a[i]=a[i-1]+a[i+1]; return 0;", 0},
	{"a neighbour too far", "int[] !a=new int[20]; for(int i=1;i<a#;i++) a[i]=a[i-1]+a[i+1]; return 0;", 1},
	{"rows of a known width", "u8[] !a=new u8[96]; for(int y=0;y<8;y++) for(int x=0;x<12;x++) a[y*12+x]=x; return 0;", 0},
	{"two steps", "int[] !a=new int[20]; int i=0; while(i<a#) { a[i]=1; if(arg&1) i++; else i+=2; arg=arg>>>1; } return 0;", 0},
	{"a mask", "int[] !a=new int[16]; return a[arg&15];", 0},
	{"a mask too wide", "int[] !a=new int[16]; return a[arg&31];", 1},
	{"checked before", "int[] !a=new int[9]; int[] !b=new int[10]; a[arg]=1; b[arg+1]=2; return 0;", 1},
	{"other tests", "int[] !a=new int[9]; if(arg>=0) if(arg<9) a[arg]=1; return 0;", 0},
	{"only one side tested", "int[] !a=new int[9]; if(arg<9) a[arg]=1; return 0;", 1},
	{"not equal and not above", "int[] !a=new int[9]; if(arg>=0) if(arg<=9) if(arg!=9) a[arg]=1; return 0;", 0},
	{"the larger of two", "int[] !a=new int[9]; int i=arg&3; if(arg&64) i=arg&7; a[i]=1; return 0;", 0},
	{"swapped arrays", "int[] !a=new int[arg]; int[] !b=new int[arg]; for(int k=0;k<5;k++) { for(int i=0;i<a#;i++) a[i]=b[i]+1; int[] !t=a; a=b; b=t; } return 0;", 1},
	{"difference", "int[] !a=new int[arg]; int w=arg&7; for(int i=a#-1;i>=w;i--) a[i]=a[i-w]; return 0;", 1},
}

func TestBounds(t *testing.T) {
	for _, tt := range boundsTests {
		t.Run(tt.name, func(t *testing.T) {
			g := compiled(t, tt.text, shoal.Options{Until: "bounds"})
			if got := faults(g); got != tt.want {
				t.Errorf("%d checks are left, want %d of %s:\n%s", got, tt.want, tt.text, g.Stop)
			}
			raw := interp.New(compiled(t, tt.text, shoal.Options{Until: "parse", Opt: shoal.Raw}))
			now := interp.New(g)
			for _, arg := range []int64{-9, -1, 0, 1, 3, 8, 9, 10, 20, 31, 64, 100} {
				if diff := cmp.Diff(runGraph(raw, arg), runGraph(now, arg)); diff != "" {
					t.Errorf("for %d (-raw +optimized):\n%s", arg, diff)
				}
			}
		})
	}
}

// TestBoundsLevel: the passes over whole functions run at chapter 24 with -O 2 alone.
func TestBoundsLevel(t *testing.T) {
	const text = "int[] !a=new int[9]; for(int i=0;i<a#;i++) a[i]=i; return 0;"
	for _, o := range []shoal.Options{{Until: "bounds", Chapter: 23}, {Until: "bounds", Opt: shoal.Rules}, {Until: "bounds", Opt: shoal.Raw}} {
		for _, pass := range []string{"check", "bounds"} {
			o.Until = pass
			if got := faults(compiled(t, text, o)); got == 0 {
				t.Errorf("until %s, %+v: the check is gone", pass, o)
			}
		}
	}
}

// TestSplitLoop: where a test before the loop can decide the checks, the loop is there
// twice, and a fault still comes when it did and says the same.
func TestSplitLoop(t *testing.T) {
	tests := []struct {
		name, text string
		split      bool
	}{
		{"rows", "int n=arg; int[] !a=new int[n*n]; for(int y=0;y<n;y++) for(int x=0;x<n;x++) a[y*n+x]=x; return a[0]+n;", true},
		{"a length that is not the limit", "int n=arg&15; int[] !a=new int[9]; int s=0; for(int i=0;i<n;i++) { s=s+a[i]; a[i]=s+1; } return s;", true},
		{"an unknown beginning", "int[] !a=new int[9]; int s=0; for(int i=arg;i<9;i++) { s=s+1; a[i]=s; } return a[8]+s;", true},
		{"values behind the loop", "int n=arg&15; int[] !a=new int[9]; int i=0; int s=1; while(i<n) { a[i]=s; s=s*3+a[i>>>1]; i=i+1; } return s*i+a[3];", true},
		{"two exits", "int n=arg&15; int[] !a=new int[9]; for(int i=0;i<n;i++) { if(a[i]>3) break; a[i]=i; } return 0;", false},
		{"no loop variable", "int n=arg; int[] !a=new int[9]; while(n>0) { a[n]=1; n=n>>>1; } return 0;", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			split := false
			g := compiled(t, tt.text, shoal.Options{Until: "bounds", OnEvent: func(_ *node.Graph, e node.Event) {
				split = split || e.Kind == node.Rewrote && e.Rule == "split-loop"
			}})
			if split != tt.split {
				t.Errorf("split: %v, want %v", split, tt.split)
			}
			raw := interp.New(compiled(t, tt.text, shoal.Options{Until: "parse", Opt: shoal.Raw}))
			now := interp.New(g)
			for arg := int64(-12); arg < 20; arg++ {
				if diff := cmp.Diff(runGraph(raw, arg), runGraph(now, arg)); diff != "" {
					t.Errorf("for %d (-raw +optimized):\n%s", arg, diff)
				}
			}
		})
	}
}

// objectsTests are programs of objects and what they become.
var objectsTests = []struct{ name, before, after string }{
	{"a struct", "struct P { int x; int y; }; P !p=new P; p.x=arg; if(arg>3) p.y=p.x*3; return p.x+p.y;", "return (Phi(Region,(arg*3),0)+arg);"},
	{"a sum in a field", "struct P { int x; }; P !p=new P; for(int i=0;i<arg;i++) p.x=p.x+i; return p.x;", "return Phi(Loop,0,(Phi_x+Phi(Loop,0,(Phi_i+1))));"},
	{"an object for each trip", "struct P { int x; }; int s=0; for(int i=0;i<arg;i++) { P !p=new P; s=s+p.x; p.x=i; s=s+p.x; } return s;", "return Phi(Loop,0,(Phi_s+Phi(Loop,0,(Phi_i+1))));"},
	{"elements", "int[] !a=new int[2]; if(arg) a[0]=arg; a[1]=a[0]+1; return a[1];", "return (arg+1);"},
	{"a comparison", "struct P { int x; }; P !p=new P; P !q=new P; if(p==q) return 1; return 2;", "return 2;"},
	{"an object in an object", "struct P { int x; P? n; }; P !p=new P; P !q=new P; q.x=arg; if(arg&1) p.n=q; else p.n=q; P? r=p.n; if(r) return r.x; return 0;", "return arg;"},
	{"only written", "int[] !a=new int[9]; for(int i=0;i<9;i++) a[i]=i; return arg;", "return arg;"},
	{"returned", "struct P { int x; }; P !p=new P; p.x=arg; return p;", "return P;"},
}

func TestObjects(t *testing.T) {
	for _, tt := range objectsTests {
		t.Run(tt.name, func(t *testing.T) {
			g := compiled(t, tt.before, shoal.Options{Until: "objects"})
			var b bytes.Buffer
			b.WriteString(g.Stop.String())
			if diff := cmp.Diff(tt.after, strings.TrimSpace(b.String())); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tt.before, diff)
			}
			raw := interp.New(compiled(t, tt.before, shoal.Options{Until: "parse", Opt: shoal.Raw}))
			now := interp.New(g)
			for _, arg := range []int64{-1, 0, 1, 2, 3, 4, 9} {
				want, got := runGraph(raw, arg), runGraph(now, arg)
				if !g.ResultType().IsRef() && want != got {
					t.Errorf("for %d: got %s, want %s", arg, got, want)
				}
			}
		})
	}
}
