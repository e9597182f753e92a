package types

import (
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

// String is the printed form of language §17.4, with "int" for the full range.
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
