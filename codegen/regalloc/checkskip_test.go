package regalloc

import (
	"testing"

	"shoal/codegen/mach"
)

// TestBack checks on random functions, by looking at all paths, that what demands skip
// cannot matter to them.
func TestBack(t *testing.T) {
	skipped := 0
	for seed := range uint64(300) {
		m, f := generate(randomBytes(seed))
		s := Snap(f)
		if err := Allocate(f, m); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		c := &checker{Snapshot: s, f: f, t: m, file: m.Regs()}
		if err := c.run(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for _, b := range c.preNum {
			for l := range location(len(c.now)) {
				stop, end := c.back(l, b)
				if stop != b || end {
					skipped++
				}
				if stop != b {
					checkPaths(t, c, l, stop, b, true)
				}
				if end {
					checkPaths(t, c, l, c.tree.IDom[stop], b, false)
				}
			}
		}
	}
	if skipped < 10_000 {
		t.Errorf("only %d cases in which something is skipped", skipped)
	}
}

// checkPaths fails if a block on a path from x to the beginning of b, which does not come
// back to x, writes location l; x itself counts if from its beginning.
func checkPaths(t *testing.T, c *checker, l location, x, b int32, beginning bool) {
	t.Helper()
	if !c.tree.Dominates(x, b) {
		t.Fatalf("%s: block %d does not dominate block %d", text(c.t.(*toy), c.f), x, b)
	}
	after := reachFrom(c.f, x, func(v int32) (next []int32) {
		for _, e := range c.f.Blocks[v].Succs {
			next = append(next, e.Block)
		}
		return next
	})
	before := reachFrom(c.f, b, func(v int32) []int32 {
		if v == x {
			return nil
		}
		return c.f.Blocks[v].Preds
	})
	for v := range c.f.Blocks {
		on := after[v] && before[v] && int32(v) != x
		if on || int32(v) == x && beginning {
			if c.blocks[v].at(l) != (content{initial, int32(l)}) {
				t.Fatalf("%s: block %d, between block %d and block %d, writes location %d", text(c.t.(*toy), c.f), v, x, b, l)
			}
		}
	}
}

// reachFrom is the set of blocks that one or more steps from x lead to, not beyond x.
func reachFrom(f *mach.Func, x int32, next func(int32) []int32) []bool {
	seen := make([]bool, len(f.Blocks))
	work := append([]int32(nil), next(x)...)
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[v] {
			continue
		}
		seen[v] = true
		if v != x {
			work = append(work, next(v)...)
		}
	}
	return seen
}
