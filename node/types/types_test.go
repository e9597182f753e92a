package types

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
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
