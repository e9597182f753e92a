package ssa

import (
	"math"
	"strconv"
	"strings"
)

// The kinds of tokens; punctuation is its own character.
const (
	tokEOF  byte = 0
	tokLine byte = '\n'
	tokName byte = 'a'
	tokInt  byte = '0'
	tokFlt  byte = '.'
	tokBad  byte = '?' // what no token starts with, or a number that does not fit
)

type token struct {
	kind       byte
	start, end int   // offsets in the text
	val        int64 // of tokInt; of tokFlt its bits
}

// A lexer cuts the text into tokens. tok is the token at hand.
type lexer struct {
	text string
	at   int
	tok  token
}

// nameChars tells what may stand in a name: 1 anywhere, 2 but at the start.
var nameChars = func() (t [256]byte) {
	for c := range t {
		switch {
		case 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || c == '.' || c == '$':
			t[c] = 1
		case '0' <= c && c <= '9' || c == '\'':
			t[c] = 2
		}
	}
	return t
}()

// next moves to the next token. Line ends are tokens, spaces and comments are not.
func (l *lexer) next() {
	i := l.at
	for i < len(l.text) && (l.text[i] == ' ' || l.text[i] == '\t' || l.text[i] == '\r') {
		i++
	}
	if i < len(l.text) && l.text[i] == '#' {
		if k := strings.IndexByte(l.text[i:], '\n'); k >= 0 {
			i += k
		} else {
			i = len(l.text)
		}
	}
	if i >= len(l.text) {
		l.at = len(l.text)
		l.tok = token{kind: tokEOF, start: len(l.text), end: len(l.text)}
		return
	}
	c, j := l.text[i], i+1
	digit := c == '-' || '0' <= c && c <= '9'
	if nameChars[c] == 1 || digit {
		for j < len(l.text) && (nameChars[l.text[j]] != 0 || digit && isSign(l.text[j]) && isExponent(l.text[j-1])) {
			j++
		}
	}
	l.at = j
	l.tok = token{kind: c, start: i, end: j}
	switch {
	case digit || l.text[i:j] == "inf" || l.text[i:j] == "nan":
		l.tok.kind, l.tok.val = number(l.text[i:j])
	case nameChars[c] == 1:
		l.tok.kind = tokName
	case strings.IndexByte("\n:(),=[]^", c) < 0:
		l.tok.kind = tokBad
	}
}

func isSign(c byte) bool { return c == '-' || c == '+' }

func isExponent(c byte) bool { return c == 'e' || c == 'E' }

// isFloat tells whether a number is written as a floating-point number.
func isFloat(text string) bool {
	return text == "inf" || text == "-inf" || text == "nan" || strings.ContainsAny(text, ".eE")
}

// decimal tells whether a floating-point number has no letters but that of the exponent,
// or is one of the three words.
func decimal(text string) bool {
	return !strings.ContainsAny(text, ".eE") || strings.Trim(text, "-+.eE0123456789") == ""
}

// number reads a number: its kind of token, and its value or its bits.
func number(text string) (kind byte, val int64) {
	if !isFloat(text) {
		if v, err := strconv.ParseInt(text, 10, 64); err == nil {
			return tokInt, v
		}
		return tokBad, 0
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || !decimal(text) {
		return tokBad, 0
	}
	return tokFlt, int64(math.Float64bits(x))
}

// spell is the text of t.
func (l *lexer) spell(t token) string { return l.text[t.start:t.end] }

// describe names t in a message.
func (l *lexer) describe(t token) string {
	switch t.kind {
	case tokEOF:
		return "the end of the text"
	case tokLine:
		return "the end of the line"
	}
	return strconv.Quote(l.spell(t))
}

// kindName names a kind of token that is missing.
func kindName(kind byte) string {
	switch kind {
	case tokName:
		return "a name"
	case tokInt:
		return "an integer"
	case tokLine:
		return "the end of the line"
	}
	return "'" + string(rune(kind)) + "'"
}
