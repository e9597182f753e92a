package parser

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"shoal/source"
)

// FuzzParse parses any text at any chapter. There is a correct graph, or there are
// diagnostics, which stand in the text, in order, and can be shown.
func FuzzParse(f *testing.F) {
	for level := 1; level <= 24; level++ {
		for _, p := range featurePrograms {
			f.Add([]byte(p.src), level, false)
		}
	}
	for _, p := range prints {
		f.Add([]byte(p.src), p.level, false)
		f.Add([]byte(p.src), 24, true)
	}
	for _, m := range Messages {
		f.Add([]byte(m.Example), m.Level, false)
	}
	for _, n := range nests {
		src := n.source(5)
		f.Add(src, 11, false)
		f.Add(src[:len(src)/2], 11, false)
	}
	for _, src := range strayBytes {
		f.Add([]byte(src), 11, false)
	}
	f.Fuzz(func(t *testing.T, text []byte, level int, raw bool) {
		level = 1 + int(uint(level-1)%24)
		file := source.NewFile("fuzz.smp", text)
		funcs, diags := Parse(file, Options{Level: level, Raw: raw, Global: true, Check: true})
		if diags.Any() {
			checkDiagnostics(t, file, diags)
			return
		}
		for _, fn := range funcs {
			if err := fn.Graph.Verify(); err != nil {
				t.Fatal(err)
			}
			fn.Engine.Run()
			fn.Engine.Exits()
			if err := fn.Graph.Verify(); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func checkDiagnostics(t *testing.T, file *source.File, diags *source.Diagnostics) {
	last := source.NoPos
	list := diags.List()
	if len(list) > source.MaxErrors {
		t.Fatalf("%d diagnostics", len(list))
	}
	for _, d := range list {
		switch s := d.Span; {
		case !s.Start.Known() || s.Start.Offset() > len(file.Text):
			t.Fatalf("%s: begins outside of the text, at %d", d.Message, s.Start)
		case s.End < s.Start || s.End.Offset() > len(file.Text):
			t.Fatalf("%s: from %d to %d", d.Message, s.Start, s.End)
		case s.Start <= last:
			t.Fatalf("%s: not behind the one before", d.Message)
		}
		last = d.Span.Start
		if explained(d.Code) == nil {
			t.Fatalf("no row explains %q", d.Code)
		}
	}
	var text, lines bytes.Buffer
	diags.WriteText(&text, true)
	if err := diags.WriteJSON(&lines); err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(lines.Bytes()) {
		if !json.Valid(line) {
			t.Fatalf("no JSON: %s", line)
		}
	}
	if n := strings.Count(lines.String(), "\n"); n != len(list) {
		t.Fatalf("%d lines of JSON for %d diagnostics", n, len(list))
	}
}

func explained(code string) *Message {
	for i := range Messages {
		if Messages[i].Code == code {
			return &Messages[i]
		}
	}
	return nil
}
