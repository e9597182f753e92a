package smith

import "fmt"

// The chapters that bring what programs are made of (chapters, appendix B.1).
const (
	levelLiteral     = 1
	levelArithmetic  = 2
	levelVariables   = 3
	levelArg         = 4
	levelCompare     = 4
	levelIf          = 5
	levelAfterReturn = 6
	levelWhile       = 7
	levelJumps       = 8
	levelNot         = 10
	levelNoInit      = 10
	levelExprStmt    = 10
	LastLevel        = 24
)

// opLevels are the first chapters of the operators.
var opLevels = [...]int{
	Const: levelLiteral, Name: levelVariables, Neg: levelArithmetic, Not: levelNot,
	Add: levelArithmetic, Sub: levelArithmetic, Mul: levelArithmetic, Div: levelArithmetic,
	EQ: levelCompare, NE: levelCompare, LT: levelCompare, LE: levelCompare, GT: levelCompare, GE: levelCompare,
}

// stmtLevels are the first chapters of the statements.
var stmtLevels = [...]int{
	Return: levelLiteral, Declare: levelVariables, Assign: levelVariables, Block: levelVariables, If: levelIf,
	While: levelWhile, Break: levelJumps, Continue: levelJumps, Eval: levelExprStmt, Empty: levelVariables,
}

// Resolve binds all names and checks the program. It returns the first chapter at which
// the program is valid; it is valid at all later ones. It must be called before Run and C
// whenever the tree has changed.
func (p *Program) Resolve() (level int, err error) {
	r := resolver{level: levelLiteral}
	r.declare("arg")
	r.push()
	r.list(p.Body)
	r.shape(p.Body)
	p.slots = r.most
	return r.level, r.err
}

// A resolver walks a program with the names in sight.
type resolver struct {
	names  []string // by slot
	starts []int    // where each block begins in names
	most   int      // how many names there were at once
	loops  int
	level  int
	err    error
}

func (r *resolver) push() { r.starts = append(r.starts, len(r.names)) }

func (r *resolver) pop() {
	last := len(r.starts) - 1
	r.names = r.names[:r.starts[last]]
	r.starts = r.starts[:last]
}

func (r *resolver) declare(name string) int {
	r.names = append(r.names, name)
	r.most = max(r.most, len(r.names))
	return len(r.names) - 1
}

// lookup is the slot of the innermost declaration of name.
func (r *resolver) lookup(name string) int {
	for i := len(r.names) - 1; i >= 0; i-- {
		if r.names[i] == name {
			if i == 0 {
				r.need(levelArg)
			}
			return i
		}
	}
	r.fail("undefined name %s", name)
	return 0
}

func (r *resolver) need(level int) { r.level = max(r.level, level) }

func (r *resolver) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf(format, args...)
	}
}

// shape finds what the first chapters want of a whole program: one return, at its end.
func (r *resolver) shape(body []*Stmt) {
	n := len(body)
	if n == 0 || body[n-1].Kind != Return {
		r.need(levelIf)
	}
	if n > 1 {
		r.need(levelVariables)
	}
	for _, s := range body[:max(0, n-1)] {
		if s.returns() {
			r.need(levelIf)
		}
	}
}

// returns tells whether there is a return in s.
func (s *Stmt) returns() bool {
	if s.Kind == Return {
		return true
	}
	for _, list := range [2][]*Stmt{s.Body, s.Else} {
		for _, t := range list {
			if t.returns() {
				return true
			}
		}
	}
	return false
}

func (r *resolver) list(list []*Stmt) {
	returned := false
	for _, s := range list {
		if returned && s.Kind != Empty {
			r.need(levelAfterReturn)
		}
		r.stmt(s)
		returned = returned || s.Kind == Return
	}
}

func (r *resolver) block(list []*Stmt) {
	r.push()
	r.list(list)
	r.pop()
}

func (r *resolver) stmt(s *Stmt) {
	r.need(stmtLevels[s.Kind])
	r.expr(s.X)
	switch s.Kind {
	case Declare:
		if s.X == nil {
			r.need(levelNoInit)
		}
		outermost := len(r.starts) == 1
		if outermost && s.Name == "arg" {
			r.fail("arg is declared already")
		}
		for _, name := range r.names[r.starts[len(r.starts)-1]:] {
			if name == s.Name {
				r.fail("%s is declared twice in one block", name)
			}
		}
		s.slot = r.declare(s.Name)
	case Assign:
		s.slot = r.lookup(s.Name)
	case Block, If:
		r.block(s.Body)
		r.block(s.Else)
	case While:
		r.loops++
		r.block(s.Body)
		r.loops--
	case Break, Continue:
		if r.loops == 0 {
			r.fail("a jump outside of loops")
		}
	}
}

func (r *resolver) expr(e *Expr) {
	if e == nil {
		return
	}
	r.need(opLevels[e.Op])
	switch {
	case e.Op == Name:
		e.slot = r.lookup(e.Name)
	case e.Word:
		r.need(levelIf)
	}
	r.expr(e.L)
	r.expr(e.R)
}
