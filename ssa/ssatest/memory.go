package ssatest

import (
	"shoal/node"
	"shoal/node/types"
	"shoal/ssa"
)

// places are the fields of the objects that functions with memory have, and elements of
// their arrays, which begin with a length: storage and offset.
var places = []struct {
	s      types.Storage
	offset int64
}{
	{types.I64, 8}, {types.F64, 16}, {types.I32, 24}, {types.U32, 28}, {types.F32, 32},
	{types.U16, 36}, {types.I16, 38}, {types.U8, 40}, {types.I8, 41},
}

// objectBytes is the size that places need.
const objectBytes = 42

// objects allocates a struct and an array in the entry block.
func (g *generator) objects() {
	if !g.o.Memory {
		return
	}
	const scale = 3
	length := g.f.Add(ssa.Value{Kind: ssa.Const, Block: -1, Aux: (objectBytes + 7) >> scale})
	g.refs = []ssa.ValueID{
		g.emit(0, ssa.Value{Op: node.OpNew, Aux: objectBytes}),
		g.emit(0, ssa.Value{Op: node.OpNew, Aux: scale, NArgs: 1, Args: [3]ssa.ValueID{length}}),
	}
}

// access appends a load or a store to block b; now and then in an object that it makes.
func (g *generator) access(b int32) ssa.ValueID {
	ref := g.refs[g.rng.IntN(len(g.refs))]
	if g.chance(6) {
		ref = g.emit(b, ssa.Value{Op: node.OpNew, Aux: objectBytes})
	}
	p := places[g.rng.IntN(len(places))]
	if p.s.IsFloat() && !g.o.Floats {
		p = places[0]
	}
	offset := g.f.Add(ssa.Value{Kind: ssa.Const, Block: -1, Aux: p.offset})
	v := ssa.Value{Op: node.OpLoad, Aux: int64(p.s), NArgs: 2, Args: [3]ssa.ValueID{ref, offset}}
	if g.chance(2) {
		v.Op, v.NArgs = node.OpStore, 3
		v.Args[2] = g.operand(b, v.OperandClass(2))
	}
	return g.emit(b, v)
}
