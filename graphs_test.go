package shoal_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"

	"shoal"
	"shoal/codegen"
	"shoal/gcm"
	"shoal/internal/smith"
	"shoal/node"
	"shoal/node/interp"
	"shoal/node/types"
	"shoal/parser"
	"shoal/peephole"
	"shoal/source"
	"shoal/ssa"
)

var (
	graphCount = flag.Int("graphs.count", 500, "how many random graphs TestGraphs tries")
	graphSeed  = flag.Uint64("graphs.seed", 0, "seed of the first graph")
)

// unreached are the rules that never apply, because of others that come before them.
var unreached = map[string]string{
	"add-sum-sub-left":     "other rules of sums",
	"and-xor-same":         "and-xor, where x is a constant",
	"select-sign":          "select-mask",
	"min-decided-right":    "min-decided, with its operands exchanged",
	"max-decided-right":    "max-decided, with its operands exchanged",
	"umin-decided-right":   "umin-decided, with its operands exchanged",
	"umax-decided-right":   "umax-decided, with its operands exchanged",
	"load-found":           "package smith, which makes no objects",
	"load-length":          "package smith, which makes no arrays",
	"load-phi":             "package smith, which makes no objects",
	"phi-cast":             "package smith, which makes no objects",
	"load-length-phi":      "package smith, which makes no arrays",
	"load-past":            "package smith, which makes no arrays",
	"store-store":          "package smith, which makes no objects",
	"cast-known":           "package smith, which makes no objects",
	"read-only-twice":      "package smith, which makes no objects",
	"eq-null":              "package smith, which makes no objects",
	"float-identity":       "package smith, which makes no floats",
	"float-constant-right": "package smith, which makes no floats",
	"float-minus-minus":    "package smith, which makes no floats",
	"float-divide":         "package smith, which makes no floats",
	"round-known":          "package smith, which makes no floats",
}

// TestGraphs builds random functions over all pure ops directly as graphs, raw and with
// the rules of level 24, and takes them through all engines.
func TestGraphs(t *testing.T) {
	p := newProver(t)
	for i := range uint64(*graphCount) {
		seed := *graphSeed + i
		r := rand.New(rand.NewPCG(seed, 24))
		prog := newTreeGen(r).program(1 + r.IntN(12))
		args := append([]int64{int64(r.Uint64()), r.Int64N(64)}, usualArgs...)
		var want []int64
		for _, arg := range args {
			want = append(want, prog.run(arg))
		}
		for _, opt := range []shoal.Opt{shoal.Raw, shoal.Full} {
			u, err := buildUnit(prog, opt, int64(seed%3))
			if err != nil {
				t.Fatalf("seed %d, -O %d: %v", seed, 2-opt, err)
			}
			if m := p.run(u, args, want); m != nil {
				t.Fatalf("seed %d, -O %d: %v\n%v", seed, 2-opt, m, u.Funcs[0].Graph.Stop)
			}
		}
	}
}

// coverageGraphs and coveragePrograms are enough to see every rule apply.
const (
	coverageGraphs   = 1000 // full of one rule
	coveragePrograms = 2500
)

// levelPhis is the first chapter with Phis; some rules are for it alone.
const levelPhis = 5

// TestRulesApply wants every rule to apply somewhere: those over values in random graphs
// that are full of them, all others, and those of early chapters, in random programs.
func TestRulesApply(t *testing.T) {
	fired := map[string]int{}
	for _, rule := range peephole.Rules() {
		if rule.From == nil || unreached[rule.Name] != "" {
			continue
		}
		for seed := uint64(0); fired[rule.Name] == 0 && seed < coverageGraphs; seed++ {
			r := rand.New(rand.NewPCG(seed, 24))
			g := newTreeGen(r)
			g.rules = []peephole.Rule{rule}
			buildGraph(g.program(1+r.IntN(12)), shoal.Full, 0, fired).e.Run()
		}
	}
	for n := range uint64(coveragePrograms) {
		r := rand.New(rand.NewPCG(n, 24))
		chapter := []int{levelPhis, levelPhis + 1, 9, languageLevels, shoal.MaxChapter}[n%5]
		prog := smith.Generate(r, smith.Swarm(r, min(chapter, languageLevels), 12))
		file := source.NewFile("t.smp", []byte(prog.Text(chapter)))
		_, err := shoal.Compile(file, shoal.Options{Chapter: chapter, Until: "optimize", OnEvent: func(_ *node.Graph, e node.Event) { count(fired, e) }})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, r := range peephole.Rules() {
		why, never := unreached[r.Name]
		switch n := fired[r.Name]; {
		case n == 0 && !never:
			t.Errorf("rule %s, %s, never applies", r.Name, r.Equation())
		case n > 0 && never:
			t.Errorf("rule %s applies %d times in spite of %s", r.Name, n, why)
		}
	}
}

func count(fired map[string]int, e node.Event) {
	if e.Kind == node.Rewrote {
		fired[e.Rule]++
	}
}

// buildGraph makes the graph of a tree; fired counts the rules that apply.
func buildGraph(prog *treeProgram, opt shoal.Opt, seed int64, fired map[string]int) *graphBuilder {
	b := &graphBuilder{g: node.NewGraph("main", source.NewFile("t.smp", nil), types.Flat)}
	b.g.OnEvent = func(e node.Event) { count(fired, e) }
	b.e = peephole.New(b.g, peephole.Options{Level: shoal.MaxChapter, Off: opt == shoal.Raw, Global: true, Seed: seed, Check: true})
	b.function(prog)
	return b
}

// buildUnit takes a tree through the passes.
func buildUnit(prog *treeProgram, opt shoal.Opt, seed int64) (*shoal.Unit, error) {
	b := buildGraph(prog, opt, seed, map[string]int{})
	in := interp.New(b.g)
	for _, arg := range usualArgs {
		if got, _ := in.Run(arg, maxSteps); got != prog.run(arg) {
			return nil, fmt.Errorf("parse: for argument %d: got %d, want %d\n%v", arg, got, prog.run(arg), b.g.Stop)
		}
	}
	b.e.Run()
	b.e.Exits()
	if err := b.g.Verify(); err != nil {
		return nil, err
	}
	u := &shoal.Unit{File: b.g.File, Funcs: []parser.Func{{Graph: b.g, Engine: b.e}}, Schedules: []*gcm.Schedule{gcm.Run(b.g)}}
	if err := u.Schedules[0].Verify(); err != nil {
		return nil, err
	}
	u.Module = &ssa.Module{Funcs: []*ssa.Func{ssa.FromSchedule(u.Schedules[0], false)}}
	if errs := u.Module.Funcs[0].Validate(); len(errs) > 0 {
		return nil, errs[0]
	}
	var err error
	u.Program, err = codegen.Compile(u.Module, codegen.Options{Verify: true, Workers: 1})
	return u, err
}

// A graphBuilder makes the graph of a tree as the parser would. Control, memory and the
// values of the variables are inputs of a scope, so that they follow what rules make of
// them.
type graphBuilder struct {
	g     *node.Graph
	e     *peephole.Engine
	scope *node.Node
}

// The inputs of the scope. Variables come last.
const (
	slotCtrl = iota
	slotMem
	slotLocals
)

func named(name string, t types.Type) *node.Symbol { return &node.Symbol{Name: name, Declared: t} }

func (b *graphBuilder) ctrl() *node.Node { return b.scope.In(slotCtrl) }

func (b *graphBuilder) local(i int) *node.Node { return b.scope.In(slotLocals + i) }

func (b *graphBuilder) set(i int, n *node.Node) { b.g.SetIn(b.scope, slotLocals+i, n) }

func (b *graphBuilder) setCtrl(n *node.Node) { b.g.SetIn(b.scope, slotCtrl, n) }

// copy is another scope with the same inputs, held.
func (b *graphBuilder) copy() *node.Node {
	c := b.g.Hold(b.g.Prepare(node.OpScope, source.NoPos))
	for i := range b.scope.NumIn() {
		b.g.AddIn(c, b.scope.In(i))
	}
	return c
}

func (b *graphBuilder) function(p *treeProgram) {
	b.scope = b.g.Hold(b.g.Prepare(node.OpScope, source.NoPos))
	b.g.AddIn(b.scope, b.e.MakeAux(node.OpCProj, source.NoPos, 0, named("$ctrl", types.Ctrl), b.g.Start))
	b.g.AddIn(b.scope, b.e.MakeAux(node.OpProj, source.NoPos, 1, named("$mem", types.Mem), b.g.Start))
	b.g.AddIn(b.scope, b.e.MakeAux(node.OpProj, source.NoPos, 2, named("arg", types.Int), b.g.Start))
	for b.scope.NumIn() < slotLocals+p.locals {
		b.g.AddIn(b.scope, b.e.Int(0, source.NoPos))
	}
	b.list(p.steps)
	result := b.value(p.result)
	b.g.AddIn(b.g.Stop, b.e.Make(node.OpReturn, source.NoPos, b.ctrl(), b.scope.In(slotMem), result))
	b.g.Drop(b.scope)
}

// value makes the nodes of an expression.
func (b *graphBuilder) value(t *tree) *node.Node {
	switch {
	case t.op == node.OpInvalid && t.local == noLocal:
		return b.e.Int(t.aux, source.NoPos)
	case t.op == node.OpInvalid:
		return b.local(t.local)
	}
	in := []*node.Node{nil}
	for _, a := range t.args {
		in = append(in, b.g.Hold(b.value(a)))
	}
	n := b.g.Hold(b.e.MakeAux(t.op, source.NoPos, t.aux, nil, in...))
	for _, d := range in[1:] {
		b.g.Drop(d)
	}
	return b.g.Release(n)
}

func (b *graphBuilder) list(list []step) {
	for i := range list {
		switch s := &list[i]; s.kind {
		case stepSet:
			b.set(s.local, b.value(s.x))
		case stepIf:
			b.branch(s)
		case stepCount:
			b.count(s)
		}
	}
}

// fork makes an If on a value. Control goes on at its true side; what is returned is the
// scope at the other.
func (b *graphBuilder) fork(pred *node.Node) (other *node.Node) {
	iff := b.g.Hold(b.e.Make(node.OpIf, source.NoPos, b.ctrl(), pred))
	yes := b.g.Hold(b.e.MakeAux(node.OpCProj, source.NoPos, 0, named("True", types.Ctrl), iff))
	no := b.g.Hold(b.e.MakeAux(node.OpCProj, source.NoPos, 1, named("False", types.Ctrl), iff))
	b.g.Drop(iff)
	other = b.copy()
	b.g.SetIn(other, slotCtrl, no)
	b.setCtrl(yes)
	b.g.Drop(yes)
	b.g.Drop(no)
	return other
}

func (b *graphBuilder) branch(s *step) {
	other := b.fork(b.value(s.x))
	b.list(s.body)
	that := b.scope
	b.scope = other
	b.list(s.other)
	r := b.g.Hold(b.e.Make(node.OpRegion, source.NoPos, nil, that.In(slotCtrl), b.ctrl()))
	b.setCtrl(r)
	for i := slotLocals; i < that.NumIn(); i++ {
		if x, y := that.In(i), b.scope.In(i); x != y {
			b.g.SetIn(b.scope, i, b.e.MakeNamed(node.OpPhi, source.NoPos, named("v", types.Int), r, x, y))
		}
	}
	b.g.Drop(that)
	b.e.Reduce(r)
	b.g.Drop(r)
}

func (b *graphBuilder) count(s *step) {
	b.set(s.local, b.e.Int(0, source.NoPos))
	loop := b.g.Hold(b.e.MakeNamed(node.OpLoop, source.NoPos, nil, nil, b.ctrl(), nil))
	b.setCtrl(loop)
	var phis []*node.Node
	for i := slotLocals; i < b.scope.NumIn(); i++ {
		phi := b.g.Hold(b.e.MakeNamed(node.OpPhi, source.NoPos, named("v", types.Int), loop, b.scope.In(i), nil))
		phis = append(phis, phi)
		b.g.SetIn(b.scope, i, phi)
	}
	exit := b.fork(b.e.Make(node.OpLT, source.NoPos, nil, b.local(s.local), b.value(s.x)))
	b.list(s.body)
	b.set(s.local, b.e.Make(node.OpAdd, source.NoPos, nil, b.local(s.local), b.e.Int(1, source.NoPos)))
	b.g.SetIn(loop, 2, b.ctrl())
	for i, phi := range phis {
		b.g.SetIn(phi, 2, b.local(i))
	}
	b.g.Drop(b.scope)
	b.scope = exit
	for _, phi := range phis {
		b.e.Reduce(phi)
		b.g.Drop(phi)
	}
	b.e.Reduce(loop)
	b.g.Drop(loop)
}
