package ssa

import (
	"shoal/internal/heap"
	"shoal/node"
	"shoal/node/types"
	"shoal/source"
)

// OnMemory runs one load, store or allocation: an instruction with op and aux as in a
// Value and the operands args, of which there are n. ok is false if memory is full. All
// interpreters of linear code call it.
func OnMemory(h *heap.Heap, op node.Op, aux int64, n uint8, args [3]int64) (result int64, ok bool) {
	s := types.Storage(aux)
	switch {
	case op == node.OpLoad:
		return h.Load(s, args[0]+args[1]), true
	case op == node.OpStore:
		h.Store(s, args[0]+args[1], args[2])
		return 0, true
	case n > 0:
		return h.Array(int(aux), args[0])
	}
	return h.Object(aux)
}

// FaultAt is the error of a run that a fault ends at pos.
func (f *Func) FaultAt(pos source.Pos, fault node.Fault, numbers ...int64) error {
	e := &node.FaultError{File: f.File, Pos: pos, Fault: fault}
	copy(e.Numbers[:], numbers)
	return e
}
