package dump

import (
	"shoal/node"
	"shoal/node/types"
)

// The chapters from which on a picture looks different.
const (
	multiSince    = 4    // a Multi is a table with its projections; constants hang in the air
	stopSince     = 5    // there is a Stop; before, the one Return ends the picture
	neededSince   = 9    // a finished graph shows what it needs; scopes that are not reached are left out
	memorySince   = 10   // memory is drawn; the order of inputs is no longer forced
	typesSince    = 24   // the type stands in the box
	newestFirst   = 7    // of the scopes, the one that the parser is in comes first
	maxNesting    = 50   // how many clusters of scopes lie in one another; what is deeper stands side by side
	maxCells      = 1000 // names that the scopes of a picture have together at most
	maxSourceText = 1 << 16
	maxTypeText   = 20 // runes of a type in a box
)

// Edges is a set of kinds of edges.
type Edges uint8

// The kinds of edges.
const (
	Control Edges = 1 << iota // to a point of control
	Data                      // to a value
	Memory                    // to a state of memory

	AllEdges = Control | Data | Memory
)

// edgeNames are the kinds as the command line calls them.
var edgeNames = []struct {
	name string
	kind Edges
}{{"control", Control}, {"data", Data}, {"memory", Memory}}

// EdgesNamed is the kind of edges with the given name; 0 if there is none.
func EdgesNamed(name string) Edges {
	for _, e := range edgeNames {
		if e.name == name {
			return e.kind
		}
	}
	return 0
}

// edgeStyles have the attributes of each kind of edge.
var edgeStyles = map[Edges][]any{
	Control: {"color", "red", "style", "bold"},
	Data:    nil,
	Memory:  {"color", "blue"},
}

func kindOf(def *node.Node) Edges {
	switch {
	case isControl(def):
		return Control
	case isMemory(def):
		return Memory
	}
	return Data
}

func isControl(n *node.Node) bool { return n.IsCFG() || n.Type == types.XCtrl }

func isMemory(n *node.Node) bool { return n.Type.Kind == types.KindMem || n.Name() == "$mem" }

// Rows is how node tables look at a chapter.
func Rows(chapter int) node.Rows { return node.Rows{NoMemory: chapter < memorySince} }

// isDeadPath tells whether control is known never to come to n.
func isDeadPath(n *node.Node) bool { return n.IsCFG() && n.Type == types.XCtrl }

// isBackEdge tells whether input i of n comes from the end of a loop.
func isBackEdge(n *node.Node, i int) bool {
	loop := n
	if n.Op == node.OpPhi {
		loop = n.In(0)
	}
	return loop != nil && loop.Op == node.OpLoop && i == 2
}

// isProjection tells whether n is drawn as a part of its Multi.
func isProjection(n *node.Node) bool {
	return (n.Op == node.OpProj || n.Op == node.OpCProj) && n.In(0) != nil && n.In(0).Op.Is(node.Multi)
}

// box is the node as whose part n is drawn: its Multi, or itself.
func box(n *node.Node) *node.Node {
	if isProjection(n) {
		return n.In(0)
	}
	return n
}
