package node

import "shoal/source"

// An EventKind says what happened.
type EventKind uint8

// The kinds of events.
const (
	Created    EventKind = iota // Node was made
	Typed                       // the type of Node was computed and has changed
	Rewrote                     // Rule replaced Node by With, or changed its inputs if they are the same
	Merged                      // Node is equal to With, which existed already; or two scopes became one
	Killed                      // Node is about to be freed
	Duplicated                  // the scope Node was duplicated as With
	Placed                      // code motion put Node into a block, see Note
	Parsed                      // the parser finished a statement
	Shown                       // the program asked for a dump with #showGraph
	NumEventKinds
)

var eventKindNames = [NumEventKinds]string{"Created", "Typed", "Rewrote", "Merged", "Killed", "Duplicated", "Placed", "Parsed", "Shown"}

func (k EventKind) String() string { return eventKindNames[k] }

// An Event is one step of the compiler, for traces, lessons and the explorer. The graph
// is intact while the event is handled.
type Event struct {
	Kind EventKind
	Pass string     // the running pass
	Rule string     // for Rewrote, the name of the rule
	Node *Node      // the node acted on, still intact
	With *Node      // its replacement
	Note string     // short free text: "early L1, late L4"
	At   source.Pos // the place in the text, for Parsed and Shown; else that of Node says it
}

func (g *Graph) event(e Event) {
	if g.OnEvent != nil {
		e.Pass = g.Pass
		g.OnEvent(e)
	}
}

// Emit reports a step of a pass; it costs nothing when nobody listens, as long as the
// caller builds no Note before asking Listening.
func (g *Graph) Emit(e Event) { g.event(e) }

// Listening tells whether somebody wants events.
func (g *Graph) Listening() bool { return g.OnEvent != nil }
