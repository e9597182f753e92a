package smith

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// A Data is a random program of chapter 18, or 17 but for field += x, with objects, arrays, floats and narrow numbers.
// Every piece of it was made together with its meaning, a function of Go, so that it needs
// neither a tree of operators nor a walk over one.
type Data struct {
	body   []*dataStmt
	fields []dataField
	slots  int
}

// A dataStmt is a statement: what stands before its list, the list and what comes after.
type dataStmt struct {
	head, tail string
	body, rest []*dataStmt // rest is what else runs
	run        func(m *dataRun, s *dataStmt)
}

// A dataField is a field of the one struct that a Data has; the last one is next.
type dataField struct {
	name string
	kind storage
}

// A storage is a type of numbers: how memory and variables keep them.
type storage struct {
	name   string
	bits   int // of an integer; 0 for floats
	signed bool
}

var storages = []storage{
	{"int", 64, true}, {"i32", 32, true}, {"i16", 16, true}, {"i8", 8, true}, {"u32", 32, false}, {"u16", 16, false},
	{"u8", 8, false}, {"bool", 1, false}, {"flt", 0, true}, {"f32", 0, false},
}

// A cell is a value: a number, a float or a reference.
type cell struct {
	i int64
	f float64
	o *object
}

// An object is a struct or an array.
type object struct {
	kind  storage // of an array's elements
	cells []cell
}

// keep is what remains of v in a place of that type.
func (k storage) keep(v cell) cell {
	switch {
	case k.name == "f32":
		v.f = float64(float32(v.f))
	case k.bits == 0 || k.bits == 64:
	case k.signed:
		v.i = v.i << (64 - k.bits) >> (64 - k.bits)
	default:
		v.i &= 1<<k.bits - 1
	}
	return v
}

// A dataRun is one run of a program.
type dataRun struct {
	vars   []cell
	left   int
	result string
}

// What ends a run early goes through the functions as a panic.
type (
	dataFault struct {
		mark int
		text string
	}
	dataTired  struct{}
	dataReturn struct{}
)

// Run tells how the program ends for arg, as its text would be told: the value, or the
// fault with its place in t.smp. ended is false if maxSteps were not enough.
func (p *Data) Run(arg int64, maxSteps int) (result string, ended bool) {
	m := &dataRun{vars: make([]cell, p.slots), left: maxSteps}
	m.vars[0].i = arg
	ended = true
	defer func() {
		switch e := recover().(type) {
		case nil, dataReturn:
			result = m.result
		case dataFault:
			_, marks := p.render()
			result = fmt.Sprintf("t.smp:%s: fault: %s", marks[e.mark], e.text)
		case dataTired:
			ended = false
		default:
			panic(e)
		}
	}()
	m.list(p.body)
	return m.result, true
}

func (m *dataRun) list(list []*dataStmt) {
	for _, s := range list {
		m.step()
		s.run(m, s)
	}
}

func (m *dataRun) step() {
	if m.left--; m.left < 0 {
		panic(dataTired{})
	}
}

// Text is the program in Simple.
func (p *Data) Text() string {
	text, _ := p.render()
	return text
}

// render takes the marks out of the text and tells, by number, where they stood.
func (p *Data) render() (text string, marks map[int]string) {
	var raw, b strings.Builder
	writeData(&raw, p.body)
	marks = map[int]string{}
	line, column := 1, 1
	for rest := raw.String(); rest != ""; {
		if rest[0] == markStart {
			var n int
			number, after, _ := strings.Cut(rest[1:], string(rune(markEnd)))
			fmt.Sscan(number, &n)
			marks[n], rest = fmt.Sprintf("%d:%d", line, column), after
			continue
		}
		b.WriteByte(rest[0])
		if column++; rest[0] == '\n' {
			line, column = line+1, 1
		}
		rest = rest[1:]
	}
	return b.String(), marks
}

// A mark in a text is a number between these.
const markStart, markEnd = 1, 2

func writeData(b *strings.Builder, list []*dataStmt) {
	for _, s := range list {
		b.WriteString(s.head)
		if strings.HasSuffix(s.head, "{\n") {
			writeData(b, s.body)
			if len(s.rest) > 0 {
				b.WriteString("} else {\n")
				writeData(b, s.rest)
			}
		}
		b.WriteString(s.tail)
	}
}

// ReduceData makes p small as long as it fails: statements go, alone or with what is in
// them.
func ReduceData(p *Data, fails func(*Data) bool) *Data {
	var shrink func(list *[]*dataStmt)
	shrink = func(list *[]*dataStmt) {
		for n := len(*list); n > 0; n /= 2 {
			for at := len(*list) - n; at >= 0; at -= n {
				before := *list
				*list = slices.Delete(slices.Clone(before), at, at+n)
				if !fails(p) {
					*list = before
				}
			}
		}
		for _, s := range *list {
			shrink(&s.body)
			shrink(&s.rest)
		}
	}
	for size := -1; size != len(p.Text()); {
		size = len(p.Text())
		shrink(&p.body)
	}
	return p
}

// GenerateData makes a random program with data. All its operations are in parentheses.
func GenerateData(r *rand.Rand, size int) *Data {
	g := &dataGen{Rand: r, left: size, p: &Data{slots: 1}, sum: 1}
	g.ints = []int{0}
	g.kinds = []storage{storages[0]}
	g.structure()
	for i, kind := range []storage{storages[0], storages[8]} {
		g.add(g.variable(kind, constantInt(int64(i))))
	}
	g.add(g.newObject())
	g.add(g.newArray())
	g.add(g.block(size)...)
	g.add(g.finish())
	return g.p
}

func (g *dataGen) add(list ...*dataStmt) { g.p.body = append(g.p.body, list...) }

// structure writes the struct.
func (g *dataGen) structure() {
	var b strings.Builder
	b.WriteString("struct S { ")
	for i := range 2 + g.IntN(5) {
		f := dataField{fmt.Sprintf("f%d", i), storages[g.IntN(len(storages))]}
		if i == 0 {
			f.kind = storages[0]
		}
		g.p.fields = append(g.p.fields, f)
		fmt.Fprintf(&b, "%s %s; ", f.kind.name, f.name)
	}
	b.WriteString("S? next; };\n")
	g.add(&dataStmt{head: b.String(), run: func(*dataRun, *dataStmt) {}})
}
