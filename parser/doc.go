// Package parser reads Simple and builds the graph while it reads.
//
// Needs: source text. Gives: one graph per function, every node of it made through
// peephole.Engine, or diagnostics. Breaks: nothing.
//
// There is no syntax tree. The state of the parse is a node.Scope: control, memory and the
// value of each variable; it is duplicated where control splits and merged where it joins.
// Which words and forms there are depends on the chapter: each production asks need for
// its row in the table of features.
//
// Start reading at Parse, then statement in statements.go.
package parser
