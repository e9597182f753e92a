// Package source holds program text, positions in it and what the compiler has to say
// about it.
//
// Needs: nothing. Gives: files, positions, diagnostics with carets. It is a leaf: every
// other package may import it.
//
// Start reading at File, then Diagnostics.
package source

import (
	"bytes"
	"sort"
	"unicode/utf8"
)

// MaxSize is the largest source text in bytes (semantics §13): 1 GiB.
const MaxSize = 1 << 30

// A Pos is a byte offset in a File plus one; 0 means that the place is not known.
type Pos int32

// NoPos is the position of things that no text stands for.
const NoPos Pos = 0

// At returns the position of the byte at offset.
func At(offset int) Pos { return Pos(offset + 1) }

// Offset returns the byte offset of a known position.
func (p Pos) Offset() int { return int(p) - 1 }

// Known tells whether p names a place in the text.
func (p Pos) Known() bool { return p != NoPos }

// A Span is the half-open range of text from Start to End.
type Span struct{ Start, End Pos }

// A File is one source text. It is immutable, so it may be shared between goroutines.
type File struct {
	Name  string // as the user wrote it; "-" for standard input
	Text  []byte
	lines []int32 // offset of the first byte of each line
}

// NewFile makes a file of text, which must not change afterwards.
func NewFile(name string, text []byte) *File {
	f := &File{Name: name, Text: text, lines: make([]int32, 1, 1+bytes.Count(text, []byte{'\n'}))}
	for i := 0; ; {
		k := bytes.IndexByte(text[i:], '\n')
		if k < 0 {
			return f
		}
		i += k + 1
		f.lines = append(f.lines, int32(i))
	}
}

// Line returns the number, from 1, of the line that p is on, and the column of p in it,
// from 1, counted in characters. Both are 0 for NoPos.
func (f *File) Line(p Pos) (line, column int) {
	if !p.Known() {
		return 0, 0
	}
	offset := min(p.Offset(), len(f.Text))
	line = sort.Search(len(f.lines), func(i int) bool { return int(f.lines[i]) > offset })
	start := int(f.lines[line-1])
	return line, utf8.RuneCount(f.Text[start:offset]) + 1
}

// LineText returns the text of line n, from 1, without its line end.
func (f *File) LineText(n int) string {
	start, end := int(f.lines[n-1]), len(f.Text)
	if n < len(f.lines) {
		end = int(f.lines[n]) - 1
	}
	return string(bytes.TrimSuffix(f.Text[start:end], []byte{'\r'}))
}
