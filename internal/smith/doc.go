// Package smith makes random programs of the language Simple and knows what they give,
// so that the compiler can be judged by someone who shares no code with it.
//
// Needs: nothing of the compiler. Gives: Programs, small trees with an evaluator of their
// own, a printer of Simple and a printer of C; a reducer that makes a failing program
// small; a reader of Simple; Spoil, which makes mistakes in texts. Breaks: nothing.
//
// A generated program always ends: each loop has a counter that nothing else may change,
// hidden among the other variables and spent in varied ways. Loops that do not end stand
// where control never comes. Every program uses its own random mix of features, so that
// rare combinations get their chance: A. Groce et al., "Swarm Testing", ISSTA 2012. The
// reducer is delta debugging over the tree: A. Zeller and R. Hildebrandt, "Simplifying and
// Isolating Failure-Inducing Input", IEEE TSE 28(2), 2002.
//
// Start reading at Program, then Generate.
package smith
