package forms

import (
	"shoal/ssa"
)

// Validate returns every violation of the rules of the form that f is in.
func Validate(f *ssa.Func) []error {
	errs := f.Validate()
	if len(f.Blocks) == 0 {
		return errs
	}
	switch f.Form {
	case ssa.FormPhi:
		errs = append(errs, validatePhis(f)...)
	case ssa.FormUpsilon:
		errs = append(errs, validateUpsilons(f)...)
	}
	return errs
}

// ValidateModule returns the violations in all functions of m.
func ValidateModule(m *ssa.Module) (errs []error) {
	for _, f := range m.Funcs {
		errs = append(errs, Validate(f)...)
	}
	return errs
}

// validatePhis checks P1, P2 and P3.
func validatePhis(f *ssa.Func) []error {
	p := &phiChecker{Checker: ssa.NewChecker(f), seen: make([]int32, len(f.Blocks))}
	for i := range f.Blocks {
		top := true
		for _, id := range f.Blocks[i].Body {
			v := &f.Values[id]
			if v.Kind != ssa.Phi {
				top = false
				continue
			}
			if !top {
				name := f.ValueName(id)
				p.Errorf("P1", v.Pos, name, "phi %s stands after an instruction in block %s", name, f.BlockName(int32(i)))
			}
			p.operands(id, int32(i))
			p.dominance(id)
		}
	}
	return p.Errs
}

type phiChecker struct {
	*ssa.Checker
	seen  []int32 // by block: state of the predecessor check, by round
	round int32
}

// operands checks P2 of the phi id in block i: first all predecessors are marked with an
// even round, then each operand makes its predecessor's mark odd.
func (p *phiChecker) operands(id ssa.ValueID, i int32) {
	f := p.Func
	v := &f.Values[id]
	p.round += 2
	for _, e := range f.Blocks[i].Preds {
		p.seen[e.Block] = p.round
	}
	if i == 0 {
		name := f.ValueName(id)
		p.Errorf("P2", v.Pos, name, "phi %s stands in the entry block, which has no predecessor when the function starts", name)
	}
	for _, e := range f.Phis[v.Aux] {
		if p.seen[e.Pred] == p.round {
			p.seen[e.Pred]++
			continue
		}
		name, pred := f.ValueName(id), f.BlockName(e.Pred)
		if p.seen[e.Pred] == p.round+1 {
			p.UseErrorf("P2", v.Pos, pred, "phi %s has two operands for the predecessor %s", name, pred)
		} else {
			p.UseErrorf("P2", v.Pos, pred, "phi %s has an operand for %s, which is no predecessor of block %s", name, pred, f.BlockName(i))
		}
	}
	for _, e := range f.Blocks[i].Preds {
		if p.seen[e.Block] == p.round {
			p.seen[e.Block]++
			name, pred := f.ValueName(id), f.BlockName(e.Block)
			p.Errorf("P2", v.Pos, name, "phi %s has no operand for the predecessor %s of block %s", name, pred, f.BlockName(i))
		}
	}
}

// dominance checks P3 of the phi id.
func (p *phiChecker) dominance(id ssa.ValueID) {
	f := p.Func
	v := &f.Values[id]
	for _, e := range f.Phis[v.Aux] {
		if !p.Dom.Reaches(e.Pred) || p.Twice(e.Value) || p.Dominates(e.Value, e.Pred) {
			continue
		}
		name, pred := f.ValueName(e.Value), f.BlockName(e.Pred)
		if p.Undefined(e.Value) {
			p.UseErrorf("P3", v.Pos, name, "the operand %s of phi %s is never defined", name, f.ValueName(id))
			continue
		}
		p.UseErrorf("P3", v.Pos, name, "the definition of %s, an operand of phi %s, does not dominate the end of its predecessor %s",
			name, f.ValueName(id), pred)
	}
}
