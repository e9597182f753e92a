package ssa

import (
	"shoal/node"
	"shoal/node/types"
)

// floatWord stands before parameters and inputs, and after "phi", for class Float.
const floatWord = "flt"

// maxScale is the largest binary logarithm of the size of an element.
const maxScale = 3

// memoryMnemonics has the operations on memory that give a value, and how the rest of
// their lines is read; it is only read after start-up.
var memoryMnemonics = map[string]struct {
	op   node.Op
	read func(p *parser, v *Value) bool
}{
	"load":     {node.OpLoad, func(p *parser, v *Value) bool { return p.storage(v) && p.address(v) }},
	"new":      {node.OpNew, func(p *parser, v *Value) bool { return p.number(v, 1<<62, "the size of the object in bytes") }},
	"newarray": {node.OpNew, (*parser).newArray},
}

// class reads the class of a parameter or an input, and returns the name that follows,
// which is not read yet. An input may be called "flt", too.
func (p *parser) class() (Class, token) {
	t := p.tok
	if t.kind != tokName || p.spell(t) != floatWord {
		return Word, t
	}
	before := p.lexer
	if p.next(); p.tok.kind != tokName {
		p.lexer = before
		return Word, t
	}
	return Float, p.tok
}

// storage reads how a value lies in memory.
func (p *parser) storage(v *Value) bool {
	t := p.tok
	if !p.expect(tokName) {
		return false
	}
	s, ok := types.StorageNamed(p.spell(t))
	if v.Aux = int64(s); !ok {
		return p.fail(t, "%s is no way to store a value", p.describe(t))
	}
	return true
}

// address reads a reference and an offset.
func (p *parser) address(v *Value) bool {
	return p.operand(v) && p.expect(',') && p.operand(v)
}

// number reads an integer from 0 to most.
func (p *parser) number(v *Value, most int64, what string) bool {
	if p.tok.kind != tokInt || p.tok.val < 0 || p.tok.val > most {
		return p.fail(p.tok, "%s expected, not %s", what, p.describe(p.tok))
	}
	v.Aux = p.tok.val
	p.next()
	return true
}

func (p *parser) newArray(v *Value) bool {
	return p.number(v, maxScale, "the binary logarithm of the size of an element, 0 to 3,") && p.expect(',') && p.operand(v)
}

// store reads what follows "store".
func (p *parser) store(word token) {
	if !p.allowed(word) {
		return
	}
	v := Value{Kind: Instr, Op: node.OpStore, Block: int32(len(p.f.Blocks) - 1)}
	if p.storage(&v) && p.address(&v) && p.expect(',') && p.operand(&v) && p.endLine() {
		p.place(p.add(word, "", v))
	}
}

// fault reads what follows "fault".
func (p *parser) fault(t *Term) bool {
	name := p.tok
	if !p.expect(tokName) {
		return false
	}
	f, ok := node.FaultNamed(p.spell(name))
	if !ok {
		return p.fail(name, "%s is no fault", p.describe(name))
	}
	t.Kind, t.Fault = Fail, f
	numbers := [...]*ValueID{&t.Arg, &t.Arg2}
	for i := range node.Faults[f].Numbers {
		if i > 0 && !p.expect(',') {
			return false
		}
		if *numbers[i], ok = p.atom(); !ok {
			return false
		}
	}
	return true
}
