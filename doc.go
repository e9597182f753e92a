// Package shoal compiles the language Simple to native code through a sea of nodes.
//
// This page is the map. A program goes through these packages in order:
//
//	source          text, positions, diagnostics
//	parser          builds the graph while it reads; no syntax tree
//	node            the graph: ops, nodes, edges, scopes; node/types the lattice
//	peephole        rules that replace a graph by a better one
//	gcm             where each node runs: blocks, loops, code motion
//	ssa             linear SSA with block arguments; ssa/forms its other shapes,
//	                ssa/destruct the way out of it
//	codegen         selection, allocation and encoding: mach, amd64, regalloc, elf, exec
//	dump            pictures, tables, walkthroughs
//
// Pipeline in compile.go is the list of passes; Compile runs them. The chapters of the
// language are in folder chapters, each with its lesson and its tests; the command is
// cmd/shoal. To see what happens to a program run
//
//	shoal walk FILE
//
// # Where is ...?
//
//   - an op and what it means: node/ops.go, and the table in node/OPS.md
//   - a rule: peephole/rules_*.go, and the table in peephole/RULES.md
//   - what a chapter brings: parser/features.go
//   - a message: parser/diagnostics.go
//   - a machine instruction: codegen/amd64/forms.go
//   - how memory is laid out and how results print: node/types/object.go, internal/heap
//
// Start reading at Pipeline.
package shoal
