package ssa

import (
	"io"
	"strconv"
	"strings"
)

// Print writes the canonical text of m: Parse reads it back.
func Print(w io.Writer, m *Module) error {
	buf := append([]byte("form "), m.Form.String()...)
	buf = append(buf, '\n')
	for _, f := range m.Funcs {
		buf = append(buf, '\n')
		buf = f.AppendText(buf)
		if len(buf) < printChunk {
			continue
		}
		if _, err := w.Write(buf); err != nil {
			return err
		}
		buf = buf[:0]
	}
	_, err := w.Write(buf)
	return err
}

// printChunk is how many bytes are collected before they are written.
const printChunk = 1 << 16

// AppendText appends the text of f alone, without a header line.
func (f *Func) AppendText(buf []byte) []byte {
	buf = append(buf, "func "...)
	buf = append(buf, f.Name...)
	buf = f.appendList(buf, f.Inputs)
	buf = append(buf, '\n')
	for i := range f.Blocks {
		b := &f.Blocks[i]
		if b.Missing {
			continue
		}
		buf = append(buf, f.BlockName(int32(i))...)
		if len(b.Params) > 0 {
			buf = f.appendList(buf, b.Params)
		}
		buf = append(buf, ":\n"...)
		for _, v := range b.Body {
			buf = append(f.AppendInstr(append(buf, "  "...), v), '\n')
		}
		buf = append(f.AppendTerm(append(buf, "  "...), &b.Term), '\n')
	}
	return buf
}

// AppendInstr appends the text of v, a value of a body, without a line end.
func (f *Func) AppendInstr(buf []byte, id ValueID) []byte {
	v := &f.Values[id]
	switch v.Kind {
	case Upsilon:
		buf = f.AppendAtom(append(buf, "upsilon "...), v.Args[0])
		return f.AppendAtom(append(buf, ", ^"...), v.Args[1])
	case Phi:
		buf = append(f.AppendAtom(buf, id), " = phi"...)
		if f.Form == FormPhi {
			buf = f.appendEntries(buf, f.Phis[v.Aux])
		}
		return buf
	}
	buf = append(f.AppendAtom(buf, id), " = "...)
	buf = append(buf, v.Op.Info().Mnem...)
	sep := " "
	for _, a := range v.Operands() {
		buf = f.AppendAtom(append(buf, sep...), a)
		sep = ", "
	}
	if v.HasBits() {
		buf = strconv.AppendInt(append(buf, sep...), v.Aux, 10)
	}
	return buf
}

func (f *Func) appendEntries(buf []byte, entries []Entry) []byte {
	for i, e := range entries {
		if i > 0 {
			buf = append(buf, ',')
		}
		buf = f.AppendAtom(append(buf, " ["...), e.Value)
		buf = append(append(buf, ", "...), f.BlockName(e.Pred)...)
		buf = append(buf, ']')
	}
	return buf
}

// AppendTerm appends the text of a terminator without a line end.
func (f *Func) AppendTerm(buf []byte, t *Term) []byte {
	switch t.Kind {
	case Ret:
		return f.AppendAtom(append(buf, "ret "...), t.Arg)
	case Br:
		return f.appendTarget(append(buf, "br "...), &t.Succs[0])
	}
	buf = f.AppendAtom(append(buf, "cbr "...), t.Arg)
	buf = f.appendTarget(append(buf, ", "...), &t.Succs[0])
	return f.appendTarget(append(buf, ", "...), &t.Succs[1])
}

func (f *Func) appendTarget(buf []byte, t *Target) []byte {
	buf = append(buf, f.BlockName(t.Block)...)
	if f.Form != FormArgs {
		return buf
	}
	return f.appendList(buf, t.Args)
}

func (f *Func) appendList(buf []byte, list []ValueID) []byte {
	buf = append(buf, '(')
	for i, v := range list {
		if i > 0 {
			buf = append(buf, ", "...)
		}
		buf = f.AppendAtom(buf, v)
	}
	return append(buf, ')')
}

// AppendAtom appends an operand: a constant or the name of a value.
func (f *Func) AppendAtom(buf []byte, id ValueID) []byte {
	v := &f.Values[id]
	switch {
	case v.Kind == Const:
		return strconv.AppendInt(buf, v.Aux, 10)
	case v.Kind == Shadow:
		return f.AppendAtom(append(buf, '^'), v.Args[0])
	case int(id) < len(f.Names) && f.Names[id] != "":
		return append(buf, f.Names[id]...)
	}
	return strconv.AppendInt(append(buf, 'v'), int64(id), 10)
}

// String is the canonical text of m.
func (m *Module) String() string {
	var b strings.Builder
	Print(&b, m) // a Builder does not fail
	return b.String()
}

// String is the text of f alone, without a header line.
func (f *Func) String() string { return string(f.AppendText(nil)) }
