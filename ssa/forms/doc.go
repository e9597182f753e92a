// Package forms has the two other ways to write the merges of linear SSA, phi nodes and
// Upsilon/Phi, each with its rules and its interpreter, and the exact conversions between
// all three.
//
// Needs: functions of package ssa. Gives: the same functions in another form. Breaks:
// nothing; every conversion works on a copy.
//
// All forms share ssa.Func, its text and its rules S1, S2 and S4. They differ in where a
// merge lives.
//
// # Block arguments
//
// The branch has the values, the head of the target has the names; see package ssa.
//
// # Phi nodes
//
// The target has both, keyed by predecessor: x = phi [a, P], [b, Q]. All phis of a block
// read, then all write, on the edge. Cytron et al., "Efficiently Computing Static Single
// Assignment Form and the Control Dependence Graph", TOPLAS 1991.
//
//	P1  the phis of a block come first in it
//	P2  a phi has one operand for each predecessor block, and no other
//	P3  the definition of an operand dominates the end of its predecessor
//
// Two edges from one block to another count as one predecessor, so they cannot pass
// different values: converting to this form splits one of them.
//
// # Upsilon and Phi
//
// Every Phi x has a shadow variable ^x. "upsilon a, ^x" is an ordinary instruction that
// writes it, "x = phi" one that reads it. Blocks know nothing of merges. F. Pizlo, in
// WebKit's B3.
//
//	U1  every name has one definition (this is S1)
//	U2  a shadow variable is read by its own Phi alone, and only a Phi has one
//	U3  every path from the entry to a Phi passes an Upsilon for it after the last
//	    execution of that Phi
//
// Start reading at Convert.
package forms
