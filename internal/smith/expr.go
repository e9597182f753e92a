package smith

import "math"

// expr makes a random expression at most depth operators deep.
func (g *generator) expr(depth int) *Expr {
	if len(g.earlier) > 0 && g.percent(g.Repeat) {
		if e := g.earlier[g.IntN(len(g.earlier))]; g.inSight(e) {
			return e.clone()
		}
	}
	if depth <= 0 || g.percent(15) {
		return g.leaf()
	}
	e := g.operation(depth)
	g.remember(e)
	return e
}

// maxEarlier is how many expressions are remembered, maxRepeated how large they are at
// most: what is repeated becomes part of what will be, and would double again and again.
const (
	maxEarlier  = 16
	maxRepeated = 24
)

func (g *generator) remember(e *Expr) {
	switch {
	case e.size() > maxRepeated:
	case len(g.earlier) < maxEarlier:
		g.earlier = append(g.earlier, e)
	default:
		g.earlier[g.IntN(maxEarlier)] = e
	}
}

// inSight tells whether all names of e stand for something here.
func (g *generator) inSight(e *Expr) bool {
	if e == nil {
		return true
	}
	if e.Op == Name && !g.known(e.Name) {
		return false
	}
	return g.inSight(e.L) && g.inSight(e.R)
}

func (g *generator) known(name string) bool {
	for _, v := range g.vars {
		if v.name == name {
			return true
		}
	}
	return false
}

func (g *generator) operation(depth int) *Expr {
	if g.percent(g.Idiom) {
		return g.idiom(depth)
	}
	weights := g.Ops
	weights[Const], weights[Name] = 0, 0
	for op, level := range opLevels {
		if level > g.Level {
			weights[op] = 0
		}
	}
	op := Op(g.pick(weights[:]))
	if op <= Name {
		return g.leaf()
	}
	l := g.expr(depth - 1)
	if op <= Not {
		return &Expr{Op: op, L: l}
	}
	if g.percent(25) {
		return binary(op, l, g.constant())
	}
	return binary(op, l, g.expr(depth-1))
}

func (g *generator) leaf() *Expr {
	if len(g.vars) > 0 && !g.percent(30) {
		i := g.IntN(len(g.vars))
		if n := len(g.vars); g.percent(50) { // the innermost are the likeliest
			i = max(i, g.IntN(n))
		}
		return variable(g.vars[i].name)
	}
	return g.constant()
}

// boundaries are where types, encodings and rules change.
var boundaries = []int64{
	math.MinInt64, math.MinInt64 + 1, math.MaxInt64, math.MaxInt64 - 1, math.MinInt32, math.MinInt32 - 1, math.MaxInt32, math.MaxInt32 + 1,
	math.MaxUint32, math.MaxUint32 + 1, -129, -128, 127, 128, 255, 256, -32768, 32767, 65535, 65536, 1 << 62, -1 << 62, 1 << 31, 0x5555555555555555,
	0x0123456789abcdef, 641, 6700417, 3037000500, -3037000500,
}

// value is a random constant.
func (g *generator) value() int64 {
	switch {
	case g.percent(g.Edge):
		switch g.IntN(4) {
		case 0:
			return int64(1)<<g.IntN(64) + g.Int64N(3) - 1
		case 1:
			return int64(g.Uint64() >> g.IntN(64))
		}
		return boundaries[g.IntN(len(boundaries))]
	case g.percent(50):
		return g.Int64N(4) - 1
	}
	return g.Int64N(20) - 4
}

// constant is a random constant of the chapter.
func (g *generator) constant() *Expr {
	if g.Level >= levelIf && g.percent(5) {
		return &Expr{Op: Const, Word: true, Value: g.Int64N(2)}
	}
	return number(g.value())
}

// literal is a constant of chapter 1, which has no signs.
func (g *generator) literal() *Expr {
	return &Expr{Op: Const, Value: max(0, g.value())}
}

// idioms are expressions that rules of the optimizer and tiles of the back end look for:
// each makes one out of two expressions and constants.
var idioms = []func(g *generator, x, y *Expr, c, d int64) *Expr{
	func(g *generator, x, _ *Expr, c, _ int64) *Expr { // remainder
		return binary(Sub, x, binary(Mul, binary(Div, x.clone(), number(c)), number(c)))
	},
	func(g *generator, x, y *Expr, _, _ int64) *Expr { // remainder by a variable
		return binary(Sub, x, binary(Mul, y, binary(Div, x.clone(), y.clone())))
	},
	func(g *generator, x, _ *Expr, c, _ int64) *Expr { return binary(Div, x, number(c)) },
	func(g *generator, x, _ *Expr, _, _ int64) *Expr { // division by a power of two or its neighbour
		return binary(Div, x, number(int64(1)<<g.IntN(64)+g.Int64N(3)-1))
	},
	func(g *generator, x, _ *Expr, _, _ int64) *Expr { // scale
		return binary(Mul, x, number(int64(1)<<g.IntN(64)+g.Int64N(3)-1))
	},
	func(g *generator, x, _ *Expr, c, d int64) *Expr { // constants that meet
		op, also := Add+Op(g.IntN(4)), Add+Op(g.IntN(4))
		return binary(also, binary(op, x, number(c)), number(d))
	},
	func(g *generator, x, y *Expr, c, d int64) *Expr { // sums of sums
		return binary(Add, binary(Add, x, number(c)), binary(Sub, y, number(d)))
	},
	func(g *generator, x, y *Expr, _, _ int64) *Expr { // the same on both sides
		return binary(g.anyBinary(), x, x.clone())
	},
	func(g *generator, x, y *Expr, _, _ int64) *Expr { // a common factor
		return binary(Add, binary(Mul, x, y), binary(Mul, x.clone(), g.leaf()))
	},
	func(g *generator, x, y *Expr, c, _ int64) *Expr { // an address
		return binary(Add, binary(Add, x, binary(Mul, y, number(int64(1)<<g.IntN(4)))), number(c))
	},
	func(g *generator, x, y *Expr, _, _ int64) *Expr { // what cancels
		return binary(Add, binary(Sub, x, y), y.clone())
	},
	func(g *generator, x, y *Expr, _, _ int64) *Expr { return binary(Sub, x, &Expr{Op: Neg, L: y}) },
	func(g *generator, x, y *Expr, _, _ int64) *Expr { return &Expr{Op: Neg, L: binary(Sub, x, y)} },
	func(g *generator, x, y *Expr, _, _ int64) *Expr { return binary(Sub, &Expr{Op: Neg, L: x}, number(1)) }, // complement
	func(g *generator, x, y *Expr, _, _ int64) *Expr { // what cancels across a sum
		return binary(Add, binary(Add, y, x), binary(Sub, g.leaf(), x.clone()))
	},
	func(g *generator, x, y *Expr, _, _ int64) *Expr { return g.few(x) },
	func(g *generator, x, y *Expr, _, _ int64) *Expr { // fields of bits
		return binary(g.anyBinary(), g.few(x), g.few(y))
	},
	func(g *generator, x, y *Expr, c, _ int64) *Expr { // remainder by the lowest number
		return binary(Sub, x, binary(Mul, binary(Div, x.clone(), number(math.MinInt64)), number(math.MinInt64)))
	},
	func(g *generator, x, y *Expr, c, _ int64) *Expr { // all but the remainder
		rest := binary(Sub, x, binary(Mul, binary(Div, x.clone(), number(c)), number(c)))
		return binary(Div, binary(Sub, x.clone(), rest), number(c))
	},
}

// few is a number in a small range that is not negative, made of x, and then a step or two
// that would be shifts and masks: the language has no operators for those.
func (g *generator) few(x *Expr) *Expr {
	c := int64(2) << g.IntN(12)
	if g.percent(30) {
		c = 2 + g.Int64N(100)
	}
	e := binary(Sub, x, binary(Mul, binary(Div, x.clone(), number(c)), number(c)))
	e = binary(Add, e, number(c+g.Int64N(3)-1))
	for range 1 + g.IntN(3) {
		power := number(int64(1) << g.IntN(8))
		switch g.IntN(3) {
		case 0:
			e = binary(Div, e, power)
		case 1:
			e = binary(Mul, e, power)
		case 2:
			e = binary(Sub, e, binary(Mul, binary(Div, e.clone(), power), power))
		}
	}
	return e
}

// compareIdioms need comparisons.
var compareIdioms = []func(g *generator, x, y *Expr, c, d int64) *Expr{
	func(g *generator, x, _ *Expr, c, d int64) *Expr { // a moved bound
		return binary(g.comparison(), binary(Add+Op(g.IntN(4)), x, number(c)), number(d))
	},
	func(g *generator, x, y *Expr, _, _ int64) *Expr { // a difference against zero
		return binary(g.comparison(), binary(Sub, x, y), number(0))
	},
	func(g *generator, x, y *Expr, _, _ int64) *Expr { // a truth value compared
		return binary(g.comparison(), binary(g.comparison(), x, y), number(g.Int64N(3)-1))
	},
	func(g *generator, x, y *Expr, c, d int64) *Expr { // both
		return binary(Mul, binary(g.comparison(), x, number(c)), binary(g.comparison(), y, number(d)))
	},
	func(g *generator, x, _ *Expr, c, d int64) *Expr { // a range
		return binary(Mul, binary(GE, x, number(c)), binary(LE, x.clone(), number(d)))
	},
	func(g *generator, x, y *Expr, c, d int64) *Expr { // either
		return binary(GT, binary(Add, binary(g.comparison(), x, number(c)), binary(g.comparison(), y, number(d))), number(0))
	},
	func(g *generator, x, _ *Expr, c, _ int64) *Expr { // divisibility
		return binary(EQ+Op(g.IntN(2)), binary(Mul, binary(Div, x, number(c)), number(c)), x.clone())
	},
	func(g *generator, x, y *Expr, _, _ int64) *Expr { // truth values multiplied, one negated
		return binary(Mul, binary(g.comparison(), x, y), &Expr{Op: Neg, L: binary(g.comparison(), y.clone(), x.clone())})
	},
	func(g *generator, x, y *Expr, _, _ int64) *Expr { return binary(g.comparison(), g.few(x), g.few(y)) },
	func(g *generator, x, y *Expr, _, _ int64) *Expr { // complements compared
		return binary(g.comparison(), binary(Sub, &Expr{Op: Neg, L: x}, number(1)), binary(Sub, &Expr{Op: Neg, L: y}, number(1)))
	},
	func(g *generator, x, y *Expr, c, d int64) *Expr { // differences compared
		return binary(g.comparison(), binary(Sub, x, y), binary(Sub, x.clone(), number(c)))
	},
	func(g *generator, x, _ *Expr, c, _ int64) *Expr { // a truth value in a sum
		return binary(Add, number(c), binary(g.comparison(), x, number(0)))
	},
}

func (g *generator) idiom(depth int) *Expr {
	x, y := g.expr(depth-2), g.expr(depth-2)
	c, d := g.value(), g.value()
	if n := len(idioms); g.Level >= levelCompare && g.IntN(2) == 0 {
		return compareIdioms[g.IntN(len(compareIdioms))](g, x, y, c, d)
	} else {
		return idioms[g.IntN(n)](g, x, y, c, d)
	}
}

func (g *generator) comparison() Op { return EQ + Op(g.IntN(int(GE-EQ)+1)) }

// anyBinary is a binary operator of the chapter.
func (g *generator) anyBinary() Op {
	if g.Level < levelCompare {
		return Add + Op(g.IntN(int(Div-Add)+1))
	}
	return Add + Op(g.IntN(int(GE-Add)+1))
}

// condition is what an if tests: often a variable against a small number, so that both
// sides are taken and later tests know something.
func (g *generator) condition() *Expr {
	switch g.IntN(6) {
	case 0, 1:
		return binary(g.comparison(), g.leaf(), number(g.value()))
	case 2:
		return binary(g.comparison(), g.expr(g.Depth-1), g.expr(g.Depth-1))
	case 3:
		if g.Level >= levelNot {
			return &Expr{Op: Not, L: g.expr(g.Depth - 1)}
		}
	case 4:
		if compare := g.earlier; len(compare) > 0 {
			if e := compare[g.IntN(len(compare))]; g.inSight(e) {
				return e.clone()
			}
		}
	}
	return g.expr(g.Depth)
}
