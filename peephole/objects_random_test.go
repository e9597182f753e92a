package peephole_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"shoal"
	"shoal/node"
	"shoal/node/interp"
	"shoal/source"
	"shoal/ssa"
)

// A dataGen makes programs of arrays, structs and loops whose indexes are near the bounds
// of what they index, so that some checks can be proved and others fail.
type dataGen struct {
	*rand.Rand
	b     strings.Builder
	depth int
	loops int
	ints  []string // that may be read
	vars  []string // that may be assigned
	arrs  []string
	objs  []string
	left  int
	names int
}

func dataProgram(r *rand.Rand) string {
	g := &dataGen{Rand: r, left: 6 + r.IntN(14), ints: []string{"arg"}}
	g.b.WriteString("struct S { int x; int y; u8 b; S? next; };\nint n = arg & 7;\nint s = 0;\n")
	g.ints = append(g.ints, "n", "s")
	g.vars = append(g.vars, "s")
	for range 1 + r.IntN(3) {
		g.newArray()
	}
	for range r.IntN(3) {
		g.newObject()
	}
	g.block()
	for _, a := range g.arrs {
		if r.IntN(2) == 0 {
			fmt.Fprintf(&g.b, "for (int k = 0; k < %s#; k++) s = s*31 + %s[k];\n", a, a)
		}
	}
	for _, o := range g.objs {
		fmt.Fprintf(&g.b, "s = s*7 + %s.x - %s.y;\n", o, o)
	}
	g.b.WriteString("return s;\n")
	return g.b.String()
}

func (g *dataGen) name(kind string) string {
	g.names++
	return fmt.Sprintf("%s_%d", kind, g.names)
}

func (g *dataGen) pick(of ...string) string { return of[g.IntN(len(of))] }

func (g *dataGen) newArray() {
	a := g.name("a")
	fmt.Fprintf(&g.b, "%s[] !%s = new %[1]s[%[3]s];\n", "int", a, g.pick("3", "8", "12", "n+3", "n+1", "n*n+2", "n+2", "(s&3)+2", "n"))
	g.arrs = append(g.arrs, a)
}

func (g *dataGen) newObject() {
	o := g.name("p")
	switch g.IntN(3) {
	case 0:
		fmt.Fprintf(&g.b, "S !%s = new S;\n", o)
	case 1:
		fmt.Fprintf(&g.b, "S !%s = new S { x = %s; b = %s; };\n", o, g.expr(2), g.expr(1))
	default:
		if len(g.objs) == 0 {
			fmt.Fprintf(&g.b, "S !%s = new S;\n", o)
			break
		}
		fmt.Fprintf(&g.b, "S !%s = %s;\n", o, g.pick(g.objs...))
	}
	g.objs = append(g.objs, o)
}

// block writes statements and forgets what they declared.
func (g *dataGen) block() {
	ints, vars, arrs, objs := len(g.ints), len(g.vars), len(g.arrs), len(g.objs)
	g.depth++
	for range 1 + g.IntN(5) {
		if g.left--; g.left < 0 {
			break
		}
		g.statement()
	}
	g.depth--
	if g.depth > 0 {
		g.ints, g.vars, g.arrs, g.objs = g.ints[:ints], g.vars[:vars], g.arrs[:arrs], g.objs[:objs]
	}
}

func (g *dataGen) statement() {
	switch k := g.IntN(16); {
	case k < 4:
		g.loop()
	case k < 6 && g.depth < 4:
		fmt.Fprintf(&g.b, "if (%s %s %s) {\n", g.expr(1), g.pick("<", "<=", "==", "!=", ">", ">="), g.expr(1))
		g.block()
		g.b.WriteString("}")
		if g.IntN(2) == 0 {
			g.b.WriteString(" else {\n")
			g.block()
			g.b.WriteString("}")
		}
		g.b.WriteString("\n")
	case k < 9:
		fmt.Fprintf(&g.b, "%s = %s;\n", g.element(), g.expr(2))
	case k == 9 && len(g.arrs) > 1:
		t := g.name("t")
		x, y := g.pick(g.arrs...), g.pick(g.arrs...)
		fmt.Fprintf(&g.b, "int[] !%s = %s; %s = %s; %s = %s;\n", t, x, x, y, y, t)
	case k == 10:
		g.newObject()
	case k == 11 && len(g.objs) > 0:
		g.object()
	case k == 12 && g.IntN(2) == 0:
		g.newArray()
	case k == 13:
		v := g.name("v")
		fmt.Fprintf(&g.b, "int %s = %s;\n", v, g.expr(2))
		g.ints, g.vars = append(g.ints, v), append(g.vars, v)
	default:
		fmt.Fprintf(&g.b, "%s = %s;\n", g.pick(g.vars...), g.expr(3))
	}
}

func (g *dataGen) object() {
	o := g.pick(g.objs...)
	switch g.IntN(5) {
	case 0:
		fmt.Fprintf(&g.b, "%s.next = %s;\n", o, g.pick(g.objs...))
	case 1:
		fmt.Fprintf(&g.b, "if (%s.next) s = s + %[1]s.next.x;\n", o)
	case 2:
		fmt.Fprintf(&g.b, "if (%s == %s) s = s + 3;\n", o, g.pick(g.objs...))
	case 3:
		fmt.Fprintf(&g.b, "%s = %s;\n", o, g.pick(g.objs...))
	default:
		fmt.Fprintf(&g.b, "%s.%s = %s;\n", o, g.pick("x", "y", "b"), g.expr(2))
	}
}

func (g *dataGen) loop() {
	if g.depth >= 4 || g.loops >= 4 {
		return
	}
	g.loops++
	i := g.name("i")
	bound := g.pick("4", "7", "n", "n+1", "n-1")
	if len(g.arrs) > 0 && g.IntN(2) == 0 {
		bound = g.pick(g.arrs...) + g.pick("#", "#", "#-1", "#+1")
	}
	start := g.pick("0", "0", "1", "2", "0-1", g.pick(g.ints...)+"&3")
	if g.IntN(6) == 0 { // near the ends of the integers, if arg is there
		start, bound = g.pick("arg", "arg-2", "arg+1", "0-arg"), g.pick("arg+3", "arg+5", "arg")
	}
	switch g.IntN(5) {
	case 0, 1:
		fmt.Fprintf(&g.b, "for (int %s = %s; %[1]s %[3]s %[4]s; %[1]s%[5]s) {\n", i, start, g.pick("<", "<", "<="), bound, g.pick("++", "++", "+=2", "+=(n&1)+1"))
	case 2:
		fmt.Fprintf(&g.b, "for (int %s = %s; %[1]s %[3]s; %[1]s--) {\n", i, bound, g.pick("> 0", ">= 0", ">= 1", "> 2"))
	case 3:
		fmt.Fprintf(&g.b, "int %s = 9; while (%[1]s > %[2]s) { %[1]s = %[1]s-1;\n", i, start)
	default:
		fmt.Fprintf(&g.b, "int %s = %s; while (%[1]s < %[3]s) { if (s&1) %[1]s++; else %[1]s = %[1]s+2;\n", i, start, bound)
	}
	g.ints = append(g.ints, i, i, i)
	at := len(g.ints)
	g.block()
	g.ints = g.ints[:at-3]
	g.b.WriteString("}\n")
	g.loops--
}

func (g *dataGen) element() string {
	a := g.pick(g.arrs...)
	switch g.IntN(7) {
	case 0:
		return fmt.Sprintf("%s[%s]", a, g.pick(g.ints...))
	case 1, 2:
		return fmt.Sprintf("%s[%s]", a, g.ints[len(g.ints)-1])
	case 3:
		return fmt.Sprintf("%s[%s%s]", a, g.pick(g.ints...), g.pick("+1", "-1", "&1", "&3"))
	case 4:
		return fmt.Sprintf("%s[%s]", a, g.pick("0", "1", "2", "0", a+"#-1"))
	case 5:
		return fmt.Sprintf("%s[%s]", a, g.pick("0", "1", "0", a+"#-1", g.ints[len(g.ints)-1]+"*n+n-1"))
	}
	return fmt.Sprintf("%s[%s-%s]", a, g.ints[len(g.ints)-1], g.pick(append(g.ints, "arg", "(arg-1)")...))
}

func (g *dataGen) expr(depth int) string {
	switch k := g.IntN(10); {
	case depth == 0 || k < 3:
		return g.pick(g.ints...)
	case k == 3:
		return g.pick("0", "1", "2", "7", "100")
	case k < 6:
		return g.element()
	case k == 6 && len(g.objs) > 0:
		return g.pick(g.objs...) + g.pick(".x", ".y", ".b")
	case k == 7:
		return g.pick(g.arrs...) + "#"
	}
	return fmt.Sprintf("(%s%s%s)", g.expr(depth-1), g.pick("+", "-", "*", "&", "/"), g.expr(depth-1))
}

const dataSteps = 5_000

// runGraph is how a program ends: the value, or the fault.
func runGraph(in *interp.Interp, arg int64) string {
	v, how := in.Run(arg, dataSteps)
	if how != interp.Faulted {
		return fmt.Sprint(how, " ", v)
	}
	var fault *node.FaultError
	if errors.As(in.Err, &fault) {
		return fault.Error()
	}
	return "broken: " + in.Err.Error()
}

func runLinear(in *ssa.Interp, arg int64) string {
	v, err := in.Run(dataSteps*10, arg)
	if err != nil {
		return err.Error()
	}
	return fmt.Sprint(interp.Value, " ", v)
}

// TestRandomData: programs with arrays and objects end the same way with and without the
// passes over memory and bounds.
func TestRandomData(t *testing.T) {
	programs := 100
	if !testing.Short() {
		programs = 600
	}
	fired := map[string]int{}
	ends := map[string]int{}
	for seed := range uint64(programs) {
		text := dataProgram(rand.New(rand.NewPCG(seed+dataSeed, 24)))
		var ins []*interp.Interp
		var linear *ssa.Interp
		for _, opt := range []shoal.Opt{shoal.Raw, shoal.Full} {
			u, err := shoal.Compile(source.NewFile("t.smp", []byte(text)), shoal.Options{Opt: opt, Until: "ssa", Verify: opt == shoal.Full, OnEvent: func(_ *node.Graph, e node.Event) {
				if e.Kind == node.Rewrote && opt == shoal.Full {
					fired[e.Rule]++
				}
			}})
			if errors.Is(err, shoal.ErrProgram) {
				ends["error"]++ // a field that is null for sure
				break
			}
			if err != nil {
				t.Fatalf("seed %d, -O %d: %v\n%s", seed, 2-opt, err, text)
			}
			ins = append(ins, interp.New(u.Funcs[0].Graph))
			linear = ssa.NewInterp(u.Module.Funcs[0])
		}
		if len(ins) != 2 {
			continue
		}
		for _, arg := range []int64{0, 1, 2, 3, 7, -1, 12, math.MaxInt64 - 1, math.MaxInt64 - 4, math.MinInt64 + 1} {
			want := runGraph(ins[0], arg)
			if kind, _, _ := strings.Cut(want, " "); strings.HasPrefix(kind, "t.smp") {
				ends["fault"]++
			} else {
				ends[kind]++
			}
			if strings.HasPrefix(want, "TIMEOUT") {
				continue
			}
			if got := runGraph(ins[1], arg); got != want {
				t.Fatalf("seed %d, arg %d: got %s, want %s\n%s", seed, arg, got, want, text)
			}
			if got := runLinear(linear, arg); got != want {
				t.Fatalf("seed %d, arg %d: linear SSA gives %s, want %s\n%s", seed, arg, got, want, text)
			}
		}
	}
	for _, name := range []string{"forward", "scalar", "dead-store", "bounds", "split-loop", "load-length-phi"} {
		t.Log(name, fired[name])
	}
	t.Log(ends)
}

const dataSeed = 0
