package peephole

import (
	"math"
	"math/rand"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"shoal/node"
	"shoal/node/types"
	"shoal/source"
)

// A bench is an engine with free variables: projections of Start with the types asked for.
type bench struct {
	*Engine
	vars []*node.Node
}

// firstVar is the index of the first of them in the tuple of Start.
const firstVar = 3

func newBench(o Options, of ...types.Type) *bench {
	g := node.NewGraph("test", source.NewFile("test", nil), types.Flat)
	b := &bench{Engine: New(g, o)}
	g.Start.Type = types.Tuple(append([]types.Type{types.Ctrl, types.Mem, types.Int}, of...)...)
	for i := range of {
		b.vars = append(b.vars, g.Hold(b.MakeAux(node.OpProj, source.NoPos, int64(firstVar+i), &node.Symbol{Name: "v" + strconv.Itoa(i)}, g.Start)))
	}
	return b
}

// ret returns value, so that it is of use.
func (b *bench) ret(value *node.Node) *node.Node {
	b.g.Hold(value)
	ctrl := b.MakeAux(node.OpCProj, source.NoPos, 0, &node.Symbol{Name: "$ctrl"}, b.g.Start)
	mem := b.MakeAux(node.OpProj, source.NoPos, 1, &node.Symbol{Name: "$mem"}, b.g.Start)
	n := b.g.New(node.OpReturn, source.NoPos, ctrl, mem, value)
	n.Type = b.compute(n).t
	b.g.AddIn(b.g.Stop, n)
	b.g.Release(value)
	return n
}

// make makes the nodes of a pattern. m has the values of its constants.
func (b *bench) make(p *Pat, m *Match) *node.Node {
	switch p.Leaf {
	case AnyNode:
		return b.vars[p.Var]
	case AnyConst, Literal, Computed:
		return b.Int(m.Eval(p), source.NoPos)
	}
	args := p.Args
	var aux int64
	if p.Op.Info().Aux == node.AuxBits {
		aux = m.Eval(args[len(args)-1])
		args = args[:len(args)-1]
	}
	in := make([]*node.Node, 1, 4)
	for _, a := range args {
		in = append(in, b.g.Hold(b.make(a, m)))
	}
	n := b.MakeAux(p.Op, source.NoPos, aux, nil, in...)
	b.g.Hold(n)
	for _, d := range in[1:] {
		b.g.Drop(d)
	}
	return b.g.Release(n)
}

// typesOfVars are those that rules ask for in their conditions.
var typesOfVars = []types.Type{types.Int, types.Bool, types.Range(0, math.MaxInt64), types.Range(0, 1000), types.Range(2000, 3000), types.Range(-7, -1), types.Range(-1, 0), types.Range(-100, 100)}

// instances calls f with engines in which the rule applies. The variables can be any
// integer if the condition allows that: what is known besides may well lead the two sides
// of an equation to different forms that are equally good.
func instances(t *testing.T, r *Rule, f func(b *bench, m *Match)) {
	p := newProof(r)
	rng := rand.New(rand.NewSource(1))
	special := specialValues(64)
	found := 0
	for range 20_000 {
		if found == 50 {
			break
		}
		m := Match{W: 64}
		for _, v := range p.vars {
			m.Value[v.index] = special[rng.Intn(len(special))]
			if v.bits {
				m.Value[v.index] = 1 + rng.Int63n(64)
			}
		}
		of := []types.Type{types.Int, types.Int, types.Int, types.Int}
		if !m.holdsFor(r.If, of) {
			for i := range of {
				if rng.Intn(2) == 0 {
					of[i] = typesOfVars[rng.Intn(len(typesOfVars))]
				}
			}
			if !m.holdsFor(r.If, of) {
				continue
			}
		}
		found++
		f(newBench(Options{Level: maxLevel, Check: true}, of...), &m)
	}
	if found == 0 {
		t.Errorf("%s, %s: no instance found", r.Doc, r.Equation())
	}
}

// holdsFor tells whether a condition holds if the variables for nodes have these types.
func (m *Match) holdsFor(cond *Pat, of []types.Type) bool {
	m.facts = &[MaxVars]fact{}
	for i := range of {
		m.facts[i] = newFact(64, of[i], knownBits{})
	}
	return cond == nil || m.proves(cond)
}

func TestImplied(t *testing.T) {
	for i, err := range proveAll(implied) {
		if err != nil {
			t.Errorf("%s, %s: %v", implied[i].Doc, implied[i].Equation(), err)
		}
	}
	for i := range implied {
		sameNode(t, &implied[i])
	}
}

func sameNode(t *testing.T, r *Rule) {
	t.Helper()
	failed := false // one counterexample is enough
	instances(t, r, func(b *bench, m *Match) {
		from := b.ret(b.make(r.From, m))
		to := b.ret(b.make(r.To, m))
		b.Run()
		if from.In(2) != to.In(2) && !failed {
			failed = true
			t.Errorf("%s, %s with constants %d: %v and %v", r.Doc, r.Equation(), m.Value[4:], from, to)
		}
	})
}

// Every row of part A of the catalogue up to A.19 is a rule, or follows from rules, or is
// unsound, or its section's file says why it is left out.
func TestCatalogueIsComplete(t *testing.T) {
	var text strings.Builder
	files, err := filepath.Glob("rules_*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range append(files, "implied_test.go", "unsound_test.go") {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		text.Write(data)
	}
	mentioned := map[string]bool{}
	re := regexp.MustCompile(`\b([A-Z]+)(\d+)(-[A-Z]+(\d+)| to [A-Z]+(\d+))?\b`)
	for _, m := range re.FindAllStringSubmatch(text.String(), -1) {
		first, _ := strconv.Atoi(m[2])
		last := first
		for _, s := range m[4:] {
			if n, err := strconv.Atoi(s); err == nil {
				last = n
			}
		}
		for i := first; i <= last; i++ {
			mentioned[m[1]+strconv.Itoa(i)] = true
		}
	}
	for _, section := range []struct {
		name string
		rows int
	}{
		{"ADD", 34}, {"SUB", 40}, {"NEG", 12}, {"MUL", 18}, {"DIV", 17}, {"REM", 18}, {"AND", 32}, {"OR", 23}, {"XOR", 24},
		{"NOT", 24}, {"SHL", 20}, {"SHR", 16}, {"SAR", 13}, {"EQ", 45}, {"LT", 41}, {"ULT", 29}, {"SEL", 31}, {"MINMAX", 18}, {"EXT", 19},
	} {
		for i := 1; i <= section.rows; i++ {
			if id := section.name + strconv.Itoa(i); !mentioned[id] {
				t.Errorf("%s is not mentioned", id)
			}
		}
	}
}

func TestRuleNames(t *testing.T) {
	rules := Rules()
	kebab := regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`)
	var names, shapes []string
	for i := range rules {
		r := &rules[i]
		if !kebab.MatchString(r.Name) || r.Doc == "" || r.Since < 1 {
			t.Errorf("%s: the row lacks something", r.Name)
		}
		names = append(names, r.Name)
		if r.Do == nil {
			equation, _, _ := strings.Cut(r.Equation(), " => ")
			_, condition, _ := strings.Cut(r.Equation(), " if ")
			shapes = append(shapes, equation+" if "+condition)
		}
	}
	for _, list := range [][]string{names, shapes} {
		slices.Sort(list)
		for i := 1; i < len(list); i++ {
			if list[i] == list[i-1] {
				t.Errorf("twice: %s", list[i])
			}
		}
	}
}
