// Package dump draws: pictures of graphs for Graphviz, and walkthroughs that show how a
// graph comes to be, event by event.
//
// Needs: a graph at any moment, also in the middle of the parse; a schedule if there is
// one. Gives: Draw, text for dot; Walker, frames with sentences and pictures, as plain
// text, Markdown or one page of HTML. Breaks: nothing; the graph is only read.
//
// The look of the pictures follows sections N.7 of the chapters: arrows point from user to
// definition, control is yellow boxes and bold red edges, a tail label says which input
// an edge is. Where a chapter changes the look, a constant in conventions.go says from
// when. Nothing below imports this package: passes emit events and know of no pictures.
//
// Output is a function of the graph alone, byte for byte, and takes time near-linear in
// what is drawn. What could be more than a reader wants is limited, with a note of what is
// left out: scopes in conventions.go, steps and rows of a walkthrough in walk.go.
//
// Start reading at Draw, then Walker.
package dump
