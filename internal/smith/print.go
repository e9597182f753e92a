package smith

import (
	"strconv"
	"strings"
)

// Text prints the program as Simple of a chapter, which decides only what needs
// parentheses: a chain of comparisons is a thing of its own from chapter 24 on, and two
// minus signs side by side from 17.
func (p *Program) Text(chapter int) string {
	t := printer{Style: p.Style, chapter: chapter}
	t.list(p.Body)
	return t.String()
}

// The first chapters in which a text would read otherwise.
const (
	levelDecrement = 17
	levelChains    = 24
)

// A printer writes Simple.
type printer struct {
	strings.Builder
	Style
	chapter int
	indent  int
}

func (t *printer) list(list []*Stmt) {
	for _, s := range list {
		t.line()
		t.stmt(s)
	}
}

// line begins a new line.
func (t *printer) line() {
	if t.Len() == 0 {
		return
	}
	if t.Tight {
		t.WriteByte(' ')
		return
	}
	t.WriteByte('\n')
	for range t.indent {
		t.WriteString("    ")
	}
}

func (t *printer) stmt(s *Stmt) {
	switch s.Kind {
	case Return:
		t.WriteString("return ")
		t.end(s.X)
	case Declare:
		t.WriteString("int " + s.Name)
		if s.X == nil {
			t.WriteByte(';')
			return
		}
		t.op("=")
		t.end(s.X)
	case Assign:
		t.WriteString(s.Name)
		t.op("=")
		t.end(s.X)
	case Block:
		t.braces(s.Body)
	case If:
		t.ifs(s)
	case While:
		t.head("while", s.X)
		t.part(s.Body, s.Bare)
	case Break:
		t.WriteString("break;")
	case Continue:
		t.WriteString("continue;")
	case Eval:
		t.end(s.X)
	case Empty:
		t.WriteByte(';')
	}
}

func (t *printer) end(e *Expr) {
	t.expr(e, loosest)
	t.WriteByte(';')
}

func (t *printer) head(word string, cond *Expr) {
	t.WriteString(word)
	t.space()
	t.WriteByte('(')
	t.expr(cond, loosest)
	t.WriteByte(')')
	t.space()
}

func (t *printer) space() {
	if !t.Tight {
		t.WriteByte(' ')
	}
}

func (t *printer) op(s string) {
	t.space()
	t.WriteString(s)
	t.space()
}

func (t *printer) ifs(s *Stmt) {
	t.head("if", s.X)
	t.part(s.Body, s.Bare && (len(s.Else) == 0 || simple(s.Body)))
	if len(s.Else) == 0 {
		return
	}
	t.space()
	t.WriteString("else")
	t.WriteByte(' ')
	t.part(s.Else, s.Bare)
}

// simple tells whether a list is one statement with no statement in it, behind which an
// else can only belong to what is around it.
func simple(list []*Stmt) bool {
	return len(list) == 1 && len(list[0].Body) == 0 && list[0].Kind != If && list[0].Kind != While
}

// part prints what an if or a while guards.
func (t *printer) part(list []*Stmt, bare bool) {
	if bare && len(list) == 1 && list[0].Kind != Declare {
		t.stmt(list[0])
		return
	}
	t.braces(list)
}

func (t *printer) braces(list []*Stmt) {
	t.WriteByte('{')
	t.indent++
	t.list(list)
	t.indent--
	if len(list) > 0 {
		t.line()
	}
	t.WriteByte('}')
}

// Precedences, from the loosest operators to operands.
const (
	loosest = iota
	precCompare
	precAdd
	precMul
	precUnary
)

// operators are the texts and precedences of the operators.
var operators = [...]struct {
	text string
	prec int
}{
	Neg: {"-", precUnary}, Not: {"!", precUnary}, Add: {"+", precAdd}, Sub: {"-", precAdd}, Mul: {"*", precMul}, Div: {"/", precMul},
	EQ: {"==", precCompare}, NE: {"!=", precCompare}, LT: {"<", precCompare}, LE: {"<=", precCompare}, GT: {">", precCompare}, GE: {">=", precCompare},
}

// expr prints e where only operators at least as tight as prec go without parentheses.
func (t *printer) expr(e *Expr, prec int) {
	switch e.Op {
	case Const:
		t.constant(e)
		return
	case Name:
		t.WriteString(e.Name)
		return
	}
	o := operators[e.Op]
	if parens := o.prec < prec || t.Parens && prec > loosest; parens {
		t.WriteByte('(')
		defer t.WriteByte(')')
	}
	if e.R == nil {
		t.minusApart(e.Op)
		t.WriteString(o.text)
		t.expr(e.L, o.prec)
		return
	}
	left := o.prec
	if o.prec == precCompare && t.chapter >= levelChains {
		left++
	}
	t.expr(e.L, left)
	t.op(o.text)
	t.expr(e.R, o.prec+1)
}

// minusApart keeps a minus sign apart from one before it where two would be read as one.
func (t *printer) minusApart(op Op) {
	if op == Neg && t.chapter >= levelDecrement && strings.HasSuffix(t.String(), "-") {
		t.WriteByte(' ')
	}
}

func (t *printer) constant(e *Expr) {
	if e.Word {
		t.WriteString(strconv.FormatBool(e.Value != 0))
		return
	}
	t.WriteString(strconv.FormatInt(e.Value, 10))
}
