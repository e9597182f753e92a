package forms

import (
	"errors"
	"fmt"

	"shoal/ssa"
)

// Convert returns f in another form. Block arguments are in the middle: what is written in
// one of the other forms first becomes block arguments. It fails if f is not valid, or if
// it is in Upsilon/Phi form and its Upsilons and Phis are not where edges can take them.
func Convert(f *ssa.Func, to ssa.Form) (*ssa.Func, error) {
	if errs := Validate(f); len(errs) > 0 {
		return nil, fmt.Errorf("%s is not valid: %w", f.Name, errors.Join(errs...))
	}
	g := f.Clone()
	switch {
	case f.Form == to:
		return g, nil
	case f.Form == ssa.FormPhi:
		phiToArgs(g)
	case f.Form == ssa.FormUpsilon:
		if err := upsilonToArgs(g); err != nil {
			return nil, err
		}
	}
	switch to {
	case ssa.FormPhi:
		argsToPhi(g)
	case ssa.FormUpsilon:
		argsToUpsilon(g)
	}
	return g, nil
}

// ConvertModule converts every function of m.
func ConvertModule(m *ssa.Module, to ssa.Form) (*ssa.Module, error) {
	c := &ssa.Module{Form: to}
	for _, f := range m.Funcs {
		g, err := Convert(f, to)
		if err != nil {
			return nil, err
		}
		c.Funcs = append(c.Funcs, g)
	}
	return c, nil
}

// setForm finishes a conversion.
func setForm(f *ssa.Func, form ssa.Form) {
	f.Form = form
	if form != ssa.FormPhi {
		f.Phis = nil
	}
	f.LinkPreds()
}

// phiToArgs makes the phis at the top of each block its parameters, and their operands
// for a predecessor the arguments of the edges from there.
func phiToArgs(f *ssa.Func) {
	for i := range f.Blocks {
		b := &f.Blocks[i]
		n := 0
		for n < len(b.Body) && f.Values[b.Body[n]].Kind == ssa.Phi {
			n++
		}
		if n == 0 {
			continue
		}
		b.Params, b.Body = b.Body[:n:n], b.Body[n:]
		slab := make([]ssa.ValueID, n*len(b.Preds))
		for k, e := range b.Preds {
			f.Blocks[e.Block].Term.Succs[e.Succ].Args = slab[k*n : (k+1)*n : (k+1)*n]
		}
		for k, x := range b.Params {
			v := &f.Values[x]
			for _, e := range f.Phis[v.Aux] {
				passArg(f, e, int32(i), k)
			}
			v.Kind, v.Aux = ssa.Param, 0
		}
	}
	setForm(f, ssa.FormArgs)
}

// passArg makes e argument k of all edges from its predecessor to block to.
func passArg(f *ssa.Func, e ssa.Entry, to int32, k int) {
	for _, t := range f.Blocks[e.Pred].Term.Targets() {
		if t.Block == to {
			t.Args[k] = e.Value
		}
	}
}

// argsToPhi is the inverse of phiToArgs.
func argsToPhi(f *ssa.Func) {
	f.SplitMultiEdges()
	for i := range f.Blocks {
		b := &f.Blocks[i]
		for k, x := range b.Params {
			v := &f.Values[x]
			v.Kind, v.Aux = ssa.Phi, int64(len(f.Phis))
			entries := make([]ssa.Entry, 0, len(b.Preds))
			for j, e := range b.Preds {
				if j > 0 && b.Preds[j-1].Block == e.Block {
					continue // the other edge of two, which passes the same
				}
				arg := f.Blocks[e.Block].Term.Succs[e.Succ].Args[k]
				entries = append(entries, ssa.Entry{Pred: e.Block, Value: arg})
			}
			f.Phis = append(f.Phis, entries)
		}
		phisFirst(b)
	}
	dropArgs(f)
	setForm(f, ssa.FormPhi)
}

// phisFirst moves the parameters of b, phis by now, to the top of its body.
func phisFirst(b *ssa.Block) {
	if len(b.Params) > 0 {
		b.Body = append(b.Params[:len(b.Params):len(b.Params)], b.Body...)
		b.Params = nil
	}
}

func dropArgs(f *ssa.Func) {
	for i := range f.Blocks {
		t := &f.Blocks[i].Term
		for k := range t.Targets() {
			t.Succs[k].Args = nil
		}
	}
}

// argsToUpsilon makes an Upsilon before the branch of each argument. The order among them
// does not matter: they read names and write shadow variables, which are no names.
func argsToUpsilon(f *ssa.Func) {
	f.SplitMultiEdges()
	for i := range f.Blocks {
		t := f.Blocks[i].Term
		for k, target := range t.Targets() {
			if k > 0 && target.Block == t.Succs[0].Block {
				continue
			}
			for j, a := range target.Args {
				v := ssa.Value{Kind: ssa.Upsilon, NArgs: 2, Block: int32(i), Pos: t.Pos}
				v.Args[0], v.Args[1] = a, f.Blocks[target.Block].Params[j]
				f.Blocks[i].Body = append(f.Blocks[i].Body, f.Add(v))
			}
		}
	}
	for i := range f.Blocks {
		b := &f.Blocks[i]
		for _, x := range b.Params {
			f.Values[x].Kind, f.Values[x].Aux = ssa.Phi, 0
		}
		phisFirst(b)
	}
	dropArgs(f)
	setForm(f, ssa.FormUpsilon)
}

// upsilonToArgs is the inverse of argsToUpsilon. It asks that Phis come first in their
// blocks and that each predecessor has an Upsilon for each of them; then no other Upsilon
// is ever observed. Within its block an Upsilon may stand anywhere after the Phis, since
// what it reads does not change before the end, and the last one for a Phi counts.
func upsilonToArgs(f *ssa.Func) error {
	c := &upsilonConverter{f: f, value: make([]ssa.ValueID, len(f.Values)), from: make([]int32, len(f.Values))}
	for i := range f.Blocks {
		if err := c.takePhis(int32(i)); err != nil {
			return err
		}
	}
	for i := range f.Blocks {
		if err := c.takeUpsilons(int32(i)); err != nil {
			return err
		}
	}
	setForm(f, ssa.FormArgs)
	return nil
}

type upsilonConverter struct {
	f     *ssa.Func
	value []ssa.ValueID // by Phi: what the last Upsilon for it wrote
	from  []int32       // by Phi: one plus the block of that Upsilon
}

// takePhis makes the Phis of block i its parameters.
func (c *upsilonConverter) takePhis(i int32) error {
	f, b := c.f, &c.f.Blocks[i]
	n := 0
	for k, id := range b.Body {
		v := &f.Values[id]
		if v.Kind != ssa.Phi {
			continue
		}
		if k != n {
			return fmt.Errorf("%s: Phi %s is not at the top of block %s, so no edge can write it",
				f.Name, f.ValueName(id), f.BlockName(i))
		}
		v.Kind = ssa.Param
		n++
	}
	b.Params, b.Body = b.Body[:n:n], b.Body[n:]
	return nil
}

// takeUpsilons makes the Upsilons of block i arguments of its branch.
func (c *upsilonConverter) takeUpsilons(i int32) error {
	f, b := c.f, &c.f.Blocks[i]
	kept := b.Body[:0]
	for _, id := range b.Body {
		v := &f.Values[id]
		if v.Kind != ssa.Upsilon {
			kept = append(kept, id)
			continue
		}
		c.value[v.Args[1]], c.from[v.Args[1]] = v.Args[0], i+1
		*v = ssa.Value{}
	}
	b.Body = kept
	for k := range b.Term.Targets() {
		t := &b.Term.Succs[k]
		for _, x := range f.Blocks[t.Block].Params {
			if c.from[x] != i+1 {
				return fmt.Errorf("%s: block %s has no Upsilon for the Phi %s of its successor %s, so its edge has nothing to pass",
					f.Name, f.BlockName(i), f.ValueName(x), f.BlockName(t.Block))
			}
			t.Args = append(t.Args, c.value[x])
		}
	}
	return nil
}
