package source

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// MaxErrors is how many diagnostics one compilation reports; what follows is dropped.
const MaxErrors = 10

// A Diagnostic is one thing that is wrong with the program.
type Diagnostic struct {
	Code    string // row of the diagnostics table that explains it, such as "undefined-name"
	Span    Span   // what to point at; an unknown Start means the whole program
	Message string
	Hint    string // what to do about it; may be empty
	Fault   bool   // a run-time fault, met while interpreting (semantics §10)
}

// Diagnostics collects what is wrong with one file.
type Diagnostics struct {
	File *File
	list []Diagnostic
}

// Add records d, unless something was reported at the same place already: two messages
// at one place have one cause.
func (ds *Diagnostics) Add(d Diagnostic) {
	for i := range ds.list {
		if ds.list[i].Span.Start == d.Span.Start {
			return
		}
	}
	if len(ds.list) < MaxErrors {
		ds.list = append(ds.list, d)
	}
}

// Any tells whether anything was reported.
func (ds *Diagnostics) Any() bool { return len(ds.list) > 0 }

// Full tells whether no further diagnostic will be kept.
func (ds *Diagnostics) Full() bool { return len(ds.list) >= MaxErrors }

// List returns the diagnostics in order of position.
func (ds *Diagnostics) List() []Diagnostic {
	slices.SortStableFunc(ds.list, func(a, b Diagnostic) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
	return ds.list
}

// Error makes the first diagnostic an error, so that a list can be returned as one.
func (ds *Diagnostics) Error() string {
	var b strings.Builder
	ds.WriteText(&b, false)
	return strings.TrimSuffix(b.String(), "\n")
}

const (
	red   = "\x1b[1;31m"
	bold  = "\x1b[1m"
	plain = "\x1b[0m"
)

// WriteText writes the diagnostics for people: place, message, the line and a caret.
func (ds *Diagnostics) WriteText(w io.Writer, color bool) {
	paint := func(code, s string) string {
		if !color {
			return s
		}
		return code + s + plain
	}
	for _, d := range ds.List() {
		kind := "error"
		if d.Fault {
			kind = "fault"
		}
		place := ds.File.Name
		line, column := ds.File.Line(d.Span.Start)
		if line > 0 {
			place = fmt.Sprintf("%s:%d:%d", place, line, column)
		}
		fmt.Fprintf(w, "%s: %s: %s\n", paint(bold, place), paint(red, kind), d.Message)
		if line > 0 {
			ds.writeCaret(w, d.Span, line, column, paint)
		}
		if d.Hint != "" {
			fmt.Fprintf(w, "    hint: %s\n", d.Hint)
		}
	}
}

// maxShown is how many characters of a long source line are quoted.
const maxShown = 160

func (ds *Diagnostics) writeCaret(w io.Writer, span Span, line, column int, paint func(code, s string) string) {
	shown := []rune(ds.File.LineText(line)) // one for each byte that is no character, as in Line
	first := 0                              // a long line is quoted from a little before the place
	if column > maxShown*3/4 {
		first = column - maxShown/2
	}
	shown = shown[min(first, len(shown)):]
	if len(shown) > maxShown {
		shown = shown[:maxShown]
	}
	for i, r := range shown {
		switch {
		case r < ' ' && r != '\t':
			shown[i] = ' '
		case r == utf8.RuneError:
			shown[i] = '?'
		}
	}
	// Tabs before the caret stay tabs, so that both lines are indented alike.
	var pad strings.Builder
	for i := range column - 1 - first {
		if i < len(shown) && shown[i] == '\t' {
			pad.WriteByte('\t')
		} else {
			pad.WriteByte(' ')
		}
	}
	number := fmt.Sprintf("%3d", line)
	fmt.Fprintf(w, "%s | %s\n", number, string(shown))
	fmt.Fprintf(w, "%*s | %s%s\n", len(number), "", pad.String(), paint(red, strings.Repeat("^", ds.caretWidth(span, line, len(shown)-(column-1-first)))))
}

// caretWidth is the number of carets under span: its characters on its first line.
func (ds *Diagnostics) caretWidth(span Span, line, room int) int {
	if span.End <= span.Start {
		return 1
	}
	end := min(span.End.Offset(), len(ds.File.Text))
	if line < len(ds.File.lines) {
		end = min(end, int(ds.File.lines[line])-1)
	}
	return max(1, min(room, utf8.RuneCount(ds.File.Text[min(span.Start.Offset(), end):end])))
}

// WriteJSON writes one JSON object a line and diagnostic, for tools.
func (ds *Diagnostics) WriteJSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	for _, d := range ds.List() {
		line, column := ds.File.Line(d.Span.Start)
		endLine, endColumn := ds.File.Line(max(d.Span.End, d.Span.Start))
		kind := "error"
		if d.Fault {
			kind = "fault"
		}
		err := enc.Encode(struct {
			File      string `json:"file"`
			Line      int    `json:"line"`
			Column    int    `json:"column"`
			EndLine   int    `json:"endLine"`
			EndColumn int    `json:"endColumn"`
			Severity  string `json:"severity"`
			Code      string `json:"code"`
			Message   string `json:"message"`
			Hint      string `json:"hint,omitempty"`
		}{ds.File.Name, line, column, endLine, endColumn, kind, d.Code, d.Message, d.Hint})
		if err != nil {
			return err
		}
	}
	return nil
}
