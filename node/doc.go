// Package node is the graph: a sea of nodes, in which values float and only control and
// effects have their place.
//
// Needs: package types. Gives: the table of ops (ops.go) with the meaning of each pure one,
// Graph with nodes and edges (graph.go), the table of equal values (valuetable.go), the
// Scopes of the parser (scope.go), events (event.go), the verifier (verify.go) and the
// prints (print.go, table.go). Breaks: nothing; an edge changes on both of its ends at once.
//
// C. Click and M. Paleczny, "A Simple Graph-Based Intermediate Representation", IR 1995.
//
// Start reading at Node, then Graph; Ops says what there is.
package node
