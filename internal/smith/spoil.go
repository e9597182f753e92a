package smith

import (
	"math/rand/v2"
	"slices"
	"strings"
)

// Spoil makes a mistake in a text: now and then several.
func Spoil(r *rand.Rand, text string) string {
	tokens := tokensOf(text)
	for {
		if len(tokens) > 0 {
			tokens = mistakes[r.IntN(len(mistakes))](r, tokens)
		}
		if r.IntN(3) > 0 {
			return strings.Join(tokens, "")
		}
	}
}

// tokensOf cuts a text into words, blanks and single characters.
func tokensOf(text string) (tokens []string) {
	kind := func(c byte) int {
		switch {
		case letter(c) || digit(c):
			return 1
		case c == ' ' || c == '\n':
			return 2
		}
		return 0
	}
	for len(text) > 0 {
		n := 1
		for n < len(text) && kind(text[0]) != 0 && kind(text[n]) == kind(text[0]) {
			n++
		}
		tokens, text = append(tokens, text[:n]), text[n:]
	}
	return tokens
}

// mistakes are what people and machines do to texts. Each gets at least one token.
var mistakes = []func(r *rand.Rand, tokens []string) []string{
	func(r *rand.Rand, tokens []string) []string { // leave something out
		i := r.IntN(len(tokens))
		return slices.Delete(tokens, i, min(len(tokens), i+1+r.IntN(3)))
	},
	func(r *rand.Rand, tokens []string) []string { // write it twice
		i := r.IntN(len(tokens))
		return slices.Insert(tokens, i, tokens[i])
	},
	func(r *rand.Rand, tokens []string) []string { // exchange two
		i, j := r.IntN(len(tokens)), r.IntN(len(tokens))
		tokens[i], tokens[j] = tokens[j], tokens[i]
		return tokens
	},
	func(r *rand.Rand, tokens []string) []string { // put one for another
		tokens[r.IntN(len(tokens))] = tokens[r.IntN(len(tokens))]
		return tokens
	},
	func(r *rand.Rand, tokens []string) []string { // write what belongs elsewhere
		return slices.Insert(tokens, r.IntN(len(tokens)+1), strays[r.IntN(len(strays))])
	},
	func(r *rand.Rand, tokens []string) []string { // stop too early
		return tokens[:r.IntN(len(tokens))]
	},
}

// strays are words and marks of this language, of its later chapters, and of none.
var strays = []string{
	" int ", " return ", " if ", " else ", " while ", " break ", " continue ", "true", "false", "null", " struct ", " for ", " val ", " var ", "flt", "u8",
	"{", "}", "(", ")", ";", "=", "==", "!", "!=", "<", "<=", "-", "--", "+", "++", "*", "/", "%", "&", "&&", "||", "|", "^", "~", "<<", ">>>", "?", ":", ",", ".", "[", "]", "->",
	"//", "/*", "*/", "\"", "'", "\\", "@", "#", "$", "\x00", "\xff", "é", "\t", "\r\n", " arg ", "0", "00", "01", "1.5", "0x10", "9223372036854775807", "9223372036854775808", "99999999999999999999",
	"-9223372036854775808", "1a", "_", "\ufeff",
}
