package parser

import (
	"unicode"
	"unicode/utf8"

	"shoal/source"
)

// A tokenKind is the kind of a token.
type tokenKind uint8

const (
	tokEOF    tokenKind = iota
	tokName             // a name or a keyword
	tokNumber           // digits, and what is glued to them
	tokOp               // an operator or a punctuation mark
	tokString           // a string or character literal
	tokBad              // a byte that begins no token
)

// A token is a piece of the text.
type token struct {
	kind       tokenKind
	start, end source.Pos
	text       string
}

func (t token) span() source.Span { return source.Span{Start: t.start, End: t.end} }

// is tells whether t is the operator or punctuation mark s.
func (t token) is(s string) bool { return t.kind == tokOp && t.text == s }

// A lexer cuts the text into tokens, one ahead of the parser.
type lexer struct {
	src    string
	pos    int
	floats bool // the chapter has numbers with fractions and exponents
	// comment, if not nil, is told of each comment: the chapter may not have them yet, or
	// it may not end.
	comment func(span source.Span, block, ended bool)
}

// class sorts bytes.
var class = func() (t [256]uint8) {
	for c := range 256 {
		switch {
		case c <= ' ':
			t[c] = classSpace
		case c >= '0' && c <= '9':
			t[c] = classDigit
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_':
			t[c] = classLetter
		}
	}
	return t
}()

const (
	classOther = iota
	classSpace
	classDigit
	classLetter
)

// next cuts the next token.
func (l *lexer) next() token {
	l.skipSpace()
	start := l.pos
	if start >= len(l.src) {
		end := source.At(len(l.src))
		return token{kind: tokEOF, start: end, end: end}
	}
	kind := tokOp
	switch c := l.src[start]; class[c] {
	case classLetter:
		kind = l.name()
	case classDigit:
		kind = tokNumber
		l.number()
	default:
		kind = l.other(c)
	}
	return token{kind, source.At(start), source.At(l.pos), l.src[start:l.pos]}
}

func (l *lexer) word() {
	for l.pos < len(l.src) && class[l.src[l.pos]] >= classDigit {
		l.pos++
	}
}

// name takes a word. Letters that are not ASCII make it no name, but errors quote it whole.
func (l *lexer) name() tokenKind {
	kind := tokName
	for {
		l.word()
		if l.pos == len(l.src) || l.src[l.pos] < utf8.RuneSelf {
			return kind
		}
		r, size := utf8.DecodeRuneInString(l.src[l.pos:])
		if !unicode.IsLetter(r) {
			return kind
		}
		kind = tokBad
		l.pos += size
	}
}

// number takes digits, and a fraction and an exponent (language §2.7); where the chapter
// has no floats only so that errors quote them whole.
func (l *lexer) number() {
	l.digits()
	if !l.floats {
		if c := l.at(0); class[l.at(1)] == classDigit && (c == '.' || c|0x20 == 'e') {
			l.pos++
			l.word()
		}
		return
	}
	for c := l.at(0); c == '.' || c == 'e'; c = l.at(0) {
		l.pos++
		if s := l.at(0); c == 'e' && (s == '-' || s == '+') && class[l.at(1)] == classDigit {
			l.pos++
		}
		l.digits()
	}
}

func (l *lexer) digits() {
	for class[l.at(0)] == classDigit {
		l.pos++
	}
}

// at is the byte i behind the current place, 0 at the end.
func (l *lexer) at(i int) byte {
	if l.pos+i < len(l.src) {
		return l.src[l.pos+i]
	}
	return 0
}

// operators are the operators of more than one byte that some chapter has, the longest
// first.
var operators = []string{">>>=", ">>>", "<<=", ">>=", "==", "!=", "<=", ">=", "<<", ">>", "&&", "||", "+=", "-=", "*=", "/=", "&=", "|=", "^=", "->"}

func (l *lexer) other(c byte) tokenKind {
	rest := l.src[l.pos:]
	for _, op := range operators {
		if len(rest) >= len(op) && rest[:len(op)] == op {
			l.pos += len(op)
			return tokOp
		}
	}
	if c == '"' || c == '\'' {
		l.literal(c)
		return tokString
	}
	if c >= utf8.RuneSelf {
		r, size := utf8.DecodeRuneInString(rest)
		l.pos += size
		if unicode.IsLetter(r) {
			l.name()
		}
		return tokBad
	}
	l.pos++
	return tokOp
}

func (l *lexer) literal(quote byte) {
	l.pos++
	for l.pos < len(l.src) && l.src[l.pos] != '\n' {
		c := l.src[l.pos]
		l.pos++
		if c == quote {
			return
		}
		if c == '\\' && l.pos < len(l.src) {
			l.pos++
		}
	}
}

// skipSpace skips white space, which is any byte up to the blank, and comments.
func (l *lexer) skipSpace() {
	for l.pos < len(l.src) {
		switch c := l.src[l.pos]; {
		case class[c] == classSpace:
			l.pos++
		case c == '/' && l.pos+1 < len(l.src) && l.src[l.pos+1] == '/':
			l.skipComment(false)
		case c == '/' && l.pos+1 < len(l.src) && l.src[l.pos+1] == '*':
			l.skipComment(true)
		default:
			return
		}
	}
}

func (l *lexer) skipComment(block bool) {
	start, ended := l.pos, !block
	l.pos += 2
	for l.pos < len(l.src) {
		if !block && l.src[l.pos] == '\n' {
			break
		}
		if block && l.src[l.pos] == '*' && l.pos+1 < len(l.src) && l.src[l.pos+1] == '/' {
			l.pos += 2
			ended = true
			break
		}
		l.pos++
	}
	l.comment(source.Span{Start: source.At(start), End: source.At(start + 2)}, block, ended)
}
