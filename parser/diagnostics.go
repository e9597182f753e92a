package parser

import (
	"fmt"

	"shoal/source"
)

// A Message is one row of the table of diagnostics.
type Message struct {
	Code    string // for shoal explain
	Format  string // the text, for fmt
	Explain string // what it means and what to do
	Level   int    // the chapter of Example
	Example string // a program that gives it
}

// Messages is the table of diagnostics, in order of code. Each Example gives exactly its
// message; a test runs them.
var Messages = []Message{
	{"arm", "Cannot define a '%s' on one arm of an if", "An arm of an if is a statement, not a block. A name declared there would exist on one path only. Declare it before the if, or put braces around the arm.", 5, "if(arg) int x=1; return arg;"},
	{"expected", "Syntax error, expected %s: %s", "A word or a mark is missing here; the text behind the colon is what stands there instead.", 1, "return 5"},
	{"identifier", "Expected an identifier, found '%s'", "A name must stand here: a letter or '_', then letters, digits and '_', and not a word that the language has reserved at this chapter.", 5, "int true=0; return 1;"},
	{"integer", "Syntax error, expected integer literal: %s", "An operand is missing. At chapters 1 and 2 it must be an integer.", 1, "return -100;"},
	{"leading-zero", "Syntax error: integer values cannot start with '0'", "A number other than 0 begins with a digit other than 0; there are no octal numbers.", 1, "return 007;"},
	{"needs-chapter", "%s needs chapter %d", "The program uses something that a later chapter of the language brings. Choose that chapter with --chapter, or leave the flag out.", 1, "return 1+2;"},
	{"no-loop", "No active loop for a break or continue", "'break' and 'continue' belong to the innermost while around them, and there is none.", 8, "break; return 1;"},
	{"no-return", "program must end in return", "Up to chapter 4 a program ends with its only return.", 3, "int a=1;"},
	{"not-supported", "%s is not supported yet", "The language has it at this chapter, but this version of shoal does not.", 24, "return \"a\";"},
	{"open-block", "Syntax error, expected }: %s", "A block was opened with '{' and never closed.", 3, "{ int a=1; return a;"},
	{"open-comment", "Unclosed comment", "A comment that begins with '/*' ends with '*/'.", 22, "return 1; /* and so on"},
	{"operand", "Syntax error, expected an identifier or expression: %s", "An operand is missing: a number, a name, or an expression in parentheses.", 3, "return 1-;"},
	{"out-of-range", "Syntax error, integer literal out of range", "Integers have 64 bits: literals go up to 9223372036854775807. The smallest integer is written -9223372036854775807-1.", 1, "return 9223372036854775808;"},
	{"redefined", "Redefining name '%s'", "A block can declare a name once. An inner block may declare it again, which hides the outer one there.", 3, "int a=1; int a=2; return a;"},
	{"ssa-rule", "rule of linear SSA", "A function in a file of linear SSA breaks one of the rules S0 to S4, or one of the form that its first line names. The message says which, and how.", 11, ""},
	{"ssa-syntax", "syntax of linear SSA", "A file of linear SSA cannot be read here. The message says what is wrong.", 11, ""},
	{"statement", "Syntax error, expected a statement: %s", "A statement must stand here.", 1, "ret 1;"},
	{"steps", "the program did not end within %d steps", "The interpreter stops after the number of steps that --max-steps gives.", 1, ""},
	{"too-deep", "nesting is deeper than %d", "Statements can be nested in each other up to this depth, and so can parentheses and unary operators in a statement.", 24, ""},
	{"too-large", "source is larger than 1 GiB", "A program's text can have up to 1 GiB.", 24, ""},
	{"too-many-nodes", "the function %s is too large: its graph has more than 2^31 nodes", "The graph of one function can have up to 2147483647 nodes. Make two functions of it.", 24, ""},
	{"undefined", "Undefined name '%s'", "No variable of this name can be seen here: it was not declared, or in another block, or further down.", 3, "return x;"},
	{"unexpected", "Syntax error, unexpected %s", "The program is complete before this text, or a '}' has no '{'.", 1, "return 1; }"},
}

// report records the diagnostic code for span.
func (p *parser) report(code string, span source.Span, args ...any) {
	p.reportHint(code, span, "", args...)
}

func (p *parser) reportHint(code string, span source.Span, hint string, args ...any) {
	if p.stopped {
		return
	}
	for i := range Messages {
		if m := &Messages[i]; m.Code == code {
			p.diags.Add(source.Diagnostic{Code: code, Span: span, Message: fmt.Sprintf(m.Format, args...), Hint: hint})
			return
		}
	}
	panic("parser: no diagnostic " + code)
}
