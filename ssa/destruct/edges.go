package destruct

import (
	"slices"

	"shoal/ssa"
	"shoal/ssa/parcopy"
)

// want adds dst = src to the parallel copy that flush will write. That a variable is
// wanted twice happens only with two sources of equal value: then one copy will do, and
// none if one of the sources is the variable itself.
func (t *translation) want(dst Var, src Atom) {
	from := parcopy.NoLoc
	if src >= 0 {
		from = parcopy.Loc(src)
	}
	t.copies = append(t.copies, parcopy.Copy{Dst: parcopy.Loc(dst), Src: from})
	t.atoms = append(t.atoms, src)
}

// flush writes the copies that are wanted, as if all happened at once.
func (t *translation) flush() {
	t.dropDoubles()
	if len(t.copies) > 0 {
		t.seq.Run(t.copies, t)
	}
	t.copies, t.atoms = t.copies[:0], t.atoms[:0]
}

// dropDoubles keeps one copy to each variable, the copy to itself if there is one.
func (t *translation) dropDoubles() {
	for len(t.wanted) < len(t.code.Vars) {
		t.wanted = append(t.wanted, make([]int8, len(t.code.Vars)-len(t.wanted))...)
	}
	for _, c := range t.copies {
		if t.wanted[c.Dst] = max(t.wanted[c.Dst], 1); c.Dst == c.Src {
			t.wanted[c.Dst] = 2
		}
	}
	kept := 0
	for i, c := range t.copies {
		if t.wanted[c.Dst] == 1 {
			t.copies[kept], t.atoms[kept] = c, t.atoms[i]
			kept++
		}
		t.wanted[c.Dst] = 0
	}
	t.copies, t.atoms = t.copies[:kept], t.atoms[:kept]
}

// Move writes one copy, for the sequencer.
func (t *translation) Move(dst, src parcopy.Loc, copy int) {
	from := Atom(src)
	if src == parcopy.NoLoc {
		from = t.atoms[copy]
	}
	t.assign(Var(dst), from)
}

// Temp is the temporary of all cycles, for the sequencer.
func (t *translation) Temp(parcopy.Loc) (parcopy.Loc, bool) {
	if t.temp < 0 {
		t.temp = Var(len(t.code.Vars))
		t.code.Vars = append(t.code.Vars, Variable{})
	}
	t.stats.Temps++
	return parcopy.Loc(t.temp), true
}

// Exchange is never used: there always is a temporary.
func (t *translation) Exchange(a, b parcopy.Loc) {
	panic("destruct: exchange although there is a temporary")
}

// assign writes dst = src.
func (t *translation) assign(dst Var, src Atom) {
	t.stats.Copies++
	t.out.Body = append(t.out.Body, Stmt{NArgs: 1, Dst: dst, Args: [3]Atom{src}})
}

// naiveEnd copies at the end of block b, for every edge, in the order of the text.
func (t *translation) naiveEnd(b int32) {
	for _, to := range t.f.Blocks[b].Term.Targets() {
		for i, p := range t.f.Blocks[to.Block].Params {
			if dst, src := t.varOf[p], t.atom(to.Args[i]); Atom(dst) != src {
				t.assign(dst, src)
			}
		}
	}
}

// isolatedEnd copies to the isolated variables of both successors at the end of block b:
// nobody else reads them, so that they may be written in vain. Only two edges to the same
// block that pass different arguments are in each other's way.
func (t *translation) isolatedEnd(b int32) {
	succs := t.f.Blocks[b].Term.Targets()
	for k := range succs {
		to := &succs[k]
		if k == 1 && to.Block == succs[0].Block {
			if !slices.Equal(to.Args, succs[0].Args) {
				t.split(b, k)
			}
			return
		}
		t.edge(to)
	}
}

// edgesEnd puts the copies of the edges of block b where nothing but the edge executes
// them: at the end of b if there is no other edge from it, at the top of the target if
// there is no other edge to it (top does that), else in a block of their own.
func (t *translation) edgesEnd(b int32) {
	succs := t.f.Blocks[b].Term.Targets()
	for k := range succs {
		switch to := &succs[k]; {
		case len(succs) == 1:
			t.edge(to)
		case t.preds[to.Block] == 1:
		case t.moves(to):
			t.split(b, k)
		}
	}
}

// topEdge is the edge whose copies stand at the top of block b, if there is one.
func (t *translation) topEdge(b int32) (e ssa.EdgeRef, ok bool) {
	if !t.onEdges || t.preds[b] != 1 {
		return e, false
	}
	for _, e := range t.f.Blocks[b].Preds {
		if t.dom.Reaches(e.Block) {
			return e, t.f.Blocks[e.Block].Term.Kind == ssa.Cbr
		}
	}
	panic("destruct: predecessors of " + t.f.BlockName(b) + " are not linked")
}

// edge writes the copies from the arguments of to to the isolated variables.
func (t *translation) edge(to *ssa.Target) {
	for i, a := range to.Args {
		t.want(t.varOf[t.isolated(to.Block, i)], t.atom(a))
	}
	t.flush()
}

// moves tells whether the edge needs any copy.
func (t *translation) moves(to *ssa.Target) bool {
	for i, a := range to.Args {
		if Atom(t.varOf[t.isolated(to.Block, i)]) != t.atom(a) {
			return true
		}
	}
	return false
}

// split gives the edge from block b to its successor k a block with its copies.
func (t *translation) split(b int32, k int) {
	to := &t.f.Blocks[b].Term.Succs[k]
	t.stats.SplitEdges++
	t.close()
	from, middle := t.index[b], int32(len(t.code.Blocks))
	t.code.Blocks = append(t.code.Blocks, Block{Source: b, To: to.Block})
	t.code.Blocks[from].Term.Succs[k] = middle
	t.into(middle)
	t.out.Term = Term{Kind: ssa.Br, Succs: [2]int32{t.index[to.Block]}}
	t.edge(to)
}
