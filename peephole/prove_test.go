package peephole

import (
	"fmt"
	"math/rand"
	"os"
	"runtime"
	"slices"
	"sync"
	"testing"

	"shoal/node"
	"shoal/node/types"
)

// How rules are proved (rulings §8): all values at width 4 for up to four variables and at
// width 8 for up to two, three if the environment has SHOAL_FUZZ; besides, random and
// boundary values at widths 8 and 64.
const randomTuples = 100_000

func longProofs() bool { return os.Getenv("SHOAL_FUZZ") != "" }

// A proof tries values for the variables of a rule.
type proof struct {
	vars           []provedVar
	from, to, cond function
	m              Match
	held           int // how often the condition held
}

// A function is a pattern made ready for being evaluated millions of times.
type function func(m *Match) int64

func functionOf(p *Pat) function {
	switch p.Leaf {
	case AnyNode, AnyConst:
		v := p.Var
		return func(m *Match) int64 { return m.Value[v] }
	case Literal:
		lit := p.Lit
		return func(m *Match) int64 { return m.W.Wrap(lit) }
	}
	var args [3]function
	for i, a := range p.Args {
		args[i] = functionOf(a)
	}
	a, b := args[0], args[1]
	if p.Leaf == Computed {
		calc := p.Calc
		return func(m *Match) int64 {
			var v [3]int64
			for i := range p.Args {
				v[i] = args[i](m)
			}
			return m.W.Wrap(calc(m.W, v[:len(p.Args)]))
		}
	}
	eval := node.Ops[p.Op].Eval
	switch len(p.Args) {
	case 1:
		return func(m *Match) int64 { return eval(m.W, a(m), 0, 0) }
	case 2:
		return func(m *Match) int64 { return eval(m.W, a(m), b(m), 0) }
	}
	return func(m *Match) int64 { return eval(m.W, a(m), b(m), args[2](m)) }
}

type provedVar struct {
	index int8
	bits  bool // it is the number of bits of an extension, 1 to the width
}

func newProof(r *Rule) *proof {
	p := &proof{from: functionOf(r.From), to: functionOf(r.To)}
	if r.If != nil {
		p.cond = functionOf(r.If)
	}
	for _, pat := range []*Pat{r.From, r.To, r.If} {
		if pat != nil {
			p.find(pat)
		}
	}
	return p
}

func (p *proof) find(pat *Pat) {
	if pat.Leaf == AnyNode || pat.Leaf == AnyConst {
		p.add(pat, false)
	}
	for i, a := range pat.Args {
		if isVar := a.Leaf == AnyConst; isVar && i == len(pat.Args)-1 && pat.Op.Info().Aux == node.AuxBits {
			p.add(a, true)
		}
		p.find(a)
	}
}

func (p *proof) add(pat *Pat, bits bool) {
	i := slices.IndexFunc(p.vars, func(v provedVar) bool { return v.index == pat.Var })
	if i < 0 {
		i = len(p.vars)
		p.vars = append(p.vars, provedVar{index: pat.Var})
	}
	p.vars[i].bits = p.vars[i].bits || bits
}

// check compares both sides for the values that the variables have now.
func (p *proof) check() error {
	if p.cond != nil && p.cond(&p.m) == 0 {
		return nil
	}
	p.held++
	from, to := p.from(&p.m), p.to(&p.m)
	if from == to {
		return nil
	}
	values := ""
	for _, v := range p.vars {
		values += fmt.Sprintf(" %s=%d", "xyzwCDEF"[v.index:v.index+1], p.m.Value[v.index])
	}
	return fmt.Errorf("width %d,%s: %d becomes %d", p.m.W, values, from, to)
}

// all tries all values at width w.
func (p *proof) all(w types.Width) error {
	p.m.W = w
	return p.allFrom(0)
}

func (p *proof) allFrom(i int) error {
	if i == len(p.vars) {
		return p.check()
	}
	v := p.vars[i]
	lo, hi := p.m.W.Min(), p.m.W.Max()
	if v.bits {
		lo, hi = 1, min(int64(p.m.W), hi)
	}
	for x := lo; x <= hi; x++ {
		p.m.Value[v.index] = x
		if err := p.allFrom(i + 1); err != nil {
			return err
		}
	}
	return nil
}

// some tries random values at width w, among them many that are special.
func (p *proof) some(w types.Width, rng *rand.Rand, special []int64) error {
	p.m.W = w
	for range randomTuples {
		p.draw(rng, special)
		if err := p.check(); err != nil {
			return err
		}
	}
	return nil
}

// draw gives all variables new values.
func (p *proof) draw(rng *rand.Rand, special []int64) {
	for _, v := range p.vars {
		x := p.m.W.Wrap(int64(rng.Uint64()) >> rng.Intn(64))
		switch {
		case v.bits:
			x = 1 + rng.Int63n(int64(p.m.W))
		case rng.Intn(8) != 0:
			x = special[rng.Intn(len(special))]
		}
		p.m.Value[v.index] = x
	}
}

// specialValues are the words at which rules break if they do: around powers of two.
func specialValues(w types.Width) []int64 {
	all := []int64{0, w.Min(), w.Max(), int64(w), int64(w) - 1}
	for k := range uint(w) {
		bit := int64(1) << k
		for _, x := range []int64{bit, -bit, bit - 1, bit + 1, ^bit, int64(k)} {
			all = append(all, w.Wrap(x))
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// prove returns what is wrong with a rule.
func prove(r *Rule, long bool) error {
	p := newProof(r)
	n := len(p.vars)
	if n <= 4 {
		if err := p.all(4); err != nil {
			return err
		}
	}
	if n <= 2 || n == 3 && long {
		if err := p.all(8); err != nil {
			return err
		}
	}
	rng := rand.New(rand.NewSource(int64(len(r.Name))))
	for _, w := range []types.Width{8, 64} {
		if w == 8 && n <= 2 {
			continue
		}
		before := p.held
		if err := p.some(w, rng, specialValues(w)); err != nil {
			return err
		}
		if p.held == before {
			return fmt.Errorf("its condition never held at width %d", w)
		}
	}
	return nil
}

// proveAll proves the rules on all processors.
func proveAll(rules []Rule) []error {
	errs := make([]error, len(rules))
	next := make(chan int)
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := range next {
				errs[i] = prove(&rules[i], longProofs())
			}
		})
	}
	for i := range rules {
		if rules[i].Do == nil {
			next <- i
		}
	}
	close(next)
	wg.Wait()
	return errs
}

func TestRulesAreTrue(t *testing.T) {
	rules := Rules()
	for i, err := range proveAll(rules) {
		if err != nil {
			t.Errorf("%s, %s: %v", rules[i].Name, rules[i].Equation(), err)
		}
	}
}

// Rules that look right and are not. The prover is worth something if it finds out.
func TestProverFindsErrors(t *testing.T) {
	for i, err := range proveAll(unsound) {
		if err == nil {
			t.Errorf("no counterexample to %s, %s", unsound[i].Name, unsound[i].Equation())
		}
	}
}
