package destruct

import (
	"shoal/node"
	"shoal/ssa"
)

// A shaper builds functions by hand.
type shaper struct{ *ssa.Func }

func newShaper(blocks int) *shaper {
	s := &shaper{ssa.NewFunc("f", 0)}
	s.Inputs = append(s.Inputs, s.Add(ssa.Value{Kind: ssa.Input, Block: -1}))
	s.Blocks = make([]ssa.Block, blocks)
	return s
}

func (s *shaper) add(b int, x, y ssa.ValueID) ssa.ValueID {
	v := s.Add(ssa.Value{Kind: ssa.Instr, Op: node.OpAdd, NArgs: 2, Args: [3]ssa.ValueID{x, y}, Block: int32(b)})
	s.Blocks[b].Body = append(s.Blocks[b].Body, v)
	return v
}

func (s *shaper) param(b int) ssa.ValueID {
	v := s.Add(ssa.Value{Kind: ssa.Param, Block: int32(b)})
	s.Blocks[b].Params = append(s.Blocks[b].Params, v)
	return v
}

func (s *shaper) ret(b int, v ssa.ValueID) { s.Blocks[b].Term = ssa.Term{Kind: ssa.Ret, Arg: v} }

func (s *shaper) br(b, to int, args ...ssa.ValueID) {
	s.Blocks[b].Term = ssa.Term{Kind: ssa.Br, Succs: [2]ssa.Target{{Block: int32(to), Args: args}}}
}

func (s *shaper) cbr(b int, v ssa.ValueID, yes, no int, args ...ssa.ValueID) {
	s.Blocks[b].Term = ssa.Term{Kind: ssa.Cbr, Arg: v, Succs: [2]ssa.Target{{Block: int32(yes), Args: args}, {Block: int32(no)}}}
}

func (s *shaper) done() *ssa.Func {
	s.LinkPreds()
	return s.Func
}

// wideJoin is a chain of n tests, each of which leaves for one block with another value.
func wideJoin(n int) *ssa.Func {
	s := newShaper(n + 2)
	x, join := s.Inputs[0], n+1
	p := s.param(join)
	s.ret(join, p)
	for b := range n {
		v := s.add(b, x, x)
		s.cbr(b, x, join, b+1, v)
	}
	s.br(n, join, x)
	return s.done()
}

// longRange has values that are live through n diamonds and are arguments at the end.
func longRange(n int) *ssa.Func {
	const live = 50
	s := newShaper(3*n + 2)
	x := s.Inputs[0]
	var vs, ps []ssa.ValueID
	for range live {
		vs = append(vs, s.add(0, x, x))
	}
	for i := range n {
		b := 3 * i
		s.cbr(b, x, b+1, b+2)
		p := s.param(b + 3)
		s.br(b+1, b+3, s.add(b+1, x, x))
		s.br(b+2, b+3, x)
		x = p
	}
	for range live {
		ps = append(ps, s.param(3*n+1))
	}
	s.br(3*n, 3*n+1, vs...)
	sum := x
	for _, p := range ps {
		sum = s.add(3*n+1, sum, p)
	}
	s.ret(3*n+1, sum)
	return s.done()
}

// manyLive is a loop with n variables that all go around.
func manyLive(n int) *ssa.Func {
	s := newShaper(4)
	x := s.Inputs[0]
	var first, next []ssa.ValueID
	for range n {
		first = append(first, x)
		next = append(next, s.param(1))
	}
	s.br(0, 1, first...)
	s.cbr(1, next[0], 2, 3)
	back := make([]ssa.ValueID, n)
	for i, p := range next {
		back[i] = s.add(2, p, x)
	}
	s.br(2, 1, back...)
	sum := x
	for _, p := range next {
		sum = s.add(3, sum, p)
	}
	s.ret(3, sum)
	return s.done()
}

// rotation is a loop of one block that rotates n variables.
func rotation(n int) *ssa.Func {
	s := newShaper(3)
	x := s.Inputs[0]
	var first, ps []ssa.ValueID
	for range n {
		first = append(first, x)
		ps = append(ps, s.param(1))
	}
	s.br(0, 1, first...)
	back := append(append([]ssa.ValueID{}, ps[1:]...), ps[0])
	s.cbr(1, ps[0], 1, 2, back...)
	sum := x
	for _, p := range ps {
		sum = s.add(2, sum, p)
	}
	s.ret(2, sum)
	return s.done()
}

// chainOverFan joins, through one parameter, the values of n blocks one under the other
// and of n leaves under all of those.
func chainOverFan(n int) *ssa.Func {
	s := newShaper(4*n + 2)
	x, join := s.Inputs[0], 4*n+1
	p := s.param(join)
	s.ret(join, p)
	for i := range 2 * n {
		b := 2 * i
		s.cbr(b, x, b+1, b+2)
		s.br(b+1, join, s.add(b+1, x, x)) // a leaf
		if i < n {                        // a test that leaves with its own value on the chain
			v := s.add(b, x, x)
			s.cbr(b, v, join, b+2, v)
			s.ret(b+1, x)
		}
	}
	s.ret(4*n, x)
	return s.done()
}
