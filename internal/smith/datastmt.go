package smith

import "fmt"

// block makes statements and forgets what they declared.
func (g *dataGen) block(count int) (list []*dataStmt) {
	ints, flts, objs, arrs := g.ints, g.flts, g.objs, g.arrs
	g.depth++
	for range 1 + g.IntN(max(count, 1)) {
		if g.left--; g.left < 0 {
			break
		}
		list = append(list, g.statement())
	}
	g.depth--
	if g.depth > 0 {
		g.ints, g.flts, g.objs, g.arrs = ints[:len(ints):len(ints)], flts[:len(flts):len(flts)], objs[:len(objs):len(objs)], arrs[:len(arrs):len(arrs)]
	}
	return list
}

func (g *dataGen) statement() *dataStmt {
	switch k := g.IntN(24); {
	case k < 2:
		return g.variable(pickOne(g, storages), g.integer(2))
	case k == 2:
		return g.newObject()
	case k < 5:
		return g.newArray()
	case k == 5:
		return g.alias()
	case k < 8:
		return g.link()
	case k < 10 && g.depth < 4:
		return g.followed()
	case k == 10:
		return g.walk()
	case k < 14 && g.depth < 4:
		return g.branch()
	case k < 17 && g.depth < 4:
		return g.loop()
	case k == 17:
		return g.opAssign()
	case k < 20 && len(g.flts) > 0:
		return statementOf(g.assignment(g.place(true, 2), g.float(3)))
	case k == 20 && len(g.flts) > 0:
		return statementOf(g.assignment(g.place(true, 2), widened(g.integer(2))))
	}
	return statementOf(g.assignment(g.place(false, 2), g.integer(3)))
}

// statementOf is an expression in its parentheses as a statement.
func statementOf(x dataExpr) *dataStmt {
	return &dataStmt{head: x.text[1:len(x.text)-1] + ";\n", run: func(m *dataRun, _ *dataStmt) { x.eval(m) }}
}

// variable declares a number.
func (g *dataGen) variable(kind storage, x dataExpr) *dataStmt {
	if kind.bits == 0 {
		x = widened(x)
		if len(g.flts) > 0 && g.IntN(2) == 0 {
			x = g.float(2)
		}
	}
	v := g.slot(kind)
	if kind.bits == 0 {
		g.flts = append(g.flts, v)
	} else {
		g.ints = append(g.ints, v)
	}
	return &dataStmt{head: fmt.Sprintf("%s %s = %s;\n", kind.name, slotName(v), x.text), run: func(m *dataRun, _ *dataStmt) {
		m.vars[v] = kind.keep(x.eval(m))
	}}
}

func (g *dataGen) newObject() *dataStmt {
	init, at, x := "", 0, constantInt(0)
	if len(g.objs) > 0 && g.IntN(2) == 0 {
		at, x = g.IntN(len(g.p.fields)), g.integer(2)
		if g.p.fields[at].kind.bits == 0 {
			x = widened(x)
		}
		init = fmt.Sprintf(" { %s = %s; }", g.p.fields[at].name, x.text)
	}
	o := g.slot(storage{})
	g.objs = append(g.objs, o)
	n := len(g.p.fields)
	return &dataStmt{head: fmt.Sprintf("S !%s = new S%s;\n", slotName(o), init), run: func(m *dataRun, _ *dataStmt) {
		cells := make([]cell, n+1)
		cells[at] = g.p.fields[at].kind.keep(x.eval(m))
		m.vars[o] = cell{o: &object{cells: cells}}
	}}
}

func (g *dataGen) newArray() *dataStmt {
	const large = 1 << 16
	kind := pickOne(g, storages)
	n := constantInt(4 + g.Int64N(4))
	if len(g.arrs) > 0 {
		x := g.integer(1)
		switch g.IntN(8) {
		case 0, 1, 2:
			n = dataExpr{fmt.Sprintf("(%s & 7) + 1", x.text), func(m *dataRun) cell { return cell{i: x.eval(m).i&7 + 1} }}
		case 3:
			n = dataExpr{fmt.Sprintf("(%s & 7) - 1", x.text), func(m *dataRun) cell { return cell{i: x.eval(m).i&7 - 1} }}
		}
	}
	g.mark++
	mark := g.mark
	a := g.slot(kind)
	g.arrs = append(g.arrs, a)
	text := fmt.Sprintf("%s[] !%s = %c%d%cnew %s[%s];\n", kind.name, slotName(a), markStart, mark, markEnd, kind.name, n.text)
	return &dataStmt{head: text, run: func(m *dataRun, _ *dataStmt) {
		size := n.eval(m).i
		if size < 0 {
			panic(dataFault{mark, fmt.Sprintf("array length %d is negative", size)})
		}
		m.vars[a] = cell{o: &object{kind: kind, cells: make([]cell, min(size, large))}}
	}}
}

// alias is a second reference to an object, in a new variable or in one that there is.
func (g *dataGen) alias() *dataStmt {
	from := pickOne(g, g.objs)
	to, declares := pickOne(g, g.objs), ""
	if g.IntN(2) == 0 {
		to, declares = g.slot(storage{}), "S !"
		g.objs = append(g.objs, to)
	}
	return &dataStmt{head: fmt.Sprintf("%s%s = %s;\n", declares, slotName(to), slotName(from)), run: func(m *dataRun, _ *dataStmt) {
		m.vars[to] = m.vars[from]
	}}
}

// link sets a next field.
func (g *dataGen) link() *dataStmt {
	p, q, last := pickOne(g, g.objs), pickOne(g, g.objs), len(g.p.fields)
	if g.IntN(6) == 0 {
		return &dataStmt{head: slotName(p) + ".next = null;\n", run: func(m *dataRun, _ *dataStmt) { m.vars[p].o.cells[last] = cell{} }}
	}
	return &dataStmt{head: fmt.Sprintf("%s.next = %s;\n", slotName(p), slotName(q)), run: func(m *dataRun, _ *dataStmt) {
		m.vars[p].o.cells[last] = m.vars[q]
	}}
}

// followed goes to the next object, if there is one, and does something there.
func (g *dataGen) followed() *dataStmt {
	p, last, q := pickOne(g, g.objs), len(g.p.fields), g.slot(storage{})
	objs := g.objs
	g.objs = append(g.objs[:len(g.objs):len(g.objs)], q)
	body := g.block(3)
	g.objs = objs
	name := slotName(q)
	return &dataStmt{head: fmt.Sprintf("S? !%s = %s.next; if (%s) {\n", name, slotName(p), name), body: body, tail: "}\n", run: func(m *dataRun, s *dataStmt) {
		if m.vars[q] = m.vars[p].o.cells[last]; m.vars[q].o != nil {
			m.list(s.body)
		}
	}}
}

// walk adds what is in a list, which may be a cycle, to the sum.
func (g *dataGen) walk() *dataStmt {
	p, last, sum := pickOne(g, g.objs), len(g.p.fields), g.sum
	w, k := g.slot(storage{}), g.slot(storages[0])
	text := fmt.Sprintf("S? !%s = %s; int %s = 5; while (%s) { %s = %s * 3 + %s.f0; %s = %s.next; %s--; if (%s < 0) break; }\n",
		slotName(w), slotName(p), slotName(k), slotName(w), slotName(sum), slotName(sum), slotName(w), slotName(w), slotName(w), slotName(k), slotName(k))
	return &dataStmt{head: text, run: func(m *dataRun, _ *dataStmt) {
		at := m.vars[p].o
		for n := 5; at != nil && n >= 0; n-- {
			m.vars[sum].i = m.vars[sum].i*3 + at.cells[0].i
			at = at.cells[last].o
		}
	}}
}

func (g *dataGen) branch() *dataStmt {
	c := g.test()
	s := &dataStmt{head: fmt.Sprintf("if (%s) {\n", c.text), tail: "}\n", body: g.block(3)}
	if g.IntN(2) == 0 {
		s.rest = g.block(3)
	}
	s.run = func(m *dataRun, s *dataStmt) {
		if c.eval(m).i != 0 {
			m.list(s.body)
		} else {
			m.list(s.rest)
		}
	}
	return s
}

// loop counts up or down; its bound is a small number or the length of an array.
func (g *dataGen) loop() *dataStmt {
	bound := constantInt(1 + g.Int64N(6))
	if g.IntN(2) == 0 {
		bound = g.length()
	}
	i := g.slot(storages[0])
	name := slotName(i)
	down := g.IntN(4) == 0
	text := fmt.Sprintf("for (int %s = 0; %s < %s; %s++) {\n", name, name, bound.text, name)
	if down {
		text = fmt.Sprintf("for (int %s = %s-1; %s >= 0; %s--) {\n", name, bound.text, name, name)
	}
	fixed := g.fixed
	g.fixed = append(g.fixed[:len(g.fixed):len(g.fixed)], i)
	body := g.block(3)
	g.fixed = fixed
	return &dataStmt{head: text, body: body, tail: "}\n", run: func(m *dataRun, s *dataStmt) {
		at := &m.vars[i].i
		if down {
			for *at = bound.eval(m).i - 1; *at >= 0; *at-- {
				m.step()
				m.list(s.body)
			}
			return
		}
		for *at = 0; *at < bound.eval(m).i; *at++ {
			m.step()
			m.list(s.body)
		}
	}}
}

// opAssign is place op= x, or place++. What was there is read before x.
func (g *dataGen) opAssign() *dataStmt {
	p, op, x := g.place(false, 1), pickOne(g, intForms), g.integer(2)
	text := fmt.Sprintf("%s %s= %s;\n", p.text, op.text, x.text)
	if g.IntN(4) == 0 {
		op, x = intForms[0], constantInt(1)
		text = p.text + "++;\n"
	}
	return &dataStmt{head: text, run: func(m *dataRun, _ *dataStmt) {
		at := p.find(m)
		old := at.i
		*at = p.kind.keep(cell{i: op.eval(old, x.eval(m).i)})
	}}
}

// finish adds everything to the sum and returns it, a float or an object.
func (g *dataGen) finish() *dataStmt {
	if k := g.IntN(5); k == 0 {
		o := pickOne(g, g.objs)
		return &dataStmt{head: fmt.Sprintf("return %s;\n", slotName(o)), run: func(m *dataRun, _ *dataStmt) {
			m.finish(g.p.objectText(m.vars[o].o, map[*object]bool{}))
		}}
	} else if k == 1 {
		x := g.float(3)
		return &dataStmt{head: fmt.Sprintf("return %s;\n", x.text), run: func(m *dataRun, _ *dataStmt) { m.finish(floatText(x.eval(m).f)) }}
	}
	x := read(g.sum)
	for _, v := range g.ints {
		x = added(x, read(v))
	}
	for _, o := range g.objs {
		for i, f := range g.p.fields {
			if f.kind.bits > 0 {
				x = added(x, dataExpr{slotName(o) + "." + f.name, func(m *dataRun) cell { return m.vars[o].o.cells[i] }})
			}
		}
	}
	for _, a := range g.arrs {
		if g.kinds[a].bits > 0 {
			x = added(x, g.element(a, 0).load())
		}
	}
	return &dataStmt{head: fmt.Sprintf("return %s;\n", x.text), run: func(m *dataRun, _ *dataStmt) { m.finish(fmt.Sprint(x.eval(m).i)) }}
}

func (m *dataRun) finish(result string) {
	m.result = result
	panic(dataReturn{})
}

func added(x, y dataExpr) dataExpr {
	return dataExpr{fmt.Sprintf("(%s * 7 + %s)", x.text, y.text), func(m *dataRun) cell {
		l := x.eval(m).i
		return cell{i: l*7 + y.eval(m).i}
	}}
}
