package destruct

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"shoal/ssa/ssatest"
)

// TestVerify takes single statements out of the two loops of the seeds.
func TestVerify(t *testing.T) {
	tests := []struct {
		file        string
		block, stmt int
		want        []string
	}{
		{"swap", 0, 0, []string{"swap: b may be read before it is assigned"}},
		{"swap", 0, 2, []string{"swap: i may be read before it is assigned"}},
		{"swap", 1, 0, []string{"swap: tmp may be read before it is assigned"}},
		{"swap", 1, 1, nil}, // a has its value of the trip before: wrong, but assigned
		{"swap", 1, 4, []string{"swap: t may be read before it is assigned"}},
		{"swap", 2, 0, []string{"swap: r may be read before it is assigned"}},
		{"lostcopy", 0, 0, []string{"lost: x may be read before it is assigned"}},
		{"critical", 1, 0, []string{"critical: y may be read before it is assigned"}},
		{"critical", 3, 0, []string{"critical: y may be read before it is assigned"}},
	}
	for _, tt := range tests {
		c, _ := Run(load(t, tt.file), Boissinot)
		b := &c.Blocks[tt.block]
		b.Body = append(append([]Stmt{}, b.Body[:tt.stmt]...), b.Body[tt.stmt+1:]...)
		var got []string
		for _, err := range c.Verify() {
			got = append(got, err.Error())
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s without statement %d of block %d (-want +got):\n%s", tt.file, tt.stmt, tt.block, diff)
		}
	}
}

// TestVerifyAgainstPaths compares Verify with a plain forward dataflow over whole sets,
// on code from which a statement is missing.
func TestVerifyAgainstPaths(t *testing.T) {
	found := 0
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(seed, 8))
		c, _ := Run(ssatest.Func(rng, ssatest.Small(rng)), Sreedhar1)
		b := &c.Blocks[rng.IntN(len(c.Blocks))]
		if len(b.Body) == 0 {
			continue
		}
		k := rng.IntN(len(b.Body))
		b.Body = append(append([]Stmt{}, b.Body[:k]...), b.Body[k+1:]...)
		want, got := unassigned(c), map[string]bool{}
		for _, err := range c.Verify() {
			got[err.Error()] = true
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("seed %d (-want +got):\n%s\n%s", seed, diff, c)
		}
		found += len(want)
	}
	if found < 100 {
		t.Errorf("only %d reads before an assignment", found)
	}
}

// unassigned finds what Verify does: the variables that are surely assigned at the top of
// a block are those that all predecessors assign or have, to the greatest fixed point.
func unassigned(c *Code) map[string]bool {
	sure := make([]map[Var]bool, len(c.Blocks)) // nil stands for all variables
	sure[0] = map[Var]bool{}
	for _, v := range c.Inputs {
		sure[0][v] = true
	}
	for changed := true; changed; {
		changed = false
		for b := range c.Blocks {
			if sure[b] == nil {
				continue
			}
			out := map[Var]bool{}
			for v := range sure[b] {
				out[v] = true
			}
			for _, s := range c.Blocks[b].Body {
				if s.Dst >= 0 {
					out[s.Dst] = true
				}
			}
			for _, to := range c.Blocks[b].Term.targets() {
				if sure[to] == nil {
					sure[to], changed = map[Var]bool{}, true
					for v := range out {
						sure[to][v] = true
					}
				}
				for v := range sure[to] {
					if !out[v] {
						delete(sure[to], v)
						changed = true
					}
				}
			}
		}
	}
	bad, names := map[string]bool{}, c.VarNames()
	for b := range c.Blocks {
		read := func(a Atom) {
			if a >= 0 && !sure[b][Var(a)] {
				bad[fmt.Sprintf("%s: %s may be read before it is assigned", c.Name, names[a])] = true
			}
		}
		for _, s := range c.Blocks[b].Body {
			for _, a := range s.Args[:s.NArgs] {
				read(a)
			}
			if s.Dst >= 0 {
				sure[b][s.Dst] = true
			}
		}
		for _, a := range c.Blocks[b].Term.operands() {
			read(a)
		}
	}
	return bad
}
