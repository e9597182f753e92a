package peephole

import (
	"math/rand"
	"testing"

	"shoal/node"
	"shoal/source"
)

// TestDominators compares immediate dominators of random control with those by the
// definition: sets of dominators, intersected over the ways in.
func TestDominators(t *testing.T) {
	for seed := range int64(200) {
		r := rand.New(rand.NewSource(seed))
		e := newBench(Options{Level: 24})
		all := []*node.Node{e.g.Start}
		dominate := []map[*node.Node]bool{{e.g.Start: true}} // itself too
		for len(all) < 120 {
			recent := func() int { return len(all) - 1 - r.Intn(min(len(all), 1+r.Intn(60))) }
			i := recent()
			set := map[*node.Node]bool{}
			for d := range dominate[i] {
				set[d] = true
			}
			n := e.g.New(node.OpRegion, source.NoPos, nil, all[i])
			for range r.Intn(3) {
				j := recent()
				e.g.AddIn(n, all[j])
				for d := range set {
					if !dominate[j][d] {
						delete(set, d)
					}
				}
			}
			var want *node.Node // the one that the most dominate
			for i, d := range all {
				if set[d] && (want == nil || dominate[i][want]) {
					want = d
				}
			}
			if got := e.idom(n); got != want {
				t.Fatalf("seed %d: node %d: immediate dominator is %d, want %d", seed, n.ID, got.ID, want.ID)
			}
			set[n] = true
			all, dominate = append(all, n), append(dominate, set)
		}
	}
}

// TestDominatorsOfMerges is about a loop with very many ways to go on early: each Region
// merges a place far below with one just below the top. One step at a time, that would be
// five billion steps.
func TestDominatorsOfMerges(t *testing.T) {
	const n = 100_000
	e := newBench(Options{Level: 24})
	top := e.g.New(node.OpIf, source.NoPos, e.g.Start)
	below, merged := top, top
	for range n {
		below = e.g.New(node.OpIf, source.NoPos, below)
		merged = e.g.New(node.OpRegion, source.NoPos, nil, merged, below)
		if got := e.idom(merged); got != top {
			t.Fatalf("region %d: immediate dominator is %d, want %d", merged.ID, got.ID, top.ID)
		}
	}
}
