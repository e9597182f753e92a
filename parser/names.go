package parser

import (
	"shoal/node"
)

// define adds a variable to the innermost block.
func (p *parser) define(sym *node.Symbol, value *node.Node) {
	p.g.Hold(value) // what another path has in this slot may be all that uses it
	slot := p.scopes.Define(p.scope, sym, value)
	p.g.Release(value)
	p.names[sym.Name] = append(p.names[sym.Name], slot)
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
}

// blame tells whether something was reported before, and remembers that it is now.
func (p *parser) blame(what string) bool {
	before := p.blamed[what]
	p.blamed[what] = true
	return before
}

// similar is a hint about a name that is not defined: one that is, and differs little.
func (p *parser) similar(name string) string {
	best, distance := "", 1+len(name)/3
	for _, v := range p.scopes.AllVars() {
		if v.Sym.Name[0] == '$' {
			continue
		}
		if d := editDistance(name, v.Sym.Name, distance); d <= distance && (d < distance || best == "") {
			best, distance = v.Sym.Name, d
		}
	}
	if best == "" {
		return ""
	}
	return "did you mean '" + best + "'?"
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
