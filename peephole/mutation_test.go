package peephole

import (
	"slices"
	"testing"

	"shoal/node"
)

// mutants are wrong versions of a rule: its result with another op somewhere.
func mutants(r *Rule) []Rule {
	var all []Rule
	for _, to := range mutated(r.To) {
		all = append(all, Rule{Name: r.Name, Doc: r.Doc, From: r.From, To: to, If: r.If})
	}
	return all
}

// other is another op with as many operands.
var other = [node.NumOps]node.Op{
	node.OpAdd: node.OpSub, node.OpSub: node.OpAdd, node.OpMul: node.OpAdd, node.OpDiv: node.OpRem, node.OpUDiv: node.OpURem,
	node.OpRem: node.OpDiv, node.OpURem: node.OpUDiv, node.OpMinus: node.OpBitNot, node.OpBitNot: node.OpMinus, node.OpNot: node.OpBitNot,
	node.OpEQ: node.OpULE, node.OpLT: node.OpLE, node.OpLE: node.OpLT, node.OpULT: node.OpULE, node.OpULE: node.OpULT,
	node.OpAnd: node.OpOr, node.OpOr: node.OpAnd, node.OpXor: node.OpAnd, node.OpShl: node.OpShr, node.OpShr: node.OpShl, node.OpSar: node.OpShl,
	node.OpMin: node.OpMax, node.OpMax: node.OpMin, node.OpUMin: node.OpUMax, node.OpUMax: node.OpUMin, node.OpRotL: node.OpShl, node.OpAbs: node.OpMinus,
}

func mutated(p *Pat) []*Pat {
	var all []*Pat
	if p.Leaf == Literal {
		all = append(all, K(p.Lit+1))
	}
	if op := other[p.Op]; op != node.OpInvalid {
		all = append(all, P(op, p.Args...))
	}
	for i, a := range p.Args {
		for _, b := range mutated(a) {
			q := *p
			q.Args = slices.Clone(p.Args)
			q.Args[i] = b
			all = append(all, &q)
		}
	}
	return all
}

// TestProverFindsMutants proves each rule with another op in its result.
func TestProverFindsMutants(t *testing.T) {
	rules := Rules()
	var all []Rule
	for i := range rules {
		if rules[i].Do == nil {
			all = append(all, mutants(&rules[i])...)
		}
	}
	for i, err := range proveAll(all) {
		if err == nil {
			t.Errorf("no counterexample to %s, %s", all[i].Name, all[i].Equation())
		}
	}
}

// conditionsOfOrder are the rules that are true without their condition, which only says
// that the result is another form than before.
var conditionsOfOrder = []string{
	"rem-negative", "rotate-count", "shl-count-sum", "shr-count", "shr-count-sum", "sar-count", "sar-count-sum", "zx-mask",
}

// TestConditionsAreNeeded proves each rule without its condition, which must fail.
func TestConditionsAreNeeded(t *testing.T) {
	var all []Rule
	for _, r := range Rules() {
		if r.Do == nil && r.If != nil {
			r.If = nil
			all = append(all, r)
		}
	}
	for i, err := range proveAll(all) {
		if listed := slices.Contains(conditionsOfOrder, all[i].Name); listed != (err == nil) {
			t.Errorf("%s, %s: counterexample %v, in the list of conditions for order: %t", all[i].Name, all[i].Equation(), err, listed)
		}
	}
}
