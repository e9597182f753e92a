package ssa

import (
	"io"
	"math"
	"strconv"
	"strings"

	"shoal/node"
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
	buf = f.appendDefs(buf, f.Inputs)
	buf = append(buf, '\n')
	for i := range f.Blocks {
		b := &f.Blocks[i]
		if b.Missing {
			continue
		}
		buf = append(buf, f.BlockName(int32(i))...)
		if len(b.Params) > 0 {
			buf = f.appendDefs(buf, b.Params)
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
		if v.Class == Float {
			buf = append(buf, " "+floatWord...)
		}
		if f.Form == FormPhi {
			buf = f.appendEntries(buf, f.Phis[v.Aux])
		}
		return buf
	}
	if v.HasResult() {
		buf = append(f.AppendAtom(buf, id), " = "...)
	}
	buf = append(buf, v.Op.Info().Mnem...)
	buf, sep := v.AppendFields(buf)
	for _, a := range v.Operands() {
		buf = f.AppendAtom(append(buf, sep...), a)
		sep = ", "
	}
	if v.HasBits() {
		buf = strconv.AppendInt(append(buf, sep...), v.Aux, 10)
	}
	return buf
}

// AppendFields appends what stands between the mnemonic of an instruction and its
// operands, and returns what comes before the first operand.
func (v *Value) AppendFields(buf []byte) (text []byte, sep string) {
	switch {
	case v.Op == node.OpLoad || v.Op == node.OpStore:
		return append(append(buf, ' '), v.Storage().String()...), " "
	case v.Op == node.OpNew && v.NArgs > 0:
		return strconv.AppendInt(append(buf, "array "...), v.Aux, 10), ", "
	case v.Op == node.OpNew:
		return strconv.AppendInt(append(buf, ' '), v.Aux, 10), ""
	}
	return buf, " "
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
	case Fail:
		buf = append(append(buf, "fault "...), t.Fault.String()...)
		sep := " "
		for _, v := range t.Operands() {
			buf = f.AppendAtom(append(buf, sep...), v)
			sep = ", "
		}
		return buf
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

// appendDefs appends a list of inputs or parameters.
func (f *Func) appendDefs(buf []byte, list []ValueID) []byte {
	buf = append(buf, '(')
	for i, v := range list {
		if i > 0 {
			buf = append(buf, ", "...)
		}
		if f.Values[v].Class == Float {
			buf = append(buf, floatWord+" "...)
		}
		buf = f.AppendAtom(buf, v)
	}
	return append(buf, ')')
}

// AppendFloat appends a floating-point number as texts have it.
func AppendFloat(buf []byte, x float64) []byte {
	switch {
	case x != x:
		return append(buf, "nan"...)
	case math.IsInf(x, 1):
		return append(buf, "inf"...)
	case math.IsInf(x, -1):
		return append(buf, "-inf"...)
	}
	start := len(buf)
	buf = strconv.AppendFloat(buf, x, 'g', -1, 64)
	if !isFloat(string(buf[start:])) {
		buf = append(buf, ".0"...)
	}
	return buf
}

// AppendAtom appends an operand: a constant or the name of a value.
func (f *Func) AppendAtom(buf []byte, id ValueID) []byte {
	v := &f.Values[id]
	switch {
	case v.Kind == Const && v.Class == Float:
		return AppendFloat(buf, math.Float64frombits(uint64(v.Aux)))
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
