package ssa

import (
	"fmt"
	"slices"
)

// Maximal makes every value that is available at the top of a reachable block a parameter
// of that block, except of the entry, and replaces uses by these parameters: the naive
// construction of SSA form that Prune undoes (seed of lesson 8.4: a parameter for each
// variable of each block but the entry). A value is available where its definition's block
// strictly dominates. f must be valid and in block-argument form.
//
// The size of the result is the number of values times the number of blocks by nature, so
// this is a lesson and no pass: with more than limit parameters to add, f stays as it is
// and the error says so. Otherwise Maximal returns how many it has added.
func (f *Func) Maximal(limit int) (added int, err error) {
	if f.Form != FormArgs {
		panic("ssa.Maximal: " + f.Name + " is in form " + f.Form.String())
	}
	m := &maximizer{f: f, dom: Dominators(f)}
	if added = m.count(); added > limit {
		return 0, fmt.Errorf("%s: every value a parameter of every block makes %d parameters, the limit is %d", f.Name, added, limit)
	}
	f.LinkPreds()
	m.parameters()
	for _, b := range m.dom.Order {
		m.rewrite(b)
	}
	m.unreachable()
	return added, nil
}

// A maximizer numbers the values that are available in a block along its path in the
// dominator tree: those of the entry first, then those of its child on the path, and so
// on. So what is available in a block has the same numbers in all blocks that it
// dominates, the predecessors of its children in the tree among them.
type maximizer struct {
	f     *Func
	dom   *Dom
	avail []int32     // by block: how many values are available at its top
	defs  [][]ValueID // by block: the values that it defines
	place []int32     // by ValueID: its number, -1 for what no reachable block defines
	first []ValueID   // by block: the parameter for value number 0; the others follow
}

// count fills avail, defs and place, and returns the number of parameters to add.
func (m *maximizer) count() (sum int) {
	n := len(m.f.Blocks)
	m.avail, m.defs, m.first = make([]int32, n), make([][]ValueID, n), make([]ValueID, n)
	m.place = slices.Repeat([]int32{-1}, len(m.f.Values))
	for _, b := range m.dom.Order {
		block := &m.f.Blocks[b]
		if d := m.dom.IDom[b]; d >= 0 {
			m.avail[b] = m.avail[d] + int32(len(m.defs[d]))
			m.defs[b] = slices.Concat(block.Params, block.Body)
		} else {
			m.defs[b] = slices.Concat(m.f.Inputs, block.Body)
		}
		m.defs[b] = slices.DeleteFunc(m.defs[b], func(v ValueID) bool { return !m.f.Values[v].HasResult() })
		for i, v := range m.defs[b] {
			m.place[v] = m.avail[b] + int32(i)
		}
		sum += int(m.avail[b])
	}
	return sum
}

// parameters adds the parameters, after those that the block has.
func (m *maximizer) parameters() {
	available := make([]ValueID, 0, len(m.place)) // at the top of the block at hand, by number
	for _, b := range m.dom.Order {
		if d := m.dom.IDom[b]; d >= 0 {
			available = append(available[:m.avail[d]], m.defs[d]...)
		}
		m.first[b] = ValueID(len(m.f.Values))
		for _, v := range available {
			p := m.f.Add(Value{Kind: Param, Block: b, Class: m.f.Values[v].Class})
			m.f.Blocks[b].Params = append(m.f.Blocks[b].Params, p)
		}
		if len(m.f.Names) > 0 {
			m.names(b, available)
		}
	}
	if len(m.f.Names) > 0 {
		m.f.UniqueNames()
	}
}

// names calls each parameter after its value and block.
func (m *maximizer) names(b int32, available []ValueID) {
	for i, v := range available {
		m.f.SetName(m.first[b]+ValueID(i), m.f.ValueName(v)+"_"+m.f.BlockName(b))
	}
}

// at is the value number k at the end of block b.
func (m *maximizer) at(b, k int32) ValueID {
	if k < m.avail[b] {
		return m.first[b] + ValueID(k)
	}
	return m.defs[b][k-m.avail[b]]
}

// rewrite makes block b use its own parameters and pass on what its targets take.
func (m *maximizer) rewrite(b int32) {
	own := func(v *ValueID) {
		if k := m.place[*v]; k >= 0 {
			*v = m.at(b, k)
		}
	}
	block := &m.f.Blocks[b]
	for _, id := range block.Body {
		v := &m.f.Values[id]
		for i := range v.Operands() {
			own(&v.Args[i])
		}
	}
	for i := range block.Term.Operands() {
		own([...]*ValueID{&block.Term.Arg, &block.Term.Arg2}[i])
	}
	for s := range block.Term.Targets() {
		t := &block.Term.Succs[s]
		t.Args = slices.Clone(t.Args)
		for i := range t.Args {
			own(&t.Args[i])
		}
		for k := range m.avail[t.Block] {
			t.Args = append(t.Args, m.at(b, k))
		}
	}
}

// unreachable passes what reachable targets of the other blocks take: the values
// themselves, for uses in blocks that nothing reaches are exempt from dominance.
func (m *maximizer) unreachable() {
	for _, b := range m.dom.Order {
		for _, e := range m.f.Blocks[b].Preds {
			if m.dom.Reaches(e.Block) {
				continue
			}
			t := &m.f.Blocks[e.Block].Term.Succs[e.Succ]
			t.Args = slices.Clone(t.Args)
			for k := range m.avail[b] {
				t.Args = append(t.Args, m.at(m.dom.IDom[b], k))
			}
		}
	}
}
