package destruct

import (
	"fmt"

	"shoal/internal/heap"
	"shoal/node"
	"shoal/ssa"
)

// Run executes c. Every statement and every terminator is one step; a run of more than
// maxSteps ends with ssa.ErrSteps.
func (c *Code) Run(maxSteps int, inputs ...int64) (int64, error) {
	if len(inputs) != len(c.Inputs) {
		return 0, fmt.Errorf("%s takes %d inputs, not %d", c.Name, len(c.Inputs), len(inputs))
	}
	m := machine{c: c, vars: make([]int64, len(c.Vars)), heap: heap.New(heap.DefaultLimit)}
	for i, v := range c.Inputs {
		m.vars[v] = inputs[i]
	}
	for b := &c.Blocks[0]; ; {
		if maxSteps -= len(b.Body) + 1; maxSteps < 0 {
			return 0, fmt.Errorf("%s: %w", c.Name, ssa.ErrSteps)
		}
		for i := range b.Body {
			if err := m.stmt(&b.Body[i]); err != nil {
				return 0, err
			}
		}
		switch t := &b.Term; {
		case t.Kind == ssa.Ret:
			if err := m.heap.Err(); err != nil {
				return 0, fmt.Errorf("%s: %w", c.Name, err)
			}
			return m.read(t.Args[0]), nil
		case t.Kind == ssa.Fail:
			return 0, c.source.FaultAt(t.Pos, t.Fault, m.numbers(t)...)
		case t.Kind == ssa.Cbr && m.read(t.Args[0]) == 0:
			b = &c.Blocks[t.Succs[1]]
		default:
			b = &c.Blocks[t.Succs[0]]
		}
	}
}

// A machine is the state of one Run.
type machine struct {
	c    *Code
	vars []int64 // by Var
	heap *heap.Heap
}

func (m *machine) read(a Atom) int64 {
	if a < 0 {
		return m.c.Consts[^a].Bits
	}
	return m.vars[a]
}

func (m *machine) stmt(s *Stmt) error {
	var args [4]int64
	for k, a := range s.Args[:s.NArgs] {
		args[k] = m.read(a)
	}
	info := s.Op.Info()
	switch {
	case s.Op == node.OpInvalid:
		m.vars[s.Dst] = args[0]
	case info.Eval != nil:
		args[s.NArgs] = s.Aux // read only by ops that take a number of bits
		m.vars[s.Dst] = info.Eval(64, args[0], args[1], args[2])
	default:
		x, ok := ssa.OnMemory(m.heap, s.Op, s.Aux, s.NArgs, [3]int64(args[:3]))
		if !ok {
			return m.c.source.FaultAt(s.Pos, node.FaultMemory)
		}
		if s.Dst >= 0 {
			m.vars[s.Dst] = x
		}
	}
	return nil
}

// numbers are those of the message of a fault.
func (m *machine) numbers(t *Term) (numbers []int64) {
	for _, a := range t.operands() {
		numbers = append(numbers, m.read(a))
	}
	return numbers
}
