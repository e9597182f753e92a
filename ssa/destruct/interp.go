package destruct

import (
	"fmt"

	"shoal/node"
	"shoal/ssa"
)

// Run executes c. Every statement and every terminator is one step; a run of more than
// maxSteps ends with ssa.ErrSteps.
func (c *Code) Run(maxSteps int, inputs ...int64) (int64, error) {
	if len(inputs) != len(c.Inputs) {
		return 0, fmt.Errorf("%s takes %d inputs, not %d", c.Name, len(c.Inputs), len(inputs))
	}
	vars := make([]int64, len(c.Vars))
	for i, v := range c.Inputs {
		vars[v] = inputs[i]
	}
	read := func(a Atom) int64 {
		if a < 0 {
			return c.Consts[^a]
		}
		return vars[a]
	}
	for b := &c.Blocks[0]; ; {
		if maxSteps -= len(b.Body) + 1; maxSteps < 0 {
			return 0, fmt.Errorf("%s: %w", c.Name, ssa.ErrSteps)
		}
		for i := range b.Body {
			s := &b.Body[i]
			if s.Op == node.OpInvalid {
				vars[s.Dst] = read(s.Args[0])
				continue
			}
			var args [4]int64
			for k, a := range s.Args[:s.NArgs] {
				args[k] = read(a)
			}
			args[s.NArgs] = s.Aux // read only by ops that take a number of bits
			vars[s.Dst] = s.Op.Info().Eval(64, args[0], args[1], args[2])
		}
		switch t := &b.Term; {
		case t.Kind == ssa.Ret:
			return read(t.Arg), nil
		case t.Kind == ssa.Cbr && read(t.Arg) == 0:
			b = &c.Blocks[t.Succs[1]]
		default:
			b = &c.Blocks[t.Succs[0]]
		}
	}
}
