package domtree

import (
	"math/rand"
	"testing"
)

// dominates says it by the definition: without a, vertex 0 does not reach b.
func dominates(succs [][]int32, a, b int32) bool {
	return a == b || !reached(succs, a)[b]
}

func reached(succs [][]int32, without int32) []bool {
	seen := make([]bool, len(succs))
	if without == 0 {
		return seen
	}
	seen[0] = true
	todo := []int32{0}
	for len(todo) > 0 {
		v := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, s := range succs[v] {
			if s != without && !seen[s] {
				seen[s] = true
				todo = append(todo, s)
			}
		}
	}
	return seen
}

func TestAgainstDefinition(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	for range 400 {
		n := 1 + rng.Intn(14)
		succs := make([][]int32, n)
		for range rng.Intn(3 * n) {
			v := rng.Intn(n)
			succs[v] = append(succs[v], int32(rng.Intn(n)))
		}
		check(t, succs)
	}
}

func check(t *testing.T, succs [][]int32) {
	t.Helper()
	n := int32(len(succs))
	tree := New(int(n), func(v int32) []int32 { return succs[v] })
	alive := reached(succs, -1)
	for a := range n {
		if alive[a] != tree.Reaches(a) {
			t.Fatalf("%v: vertex %d reached: %v", succs, a, alive[a])
		}
		for b := range n {
			if !alive[a] || !alive[b] {
				continue
			}
			if want := dominates(succs, a, b); want != tree.Dominates(a, b) {
				t.Fatalf("%v: %d dominates %d: want %v", succs, a, b, want)
			}
			checkCommon(t, succs, tree, a, b)
		}
	}
}

func checkCommon(t *testing.T, succs [][]int32, tree *Tree, a, b int32) {
	t.Helper()
	c := tree.Common(a, b)
	if !dominates(succs, c, a) || !dominates(succs, c, b) {
		t.Fatalf("%v: %d does not dominate %d and %d", succs, c, a, b)
	}
	if got := tree.Ancestor(a, tree.Depth[c]); got != c {
		t.Fatalf("%v: the ancestor of %d at the depth of %d is %d", succs, a, c, got)
	}
	for d := range int32(len(succs)) {
		if tree.Reaches(d) && dominates(succs, d, a) && dominates(succs, d, b) && !dominates(succs, d, c) {
			t.Fatalf("%v: %d is not the nearest common dominator of %d and %d: %d", succs, c, a, b, d)
		}
	}
}

func TestLongChain(t *testing.T) {
	const n = 200_000 // each vertex also leads to the end
	tree := New(n, func(v int32) []int32 {
		if v == n-1 {
			return nil
		}
		return []int32{v + 1, n - 1}
	})
	if got := tree.Common(n-2, n/2); got != n/2 {
		t.Errorf("common dominator %d, want %d", got, n/2)
	}
	if tree.IDom[n-1] != 0 || tree.Depth[n-2] != n-2 {
		t.Errorf("the end is dominated by %d at depth %d", tree.IDom[n-1], tree.Depth[n-2])
	}
}
