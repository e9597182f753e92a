package types

import (
	"math"
	"strconv"
	"strings"
)

// rangeNames are the integer ranges that people know by name (language §17.4).
var rangeNames = []struct {
	lo, hi int64
	name   string
}{
	{-1 << 63, 1<<63 - 1, "int"},
	{-1 << 31, 1<<31 - 1, "i32"},
	{-1 << 15, 1<<15 - 1, "i16"},
	{-1 << 7, 1<<7 - 1, "i8"},
	{0, 1<<32 - 1, "u32"},
	{0, 1<<16 - 1, "u16"},
	{0, 1<<8 - 1, "u8"},
	{0, 1, "bool"},
	{-1, 0, "i1"},
}

// String is the short printed form of language §17.4, with "int" for the full range.
func (t Type) String() string {
	switch t.Kind {
	case KindTop:
		return "Top"
	case KindCtrl:
		return "Ctrl"
	case KindXCtrl:
		return "~Ctrl"
	case KindMem:
		return "Mem"
	case KindInt:
		return t.intString()
	case KindFloat:
		return t.floatString()
	case KindRef:
		return t.refString(nil)
	case KindTuple:
		elems := make([]string, len(t.Elems()))
		for i, e := range t.Elems() {
			elems[i] = e.String()
		}
		return "[" + strings.Join(elems, ",") + "]"
	}
	return "Bot"
}

func (t Type) intString() string {
	if t.lo > t.hi {
		return "~" + Range(t.hi, t.lo).intString()
	}
	if t.lo == t.hi {
		return strconv.FormatInt(t.lo, 10)
	}
	for _, r := range rangeNames {
		if t.lo == r.lo && t.hi == r.hi {
			return r.name
		}
	}
	return "[" + strconv.FormatInt(t.lo, 10) + "-" + strconv.FormatInt(t.hi, 10) + "]"
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

var floatNames = map[int64]string{tagTop: "~flt", tagTop32: "~f32", tagF32: "f32", tagFlt: "flt"}

// floatString marks a constant that fits 32 bits with an f.
func (t Type) floatString() string {
	if t.lo != tagConst {
		return floatNames[t.lo]
	}
	s := FormatFloat(t.Float())
	if t.fits32() && t.Float() == t.Float() {
		s += "f"
	}
	return s
}

// Long is the long form of language §17.4: a reference shows the fields, with '!' before
// the name of one that may be changed.
func (t Type) Long() string {
	if t.Kind == KindRef {
		return t.refString(map[*Object]bool{})
	}
	return t.String()
}

// refString is the long form if shown is not nil: it has the objects whose fields were
// shown before, of which the name is enough.
func (t Type) refString(shown map[*Object]bool) string {
	null := ""
	if t.MayBeNull() {
		null = "?"
	}
	switch {
	case t.lo == levelBot:
		return "*void" + null
	case t.IsNull():
		return "null"
	case t.lo == levelTop:
		return "~*void"
	}
	o := t.Object()
	if shown == nil || shown[o] || o.Array {
		return "*" + o.Name + null
	}
	shown[o] = true
	var b strings.Builder
	b.WriteString("*" + o.Name + " {")
	for _, f := range o.Fields {
		if f.Type.IsRef() {
			b.WriteString(f.Type.refString(shown))
		} else {
			b.WriteString(f.Type.String())
		}
		b.WriteString(" ")
		if !f.Final && !t.IsReadOnly() {
			b.WriteString("!")
		}
		b.WriteString(f.Name + "; ")
	}
	if !o.Defined {
		b.WriteString("... ")
	}
	return b.String() + "}" + null
}
