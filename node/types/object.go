package types

import "shoal/source"

// An Object is the declaration of a struct, or an array type. A type is identified by its
// declaration: two structs with equal fields are two types (language §4.6).
type Object struct {
	Name    string // of a struct; of an array the printed form, "[]i64"
	Fields  []*Field
	Array   bool // Fields are then the length '#' and the elements '[]'
	Defined bool // false for a struct that was only mentioned
	Pos     source.Pos
	Size    int64 // in bytes; of an array that of its header
	byName  map[string]*Field
	ext     extra
}

// A Field is a part of an object.
type Field struct {
	Name    string
	Object  *Object
	Type    Type // as declared
	Storage Storage
	Offset  int64 // in bytes; of the elements that of the first
	Final   bool  // it cannot be assigned after construction
	Set     bool  // its declaration gives it a value, or it starts with zero
}

// NewObject declares a struct that is not defined yet.
func NewObject(name string, at source.Pos) *Object {
	o := &Object{Name: name, Pos: at, byName: map[string]*Field{}}
	o.ext.object = o
	return o
}

// Field is the field of that name, nil if there is none.
func (o *Object) Field(name string) *Field { return o.byName[name] }

// AddField adds a field; it has no place before Layout.
func (o *Object) AddField(name string, t Type) *Field {
	f := &Field{Name: name, Object: o, Type: t, Storage: t.Storage()}
	o.Fields = append(o.Fields, f)
	o.byName[name] = f
	return f
}

// Layout gives the fields their places: those of 8 bytes first, then those of 4, 2 and 1,
// each group in order of declaration, without gaps (language §13.2).
func (o *Object) Layout() {
	o.Size = 0
	for log2 := 3; log2 >= 0; log2-- {
		for _, f := range o.Fields {
			if f.Storage.Log2() == log2 {
				f.Offset = o.Size
				o.Size += f.Storage.Size()
			}
		}
	}
}

// NewArray makes the type of arrays with elements of type elem (language §13.3): the
// length in 4 bytes, then the elements, aligned to their size. Whoever needs one type for
// each element type keeps them.
func NewArray(elem Type) *Object {
	o := NewObject("[]"+elem.String(), source.NoPos)
	o.Array, o.Defined = true, true
	length := o.AddField("#", U32.Range())
	length.Storage, length.Final, length.Set = U32, true, true
	body := o.AddField("[]", elem)
	body.Set = true
	body.Offset = max(length.Storage.Size(), body.Storage.Size())
	o.Size = body.Offset
	return o
}

// Length and Element are the fields of an array.
func (o *Object) Length() *Field  { return o.Fields[0] }
func (o *Object) Element() *Field { return o.Fields[1] }

// Storage is how a value of the declared type t lies in memory: in the smallest place
// that holds the range.
func (t Type) Storage() Storage {
	switch {
	case t.Kind == KindRef:
		return Ref
	case t.Kind == KindFloat && t.lo == tagF32:
		return F32
	case t.Kind == KindFloat:
		return F64
	}
	for s := I8; s < I64; s++ {
		if lo, hi := s.Range().Bounds(); t.lo >= lo && t.hi <= hi && (s == U8 || s == U16 || s == U32) == (t.lo >= 0) {
			return s
		}
	}
	return I64
}
