package smith

import (
	"fmt"
	"math/rand/v2"
)

// A Shape bounds and tunes random programs. Weights compare with each other.
type Shape struct {
	Level  int // the last chapter whose language may be used
	Stmts  int // statements, roughly
	Nest   int // how deeply statements nest
	Depth  int // how deep an expression is, at most
	Trips  int // how often any loop body runs, at most
	Vars   int // variables that the program begins with
	Ops    [GE + 1]int
	Stmt   [numForms]int
	Edge   int  // percentage of constants that are boundaries of types
	Idiom  int  // percentage of expressions with a meaning that rules look for
	Shadow int  // percentage of declarations that hide another variable
	Repeat int  // percentage of expressions that repeat an earlier one
	Bare   bool // leave braces out where possible
	Style  Style
}

// A form is a way for the generator to go on.
type form uint8

const (
	formAssign form = iota
	formDeclare
	formBlock
	formIf
	formChain
	formLoop
	formEndless
	formReturn
	formJump
	formRotate
	formEval
	formEmpty
	numForms
)

// formLevels are the first chapters of the forms.
var formLevels = [numForms]int{
	formAssign: levelVariables, formDeclare: levelVariables, formBlock: levelVariables, formIf: levelIf, formChain: levelIf,
	formLoop: levelWhile, formEndless: levelWhile, formReturn: levelIf, formJump: levelJumps, formRotate: levelVariables,
	formEval: levelExprStmt, formEmpty: levelVariables,
}

// usual are the weights that Swarm varies.
var usual = [numForms]int{
	formAssign: 30, formDeclare: 12, formBlock: 4, formIf: 16, formChain: 4, formLoop: 16, formEndless: 1, formReturn: 2,
	formJump: 12, formRotate: 3, formEval: 1, formEmpty: 1,
}

// Swarm makes a random shape of about stmts statements in the language of a chapter:
// every operator and form is left out of some programs and dominates others.
func Swarm(r *rand.Rand, level, stmts int) Shape {
	s := Shape{
		Level: level, Stmts: 1 + r.IntN(2*stmts), Nest: 1 + r.IntN(6), Depth: 1 + r.IntN(5), Trips: 1 << r.IntN(9), Vars: r.IntN(6),
		Edge: r.IntN(50), Idiom: r.IntN(40), Shadow: r.IntN(40), Repeat: r.IntN(40),
		Bare: r.IntN(3) == 0, Style: Style{Tight: r.IntN(5) == 0, Parens: r.IntN(8) == 0},
	}
	if r.IntN(12) == 0 {
		s.Vars += 10 + r.IntN(25) // more than there are registers
	}
	for op := range s.Ops {
		s.Ops[op] = [...]int{0, 1, 1, 2, 6}[r.IntN(5)]
	}
	for f := range s.Stmt {
		s.Stmt[f] = usual[f] * [...]int{0, 1, 1, 2, 4}[r.IntN(5)]
	}
	s.Stmt[formAssign]++
	return s
}

// Generate makes a random program of a shape. It is valid at s.Level and ends for every
// argument but for one in a billion.
func Generate(r *rand.Rand, s Shape) *Program {
	g := &generator{Rand: r, Shape: s, budget: s.Stmts, trips: 1}
	p := &Program{Style: s.Style}
	switch {
	case s.Level < levelArithmetic:
		p.Body = []*Stmt{{Kind: Return, X: g.literal()}}
	case s.Level < levelVariables:
		p.Body = []*Stmt{{Kind: Return, X: g.expr(s.Depth + 2)}}
	default:
		p.Body = g.program()
	}
	return p
}

// A generator makes one program.
type generator struct {
	*rand.Rand
	Shape
	vars    []*local // in sight, innermost last; the first is arg
	blocks  []int    // where each block begins in vars
	loops   []*loop
	earlier []*Expr // expressions to repeat
	budget  int     // statements left
	nest    int
	trips   int // how often the code here runs, at most
	fresh   int // names made
}

// A local is a variable in sight.
type local struct {
	name    string
	counter bool // ends a loop: only the loop itself may change it
}

func (g *generator) percent(p int) bool { return g.IntN(100) < p }

func (g *generator) program() []*Stmt {
	g.blocks = []int{0}
	if g.Level >= levelArg {
		g.vars = append(g.vars, &local{name: "arg"})
	}
	g.blocks = append(g.blocks, len(g.vars))
	var body []*Stmt
	for range g.Vars {
		body = append(body, g.declare()...)
	}
	if g.Level < levelIf || !g.percent(10) {
		body = append(body, g.list(g.budget)...)
		return append(body, &Stmt{Kind: Return, X: g.result()})
	}
	return append(body, g.list(g.budget)...)
}

// result is an expression in which every variable in sight counts.
func (g *generator) result() *Expr {
	e := g.expr(g.Depth)
	if g.percent(10) {
		return e
	}
	for i, v := range g.vars {
		if g.visible(i) && !g.percent(10) {
			if g.percent(80) {
				e = binary(Mul, e, number(2*g.Int64N(50)+3))
			}
			e = binary(Add, e, variable(v.name))
		}
	}
	return e
}

// visible tells whether no variable behind number i hides it.
func (g *generator) visible(i int) bool {
	for _, v := range g.vars[i+1:] {
		if v.name == g.vars[i].name {
			return false
		}
	}
	return true
}

// list makes up to n statements.
func (g *generator) list(n int) (list []*Stmt) {
	for n > 0 && g.budget > 0 {
		n--
		g.budget--
		list = append(list, g.stmt()...)
	}
	return list
}

// block makes a list in a scope of its own.
func (g *generator) block(before func() []*Stmt) (list []*Stmt) {
	g.blocks = append(g.blocks, len(g.vars))
	g.nest++
	if before != nil {
		list = before()
	}
	list = append(list, g.list(1+g.IntN(5))...)
	g.nest--
	g.leave()
	return list
}

func (g *generator) leave() {
	last := len(g.blocks) - 1
	g.vars = g.vars[:g.blocks[last]]
	g.blocks = g.blocks[:last]
}

// stmt makes one statement, or a few that belong together.
func (g *generator) stmt() []*Stmt {
	switch f := g.form(); f {
	case formDeclare:
		return g.declare()
	case formBlock:
		return []*Stmt{{Kind: Block, Body: g.block(nil)}}
	case formIf, formChain:
		return []*Stmt{g.ifs(f == formChain)}
	case formLoop:
		return g.loop()
	case formEndless:
		return g.endless()
	case formReturn:
		return g.returns()
	case formJump:
		return g.jump()
	case formRotate:
		return g.rotate()
	case formEval:
		return []*Stmt{{Kind: Eval, X: g.expr(g.Depth)}}
	case formEmpty:
		return []*Stmt{{Kind: Empty}}
	}
	return g.assign()
}

// form picks a form that is possible here.
func (g *generator) form() form {
	possible := g.Stmt
	for f := range possible {
		nests := form(f) == formBlock || form(f) == formIf || form(f) == formChain || form(f) == formLoop || form(f) == formEndless
		if formLevels[f] > g.Level || nests && g.nest >= g.Nest {
			possible[f] = 0
		}
	}
	if len(g.loops) == 0 {
		possible[formJump] = 0
	}
	return form(g.pick(possible[:]))
}

// pick is a random index, by weight.
func (g *generator) pick(weights []int) int {
	sum := 0
	for _, w := range weights {
		sum += w
	}
	at := g.IntN(max(1, sum))
	for i, w := range weights {
		if at -= w; at < 0 {
			return i
		}
	}
	return 0
}

func (g *generator) declare() []*Stmt {
	s := &Stmt{Kind: Declare}
	if g.Level < levelNoInit || !g.percent(10) {
		s.X = g.expr(g.Depth)
	}
	s.Name = g.name()
	g.vars = append(g.vars, &local{name: s.Name})
	return []*Stmt{s}
}

// name is a name for a declaration here: a new one, or one of an outer block. The
// counters of the loop whose body this is stay in sight, and arg is declared outermost.
func (g *generator) name() string {
	if start := g.blocks[len(g.blocks)-1]; start > 0 && g.percent(g.Shadow) {
		v := g.vars[g.IntN(start)]
		if !g.declaredHere(v.name) && !v.counter && (len(g.blocks) > 2 || v.name != "arg") {
			return v.name
		}
	}
	return g.newName()
}

func (g *generator) declaredHere(name string) bool {
	for _, v := range g.vars[g.blocks[len(g.blocks)-1]:] {
		if v.name == name {
			return true
		}
	}
	return false
}

func (g *generator) newName() string {
	g.fresh++
	const letters = 26
	c := 'a' + rune((g.fresh-1)%letters)
	if n := (g.fresh - 1) / letters; n > 0 {
		return fmt.Sprintf("%c_%d", c, n) // without the line it could be a type of chapter 14
	}
	return string(c)
}

func (g *generator) assign() []*Stmt {
	v := g.target()
	if v == nil {
		return g.declare()
	}
	return []*Stmt{{Kind: Assign, Name: v.name, X: g.expr(g.Depth)}}
}

// target is a variable that may be assigned, nil if there is none.
func (g *generator) target() *local {
	for range 8 {
		if len(g.vars) == 0 {
			break
		}
		i := g.IntN(len(g.vars))
		if v := g.vars[i]; !v.counter && g.visible(i) {
			return v
		}
	}
	return nil
}

// rotate moves the values of a few variables round.
func (g *generator) rotate() []*Stmt {
	n := 2 + g.IntN(3)
	var names []string
	for range n {
		if v := g.target(); v != nil {
			names = append(names, v.name)
		}
	}
	if len(names) == 0 {
		return g.declare()
	}
	t := g.newName()
	list := []*Stmt{{Kind: Declare, Name: t, X: variable(names[0])}}
	for i := range names[1:] {
		list = append(list, &Stmt{Kind: Assign, Name: names[i], X: variable(names[i+1])})
	}
	list = append(list, &Stmt{Kind: Assign, Name: names[len(names)-1], X: variable(t)})
	return []*Stmt{{Kind: Block, Body: list}}
}

func (g *generator) ifs(chain bool) *Stmt {
	s := &Stmt{Kind: If, X: g.condition(), Bare: g.Bare, Body: g.block(nil)}
	at := s
	if chain {
		x := g.expr(1)
		for range 1 + g.IntN(5) {
			next := &Stmt{Kind: If, X: g.condition(), Bare: true}
			if g.percent(60) { // one expression tested again and again
				next.X = binary(EQ, x.clone(), number(g.Int64N(6)))
			}
			next.Body = g.block(nil)
			at.Else, at.Bare = []*Stmt{next}, true
			at = next
		}
	}
	if g.percent(50) {
		at.Else = g.block(nil)
	}
	return s
}

// returns is a return that may or may not be reached.
func (g *generator) returns() []*Stmt {
	s := &Stmt{Kind: Return, X: g.expr(g.Depth)}
	if g.Level >= levelAfterReturn && g.percent(10) {
		return []*Stmt{s}
	}
	return []*Stmt{{Kind: If, X: g.condition(), Bare: g.Bare, Body: []*Stmt{s}}}
}

// jump is a break or a continue that may or may not be reached.
func (g *generator) jump() []*Stmt {
	l := g.loops[len(g.loops)-1]
	list := []*Stmt{{Kind: Break}}
	if step, ok := g.step(l); ok && g.percent(50) {
		list = append(step, &Stmt{Kind: Continue})
	}
	if g.percent(10) {
		return list
	}
	return []*Stmt{{Kind: If, X: g.condition(), Bare: g.Bare, Body: list}}
}
