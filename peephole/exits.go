package peephole

import (
	"shoal/node"
	"shoal/node/types"
	"shoal/source"
)

// Exits gives each endless loop a way to Stop that is never taken, so that every point of
// control lies on a path to Stop: a Never at its back edge, whose other side returns 0
// (rulings §5, chapters §11.6). Below chapter 11 it does nothing.
//
// Loops are taken in the order in which control meets them, so an outer endless loop's
// exit serves the loops inside that lead back to it. Every node is marked once: O(control).
func (e *Engine) Exits() {
	if !e.is.endlessExits || e.o.Off {
		return
	}
	p := exits{e: e, escapes: make([]bool, e.g.NumIDs())}
	for i := range e.g.Stop.NumIn() {
		p.mark(e.g.Stop.In(i))
	}
	for _, loop := range p.loops() {
		if !p.escapes[loop.ID] && !loop.InProgress() {
			p.addExit(loop)
			p.mark(loop)
		}
	}
}

type exits struct {
	e       *Engine
	escapes []bool // by ID: control that leads to Stop
	todo    []*node.Node
}

// mark marks all control that leads to n.
func (p *exits) mark(n *node.Node) {
	p.todo = append(p.todo, n)
	for len(p.todo) > 0 {
		n := p.todo[len(p.todo)-1]
		p.todo = p.todo[:len(p.todo)-1]
		if p.escapes[n.ID] {
			continue
		}
		p.escapes[n.ID] = true
		if !n.IsRegion() {
			if n.NumIn() > 0 {
				p.todo = append(p.todo, n.In(0))
			}
			continue
		}
		for i := 1; i < n.NumIn(); i++ {
			if n.In(i) != nil {
				p.todo = append(p.todo, n.In(i))
			}
		}
	}
}

// loops are the loops that Start leads to, outer before inner.
func (p *exits) loops() []*node.Node {
	var found []*node.Node
	seen := make([]bool, p.e.g.NumIDs())
	todo := []*node.Node{p.e.g.Start}
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[n.ID] || n.Type == types.XCtrl {
			continue
		}
		seen[n.ID] = true
		if n.Op == node.OpLoop {
			found = append(found, n)
		}
		for _, u := range n.Uses() {
			if u.User.IsCFG() && (u.Index == 0 || u.User.IsRegion()) {
				todo = append(todo, u.User)
			}
		}
	}
	return found
}

// addExit puts a Never into the back edge of a loop.
func (p *exits) addExit(loop *node.Node) {
	e, g := p.e, p.e.g
	never := g.New(node.OpNever, loop.Pos, loop.In(2))
	never.Type = types.IfBoth
	back := e.newProj(never, 0)
	out := e.newProj(never, 1)
	g.SetIn(loop, 2, back)
	ret := g.New(node.OpReturn, loop.Pos, out, e.memory(), e.Int(0, loop.Pos))
	ret.Type = e.compute(ret).t
	g.AddIn(g.Stop, ret)
	for len(p.escapes) < g.NumIDs() {
		p.escapes = append(p.escapes, false)
	}
}

func (e *Engine) newProj(multi *node.Node, i int64) *node.Node {
	n := e.g.Prepare(node.OpCProj, multi.Pos, multi)
	n.Aux, n.Sym, n.Type = i, projNames[i], types.Ctrl
	e.g.Emit(node.Event{Kind: node.Created, Node: n})
	return n
}

// memory is the state of memory at the start of the function.
func (e *Engine) memory() *node.Node {
	for _, u := range e.g.Start.Uses() {
		if u.User.Op == node.OpProj && u.User.Aux == memoryIndex {
			return u.User
		}
	}
	return e.MakeAux(node.OpProj, source.NoPos, memoryIndex, &node.Symbol{Name: "$mem", Declared: types.Mem}, e.g.Start)
}

// memoryIndex is the place of memory in the tuple of Start.
const memoryIndex = 1

// sweep kills the values that only each other use: the Phis of a variable that a loop
// carries around and nobody reads (optimizations PHI14). It reports whether there were any.
func (e *Engine) sweep() bool {
	live := make([]bool, e.g.NumIDs())
	var todo []*node.Node
	for id := 1; id < e.g.NumIDs(); id++ {
		if n := e.g.At(node.ID(id)); !n.Dead() && (n.IsCFG() || n.Keeps() || n.Op == node.OpScope) {
			live[id] = true
			todo = append(todo, n)
		}
	}
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for i := range n.NumIn() {
			if d := n.In(i); d != nil && !live[d.ID] {
				live[d.ID] = true
				todo = append(todo, d)
			}
		}
	}
	swept := false
	for id := 1; id < len(live); id++ {
		n := e.g.At(node.ID(id))
		if n.Dead() || live[id] || n.Op != node.OpPhi {
			continue
		}
		swept = true
		e.g.Hold(n) // taking its inputs may take its uses
		for i := range n.NumIn() {
			e.g.SetIn(n, i, nil)
		}
		e.g.Drop(n)
	}
	return swept
}
