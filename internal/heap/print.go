package heap

import (
	"io"
	"math"
	"strconv"

	"shoal/node/types"
)

// AppendValue appends what a program has given (language §18): the word v, of static type
// t, and the objects that it leads to, which are read from r at their addresses. The error
// is one of reading.
//
// An object is printed each time that it is met, but not inside of itself. Lists may be
// long, so what is still to print is kept on a stack of our own.
func AppendValue(buf []byte, r io.ReaderAt, t types.Type, v int64) ([]byte, error) {
	p := &valuePrinter{r: r, buf: buf, open: map[int64]bool{}}
	p.push(task{kind: taskValue, t: t, v: v})
	for len(p.todo) > 0 && p.err == nil {
		next := p.todo[len(p.todo)-1]
		p.todo = p.todo[:len(p.todo)-1]
		p.do(next)
	}
	return p.buf, p.err
}

// What is still to print.
type taskKind uint8

const (
	taskValue  taskKind = iota // the value v of type t
	taskFields                 // the fields of the struct at v, from number next on
	taskElems                  // the elements of the array at v, from number next on
)

type task struct {
	kind   taskKind
	t      types.Type
	v      int64
	next   int64
	length int64 // of the array
}

type valuePrinter struct {
	r    io.ReaderAt
	buf  []byte
	todo []task
	open map[int64]bool // the objects that are being printed, by address
	err  error

	pages [pageSlots]page
}

func (p *valuePrinter) push(t task) { p.todo = append(p.todo, t) }

func (p *valuePrinter) text(s string) { p.buf = append(p.buf, s...) }

func (p *valuePrinter) do(t task) {
	switch t.kind {
	case taskValue:
		p.value(t.t, t.v)
	case taskFields:
		p.field(t)
	case taskElems:
		p.element(t)
	}
}

func (p *valuePrinter) value(t types.Type, v int64) {
	o := t.Object()
	switch {
	case t.IsFloat():
		p.text(FloatText(math.Float64frombits(uint64(v))))
	case !t.IsRef():
		p.buf = strconv.AppendInt(p.buf, v, 10)
	case v == 0:
		p.text("null")
	case o == nil: // of an object of which nothing is known there is nothing to print
		p.text(t.In(types.Printed))
	case p.open[v]:
		p.text("$cyclic")
	case o.Array:
		p.array(o, v)
	case len(o.Fields) == 0:
		p.text(o.Name + "}")
	default:
		p.open[v] = true
		p.text(o.Name + "{")
		p.push(task{kind: taskFields, t: t, v: v})
	}
}

// field prints the next field of a struct, and what is behind it later.
func (p *valuePrinter) field(t task) {
	o := t.t.Object()
	if t.next == int64(len(o.Fields)) {
		p.text("}")
		delete(p.open, t.v)
		return
	}
	if t.next > 0 {
		p.text(",")
	}
	f := o.Fields[t.next]
	t.next++
	p.push(t)
	p.text(f.Name + "=")
	p.push(task{kind: taskValue, t: f.Type, v: p.load(f.Storage, t.v+f.Offset)})
}

// array prints an array: bytes as characters, others with the type of their elements.
func (p *valuePrinter) array(o *types.Object, v int64) {
	length := p.load(types.U32, v)
	elem := o.Element()
	switch {
	case elem.Type == types.U8.Range():
		p.chars(v+elem.Offset, length)
	case length == 0:
		p.text(elem.Type.In(types.Printed) + "[]")
	default:
		p.open[v] = true
		p.text(elem.Type.In(types.Printed) + "[ ")
		p.push(task{kind: taskElems, t: types.RefTo(o), v: v, length: length})
	}
}

func (p *valuePrinter) element(t task) {
	elem := t.t.Object().Element()
	if t.next == t.length {
		p.text("]")
		delete(p.open, t.v)
		return
	}
	if t.next > 0 {
		p.text(",")
	}
	at := t.v + elem.Offset + t.next<<elem.Storage.Log2()
	t.next++
	p.push(t)
	p.push(task{kind: taskValue, t: elem.Type, v: p.load(elem.Storage, at)})
}

// chunk is how many characters are read at a time.
const chunk = 1 << 12

func (p *valuePrinter) chars(at, length int64) {
	for length > 0 && p.err == nil {
		n := min(length, chunk)
		start := len(p.buf)
		p.buf = append(p.buf, make([]byte, n)...)
		p.read(p.buf[start:], at)
		at, length = at+n, length-n
	}
}

func (p *valuePrinter) load(s types.Storage, at int64) int64 {
	var b [8]byte
	p.read(b[:s.Size()], at)
	return Decode(s, b[:])
}

// pageBytes is how much is read at a time, and pageSlots how many of such pieces are kept:
// reading another process costs the same for one byte and for a page of it.
const (
	pageBytes = 1 << 12
	pageSlots = 1 << 8
)

// noPage is the address of a page that could not be read: none is there.
const noPage = -1

// A page is a piece of memory, aligned to its size.
type page struct {
	at    int64
	bytes []byte
}

// read fills b from address at on.
func (p *valuePrinter) read(b []byte, at int64) {
	for len(b) > 0 && p.err == nil {
		start := at &^ (pageBytes - 1)
		got := p.page(start)
		if got == nil { // nothing or not all of the page is there
			if _, err := p.r.ReadAt(b, at); err != nil {
				p.err = err
			}
			return
		}
		n := copy(b, got[at-start:])
		b, at = b[n:], at+int64(n)
	}
}

// page is the page at start, nil if it cannot be read whole.
func (p *valuePrinter) page(start int64) []byte {
	slot := &p.pages[start/pageBytes&(pageSlots-1)]
	if slot.bytes != nil && slot.at == start {
		return slot.bytes
	}
	if slot.bytes == nil {
		slot.bytes = make([]byte, pageBytes)
	}
	slot.at = start
	if _, err := p.r.ReadAt(slot.bytes, start); err != nil {
		slot.at = noPage
		return nil
	}
	return slot.bytes
}

// FloatText is how a float prints as a result: as in graphs, without the mark of binary32,
// and with other words for what is no number.
func FloatText(x float64) string {
	switch {
	case x != x:
		return "Double.NaN"
	case math.IsInf(x, 1):
		return "Double.POSITIVE_INFINITY"
	case math.IsInf(x, -1):
		return "Double.NEGATIVE_INFINITY"
	}
	return types.FormatFloat(x)
}
