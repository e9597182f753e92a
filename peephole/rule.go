package peephole

import (
	"shoal/node"
	"shoal/node/types"
)

// A Rule rewrites one shape of graph into a better one with the same value.
type Rule struct {
	Name  string // kebab case, unique: "mul-pow2"
	Since int    // first chapter that uses it
	Until int    // last chapter that uses it; 0 if no later rule replaces it
	Doc   string // the source: "optimizations MUL2"; for rules with Do "equation (source)"
	From  *Pat
	To    *Pat
	// If is a condition: the rule applies if its value is surely not 0, judging by the
	// constants and by the ranges and known bits of the other variables.
	If *Pat
	// Do replaces From, If and To for rules over Phi, Region, memory and calls that no
	// pattern can say. It returns the replacement, or n itself if it changed the inputs
	// of n, or nil. Such a rule needs Example: a before and an after that a test runs.
	Do      func(e *Engine, n *node.Node) *node.Node
	On      []node.Op // the ops that Do is tried on
	Example string
}

// A Match is what the variables of a pattern stand for. In the graph Node has the nodes
// and W is 64; in the prover there are only values, at a small width too.
type Match struct {
	W     types.Width
	Node  [MaxVars]*node.Node
	Value [MaxVars]int64 // of the constant variables
	bound uint8          // which variables stand for something, by bit
	e     *Engine        // nil in the prover
	facts *[MaxVars]fact // what the prover assumes of the variables
}

// know is what is known of a variable that stands for any node.
func (m *Match) know(v int8) fact {
	if m.e == nil {
		return m.facts[v]
	}
	return m.e.knowsInt(m.Node[v])
}
