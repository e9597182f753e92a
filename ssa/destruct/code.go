package destruct

import (
	"math"
	"strconv"

	"shoal/node"
	"shoal/source"
	"shoal/ssa"
)

// A Var is the index of a variable in Code.Vars.
type Var int32

// An Atom is an operand: the variable of that number, or, if it is negative, the constant
// Consts[^a].
type Atom int32

// A Variable is assigned any number of times. It has the name of Value; with a prime if
// it is the isolated variable of that parameter. The temporary has no Value.
type Variable struct {
	Value    ssa.ValueID
	Isolated bool
}

// A Code is a function out of SSA form. Blocks[0] is the entry.
type Code struct {
	Name   string
	Inputs []Var
	Vars   []Variable
	Consts []Constant
	Blocks []Block

	source *ssa.Func // for names
}

// A Constant is an integer, or a floating-point number as its bits.
type Constant struct {
	Class ssa.Class
	Bits  int64
}

func (c Constant) append(buf []byte) []byte {
	if c.Class == ssa.Float {
		return ssa.AppendFloat(buf, math.Float64frombits(uint64(c.Bits)))
	}
	return strconv.AppendInt(buf, c.Bits, 10)
}

// A Block has the name of the block Source of the function it comes from; if To is not
// negative, it stands on the edge from Source to To.
type Block struct {
	Source, To int32
	Body       []Stmt
	Term       Term
}

// A Stmt is Dst = Op(Args), or Dst = Args[0] if Op is node.OpInvalid; a store has no Dst,
// which is -1 then.
type Stmt struct {
	Op    node.Op
	NArgs uint8
	Dst   Var
	Args  [3]Atom
	Aux   int64 // as in ssa.Value
	Pos   source.Pos
}

// A Term ends a block as ssa.Term does, but edges pass nothing.
type Term struct {
	Kind  ssa.TermKind
	Fault node.Fault
	Args  [2]Atom
	Succs [2]int32
	Pos   source.Pos
}

// operands are what the terminator itself uses.
func (t *Term) operands() []Atom {
	like := ssa.Term{Kind: t.Kind, Fault: t.Fault}
	return t.Args[:len(like.Operands())]
}

// targets are the blocks that may follow.
func (t *Term) targets() []int32 {
	like := ssa.Term{Kind: t.Kind}
	return t.Succs[:len(like.Targets())]
}

// String is the text of c: linear SSA text without parameters and arguments, with copies.
func (c *Code) String() string { return string(c.AppendText(nil)) }

// AppendText appends the text of c to buf.
func (c *Code) AppendText(buf []byte) []byte {
	p := &printer{c: c, buf: buf}
	p.name()
	p.put("func ", c.Name, "(")
	for i, v := range c.Inputs {
		if i > 0 {
			p.put(", ")
		}
		p.put(p.vars[v])
	}
	p.put(")\n")
	for i := range c.Blocks {
		p.put(p.blocks[i], ":\n")
		for j := range c.Blocks[i].Body {
			p.stmt(&c.Blocks[i].Body[j])
		}
		p.term(&c.Blocks[i].Term)
	}
	return p.buf
}

// VarNames are the names of the variables in the text of c, by Var.
func (c *Code) VarNames() []string {
	p := &printer{c: c}
	p.name()
	return p.vars
}

type printer struct {
	c            *Code
	buf          []byte
	vars, blocks []string
}

func (p *printer) put(words ...string) {
	for _, w := range words {
		p.buf = append(p.buf, w...)
	}
}

// name finds a name for each variable and block. Those that are not of the source get
// primes until they differ from all others.
func (p *printer) name() {
	c, f := p.c, p.c.source
	taken := make(map[string]bool, len(f.Values))
	fresh := func(name string) string {
		for taken[name] {
			name += "'"
		}
		taken[name] = true
		return name
	}
	for v := range f.Values {
		if f.Values[v].HasResult() {
			taken[f.ValueName(ssa.ValueID(v))] = true
		}
	}
	for _, v := range c.Vars {
		switch {
		case v.Value == ssa.None:
			p.vars = append(p.vars, fresh("tmp"))
		case v.Isolated:
			p.vars = append(p.vars, fresh(f.ValueName(v.Value)+"'"))
		default:
			p.vars = append(p.vars, f.ValueName(v.Value))
		}
	}
	clear(taken)
	for b := range f.Blocks {
		taken[f.BlockName(int32(b))] = true
	}
	for _, b := range c.Blocks {
		name := f.BlockName(b.Source)
		if b.To >= 0 {
			name = fresh(name + "." + f.BlockName(b.To))
		}
		p.blocks = append(p.blocks, name)
	}
}

func (p *printer) stmt(s *Stmt) {
	mnem := "copy"
	if s.Op != node.OpInvalid {
		mnem = s.Op.Info().Mnem
	}
	p.put("  ")
	if s.Dst >= 0 {
		p.put(p.vars[s.Dst], " = ")
	}
	p.put(mnem)
	like := ssa.Value{Kind: ssa.Instr, Op: s.Op, NArgs: s.NArgs, Aux: s.Aux}
	var sep string
	p.buf, sep = like.AppendFields(p.buf)
	for _, a := range s.Args[:s.NArgs] {
		p.put(sep)
		p.atom(a)
		sep = ", "
	}
	if s.Op.Info().Aux == node.AuxBits {
		p.put(sep)
		p.buf = strconv.AppendInt(p.buf, s.Aux, 10)
	}
	p.put("\n")
}

func (p *printer) atom(a Atom) {
	if a < 0 {
		p.buf = p.c.Consts[^a].append(p.buf)
		return
	}
	p.put(p.vars[a])
}

func (p *printer) term(t *Term) {
	switch t.Kind {
	case ssa.Ret:
		p.put("  ret ")
		p.atom(t.Args[0])
	case ssa.Br:
		p.put("  br ", p.blocks[t.Succs[0]])
	case ssa.Cbr:
		p.put("  cbr ")
		p.atom(t.Args[0])
		p.put(", ", p.blocks[t.Succs[0]], ", ", p.blocks[t.Succs[1]])
	case ssa.Fail:
		p.put("  fault ", t.Fault.String())
		sep := " "
		for _, a := range t.operands() {
			p.put(sep)
			p.atom(a)
			sep = ", "
		}
	}
	p.put("\n")
}
