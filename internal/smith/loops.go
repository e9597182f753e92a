package smith

import "math"

// A loop is a loop around the place where the generator is.
type loop struct {
	last   func() []*Stmt // what comes at the end of the body and before a continue
	shared string         // a counter above 0 that inner loops may spend too; "" if there is none
}

// step is what has to be done before a continue of l.
func (g *generator) step(l *loop) (list []*Stmt, ok bool) {
	if l.last == nil {
		return nil, true
	}
	return l.last(), true
}

// A plan is how a loop is made to end.
type plan struct {
	before []*Stmt        // declares the counters
	names  []string       // of them
	test   *Expr          // of the loop
	first  []*Stmt        // at the start of the body
	last   func() []*Stmt // at its end
	trips  int
	shared string
}

// plans are the ways to end a loop after at most n trips, each with its first chapter.
var plans = []struct {
	level int
	make  func(g *generator, n int) plan
}{
	{levelWhile, (*generator).countDown},
	{levelWhile, (*generator).countUp},
	{levelWhile, (*generator).countWrapping},
	{levelWhile, (*generator).divideDown},
	{levelWhile, (*generator).multiplyUp},
	{levelWhile, (*generator).countArg},
	{levelWhile, (*generator).meetHalfway},
	{levelJumps, (*generator).breakOut},
	{levelJumps, (*generator).spendShared},
}

// loop makes a loop that ends.
func (g *generator) loop() []*Stmt {
	n := 1 + g.IntN(max(1, min(g.Trips/g.trips, 1<<g.IntN(7))))
	which := plans[g.IntN(len(plans))]
	if which.level > g.Level {
		which = plans[0]
	}
	p := which.make(g, n)
	wrap := g.percent(30)
	mark := len(g.vars)
	for _, name := range p.names {
		g.vars = append(g.vars, &local{name: name, counter: true})
	}
	g.loops = append(g.loops, &loop{p.last, p.shared})
	g.trips *= p.trips
	s := &Stmt{Kind: While, X: p.test, Bare: g.Bare}
	s.Body = g.block(func() []*Stmt { return p.first })
	if p.last != nil {
		s.Body = append(s.Body, p.last()...)
	}
	g.trips /= p.trips
	g.loops = g.loops[:len(g.loops)-1]
	list := append(p.before, s)
	if wrap {
		g.vars = g.vars[:mark]
		return []*Stmt{{Kind: Block, Body: list}}
	}
	return list
}

func set(name string, x *Expr) *Stmt     { return &Stmt{Kind: Assign, Name: name, X: x} }
func declare(name string, x *Expr) *Stmt { return &Stmt{Kind: Declare, Name: name, X: x} }

// once makes a list of the statements that make creates, anew for each use.
func once(makes ...func() *Stmt) func() []*Stmt {
	return func() (list []*Stmt) {
		for _, make := range makes {
			list = append(list, make())
		}
		return list
	}
}

// anyEnd puts a step at the start of the body or at its end.
func (g *generator) anyEnd(p plan, step func() *Stmt) plan {
	if g.percent(60) {
		p.first = []*Stmt{step()}
		return p
	}
	p.last = once(step)
	return p
}

// positive tests whether a counter is above 0, given that it is not below.
func (g *generator) positive(name string) *Expr {
	c := variable(name)
	tests := []*Expr{
		binary(GT, c, number(0)), binary(LT, number(0), c), binary(GE, c, number(1)), binary(NE, c, number(0)), c,
		binary(Mul, binary(GT, c, number(0)), binary(EQ, c.clone(), c.clone())),
	}
	if g.Level >= levelNot {
		tests = append(tests, &Expr{Op: Not, L: binary(LE, c, number(0))}, &Expr{Op: Not, L: &Expr{Op: Not, L: c}})
	}
	return tests[g.IntN(len(tests))]
}

// countDown: int c = n; while (c > 0) { c = c - 1; ... }
func (g *generator) countDown(n int) plan {
	c := g.newName()
	p := plan{before: []*Stmt{declare(c, number(int64(n)))}, names: []string{c}, trips: n, test: g.positive(c)}
	if g.percent(40) {
		p.shared, p.test = c, binary(GT, variable(c), number(0))
	}
	return g.anyEnd(p, func() *Stmt { return set(c, binary(Sub, variable(c), number(1))) })
}

// countUp: int c = s; while (c < s + n*d) { ... c = c + d; }
func (g *generator) countUp(n int) plan {
	c, start, stride := g.newName(), g.value(), 1+g.Int64N(3)
	if g.percent(30) {
		stride = -stride
	}
	limit := start + int64(n)*stride
	ops := []Op{NE} // the only test that stands wrapping
	if (limit > start) == (stride > 0) {
		ops = []Op{NE, LT, LT, LT}
		if stride < 0 {
			ops = []Op{NE, GT, GT, GT}
		}
	}
	p := plan{before: []*Stmt{declare(c, number(start))}, names: []string{c}, trips: n}
	p.test = binary(ops[g.IntN(len(ops))], variable(c), number(limit))
	return g.anyEnd(p, func() *Stmt { return set(c, binary(Add, variable(c), number(stride))) })
}

// countWrapping: int c = MAX - n; while (c > 0) { c = c + 1; ... }
func (g *generator) countWrapping(n int) plan {
	c := g.newName()
	p := plan{before: []*Stmt{declare(c, number(math.MaxInt64-int64(n)))}, names: []string{c}, trips: n + 1}
	p.test = binary(GT, variable(c), number(0))
	return g.anyEnd(p, func() *Stmt { return set(c, binary(Add, variable(c), number(1))) })
}

// wordTrips is how often a word can be halved, and one doubled, until it is 0.
const wordTrips = 64

// divideDown: int c = x; while (c) { c = c / 2; ... }
func (g *generator) divideDown(n int) plan {
	if n < 8 {
		return g.countDown(n)
	}
	c, by := g.newName(), 2+g.Int64N(5)
	if g.percent(20) {
		by = -by
	}
	p := plan{before: []*Stmt{declare(c, g.expr(g.Depth))}, names: []string{c}, trips: wordTrips}
	p.test = binary(NE, variable(c), number(0))
	if g.percent(50) {
		p.test = variable(c)
	}
	return g.anyEnd(p, func() *Stmt { return set(c, binary(Div, variable(c), number(by))) })
}

// multiplyUp: int c = 1; while (c) { c = c * 2; ... } which wraps to 0.
func (g *generator) multiplyUp(n int) plan {
	if n < 8 {
		return g.countUp(n)
	}
	c := g.newName()
	p := plan{before: []*Stmt{declare(c, number(1+g.Int64N(5)))}, names: []string{c}, trips: wordTrips}
	p.test = binary(NE, variable(c), number(0))
	if g.percent(50) {
		p.test = variable(c)
	}
	double := func() *Stmt { return set(c, binary(Add, variable(c), variable(c))) }
	if by := 2 << g.IntN(4); g.percent(60) {
		double = func() *Stmt { return set(c, binary(Mul, variable(c), number(int64(by)))) }
	}
	return g.anyEnd(p, double)
}

// countArg: int c = x - x/n*n; while (c > 0) { c = c - 1; ... } for an x that is not known.
func (g *generator) countArg(n int) plan {
	c, x := g.newName(), g.leaf()
	p := plan{names: []string{c}, trips: n}
	p.before = []*Stmt{declare(c, binary(Sub, x, binary(Mul, binary(Div, x.clone(), number(int64(n))), number(int64(n)))))}
	op, by := GT, int64(-1)
	if g.percent(30) {
		op, by = LT, 1
	}
	p.test = binary(op, variable(c), number(0))
	return g.anyEnd(p, func() *Stmt { return set(c, binary(Add, variable(c), number(by))) })
}

// meetHalfway: two counters come nearer to each other, one or the other at each trip.
func (g *generator) meetHalfway(n int) plan {
	lo, hi, start := g.newName(), g.newName(), g.Int64N(10)-5
	p := plan{names: []string{lo, hi}, trips: n}
	p.before = []*Stmt{declare(lo, number(start)), declare(hi, number(start+int64(n)))}
	p.test = binary([...]Op{LT, NE}[g.IntN(2)], variable(lo), variable(hi))
	p.first = []*Stmt{{
		Kind: If, X: g.condition(),
		Body: []*Stmt{set(lo, binary(Add, variable(lo), number(1)))},
		Else: []*Stmt{set(hi, binary(Sub, variable(hi), number(1)))},
	}}
	return p
}

// breakOut: int c = n; while (anything) { if (c <= 0) break; c = c - 1; ... }
func (g *generator) breakOut(n int) plan {
	c := g.newName()
	p := plan{before: []*Stmt{declare(c, number(int64(n)))}, names: []string{c}, trips: n, shared: c, test: g.lasting()}
	p.first = spend(c)
	return p
}

func spend(c string) []*Stmt {
	return []*Stmt{
		{Kind: If, X: binary(LE, variable(c), number(0)), Body: []*Stmt{{Kind: Break}}},
		set(c, binary(Sub, variable(c), number(1))),
	}
}

// spendShared is breakOut with the counter of a loop around this one.
func (g *generator) spendShared(n int) plan {
	for _, l := range g.loops {
		if l.shared != "" && g.percent(50) {
			return plan{trips: 1, test: g.lasting(), first: spend(l.shared), shared: l.shared}
		}
	}
	return g.breakOut(n)
}

// lasting is a condition that holds for long, or for ever.
func (g *generator) lasting() *Expr {
	x := g.leaf()
	switch g.IntN(4) {
	case 0:
		return number(1)
	case 1:
		return binary(EQ, x, x.clone())
	case 2:
		return &Expr{Op: Const, Word: true, Value: 1}
	}
	return g.condition()
}

// endless makes a loop that may never end, where control never comes.
func (g *generator) endless() []*Stmt {
	g.loops = append(g.loops, &loop{})
	s := &Stmt{Kind: While, X: g.lasting(), Bare: g.Bare, Body: g.block(nil)}
	if g.percent(30) {
		s.Body = nil
	}
	g.loops = g.loops[:len(g.loops)-1]
	return []*Stmt{{Kind: If, X: g.never(), Bare: g.Bare, Body: []*Stmt{s}}}
}

// never is a condition that does not hold, for reasons that are more or less plain.
func (g *generator) never() *Expr {
	x, c := g.leaf(), g.Int64N(100)
	switch g.IntN(8) {
	case 0:
		return number(0)
	case 1:
		return binary(LT, x, x.clone())
	case 2:
		return binary(NE, x, x.clone())
	case 3:
		return binary(Sub, x, x.clone())
	case 4:
		return binary(Mul, binary(EQ, x, number(c)), binary(EQ, x.clone(), number(c+1)))
	case 5:
		return binary(EQ, binary(Add, x, x.clone()), number(2*c+1))
	case 6:
		return binary(Div, x, number(0))
	}
	const rare = 1 << 60 // no argument and no result is likely to be just there
	return binary(EQ, x, number(rare+g.Int64N(rare)))
}
