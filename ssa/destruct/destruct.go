package destruct

import (
	"fmt"

	"shoal/ssa"
	"shoal/ssa/parcopy"
)

// A Strategy is a way to leave SSA form. The package comment describes each.
type Strategy uint8

// The strategies.
const (
	Naive Strategy = iota
	Sreedhar1
	Boissinot
	NumStrategies
)

var strategyNames = [NumStrategies]string{"naive", "sreedhar1", "boissinot"}

// String is the name of the strategy on the command line.
func (s Strategy) String() string { return strategyNames[s] }

// StrategyNamed finds a strategy by the name that String gives it.
func StrategyNamed(name string) (Strategy, bool) {
	for i, s := range strategyNames {
		if s == name {
			return Strategy(i), true
		}
	}
	return 0, false
}

// Stats is what leaving SSA form took.
type Stats struct {
	Params     int // block parameters, in blocks that the entry reaches
	Arguments  int // arguments for them
	Copies     int // copies in the result, Temps included
	Temps      int // copies that save a value because a cycle of copies needs it
	SplitEdges int // edges that got a block of their own
	Variables  int // variables of the result
}

// Run leaves SSA form by strategy s. f must be valid and in block-argument form.
func Run(f *ssa.Func, s Strategy) (*Code, Stats) {
	if f.Form != ssa.FormArgs {
		panic(fmt.Sprintf("destruct.Run: %s is in form %s", f.Name, f.Form))
	}
	t := newTranslation(f)
	switch s {
	case Naive:
		t.identity(0)
		t.blocks(t.naiveEnd)
	case Sreedhar1:
		t.identity(len(t.params))
		t.blocks(t.isolatedEnd)
	case Boissinot:
		t.onEdges = true
		t.variables(coalesce(t, 1024+budgetPerItem*(len(f.Values)+len(f.Blocks)+t.stats.Arguments)))
		t.blocks(t.edgesEnd)
	}
	t.stats.Variables = len(t.code.Vars)
	return t.code, t.stats
}

// A translation is the state of one Run.
//
// Variables before coalescing are numbered: the values of f by their ID, then one
// isolated variable for each parameter. varOf maps them to variables of the result.
type translation struct {
	f      *ssa.Func
	dom    *ssa.Dom
	params []ssa.ValueID // of reachable blocks, in order of block
	first  []int32       // by block: index in params of its first parameter
	preds  []int32       // by block: number of edges from reachable blocks
	varOf  []Var         // by number; -1 for none
	code   *Code
	index  []int32 // by block of f: its index in code.Blocks, -1 for none
	consts []Atom  // by ValueID: the atom of a constant
	temp   Var     // the variable for cycles of copies, -1 until one is needed
	stats  Stats
	// onEdges says that copies belong to edges and not to the end of the branching block.
	onEdges bool

	seq    parcopy.Sequencer
	copies []parcopy.Copy
	atoms  []Atom // what copies[i] reads
	wanted []int8 // by Var, while copies are checked: 1 it is written, 2 by itself
	out    *Block // where copies go
	slab   []Stmt // room for bodies
}

func newTranslation(f *ssa.Func) *translation {
	n := len(f.Blocks)
	t := &translation{
		f: f, dom: ssa.Dominators(f),
		first: make([]int32, n), preds: make([]int32, n), index: make([]int32, n),
		consts: make([]Atom, len(f.Values)), temp: -1,
		code: &Code{Name: f.Name, source: f},
	}
	for b := range f.Blocks {
		t.first[b], t.index[b] = int32(len(t.params)), -1
		if !t.dom.Reaches(int32(b)) {
			continue
		}
		t.index[b] = int32(len(t.code.Blocks))
		t.code.Blocks = append(t.code.Blocks, Block{Source: int32(b), To: -1})
		t.params = append(t.params, f.Blocks[b].Params...)
		for _, to := range f.Blocks[b].Term.Targets() {
			t.preds[to.Block]++
			t.stats.Arguments += len(to.Args)
		}
	}
	t.stats.Params = len(t.params)
	for v := range f.Values {
		if f.Values[v].Kind == ssa.Const {
			t.consts[v] = ^Atom(len(t.code.Consts))
			t.code.Consts = append(t.code.Consts, Constant{f.Values[v].Class, f.Values[v].Aux})
		}
	}
	return t
}

// isolated is the number of the variable of parameter i of block b.
func (t *translation) isolated(b int32, i int) int { return len(t.f.Values) + int(t.first[b]) + i }

// identity gives each value a variable of its own, and the first n parameters another.
func (t *translation) identity(n int) {
	same := make([]int32, len(t.f.Values)+n)
	for v := range same {
		same[v] = int32(v)
	}
	t.variables(same)
}

// variables makes the variables of the result: class maps each variable to the one that
// represents all that share its name. Values that nothing defines get none.
func (t *translation) variables(class []int32) {
	t.varOf = make([]Var, len(class))
	for v := range t.varOf {
		t.varOf[v] = -1
	}
	number := func(v int) {
		c := class[v]
		if t.varOf[c] < 0 {
			t.varOf[c] = Var(len(t.code.Vars))
			t.code.Vars = append(t.code.Vars, t.variable(int(c)))
		}
		t.varOf[v] = t.varOf[c]
	}
	for _, v := range t.f.Inputs {
		number(int(v))
		t.code.Inputs = append(t.code.Inputs, t.varOf[v])
	}
	for _, b := range t.dom.Order {
		for i, v := range t.f.Blocks[b].Params {
			number(int(v))
			if q := t.isolated(b, i); q < len(class) {
				number(q)
			}
		}
		for _, v := range t.f.Blocks[b].Body {
			if t.f.Values[v].HasResult() {
				number(int(v))
			}
		}
	}
}

// variable describes the variable that class representative c stands for.
func (t *translation) variable(c int) Variable {
	if c < len(t.f.Values) {
		return Variable{Value: ssa.ValueID(c)}
	}
	return Variable{Value: t.params[c-len(t.f.Values)], Isolated: true}
}

// atom is the operand of the result for the value v.
func (t *translation) atom(v ssa.ValueID) Atom {
	if a := t.consts[v]; a != 0 {
		return a
	}
	return Atom(t.varOf[v])
}

// blocks writes all blocks. end does what a strategy does to a block that has its body:
// its copies and those of the edges that leave it.
func (t *translation) blocks(end func(b int32)) {
	size := 0
	for _, b := range t.dom.RPO {
		size += len(t.f.Blocks[b].Body)
	}
	t.slab = make([]Stmt, 0, size+2*(t.stats.Params+t.stats.Arguments))
	for b := range t.f.Blocks {
		if t.index[b] < 0 {
			continue
		}
		t.into(t.index[b])
		t.top(int32(b))
		for _, v := range t.f.Blocks[b].Body {
			t.instr(v)
		}
		t.term(int32(b))
		end(int32(b))
		t.close()
	}
}

// into makes block i of the result the one that is written; close ends that.
func (t *translation) into(i int32) {
	t.out = &t.code.Blocks[i]
	t.out.Body = t.slab[len(t.slab):]
}

func (t *translation) close() {
	n := len(t.out.Body)
	if cap(t.slab)-len(t.slab) >= n { // it still lies in the slab
		t.slab = t.slab[:len(t.slab)+n]
	}
	t.out.Body = t.out.Body[:n:n]
}

func (t *translation) instr(id ssa.ValueID) {
	v := &t.f.Values[id]
	s := Stmt{Op: v.Op, NArgs: v.NArgs, Dst: t.varOf[id], Aux: v.Aux, Pos: v.Pos}
	for i, a := range v.Operands() {
		s.Args[i] = t.atom(a)
	}
	t.out.Body = append(t.out.Body, s)
}

func (t *translation) term(b int32) {
	from := &t.f.Blocks[b].Term
	term := Term{Kind: from.Kind, Fault: from.Fault, Pos: from.Pos}
	for i, a := range from.Operands() {
		term.Args[i] = t.atom(a)
	}
	for k, to := range from.Targets() {
		term.Succs[k] = t.index[to.Block]
	}
	t.out.Term = term
}

// top writes the copies p = p' at the top of block b, if the strategy isolates
// parameters, after the copies of the only edge to it, if it takes them.
func (t *translation) top(b int32) {
	params := t.f.Blocks[b].Params
	if len(params) == 0 || t.isolated(b, 0) >= len(t.varOf) {
		return
	}
	if e, ok := t.topEdge(b); ok {
		t.edge(&t.f.Blocks[e.Block].Term.Succs[e.Succ])
	}
	for i, p := range params {
		t.want(t.varOf[p], Atom(t.varOf[t.isolated(b, i)]))
	}
	t.flush()
}
