package source

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestLine(t *testing.T) {
	file := NewFile("f", []byte("ab\n\n\täö😀x\r\n\xffy"))
	tests := []struct {
		offset, line, column int
		name                 string
	}{
		{0, 1, 1, "a"}, {1, 1, 2, "b"}, {2, 1, 3, "line end"}, {3, 2, 1, "empty line"},
		{4, 3, 1, "tab"}, {5, 3, 2, "two bytes"}, {7, 3, 3, "two bytes again"}, {9, 3, 4, "four bytes"}, {13, 3, 5, "behind them"},
		{14, 3, 6, "return"}, {15, 3, 7, "line end"}, {16, 4, 1, "no character"}, {17, 4, 2, "behind it"}, {18, 4, 3, "end"}, {99, 4, 3, "behind the end"},
	}
	for _, tt := range tests {
		line, column := file.Line(At(tt.offset))
		if diff := cmp.Diff([2]int{tt.line, tt.column}, [2]int{line, column}); diff != "" {
			t.Errorf("%s at %d (-want +got):\n%s", tt.name, tt.offset, diff)
		}
	}
	if line, column := file.Line(NoPos); line != 0 || column != 0 {
		t.Errorf("no position is at %d:%d", line, column)
	}
}

// Line against counting from the start of the text.
func TestLineOfEveryByte(t *testing.T) {
	for _, text := range []string{"", "\n", "a", "a\n", "\n\na", "ä\nß\r\nx", "no end", strings.Repeat("line\n", 50)} {
		file := NewFile("f", []byte(text))
		for offset := range len(text) + 1 {
			before := text[:offset]
			start := strings.LastIndexByte(before, '\n') + 1
			want := [2]int{1 + strings.Count(before, "\n"), 1 + utf8.RuneCountInString(before[start:])}
			line, column := file.Line(At(offset))
			if got := [2]int{line, column}; got != want {
				t.Errorf("%q at %d is %v, not %v", text, offset, got, want)
			}
			if got := At(offset).Offset(); got != offset {
				t.Errorf("At(%d) has offset %d", offset, got)
			}
		}
	}
}

func TestLineText(t *testing.T) {
	file := NewFile("f", []byte("one\n\ntwo\r\nthree"))
	for i, want := range []string{"one", "", "two", "three"} {
		if diff := cmp.Diff(want, file.LineText(i+1)); diff != "" {
			t.Errorf("line %d (-want +got):\n%s", i+1, diff)
		}
	}
}

// span is the place of the only x, or of all of them in a row, in text.
func span(text string) Span {
	first, last := strings.IndexByte(text, 'x'), strings.LastIndexByte(text, 'x')
	return Span{At(first), At(last + 1)}
}

func TestCarets(t *testing.T) {
	long := strings.Repeat("a", 200)
	tests := []struct{ name, text, want string }{
		{"first column", "x", "  1 | x\n    | ^\n"},
		{"behind blanks", "  x = 1;", "  1 |   x = 1;\n    |   ^\n"},
		{"a word", "a xxx b", "  1 | a xxx b\n    |   ^^^\n"},
		{"tabs stay tabs", "\ta\tx", "  1 | \ta\tx\n    | \t \t^\n"},
		{"characters of several bytes", "größe x", "  1 | größe x\n    |       ^\n"},
		{"four bytes", "😀x", "  1 | 😀x\n    |  ^\n"},
		{"other lines", "a\nb x\nc", "  2 | b x\n    |   ^\n"},
		{"Windows", "a\r\nb x\r\n", "  2 | b x\n    |   ^\n"},
		{"control characters", "a\x00\x1bx", "  1 | a  x\n    |    ^\n"},
		{"bytes that are no character", "a\xffx", "  1 | a?x\n    |   ^\n"},
		{"several bytes that are none", "a\xff\xfe\xffx", "  1 | a???x\n    |     ^\n"},
		{"the hundredth line", strings.Repeat("\n", 99) + "x", "100 | x\n    | ^\n"},
		{"the thousandth line", strings.Repeat("\n", 999) + "x", "1000 | x\n     | ^\n"},
		{"a long line is cut", "x" + long, "  1 | x" + long[:159] + "\n    | ^\n"},
		{"a long line before", long + "x", "  1 | " + long[:79] + "x\n    | " + strings.Repeat(" ", 79) + "^\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ds := &Diagnostics{File: NewFile("f.smp", []byte(tt.text))}
			ds.Add(Diagnostic{Code: "c", Span: span(tt.text), Message: "no"})
			var b strings.Builder
			ds.WriteText(&b, false)
			_, got, _ := strings.Cut(b.String(), "\n")
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestCaretEnds(t *testing.T) {
	tests := []struct {
		name       string
		text       string
		start, end int
		want       string
	}{
		{"nothing to point at", "ab", 2, 2, "  1 | ab\n    |   ^\n"},
		{"an empty text", "", 0, 0, "  1 | \n    | ^\n"},
		{"a span over lines ends with the first", "abc\ndef", 1, 6, "  1 | abc\n    |  ^^\n"},
		{"a span over lines of Windows", "abc\r\ndef", 1, 7, "  1 | abc\n    |  ^^\n"},
		{"at the line end", "abc\ndef", 3, 3, "  1 | abc\n    |    ^\n"},
		{"wide characters", "äöü = 1", 0, 6, "  1 | äöü = 1\n    | ^^^\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ds := &Diagnostics{File: NewFile("f.smp", []byte(tt.text))}
			ds.Add(Diagnostic{Code: "c", Span: Span{At(tt.start), At(tt.end)}, Message: "no"})
			var b strings.Builder
			ds.WriteText(&b, false)
			_, got, _ := strings.Cut(b.String(), "\n")
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestWriteText(t *testing.T) {
	ds := &Diagnostics{File: NewFile("f.smp", []byte("one\ntwo"))}
	ds.Add(Diagnostic{Code: "b", Span: Span{At(4), At(7)}, Message: "second", Hint: "do this"})
	ds.Add(Diagnostic{Code: "a", Span: Span{At(0), At(3)}, Message: "first", Fault: true})
	ds.Add(Diagnostic{Code: "c", Message: "the whole program"})
	var b strings.Builder
	ds.WriteText(&b, false)
	want := `f.smp: error: the whole program
f.smp:1:1: fault: first
  1 | one
    | ^^^
f.smp:2:1: error: second
  2 | two
    | ^^^
    hint: do this
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(strings.TrimSuffix(want, "\n"), ds.Error()); diff != "" {
		t.Errorf("Error (-want +got):\n%s", diff)
	}
	var colored strings.Builder
	ds.WriteText(&colored, true)
	if strings.NewReplacer(red, "", bold, "", plain, "").Replace(colored.String()) != want || !strings.Contains(colored.String(), bold+"f.smp:1:1"+plain) {
		t.Errorf("in color: %q", colored.String())
	}
}

func TestWriteJSON(t *testing.T) {
	ds := &Diagnostics{File: NewFile("f \"1\".smp", []byte("ä one\ntwo"))}
	ds.Add(Diagnostic{Code: "b", Span: Span{At(7), At(10)}, Message: "second\n<&>", Hint: "do \"this\""})
	ds.Add(Diagnostic{Code: "a", Span: Span{At(3), At(8)}, Message: "first", Fault: true})
	ds.Add(Diagnostic{Code: "c", Message: "everywhere"})
	var b strings.Builder
	if err := ds.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	type place = map[string]any
	want := []place{
		{"file": "f \"1\".smp", "line": 0.0, "column": 0.0, "endLine": 0.0, "endColumn": 0.0, "severity": "error", "code": "c", "message": "everywhere"},
		{"file": "f \"1\".smp", "line": 1.0, "column": 3.0, "endLine": 2.0, "endColumn": 2.0, "severity": "fault", "code": "a", "message": "first"},
		{"file": "f \"1\".smp", "line": 2.0, "column": 1.0, "endLine": 2.0, "endColumn": 4.0, "severity": "error", "code": "b", "message": "second\n<&>", "hint": "do \"this\""},
	}
	var got []place
	for line := range strings.Lines(b.String()) {
		var p place
		if err := json.Unmarshal([]byte(line), &p); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		got = append(got, p)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestAdd(t *testing.T) {
	ds := &Diagnostics{File: NewFile("f", []byte(strings.Repeat("a", 100)))}
	if ds.Any() || ds.Full() {
		t.Error("an empty list has something, or no room")
	}
	for i := range 2 * MaxErrors {
		at := At(50 - i/2) // two at each place, the later places first
		ds.Add(Diagnostic{Span: Span{at, at}, Message: fmt.Sprint(i)})
		if got, want := ds.Full(), i >= 2*MaxErrors-2; got != want {
			t.Errorf("after %d: full is %v", i, got)
		}
	}
	ds.Add(Diagnostic{Span: Span{At(99), At(99)}, Message: "too many"})
	var got []string
	for _, d := range ds.List() {
		got = append(got, d.Message)
	}
	if diff := cmp.Diff(strings.Fields("18 16 14 12 10 8 6 4 2 0"), got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
