package heap

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"shoal/node/types"
	"shoal/source"
)

func printed(t *testing.T, h *Heap, typ types.Type, v int64) string {
	t.Helper()
	text, err := AppendValue(nil, h, typ, v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func object(name string) *types.Object {
	o := types.NewObject(name, source.NoPos)
	o.Defined = true
	return o
}

// put makes an object with the given words in its fields.
func put(h *Heap, o *types.Object, words ...int64) int64 {
	p, _ := h.Make(o, 0)
	for i, w := range words {
		h.Store(o.Fields[i].Storage, p+o.Fields[i].Offset, w)
	}
	return p
}

// array makes an array of the given words.
func array(h *Heap, o *types.Object, words ...int64) int64 {
	p, _ := h.Make(o, int64(len(words)))
	for i, w := range words {
		h.Store(o.Element().Storage, p+o.Element().Offset+int64(i)<<o.Element().Storage.Log2(), w)
	}
	return p
}

// TestValues has the examples of language §18, and more.
func TestValues(t *testing.T) {
	h := New(DefaultLimit)
	p := object("P")
	p.AddField("x", types.Int)
	p.AddField("y", types.Flt)
	p.AddField("b", types.Bool)
	p.Layout()
	list := object("L")
	list.AddField("n", types.RefTo(list).OrNull())
	list.AddField("v", types.Int)
	list.Layout()
	point := object("P")
	point.AddField("x", types.Int)
	point.Layout()
	empty := object("A")
	empty.Layout()
	floats, longs := types.NewArray(types.Flt), types.NewArray(types.Int)
	chars, bools := types.NewArray(types.U8.Range()), types.NewArray(types.Bool)
	points := types.NewArray(types.RefTo(point).OrNull())
	word := object("W")
	word.AddField("s", types.RefTo(chars))
	word.AddField("f", types.F32Any)
	word.Layout()
	knot := put(h, list, 0, 3)
	h.Store(types.Ref, knot+list.Fields[0].Offset, knot)
	shared := put(h, point, 7)
	arrays := types.NewArray(types.RefTo(longs).OrNull())

	tests := []struct {
		name string
		t    types.Type
		v    int64
		want string
	}{
		{"truth", types.Bool, 1, "1"},
		{"integer", types.Int, math.MinInt64, "-9223372036854775808"},
		{"float", types.Flt, float(1.5), "1.5"},
		{"large float", types.Flt, float(25000000), "2.5E7"},
		{"small float", types.F32Any, float(-0.00025), "-2.5E-4"},
		{"minus zero", types.Flt, float(math.Copysign(0, -1)), "-0.0"},
		{"infinity", types.Flt, float(math.Inf(1)), "Double.POSITIVE_INFINITY"},
		{"minus infinity", types.Flt, float(math.Inf(-1)), "Double.NEGATIVE_INFINITY"},
		{"no number", types.Flt, float(math.NaN()), "Double.NaN"},
		{"null", types.Null, 0, "null"},
		{"null of a struct", types.RefTo(p).OrNull(), 0, "null"},
		{"struct", types.RefTo(p), put(h, p, 2, 0, 0), "P{x=2,y=0.0,b=0}"},
		{"itself", types.RefTo(list), knot, "L{n=$cyclic,v=3}"},
		{"a list", types.RefTo(list), put(h, list, put(h, list, 0, 1), 2), "L{n=L{n=null,v=1},v=2}"},
		{"no fields", types.RefTo(empty), put(h, empty), "A}"},
		{"floats", types.RefTo(floats), array(h, floats, 0, float(4)), "flt[ 0.0,4.0]"},
		{"truths", types.RefTo(bools), array(h, bools, 0, 1), "bool[ 0,1]"},
		{"references", types.RefTo(points), array(h, points, 0, put(h, point, 0)), "*P {i64 !x; }?[ null,P{x=0}]"},
		{"twice the same", types.RefTo(points), array(h, points, shared, shared), "*P {i64 !x; }?[ P{x=7},P{x=7}]"},
		{"empty", types.RefTo(longs), array(h, longs), "i64[]"},
		{"characters", types.RefTo(chars), array(h, chars, 'H', 'o'), "Ho"},
		{"no characters", types.RefTo(chars), array(h, chars), ""},
		{"characters inside", types.RefTo(word), put(h, word, array(h, chars, 'H', 'o'), float(0.1)), "W{s=Ho,f=0.10000000149011612}"},
		{"arrays", types.RefTo(arrays), array(h, arrays, array(h, longs, 1), 0), "*[]i64?[ i64[ 1],null]"},
		{"who knows what", types.NotNil, shared, "*void"},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, printed(t, h, tt.t, tt.v)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestLongList(t *testing.T) {
	const n = 1_000_000
	h := New(DefaultLimit)
	list := object("L")
	list.AddField("n", types.RefTo(list).OrNull())
	list.Layout()
	head := int64(0)
	for range n {
		head = put(h, list, head)
	}
	want := strings.Repeat("L{n=", n) + "null" + strings.Repeat("}", n)
	if printed(t, h, types.RefTo(list), head) != want {
		t.Error("a list of a million is printed otherwise")
	}
}

func TestLongText(t *testing.T) {
	h := New(DefaultLimit)
	chars := types.NewArray(types.U8.Range())
	want := strings.Repeat("0123456789", chunk/3)
	words := make([]int64, len(want))
	for i := range words {
		words[i] = int64(want[i])
	}
	if diff := cmp.Diff(want, printed(t, h, types.RefTo(chars), array(h, chars, words...))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestUnreadable(t *testing.T) {
	o := object("P")
	o.AddField("x", types.Int)
	o.Layout()
	if _, err := AppendValue(nil, New(DefaultLimit), types.RefTo(o), 8); err == nil {
		t.Error("there is nothing at address 8, and no error")
	}
}
