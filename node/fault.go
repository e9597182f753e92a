package node

// A Fault is a way in which a running program ends by itself (semantics §10). It is the
// Aux of a Fault node, whose inputs from 2 on are its numbers.
type Fault uint8

// The faults.
const (
	FaultIndex  Fault = iota // an index outside of its array: index, length
	FaultLength              // an array of negative length: length
	FaultMemory              // no memory is left
	FaultStack               // the stack is full
	NumFaults
)

// Faults has a row for each fault: its name in listings, its text, in which each % stands
// for the next number, and how many numbers there are.
var Faults = [NumFaults]struct {
	Name, Text string
	Numbers    int
}{
	FaultIndex:  {"index", "index % is outside array of length %", 2},
	FaultLength: {"length", "array length % is negative", 1},
	FaultMemory: {"memory", "out of memory", 0},
	FaultStack:  {"stack", "stack overflow", 0},
}

func (f Fault) String() string { return Faults[f].Name }
