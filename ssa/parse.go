package ssa

import (
	"fmt"

	"shoal/node"
	"shoal/source"
)

// mnemonics finds the op of a text; it is only read after start-up.
var mnemonics = func() map[string]node.Op {
	m := make(map[string]node.Op)
	for op := range node.NumOps {
		if op.Is(node.Pure) && op.Info().Mnem != "" {
			m[op.Info().Mnem] = op
		}
	}
	return m
}()

// A parser reads one file. It works a line at a time: a mistake is reported and costs the
// rest of its line, no more. Names that are used before they are defined, or never, stand
// for values of kind Invalid and blocks with Missing set until their definition comes.
type parser struct {
	lexer
	diags *source.Diagnostics
	m     *Module
	funcs map[string]bool

	// Of the function at hand:
	f       *Func
	head    token // its name
	names   symbols
	values  []ValueID // by number of a name: its first value
	labels  symbols   // names of blocks
	index   []int32   // by number of a label: index in f.Blocks, -1 if only mentioned
	consts  map[constant]ValueID
	shadows map[ValueID]ValueID
	begun   bool      // a block was begun
	open    bool      // the last block has no terminator yet
	slab    []ValueID // room for lists of operands
	body    []ValueID // of the block at hand
}

// Parse reads a text in any of the three forms. Its error is a *source.Diagnostics with
// the S0 violations, up to source.MaxErrors. The module need not be valid otherwise.
func Parse(src *source.File) (*Module, error) {
	p := &parser{
		lexer: lexer{text: string(src.Text)}, // names are parts of this copy
		diags: &source.Diagnostics{File: src},
		m:     &Module{},
		funcs: map[string]bool{},
	}
	p.next()
	p.header()
	for p.tok.kind != tokEOF && !p.diags.Full() {
		p.line()
	}
	p.endFunc()
	if p.diags.Any() {
		return nil, p.diags
	}
	return p.m, nil
}

// report records an S0 violation at t.
func (p *parser) report(t token, format string, args ...any) {
	p.diags.Add(source.Diagnostic{
		Code:    "ssa-syntax",
		Span:    source.Span{Start: source.At(t.start), End: source.At(max(t.end, t.start+1))},
		Message: "S0: " + fmt.Sprintf(format, args...),
	})
}

// fail reports an S0 violation at t and skips the rest of its line. It returns false.
func (p *parser) fail(t token, format string, args ...any) bool {
	p.report(t, format, args...)
	for p.tok.kind != tokLine && p.tok.kind != tokEOF {
		p.next()
	}
	return false
}

// expect takes a token of the given kind, or reports that it is missing.
func (p *parser) expect(kind byte) bool {
	if p.tok.kind != kind {
		return p.fail(p.tok, "%s expected, not %s", kindName(kind), p.describe(p.tok))
	}
	p.next()
	return true
}

func (p *parser) endLine() bool { return p.tok.kind == tokEOF || p.expect(tokLine) }

// header reads the line that names the form.
func (p *parser) header() {
	for p.tok.kind == tokLine {
		p.next()
	}
	if p.tok.kind != tokName || p.spell(p.tok) != "form" {
		p.report(p.tok, "a text begins with a line that names its form: form args, form phi or form upsilon")
		return
	}
	p.next()
	form, ok := FormNamed(p.spell(p.tok))
	if !ok {
		p.fail(p.tok, "%s is no form: args, phi or upsilon expected", p.describe(p.tok))
		return
	}
	p.m.Form = form
	p.next()
	p.endLine()
}

// line reads one line. Its second token tells what it is.
func (p *parser) line() {
	first := p.tok
	if first.kind == tokLine {
		p.next()
		return
	}
	if !p.expect(tokName) {
		return
	}
	word := p.spell(first)
	switch {
	case word == "func" && p.tok.kind == tokName:
		p.funcHeader()
	case p.f == nil:
		p.fail(first, "'func' expected, not %s", p.describe(first))
	case p.tok.kind == ':' || p.tok.kind == '(':
		p.blockHeader(first)
	case p.tok.kind == '=':
		p.next()
		p.assignment(first)
	case word == "upsilon":
		p.upsilon(first)
	case word == "store":
		p.store(first)
	case word == "ret" || word == "br" || word == "cbr" || word == "fault":
		p.terminator(first, word)
	default:
		p.fail(p.tok, "'=', ':' or '(' expected after the name %s, not %s", word, p.describe(p.tok))
	}
}

// funcHeader reads what follows "func".
func (p *parser) funcHeader() {
	p.endFunc()
	p.head = p.tok
	f := NewFunc(p.spell(p.head), 0)
	f.File, f.Form, f.Names = p.diags.File, p.m.Form, []string{""}
	p.f, p.begun, p.open = f, false, false
	p.names.reset()
	p.labels.reset()
	p.values, p.index = p.values[:0], p.index[:0]
	p.consts, p.shadows = map[constant]ValueID{}, map[ValueID]ValueID{}
	if p.funcs[f.Name] {
		p.report(p.head, "function %s is defined twice", f.Name)
	}
	p.funcs[f.Name] = true
	p.m.Funcs = append(p.m.Funcs, f)
	p.next()
	inputs, ok := p.nameList(Input, -1)
	if f.Inputs = inputs; ok {
		p.endLine()
	}
}

// nameList reads "(" names ")" and defines them, as inputs or as parameters of a block.
func (p *parser) nameList(kind ValueKind, block int32) (list []ValueID, ok bool) {
	if !p.expect('(') {
		return nil, false
	}
	for p.tok.kind != ')' {
		class, t := p.class()
		if !p.expect(tokName) {
			return list, false
		}
		v := Value{Kind: kind, Block: block, Class: class}
		if kind == Input {
			v.Aux = int64(len(list))
		}
		list = append(list, p.define(t, v))
		if p.tok.kind != ',' {
			break
		}
		p.next()
	}
	return list, p.expect(')')
}

// endFunc closes the function at hand: numbers of block names become indices.
func (p *parser) endFunc() {
	if p.f == nil {
		return
	}
	p.endBlock()
	f := p.f
	if !p.begun {
		p.report(p.head, "function %s has no block", f.Name)
	}
	for label, i := range p.index {
		if i < 0 {
			p.index[label] = int32(len(f.Blocks))
			f.Blocks = append(f.Blocks, Block{Name: p.labels.names[label], Missing: true})
		}
	}
	for i := range f.Blocks {
		term := &f.Blocks[i].Term
		for k := range term.Targets() {
			term.Succs[k].Block = p.index[term.Succs[k].Block]
		}
	}
	for _, entries := range f.Phis {
		for k := range entries {
			entries[k].Pred = p.index[entries[k].Pred]
		}
	}
	f.LinkPreds()
	p.f = nil
}

// blockHeader reads the rest of: name(params):
func (p *parser) blockHeader(name token) {
	p.endBlock()
	f := p.f
	b := int32(len(f.Blocks))
	label := p.label(p.spell(name))
	if p.index[label] < 0 {
		p.index[label] = b // of two blocks with one name, branches mean the first
	}
	f.Blocks = append(f.Blocks, Block{Name: p.labels.names[label], Pos: source.At(name.start)})
	p.begun, p.open = true, true
	if p.tok.kind == '(' {
		if f.Form != FormArgs {
			p.fail(p.tok, "parameters belong to form args, this is form %s", f.Form)
			return
		}
		params, ok := p.nameList(Param, b)
		if f.Blocks[b].Params = params; !ok {
			return
		}
	}
	if p.expect(':') {
		p.endLine()
	}
}

// endBlock finishes the block at hand, or reports that it has no terminator.
func (p *parser) endBlock() {
	if p.begun {
		b := &p.f.Blocks[len(p.f.Blocks)-1]
		b.Body = p.keep(p.body)
		p.body = p.body[:0]
	}
	if p.open {
		b := &p.f.Blocks[len(p.f.Blocks)-1]
		at := b.Pos.Offset()
		p.report(token{start: at, end: at + len(b.Name)}, "block %s has no terminator", b.Name)
	}
	p.open = false
}

// allowed tells whether an instruction or terminator may stand here.
func (p *parser) allowed(at token) bool {
	if !p.begun {
		return p.fail(at, "a block expected before the first instruction")
	}
	if !p.open {
		return p.fail(at, "block %s has ended with its terminator", p.f.Blocks[len(p.f.Blocks)-1].Name)
	}
	return true
}

// place puts v at the end of the block at hand.
func (p *parser) place(v ValueID) { p.body = append(p.body, v) }

// keep copies list to where it stays.
func (p *parser) keep(list []ValueID) []ValueID {
	start := len(p.slab)
	p.slab = append(p.slab, list...)
	return p.slab[start:len(p.slab):len(p.slab)]
}

// assignment reads what follows "name =".
func (p *parser) assignment(name token) {
	if !p.allowed(name) {
		return
	}
	mnem := p.tok
	if !p.expect(tokName) {
		return
	}
	if p.spell(mnem) == "phi" {
		p.phi(name, mnem)
		return
	}
	v := Value{Kind: Instr, Block: int32(len(p.f.Blocks) - 1)}
	read := (*parser).operands
	if m, ok := memoryMnemonics[p.spell(mnem)]; ok {
		v.Op, read = m.op, m.read
	} else if v.Op, ok = mnemonics[p.spell(mnem)]; !ok {
		p.fail(mnem, "%s is no operation", p.describe(mnem))
		return
	}
	if read(p, &v) && p.endLine() {
		v.Class = v.ResultClass()
		p.place(p.define(name, v))
	}
}

// operands reads the operands of v; that an op has the right number of them is grammar.
func (p *parser) operands(v *Value) bool {
	info := v.Op.Info()
	for n := range info.Arity - 1 { // slot 0 is control
		if n > 0 && !p.expect(',') || !p.operand(v) {
			return false
		}
	}
	if info.Aux == node.AuxBits {
		if !p.expect(',') {
			return false
		}
		if p.tok.kind != tokInt || p.tok.val < 1 || p.tok.val > 64 {
			return p.fail(p.tok, "%s takes a number of bits from 1 to 64 last, not %s", info.Mnem, p.describe(p.tok))
		}
		v.Aux = p.tok.val
		p.next()
	}
	return true
}

// operand reads the next operand of v.
func (p *parser) operand(v *Value) bool {
	a, ok := p.atom()
	if ok {
		v.Args[v.NArgs] = a
		v.NArgs++
	}
	return ok
}

// phi reads what follows "name = phi".
func (p *parser) phi(name, mnem token) {
	v := Value{Kind: Phi, Block: int32(len(p.f.Blocks) - 1)}
	if p.tok.kind == tokName && p.spell(p.tok) == floatWord {
		v.Class = Float
		p.next()
	}
	switch p.f.Form {
	case FormArgs:
		p.fail(mnem, "phi belongs to the forms phi and upsilon, this is form args")
		return
	case FormPhi:
		entries, ok := p.entries()
		if !ok {
			return
		}
		v.Aux = int64(len(p.f.Phis))
		p.f.Phis = append(p.f.Phis, entries)
	}
	if p.endLine() {
		p.place(p.define(name, v))
	}
}

// entries reads the operands of a phi node: [ atom , block ] { , [ atom , block ] }.
func (p *parser) entries() (list []Entry, ok bool) {
	for p.tok.kind != tokLine && p.tok.kind != tokEOF {
		if len(list) > 0 && !p.expect(',') || !p.expect('[') {
			return nil, false
		}
		v, ok := p.atom()
		if !ok || !p.expect(',') {
			return nil, false
		}
		t := p.tok
		if !p.expect(tokName) || !p.expect(']') {
			return nil, false
		}
		list = append(list, Entry{Pred: p.label(p.spell(t)), Value: v})
	}
	return list, true
}

// upsilon reads what follows "upsilon".
func (p *parser) upsilon(word token) {
	if !p.allowed(word) {
		return
	}
	if p.f.Form != FormUpsilon {
		p.fail(word, "upsilon belongs to form upsilon, this is form %s", p.f.Form)
		return
	}
	v, ok := p.atom()
	if !ok || !p.expect(',') || !p.expect('^') {
		return
	}
	t := p.tok
	if p.expect(tokName) && p.endLine() {
		x := p.use(t)
		p.place(p.add(word, "", Value{
			Kind: Upsilon, NArgs: 2, Args: [3]ValueID{v, x}, Block: int32(len(p.f.Blocks) - 1),
		}))
	}
}

// terminator reads what follows "ret", "br", "cbr" or "fault".
func (p *parser) terminator(first token, word string) {
	if !p.allowed(first) {
		return
	}
	p.open = false // even if the line is wrong: what follows it is no second mistake
	term := Term{Pos: source.At(first.start)}
	ok := true
	switch word {
	case "ret":
		term.Arg, ok = p.atom()
	case "br":
		ok = p.target(&term.Succs[0])
		term.Kind = Br
	case "cbr":
		term.Arg, ok = p.atom()
		ok = ok && p.expect(',') && p.target(&term.Succs[0]) && p.expect(',') && p.target(&term.Succs[1])
		term.Kind = Cbr
	case "fault":
		ok = p.fault(&term)
	}
	if ok && p.endLine() {
		p.f.Blocks[len(p.f.Blocks)-1].Term = term
	}
}

// target reads name(args); its Block is a number of a block name until endFunc.
func (p *parser) target(t *Target) bool {
	name := p.tok
	if !p.expect(tokName) {
		return false
	}
	t.Block = p.label(p.spell(name))
	if p.tok.kind != '(' {
		return true
	}
	p.next()
	start := len(p.slab)
	for p.tok.kind != ')' {
		at := p.tok
		v, ok := p.atom()
		if !ok {
			return false
		}
		if p.f.Form != FormArgs {
			return p.fail(at, "arguments belong to form args, this is form %s", p.f.Form)
		}
		p.slab = append(p.slab, v)
		if p.tok.kind != ',' {
			break
		}
		p.next()
	}
	t.Args = p.slab[start:len(p.slab):len(p.slab)]
	return p.expect(')')
}

// atom reads a name or a number, or by mistake a shadow variable (rule U2).
func (p *parser) atom() (ValueID, bool) {
	t := p.tok
	switch {
	case t.kind == tokInt:
		p.next()
		return p.constant(constant{Word, t.val}), true
	case t.kind == tokFlt:
		p.next()
		return p.constant(constant{Float, t.val}), true
	case t.kind == tokName:
		p.next()
		return p.use(t), true
	case t.kind == '^' && p.f.Form == FormUpsilon:
		p.next()
		t = p.tok
		if !p.expect(tokName) {
			return None, false
		}
		return p.shadow(t), true
	case t.kind == tokBad && len(p.spell(t)) > 1:
		return None, p.fail(t, "%s is no 64-bit number", p.spell(t))
	}
	return None, p.fail(t, "a name or a number expected, not %s", p.describe(t))
}

// add makes a value with a name; t is its place in the text.
func (p *parser) add(t token, name string, v Value) ValueID {
	v.Pos = source.At(t.start)
	p.f.Names = append(p.f.Names, name)
	return p.f.Add(v)
}

// use finds the value of the name t.
func (p *parser) use(t token) ValueID {
	name := p.spell(t)
	n, isNew := p.names.number(name)
	if isNew {
		p.values = append(p.values, p.add(t, name, Value{Kind: Invalid, Block: -1}))
	}
	return p.values[n]
}

// define makes v the value of the name t. A second definition is a second value: uses
// mean the first, and Validate reports S1.
func (p *parser) define(t token, v Value) ValueID {
	name := p.spell(t)
	n, isNew := p.names.number(name)
	if isNew {
		p.values = append(p.values, p.add(t, name, v))
		return p.values[n]
	}
	id := p.values[n]
	if p.f.Values[id].Kind != Invalid {
		return p.add(t, name, v)
	}
	v.Pos = source.At(t.start)
	p.f.Values[id] = v
	return id
}

// A constant is an integer, or a floating-point number as its bits.
type constant struct {
	class Class
	bits  int64
}

func (p *parser) constant(c constant) ValueID {
	v, ok := p.consts[c]
	if !ok {
		v = p.f.Add(Value{Kind: Const, Block: -1, Class: c.class, Aux: c.bits})
		p.f.Names = append(p.f.Names, "")
		p.consts[c] = v
	}
	return v
}

func (p *parser) shadow(t token) ValueID {
	x := p.use(t)
	v, ok := p.shadows[x]
	if !ok {
		v = p.add(t, "", Value{Kind: Shadow, NArgs: 1, Args: [3]ValueID{x}, Block: -1})
		p.shadows[x] = v
	}
	return v
}

// label numbers a block name.
func (p *parser) label(name string) int32 {
	n, isNew := p.labels.number(name)
	if isNew {
		p.index = append(p.index, -1)
	}
	return n
}
