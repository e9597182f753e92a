package ssa

import (
	"strconv"
	"strings"
)

// The kinds of tokens; punctuation is its own character.
const (
	tokEOF  byte = 0
	tokLine byte = '\n'
	tokName byte = 'a'
	tokInt  byte = '0'
	tokBad  byte = '?' // what no token starts with, or an integer that does not fit
)

type token struct {
	kind       byte
	start, end int   // offsets in the text
	val        int64 // of tokInt
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
		for j < len(l.text) && nameChars[l.text[j]] != 0 {
			j++
		}
	}
	l.at = j
	l.tok = token{kind: c, start: i, end: j}
	switch {
	case nameChars[c] == 1:
		l.tok.kind = tokName
	case digit:
		l.tok.kind = tokInt
		v, err := strconv.ParseInt(l.text[i:j], 10, 64)
		if l.tok.val = v; err != nil {
			l.tok.kind = tokBad
		}
	case strings.IndexByte("\n:(),=[]^", c) < 0:
		l.tok.kind = tokBad
	}
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
