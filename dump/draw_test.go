package dump_test

import (
	"bytes"
	"fmt"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"shoal"
	"shoal/dump"
	"shoal/node"
	"shoal/source"
)

// programs are shapes that pictures have to cope with, from the chapter on that knows them.
var programs = []struct {
	since int
	src   string
}{
	{1, "return 7;"},
	{2, "return -(4+5)*2/3;"},
	{3, "int n=2; { int n=10; { int m=n; n=m+1; } } int k=n; return n*k;"},
	{4, "return (arg+1)*(arg+2)==arg;"},
	{5, "int a = 1;\nif (arg == 1)\n    a = arg+2;\nelse\n    a = arg-3;\nreturn a;"},
	{5, "if(arg<7) return arg; else return 7;"},
	{5, "int a=1; if(arg==1) if(arg==2) a=2; else a=3; else if(arg==3) a=4; else a=5; return a;"},
	{6, "int k=5; if(1<2) k=6; else k=arg; return k;"},
	{7, "int s=0; while(arg>0) { int i=arg; while(i>0) { s=s+i; i=i-1; } arg=arg-1; } return s;"},
	{7, "while(1) arg=arg+1; return arg;"},
	{8, "int s=0; while(arg<100) { arg=arg*2; if(arg==64) break; if(arg==32) continue; s=s+arg; } return s;"},
	{9, "int x=arg+1; int y=1+arg; while(x<y*2) x=x+arg*3; return x-y;"},
	{11, "int i=0; int s=0; while(i<arg) { s=s+arg/3; i=i+1; } return s;"},
	{11, "if(arg) { while(1) arg=arg+1; } return 3;"},
	{11, "int a; a=arg; // end */ of it\nreturn a;"},
	{17, "struct P { int x; int y; }; var a=new P; val b=new P; while(arg>0) { a.x=a.x+b.y; arg=arg-1; } return a;"},
	{17, "var a=new int[arg]; a[1]=a[0]+a#; return a[1];"},
}

// chapters that draw in their own way.
var chapters = []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 14, 17, 24}

// compile compiles a program at a chapter, up to scheduling; on, if not nil, sees events.
func compile(t testing.TB, src string, o shoal.Options, on func(k int, g *node.Graph, e node.Event)) *shoal.Unit {
	t.Helper()
	if on != nil {
		k := 0
		o.OnEvent = func(g *node.Graph, e node.Event) {
			k++
			on(k, g, e)
		}
	}
	if o.Until == "" {
		o.Until = "schedule"
	}
	u, err := shoal.Compile(source.NewFile("test.smp", []byte(src)), o)
	if err != nil {
		t.Fatalf("%s: %v %v", src, err, u.Diagnostics.Error())
	}
	return u
}

func draw(t testing.TB, o dump.Options, f dump.Func) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := dump.Draw(&b, o, f); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// allPictures draws a program in every way that a command can.
func allPictures(t testing.TB, src string, chapter int, every int) (pictures [][]byte) {
	around := func(g *node.Graph, k int) []*node.Node {
		n := g.At(node.ID(1 + k%(g.NumIDs()-1)))
		if n.Dead() {
			n = g.Start
		}
		return []*node.Node{n}
	}
	for _, opt := range []shoal.Opt{shoal.Raw, shoal.Full} {
		u := compile(t, src, shoal.Options{Chapter: chapter, Opt: opt}, func(k int, g *node.Graph, e node.Event) {
			if k%every != 0 {
				return
			}
			f := dump.Func{Graph: g}
			pictures = append(pictures,
				draw(t, dump.Options{Chapter: chapter, Scopes: true, Source: true, Event: &e, Caption: dump.Caption(k, g, e)}, f),
				draw(t, dump.Options{Chapter: chapter, Scopes: true, Around: around(g, k), Hops: 2, MaxNodes: 9, MaxVars: 2, Event: &e}, f))
		})
		for _, edges := range []dump.Edges{0, dump.Control, dump.Data, dump.Memory} {
			g := u.Funcs[0].Graph
			pictures = append(pictures,
				draw(t, dump.Options{Chapter: chapter, Edges: edges}, dump.Func{Graph: g}),
				draw(t, dump.Options{Chapter: chapter, Edges: edges}, dump.Func{Graph: g, Schedule: u.Schedules[0]}),
				draw(t, dump.Options{Chapter: chapter, Edges: edges, Around: around(g, 5), Hops: 1}, dump.Func{Graph: g}))
		}
	}
	return pictures
}

// TestGraphvizTakesEveryPicture lays out pictures of all programs at all chapters.
func TestGraphvizTakesEveryPicture(t *testing.T) {
	path, err := exec.LookPath("dot")
	if err != nil {
		t.Skip("there is no dot: install Graphviz to check that it takes the pictures")
	}
	every := 9
	if testing.Short() {
		every = 50
	}
	var pictures [][]byte
	for _, p := range programs {
		for _, chapter := range chapters {
			if chapter >= p.since {
				pictures = append(pictures, allPictures(t, p.src, chapter, every)...)
			}
		}
	}
	layOut(t, path, distinct(pictures))
}

// distinct sorts pictures and leaves those out that are there already.
func distinct(pictures [][]byte) [][]byte {
	slices.SortFunc(pictures, bytes.Compare)
	return slices.CompactFunc(pictures, bytes.Equal)
}

func layOut(t *testing.T, path string, pictures [][]byte) {
	t.Helper()
	c := exec.Command(path, "-Tsvg")
	c.Stdin = bytes.NewReader(bytes.Join(pictures, []byte("\n")))
	var said bytes.Buffer
	c.Stderr = &said
	out, err := c.Output()
	if err != nil || said.Len() > 0 {
		t.Fatalf("dot: %v: %s", err, said.String())
	}
	if n := bytes.Count(out, []byte("</svg>")); n != len(pictures) {
		t.Fatalf("dot laid out %d of %d pictures", n, len(pictures))
	}
	t.Logf("%d pictures", len(pictures))
}

func TestDrawingTwiceGivesTheSame(t *testing.T) {
	for _, p := range programs {
		chapter := max(p.since, 11)
		first := allPictures(t, p.src, chapter, 1)
		second := allPictures(t, p.src, chapter, 1)
		if diff := cmp.Diff(asText(first), asText(second)); diff != "" {
			t.Errorf("%s (-first +second):\n%s", p.src, diff)
		}
	}
}

func asText(pictures [][]byte) (texts []string) {
	for _, p := range pictures {
		texts = append(texts, string(p))
	}
	return texts
}

// wide is a program with n variables, sums, and merges.
func wide(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "int v%d=arg*%d; if(arg==%d) v%d=v%d+arg;\n", i, i+2, i, i, i/2)
	}
	fmt.Fprintf(&b, "return v%d;\n", n-1)
	return b.String()
}

// TestDrawingGrowsWithTheGraph compares a graph with one four times as large: allocations
// are counted, which no busy machine disturbs.
func TestDrawingGrowsWithTheGraph(t *testing.T) {
	mallocs := func(n int) uint64 {
		u := compile(t, wide(n), shoal.Options{Chapter: 8, Opt: shoal.Raw}, nil)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		draw(t, dump.Options{Chapter: 8}, dump.Func{Graph: u.Funcs[0].Graph, Schedule: u.Schedules[0]})
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	small, large := mallocs(300), mallocs(1200)
	if large > 5*small {
		t.Errorf("%d bytes for a picture, %d for one of four times the size", small, large)
	}
}

func BenchmarkDraw(b *testing.B) {
	for _, n := range []int{100, 1000, 10_000} {
		u := compile(b, wide(n), shoal.Options{Chapter: 8, Opt: shoal.Raw}, nil)
		g := u.Funcs[0].Graph
		b.Run(fmt.Sprint(g.NumLive()), func(b *testing.B) {
			for b.Loop() {
				draw(b, dump.Options{Chapter: 8}, dump.Func{Graph: g})
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(g.NumLive()), "ns/node")
		})
	}
}
