package node

import (
	"strconv"
	"strings"
)

// Label is what a node is called where it is not printed in full.
func (n *Node) Label() string {
	switch n.Op {
	case OpPhi:
		return "Phi_" + n.Name()
	case OpProj, OpCProj:
		return n.Name()
	case OpConstant:
		return n.Type.String()
	case OpLoad:
		return "ld_" + fieldLabel(n.Name())
	case OpStore:
		return "st_" + fieldLabel(n.Name())
	case OpNew:
		return n.Name()
	case OpCast:
		return "(" + n.Type.String() + ")"
	}
	return Ops[n.Op].Name
}

// fieldLabel is the name of a field where marks would be misread: of elements and lengths.
func fieldLabel(name string) string {
	switch name {
	case "[]":
		return "ary"
	case "#":
		return "len"
	}
	return name
}

// String is the one-line print of n and of what it needs (chapters §0.2): every node in
// full the first time, by its label from then on; constants always in full.
func (n *Node) String() string {
	p := linePrinter{}
	p.print(n)
	return p.b.String()
}

// A linePrinter remembers what it has printed in full.
type linePrinter struct {
	b    strings.Builder
	seen map[*Node]bool
}

func (p *linePrinter) print(n *Node) {
	switch {
	case n == nil:
		p.b.WriteString("____")
		return
	case n.Dead():
		p.b.WriteString("DEAD")
		return
	case n.Op == OpConstant, n.Op == OpXCtrl:
		p.b.WriteString(n.Type.String())
		return
	case p.seen[n]:
		p.b.WriteString(n.Label())
		return
	}
	if p.seen == nil {
		p.seen = map[*Node]bool{}
	}
	p.seen[n] = true
	p.printFull(n)
}

func (p *linePrinter) printFull(n *Node) {
	switch n.Op {
	case OpReturn:
		p.b.WriteString("return ")
		p.print(n.In(2))
		p.b.WriteByte(';')
	case OpStop:
		p.printStop(n)
	case OpPhi:
		if n.InProgress() {
			p.b.WriteByte('Z')
		}
		p.list("Phi(", n, 0, ",", ")")
	case OpIf:
		p.list("if( ", n, 1, ",", " )")
	case OpLoad:
		p.b.WriteString("." + n.Name())
	case OpStore:
		p.list("."+n.Name()+"=", n, 4, ",", ";")
	case OpCast:
		p.list(n.Label(), n, 1, "", "")
	case OpReadOnly:
		p.list("(const)", n, 1, "", "")
	case OpToFloat:
		p.list(Ops[n.Op].Text, n, 1, "", "")
	case OpSelect, OpMin, OpMax, OpUMin, OpUMax, OpAbs, OpRotL:
		p.list(Ops[n.Op].Text+"(", n, 1, ",", ")")
	case OpSignExt, OpZeroExt:
		p.list(Ops[n.Op].Text+strconv.FormatInt(n.Aux, 10)+"(", n, 1, ",", ")")
	default:
		p.printOperator(n)
	}
}

// printStop prints the Returns. Faults are no results.
func (p *linePrinter) printStop(n *Node) {
	var returns []*Node
	for i := range n.NumIn() {
		if n.In(i).Op != OpFault {
			returns = append(returns, n.In(i))
		}
	}
	if len(returns) == 1 {
		p.print(returns[0])
		return
	}
	p.b.WriteString("Stop[ ")
	for _, r := range returns {
		p.print(r)
		p.b.WriteByte(' ')
	}
	p.b.WriteByte(']')
}

func (p *linePrinter) list(open string, n *Node, first int, sep, closing string) {
	p.b.WriteString(open)
	for i := first; i < n.NumIn(); i++ {
		if i > first {
			p.b.WriteString(sep)
		}
		p.print(n.In(i))
	}
	p.b.WriteString(closing)
}

func (p *linePrinter) printOperator(n *Node) {
	info := n.Op.Info()
	switch {
	case info.Text != "" && info.Arity == 2:
		p.list("("+info.Text, n, 1, "", ")")
	case info.Text != "" && info.Arity == 3:
		p.list("(", n, 1, info.Text, ")")
	default:
		p.b.WriteString(n.Label())
	}
}
