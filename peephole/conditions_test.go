package peephole

import (
	"math/rand"
	"testing"

	"shoal/node/types"
)

// A condition over variables for nodes is judged by what is known of these. TestConditions
// goes through all ranges at a small width, or many if there are three variables: where the
// condition is said to hold, it must hold for each member of the ranges.
func TestConditions(t *testing.T) {
	rules := Rules()
	rng := rand.New(rand.NewSource(1))
	for i := range rules {
		r := &rules[i]
		if r.If == nil || onlyConstants(r.If) {
			continue
		}
		c := newCondition(r)
		proved := 0
		for range c.rounds() {
			n, err := c.round(rng)
			if err != "" {
				t.Fatalf("%s, %s: %s", r.Name, r.Equation(), err)
			}
			proved += n
		}
		if proved == 0 {
			t.Errorf("%s, %s: the condition never holds", r.Name, r.Equation())
		}
	}
}

// A condition is the If of a rule with its variables.
type condition struct {
	holds           function
	m               Match
	p               *Pat
	nodes, constant []int8 // the variables for nodes, and the others
	ranges          []types.Type
}

func newCondition(r *Rule) *condition {
	c := &condition{holds: functionOf(r.If), p: r.If, m: Match{W: testWidth, facts: &[MaxVars]fact{}}, ranges: intervals(testWidth)}
	vars := &proof{}
	vars.find(r.If)
	for _, v := range vars.vars {
		if v.index < C.Var {
			c.nodes = append(c.nodes, v.index)
			continue
		}
		c.constant = append(c.constant, v.index)
	}
	return c
}

// all tells whether all ranges of all variables are tried.
func (c *condition) all() bool { return len(c.nodes)+len(c.constant) <= 2 }

func (c *condition) rounds() int {
	if c.all() {
		return 1
	}
	return 40_000
}

// round tries all ranges and constants if these are few, else some.
func (c *condition) round(rng *rand.Rand) (proved int, err string) {
	if c.all() {
		return c.each(0)
	}
	for _, v := range c.nodes {
		c.m.facts[v] = newFact(c.m.W, c.ranges[rng.Intn(len(c.ranges))], knownBits{})
	}
	for _, v := range c.constant {
		c.m.Value[v] = c.m.W.Min() + rng.Int63n(1<<testWidth)
	}
	return c.check()
}

func (c *condition) each(i int) (proved int, err string) {
	count := func(n int, e string) bool {
		proved += n
		err = e
		return e == ""
	}
	switch {
	case i < len(c.nodes):
		for _, r := range c.ranges {
			c.m.facts[c.nodes[i]] = newFact(c.m.W, r, knownBits{})
			if !count(c.each(i + 1)) {
				return proved, err
			}
		}
	case i < len(c.nodes)+len(c.constant):
		for x := c.m.W.Min(); x <= c.m.W.Max(); x++ {
			c.m.Value[c.constant[i-len(c.nodes)]] = x
			if !count(c.each(i + 1)) {
				return proved, err
			}
		}
	default:
		return c.check()
	}
	return proved, err
}

// check compares what is said of the ranges with their members.
func (c *condition) check() (proved int, err string) {
	if !c.m.proves(c.p) {
		return 0, ""
	}
	return 1, c.members(0)
}

func (c *condition) members(i int) string {
	if i == len(c.nodes) {
		if c.holds(&c.m) == 0 {
			return "it does not hold"
		}
		return ""
	}
	v := c.nodes[i]
	lo, hi := c.m.facts[v].t.Bounds()
	for x := lo; x <= hi; x++ {
		c.m.Value[v] = x
		if err := c.members(i + 1); err != "" {
			return err
		}
	}
	return ""
}

// Judgements that look right and are not. The test above is worth something if it finds
// out.
func TestConditionsFindErrors(t *testing.T) {
	fitsSomewhere := exact("fits", func(w types.Width, a, b types.Type) bool {
		al, _ := a.Bounds()
		bl, _ := b.Bounds()
		return sumFits(w, types.Const(al), types.Const(bl)) // the other ends are forgotten
	}, X, Y)
	fitsSomewhere.Calc = AddFits(X, Y).Calc
	r := Rule{Name: "wrong", If: fitsSomewhere}
	c := newCondition(&r)
	if _, err := c.round(nil); err == "" {
		t.Error("a sum that fits at one end passes for one that always fits")
	}
}
