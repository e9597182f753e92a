package ssa

import (
	"errors"
	"fmt"

	"shoal/internal/heap"
	"shoal/node"
	"shoal/node/types"
)

// ErrSteps is the error of a run that takes more steps than it may.
var ErrSteps = errors.New("the run takes more steps than allowed")

// An Interp runs one valid function in block-argument form by the semantics of doc.go.
// It is made once and runs many times; it is the oracle of everything after it, so it
// knows nothing of copies, schedules or registers.
type Interp struct {
	// Heap is the memory of the last run, new for each. MaxBytes is how large it may get;
	// 0 means heap.DefaultLimit.
	Heap     *heap.Heap
	MaxBytes int64

	f      *Func
	regs   []int64 // by ValueID, then the bit counts of instructions that take some
	code   []step  // of all blocks, in order
	blocks []span
	buf    []int64 // arguments in flight
}

// A step is one instruction: regs[dst] = eval(64, regs[a], regs[b], regs[c]); eval is nil
// for what OnMemory runs.
type step struct {
	eval         func(w types.Width, a, b, c int64) int64
	dst, a, b, c int32
}

// A span is the body of a block in Interp.code.
type span struct{ first, end int32 }

// NewInterp translates f.
func NewInterp(f *Func) *Interp {
	if f.Form != FormArgs {
		panic("ssa.NewInterp: " + f.Name + " is in form " + f.Form.String())
	}
	in := &Interp{f: f, regs: make([]int64, len(f.Values)), blocks: make([]span, len(f.Blocks))}
	for v := range f.Values {
		if f.Values[v].Kind == Const {
			in.regs[v] = f.Values[v].Aux
		}
	}
	most := 0
	for i := range f.Blocks {
		b := &f.Blocks[i]
		first := int32(len(in.code))
		for _, v := range b.Body {
			in.code = append(in.code, in.step(v))
		}
		in.blocks[i] = span{first, int32(len(in.code))}
		most = max(most, len(b.Params))
	}
	in.buf = make([]int64, most)
	return in
}

func (in *Interp) step(id ValueID) step {
	v := &in.f.Values[id]
	args := [4]int32{int32(v.Args[0]), int32(v.Args[1]), int32(v.Args[2])}
	if v.HasBits() { // the bits come after the operands
		args[v.NArgs] = int32(len(in.regs))
		in.regs = append(in.regs, v.Aux)
	}
	return step{eval: v.Op.Info().Eval, dst: int32(id), a: args[0], b: args[1], c: args[2]}
}

// Run runs the function on inputs. Every instruction and every terminator is one step. A
// run that a fault ends has a *node.FaultError as its error.
func (in *Interp) Run(maxSteps int, inputs ...int64) (int64, error) {
	f, regs := in.f, in.regs
	if len(inputs) != len(f.Inputs) {
		return 0, fmt.Errorf("%s takes %d inputs, not %d", f.Name, len(f.Inputs), len(inputs))
	}
	for i, v := range f.Inputs {
		regs[v] = inputs[i]
	}
	in.newHeap()
	for b := int32(0); ; {
		s := in.blocks[b]
		if maxSteps -= int(s.end-s.first) + 1; maxSteps < 0 {
			return 0, fmt.Errorf("%s: %w", f.Name, ErrSteps)
		}
		code := in.code[s.first:s.end]
		for i := range code {
			c := &code[i]
			if c.eval == nil {
				if err := in.memory(c); err != nil {
					return 0, err
				}
				continue
			}
			regs[c.dst] = c.eval(64, regs[c.a], regs[c.b], regs[c.c])
		}
		t := &f.Blocks[b].Term
		way := &t.Succs[0]
		switch {
		case t.Kind == Ret:
			return regs[t.Arg], in.wild()
		case t.Kind == Fail:
			return 0, f.FaultAt(t.Pos, t.Fault, regs[t.Arg], regs[t.Arg2])
		case t.Kind == Cbr && regs[t.Arg] == 0:
			way = &t.Succs[1]
		}
		in.take(way)
		b = way.Block
	}
}

func (in *Interp) newHeap() {
	limit := in.MaxBytes
	if limit == 0 {
		limit = heap.DefaultLimit
	}
	in.Heap = heap.New(limit)
}

// memory runs an instruction on memory.
func (in *Interp) memory(c *step) error {
	v := &in.f.Values[c.dst]
	x, ok := OnMemory(in.Heap, v.Op, v.Aux, v.NArgs, [3]int64{in.regs[c.a], in.regs[c.b], in.regs[c.c]})
	if !ok {
		return in.f.FaultAt(v.Pos, node.FaultMemory)
	}
	in.regs[c.dst] = x
	return nil
}

// wild is the error of a run that has touched memory which it does not have.
func (in *Interp) wild() error {
	if err := in.Heap.Err(); err != nil {
		return fmt.Errorf("%s: %w", in.f.Name, err)
	}
	return nil
}

// take performs the parallel copy of an edge: all reads, then all writes.
func (in *Interp) take(t *Target) {
	for i, a := range t.Args {
		in.buf[i] = in.regs[a]
	}
	for i, p := range in.f.Blocks[t.Block].Params {
		in.regs[p] = in.buf[i]
	}
}
