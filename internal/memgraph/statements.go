package memgraph

import (
	"shoal/node"
	"shoal/node/types"
)

// statements makes some statements at the given depth.
func (b *builder) statements(depth int) {
	for n := 1 + b.IntN(5); n > 0 && b.left > 0; n-- {
		b.left--
		switch k := b.IntN(14); {
		case k < 2 && depth < b.o.Depth:
			b.branches(depth)
		case k == 2 && depth < b.o.Depth:
			b.loop(depth)
		case k < 4:
			b.vars[b.IntN(ints)] = b.int()
		case k == 4:
			b.vars[firstFloat+b.IntN(floats)] = b.float()
		case k == 5:
			i := firstRef + b.IntN(numVars-firstRef)
			b.vars[i] = b.new(i)
		case k == 6:
			b.vars[firstRef+b.IntN(refs)] = b.vars[firstRef+b.IntN(refs)]
		case k == 7:
			b.follow()
		case k < 10:
			b.storeField()
		case k < 12:
			b.element(true)
		default:
			b.element(false)
		}
	}
	if depth == 0 && b.left > 0 {
		b.statements(depth)
	}
}

func (b *builder) branches(depth int) {
	yes, no := b.Branch(b.ctrl, b.predicate())
	before := b.snapshot()
	b.ctrl = yes
	b.statements(depth + 1)
	first, end := b.snapshot(), b.ctrl
	b.restore(before)
	b.ctrl = no
	if b.IntN(2) == 0 {
		b.statements(depth + 1)
	}
	b.ctrl = b.Make(node.OpRegion, types.Ctrl, nil, b.ctrl, end)
	b.join(b.ctrl, first)
}

// loop counts up to a small number.
func (b *builder) loop(depth int) {
	loop := b.Make(node.OpLoop, types.Ctrl, nil, b.ctrl, nil)
	counter := b.About(node.OpPhi, types.Int, varSymbol(numVars), loop, b.zero, nil)
	for i := range b.vars {
		b.vars[i] = b.About(node.OpPhi, b.types[i], varSymbol(i), loop, b.vars[i], nil)
	}
	for i := range b.mem {
		b.mem[i] = b.About(node.OpPhi, types.Mem, memSymbol(i), loop, b.mem[i], nil)
	}
	head := b.snapshot()
	b.ctrl = loop
	again, out := b.Branch(b.ctrl, b.Make(node.OpLT, types.Bool, nil, counter, b.Integer(1+b.Int64N(4))))
	b.ctrl = again
	b.statements(depth + 1)
	b.G.SetIn(loop, 2, b.ctrl)
	b.G.SetIn(counter, 2, b.Make(node.OpAdd, types.Int, nil, counter, b.Integer(1)))
	for i, phi := range head.vars {
		b.close(phi, b.vars[i], &head.vars[i])
	}
	for i, phi := range head.mem {
		b.close(phi, b.mem[i], &head.mem[i])
	}
	b.restore(head)
	b.ctrl = out
}

// close gives a Phi of a loop its value at the back edge. If nothing has changed it is no
// Phi after all, which matters: then Loads and Stores of the loop may leave it.
func (b *builder) close(phi, last *node.Node, head **node.Node) {
	if last != phi {
		b.G.SetIn(phi, 2, last)
		return
	}
	*head = phi.In(1)
	b.G.SetIn(phi, 2, phi)
	for phi.NumOut() > 1 { // all uses but its own
		for _, u := range phi.Uses() {
			if u.User != phi {
				b.G.SetIn(u.User, int(u.Index), *head)
				break
			}
		}
	}
}

// predicate is an integer that decides a branch.
func (b *builder) predicate() *node.Node {
	switch b.IntN(3) {
	case 0:
		return b.less(b.float())
	case 1:
		return b.Make(node.OpAnd, types.Bool, nil, b.int(), b.Integer(1))
	}
	return b.Make(node.OpLT, types.Bool, nil, b.int(), b.int())
}

// int is an integer: a constant, a variable, a field, an operation.
func (b *builder) int() *node.Node {
	switch b.IntN(7) {
	case 0:
		return b.Integer(b.Int64N(9) - 3)
	case 1, 2:
		return b.vars[b.IntN(ints)]
	case 3, 4:
		return b.load([]int{fieldA, fieldC, fieldD}[b.IntN(3)])
	}
	op := []node.Op{node.OpAdd, node.OpSub, node.OpMul, node.OpXor, node.OpDiv}[b.IntN(5)]
	return b.Make(op, types.Int, nil, b.vars[b.IntN(ints)], b.int())
}

func (b *builder) float() *node.Node {
	switch b.IntN(6) {
	case 0:
		return b.Const(types.ConstFloat(float64(b.IntN(9)) - 2.5))
	case 1:
		return b.vars[firstFloat+b.IntN(floats)]
	case 2, 3:
		return b.load(fieldB)
	case 4:
		return b.Make(node.OpToFloat, types.Flt, nil, b.int())
	}
	op := []node.Op{node.OpAddF, node.OpSubF, node.OpMulF, node.OpDivF}[b.IntN(4)]
	return b.Make(op, types.Flt, nil, b.vars[firstFloat+b.IntN(floats)], b.float())
}
