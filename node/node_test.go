package node

import (
	"math"
	"strings"
	"testing"
	"unsafe"

	"github.com/google/go-cmp/cmp"

	"shoal/node/types"
	"shoal/source"
)

// A program of 100,000 lines has a million nodes, so a few bytes more of each are felt.
func TestSizes(t *testing.T) {
	sizes := map[string]uintptr{
		"Node": unsafe.Sizeof(Node{}), "Edge": unsafe.Sizeof(Edge{}), "Use": unsafe.Sizeof(Use{}), "Type": unsafe.Sizeof(types.Type{}),
	}
	want := map[string]uintptr{"Node": 112, "Edge": 16, "Use": 16, "Type": 32}
	if diff := cmp.Diff(want, sizes); diff != "" {
		t.Errorf("bytes (-want +got):\n%s", diff)
	}
}

// small is a graph of return (a+b)*a over two constants.
func small() (g *Graph, a, b, sum, product, ret *Node) {
	g = NewGraph("main", nil, types.Flat)
	ctrl := g.New(OpCProj, source.NoPos, g.Start)
	mem := g.New(OpProj, source.NoPos, g.Start)
	a, b = g.Constant(types.Const(1), source.NoPos), g.Constant(types.Const(2), source.NoPos)
	sum = g.New(OpAdd, source.NoPos, nil, a, b)
	product = g.New(OpMul, source.NoPos, nil, sum, a)
	ret = g.New(OpReturn, source.NoPos, ctrl, mem, product)
	g.AddIn(g.Stop, ret)
	return g, a, b, sum, product, ret
}

// TestEdges takes edges away from a definition with very many uses, from both ends and from
// the middle: the lists of both sides agree all the time.
func TestEdges(t *testing.T) {
	g, a, b, _, _, _ := small()
	const users = 100_000
	all := make([]*Node, users)
	for i := range all {
		all[i] = g.New(OpAdd, source.NoPos, nil, a, a)
	}
	for i := range users / 2 {
		g.SetIn(all[i], 1, b)
		g.SetIn(all[users-1-i], 2, b)
		if i%9973 == 0 {
			if err := g.Verify(); err != nil {
				t.Fatalf("after %d changes: %v", 2*i+2, err)
			}
		}
	}
	if got, want := a.NumOut(), users+2; got != want {
		t.Errorf("%d uses are left, want %d", got, want)
	}
	g.Replace(a, b)
	if !a.Dead() || b.NumOut() != 2*users+3 {
		t.Errorf("after Replace: dead %v, the other has %d uses", a.Dead(), b.NumOut())
	}
	if err := g.Verify(); err != nil {
		t.Error(err)
	}
}

func TestReplaceAndKill(t *testing.T) {
	g, a, b, sum, product, ret := small()
	g.Replace(product, sum)
	if ret.In(2) != sum || !product.Dead() || sum.NumOut() != 1 {
		t.Errorf("the Return has %s, the product is dead %v, the sum has %d uses", ret.In(2).Label(), product.Dead(), sum.NumOut())
	}
	g.Hold(b)
	g.SetIn(ret, 2, a)
	if !sum.Dead() || b.Dead() || b.NumOut() != 0 {
		t.Errorf("the sum is dead %v, what is held is dead %v with %d uses", sum.Dead(), b.Dead(), b.NumOut())
	}
	if g.Drop(b); !b.Dead() {
		t.Error("nobody holds or uses it, and yet it lives")
	}
	if err := g.Verify(); err != nil {
		t.Error(err)
	}
}

// TestVerifyFinds spoils a graph in one way each.
func TestVerifyFinds(t *testing.T) {
	tests := []struct {
		name, want string
		spoil      func(g *Graph, a, sum, product, ret *Node)
	}{
		{"a use without its edge", "", func(_ *Graph, a, _, _, _ *Node) { a.out = a.out[:len(a.out)-1] }},
		{"an edge without its use", "", func(_ *Graph, a, sum, _, _ *Node) { sum.in[1].def = sum.in[2].def }},
		{"a missing operand", "operand", func(g *Graph, _, sum, _, _ *Node) { g.SetIn(sum, 1, nil) }},
		{"no control", "control", func(g *Graph, a, _, _, ret *Node) { g.SetIn(ret, 0, a) }},
		{"a dead definition", "", func(_ *Graph, a, _, _, _ *Node) { a.Op = OpInvalid }},
		{"too few inputs", "inputs", func(g *Graph, _, sum, _, _ *Node) { g.DelLastIn(sum, 1) }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g, a, _, sum, product, ret := small()
			if err := g.Verify(); err != nil {
				t.Fatal(err)
			}
			tt.spoil(g, a, sum, product, ret)
			err := g.Verify()
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want an error about %q", err, tt.want)
			}
		})
	}
}

// TestValueTable numbers equal and unequal nodes, also when others have left the table.
func TestValueTable(t *testing.T) {
	g, a, b, sum, _, _ := small()
	g.Number(sum)
	other := g.New(OpAdd, source.NoPos, nil, a, b)
	if got := g.Number(other); got != sum {
		t.Errorf("an equal sum is %v, want the first", got)
	}
	if got := g.Number(g.New(OpAdd, source.NoPos, nil, b, a)); got != nil {
		t.Error("a sum with exchanged operands is another value to the table")
	}
	const many = 5000
	for i := range many {
		n := g.New(OpSignExt, source.NoPos, nil, a)
		n.Aux = int64(i)
		if g.Number(n) != nil {
			t.Fatalf("another number of bits is another value: %d", i)
		}
		if i%2 == 0 {
			g.Unlock(n)
		}
	}
	if got := g.Number(g.New(OpAdd, source.NoPos, nil, a, b)); got != sum {
		t.Error("the sum is not found among many others and graves")
	}
	field := func(name string) *Symbol { return &Symbol{Name: name, Declared: types.Int} }
	x, y := field("x"), field("y")
	load := func(s *Symbol) *Node { return g.NewNamed(OpLoad, source.NoPos, s, nil, a, b, a) }
	first := load(x)
	g.Number(first)
	if g.Number(load(y)) != nil || g.Number(load(x)) != first {
		t.Error("Loads are told apart by their field alone")
	}
}

// TestConstants finds constants again by their types, and tells the odd ones apart.
func TestConstants(t *testing.T) {
	g := NewGraph("main", nil, types.Flat)
	all := []types.Type{
		types.Const(0), types.Const(1), types.Const(math.MinInt64), types.Null, types.ConstFloat(0), types.ConstFloat(math.Copysign(0, -1)),
		types.ConstFloat(math.NaN()), types.ConstFloat(math.Inf(1)), types.Top,
	}
	made := map[*Node]bool{}
	for _, c := range all {
		n := g.Constant(c, source.NoPos)
		g.Number(n)
		made[n] = true
		if again := g.Constant(c, source.NoPos); again != n {
			t.Errorf("%v is made twice", c)
		}
	}
	if len(made) != len(all) {
		t.Errorf("%d nodes for %d constants", len(made), len(all))
	}
}

// TestEvents wants the events of a graph in order, each with its node complete.
func TestEvents(t *testing.T) {
	g := NewGraph("main", nil, types.Flat)
	var got []string
	g.OnEvent = func(e Event) { got = append(got, e.Kind.String()+" "+e.Node.Label()) }
	a := g.Constant(types.Const(1), source.NoPos)
	sum := g.New(OpAdd, source.NoPos, nil, a, a)
	g.Kill(sum)
	want := []string{"Created 1", "Created Add", "Killed Add", "Killed 1"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestHolds holds a node more often than its counter can tell.
func TestHolds(t *testing.T) {
	g, a, _, _, _, _ := small()
	const holds = 1 << 17
	for range holds {
		g.Hold(a)
	}
	for range holds {
		g.Drop(a)
	}
	if a.Dead() {
		t.Error("a node in use is dead")
	}
}
