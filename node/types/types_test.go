package types

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"shoal/source"
)

var (
	structA = NewObject("A", source.NoPos)
	structB = NewObject("B", source.NoPos)
	arrayA  = NewArray(RefTo(structA).OrNull())
)

// smallElements are elements of every kind, the integers -2 to 2 with every range over
// them, high ones included, and tuples of some.
func smallElements(l Lattice) []Type {
	all := []Type{Bot, Top, Ctrl, XCtrl, Mem, Int, IntTop}
	for lo := int64(-2); lo <= 2; lo++ {
		for hi := int64(-2); hi <= 2; hi++ {
			if l == Ranges || lo == hi {
				all = append(all, Range(lo, hi))
			}
		}
	}
	all = append(all, FltTop, F32Top, ConstFloat(0.5), ConstFloat(2), ConstFloat(0.1), ConstFloat(math.NaN()), ConstFloat(math.Copysign(0, -1)), F32Any, Flt)
	if l == Flat { // has no floats of 32 bits
		all = slices.DeleteFunc(all, func(t Type) bool { return t == F32Top || t == F32Any })
	}
	for _, flags := range []int64{0, flagNull, flagReadOnly, flagNull | flagReadOnly} {
		for _, t := range []Type{RefTop, RefTo(structA), RefTo(structB), RefTo(arrayA), RefBot} {
			t.hi = flags
			all = append(all, t)
		}
	}
	all = append(all, IfBoth, IfTrue, IfFalse, IfNone, Tuple(Ctrl, Mem, Int), Tuple(Ctrl, Mem, One), Tuple())
	return all
}

func TestLatticeLaws(t *testing.T) {
	for name, l := range map[string]Lattice{"flat": Flat, "ranges": Ranges} {
		t.Run(name, func(t *testing.T) { checkLaws(t, l) })
	}
}

func checkLaws(t *testing.T, l Lattice) {
	same := func(law string, got, want Type, of ...Type) {
		if !got.Equal(want) {
			t.Errorf("%s fails for %v: %v and %v", law, of, got, want)
		}
	}
	all := smallElements(l)
	for _, a := range all {
		same("a meet a = a", l.Meet(a, a), a, a)
		same("dual dual a = a", a.Dual().Dual(), a, a)
		same("a meet Top = a", l.Meet(a, Top), a, a)
		same("a meet Bot = Bot", l.Meet(a, Bot), Bot, a)
		for _, b := range all {
			m := l.Meet(a, b)
			same("commutative", m, l.Meet(b, a), a, b)
			if !l.IsA(a, m) || !l.IsA(b, m) {
				t.Errorf("%v and %v are not above their meet %v", a, b, m)
			}
			if tuplesDiffer(a, b) {
				continue // tuples of other lengths have no common element above them
			}
			same("absorption", l.Join(a, m), a, a, b)
			for _, c := range all {
				same("associative", l.Meet(m, c), l.Meet(a, l.Meet(b, c)), a, b, c)
				if l.IsA(c, a) && l.IsA(c, b) && !l.IsA(c, l.Join(a, b)) {
					t.Errorf("%v is above %v and %v but not above their join", c, a, b)
				}
			}
		}
	}
}

func tuplesDiffer(a, b Type) bool {
	return a.Kind == KindTuple && b.Kind == KindTuple && len(a.Elems()) != len(b.Elems())
}

func TestMeet(t *testing.T) {
	tests := []struct {
		name       string
		l          Lattice
		a, b, want Type
	}{
		{"disjoint ranges span the gap", Ranges, Range(0, 1), Range(4, 5), Range(0, 5)},
		{"flat constants that differ know nothing", Flat, One, Zero, Int},
		{"flat constants that agree stay", Flat, One, One, One},
		{"no integer yet is the identity", Flat, IntTop, One, One},
		{"control beats dead control", Flat, Ctrl, XCtrl, Ctrl},
		{"an integer and control have nothing in common", Ranges, One, Ctrl, Bot},
		{"tuples meet element by element", Flat, IfTrue, IfFalse, IfBoth},
		{"tuples of other lengths have nothing in common", Flat, IfTrue, Tuple(), Bot},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want.String(), tt.l.Meet(tt.a, tt.b).String()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestString(t *testing.T) {
	tests := []struct {
		t    Type
		want string
	}{
		{Int, "int"}, {IntTop, "~int"}, {Const(-7), "-7"}, {Bool, "bool"}, {Range(0, 7), "[0-7]"},
		{Range(-3, 12), "[-3-12]"}, {Range(7, 0), "~[0-7]"}, {IfTrue, "[Ctrl,~Ctrl]"}, {Range(0, 255), "u8"},
		{Top, "Top"}, {Bot, "Bot"}, {Mem, "Mem"},
		{Flt, "flt"}, {F32Any, "f32"}, {FltTop, "~flt"}, {ConstFloat(2.5), "2.5f"}, {ConstFloat(0.1), "0.1"}, {ConstFloat(1e7), "1.0E7f"},
		{ConstFloat(0.001), "0.001"}, {ConstFloat(2.5e-4), "2.5E-4"}, {ConstFloat(100), "100.0f"}, {ConstFloat(math.Inf(1)), "Infinityf"},
		{ConstFloat(math.NaN()), "NaN"}, {ConstFloat(math.Copysign(0, -1)), "-0.0f"}, {ConstFloat(9999999), "9999999.0f"},
		{RefTo(structA), "*A"}, {RefTo(structA).OrNull(), "*A?"}, {Null, "null"}, {NotNil, "*void"}, {RefTo(arrayA), "*[]*A?"},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, fmt.Sprint(tt.t)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

func TestWidth(t *testing.T) {
	tests := []struct {
		w             Width
		x, wrapped    int64
		unsigned      uint64
		smallest, big int64
	}{
		{4, 9, -7, 9, -8, 7},
		{8, -1, -1, 255, -128, 127},
		{64, -1, -1, 1<<64 - 1, -1 << 63, 1<<63 - 1},
		{1, 1, -1, 1, -1, 0},
	}
	for _, tt := range tests {
		got := []any{tt.w.Wrap(tt.x), tt.w.Unsigned(tt.x), tt.w.Min(), tt.w.Max()}
		if diff := cmp.Diff([]any{tt.wrapped, tt.unsigned, tt.smallest, tt.big}, got); diff != "" {
			t.Errorf("width %d (-want +got):\n%s", tt.w, diff)
		}
	}
}

func TestLongString(t *testing.T) {
	s, r := NewObject("S", source.NoPos), NewObject("R", source.NoPos)
	s.AddField("x", Int)
	s.AddField("r", RefTo(r).OrNull())
	s.AddField("y", U8.Range()).Final = true
	s.Defined = true
	r.AddField("s", RefTo(s))
	tests := []struct {
		t    Type
		want string
	}{
		{RefTo(s), "*S {int !x; *R {*S !s; ... }? !r; u8 y; }"},
		{RefTo(s).OrNull().ReadOnly(), "*S {int x; *R {*S !s; ... }? r; u8 y; }?"},
		{RefTo(NewArray(Int)), "*[]int"},
		{Flt, "flt"},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, tt.t.Long()); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

// TestLayout has the examples of language §13.
func TestLayout(t *testing.T) {
	o := NewObject("A", source.NoPos)
	for _, f := range []struct {
		name string
		t    Type
	}{{"a", U8.Range()}, {"b", Int}, {"c", U16.Range()}, {"d", F32Any}, {"e", RefTo(o).OrNull()}, {"f", Bool}, {"g", Flt}} {
		o.AddField(f.name, f.t)
	}
	o.Layout()
	got := map[string]int64{"size": o.Size}
	for _, f := range o.Fields {
		got[f.Name] = f.Offset
	}
	want := map[string]int64{"b": 0, "e": 8, "g": 16, "d": 24, "c": 28, "a": 30, "f": 31, "size": 32}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, tt := range []struct {
		elem Type
		base int64
	}{{U8.Range(), 4}, {I16.Range(), 4}, {F32Any, 4}, {U32.Range(), 4}, {Int, 8}, {Flt, 8}, {RefTo(o).OrNull(), 8}} {
		if a := NewArray(tt.elem); a.Element().Offset != tt.base || a.Size != tt.base || a.Length().Storage != U32 {
			t.Errorf("elements of %s at %d, size %d, length %v; want %d", a.Name, a.Element().Offset, a.Size, a.Length().Storage, tt.base)
		}
	}
}

func TestStorage(t *testing.T) {
	for s := range NumStorages {
		switch {
		case s.IsInt():
			if got := s.Range().Storage(); got != s {
				t.Errorf("%v is stored as %v", s, got)
			}
		case s == Ref && RefBot.Storage() != Ref, s == F32 && F32Any.Storage() != F32, s == F64 && Flt.Storage() != F64:
			t.Errorf("%v is stored as another", s)
		}
		if named, ok := StorageNamed(s.String()); !ok || named != s {
			t.Errorf("the name of %v finds %v", s, named)
		}
	}
	if got := Bool.Storage(); got != U8 {
		t.Errorf("bool is stored as %v", got)
	}
}

func TestNonZero(t *testing.T) {
	tests := []struct {
		l       Lattice
		t, want Type
	}{
		{Ranges, Range(0, 9), Range(1, 9)}, {Ranges, Range(-5, 0), Range(-5, -1)}, {Ranges, Int, Int}, {Flat, Bool, Bool},
		{Flat, RefTo(structA).OrNull(), RefTo(structA)}, {Ranges, Zero, Zero}, {Flat, Flt, Flt},
	}
	for _, tt := range tests {
		if got := tt.l.NonZero(tt.t); got != tt.want {
			t.Errorf("%v without zero is %v, want %v", tt.t, got, tt.want)
		}
	}
}
