package ssa

import "strconv"

// A Namer makes names that are new among those it knows.
type Namer struct {
	taken map[string]bool
	count map[string]int // the last number tried behind a name
}

// BlockNamer knows the names of the blocks of f.
func (f *Func) BlockNamer() *Namer {
	n := &Namer{taken: make(map[string]bool, len(f.Blocks)), count: map[string]int{}}
	for i := range f.Blocks {
		n.taken[f.BlockName(int32(i))] = true
	}
	return n
}

// ValueNamer knows the names of the values of f.
func (f *Func) ValueNamer() *Namer {
	n := &Namer{taken: make(map[string]bool, len(f.Values)), count: map[string]int{}}
	for v := range f.Values {
		if f.Values[v].HasResult() {
			n.taken[f.ValueName(ValueID(v))] = true
		}
	}
	return n
}

// Fresh returns base, or base with a number if it is taken, and takes it.
func (n *Namer) Fresh(base string) string {
	name := base
	for n.taken[name] {
		n.count[base]++
		name = base + "." + strconv.Itoa(n.count[base])
	}
	n.taken[name] = true
	return name
}

// UniqueNames makes the given names of values unique, keeping the first of each, so that the
// text of f can be read back. Whoever names values after variables of a program needs it.
func (f *Func) UniqueNames() {
	n := &Namer{taken: make(map[string]bool, len(f.Names)), count: map[string]int{}}
	for v, name := range f.Names {
		if name == "" || !f.Values[v].Kind.defines() {
			continue
		}
		if _, own := ownNumber('v', name); own || name == "inf" || name == "nan" {
			name += "." // "v7" may be what another value is called for want of a name
		}
		f.Names[v] = n.Fresh(name)
	}
}

// SplitEdge puts a new block, the last one, on the edge e and returns its index. The edge
// into it passes nothing, it passes what the edge passed. Preds are out of date after it.
func (f *Func) SplitEdge(e EdgeRef, names *Namer) int32 {
	n := int32(len(f.Blocks))
	from := &f.Blocks[e.Block]
	old := from.Term.Succs[e.Succ]
	from.Term.Succs[e.Succ] = Target{Block: n}
	b := Block{
		Name:  names.Fresh(f.BlockName(e.Block) + "." + f.BlockName(old.Block)),
		Pos:   from.Pos,
		Depth: min(from.Depth, f.Blocks[old.Block].Depth),
		Cold:  from.Cold || f.Blocks[old.Block].Cold,
		Term:  Term{Kind: Br, Pos: from.Term.Pos},
	}
	b.Term.Succs[0] = old
	f.Blocks = append(f.Blocks, b)
	return n
}

// SplitMultiEdges splits the second of every two edges from one block to another that pass
// different arguments: no block that both belong to can tell them apart (lemma 8.4.11 of
// the course: "cbr c, B(1), B(2)" has no phi form). It returns how many there were.
func (f *Func) SplitMultiEdges() int {
	var names *Namer
	count := 0
	for i := range len(f.Blocks) {
		t := &f.Blocks[i].Term
		if t.Kind != Cbr || t.Succs[0].Block != t.Succs[1].Block || f.sameArgs(t) {
			continue
		}
		if names == nil {
			names = f.BlockNamer()
		}
		f.SplitEdge(EdgeRef{Block: int32(i), Succ: 1}, names)
		count++
	}
	if count > 0 {
		f.LinkPreds()
	}
	return count
}

// sameArgs tells whether both edges of t pass the same values.
func (f *Func) sameArgs(t *Term) bool {
	for i, a := range t.Succs[0].Args {
		va, vb := &f.Values[a], &f.Values[t.Succs[1].Args[i]]
		if a != t.Succs[1].Args[i] && !(va.Kind == Const && vb.Kind == Const && va.Aux == vb.Aux) {
			return false
		}
	}
	return true
}
