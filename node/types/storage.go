package types

import "math"

// A Storage is how a value lies in memory (language §13.1). Reading an integer extends it
// to 64 bits, by its sign or with zeros; writing keeps its low bits. An F32 is rounded
// when it is written.
type Storage uint8

// The ways to store a value.
const (
	I8 Storage = iota
	U8
	I16
	U16
	I32
	U32
	I64
	F32
	F64
	Ref // a reference: an address, 0 for null
	NumStorages
)

// storages has a row for each Storage.
var storages = [NumStorages]struct {
	name   string
	log2   int // of the size in bytes
	lo, hi int64
}{
	I8:  {"i8", 0, math.MinInt8, math.MaxInt8},
	U8:  {"u8", 0, 0, math.MaxUint8},
	I16: {"i16", 1, math.MinInt16, math.MaxInt16},
	U16: {"u16", 1, 0, math.MaxUint16},
	I32: {"i32", 2, math.MinInt32, math.MaxInt32},
	U32: {"u32", 2, 0, math.MaxUint32},
	I64: {"i64", 3, math.MinInt64, math.MaxInt64},
	F32: {"f32", 2, 0, 0},
	F64: {"f64", 3, 0, 0},
	Ref: {"ref", 3, 0, 0},
}

// String is the name in linear SSA text: "u16".
func (s Storage) String() string { return storages[s].name }

// StorageNamed finds a storage by the name that String gives it.
func StorageNamed(name string) (Storage, bool) {
	for s := range NumStorages {
		if storages[s].name == name {
			return s, true
		}
	}
	return 0, false
}

// Log2 is the binary logarithm of the size in bytes, which is also the alignment: 0 to 3.
func (s Storage) Log2() int { return storages[s].log2 }

// Size is the size in bytes: 1, 2, 4 or 8.
func (s Storage) Size() int64 { return 1 << storages[s].log2 }

// IsFloat tells whether the value is a floating-point number.
func (s Storage) IsFloat() bool { return s == F32 || s == F64 }

// IsInt tells whether the value is an integer.
func (s Storage) IsInt() bool { return s <= I64 }

// Range is the type of the integers that fit.
func (s Storage) Range() Type { return Range(storages[s].lo, storages[s].hi) }
