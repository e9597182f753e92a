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
	{"allocate", "Cannot allocate a %s", "'new' makes structs and arrays; a value of this type is no object.", 12, "return new flt;"},
	{"allocate-elements", "Cannot allocate a non-nullable, since arrays always zero/null fill", "The elements of a new array are null. Make their type nullable with '?'.", 15, "struct S { int x; } return new S[3]#;"},
	{"already-null", "Type %s already allows null", "One '?' is enough.", 10, "struct S { int x; } S?? p; return 1;"},
	{"arm", "Cannot define a '%s' on one arm of an if", "An arm of an if is a statement, not a block. A name declared there would exist on one path only. Declare it before the if, or put braces around the arm.", 5, "if(arg) int x=1; return arg;"},
	{"array-elements", "Arrays of reference types must always be nullable", "The elements of a new array are null. Make their type nullable with '?'.", 15, "struct S { int x; } S[] a; return 1;"},
	{"array-length", "Cannot allocate an array with length %s", "The length of an array is an integer.", 15, "return new int[2.5]#;"},
	{"expected", "Syntax error, expected %s: %s", "A word or a mark is missing here; the text behind the colon is what stands there instead.", 1, "return 5"},
	{"expected-kind", "Expected %s but found %s", "A field, an element or a length is asked of a value that has none.", 10, "int k = arg; return k.f;"},
	{"float", "Syntax error, malformed number: %s", "A floating-point number is digits with one '.', or an exponent behind 'e', or both.", 12, "return 1.2.3;"},
	{"identifier", "Expected an identifier, found '%s'", "A name must stand here: a letter or '_', then letters, digits and '_', and not a word that the language has reserved at this chapter.", 5, "int true=0; return 1;"},
	{"index", "Expected an integer index but found %s", "Elements are counted by integers.", 15, "int[] a = new int[3]; return a[1.5];"},
	{"infer-null", "a not-null/non-zero expression", "The type of the name is that of the value, and null alone says too little.", 17, "var p = null; return 1;"},
	{"integer", "Syntax error, expected integer literal: %s", "An operand is missing. At chapters 1 and 2 it must be an integer.", 1, "return -100;"},
	{"leading-zero", "Syntax error: integer values cannot start with '0'", "A number other than 0 begins with a digit other than 0; there are no octal numbers.", 1, "return 007;"},
	{"might-be-null", "Might be null accessing '%s'", "The reference can be null here. Test it first: in the branch where the test says that it is not null it can be used.", 10, "struct S { int x; } S? p = null; if(arg) p = new S; return p.x;"},
	{"modify-final", "Cannot modify final field '%s'", "The field was declared final, or the reference is read-only: a reference that is initialized where it is declared is, unless it is marked with '!' or declared with var.", 17, "struct S { int x; }; val s = new S; s.x = 3; return s.x;"},
	{"needs-chapter", "%s needs chapter %d", "The program uses something that a later chapter of the language brings. Choose that chapter with --chapter, or leave the flag out.", 1, "return 1+2;"},
	{"no-common-type", "No common type amongst %s and %s", "The two arms of '?:' give values of different kinds.", 17, "struct S { int x; }; return arg ? 2 : new S;"},
	{"no-field", "Accessing unknown field '%s' from '%s'", "The object has no such field, or the reference is null.", 10, "struct S { int x; } S s = new S; return s.y;"},
	{"no-loop", "No active loop for a break or continue", "'break' and 'continue' belong to the innermost while around them, and there is none.", 8, "break; return 1;"},
	{"no-null", "Type %s cannot be null", "Only references can be null.", 10, "int? k; return 1;"},
	{"no-return", "program must end in return", "Up to chapter 4 a program ends with its only return.", 3, "int a=1;"},
	{"not-declared", "Type %s is not of declared type %s", "The value cannot go where it is meant to: into a variable or field of another type, or into one that is never null, or one through which it could be changed.", 10, "struct S { int x; } S s = null; return 1;"},
	{"not-initialized", "'%s' is not fully initialized, field '%s' needs to be set in a constructor", "A field that has no value of its own must be set in braces behind 'new' on every way through them.", 16, "struct T { int q; }; struct P { T t; }; return new P;"},
	{"not-supported", "%s is not supported yet", "The language has it at this chapter, but this version of shoal does not.", 24, "return \"a\";"},
	{"open-block", "Syntax error, expected }: %s", "A block was opened with '{' and never closed.", 3, "{ int a=1; return a;"},
	{"open-comment", "Unclosed comment", "A comment that begins with '/*' ends with '*/'.", 22, "return 1; /* and so on"},
	{"operand", "Syntax error, expected an identifier or expression: %s", "An operand is missing: a number, a name, or an expression in parentheses.", 3, "return 1-;"},
	{"operator", "Cannot '%s' %s", "The operator takes numbers; bit operators take integers.", 10, "return null-2;"},
	{"out-of-range", "Syntax error, integer literal out of range", "Integers have 64 bits: literals go up to 9223372036854775807. The smallest integer is written -9223372036854775807-1.", 1, "return 9223372036854775808;"},
	{"reassign-final", "Cannot reassign final '%s'", "The name was declared final.", 17, "val k = 6; k = 7; return k;"},
	{"redefined", "Redefining name '%s'", "A block can declare a name once. An inner block may declare it again, which hides the outer one there.", 3, "int a=1; int a=2; return a;"},
	{"ssa-rule", "rule of linear SSA", "A function in a file of linear SSA breaks one of the rules S0 to S4, or one of the form that its first line names. The message says which, and how.", 11, ""},
	{"ssa-syntax", "syntax of linear SSA", "A file of linear SSA cannot be read here. The message says what is wrong.", 11, ""},
	{"statement", "Syntax error, expected a statement: %s", "A statement must stand here.", 1, "ret 1;"},
	{"steps", "the program did not end within %d steps", "The interpreter stops after the number of steps that --max-steps gives.", 1, ""},
	{"struct-place", "A struct must be declared at the outermost level", "Move the declaration out of the block, the arm or the loop.", 10, "{ struct S { int x; } } return 1;"},
	{"too-deep", "nesting is deeper than %d", "Statements can be nested in each other up to this depth, and so can parentheses and unary operators in a statement.", 24, ""},
	{"too-large", "source is larger than 1 GiB", "A program's text can have up to 1 GiB.", 24, ""},
	{"too-many-nodes", "the function %s is too large: its graph has more than 2^31 nodes", "The graph of one function can have up to 2147483647 nodes. Make two functions of it.", 24, ""},
	{"type", "Expected a type", "The name of a type must stand here.", 10, "return new 7;"},
	{"undefined", "Undefined name '%s'", "No variable of this name can be seen here: it was not declared, or in another block, or further down.", 3, "return x;"},
	{"unexpected", "Syntax error, unexpected %s", "The program is complete before this text, or a '}' has no '{'.", 1, "return 1; }"},
	{"uninitialized", "Cannot read uninitialized field '%s'", "It has no value yet on some way to this place.", 16, "struct S { int x; }; S s; return s.x;"},
	{"unknown-struct", "Unknown struct type '%s'", "The struct was not declared before this place.", 10, "return new Z;"},
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
