package node

import (
	"fmt"
	"strconv"
	"strings"

	"shoal/source"
)

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

// FaultNamed finds a fault by the name that String gives it.
func FaultNamed(name string) (Fault, bool) {
	for f := range NumFaults {
		if Faults[f].Name == name {
			return f, true
		}
	}
	return 0, false
}

// Text is the text of the fault with its numbers, of which there may be more than it has.
func (f Fault) Text(numbers ...int64) string {
	text := Faults[f].Text
	for _, n := range numbers[:Faults[f].Numbers] {
		text = strings.Replace(text, "%", strconv.FormatInt(n, 10), 1)
	}
	return text
}

// A FaultError is a fault that happened: the error of an interpreter's run.
type FaultError struct {
	File    *source.File // nil for a program that was not read from a text
	Pos     source.Pos
	Fault   Fault
	Numbers [2]int64
}

// Error is the line that the program writes when it ends: "FILE:LINE:COLUMN: fault: TEXT".
func (e *FaultError) Error() string {
	text := "fault: " + e.Fault.Text(e.Numbers[:]...)
	if e.File == nil || !e.Pos.Known() {
		return text
	}
	line, column := e.File.Line(e.Pos)
	return fmt.Sprintf("%s:%d:%d: %s", e.File.Name, line, column, text)
}

// FaultAt is the error of a run that n ends: a Fault with its numbers, or a New for which
// there is no memory.
func (g *Graph) FaultAt(n *Node, numbers ...int64) error {
	e := &FaultError{File: g.File, Pos: n.Pos, Fault: FaultMemory}
	if n.Op == OpFault {
		e.Fault = Fault(n.Aux)
	}
	copy(e.Numbers[:], numbers)
	return e
}
