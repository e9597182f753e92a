package peephole

import (
	"slices"
	"sync"

	"shoal/node"
)

// Rules are all rules in the order in which they are tried.
func Rules() []Rule {
	return slices.Concat(tables...)
}

// tables are the files of rules, those of the early chapters first.
var tables = [][]Rule{
	controlRules,
	control24,
	phiRules,
	phi24,
	algebraRules,
	memoryRules,
	memory24,
	algebra24,
}

// A variant is a rule with one order of the operands of its commutative ops, for words of
// 64 bits.
type variant struct {
	rule     *Rule
	from, to *Pat
	cond     *Pat
	plain    bool    // the condition is about constants only
	op2      node.Op // what the second operand must be; OpInvalid if anything will do
}

// A ruleSet is the rules of one level, found by the op of a node and that of its first
// operand.
type ruleSet struct {
	variants []variant
	lists    [node.NumOps][node.NumOps][]uint16 // of variants
	depth    int                                // of the deepest pattern: how far from a change a rule can begin to apply
}

// ruleSets are made when they are first asked for and never change.
var ruleSets = func() (sets [maxLevel + 1]func() *ruleSet) {
	for level := range sets {
		sets[level] = sync.OnceValue(func() *ruleSet { return newRuleSet(level) })
	}
	return sets
}()

// reachOfDo is how far the rules look that are functions: from a Phi to its Region, the
// projection and the If before it, and what that tests.
const reachOfDo = 4

// maxLevel is the last chapter.
const maxLevel = 24

func rulesOf(level int) *ruleSet { return ruleSets[level]() }

func newRuleSet(level int) *ruleSet {
	set := &ruleSet{depth: reachOfDo}
	rules := Rules()
	for i := range rules {
		r := &rules[i]
		if r.Since > level || r.Until != 0 && r.Until < level {
			continue
		}
		if r.Do != nil {
			set.addDo(r)
			continue
		}
		set.addPattern(r)
	}
	return set
}

func (set *ruleSet) addDo(r *Rule) {
	for _, op := range r.On {
		set.add(op, node.OpInvalid, variant{rule: r})
	}
}

func (set *ruleSet) addPattern(r *Rule) {
	set.depth = max(set.depth, depth(r.From))
	v := variant{rule: r, to: at64(r.To), plain: true}
	if r.If != nil {
		v.cond, v.plain = at64(r.If), onlyConstants(r.If)
	}
	for _, from := range commuted(at64(r.From)) {
		v.from, v.op2 = from, firstOp(from, 1)
		set.add(from.Op, firstOp(from, 0), v)
	}
}

// add enters a variant under its root and the op of its first operand, under all if that
// may be anything.
func (set *ruleSet) add(root, op1 node.Op, v variant) {
	i := uint16(len(set.variants))
	set.variants = append(set.variants, v)
	if op1 != node.OpInvalid {
		set.lists[root][op1] = append(set.lists[root][op1], i)
		return
	}
	for op := range set.lists[root] {
		set.lists[root][op] = append(set.lists[root][op], i)
	}
}

// at64 is the pattern for words of 64 bits: constants that depend on the width alone are
// computed.
func at64(p *Pat) *Pat {
	if p.Leaf != NotLeaf && p.Leaf != Computed {
		return p
	}
	q := *p
	q.Args = make([]*Pat, len(p.Args))
	literal := p.Leaf == Computed
	for i, a := range p.Args {
		q.Args[i] = at64(a)
		literal = literal && q.Args[i].Leaf == Literal
	}
	if literal {
		m := Match{W: 64}
		return K(m.Eval(p))
	}
	return &q
}

func onlyConstants(p *Pat) bool {
	if p.Leaf == AnyNode {
		return false
	}
	for _, a := range p.Args {
		if !onlyConstants(a) {
			return false
		}
	}
	return true
}

// firstOp is the op that operand i of a pattern must have.
func firstOp(p *Pat, i int) node.Op {
	if i >= len(p.Args) || i == len(p.Args)-1 && p.Op.Info().Aux == node.AuxBits {
		return node.OpInvalid
	}
	switch a := p.Args[i]; a.Leaf {
	case AnyConst, Literal, Computed:
		return node.OpConstant
	case NotLeaf:
		return a.Op
	}
	return node.OpInvalid
}

func depth(p *Pat) int {
	d := 0
	for _, a := range p.Args {
		d = max(d, depth(a))
	}
	if p.Leaf == NotLeaf {
		d++
	}
	return d
}

// commuted are the orders in which a pattern can be written. A constant is never the left
// operand of a commutative op, as a rule of its own sees to.
func commuted(p *Pat) []*Pat {
	if p.Leaf != NotLeaf {
		return []*Pat{p}
	}
	all := []*Pat{p}
	for i, a := range p.Args {
		var next []*Pat
		for _, q := range all {
			for _, alt := range commuted(a) {
				c := *q
				c.Args = slices.Clone(q.Args)
				c.Args[i] = alt
				next = append(next, &c)
			}
		}
		all = next
	}
	if !p.Op.Is(node.Commutes) || isConstPat(p.Args[0]) || isConstPat(p.Args[1]) || samePat(p.Args[0], p.Args[1]) {
		return all
	}
	for _, q := range slices.Clone(all) {
		c := *q
		c.Args = []*Pat{q.Args[1], q.Args[0]}
		all = append(all, &c)
	}
	return all
}

func isConstPat(p *Pat) bool { return p.Leaf != NotLeaf && p.Leaf != AnyNode }

func samePat(p, q *Pat) bool {
	if p.Leaf != q.Leaf || p.Op != q.Op || p.Var != q.Var || p.Lit != q.Lit || len(p.Args) != len(q.Args) {
		return false
	}
	for i := range p.Args {
		if !samePat(p.Args[i], q.Args[i]) {
			return false
		}
	}
	return true
}
