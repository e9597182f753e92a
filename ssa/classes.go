package ssa

import (
	"shoal/node"
	"shoal/node/types"
	"shoal/source"
)

// classes checks T1. Values that are not defined have no class and break other rules.
func (c *Checker) classes() {
	f := c.Func
	for i := range f.Blocks {
		b := &f.Blocks[i]
		if b.Missing {
			continue
		}
		for _, id := range b.Body {
			c.instrClasses(id)
		}
		if b.Term.Kind != Ret {
			for _, a := range b.Term.Operands() {
				c.class(a, Word, b.Term.Pos)
			}
		}
		for _, t := range b.Term.Targets() {
			params := f.Blocks[t.Block].Params
			for k, a := range t.Args[:min(len(t.Args), len(params))] {
				c.class(a, f.Values[params[k]].Class, b.Term.Pos)
			}
		}
	}
	c.results()
}

// instrClasses checks the operands of an instruction, a Phi or an Upsilon, and its fields.
func (c *Checker) instrClasses(id ValueID) {
	v := &c.Func.Values[id]
	switch v.Kind {
	case Phi:
		if c.Func.Form == FormPhi {
			for _, e := range c.Func.Phis[v.Aux] {
				c.class(e.Value, v.Class, v.Pos)
			}
		}
		return
	case Upsilon:
		c.class(v.Args[0], c.Func.Values[v.Args[1]].Class, v.Pos)
		return
	}
	switch v.Op {
	case node.OpLoad, node.OpStore:
		if v.Aux < 0 || v.Aux >= int64(types.NumStorages) {
			c.Errorf("T1", v.Pos, "", "there is no storage %d", v.Aux)
			return
		}
	case node.OpNew:
		if v.Aux < 0 || v.NArgs > 0 && v.Aux > maxScale {
			c.Errorf("T1", v.Pos, "", "nothing has the size %d", v.Aux)
		}
	}
	if v.HasResult() && v.Class != v.ResultClass() {
		c.Errorf("T1", v.Pos, c.Func.ValueName(id), "%s is marked as %s", c.Func.ValueName(id), v.Class)
	}
	for i, a := range v.Operands() {
		c.class(a, v.OperandClass(i), v.Pos)
	}
}

// class checks that v, used in the line at pos, has class want.
func (c *Checker) class(v ValueID, want Class, at source.Pos) {
	f := c.Func
	x := &f.Values[v]
	switch {
	case x.Kind == Invalid || x.Kind == Shadow || c.Undefined(v) || c.twice[v]:
	case x.Kind == Instr && !x.HasResult():
		c.Errorf("T1", at, "", "a store is used as a value")
	case x.Class != want:
		name := string(f.AppendAtom(nil, v))
		c.UseErrorf("T1", at, name, "%s is of class %s where class %s is needed", name, x.Class, want)
	}
}

// results checks that all that is returned is of one class.
func (c *Checker) results() {
	want, found := Word, false
	for i := range c.Func.Blocks {
		t := &c.Func.Blocks[i].Term
		if t.Kind != Ret || c.Func.Blocks[i].Missing || c.Func.Values[t.Arg].Kind == Invalid {
			continue
		}
		if !found {
			want, found = c.Func.Values[t.Arg].Class, true
		}
		c.class(t.Arg, want, t.Pos)
	}
}

// ResultClass is the class of what a valid function returns.
func (f *Func) ResultClass() Class {
	for i := range f.Blocks {
		if t := &f.Blocks[i].Term; t.Kind == Ret && !f.Blocks[i].Missing {
			return f.Values[t.Arg].Class
		}
	}
	return Word
}
