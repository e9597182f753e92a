package heap

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"shoal/node/types"
)

func float(x float64) int64 { return int64(math.Float64bits(x)) }

func TestStorages(t *testing.T) {
	tests := []struct {
		s              types.Storage
		stored, loaded int64
		bytes          []byte
	}{
		{types.I8, 0x1ff, -1, []byte{0xff}},
		{types.U8, -2, 254, []byte{0xfe}},
		{types.I16, 0x18000, -32768, []byte{0, 0x80}},
		{types.U16, -1, 65535, []byte{0xff, 0xff}},
		{types.I32, 1 << 31, -1 << 31, []byte{0, 0, 0, 0x80}},
		{types.U32, -1, 1<<32 - 1, []byte{0xff, 0xff, 0xff, 0xff}},
		{types.I64, -2, -2, []byte{0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}},
		{types.F32, float(0.1), float(float64(float32(0.1))), []byte{0xcd, 0xcc, 0xcc, 0x3d}},
		{types.F32, float(1e300), float(math.Inf(1)), []byte{0, 0, 0x80, 0x7f}},
		{types.F64, float(-0.5), float(-0.5), []byte{0, 0, 0, 0, 0, 0, 0xe0, 0xbf}},
		{types.F64, -1, float(math.NaN()), []byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}},
		{types.Ref, base, base, []byte{0, 0, 1, 0, 0, 0, 0, 0}},
	}
	for _, tt := range tests {
		h := New(DefaultLimit)
		p, _ := h.Object(24)
		h.Store(tt.s, p+8, tt.stored)
		if diff := cmp.Diff(tt.loaded, h.Load(tt.s, p+8)); diff != "" {
			t.Errorf("%v (-want +got):\n%s", tt.s, diff)
		}
		around := make([]byte, 24)
		if _, err := h.ReadAt(around, p); err != nil {
			t.Error(err)
		}
		want := make([]byte, 24)
		copy(want[8:], tt.bytes)
		if diff := cmp.Diff(want, around); diff != "" {
			t.Errorf("%v: bytes (-want +got):\n%s", tt.s, diff)
		}
	}
}

// TestObjectsAreApart allocates objects of all sizes: none overlaps another, all are zero,
// aligned, and not null.
func TestObjectsAreApart(t *testing.T) {
	h := New(DefaultLimit)
	end := int64(0)
	for size := range int64(300) {
		p, ok := h.Object(size)
		if !ok || p%align != 0 || p < end || p == 0 || size == 0 && p == end-size {
			t.Fatalf("object of %d bytes at %d, the last one ends at %d", size, p, end)
		}
		for i := range size {
			if x := h.Load(types.U8, p+i); x != 0 {
				t.Fatalf("byte %d of a new object is %d", i, x)
			}
			h.Store(types.U8, p+i, 0xaa)
		}
		end = p + max(size, 1)
	}
	if h.Err() != nil {
		t.Error(h.Err())
	}
}

func TestArrays(t *testing.T) {
	tests := []struct {
		scale       int
		n           int64
		first, size int64
	}{{0, 5, 4, 9}, {1, 3, 4, 10}, {2, 0, 4, 4}, {3, 2, 8, 24}}
	for _, tt := range tests {
		h := New(DefaultLimit)
		p, ok := h.Array(tt.scale, tt.n)
		if !ok {
			t.Fatal("no memory")
		}
		got := []int64{h.Load(types.U32, p), ArrayBase(tt.scale), int64(len(h.bytes))}
		if diff := cmp.Diff([]int64{tt.n, tt.first, roundUp(tt.size)}, got); diff != "" {
			t.Errorf("%d elements of %d bytes: length, first element, bytes (-want +got):\n%s", tt.n, 1<<tt.scale, diff)
		}
	}
}

func TestLimit(t *testing.T) {
	const limit = 1 << 16
	tests := []struct {
		name string
		make func(h *Heap) bool
		want bool
	}{
		{"all of it", func(h *Heap) bool { _, ok := h.Object(limit); return ok }, true},
		{"one more", func(h *Heap) bool { _, ok := h.Object(limit + 1); return ok }, false},
		{"an array with its length", func(h *Heap) bool { _, ok := h.Array(3, limit/8-1); return ok }, true},
		{"an array without", func(h *Heap) bool { _, ok := h.Array(3, limit/8); return ok }, false},
		{"more than a length can say", func(h *Heap) bool { _, ok := h.Array(0, 1<<32); return ok }, false},
		{"the largest length", func(h *Heap) bool { _, ok := h.Array(3, math.MaxInt64); return ok }, false},
		{"the largest size", func(h *Heap) bool { _, ok := h.Object(math.MaxInt64); return ok }, false},
		{"piece by piece", func(h *Heap) bool {
			for range limit / 16 {
				if _, ok := h.Object(16); !ok {
					return false
				}
			}
			return true
		}, true},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, tt.make(New(limit))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestWild(t *testing.T) {
	h := New(DefaultLimit)
	p, _ := h.Object(8)
	for _, addr := range []int64{0, -1, p - 1, p + 1, p + 8, math.MaxInt64, math.MinInt64} {
		h.Store(types.I64, addr, -1)
		if x := h.Load(types.I64, addr); x != 0 {
			t.Errorf("%#x holds %d", addr, x)
		}
	}
	if diff := cmp.Diff("access to address 0x0, where no object is", h.Err().Error()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if x := h.Load(types.I64, p); x != 0 {
		t.Errorf("the object holds %d", x)
	}
}
