package smith

import "slices"

// A Program is a program of Simple. Names stand for variables as in the text: the
// innermost declaration counts, and an initializer does not see its own name.
type Program struct {
	Body  []*Stmt
	Style Style
	slots int // how many variables there are at once, at most; set by Resolve
}

// Style is how the Simple text of a program looks; it does not change what it means.
type Style struct {
	Tight  bool // no blanks that are not needed
	Parens bool // parentheses around every operation
}

// A StmtKind says what a Stmt does.
type StmtKind uint8

// The kinds of statements.
const (
	Return   StmtKind = iota // return X;
	Declare                  // int Name = X; without X there is no initializer
	Assign                   // Name = X;
	Block                    // { Body }
	If                       // if (X) Body else Else
	While                    // while (X) Body
	Break                    // break;
	Continue                 // continue;
	Eval                     // X;
	Empty                    // ;
)

// A Stmt is a statement.
type Stmt struct {
	Kind       StmtKind
	Bare       bool // Body, or Else, is printed without braces where it may be
	Name       string
	X          *Expr
	Body, Else []*Stmt
	slot       int // of the variable Name
}

// An Op says what an Expr does.
type Op uint8

// The kinds of expressions.
const (
	Const Op = iota // Value, at least 0: the language has no negative literals
	Name
	Neg
	Not
	Add
	Sub
	Mul
	Div
	EQ
	NE
	LT
	LE
	GT
	GE
)

// An Expr is an expression.
type Expr struct {
	Op    Op
	Word  bool // a constant 0 or 1 that is written false or true
	Value int64
	Name  string
	L, R  *Expr // R is nil for Neg and Not
	slot  int   // of the variable Name
}

// Clone returns a copy that shares nothing with p.
func (p *Program) Clone() *Program {
	q := *p
	q.Body = cloneList(p.Body)
	return &q
}

func cloneList(list []*Stmt) []*Stmt {
	list = slices.Clone(list)
	for i, s := range list {
		c := *s
		c.X, c.Body, c.Else = s.X.clone(), cloneList(s.Body), cloneList(s.Else)
		list[i] = &c
	}
	return list
}

func (e *Expr) clone() *Expr {
	if e == nil {
		return nil
	}
	c := *e
	c.L, c.R = e.L.clone(), e.R.clone()
	return &c
}

// Size is how many statements and expressions p has.
func (p *Program) Size() int { return listSize(p.Body) }

func listSize(list []*Stmt) (n int) {
	for _, s := range list {
		n += 1 + s.X.size() + listSize(s.Body) + listSize(s.Else)
	}
	return n
}

func (e *Expr) size() int {
	if e == nil {
		return 0
	}
	return 1 + e.L.size() + e.R.size()
}

// number is an expression with the value v. MIN has no literal of its own.
func number(v int64) *Expr {
	switch {
	case v >= 0:
		return &Expr{Op: Const, Value: v}
	case v == -v:
		return binary(Sub, number(v+1), number(1))
	}
	return &Expr{Op: Neg, L: number(-v)}
}

func variable(name string) *Expr { return &Expr{Op: Name, Name: name} }

func binary(op Op, l, r *Expr) *Expr { return &Expr{Op: op, L: l, R: r} }
