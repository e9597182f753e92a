package ssa

// Pruned counts what Prune found.
type Pruned struct {
	Params  int // parameters before
	Dead    int // of these, dead ones
	Trivial int // of the others, trivial ones
}

// maxPruneLevels bounds how often the inside of a component is looked at again: each level
// costs time linear in what is left. Nested loops need about one level each.
const maxPruneLevels = 32

// Prune removes parameters that a valid function in block-argument form does not need,
// together with their arguments.
//
// A parameter is dead unless an instruction, cbr or ret uses it or it is passed to a
// parameter that is not dead. (Choi, Cytron and Ferrante, "Automatic Construction of
// Sparse Data Flow Evaluation Graphs", POPL 1991.)
//
// Parameters that pass each other around and otherwise receive one value v are v: we look
// at the strongly connected components of the parameters, operands first. If a component
// receives several values from outside, its parameters that receive none of these directly
// are looked at again by themselves. (Braun et al., "Simple and Efficient Construction of
// Static Single Assignment Form", CC 2013, section 3.2, with a stack for the recursion.)
func (f *Func) Prune() Pruned {
	if f.Form != FormArgs {
		panic("ssa.Prune: " + f.Name + " is in form " + f.Form.String())
	}
	f.LinkPreds()
	p := newPruner(f)
	stats := Pruned{Params: len(p.params)}
	p.markLive()
	for k := range p.params {
		if !p.live[k] {
			stats.Dead++
		}
	}
	p.drop(func(k int32) bool { return !p.live[k] })

	p = newPruner(f)
	p.substitute()
	p.rewrite()
	for k, v := range p.params {
		if p.is[k] != v {
			stats.Trivial++
		}
	}
	p.drop(func(k int32) bool { return p.is[k] != p.params[k] })
	return stats
}

// A pruner numbers the parameters of all blocks from 0.
type pruner struct {
	f      *Func
	params []ValueID
	number []int32   // by ValueID: the number of a parameter, -1 of anything else
	first  []int32   // by block: the number of its first parameter
	live   []bool    // by number
	is     []ValueID // by number: the value that the parameter was found to be, or itself

	// Of substitute: the arguments of parameter k are args[start[k]:start[k+1]].
	args  []ValueID
	start []int32
	// Tarjan's algorithm on the parameters of one group; at is reset by group.
	group, low, index []int32
	onStack           []bool
	path              []int32
	calls             []call
}

// A call is a vertex on the way of the depth-first search and its next argument.
type call struct{ k, arg int32 }

func newPruner(f *Func) *pruner {
	p := &pruner{f: f, number: make([]int32, len(f.Values)), first: make([]int32, len(f.Blocks)+1)}
	for v := range p.number {
		p.number[v] = -1
	}
	for i := range f.Blocks {
		p.first[i] = int32(len(p.params))
		for _, v := range f.Blocks[i].Params {
			p.number[v] = int32(len(p.params))
			p.params = append(p.params, v)
		}
	}
	p.first[len(f.Blocks)] = int32(len(p.params))
	p.live = make([]bool, len(p.params))
	return p
}

// markLive marks what instructions and terminators use, and what is passed to it.
func (p *pruner) markLive() {
	var work []int32
	mark := func(v ValueID) {
		if k := p.number[v]; k >= 0 && !p.live[k] {
			p.live[k] = true
			work = append(work, k)
		}
	}
	for i := range p.f.Blocks {
		b := &p.f.Blocks[i]
		for _, id := range b.Body {
			for _, a := range p.f.Values[id].Operands() {
				mark(a)
			}
		}
		for _, a := range b.Term.Operands() {
			mark(a)
		}
	}
	for len(work) > 0 {
		k := work[len(work)-1]
		work = work[:len(work)-1]
		b := p.f.Values[p.params[k]].Block
		for _, e := range p.f.Blocks[b].Preds {
			mark(p.f.Blocks[e.Block].Term.Succs[e.Succ].Args[k-p.first[b]])
		}
	}
}

// drop removes the parameters that gone tells of, and their arguments. All of a block go
// at once, or removing them would be quadratic.
func (p *pruner) drop(gone func(k int32) bool) {
	var slab []ValueID
	for i := range p.f.Blocks {
		term := &p.f.Blocks[i].Term
		for s := range term.Targets() {
			t := &term.Succs[s]
			start := len(slab)
			for j, a := range t.Args {
				if !gone(p.first[t.Block] + int32(j)) {
					slab = append(slab, a)
				}
			}
			t.Args = slab[start:len(slab):len(slab)]
		}
	}
	for i := range p.f.Blocks {
		b := &p.f.Blocks[i]
		kept := b.Params[:0]
		for j, v := range b.Params {
			if gone(p.first[i] + int32(j)) {
				p.f.Values[v] = Value{}
			} else {
				kept = append(kept, v)
			}
		}
		b.Params = kept
	}
}
