package smith

import (
	"fmt"
	"strings"
)

// CPrelude comes first in a C file with functions that C prints. Arithmetic goes through
// unsigned words, so that C has nothing undefined in it.
const CPrelude = `#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
typedef int64_t I;
typedef uint64_t U;
static inline I add(I a, I b) { return (I)((U)a + (U)b); }
static inline I sub(I a, I b) { return (I)((U)a - (U)b); }
static inline I mul(I a, I b) { return (I)((U)a * (U)b); }
static inline I neg(I a) { return (I)(0 - (U)a); }
static inline I quo(I a, I b) { return b == 0 ? 0 : b == -1 ? neg(a) : a / b; }
`

// C prints the program as a C function of that name with the argument arg, behind
// CPrelude. Resolve must have been called.
func (p *Program) C(name string) string {
	c := cPrinter{}
	fmt.Fprintf(&c, "I %s(I v0) {\n", name)
	c.list(p.Body)
	c.WriteString("return 0;\n}\n")
	return c.String()
}

// A cPrinter writes C. A variable is called by its slot: an initializer of C would see
// its own name.
type cPrinter struct{ strings.Builder }

func (c *cPrinter) list(list []*Stmt) {
	for _, s := range list {
		c.stmt(s)
	}
}

func (c *cPrinter) stmt(s *Stmt) {
	switch s.Kind {
	case Return:
		fmt.Fprintf(c, "return %s;\n", cExpr(s.X))
	case Declare:
		x := s.X
		if x == nil {
			x = number(0)
		}
		fmt.Fprintf(c, "I v%d = %s;\n", s.slot, cExpr(x))
	case Assign:
		fmt.Fprintf(c, "v%d = %s;\n", s.slot, cExpr(s.X))
	case Block:
		c.braces(s.Body)
	case If:
		fmt.Fprintf(c, "if (%s) ", cExpr(s.X))
		c.braces(s.Body)
		c.WriteString("else ")
		c.braces(s.Else)
	case While:
		fmt.Fprintf(c, "while (%s) ", cExpr(s.X))
		c.braces(s.Body)
	case Break:
		c.WriteString("break;\n")
	case Continue:
		c.WriteString("continue;\n")
	case Eval:
		fmt.Fprintf(c, "%s;\n", cExpr(s.X))
	}
}

func (c *cPrinter) braces(list []*Stmt) {
	c.WriteString("{\n")
	c.list(list)
	c.WriteString("}\n")
}

// cForms are how the operators look in C.
var cForms = [...]string{
	Neg: "neg(%s)", Not: "(I)!(%s)", Add: "add(%s, %s)", Sub: "sub(%s, %s)", Mul: "mul(%s, %s)", Div: "quo(%s, %s)",
	EQ: "(I)(%s == %s)", NE: "(I)(%s != %s)", LT: "(I)(%s < %s)", LE: "(I)(%s <= %s)", GT: "(I)(%s > %s)", GE: "(I)(%s >= %s)",
}

func cExpr(e *Expr) string {
	switch {
	case e.Op == Const:
		return fmt.Sprintf("INT64_C(%d)", e.Value)
	case e.Op == Name:
		return fmt.Sprintf("v%d", e.slot)
	case e.R == nil:
		return fmt.Sprintf(cForms[e.Op], cExpr(e.L))
	}
	return fmt.Sprintf(cForms[e.Op], cExpr(e.L), cExpr(e.R))
}
