// Package types is the lattice of what the compiler knows about values.
//
// Needs: nothing. Gives: Type, a small comparable value, with Meet, Join, Dual and IsA.
// Breaks: nothing; types are immutable.
//
// Top is above everything (no value yet, or any value will do), Bot below (nothing is
// known). Meet goes down: what is known about a value that is one or the other. The
// words follow C. Click and K. Cooper, "Combining Analyses, Combining Optimizations",
// TOPLAS 1995.
//
// Start reading at Type, then Lattice.Meet.
package types

import "math"

// A Kind is a family of types; types of different kinds meet to Bot, but for Top, and
// Ctrl with XCtrl.
type Kind uint8

// The kinds of types.
const (
	KindBot   Kind = iota // nothing is known
	KindTop               // no value yet
	KindCtrl              // control gets here
	KindXCtrl             // control does not get here
	KindInt               // an integer in a range
	KindFloat             // a floating-point number (float.go)
	KindRef               // a reference to an object, or null (ref.go)
	KindMem               // a state of memory
	KindTuple             // the results of a Multi
	numKinds
)

// A Type is what is known about a value: an element of the lattice. Types are values;
// equal types are ==, but for tuples, which are compared with Equal.
type Type struct {
	lo, hi int64 // KindInt: the range; lo > hi is a high one, without members
	ext    *extra
	Kind   Kind
}

// An extra is what a tuple or a reference has besides.
type extra struct {
	elems  []Type  // of a tuple
	object *Object // of a reference; an object has one extra for all its references
}

// The elements with names. The integer ones hold all, none, or the two truth values.
var (
	Bot    = Type{Kind: KindBot}
	Top    = Type{Kind: KindTop}
	Ctrl   = Type{Kind: KindCtrl}
	XCtrl  = Type{Kind: KindXCtrl}
	Mem    = Type{Kind: KindMem}
	Int    = Type{Kind: KindInt, lo: math.MinInt64, hi: math.MaxInt64}
	IntTop = Type{Kind: KindInt, lo: math.MaxInt64, hi: math.MinInt64}
	Bool   = Type{Kind: KindInt, lo: 0, hi: 1}
	Zero   = Const(0)
	One    = Const(1)

	// What an If sends out: to both sides, to one, to none.
	IfBoth  = Tuple(Ctrl, Ctrl)
	IfTrue  = Tuple(Ctrl, XCtrl)
	IfFalse = Tuple(XCtrl, Ctrl)
	IfNone  = Tuple(XCtrl, XCtrl)
)

// Const is the type of the integer c alone.
func Const(c int64) Type { return Type{Kind: KindInt, lo: c, hi: c} }

// Range is the type of the integers lo to hi. With lo > hi it is a high type, the dual
// of Range(hi, lo).
func Range(lo, hi int64) Type { return Type{Kind: KindInt, lo: lo, hi: hi} }

// Tuple is the type of the results of a Multi.
func Tuple(elems ...Type) Type { return Type{Kind: KindTuple, ext: &extra{elems: elems}} }

// Elems are the elements of a tuple, which must not be changed; nil for other kinds.
func (t Type) Elems() []Type {
	if t.ext == nil {
		return nil
	}
	return t.ext.elems
}

// IsConst tells whether t is one integer.
func (t Type) IsConst() bool { return t.Kind == KindInt && t.lo == t.hi }

// Value is the integer of a constant type.
func (t Type) Value() int64 { return t.lo }

// Word is what a constant of type t is at run time: the integer, the bits of the float, or
// 0 for null and for a value that is never needed.
func (t Type) Word() int64 {
	switch {
	case t.IsConst():
		return t.Value()
	case t.IsFloatConst():
		return t.Bits()
	}
	return 0
}

// IsInt tells whether t is an integer type, high or low.
func (t Type) IsInt() bool { return t.Kind == KindInt }

// Bounds are the smallest and the largest member of an integer type.
func (t Type) Bounds() (lo, hi int64) { return t.lo, t.hi }

// Contains tells whether the integer x may be the value.
func (t Type) Contains(x int64) bool {
	return t.Kind == KindBot || t.Kind == KindInt && t.lo <= x && x <= t.hi
}

// HighOrConst tells whether a Constant may stand for a node of type t: its value is
// known, or does not matter.
func (t Type) HighOrConst() bool {
	switch t.Kind {
	case KindInt:
		return t.lo >= t.hi
	case KindFloat:
		return t.lo <= tagConst
	case KindRef:
		return t.lo == levelTop
	}
	return t.Kind == KindTop || t.Kind == KindXCtrl
}

// Equal tells whether t and u are the same element.
func (t Type) Equal(u Type) bool {
	if t.Kind != KindTuple || u.Kind != KindTuple || t.ext == u.ext {
		return t == u
	}
	a, b := t.Elems(), u.Elems()
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !a[i].Equal(b[i]) {
			return false
		}
	}
	return true
}

// A Lattice is one of the two forms of the lattice of integers (levels §4).
type Lattice uint8

// The two forms.
const (
	Flat   Lattice = iota // an integer is unknown yet, a constant, or unknown: below chapter 14
	Ranges                // it lies in a range
)

// Meet is what is known about a value of which we know that it is in t or in u.
func (l Lattice) Meet(t, u Type) Type {
	switch {
	case t.Kind == KindTop || u.Kind == KindBot:
		return u
	case u.Kind == KindTop || t.Kind == KindBot:
		return t
	case t.Kind == KindTuple && u.Kind == KindTuple:
		return l.meetTuples(t, u)
	case t.Kind == KindInt && u.Kind == KindInt:
		return l.meetInts(t, u)
	case t.Kind == KindFloat && u.Kind == KindFloat:
		return l.meetFloats(t, u)
	case t.Kind == KindRef && u.Kind == KindRef:
		return meetRefs(t, u)
	case t.Kind == u.Kind:
		return t
	case t.isControl() && u.isControl():
		return Ctrl
	}
	return Bot
}

func (t Type) isControl() bool { return t.Kind == KindCtrl || t.Kind == KindXCtrl }

func (l Lattice) meetInts(t, u Type) Type {
	if l == Ranges || t == u || t == IntTop || u == IntTop {
		return Range(min(t.lo, u.lo), max(t.hi, u.hi))
	}
	return Int
}

func (l Lattice) meetTuples(t, u Type) Type {
	if t.Equal(u) {
		return t
	}
	a, b := t.Elems(), u.Elems()
	if len(a) != len(b) {
		return Bot
	}
	met := make([]Type, len(a))
	for i := range a {
		met[i] = l.Meet(a[i], b[i])
	}
	return Tuple(met...)
}

// Dual turns the lattice upside down: the dual of a meet is the join of the duals.
func (t Type) Dual() Type {
	switch t.Kind {
	case KindBot:
		return Top
	case KindTop:
		return Bot
	case KindCtrl:
		return XCtrl
	case KindXCtrl:
		return Ctrl
	case KindInt:
		return Range(t.hi, t.lo)
	case KindFloat:
		return t.dualFloat()
	case KindRef:
		return t.dualRef()
	case KindTuple:
		duals := make([]Type, len(t.Elems()))
		for i, e := range t.Elems() {
			duals[i] = e.Dual()
		}
		return Tuple(duals...)
	}
	return t
}

// Join is the greatest thing that is known of a value that is both in t and in u.
func (l Lattice) Join(t, u Type) Type { return l.Meet(t.Dual(), u.Dual()).Dual() }

// IsA tells whether t is at or above u: whoever can take a u can take a t.
func (l Lattice) IsA(t, u Type) bool { return l.Meet(t, u).Equal(u) }

// Narrow is t, or Int if t is a range that the flat lattice does not have.
func (l Lattice) Narrow(t Type) Type {
	if l == Flat && t.Kind == KindInt && t.lo != t.hi && t != IntTop {
		return Int
	}
	return t
}

// Widest is the lowest type of the same kind: all that a variable whose value has type t
// could hold if nothing else were known. A reference keeps its object.
func (t Type) Widest() Type {
	switch t.Kind {
	case KindInt:
		return Int
	case KindFloat:
		return Flt
	case KindRef:
		return t.OrNull()
	}
	return t
}

// Zero is the type of the value that memory and variables of type t start with: 0, 0.0
// or null.
func (t Type) Zero() Type {
	switch t.Kind {
	case KindFloat:
		return ConstFloat(0)
	case KindRef:
		return Null
	}
	return Zero
}

// IsZero tells whether t is the type of 0, 0.0 or null alone.
func (t Type) IsZero() bool {
	switch t.Kind {
	case KindInt:
		return t == Zero
	case KindFloat:
		return t.IsFloatConst() && t.Float() == 0
	case KindRef:
		return t.IsNull()
	}
	return false
}
