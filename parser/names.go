package parser

import (
	"maps"
	"slices"

	"shoal/node"
	"shoal/node/types"
)

// define adds a variable to the innermost block.
func (p *parser) define(sym *node.Symbol, value *node.Node) {
	p.g.Hold(value) // what another path has in this slot may be all that uses it
	slot := p.scopes.Define(p.scope, sym, value)
	p.g.Release(value)
	p.names[sym.Name] = append(p.names[sym.Name], slot)
	p.decls = append(p.decls, decl{})
}

// isUnset tells whether the value n of a name that was declared without one is none yet on
// some live way to this place. In a loop that is being read that is the way into it.
func (p *parser) isUnset(n *node.Node) bool {
	todo, seen := []*node.Node{n}, map[*node.Node]bool{}
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if n.Type == types.Bot && n.Op == node.OpConstant {
			return true
		}
		if n.Op != node.OpPhi || seen[n] {
			continue
		}
		seen[n] = true
		for i := 1; i < n.NumIn(); i++ {
			if in := n.In(i); in != nil && n.In(0).IsRegion() && (n.InProgress() || n.In(0).In(i).Type != types.XCtrl) {
				todo = append(todo, in)
			}
		}
	}
	return false
}

// push opens a block, pop closes it.
func (p *parser) push() { p.scopes.Push() }

func (p *parser) pop() {
	vars := p.scopes.AllVars()
	for _, v := range vars[p.scopes.SlotsBelow(p.scopes.Level()):] {
		slots := p.names[v.Sym.Name]
		p.names[v.Sym.Name] = slots[:len(slots)-1]
	}
	p.scopes.Pop(p.scope)
	p.decls = p.decls[:p.scopes.Count()]
}

// blame tells whether something was reported before, and remembers that it is now.
func (p *parser) blame(what string) bool {
	before := p.blamed[what]
	p.blamed[what] = true
	return before
}

// similar is a hint about a name that is not defined: one that is, and differs little.
func (p *parser) similar(name string) string {
	var names []string
	for _, v := range p.scopes.AllVars() {
		if v.Sym.Name[0] != '$' {
			names = append(names, v.Sym.Name)
		}
	}
	if best := closest(name, names); best != "" {
		return didYouMean(best)
	}
	return p.similarWord(name)
}

// similarWord is a hint about a name where a statement of another kind may be meant.
func (p *parser) similarWord(name string) string {
	var words []string
	for _, word := range slices.Sorted(maps.Keys(keywords)) {
		if len(word) > 3 && p.reserved(word) {
			words = append(words, word)
		}
	}
	return didYouMean(closest(name, words))
}

func didYouMean(name string) string {
	if name == "" {
		return ""
	}
	return "did you mean '" + name + "'?"
}

// closest is the first of the names with the fewest differences, if these are few.
func closest(name string, names []string) (best string) {
	distance := 1 + len(name)/3
	for _, n := range names {
		if d := editDistance(name, n, distance); d <= distance && (d < distance || best == "") {
			best, distance = n, d
		}
	}
	return best
}

// editDistance is the least number of insertions, deletions and exchanges of bytes that
// make b of a, or a number above limit.
func editDistance(a, b string, limit int) int {
	if len(a)-len(b) > limit || len(b)-len(a) > limit {
		return limit + 1
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
