// Package peephole decides when one graph may replace another.
//
// Needs: a graph whose new nodes are all made by Engine.Make. Gives: the same program in
// fewer and cheaper nodes, and the types of all nodes. Breaks: nothing; the graph is
// valid between any two steps.
//
// Every node is looked at when it is made and, from chapter 9 on, again whenever something
// near it changes: its type is computed, an equal node is looked for, and the rules are
// tried. Rules are data, with equation, source and a proof by test. C. Click, "From Quads
// to Graphs", 1993; C. Click and M. Paleczny, "A Simple Graph-Based Intermediate
// Representation", IR 1995.
//
// At chapter 24 two passes over whole functions follow: Objects takes memory out of the
// program where values do, Bounds decides tests by proofs from the tests above them and from
// the ways of loop variables. What they find out they hand to the rules.
//
// Start reading at Engine, then Rule; the rules are in the files rules_*.go.
package peephole
