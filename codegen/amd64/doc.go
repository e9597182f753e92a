// Package amd64 is one machine: x86-64 with the System V calling convention. It turns
// linear SSA into machine instructions, prints them, and makes bytes of them.
//
// Needs: a valid ssa.Func in block-argument form for Select; allocated registers for
// Frame; what Frame gives for Encode. Gives: a mach.Func, then mach.Code. Breaks: Frame
// edits the function in place; the others only read.
//
// The machine is described by two tables. forms has one row for each form of an
// instruction, with its encoding and its constraints on registers; encoder, printer and
// the tests work from it. tiles has one row for each op, with the function that covers it.
//
// Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volumes 1 and 2;
// System V Application Binary Interface, AMD64 supplement. The baseline is x86-64-v1.
//
// Integers and references live in general registers, floats in the low halves of vector
// registers. Loads are folded into their users and arithmetic into addresses; objects are
// cut from the heap inline (allocate.go), and the heap itself is in stubs_heap.go.
//
// Start reading at forms, then Target.Select and tiles, then Target.Frame and
// Target.Encode. The files stubs*.go are the run-time, written with the same instructions.
package amd64
