package peephole

import (
	"strconv"
	"strings"

	"shoal/node"
)

// Chapters are the chapters that use the rule: "9-" from the ninth on, "5" the fifth
// alone, "4-8" from the fourth to the eighth.
func (r *Rule) Chapters() string {
	since := strconv.Itoa(r.Since)
	switch r.Until {
	case 0:
		return since + "-"
	case r.Since:
		return since
	}
	return since + "-" + strconv.Itoa(r.Until)
}

// Equation is the rule as people write it, with its condition: "x * 1 => x". That of a
// rule which is a function is the one its Doc begins with.
func (r *Rule) Equation() string {
	if r.Do != nil {
		equation, _ := r.splitDoc()
		return equation
	}
	s := r.From.text(0) + " => " + r.To.text(0)
	var conditions []string
	if r.If != nil {
		conditions = append(conditions, r.If.text(0))
	}
	for _, p := range r.From.usedOnce(nil) {
		conditions = append(conditions, p.text(0)+" has no other use")
	}
	if conditions != nil {
		s += " if " + strings.Join(conditions, " and ")
	}
	return s
}

// Source says where the rule comes from.
func (r *Rule) Source() string {
	if r.Do == nil {
		return r.Doc
	}
	_, source := r.splitDoc()
	return source
}

// splitDoc takes "equation (source)" apart.
func (r *Rule) splitDoc() (equation, source string) {
	i := strings.LastIndex(r.Doc, " (")
	if i < 0 {
		return r.Doc, ""
	}
	return r.Doc[:i], strings.TrimSuffix(r.Doc[i+2:], ")")
}

// usedOnce collects the parts of a pattern that must have no other use.
func (p *Pat) usedOnce(found []*Pat) []*Pat {
	if p.Once {
		found = append(found, p)
	}
	for _, a := range p.Args {
		found = a.usedOnce(found)
	}
	return found
}

// text writes a pattern. An operation inside another one is in parentheses, as nobody
// knows the precedence of all these operators.
func (p *Pat) text(depth int) string {
	switch p.Leaf {
	case AnyNode, AnyConst:
		return p.Name
	case Literal:
		return strconv.FormatInt(p.Lit, 10)
	case Computed:
		return p.computedText()
	}
	info := p.Op.Info()
	args := make([]string, len(p.Args))
	for i, a := range p.Args {
		args[i] = a.text(depth + 1)
	}
	switch {
	case isFunction(p.Op):
		return info.Mnem + "(" + strings.Join(args, ", ") + ")"
	case len(args) == 1 && p.Args[0].Leaf == NotLeaf && len(p.Args[0].Args) == 1 && !isFunction(p.Args[0].Op):
		return info.Text + "(" + args[0] + ")"
	case len(args) == 1:
		return info.Text + args[0]
	}
	s := args[0] + " " + info.Text + " " + args[1]
	if depth > 0 {
		return "(" + s + ")"
	}
	return s
}

// isFunction tells whether an op is written like a function: max(x, y).
func isFunction(op node.Op) bool {
	text := op.Info().Text
	return op == node.OpSelect || text[0] >= 'a' && text[0] <= 'z'
}

func (p *Pat) computedText() string {
	args := make([]string, len(p.Args))
	for i, a := range p.Args {
		args[i] = a.text(0)
	}
	switch {
	case p.Name == "{}":
		return "{" + args[0] + "}"
	case len(args) == 0:
		return p.Name
	}
	return p.Name + "(" + strings.Join(args, ", ") + ")"
}
