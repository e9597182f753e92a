package smith

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
)

// A dataGen makes a Data.
type dataGen struct {
	*rand.Rand
	p     *Data
	left  int // statements
	depth int
	mark  int
	sum   int       // a variable that is always there
	kinds []storage // of the variables, by slot
	// What is in sight, by slot.
	ints, flts, objs, arrs []int
	fixed                  []int // counters of loops, to be read only
}

// A dataExpr is an expression and its meaning.
type dataExpr struct {
	text string
	eval func(m *dataRun) cell
}

func slotName(slot int) string {
	if slot == 0 {
		return "arg"
	}
	return fmt.Sprintf("v%d", slot)
}

func (g *dataGen) slot(kind storage) int {
	g.p.slots++
	g.kinds = append(g.kinds, kind)
	return g.p.slots - 1
}

func pickOne[T any](g *dataGen, list []T) T { return list[g.IntN(len(list))] }

func constantInt(v int64) dataExpr {
	text := fmt.Sprint(v)
	switch {
	case v == math.MinInt64:
		text = "(0-9223372036854775807-1)"
	case v < 0:
		text = fmt.Sprintf("(0-%d)", -v)
	}
	return dataExpr{text, func(*dataRun) cell { return cell{i: v} }}
}

func read(slot int) dataExpr {
	return dataExpr{slotName(slot), func(m *dataRun) cell { return m.vars[slot] }}
}

// integer makes an expression of integers.
func (g *dataGen) integer(depth int) dataExpr {
	k := g.IntN(20)
	switch {
	case depth == 0 && k < 14:
		return read(pickOne(g, append(g.ints, g.fixed...)))
	case depth == 0 || k == 0:
		if g.IntN(3) == 0 {
			return constantInt(pickOne(g, boundaries))
		}
		return constantInt(g.Int64N(12) - 2)
	case k < 9:
		return g.intBinary(depth)
	case k < 12:
		return g.place(false, depth).load()
	case k == 12:
		return g.length()
	case k < 16:
		return g.condition(depth)
	case k == 16:
		return g.choice(g.integer, depth)
	case k == 17:
		return g.assignment(g.place(false, depth), g.integer(depth-1))
	}
	x := g.integer(depth - 1)
	if k == 18 {
		return dataExpr{"(-" + x.text + ")", func(m *dataRun) cell { return cell{i: -x.eval(m).i} }}
	}
	return dataExpr{"(!" + x.text + ")", func(m *dataRun) cell { return cell{i: bit(x.eval(m).i == 0)} }}
}

// A binaryForm is an operator of integers.
type binaryForm struct {
	text string
	eval func(x, y int64) int64
}

var intForms = []binaryForm{
	{"+", func(x, y int64) int64 { return x + y }}, {"-", func(x, y int64) int64 { return x - y }}, {"*", func(x, y int64) int64 { return x * y }},
	{"/", divide}, {"&", func(x, y int64) int64 { return x & y }}, {"|", func(x, y int64) int64 { return x | y }},
	{"^", func(x, y int64) int64 { return x ^ y }}, {"<<", func(x, y int64) int64 { return x << (y & 63) }},
	{">>", func(x, y int64) int64 { return x >> (y & 63) }}, {">>>", func(x, y int64) int64 { return int64(uint64(x) >> (y & 63)) }},
}

func (g *dataGen) intBinary(depth int) dataExpr {
	op, x, y := pickOne(g, intForms), g.integer(depth-1), g.integer(depth-1)
	return dataExpr{fmt.Sprintf("(%s %s %s)", x.text, op.text, y.text), func(m *dataRun) cell {
		m.step()
		l := x.eval(m).i
		return cell{i: op.eval(l, y.eval(m).i)}
	}}
}

// floatTexts are literals: what is exact, what is not, and the ends of both widths.
var floatTexts = []string{
	"0.0", "1.0", "0.5", "0.1", "3.", "25e-1", "1e400", "1e-320", "17e307", "16777217.0", "1e-46", "34e37", "36e37", "9007199254740993.0", "9223372036854775808.0", "49e-325",
}

func (g *dataGen) float(depth int) dataExpr {
	k := g.IntN(16)
	switch {
	case depth == 0 && k < 9 && len(g.flts) > 0:
		return read(pickOne(g, g.flts))
	case depth == 0 || k == 0:
		text := pickOne(g, floatTexts)
		v, _ := strconv.ParseFloat(text, 64) // out of range is an infinity, as it is in the language
		return dataExpr{text, func(*dataRun) cell { return cell{f: v} }}
	case k < 4:
		return g.place(true, depth).load()
	case k == 4:
		return g.choice(g.float, depth)
	case k == 5:
		return g.assignment(g.place(true, depth), g.float(depth-1))
	case k == 6:
		x := g.float(depth - 1)
		return dataExpr{"(-" + x.text + ")", func(m *dataRun) cell { return cell{f: -x.eval(m).f} }}
	}
	return g.floatBinary(depth)
}

func (g *dataGen) floatBinary(depth int) dataExpr {
	op, x, y := pickOne(g, []string{"+", "-", "*", "/"}), g.float(depth-1), g.float(depth-1)
	if g.IntN(4) == 0 {
		y = widened(g.integer(depth - 1))
	}
	return dataExpr{fmt.Sprintf("(%s %s %s)", x.text, op, y.text), func(m *dataRun) cell {
		m.step()
		l := x.eval(m).f
		r := y.eval(m).f
		switch op {
		case "+":
			return cell{f: l + r}
		case "-":
			return cell{f: l - r}
		case "*":
			return cell{f: l * r}
		}
		return cell{f: l / r}
	}}
}

// widened is an integer where a float is wanted.
func widened(x dataExpr) dataExpr {
	return dataExpr{x.text, func(m *dataRun) cell { return cell{f: float64(x.eval(m).i)} }}
}

// condition is a comparison: 0 or 1.
func (g *dataGen) condition(depth int) dataExpr {
	op := pickOne(g, []string{"==", "!=", "<", "<=", ">", ">="})
	depth = max(depth, 1)
	switch {
	case g.IntN(6) == 0:
		x, y := read(pickOne(g, g.objs)), read(pickOne(g, g.objs))
		same := g.IntN(2) == 0
		op = map[bool]string{true: "==", false: "!="}[same]
		return dataExpr{fmt.Sprintf("(%s %s %s)", x.text, op, y.text), func(m *dataRun) cell {
			return cell{i: bit((x.eval(m).o == y.eval(m).o) == same)}
		}}
	case g.IntN(3) == 0:
		x, y := g.float(depth-1), g.float(depth-1)
		return compared(op, x, y, func(l, r cell) bool { return holds(op, l.f, r.f) })
	}
	x, y := g.integer(depth-1), g.integer(depth-1)
	return compared(op, x, y, func(l, r cell) bool { return holds(op, l.i, r.i) })
}

func compared(op string, x, y dataExpr, holds func(l, r cell) bool) dataExpr {
	return dataExpr{fmt.Sprintf("(%s %s %s)", x.text, op, y.text), func(m *dataRun) cell {
		l := x.eval(m)
		return cell{i: bit(holds(l, y.eval(m)))}
	}}
}

func holds[T int64 | float64](op string, l, r T) bool {
	switch op {
	case "==":
		return l == r
	case "!=":
		return l != r
	case "<":
		return l < r
	case "<=":
		return l <= r
	case ">":
		return l > r
	}
	return l >= r
}

// test is what an if asks: a comparison, a number or a float.
func (g *dataGen) test() dataExpr {
	switch g.IntN(6) {
	case 0:
		return g.integerTest(g.integer(1))
	case 1:
		x := g.float(1)
		return dataExpr{x.text, func(m *dataRun) cell { return cell{i: bit(x.eval(m).f != 0)} }}
	}
	return g.condition(2)
}

func (g *dataGen) integerTest(x dataExpr) dataExpr {
	return dataExpr{x.text, func(m *dataRun) cell { return cell{i: bit(x.eval(m).i != 0)} }}
}

func (g *dataGen) choice(of func(depth int) dataExpr, depth int) dataExpr {
	c, x, y := g.test(), of(depth-1), of(depth-1)
	return dataExpr{fmt.Sprintf("(%s ? %s : %s)", c.text, x.text, y.text), func(m *dataRun) cell {
		if c.eval(m).i != 0 {
			return x.eval(m)
		}
		return y.eval(m)
	}}
}

func (g *dataGen) length() dataExpr {
	a := pickOne(g, g.arrs)
	return dataExpr{slotName(a) + "#", func(m *dataRun) cell { return cell{i: int64(len(m.vars[a].o.cells))} }}
}

// A place can be read and assigned. find evaluates what stands in its text, once.
type place struct {
	text string
	kind storage
	find func(m *dataRun) *cell
}

func (p place) load() dataExpr {
	return dataExpr{p.text, func(m *dataRun) cell { return *p.find(m) }}
}

// assignment is (place = x) with the value that was stored.
func (g *dataGen) assignment(p place, x dataExpr) dataExpr {
	return dataExpr{fmt.Sprintf("(%s = %s)", p.text, x.text), func(m *dataRun) cell {
		at := p.find(m)
		v := p.kind.keep(x.eval(m))
		*at = v
		return v
	}}
}

// place is a variable, a field or an element that holds floats or integers.
func (g *dataGen) place(float bool, depth int) place {
	switch g.IntN(3) {
	case 0:
		o, fields := pickOne(g, g.objs), g.p.fields
		at := g.IntN(len(fields))
		if (fields[at].kind.bits == 0) == float {
			return place{slotName(o) + "." + fields[at].name, fields[at].kind, func(m *dataRun) *cell { return &m.vars[o].o.cells[at] }}
		}
	case 1:
		if a := pickOne(g, g.arrs); (g.kinds[a].bits == 0) == float {
			return g.element(a, max(depth-1, 0))
		}
	}
	list := g.ints
	if float {
		list = g.flts
	}
	v := pickOne(g, list)
	return place{slotName(v), g.kinds[v], func(m *dataRun) *cell { return &m.vars[v] }}
}

func (g *dataGen) element(a, depth int) place {
	i := g.index(a, depth)
	g.mark++
	mark := g.mark
	text := fmt.Sprintf("%s%c%d%c[%s]", slotName(a), markStart, mark, markEnd, i.text)
	return place{text, g.kinds[a], func(m *dataRun) *cell {
		o := m.vars[a].o
		at := i.eval(m).i
		if at < 0 || at >= int64(len(o.cells)) {
			panic(dataFault{mark, fmt.Sprintf("index %d is outside array of length %d", at, len(o.cells))})
		}
		return &o.cells[at]
	}}
}

// index is mostly in range.
func (g *dataGen) index(a, depth int) dataExpr {
	x := g.integer(depth)
	switch k := g.IntN(16); {
	case k == 0:
		return x
	case k < 5 && len(g.fixed) > 0:
		return read(g.fixed[len(g.fixed)-1])
	case k < 7:
		return constantInt(g.Int64N(3))
	case k == 7:
		return dataExpr{slotName(a) + "#-1", func(m *dataRun) cell { return cell{i: int64(len(m.vars[a].o.cells)) - 1} }}
	}
	mask := int64(1)<<(1+g.IntN(2)) - 1
	return dataExpr{fmt.Sprintf("%s & %d", x.text, mask), func(m *dataRun) cell { return cell{i: x.eval(m).i & mask} }}
}
