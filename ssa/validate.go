package ssa

import (
	"bytes"
	"fmt"
	"strconv"

	"shoal/source"
)

// A Violation is one broken rule of a form.
type Violation struct {
	Rule    string      // "S2"
	Span    source.Span // where the text breaks it, if the function has a text
	Message string
}

// Error is the rule and what breaks it.
func (v *Violation) Error() string { return v.Rule + ": " + v.Message }

// Report makes diagnostics of violations, as Validate and its like return them.
func Report(file *source.File, errs []error) *source.Diagnostics {
	ds := &source.Diagnostics{File: file}
	for _, err := range errs {
		d := source.Diagnostic{Code: "ssa-rule", Message: err.Error()}
		if v, ok := err.(*Violation); ok {
			d.Span = v.Span
		}
		ds.Add(d)
	}
	return ds
}

// Validate returns every violation of the rules S1 to S4 and T1; S0 is Parse's. In the two
// other forms it checks what they share with this one: S1, S4, T1, and S2 of ordinary
// operands; package forms checks the rest.
func (f *Func) Validate() []error {
	c := &Checker{Func: f}
	c.blocks()
	c.definitions()
	c.counts()
	if len(f.Blocks) > 0 {
		c.Dom = Dominators(f)
		c.uses()
	}
	c.classes()
	return c.Errs
}

// A Checker holds what the validators of all forms need of a function.
type Checker struct {
	Func *Func
	Dom  *Dom
	Errs []error
	// Pos is by ValueID the place of the definition in its block: -1 for a parameter, else
	// the index in Body. Block is that block; noDef without a definition.
	Pos, Block []int32
	twice      []bool // by ValueID: its name is defined twice, which is reported once
}

// Values of Checker.Block for definitions that stand in no block.
const (
	noDef    int32 = -2 // never defined
	anywhere int32 = -1 // an input or a constant
)

// NewChecker collects the definitions of f and its dominators, and reports nothing.
func NewChecker(f *Func) *Checker {
	c := &Checker{Func: f}
	c.definitions()
	c.Errs = nil // they are Validate's
	c.Dom = Dominators(f)
	return c
}

// Errorf records that rule is broken at the first mention of name in the line from pos on.
func (c *Checker) Errorf(rule string, pos source.Pos, name, format string, args ...any) {
	span := c.find(pos, name, false)
	c.Errs = append(c.Errs, &Violation{Rule: rule, Span: span, Message: fmt.Sprintf(format, args...)})
}

// UseErrorf is Errorf for the first use of name: after the "=", if there is one.
func (c *Checker) UseErrorf(rule string, pos source.Pos, name, format string, args ...any) {
	span := c.find(pos, name, true)
	c.Errs = append(c.Errs, &Violation{Rule: rule, Span: span, Message: fmt.Sprintf(format, args...)})
}

// maxLocated is how many violations are looked up in the text. Nobody reads more carets,
// and a line with 100,000 wrong arguments must not be read 100,000 times.
const maxLocated = 100

// find narrows pos, the start of an instruction or terminator, down to name in that line.
// Operands have no positions of their own: only errors need them.
func (c *Checker) find(pos source.Pos, name string, use bool) source.Span {
	if c.Func.File == nil || !pos.Known() || len(c.Errs) >= maxLocated {
		return source.Span{Start: pos}
	}
	text := c.Func.File.Text[pos.Offset():]
	if end := bytes.IndexByte(text, '\n'); end >= 0 {
		text = text[:end]
	}
	l := lexer{text: string(text)}
	l.next()
	if first := l; use {
		l.next()
		if l.tok.kind != '=' {
			l = first
		}
	}
	for ; l.tok.kind != tokEOF; l.next() {
		if l.spell(l.tok) == name {
			return source.Span{Start: pos + source.Pos(l.tok.start), End: pos + source.Pos(l.tok.end)}
		}
	}
	return source.Span{Start: pos}
}

// blocks checks S4.
func (c *Checker) blocks() {
	f := c.Func
	if len(f.Blocks) == 0 {
		c.Errorf("S4", source.NoPos, "", "function %s has no entry block", f.Name)
		return
	}
	c.doubleBlocks()
	for i := range f.Blocks {
		b := &f.Blocks[i]
		for _, t := range b.Term.Targets() {
			if t.Block != 0 && !f.Blocks[t.Block].Missing {
				continue
			}
			name, to := f.BlockName(int32(i)), f.BlockName(t.Block)
			if t.Block == 0 {
				c.Errorf("S4", b.Term.Pos, to, "block %s branches to the entry block %s", name, to)
			} else {
				c.Errorf("S4", b.Term.Pos, to, "the target %s of block %s does not exist", to, name)
			}
		}
	}
	if entry := &f.Blocks[0]; len(entry.Params) > 0 {
		c.Errorf("S4", entry.Pos, f.BlockName(0), "the entry block %s has parameters", f.BlockName(0))
	}
}

// definitions checks S1 (U1 in upsilon/phi form) and finds where values are defined.
func (c *Checker) definitions() {
	f := c.Func
	n := len(f.Values)
	c.Pos, c.Block, c.twice = make([]int32, n), make([]int32, n), make([]bool, n)
	for v := range f.Values {
		c.Block[v] = noDef
		if k := f.Values[v].Kind; k == Const || k == Shadow {
			c.Block[v] = anywhere
		}
	}
	for _, v := range f.Inputs {
		c.define(v, Input, anywhere, -1)
	}
	for i := range f.Blocks {
		b := &f.Blocks[i]
		for _, v := range b.Params {
			c.define(v, Param, int32(i), -1)
		}
		for j, v := range b.Body {
			c.define(v, f.Values[v].Kind, int32(i), int32(j))
		}
	}
	c.doubleNames()
}

// define records one definition.
func (c *Checker) define(id ValueID, kind ValueKind, block, pos int32) {
	v := &c.Func.Values[id]
	switch {
	case c.Block[id] != noDef:
		c.Errorf(c.single(), v.Pos, c.Func.ValueName(id), "%s is defined twice", c.Func.ValueName(id))
	case v.Kind != kind || v.Block != block || v.Kind == Invalid:
		panic(fmt.Sprintf("ssa.Validate: %s: value %d is listed where it does not belong", c.Func.Name, id))
	}
	c.Block[id], c.Pos[id] = block, pos
}

// single is the name of the rule of single definitions.
func (c *Checker) single() string {
	if c.Func.Form == FormUpsilon {
		return "U1"
	}
	return "S1"
}

// doubleNames reports values that share a name. A name that nobody gave, "v7", can only
// collide with a given one, so functions without given names cost nothing.
func (c *Checker) doubleNames() {
	f := c.Func
	var seen symbols
	seen.reset()
	var first []ValueID // by number of the name
	for i, name := range f.Names {
		v := ValueID(i)
		if name == "" || c.Block[v] == noDef {
			continue
		}
		n, isNew := seen.number(name)
		if isNew {
			first = append(first, v)
		}
		w, twice := first[n], !isNew
		if k, own := ownNumber('v', name); !twice && own && k < len(f.Values) {
			w = ValueID(k)
			twice = w != v && c.Block[w] >= anywhere && f.ValueName(w) == name && f.Values[w].HasResult()
		}
		if !twice {
			continue
		}
		c.twice[v], c.twice[w] = true, true
		c.Errorf(c.single(), f.Values[v].Pos, name, "%s is defined twice", name)
	}
}

// defines tells whether values of kind k are defined under a name.
func (k ValueKind) defines() bool { return k == Input || k == Param || k == Instr || k == Phi }

// doubleBlocks reports blocks that share a name, likewise.
func (c *Checker) doubleBlocks() {
	f := c.Func
	var seen symbols
	seen.reset()
	for i := range f.Blocks {
		b := &f.Blocks[i]
		if b.Name == "" || b.Missing {
			continue
		}
		k, own := ownNumber('b', b.Name)
		if _, isNew := seen.number(b.Name); !isNew || own && k < len(f.Blocks) && f.Blocks[k].Name == "" {
			c.Errorf("S4", b.Pos, b.Name, "two blocks have the name %s", b.Name)
		}
	}
}

// ownNumber undoes ValueName and BlockName for names that nobody gave: "v7" is 7.
func ownNumber(prefix byte, name string) (int, bool) {
	if len(name) < 2 || name[0] != prefix || name[1] == '0' && len(name) > 2 {
		return 0, false
	}
	n, err := strconv.ParseUint(name[1:], 10, 31)
	return int(n), err == nil
}

// counts checks S3.
func (c *Checker) counts() {
	f := c.Func
	for i := range f.Blocks {
		b := &f.Blocks[i]
		for _, t := range b.Term.Targets() {
			to := &f.Blocks[t.Block]
			if len(t.Args) != len(to.Params) && !to.Missing {
				name := f.BlockName(t.Block)
				c.Errorf("S3", b.Term.Pos, name, "block %s passes %d arguments to %s, which has %d parameters",
					f.BlockName(int32(i)), len(t.Args), name, len(to.Params))
			}
		}
	}
}

// uses checks S2.
func (c *Checker) uses() {
	f := c.Func
	for _, i := range c.Dom.RPO {
		b := &f.Blocks[i]
		if b.Missing {
			continue
		}
		for j, id := range b.Body {
			v := &f.Values[id]
			args := v.Operands()
			if v.Kind == Upsilon {
				args = args[:1] // the second names a shadow variable and is no use
			}
			for _, a := range args {
				c.Use(a, i, int32(j), v.Pos)
			}
		}
		end := int32(len(b.Body))
		for _, a := range b.Term.Operands() {
			c.Use(a, i, end, b.Term.Pos)
		}
		for _, t := range b.Term.Targets() {
			for _, a := range t.Args {
				c.Use(a, i, end, b.Term.Pos)
			}
		}
	}
}

// Use checks S2 of a use of v at index pos of the body of the reachable block b.
func (c *Checker) Use(v ValueID, b, pos int32, at source.Pos) {
	d := c.Block[v]
	if d == anywhere || c.twice[v] || c.Dominates(v, b) && (d != b || c.Pos[v] < pos) {
		return
	}
	name, block := c.Func.ValueName(v), c.Func.BlockName(b)
	switch {
	case d == noDef:
		c.UseErrorf("S2", at, name, "%s is used in block %s but never defined", name, block)
	case d == b:
		c.UseErrorf("S2", at, name, "%s is used in block %s before its definition there", name, block)
	default:
		c.UseErrorf("S2", at, name, "the use of %s in block %s is not dominated by its definition in block %s", name, block, c.Func.BlockName(d))
	}
}

// Dominates tells whether the definition of v dominates the end of the reachable block b.
func (c *Checker) Dominates(v ValueID, b int32) bool {
	d := c.Block[v]
	return d == anywhere || d >= 0 && c.Dom.Reaches(d) && c.Dom.Dominates(d, b)
}

// Twice tells whether the name of v is defined twice, which has been reported.
func (c *Checker) Twice(v ValueID) bool { return c.twice[v] }

// Undefined tells whether v is never defined.
func (c *Checker) Undefined(v ValueID) bool { return c.Block[v] == noDef }
