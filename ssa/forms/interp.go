package forms

import (
	"fmt"

	"shoal/internal/heap"
	"shoal/node"
	"shoal/ssa"
)

// Run runs a valid function in any form on inputs. Every instruction and terminator is one
// step; phis and Upsilons are none.
func Run(f *ssa.Func, maxSteps int, inputs ...int64) (int64, error) {
	if f.Form == ssa.FormArgs {
		return ssa.NewInterp(f).Run(maxSteps, inputs...)
	}
	if len(inputs) != len(f.Inputs) {
		return 0, fmt.Errorf("%s takes %d inputs, not %d", f.Name, len(f.Inputs), len(inputs))
	}
	m := &machine{f: f, heap: heap.New(heap.DefaultLimit), regs: make([]int64, len(f.Values)), shadows: make([]int64, len(f.Values))}
	for v := range f.Values {
		if f.Values[v].Kind == ssa.Const {
			m.regs[v] = f.Values[v].Aux
		}
	}
	for i, v := range f.Inputs {
		m.regs[v] = inputs[i]
	}
	return m.run(maxSteps)
}

// A machine runs the form with phi nodes and the one with Upsilons and Phis.
type machine struct {
	f       *ssa.Func
	heap    *heap.Heap
	regs    []int64 // by ValueID
	shadows []int64 // by ValueID of a Phi
	buf     []int64
}

func (m *machine) run(maxSteps int) (int64, error) {
	for b, pred := int32(0), int32(-1); ; {
		block := &m.f.Blocks[b]
		body := block.Body
		if m.f.Form == ssa.FormPhi {
			body = m.phiNodes(body, pred)
		}
		if maxSteps -= len(body) + 1; maxSteps < 0 {
			return 0, fmt.Errorf("%s: %w", m.f.Name, ssa.ErrSteps)
		}
		for _, id := range body {
			back, err := m.instr(id)
			if err != nil {
				return 0, err
			}
			maxSteps += back
		}
		t := &block.Term
		switch t.Kind {
		case ssa.Ret:
			if err := m.heap.Err(); err != nil {
				return 0, fmt.Errorf("%s: %w", m.f.Name, err)
			}
			return m.regs[t.Arg], nil
		case ssa.Fail:
			return 0, m.f.FaultAt(t.Pos, t.Fault, m.regs[t.Arg], m.regs[t.Arg2])
		}
		way := 0
		if t.Kind == ssa.Cbr && m.regs[t.Arg] == 0 {
			way = 1
		}
		b, pred = t.Succs[way].Block, b
	}
}

// phiNodes runs the phi nodes at the top of body for control that comes from block pred:
// all read, then all write. It returns the rest of body.
func (m *machine) phiNodes(body []ssa.ValueID, pred int32) []ssa.ValueID {
	m.buf = m.buf[:0]
	for _, id := range body {
		v := &m.f.Values[id]
		if v.Kind != ssa.Phi {
			break
		}
		for _, e := range m.f.Phis[v.Aux] {
			if e.Pred == pred {
				m.buf = append(m.buf, m.regs[e.Value])
			}
		}
	}
	for k, x := range m.buf {
		m.regs[body[k]] = x
	}
	return body[len(m.buf):]
}

// instr runs one instruction and returns the steps to give back.
func (m *machine) instr(id ssa.ValueID) (back int, err error) {
	v := &m.f.Values[id]
	switch v.Kind {
	case ssa.Upsilon:
		m.shadows[v.Args[1]] = m.regs[v.Args[0]]
		return 1, nil
	case ssa.Phi:
		m.regs[id] = m.shadows[id]
		return 1, nil
	}
	var args [4]int64
	for i, a := range v.Operands() {
		args[i] = m.regs[a]
	}
	if v.HasBits() {
		args[v.NArgs] = v.Aux
	}
	eval := v.Op.Info().Eval
	if eval != nil {
		m.regs[id] = eval(64, args[0], args[1], args[2])
		return 0, nil
	}
	x, ok := ssa.OnMemory(m.heap, v.Op, v.Aux, v.NArgs, [3]int64(args[:3]))
	if !ok {
		return 0, m.f.FaultAt(v.Pos, node.FaultMemory)
	}
	m.regs[id] = x
	return 0, nil
}
