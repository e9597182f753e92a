package codegen

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"

	"shoal/codegen/mach"
	"shoal/source"
)

// WriteListing writes the final code of all functions as text: offset in the function,
// bytes and assembly, with each source line before the code that comes from it. The
// assembly is decoded from the bytes by a disassembler that shares nothing with the
// encoder, so a listing shows what the processor will do, not what we meant.
func (p *Program) WriteListing(w io.Writer) error {
	l := listing{Writer: bufio.NewWriter(w), target: p.target}
	for i, c := range p.Funcs {
		if i > 0 {
			l.WriteByte('\n')
		}
		l.function(c, p.files[i])
	}
	return l.Flush()
}

// A listing is being written.
type listing struct {
	*bufio.Writer
	target *target
	code   *mach.Code
	file   *source.File // nil where the text is not known
	shown  source.Span  // the source line that was shown last, with its end
	labels []bool       // by offset: something jumps here
	hex    []byte       // reused
}

// maxHex is the room for bytes of an instruction in a listing; longer ones push the text.
const maxHex = 8

func (l *listing) function(c *mach.Code, file *source.File) {
	l.code, l.file, l.shown = c, file, source.Span{}
	l.findLabels()
	fmt.Fprintf(l, "%s:\n", c.Name)
	line, reloc := 0, 0
	for at := 0; at < len(c.Bytes); {
		in := l.target.disassemble(c.Bytes[at:])
		in.size = min(in.size, len(c.Bytes)-at)
		for ; line < len(c.Lines) && int(c.Lines[line].Offset) <= at; line++ {
			if line+1 == len(c.Lines) || int(c.Lines[line+1].Offset) > at {
				l.source(c.Lines[line].Pos)
			}
		}
		if l.labels[at] {
			fmt.Fprintf(l, "%s:\n", label(at))
		}
		symbol := ""
		for ; reloc < len(c.Relocs) && c.Relocs[reloc].Offset < at+in.size; reloc++ {
			symbol = symbolText(&c.Relocs[reloc], at+in.size)
		}
		l.instruction(at, &in, symbol)
		at += in.size
	}
}

// symbolText is what r stands for in an instruction that ends at end: the processor counts
// from there, r from its field.
func symbolText(r *mach.Reloc, end int) string {
	if d := r.Addend + int64(end-r.Offset); d != 0 {
		return fmt.Sprintf("%s%+d", r.Symbol, d)
	}
	return r.Symbol
}

// label is the name of a place that is jumped to.
func label(at int) string { return "L" + strconv.FormatInt(int64(at), 16) }

// findLabels marks the offsets that jumps lead to.
func (l *listing) findLabels() {
	l.labels = append(l.labels[:0], make([]bool, len(l.code.Bytes)+1)...)
	reloc := 0
	for at := 0; at < len(l.code.Bytes); {
		in := l.target.disassemble(l.code.Bytes[at:])
		at += in.size
		outside := false // the distance is for the linker to fill in
		for ; reloc < len(l.code.Relocs) && l.code.Relocs[reloc].Offset < at; reloc++ {
			outside = true
		}
		to := int64(at) + in.distance
		if in.relative && !outside && to >= 0 && to < int64(len(l.labels)) {
			l.labels[to] = true
		}
	}
}

// maxShown is how many bytes of a long source line are shown.
const maxShown = 160

// source writes the line of the text that pos is on, unless that was shown just before.
func (l *listing) source(pos source.Pos) {
	if l.file == nil || !pos.Known() || pos >= l.shown.Start && pos <= l.shown.End {
		return
	}
	n, _ := l.file.Line(pos)
	text := l.file.LineText(n)
	at := min(pos.Offset(), len(l.file.Text))
	start := bytes.LastIndexByte(l.file.Text[:at], '\n') + 1
	l.shown = source.Span{Start: source.At(start), End: source.At(start + len(text))}
	text = strings.ToValidUTF8(text[:min(len(text), maxShown)], "?")
	fmt.Fprintf(l, "; %s:%d: %s\n", l.file.Name, n, strings.TrimSpace(text))
}

// instruction writes one line of code. symbol is what the linker puts in, or empty.
func (l *listing) instruction(at int, in *instruction, symbol string) {
	l.hex = l.hex[:0]
	for _, b := range l.code.Bytes[at : at+in.size] {
		l.hex = fmt.Appendf(l.hex, "%02x ", b)
	}
	text := in.text
	switch {
	case in.relative && symbol != "":
		text += " " + symbol
	case in.relative:
		text += " " + label(at+in.size+int(in.distance))
	case symbol != "":
		text = strings.Replace(text, "[rip]", "["+symbol+"]", 1)
	}
	fmt.Fprintf(l, "%6x  %-*s  %s\n", at, 3*maxHex, l.hex, text)
}
