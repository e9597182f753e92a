package smith

import (
	"fmt"
	"strconv"
	"strings"
)

// Parse reads a program of the built language, comments included. It is strict about the
// grammar and knows nothing of chapters; Resolve tells which the program needs.
func Parse(text string) (p *Program, err error) {
	r := reader{src: text}
	defer func() {
		if e, ok := recover().(syntaxError); ok {
			p, err = nil, e
		}
	}()
	r.next()
	p = &Program{}
	for r.tok != "" {
		p.Body = append(p.Body, r.stmt())
	}
	return p, nil
}

// A syntaxError is what the reader panics with.
type syntaxError string

func (e syntaxError) Error() string { return string(e) }

// A reader is a recursive descent over the text.
type reader struct {
	src   string
	pos   int
	tok   string // the next token, "" at the end
	depth int
}

// maxNesting keeps the reader's recursion small.
const maxNesting = 10_000

func (r *reader) fail(format string, args ...any) {
	panic(syntaxError(fmt.Sprintf("offset %d: ", r.pos) + fmt.Sprintf(format, args...)))
}

func (r *reader) enter() {
	if r.depth++; r.depth > maxNesting {
		r.fail("nested too deeply")
	}
}

func (r *reader) next() {
	r.skip()
	rest := r.src[r.pos:]
	n := 0
	switch {
	case rest == "":
	case letter(rest[0]) || digit(rest[0]):
		for n < len(rest) && (letter(rest[n]) || digit(rest[n])) {
			n++
		}
	case len(rest) > 1 && rest[1] == '=' && strings.IndexByte("=!<>", rest[0]) >= 0:
		n = 2
	case strings.IndexByte("+-*/<>=!(){};", rest[0]) >= 0:
		n = 1
	default:
		r.fail("unexpected %q", rest[0])
	}
	r.tok = rest[:n]
	r.pos += n
}

func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' }
func digit(c byte) bool  { return c >= '0' && c <= '9' }

// skip skips white space and comments.
func (r *reader) skip() {
	for r.pos < len(r.src) {
		rest := r.src[r.pos:]
		n := 0
		switch {
		case rest[0] <= ' ':
			n = 1
		case strings.HasPrefix(rest, "//"):
			n = len(rest)
			if i := strings.IndexByte(rest, '\n'); i >= 0 {
				n = i
			}
		case strings.HasPrefix(rest, "/*"):
			i := strings.Index(rest[2:], "*/")
			if i < 0 {
				r.fail("a comment does not end")
			}
			n = 2 + i + 2
		default:
			return
		}
		r.pos += n
	}
}

func (r *reader) take(tok string) bool {
	if r.tok != tok {
		return false
	}
	r.next()
	return true
}

func (r *reader) expect(tok string) {
	if !r.take(tok) {
		r.fail("expected %s, found %q", tok, r.tok)
	}
}

func (r *reader) stmt() *Stmt {
	r.enter()
	defer func() { r.depth-- }()
	switch {
	case r.take("return"):
		return r.ended(&Stmt{Kind: Return, X: r.expr(0)})
	case r.take("int"):
		s := &Stmt{Kind: Declare, Name: r.name()}
		if r.take("=") {
			s.X = r.expr(0)
		}
		return r.ended(s)
	case r.take("{"):
		return &Stmt{Kind: Block, Body: r.untilBrace()}
	case r.take("if"):
		s := &Stmt{Kind: If, X: r.condition(), Body: r.part()}
		if r.take("else") {
			s.Else = r.part()
		}
		return s
	case r.take("while"):
		return &Stmt{Kind: While, X: r.condition(), Body: r.part()}
	case r.take("break"):
		return r.ended(&Stmt{Kind: Break})
	case r.take("continue"):
		return r.ended(&Stmt{Kind: Continue})
	case r.take(";"):
		return &Stmt{Kind: Empty}
	}
	start, first := r.pos, r.tok
	if r.next(); letter(first[0]) && r.take("=") {
		s := &Stmt{Kind: Assign, Name: first, X: r.expr(0)}
		if word(first) {
			r.fail("%s is no name", first)
		}
		return r.ended(s)
	}
	r.pos, r.tok = start, first
	return r.ended(&Stmt{Kind: Eval, X: r.expr(0)})
}

func (r *reader) ended(s *Stmt) *Stmt {
	r.expect(";")
	return s
}

func (r *reader) condition() *Expr {
	r.expect("(")
	x := r.expr(0)
	r.expect(")")
	return x
}

func (r *reader) untilBrace() (list []*Stmt) {
	for r.tok != "}" {
		if r.tok == "" {
			r.fail("a block does not end")
		}
		list = append(list, r.stmt())
	}
	r.next()
	return list
}

// part reads what an if or a while guards; braces are no statement of their own there.
func (r *reader) part() []*Stmt {
	if r.take("{") {
		return r.untilBrace()
	}
	s := r.stmt()
	if s.Kind == Declare {
		r.fail("a declaration guarded by an if or a while")
	}
	return []*Stmt{s}
}

// keywords are the words that are no names in the built language or in a later chapter.
const keywords = " return int if else true false while break continue struct new null flt bool byte f32 f64 i8 i16 i32 i64 u1 u8 u16 u32 for val var "

func word(s string) bool { return strings.Contains(keywords, " "+s+" ") }

func (r *reader) name() string {
	t := r.tok
	if t == "" || !letter(t[0]) || word(t) {
		r.fail("expected a name, found %q", t)
	}
	r.next()
	return t
}

// reading are the binary operators by token.
var reading = func() map[string]Op {
	m := map[string]Op{}
	for op := Add; op <= GE; op++ {
		m[operators[op].text] = op
	}
	return m
}()

// expr reads operators at least as tight as prec, by precedence climbing.
func (r *reader) expr(prec int) *Expr {
	r.enter()
	left := r.unary()
	for {
		op, ok := reading[r.tok]
		if !ok || operators[op].prec < prec {
			break
		}
		r.next()
		left = binary(op, left, r.expr(operators[op].prec+1))
	}
	r.depth--
	return left
}

func (r *reader) unary() *Expr {
	r.enter()
	defer func() { r.depth-- }()
	switch {
	case r.take("-"):
		return &Expr{Op: Neg, L: r.unary()}
	case r.take("!"):
		return &Expr{Op: Not, L: r.unary()}
	case r.take("("):
		x := r.expr(0)
		r.expect(")")
		return x
	case r.take("true"):
		return &Expr{Op: Const, Word: true, Value: 1}
	case r.take("false"):
		return &Expr{Op: Const, Word: true, Value: 0}
	}
	if r.tok == "" || !digit(r.tok[0]) {
		return variable(r.name())
	}
	t := r.tok
	v, err := strconv.ParseInt(t, 10, 64)
	if err != nil || len(t) > 1 && t[0] == '0' {
		r.fail("bad number %s", t)
	}
	r.next()
	return &Expr{Op: Const, Value: v}
}
