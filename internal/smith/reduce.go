package smith

// Reduce makes p smaller as long as fails holds for it, and returns a copy that cannot be
// made smaller by any single step: dropping statements, putting what a statement guards
// in its place, putting an operand or a constant in the place of an expression. fails is
// given valid programs only, with the first chapter at which they are valid; it must hold
// for p.
func Reduce(p *Program, fails func(p *Program, level int) bool) *Program {
	r := reducer{p: p.Clone(), fails: fails}
	r.p.Style = Style{}
	if !r.good() {
		r.p.Style = p.Style
	}
	for size := -1; r.p.Size() != size && r.tests < maxTests; {
		size = r.p.Size()
		r.statements(&r.p.Body)
		r.expressions(r.p.Body)
		r.constants(r.p.Body)
	}
	r.good() // binds the names of what is left
	return r.p
}

// maxTests is how often fails is called, about.
const maxTests = 20_000

// A reducer changes a program in place and takes back what does not help.
type reducer struct {
	p     *Program
	fails func(p *Program, level int) bool
	tests int
}

// good tells whether the program as it is still fails.
func (r *reducer) good() bool {
	level, err := r.p.Resolve()
	if err != nil {
		return false
	}
	r.tests++
	return r.fails(r.p, level)
}

// attempt sets *at to v if the program still fails then.
func attempt[T any](r *reducer, at *T, v T) bool {
	old := *at
	*at = v
	if r.good() {
		return true
	}
	*at = old
	return false
}

// statements reduces a list: first by runs of half its length, then by shorter ones.
func (r *reducer) statements(list *[]*Stmt) {
	for run := len(*list); run > 0; run /= 2 {
		for i := 0; i+run <= len(*list); {
			rest := append(append([]*Stmt{}, (*list)[:i]...), (*list)[i+run:]...)
			if !attempt(r, list, rest) {
				i += run
			}
		}
	}
	for i := 0; i < len(*list); i++ {
		s := (*list)[i]
		for _, part := range [][]*Stmt{s.Body, s.Else} {
			if s.Kind < Block || len(part) == 0 {
				continue
			}
			rest := append(append(append([]*Stmt{}, (*list)[:i]...), part...), (*list)[i+1:]...)
			if attempt(r, list, rest) {
				break
			}
		}
		if i >= len(*list) {
			break
		}
		s = (*list)[i]
		if s.Kind == While && attempt(r, &s.Kind, If) {
			s.Else = nil
		}
		r.statements(&s.Body)
		r.statements(&s.Else)
	}
}

// eachExpr calls do for every expression at the top of a statement of the list.
func eachExpr(list []*Stmt, do func(e **Expr)) {
	for _, s := range list {
		if s.X != nil {
			do(&s.X)
		}
		eachExpr(s.Body, do)
		eachExpr(s.Else, do)
	}
}

func (r *reducer) expressions(list []*Stmt) { eachExpr(list, r.expression) }

// expression replaces an expression by something simpler, from the top down.
func (r *reducer) expression(at **Expr) {
	e := *at
	if e.Op == Const || e.Op == Name {
		r.operand(at)
		return
	}
	for _, simpler := range []*Expr{number(0), number(1), variable("arg"), e.L, e.R} {
		if simpler != nil && attempt(r, at, simpler) {
			if simpler == e.L || simpler == e.R {
				r.expression(at)
			}
			return
		}
	}
	r.expression(&e.L)
	if e.R != nil {
		r.expression(&e.R)
	}
}

// operand replaces a variable by a constant or the argument.
func (r *reducer) operand(at **Expr) {
	e := *at
	if e.Op == Name {
		if attempt(r, at, number(0)) || attempt(r, at, number(1)) || e.Name != "arg" && attempt(r, at, variable("arg")) {
			return
		}
	}
}

// constants brings constants nearer to 0.
func (r *reducer) constants(list []*Stmt) {
	var walk func(e *Expr)
	walk = func(e *Expr) {
		if e == nil {
			return
		}
		if e.Op == Const {
			if e.Word && attempt(r, &e.Word, false) {
				e.Word = false
			}
			for _, v := range []int64{0, 1, 2, e.Value / 2, e.Value - 1} {
				if v >= 0 && v < e.Value && attempt(r, &e.Value, v) {
					break
				}
			}
		}
		walk(e.L)
		walk(e.R)
	}
	eachExpr(list, func(e **Expr) { walk(*e) })
}
