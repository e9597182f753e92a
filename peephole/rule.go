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
	Doc   string // the equation, then its source: "x * 1 = x (optimizations MUL2)"
	From  *Pat
	To    *Pat
	// If is an extra condition; nil means always. It must be a function of what Match
	// offers, so that the prover can ask it too.
	If func(m *Match) bool
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
	// Range is what is known of the variables: the type of the node, or the interval that
	// the prover is trying.
	Range [MaxVars]types.Type
	Root  *node.Node // nil in the prover
	bound uint8      // which variables stand for something, by bit
}

// Const is the value of a constant variable.
func (m *Match) Const(p *Pat) int64 { return m.Value[p.Var] }
