package types

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// rangeNames are the integer ranges that people know by name (language §17.4), but for
// the full range, whose name is a matter of style.
var rangeNames = []struct {
	lo, hi int64
	name   string
}{
	{-1 << 31, 1<<31 - 1, "i32"},
	{-1 << 15, 1<<15 - 1, "i16"},
	{-1 << 7, 1<<7 - 1, "i8"},
	{0, 1<<32 - 1, "u32"},
	{0, 1<<16 - 1, "u16"},
	{0, 1<<8 - 1, "u8"},
	{0, 1, "bool"},
	{-1, 0, "i1"},
}

// A Style is a way to print types.
type Style struct {
	Long bool   // references show the fields of their structs
	Int  string // the name of the full range of integers
}

// The styles: short for labels and long for messages, both with the name that people use
// for integers; Printed is for the values that programs give (language §18).
var (
	short   = Style{Int: "int"}
	long    = Style{Int: "int", Long: true}
	Printed = Style{Int: "i64", Long: true}
)

// String is the short printed form of language §17.4, with "int" for the full range.
func (t Type) String() string { return t.In(short) }

// Long is the long form of language §17.4: a reference shows the fields, with '!' before
// the name of one that may be changed.
func (t Type) Long() string { return t.In(long) }

// In is the printed form of t in a style.
func (t Type) In(style Style) string {
	p := printer{Style: style}
	p.print(t)
	return p.b.String()
}

// A printer shows the fields of each struct once.
type printer struct {
	Style
	b     strings.Builder
	shown []*Object
}

// kindNames has the kinds that print as one word.
var kindNames = [numKinds]string{
	KindBot: "Bot", KindTop: "Top", KindCtrl: "Ctrl", KindXCtrl: "~Ctrl", KindMem: "Mem",
}

func (p *printer) print(t Type) {
	switch t.Kind {
	case KindInt:
		p.b.WriteString(p.intString(t.lo, t.hi))
	case KindFloat:
		p.b.WriteString(t.floatString())
	case KindRef:
		p.ref(t)
	case KindTuple:
		p.b.WriteByte('[')
		for i, e := range t.Elems() {
			if i > 0 {
				p.b.WriteByte(',')
			}
			p.print(e)
		}
		p.b.WriteByte(']')
	default:
		p.b.WriteString(kindNames[t.Kind])
	}
}

func (p *printer) intString(lo, hi int64) string {
	switch {
	case lo > hi:
		return "~" + p.intString(hi, lo)
	case lo == hi:
		return strconv.FormatInt(lo, 10)
	case lo == math.MinInt64 && hi == math.MaxInt64:
		return p.Int
	}
	for _, r := range rangeNames {
		if lo == r.lo && hi == r.hi {
			return r.name
		}
	}
	return "[" + strconv.FormatInt(lo, 10) + "-" + strconv.FormatInt(hi, 10) + "]"
}

func (p *printer) ref(t Type) {
	o := t.Object()
	switch {
	case t.IsNull():
		p.b.WriteString("null")
		return
	case t.lo == levelTop:
		p.b.WriteString("~*void")
		return
	case o == nil:
		p.b.WriteString("*void")
	case o.Array:
		p.b.WriteString("*[]" + o.Element().Type.In(Style{Int: p.Int}))
	default:
		p.b.WriteString("*" + o.Name)
		p.fields(t, o)
	}
	if t.MayBeNull() {
		p.b.WriteByte('?')
	}
}

// fields shows the fields of a struct, unless they were shown before.
func (p *printer) fields(t Type, o *Object) {
	if !p.Long || slices.Contains(p.shown, o) {
		return
	}
	p.shown = append(p.shown, o)
	p.b.WriteString(" {")
	for _, f := range o.Fields {
		p.print(f.Type)
		p.b.WriteByte(' ')
		if !f.Final && !t.IsReadOnly() {
			p.b.WriteByte('!')
		}
		p.b.WriteString(f.Name + "; ")
	}
	if !o.Defined {
		p.b.WriteString("... ")
	}
	p.b.WriteByte('}')
}

// FormatFloat is the notation of language §17.5: the shortest decimal that reads back as
// the same number, plain from 0.001 to 10,000,000, with an exponent otherwise.
func FormatFloat(x float64) string {
	switch a := math.Abs(x); {
	case math.IsNaN(x):
		return "NaN"
	case math.IsInf(x, 1):
		return "Infinity"
	case math.IsInf(x, -1):
		return "-Infinity"
	case a == 0 || a >= 1e-3 && a < 1e7:
		s := strconv.FormatFloat(x, 'f', -1, 64)
		if !strings.Contains(s, ".") {
			s += ".0"
		}
		return s
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(x, 'e', -1, 64), "e")
	if !strings.Contains(mantissa, ".") {
		mantissa += ".0"
	}
	e, _ := strconv.Atoi(exponent)
	return mantissa + "E" + strconv.Itoa(e)
}

// floatString marks a constant that fits 32 bits with an f.
func (t Type) floatString() string {
	switch t.lo {
	case tagTop:
		return "~flt"
	case tagTop32:
		return "~f32"
	case tagF32:
		return "f32"
	case tagFlt:
		return "flt"
	}
	s := FormatFloat(t.Float())
	if t.fits32() && t.Float() == t.Float() {
		s += "f"
	}
	return s
}
