package dump

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"shoal/node"
	"shoal/peephole"
)

// listed is how many names a sentence lists before it only counts.
const listed = 8

// name is what sentences call a node: its label and number, or just its value.
func name(n *node.Node) string {
	switch {
	case n == nil:
		return "____"
	case n.Op == node.OpConstant:
		return n.Type.String()
	case n.Op == node.OpProj && n.Name() != "":
		return n.Name()
	}
	return n.Label() + strconv.Itoa(int(n.ID))
}

// formula is what n does, over the names of its inputs: "Phi_n8 + 1".
func formula(n *node.Node) string {
	info := n.Op.Info()
	args := func(first int) []string {
		var list []string
		for i := first; i < n.NumIn(); i++ {
			list = append(list, name(n.In(i)))
		}
		return list
	}
	switch {
	case n.Op == node.OpConstant:
		return n.Type.String()
	case n.Op == node.OpReturn:
		return "return " + name(n.In(2))
	case n.Op == node.OpNew:
		return "new " + n.Name() + "(" + strings.Join(args(0), ", ") + ")"
	case n.Op == node.OpIf:
		return "if( " + name(n.In(1)) + " )"
	case n.Op == node.OpPhi:
		return "Phi(" + strings.Join(args(0), ", ") + ")"
	case n.IsRegion():
		return info.Name + "(" + strings.Join(args(1), ", ") + ")"
	case info.Aux == node.AuxBits:
		return info.Text + strconv.FormatInt(n.Aux, 10) + "(" + name(n.In(1)) + ")"
	case n.Op.Is(node.Pure) && info.Arity == 3 && !isWord(info.Text):
		return name(n.In(1)) + " " + info.Text + " " + name(n.In(2))
	case n.Op.Is(node.Pure) && info.Arity == 2 && !isWord(info.Text):
		return info.Text + name(n.In(1))
	case n.Op.Is(node.Pure):
		return info.Text + "(" + strings.Join(args(1), ", ") + ")"
	}
	return n.Label() + "(" + strings.Join(args(0), ", ") + ")"
}

// isWord tells whether an operator is written as a word or stands before parentheses.
func isWord(text string) bool { return text == "?" || text[0] >= 'a' && text[0] <= 'z' }

// sentences say in words what each kind of event means.
var sentences = [node.NumEventKinds]func(g *node.Graph, e node.Event) string{
	node.Created: createdSentence,
	node.Typed: func(_ *node.Graph, e node.Event) string {
		return fmt.Sprintf("More is known about %s = %s now: its type is %v.", name(e.Node), formula(e.Node), e.Node.Type)
	},
	node.Rewrote:    rewroteSentence,
	node.Merged:     mergedSentence,
	node.Duplicated: duplicatedSentence,
	node.Killed: func(_ *node.Graph, e node.Event) string {
		return fmt.Sprintf("Nothing uses %s any more, so it is freed.", name(e.Node))
	},
	node.Placed: func(_ *node.Graph, e node.Event) string {
		return fmt.Sprintf("%s = %s gets a block: %s.", name(e.Node), formula(e.Node), e.Note)
	},
	node.Parsed: func(g *node.Graph, e node.Event) string {
		return fmt.Sprintf("A statement has been read: %s Now %s.", quote(g, e), bindings(g, e.Node))
	},
	node.Shown: func(g *node.Graph, e node.Event) string {
		return fmt.Sprintf("The program asks for a picture. Here %s.", bindings(g, e.Node))
	},
}

// Sentence says in words what an event means.
func Sentence(g *node.Graph, e node.Event) string { return sentences[e.Kind](g, e) }

// captionColumns is how wide the text above a picture is.
const captionColumns = 72

// Caption is what stands above the picture of step k, in lines.
func Caption(k int, g *node.Graph, e node.Event) string {
	var b strings.Builder
	column := 0
	for _, word := range strings.Fields(fmt.Sprintf("step %d, %s: %v. %s", k, e.Pass, e.Kind, Sentence(g, e))) {
		switch {
		case column == 0:
		case column+1+len(word) > captionColumns:
			b.WriteByte('\n')
			column = 0
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += len(word)
	}
	return b.String()
}

func createdSentence(_ *node.Graph, e node.Event) string {
	n := e.Node
	switch {
	case n.Op == node.OpConstant:
		return fmt.Sprintf("The constant %v is made.", n.Type)
	case n.Op == node.OpXCtrl:
		return "The mark of control that gets nowhere is made."
	case isProjection(n):
		return fmt.Sprintf("%s is made: a projection, which takes %s out of what %s gives.", name(n), n.Label(), name(n.In(0)))
	case n.IsCFG():
		return fmt.Sprintf("%s is made: %s.", name(n), formula(n))
	}
	return fmt.Sprintf("%s is made: %s. Its type is %v.", name(n), formula(n), n.Type)
}

func rewroteSentence(_ *node.Graph, e node.Event) string {
	rule := "Rule " + e.Rule
	if e.Rule == constantRule {
		rule = "The value of " + name(e.Node) + " is known, so the rule " + e.Rule
	}
	if e.With == e.Node || e.With == nil {
		return fmt.Sprintf("%s changes %s in place: now it is %s.", rule, name(e.Node), formula(e.Node))
	}
	if e.With.Op == node.OpConstant || e.With.Op == node.OpProj {
		return fmt.Sprintf("%s applies to %s = %s: %s takes its place.", rule, name(e.Node), formula(e.Node), name(e.With))
	}
	return fmt.Sprintf("%s applies to %s = %s: %s = %s takes its place.", rule, name(e.Node), formula(e.Node), name(e.With), formula(e.With))
}

// constantRule is the engine's own rule, which no table has.
const constantRule = "constant"

// equation is what the rule of an event says, with its source; empty for other events.
func equation(e node.Event, rules map[string]*peephole.Rule) string {
	if e.Kind != node.Rewrote {
		return ""
	}
	if r := rules[e.Rule]; r != nil {
		return r.Equation()
	}
	if e.Rule == constantRule {
		return "x => c if the type of x is the constant c"
	}
	return ""
}

func mergedSentence(g *node.Graph, e node.Event) string {
	if !e.Node.Op.Is(node.Table) {
		return fmt.Sprintf("%s = %s computes the same as %s, which is there already: that one serves both.",
			name(e.Node), formula(e.Node), name(e.With))
	}
	that, into := scopeOf(g, e.Node), scopeOf(g, e.With)
	s := fmt.Sprintf("Two paths meet, the one at %s and the one at %s: a Region joins them, and the two scopes become one.",
		name(e.With.In(0)), name(e.Node.In(0)))
	if that == nil || into == nil {
		return s
	}
	differ := differences(g.Scopes, into, that)
	if differ == nil {
		return s + " No variable differs between them."
	}
	return s + " These differ, and get a Phi if they still do in the end: " + some(differ, "; ") + "."
}

// differences lists the variables that have another value in one scope than in the other.
func differences(sc *node.Scopes, a, b *node.Scope) []string {
	va, vb, vars := sc.Bindings(a), sc.Bindings(b), sc.Vars(a)
	var differ []string
	for i := node.MemorySlot + 1; i < min(len(va), len(vb)); i++ {
		if va[i] != vb[i] {
			differ = append(differ, fmt.Sprintf("%s is %s or %s", vars[i].Sym.Name, name(va[i]), name(vb[i])))
		}
	}
	return differ
}

// purposes say what a scope is copied for, by its label.
var purposes = map[string]string{
	"else":     "the other side of the if starts from the copy",
	"head":     "the copy keeps what holds at the head of the loop",
	"exit":     "the copy goes on behind the loop",
	"continue": "the copy goes on at the end of the loop's body",
}

func duplicatedSentence(g *node.Graph, e node.Event) string {
	s := fmt.Sprintf("The scope at %s is copied, with the same names and values", name(e.Node.In(0)))
	if sc := scopeOf(g, e.With); sc != nil && purposes[sc.Label] != "" {
		return s + ": " + purposes[sc.Label] + "."
	}
	return s + "."
}

// scopeOf is the scope whose node is n.
func scopeOf(g *node.Graph, n *node.Node) *node.Scope {
	if g.Scopes == nil {
		return nil
	}
	for _, sc := range g.Scopes.Live() {
		if sc.Node == n {
			return sc
		}
	}
	return nil
}

// bindings says where the scope with node n is and what its innermost names stand for.
func bindings(g *node.Graph, n *node.Node) string {
	s := "control is at " + name(n.In(0))
	if isControl(n.In(0)) && !n.In(0).IsCFG() || n.In(0).Op == node.OpXCtrl {
		s = "control does not get here"
	}
	sc := scopeOf(g, n)
	if sc == nil {
		return s
	}
	vars, values := g.Scopes.Vars(sc), g.Scopes.Bindings(sc)
	var list []string
	for i := len(vars) - 1; i > node.MemorySlot; i-- {
		list = append(list, vars[i].Sym.Name+" = "+name(values[i]))
	}
	if list != nil {
		s += ", and " + some(list, ", ")
	}
	return s
}

// some joins the first of a list and counts the rest.
func some(list []string, sep string) string {
	if len(list) <= listed {
		return strings.Join(list, sep)
	}
	return fmt.Sprintf("%s%sand %d more", strings.Join(list[:listed], sep), sep, len(list)-listed)
}

// quoted is how many bytes of a statement a sentence repeats at most.
const quoted = 60

// quote is what stands in the source, on one line, where a statement begins.
func quote(g *node.Graph, e node.Event) string {
	if !e.At.Known() {
		return ""
	}
	text := g.File.Text[min(e.At.Offset(), len(g.File.Text)):]
	more := ""
	if len(text) > quoted {
		text, more = text[:quoted], "…"
	}
	if i := bytes.IndexByte(text, '\n'); i >= 0 {
		text, more = text[:i], ""
	}
	return "`" + strings.ToValidUTF8(strings.TrimSpace(string(text)), "?") + more + "`."
}
