package interp_test

import (
	"math/rand/v2"
	"testing"

	"shoal/internal/smith"
	"shoal/node"
	"shoal/node/interp"
	"shoal/node/types"
	"shoal/parser"
	"shoal/source"
)

const maxSteps = 100_000

// graphs are the graph of a program before any rule, before the worklist, and after it.
func graphs(t *testing.T, text string, level int) map[string]*node.Graph {
	t.Helper()
	all := map[string]*node.Graph{}
	for _, how := range []string{"raw", "parsed", "optimized"} {
		funcs, ds := parser.Parse(source.NewFile("t.smp", []byte(text)), parser.Options{Level: level, Raw: how == "raw", Global: how == "optimized"})
		if ds.Any() {
			t.Fatalf("%v\n%s", ds.Error(), text)
		}
		if how == "optimized" {
			funcs[0].Engine.Run()
			funcs[0].Engine.Exits()
		}
		all[how] = funcs[0].Graph
	}
	return all
}

// TestOutcomes: how runs end, and with what.
func TestOutcomes(t *testing.T) {
	tests := []struct {
		text  string
		level int
		arg   int64
		want  int64
		how   interp.Outcome
	}{
		{"return 1+2*3;", 2, 0, 7, interp.Value},
		{"return arg/0 + 9/arg;", 4, 0, 0, interp.Value},
		{"if(arg) return 1;", 5, 1, 1, interp.Value},
		{"if(arg) return 1;", 5, 0, 0, interp.FallThrough},
		{"if(arg) return 1;", 11, 0, 0, interp.Value},
		{"while(arg) arg=arg-1;", 7, 3, 0, interp.FallThrough},
		{"while(1) {}", 7, 0, 0, interp.Timeout},
		{"while(1) {}", 24, 0, 0, interp.Timeout},
		{"while(arg) arg=arg-1; return 5;", 8, -1, 0, interp.Timeout},
		{"while(1) { if(arg>3) break; arg=arg+1; } return arg;", 8, 0, 4, interp.Value},
	}
	for _, tt := range tests {
		for how, g := range graphs(t, tt.text, tt.level) {
			if got, outcome := interp.Run(g, tt.arg, maxSteps); got != tt.want || outcome != tt.how {
				t.Errorf("%s at level %d for %d, %s: got %d %v, want %d %v", tt.text, tt.level, tt.arg, how, got, outcome, tt.want, tt.how)
			}
		}
	}
}

// TestSteps: a run may take as many steps as it says and no more.
func TestSteps(t *testing.T) {
	g := graphs(t, "int i=0; while(i<arg) i=i+1; return i;", 11)["optimized"]
	const arg = 50
	first := 0
	for steps := range 1000 {
		_, how := interp.Run(g, arg, steps)
		switch {
		case how == interp.Value && first == 0:
			first = steps
		case how == interp.Timeout && first > 0:
			t.Fatalf("%d steps are enough, %d are not", first, steps)
		}
	}
	if first < arg || first > 8*arg {
		t.Errorf("a loop of %d rounds takes %d steps", arg, first)
	}
}

// TestRandom compares random programs with the evaluator of trees, which shares nothing
// with graphs. One interpreter runs all arguments, so that nothing may be left of a run.
func TestRandom(t *testing.T) {
	args := []int64{0, 1, -1, 5, 0, 1 << 40, -1 << 63}
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 8))
		level := 2 + r.IntN(10)
		p := smith.Generate(r, smith.Swarm(r, level, 12))
		if _, err := p.Resolve(); err != nil {
			t.Fatal(err)
		}
		text := p.Text(level)
		for how, g := range graphs(t, text, level) {
			in := interp.New(g)
			for _, arg := range args {
				want, _, ended := p.Run(arg, maxSteps)
				if !ended {
					continue
				}
				if got, outcome := in.Run(arg, 10*maxSteps); got != want || outcome == interp.Timeout {
					t.Fatalf("seed %d, level %d for %d, %s: got %d %v, want %d\n%s", seed, level, arg, how, got, outcome, want, text)
				}
			}
		}
	}
}

// A builder makes graphs by hand.
type builder struct {
	*node.Graph
	ctrl, mem, arg *node.Node
}

func newBuilder() *builder {
	b := &builder{Graph: node.NewGraph("main", source.NewFile("t.smp", nil), types.Flat)}
	b.ctrl, b.mem, b.arg = b.proj(node.OpCProj, b.Start, 0), b.proj(node.OpProj, b.Start, 1), b.proj(node.OpProj, b.Start, 2)
	return b
}

func (b *builder) proj(op node.Op, of *node.Node, i int64) *node.Node {
	n := b.New(op, source.NoPos, of)
	n.Aux, n.Sym = i, &node.Symbol{Name: "p"}
	return n
}

func (b *builder) op(op node.Op, in ...*node.Node) *node.Node {
	return b.New(op, source.NoPos, append([]*node.Node{nil}, in...)...)
}

func (b *builder) constant(c int64) *node.Node { return b.Constant(types.Const(c), source.NoPos) }

func (b *builder) phi(r *node.Node, in ...*node.Node) *node.Node {
	return b.NewNamed(node.OpPhi, source.NoPos, &node.Symbol{Name: "v"}, append([]*node.Node{r}, in...)...)
}

func (b *builder) ret(ctrl, value *node.Node) {
	b.AddIn(b.Stop, b.New(node.OpReturn, source.NoPos, ctrl, b.mem, value))
}

// TestSwap: the Phis of a loop change all at once. Two change places each time; after arg
// rounds the first has what belongs to an even or odd number of them.
func TestSwap(t *testing.T) {
	b := newBuilder()
	loop := b.New(node.OpLoop, source.NoPos, nil, b.ctrl, nil)
	x, y, i := b.phi(loop, b.constant(10), nil), b.phi(loop, b.constant(20), nil), b.phi(loop, b.constant(0), nil)
	iff := b.New(node.OpIf, source.NoPos, loop, b.op(node.OpLT, i, b.arg))
	body, exit := b.proj(node.OpCProj, iff, 0), b.proj(node.OpCProj, iff, 1)
	b.SetIn(loop, 2, body)
	b.SetIn(x, 2, y)
	b.SetIn(y, 2, x)
	b.SetIn(i, 2, b.op(node.OpAdd, i, b.constant(1)))
	b.ret(exit, b.op(node.OpSub, x, y))
	for arg, want := range []int64{-10, 10, -10, 10} {
		if got, how := interp.Run(b.Graph, int64(arg), maxSteps); got != want || how != interp.Value {
			t.Errorf("after %d rounds: got %d %v, want %d", arg, got, how, want)
		}
	}
}

// TestOps runs each pure op on its own.
func TestOps(t *testing.T) {
	values := []int64{0, 1, -1, 5, -7, 63, 1 << 62, -1 << 63, 1<<63 - 1}
	for op := range node.NumOps {
		if !op.Is(node.Pure) || op.Is(node.FloatOut) || op.Is(node.FloatIn) {
			continue
		}
		b := newBuilder()
		ins := []*node.Node{b.arg, b.constant(3), b.constant(-9)}
		n := b.op(op, ins[:op.Info().Arity-1]...)
		if op.Info().Aux == node.AuxBits {
			n.Aux = 5
		}
		b.ret(b.ctrl, n)
		for _, v := range values {
			operands := [4]int64{v, 3, -9}
			if op.Info().Aux == node.AuxBits {
				operands[op.Info().Arity-1] = 5
			}
			want := op.Info().Eval(64, operands[0], operands[1], operands[2])
			if got, how := interp.Run(b.Graph, v, maxSteps); got != want || how != interp.Value {
				t.Errorf("%v of %d: got %d %v, want %d", op, v, got, how, want)
			}
		}
	}
}

// TestLongChains: values that depend on many others are no recursion.
func TestLongChains(t *testing.T) {
	b := newBuilder()
	n := b.arg
	const length = 200_000
	for range length {
		n = b.op(node.OpAdd, n, b.arg)
	}
	b.ret(b.ctrl, n)
	if got, how := interp.Run(b.Graph, 3, maxSteps); got != 3*(length+1) || how != interp.Value {
		t.Errorf("got %d %v, want %d", got, how, 3*(length+1))
	}
}

// TestDeadInputs: a Phi is not asked for paths that control does not take, whatever
// stands there.
func TestDeadInputs(t *testing.T) {
	b := newBuilder()
	iff := b.New(node.OpIf, source.NoPos, b.ctrl, b.arg)
	yes, no := b.proj(node.OpCProj, iff, 0), b.proj(node.OpCProj, iff, 1)
	r := b.New(node.OpRegion, source.NoPos, nil, yes, no)
	phi := b.phi(r, b.op(node.OpDiv, b.constant(100), b.arg), b.mem)
	b.ret(r, phi)
	if got, how := interp.Run(b.Graph, 7, maxSteps); got != 14 || how != interp.Value {
		t.Errorf("got %d %v, want 14", got, how)
	}
}
