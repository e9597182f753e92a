package shoal_test

import (
	"math"
	"math/bits"
	"math/rand/v2"

	"shoal/node"
	"shoal/peephole"
)

// A tree is an expression over all pure ops, among them those that no program can say:
// shifts, unsigned comparisons, selects, extensions. A leaf has no op: it is a variable,
// or the constant aux.
type tree struct {
	op    node.Op
	aux   int64 // a constant, or the number of bits of an extension
	local int   // a variable by number, noLocal for constants
	args  []*tree
}

const noLocal = -1

func constTree(c int64) *tree { return &tree{aux: c, local: noLocal} }

func localTree(i int) *tree { return &tree{local: i} }

func opTree(op node.Op, args ...*tree) *tree { return &tree{op: op, args: args} }

// A step is a statement over numbered variables, the first of which is the argument.
type step struct {
	kind        stepKind
	local       int
	x           *tree
	body, other []step
}

type stepKind uint8

const (
	stepSet   stepKind = iota // local = x
	stepIf                    // if (x) body else other
	stepCount                 // for (local = 0; local < x; local++) body
)

// A treeProgram is a random function: steps, and then the value of result.
type treeProgram struct {
	locals int
	steps  []step
	result *tree
}

// A treeGen makes treePrograms. Most of its expressions are the left sides of rules, so
// that rules meet one another.
type treeGen struct {
	*rand.Rand
	rules []peephole.Rule
	ops   []node.Op
	left  int // steps that may still be made
	fixed int // variables that only loops change: their counters, from here on
	most  int // variables made
}

func newTreeGen(r *rand.Rand) *treeGen {
	g := &treeGen{Rand: r}
	for _, rule := range peephole.Rules() {
		if rule.From != nil {
			g.rules = append(g.rules, rule)
		}
	}
	for op := range node.NumOps {
		if op.Is(node.Pure) && meanings[op] != nil {
			g.ops = append(g.ops, op)
		}
	}
	return g
}

// program makes a function of about size steps.
func (g *treeGen) program(size int) *treeProgram {
	p := &treeProgram{}
	g.fixed = 2 + g.IntN(4)
	g.most, g.left = g.fixed, size
	for i := 1; i < g.fixed; i++ {
		p.steps = append(p.steps, step{kind: stepSet, local: i, x: g.narrowed(opTree(node.OpMul, localTree(0), constTree(g.Int64()|1)))})
	}
	p.steps = append(p.steps, g.list(0)...)
	for g.left > 0 {
		p.steps = append(p.steps, g.list(0)...)
	}
	p.result = g.expr(2)
	for i := range g.fixed {
		p.result = opTree(node.OpAdd, opTree(node.OpMul, p.result, constTree(2*g.Int64N(99)+3)), localTree(i))
	}
	p.locals = g.most
	return p
}

const treeNesting = 3

func (g *treeGen) list(depth int) (list []step) {
	for range 1 + g.IntN(4) {
		g.left--
		switch k := g.IntN(8); {
		case k == 0 && depth < treeNesting:
			s := step{kind: stepIf, x: g.expr(2), body: g.list(depth + 1)}
			if g.IntN(2) == 0 {
				s.other = g.list(depth + 1)
			}
			list = append(list, s)
		case k == 1 && depth < treeNesting:
			s := step{kind: stepCount, local: g.most, x: constTree(g.Int64N(6))}
			g.most++
			s.body = g.list(depth + 1)
			list = append(list, s)
		default:
			list = append(list, step{kind: stepSet, local: 1 + g.IntN(g.fixed-1), x: g.expr(3)})
		}
	}
	return list
}

// expr makes an expression of a few ops.
func (g *treeGen) expr(depth int) *tree {
	if depth <= 0 {
		return g.leaf()
	}
	if g.IntN(3) > 0 {
		return g.shape(depth)
	}
	op := g.ops[g.IntN(len(g.ops))]
	t := &tree{op: op}
	n := op.Info().Arity - 1
	if op.Info().Aux == node.AuxBits {
		t.aux = 1 + g.Int64N(64)
	}
	for range n {
		t.args = append(t.args, g.expr(depth-1))
	}
	return t
}

func (g *treeGen) leaf() *tree {
	if g.IntN(4) == 0 {
		return constTree(g.constant())
	}
	return g.narrowed(localTree(g.IntN(g.fixed)))
}

// narrowed is x, or something made of x about which the optimizer knows more.
func (g *treeGen) narrowed(x *tree) *tree {
	switch g.IntN(14) {
	case 0, 7, 8:
		return opTree(node.OpNot, x)
	case 1, 2: // never negative
		return opTree(node.OpAnd, x, constTree(math.MaxInt64>>g.IntN(63)))
	case 3: // never positive
		return opTree(node.OpSub, constTree(0), opTree(node.OpAnd, x, constTree(math.MaxInt64>>g.IntN(63))))
	case 4:
		return opTree(node.OpSub, opTree(node.OpAnd, x, constTree(15)), constTree(g.Int64N(20)))
	case 5:
		return opTree(node.OpAnd, x, constTree(-1<<g.IntN(64)))
	case 6: // never zero
		return opTree(node.OpOr, x, constTree(1<<g.IntN(64)))
	}
	return x
}

func (g *treeGen) constant() int64 {
	switch g.IntN(8) {
	case 0:
		return int64(g.Uint64()) >> g.IntN(64)
	case 1:
		return 1<<g.IntN(64) + g.Int64N(3) - 1
	case 2:
		return -(1 << g.IntN(64))
	case 3:
		return usualArgs[g.IntN(len(usualArgs))]
	case 4:
		return g.Int64N(65)
	}
	return g.Int64N(9) - 2
}

// drawings is how often constants are drawn for a rule until its condition holds.
const drawings = 60

// shape is the left side of a random rule. Its condition holds if that is a matter of
// constants; what it wants of other variables is left to chance.
func (g *treeGen) shape(depth int) *tree {
	r := &g.rules[g.IntN(len(g.rules))]
	m := peephole.Match{W: 64}
	for range drawings {
		for i := range m.Value {
			m.Value[i] = g.constant()
		}
		if r.If == nil || m.Eval(r.If) != 0 {
			break
		}
	}
	var leaves [peephole.MaxVars]*tree
	for i := range leaves {
		if leaves[i] = g.leaf(); depth > 1 && g.IntN(4) == 0 {
			leaves[i] = g.expr(depth - 2)
		}
	}
	return instance(r.From, &m, &leaves)
}

func instance(p *peephole.Pat, m *peephole.Match, leaves *[peephole.MaxVars]*tree) *tree {
	switch p.Leaf {
	case peephole.AnyNode:
		return leaves[p.Var]
	case peephole.AnyConst, peephole.Literal, peephole.Computed:
		return constTree(m.Eval(p))
	}
	t := &tree{op: p.Op}
	args := p.Args
	if p.Op.Info().Aux == node.AuxBits {
		last := len(args) - 1
		t.aux = 1 + m.Eval(args[last])&63
		args = args[:last]
	}
	for _, a := range args {
		t.args = append(t.args, instance(a, m, leaves))
	}
	return t
}

// run is what the function gives, by meanings that share no code with the compiler.
func (p *treeProgram) run(arg int64) int64 {
	locals := make([]int64, p.locals)
	locals[0] = arg
	runSteps(p.steps, locals)
	return p.result.value(locals)
}

func runSteps(list []step, locals []int64) {
	for _, s := range list {
		switch x := s.x.value(locals); {
		case s.kind == stepSet:
			locals[s.local] = x
		case s.kind == stepCount:
			for locals[s.local] = 0; locals[s.local] < x; locals[s.local]++ {
				runSteps(s.body, locals)
			}
		case x != 0:
			runSteps(s.body, locals)
		default:
			runSteps(s.other, locals)
		}
	}
}

func (t *tree) value(locals []int64) int64 {
	switch {
	case t.op == node.OpInvalid && t.local == noLocal:
		return t.aux
	case t.op == node.OpInvalid:
		return locals[t.local]
	}
	var v [4]uint64
	for i, a := range t.args {
		v[i] = uint64(a.value(locals))
	}
	if t.op.Info().Aux == node.AuxBits {
		v[len(t.args)] = uint64(t.aux)
	}
	return int64(meanings[t.op](v[0], v[1], v[2]))
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// signed makes an unsigned comparison of a signed one: it moves both by 2^63.
func signed(x uint64) uint64 { return x + 1<<63 }

func quotient(a, b uint64) uint64 {
	magnitude := func(x uint64) uint64 { return (x ^ -(x >> 63)) + x>>63 }
	if b == 0 {
		return 0
	}
	q := magnitude(a) / magnitude(b)
	return q*(1-(a^b)>>63) - q*((a^b)>>63)
}

func unsignedQuotient(a, b uint64) uint64 {
	if b == 0 {
		return 0
	}
	q, _ := bits.Div64(0, a, b)
	return q
}

// meanings are the ops on words of 64 bits, told in words without a sign.
var meanings = [node.NumOps]func(a, b, c uint64) uint64{
	node.OpAdd:    func(a, b, _ uint64) uint64 { return a + b },
	node.OpSub:    func(a, b, _ uint64) uint64 { return a + ^b + 1 },
	node.OpMul:    func(a, b, _ uint64) uint64 { _, lo := bits.Mul64(a, b); return lo },
	node.OpDiv:    func(a, b, _ uint64) uint64 { return quotient(a, b) },
	node.OpMinus:  func(a, _, _ uint64) uint64 { return ^a + 1 },
	node.OpEQ:     func(a, b, _ uint64) uint64 { return truth(a^b == 0) },
	node.OpLT:     func(a, b, _ uint64) uint64 { return truth(signed(a) < signed(b)) },
	node.OpLE:     func(a, b, _ uint64) uint64 { return truth(signed(a) <= signed(b)) },
	node.OpNot:    func(a, _, _ uint64) uint64 { return truth(bits.Len64(a) == 0) },
	node.OpAnd:    func(a, b, _ uint64) uint64 { return ^(^a | ^b) },
	node.OpOr:     func(a, b, _ uint64) uint64 { return a + b - a&b },
	node.OpXor:    func(a, b, _ uint64) uint64 { return a + b - 2*(a&b) },
	node.OpBitNot: func(a, _, _ uint64) uint64 { return -a - 1 },
	node.OpShl:    func(a, b, _ uint64) uint64 { return a * (1 << (b & 63)) },
	node.OpShr:    func(a, b, _ uint64) uint64 { return a / (1 << (b & 63)) },
	node.OpSar:    func(a, b, _ uint64) uint64 { return a>>(b&63) | -(a>>63)&^(math.MaxUint64>>(b&63)) },
	node.OpRem:    func(a, b, _ uint64) uint64 { return a - quotient(a, b)*b },
	node.OpUDiv:   func(a, b, _ uint64) uint64 { return unsignedQuotient(a, b) },
	node.OpURem:   func(a, b, _ uint64) uint64 { return a - unsignedQuotient(a, b)*b },
	node.OpULT:    func(a, b, _ uint64) uint64 { _, borrow := bits.Sub64(a, b, 0); return borrow },
	node.OpULE:    func(a, b, _ uint64) uint64 { _, borrow := bits.Sub64(b, a, 0); return 1 - borrow },
	node.OpSelect: func(a, b, c uint64) uint64 { return map[bool]uint64{true: b, false: c}[a != 0] },
	node.OpMin:    func(a, b, _ uint64) uint64 { return signed(min(signed(a), signed(b))) },
	node.OpMax:    func(a, b, _ uint64) uint64 { return signed(max(signed(a), signed(b))) },
	node.OpUMin:   func(a, b, _ uint64) uint64 { return min(a, b) },
	node.OpUMax:   func(a, b, _ uint64) uint64 { return max(a, b) },
	node.OpAbs:    func(a, _, _ uint64) uint64 { return (a ^ -(a >> 63)) + a>>63 },
	node.OpSignExt: func(a, b, _ uint64) uint64 {
		sign := uint64(1) << (b - 1)
		return (a&(2*sign-1) ^ sign) - sign
	},
	node.OpZeroExt: func(a, b, _ uint64) uint64 { return a & (math.MaxUint64 >> (64 - b)) },
	node.OpRotL:    func(a, b, _ uint64) uint64 { return bits.RotateLeft64(a, -int(64-b&63)) },
}
