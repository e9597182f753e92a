package gcm_test

import (
	"math/rand/v2"
	"testing"

	"shoal/gcm"
	"shoal/internal/smith"
	"shoal/node"
	"shoal/parser"
	"shoal/source"
)

// schedule compiles a program up to its schedule.
func schedule(t *testing.T, text string, level int, raw bool) *gcm.Schedule {
	t.Helper()
	funcs, ds := parser.Parse(source.NewFile("t.smp", []byte(text)), parser.Options{Level: level, Raw: raw, Global: !raw})
	if ds.Any() {
		t.Fatalf("%v\n%s", ds.Error(), text)
	}
	f := funcs[0]
	f.Engine.Run()
	f.Engine.Exits()
	s := gcm.Run(f.Graph)
	if err := s.Verify(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return s
}

// TestPlaces: where a node goes that could be in several blocks.
func TestPlaces(t *testing.T) {
	tests := []struct {
		name  string
		text  string
		op    node.Op
		depth int  // of the loops around it
		entry bool // it is in the entry
	}{
		{"what a loop does not change is before it", "int s=0; int i=0; while(i<9) { s=s+arg*arg; i=i+1; } return s;", node.OpMul, 0, true},
		{"what the inner loop does not change is in the outer", "int s=0; int i=0; while(i<9) { int j=0; while(j<i) { s=s+i*arg; j=j+1; } i=i+1; } return s;", node.OpMul, 1, false},
		{"what changes each time stays", "int s=0; int i=0; while(i<9) { s=s+i*i; i=i+1; } return s;", node.OpMul, 1, false},
		{"what one side needs is there", "int x=arg/3; if(arg>0) return x; return 0;", node.OpDiv, 0, false},
		{"what both sides need is above them", "int x=arg/3; if(arg>0) return x; return x+1;", node.OpDiv, 0, true},
		{"what a join needs on one path is on that", "int x=0; if(arg>0) x=arg/3; return x;", node.OpDiv, 0, false},
		{"what only the way out of a loop needs is behind it", "int i=0; while(i<9) { if(i==arg) return i*arg; i=i+1; } return 0;", node.OpMul, 0, false},
		{"what is needed behind a loop alone is behind it", "int i=0; while(i<arg) i=i+1; return i*arg;", node.OpMul, 0, false},
		{"what is seldom needed in a loop is not brought before it for that", "int s=0; int i=0; int x=arg; while(i<x) { if(s>99) { if(i>7) { if(i>s) { if(i/3*3==i) s=s+(arg+5)/7; } } } s=s+i; i=i+1; } return s;", node.OpAdd, 1, false},
	}
	for _, tt := range tests {
		s := schedule(t, tt.text, 11, false)
		found := false
		for _, b := range s.Blocks {
			for _, n := range b.Nodes {
				if n.Op != tt.op {
					continue
				}
				if tt.op == node.OpAdd && !(n.In(2).IsConst() && n.In(2).Type.Value() == 5) {
					continue
				}
				found = true
				if b.LoopDepth() != tt.depth || (b.ID == 0) != tt.entry {
					t.Errorf("%s: %v is in %s at loop depth %d; want depth %d, entry: %v", tt.name, n.Op, b.Name(), b.LoopDepth(), tt.depth, tt.entry)
				}
			}
		}
		if !found {
			t.Errorf("%s: there is no %v", tt.name, tt.op)
		}
	}
}

// TestBranchKeepsItsTest: a comparison that only a branch needs stands in its block, also
// if a loop does not change it: there it needs no register.
func TestBranchKeepsItsTest(t *testing.T) {
	s := schedule(t, "int s=0; int i=0; while(i<9) { if(arg<5) s=s+i; i=i+1; } return s;", 11, false)
	for _, b := range s.Blocks {
		for _, n := range b.Nodes {
			if n.Op == node.OpLT && n.NumOut() == 1 && n.Out(0).User != b.End {
				t.Errorf("%v of %s is not in the block of its branch", n.Op, b.Name())
			}
		}
	}
}

// TestEndless: loops without an end have schedules, below chapter 11 without the graph's
// help, and run for ever in them.
func TestEndless(t *testing.T) {
	tests := []struct {
		text  string
		arg   int64
		want  int64
		ended bool
	}{
		{"while(1) {} return 1;", 0, 0, false},
		{"while(1) arg=arg+1;", 0, 0, false},
		{"if(arg) while(1) {} return 3;", 0, 3, true},
		{"if(arg) while(1) {} return 3;", 1, 0, false},
		{"while(arg) { while(1) { if(arg==5) break; } arg=arg-1; } return 4;", 0, 4, true},
		{"while(arg) { while(1) { if(arg==5) break; } arg=arg-1; } return 4;", 5, 0, false},
		{"while(1) { while(1) { while(arg) arg=arg-1; } }", 7, 0, false},
	}
	for _, tt := range tests {
		for _, level := range []int{8, 9, 11, 24} {
			for _, raw := range []bool{false, true} {
				s := schedule(t, tt.text, level, raw)
				got, ended := gcm.Eval(s, tt.arg, 5000)
				if ended != tt.ended || ended && got != tt.want {
					t.Errorf("%s at level %d for %d: %d, ended: %v", tt.text, level, tt.arg, got, ended)
				}
			}
		}
	}
}

// TestDefinitions checks schedules of random programs against the definitions of
// dominators, natural loops and right places.
func TestDefinitions(t *testing.T) {
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 3))
		level := 5 + r.IntN(7)
		p := smith.Generate(r, smith.Swarm(r, level, 12))
		text := p.Text(level)
		s := schedule(t, text, level, r.IntN(3) == 0)
		if len(s.Blocks) > 120 {
			continue
		}
		c := newChecker(t, s)
		c.dominators()
		c.order()
		c.loops()
		c.places()
		if t.Failed() {
			t.Fatalf("seed %d, level %d:\n%s", seed, level, text)
		}
	}
}

// A checker knows which blocks reach which without passing a third, and nothing else.
type checker struct {
	*testing.T
	s   *gcm.Schedule
	dom [][]bool // dom[a][b]: every way from the entry to b goes through a
}

func newChecker(t *testing.T, s *gcm.Schedule) *checker {
	c := &checker{T: t, s: s}
	for _, a := range s.Blocks {
		reached := c.reach(s.Blocks[0], a)
		row := make([]bool, len(s.Blocks))
		for b := range row {
			row[b] = !reached[b]
		}
		c.dom = append(c.dom, row)
	}
	return c
}

// reach tells which blocks from reaches without passing through without.
func (c *checker) reach(from, without *gcm.Block) []bool {
	seen := make([]bool, len(c.s.Blocks))
	todo := []*gcm.Block{from}
	for len(todo) > 0 {
		b := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if b == without || seen[b.ID] {
			continue
		}
		seen[b.ID] = true
		todo = append(todo, b.Succs...)
	}
	return seen
}

func (c *checker) dominators() {
	for i, reached := range c.reach(c.s.Blocks[0], nil) {
		if !reached {
			c.Errorf("B%d is not reached", i)
		}
	}
	for _, b := range c.s.Blocks {
		above := 0 // blocks that dominate b, without b itself
		for a := range c.s.Blocks {
			if a != b.ID && c.dom[a][b.ID] {
				above++
			}
		}
		chain := 0
		for d := b.IDom; d != nil; d = d.IDom {
			chain++
			if !c.dom[d.ID][b.ID] {
				c.Errorf("B%d does not dominate B%d", d.ID, b.ID)
			}
		}
		if chain != above {
			c.Errorf("B%d has %d dominators, want %d", b.ID, chain, above)
		}
	}
}

// order: edges lead to later blocks, but for those that close a loop.
func (c *checker) order() {
	for i, b := range c.s.Blocks {
		if b.ID != i {
			c.Errorf("block %d is called B%d", i, b.ID)
		}
		for _, s := range b.Succs {
			if s.ID <= b.ID && !c.dom[s.ID][b.ID] {
				c.Errorf("the edge from B%d to B%d leads back", b.ID, s.ID)
			}
		}
	}
}

// bodies are the natural loops by header: what reaches an edge back to the header
// without passing it.
func (c *checker) bodies() map[*gcm.Block][]bool {
	all := map[*gcm.Block][]bool{}
	for _, h := range c.s.Blocks {
		for _, p := range h.Preds {
			if !c.dom[h.ID][p.ID] {
				continue
			}
			body := all[h]
			if body == nil {
				body = make([]bool, len(c.s.Blocks))
				body[h.ID] = true
			}
			for _, b := range c.s.Blocks {
				if b == p || b != h && c.reach(b, h)[p.ID] {
					body[b.ID] = true
				}
			}
			all[h] = body
		}
	}
	return all
}

func (c *checker) loops() {
	bodies := c.bodies()
	if len(bodies) != len(c.s.Loops) {
		c.Errorf("%d loops, want %d", len(c.s.Loops), len(bodies))
	}
	for _, b := range c.s.Blocks {
		depth := 0
		for _, body := range bodies {
			if body[b.ID] {
				depth++
			}
		}
		if b.LoopDepth() != depth {
			c.Errorf("B%d is %d loops deep, want %d", b.ID, b.LoopDepth(), depth)
		}
		for l := b.Loop; l != nil; l = l.Outer {
			if body := bodies[l.Header]; body == nil || !body[b.ID] {
				c.Errorf("B%d is not in the loop of B%d", b.ID, l.Header.ID)
			}
		}
	}
}

// places: every definition is there when it is used, and no value is computed in a deeper
// loop than the deepest block that dominates all of its uses.
func (c *checker) places() {
	uses := map[*node.Node][]*gcm.Block{} // at whose end or in which a node is used
	at := map[*node.Node]*gcm.Block{}
	pos := map[*node.Node]int{}
	for _, b := range c.s.Blocks {
		for i, n := range b.Nodes {
			at[n], pos[n] = b, i
		}
	}
	use := func(d *node.Node, b *gcm.Block, before int) {
		def := at[d]
		if def == nil {
			return // a Phi, a constant or the argument
		}
		uses[d] = append(uses[d], b)
		if !c.dom[def.ID][b.ID] || def == b && pos[d] >= before {
			c.Errorf("node %d of B%d is used in B%d at %d, where it is not there", d.ID, def.ID, b.ID, before)
		}
	}
	for _, b := range c.s.Blocks {
		for i, n := range b.Nodes {
			for k := 1; k < n.NumIn(); k++ {
				use(n.In(k), b, i)
			}
		}
		for _, phi := range b.Phis {
			for k, path := range b.Paths {
				use(phi.In(path), b.Preds[k], len(b.Preds[k].Nodes))
			}
		}
		switch {
		case b.End == nil:
		case b.End.Op == node.OpReturn:
			use(b.End.In(2), b, len(b.Nodes))
		default:
			use(b.End.In(1), b, len(b.Nodes))
		}
	}
	for n, b := range at {
		if late := c.common(uses[n]); late == nil || b.LoopDepth() > late.LoopDepth() {
			c.Errorf("node %d is in B%d, deeper in loops than all that need it together", n.ID, b.ID)
		}
	}
}

// common is the deepest block that dominates all of the given ones; nil for none.
func (c *checker) common(blocks []*gcm.Block) (deepest *gcm.Block) {
	if len(blocks) == 0 {
		return nil
	}
	for _, a := range c.s.Blocks {
		all := true
		for _, b := range blocks {
			all = all && c.dom[a.ID][b.ID]
		}
		if all && (deepest == nil || c.dom[deepest.ID][a.ID]) {
			deepest = a
		}
	}
	return deepest
}
