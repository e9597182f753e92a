package types

// A reference type is a triple, and each part a lattice of its own (chapters §10.4, §17.4;
// structs are told apart by their declaration): which object (levelTop above all objects,
// levelBot below), whether it may be null, and whether it is read-only. lo has the level,
// hi the flags, ext the object.
const (
	levelTop    = -1
	levelObject = 0
	levelBot    = 1

	flagNull     = 1
	flagReadOnly = 2
)

// The references without an object.
var (
	Null   = Type{Kind: KindRef, lo: levelTop, hi: flagNull}                // null alone
	RefTop = Type{Kind: KindRef, lo: levelTop}                              // no reference yet
	RefBot = Type{Kind: KindRef, lo: levelBot, hi: flagNull | flagReadOnly} // any, or null
	NotNil = Type{Kind: KindRef, lo: levelBot, hi: flagReadOnly}            // any but null
)

// RefTo is the type of references to o that are never null.
func RefTo(o *Object) Type { return Type{Kind: KindRef, ext: &o.ext} }

// IsRef tells whether t is a reference type.
func (t Type) IsRef() bool { return t.Kind == KindRef }

// IsNull tells whether t is null alone.
func (t Type) IsNull() bool { return t.Kind == KindRef && t.lo == levelTop && t.hi&flagNull != 0 }

// MayBeNull tells whether null is among the references of t.
func (t Type) MayBeNull() bool { return t.Kind == KindRef && t.hi&flagNull != 0 }

// IsReadOnly tells whether nothing may be changed through a reference of type t.
func (t Type) IsReadOnly() bool { return t.Kind == KindRef && t.hi&flagReadOnly != 0 }

// Object is what t refers to, nil if that is no single object type.
func (t Type) Object() *Object {
	if t.Kind != KindRef || t.ext == nil {
		return nil
	}
	return t.ext.object
}

// OrNull is t with null.
func (t Type) OrNull() Type { return t.withFlag(flagNull, true) }

// NonNull is t without null.
func (t Type) NonNull() Type { return t.withFlag(flagNull, false) }

// ReadOnly is t for whoever may not change the object.
func (t Type) ReadOnly() Type { return t.withFlag(flagReadOnly, true) }

// Mutable is t for whoever may.
func (t Type) Mutable() Type { return t.withFlag(flagReadOnly, false) }

func (t Type) withFlag(flag int64, on bool) Type {
	if t.Kind == KindRef {
		t.hi &^= flag
		if on {
			t.hi |= flag
		}
	}
	return t
}

func meetRefs(t, u Type) Type {
	flags := t.hi | u.hi
	switch {
	case t.lo == levelTop:
		t = u
	case u.lo == levelTop || t.lo == levelBot:
	case u.lo == levelBot:
		t = u
	case t.ext != u.ext:
		t.lo, t.ext = levelBot, nil
	}
	t.hi = flags
	return t
}

func (t Type) dualRef() Type {
	t.lo = -t.lo
	t.hi ^= flagNull | flagReadOnly
	return t
}

// NonZero is what is known of a value of type t that a test found true (chapters §15.4):
// no null, no 0 at an end of the range.
func (l Lattice) NonZero(t Type) Type {
	switch {
	case t.Kind == KindRef:
		return t.NonNull()
	case t.Kind == KindInt && l == Ranges && t.lo == 0 && t.hi > 0:
		return Range(1, t.hi)
	case t.Kind == KindInt && l == Ranges && t.hi == 0 && t.lo < 0:
		return Range(t.lo, -1)
	}
	return t
}
