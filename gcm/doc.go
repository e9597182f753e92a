// Package gcm places the floating nodes of a graph into basic blocks.
//
// Needs: a verified graph. Gives: a Schedule. Breaks: nothing; the graph is only read.
//
// Each node has an earliest block, under its deepest input, and a latest one, above all
// its uses; any block between them on the dominator tree is correct. We take the latest,
// or one before a loop around it if that is worth a register.
// C. Click, "Global Code Motion / Global Value Numbering", PLDI 1995, section 2.
//
// Loads and Stores float as well; memory.go says how they stay in order. Objects are made
// where the program makes them, and what a test has shown holds where it was made: New and
// Cast are pinned.
//
// Control that Start does not reach, and what Phis would get from there, is ignored
// (rulings §9).
//
// Start reading at Run.
package gcm
