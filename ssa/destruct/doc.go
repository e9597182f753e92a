// Package destruct leaves SSA form: it turns block parameters into variables that are
// assigned several times, and edges that pass arguments into edges and copies.
//
// Needs: a valid function in block-argument form. Gives: a Code with its text, verifier
// and interpreter, and the counts of what it cost. Breaks: nothing; the function is only
// read. Blocks that the entry does not reach are left out.
//
// There are three strategies:
//
//	naive      for an edge that passes a to the parameter p, p = a at the end of the
//	           branching block, in the order of the text. Wrong on purpose: it loses
//	           copies on critical edges, and it does not swap.
//	sreedhar1  every parameter p gets a variable p' of its own: p' = a at the end of
//	           each branching block, p = p' at the top of the block. Always right, most
//	           copies. V. Sreedhar et al., "Translating Out of Static Single Assignment
//	           Form", SAS 1999, method I.
//	boissinot  the same p', but copies p' = a belong to the edge, and variables share a
//	           name where they may: p with p' and p' with a, unless two of those that
//	           would share hold different values at one time. What is left are parallel
//	           copies; a critical edge gets a block only if it has one. B. Boissinot et
//	           al., "Revisiting Out-of-SSA Translation for Correctness, Code Quality, and
//	           Efficiency", CGO 2009.
//
// The back end does not come here: its allocator colours SSA form directly, and only the
// order of moves (package parcopy) is the same.
//
// Start reading at Run, then coalesce.go.
package destruct
