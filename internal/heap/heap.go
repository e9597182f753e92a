// Package heap is the memory of the interpreters: bytes at addresses, laid out as native
// code lays them out, so that all engines agree on every value that memory gives back.
//
// Needs: nothing. Gives: zeroed room for objects, loads and stores by types.Storage, and
// reading by address for whoever prints values. Breaks: nothing.
//
// Objects are never freed. Address 0 is null and no object is near it. An access outside
// of what was handed out, which only a program without checks can make, changes nothing
// and reads 0; Err tells of the first.
//
// Start reading at Heap.
package heap

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"shoal/node/types"
)

// DefaultLimit is how many bytes a program may have when it is interpreted: 1 GiB.
const DefaultLimit = 1 << 30

const (
	// base is the address of the first object.
	base = 1 << 16
	// align is the alignment of objects in bytes, the largest that a value needs.
	align = 8
	// firstBytes is what the first object makes room for.
	firstBytes = 1 << 12
)

// A Heap is the memory of one run.
type Heap struct {
	bytes []byte // what was handed out; its capacity is zero beyond its length
	limit int64
	wild  error
}

// New makes an empty heap for at most limit bytes.
func New(limit int64) *Heap { return &Heap{limit: limit} }

// Object makes room for size bytes; ok is false if memory does not suffice.
func (h *Heap) Object(size int64) (ref int64, ok bool) {
	start := int64(len(h.bytes))
	if size > h.limit || start+roundUp(size) > h.limit {
		return 0, false
	}
	end := start + max(roundUp(size), align) // every object has an address of its own
	if end > int64(cap(h.bytes)) {
		grown := make([]byte, start, max(end, min(2*end, h.limit+align), firstBytes))
		copy(grown, h.bytes)
		h.bytes = grown
	}
	h.bytes = h.bytes[:end]
	return base + start, true
}

// Array makes room for an array of n elements, 0 or more, of 1<<scale bytes, and stores
// its length.
func (h *Heap) Array(scale int, n int64) (ref int64, ok bool) {
	if n > math.MaxUint32 || n > h.limit>>scale {
		return 0, false
	}
	ref, ok = h.Object(ArrayBase(scale) + n<<scale)
	if ok {
		h.Store(types.U32, ref, n)
	}
	return ref, ok
}

// Make makes room for an object, of an array with n elements.
func (h *Heap) Make(o *types.Object, n int64) (ref int64, ok bool) {
	if o.Array {
		return h.Array(o.Element().Storage.Log2(), n)
	}
	return h.Object(o.Size)
}

// ArrayBase is the offset of element 0 of an array whose elements have 1<<scale bytes: the
// length takes four bytes, elements of eight are aligned (language §13.3).
func ArrayBase(scale int) int64 {
	const lengthBytes = 4
	return max(lengthBytes, int64(1)<<scale)
}

func roundUp(size int64) int64 { return (size + align - 1) &^ (align - 1) }

// at is the place of n bytes, nil if they are not all inside.
func (h *Heap) at(addr, n int64) []byte {
	i := addr - base
	if i < 0 || i > int64(len(h.bytes))-n {
		if h.wild == nil {
			h.wild = fmt.Errorf("access to address %#x, where no object is", uint64(addr))
		}
		return nil
	}
	return h.bytes[i : i+n]
}

// Load reads the value at addr.
func (h *Heap) Load(s types.Storage, addr int64) int64 {
	b := h.at(addr, s.Size())
	if b == nil {
		return 0
	}
	return Decode(s, b)
}

// Store writes v at addr.
func (h *Heap) Store(s types.Storage, addr, v int64) {
	b := h.at(addr, s.Size())
	if b == nil {
		return
	}
	if s == types.F32 {
		v = int64(math.Float32bits(float32(math.Float64frombits(uint64(v)))))
	}
	switch s.Log2() {
	case 0:
		b[0] = byte(v)
	case 1:
		binary.LittleEndian.PutUint16(b, uint16(v))
	case 2:
		binary.LittleEndian.PutUint32(b, uint32(v))
	default:
		binary.LittleEndian.PutUint64(b, uint64(v))
	}
}

// Decode is the value that the bytes b, at least as many as s says, hold.
func Decode(s types.Storage, b []byte) int64 {
	var v uint64
	switch s.Log2() {
	case 0:
		v = uint64(b[0])
	case 1:
		v = uint64(binary.LittleEndian.Uint16(b))
	case 2:
		v = uint64(binary.LittleEndian.Uint32(b))
	default:
		v = binary.LittleEndian.Uint64(b)
	}
	switch s {
	case types.I8:
		return int64(int8(v))
	case types.I16:
		return int64(int16(v))
	case types.I32:
		return int64(int32(v))
	case types.F32:
		return floatBits(float64(math.Float32frombits(uint32(v))))
	case types.F64:
		return floatBits(math.Float64frombits(v))
	}
	return int64(v)
}

// floatBits are the bits of x; all NaNs are one, since nobody can tell them apart.
func floatBits(x float64) int64 {
	if x != x {
		x = math.NaN()
	}
	return int64(math.Float64bits(x))
}

// ReadAt reads the bytes from address off on.
func (h *Heap) ReadAt(p []byte, off int64) (int, error) {
	if i := off - base; i >= 0 && i < int64(len(h.bytes)) {
		if n := copy(p, h.bytes[i:]); n == len(p) {
			return n, nil
		}
	}
	return 0, io.ErrUnexpectedEOF
}

// Err is about the first access outside of all objects, nil if there was none.
func (h *Heap) Err() error { return h.wild }
