//go:build linux && amd64

package amd64

import (
	"math/rand/v2"
	"testing"

	"shoal/codegen/mach"
	"shoal/node"
	"shoal/ssa"
)

// benchFunc is a function of about n values, all of them live: blocks of 100 random ops,
// each the body of a loop, whose values all end up in the parameter of the next.
func benchFunc(n int) *ssa.Func {
	rng := rand.New(rand.NewPCG(1, 2))
	b := newBuilder("bench", 2)
	ops := pureOps()
	x := b.f.Inputs[0]
	for b.f.Blocks[0].Term.Kind = ssa.Br; len(b.f.Values) < n; {
		before := int32(len(b.f.Blocks) - 1)
		p := b.f.Add(ssa.Value{Kind: ssa.Param, Block: before + 1})
		at := b.block(p)
		if before == 0 {
			b.f.Blocks[0].Term.Succs[0] = ssa.Target{Block: at, Args: []ssa.ValueID{x}}
		} else {
			b.f.Blocks[before].Term.Succs[1] = ssa.Target{Block: at, Args: []ssa.ValueID{x}}
		}
		recent := []ssa.ValueID{p, b.f.Inputs[1], p, p}
		for k := range 100 {
			op := ops[rng.IntN(len(ops))]
			arity, aux := node.Ops[op].Arity-1, int64(0)
			if node.Ops[op].Aux == node.AuxBits {
				arity, aux = 1, 32
			}
			args := []ssa.ValueID{recent[k%4], recent[rng.IntN(4)], recent[rng.IntN(4)]}[:arity]
			if arity == 2 && rng.IntN(3) == 0 {
				args[1] = b.constant(randomWord(rng))
			}
			recent[k%4] = b.opAux(op, aux, args...)
		}
		x = b.op(node.OpXor, b.op(node.OpXor, recent[0], recent[1]), b.op(node.OpXor, recent[2], recent[3]))
		b.f.Blocks[at].Depth = 1
		b.f.Blocks[at].Term = ssa.Term{Kind: ssa.Cbr, Arg: x, Succs: [2]ssa.Target{{Block: at, Args: []ssa.ValueID{x}}}}
	}
	last := len(b.f.Blocks) - 1
	end := b.block()
	b.f.Blocks[last].Term.Succs[1] = ssa.Target{Block: end}
	return b.ret(x)
}

// instCount is the number of instructions of m.
func instCount(m *mach.Func) (n int) {
	for b := range m.Blocks {
		n += len(m.Blocks[b].Insts)
	}
	return n
}

// BenchmarkSelect reports the time for one value.
func BenchmarkSelect(b *testing.B) {
	f := benchFunc(100_000)
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		m, err := Target{}.Select(f)
		if err != nil {
			b.Fatal(err)
		}
		n = instCount(m)
	}
	ns := float64(b.Elapsed().Nanoseconds()) / float64(b.N)
	b.ReportMetric(ns/float64(len(f.Values)), "ns/value")
	b.ReportMetric(ns/float64(n), "ns/inst")
}

// allotted gives every virtual register some physical one: no allocation, but instructions
// of the right shape for Frame and Encode.
func allotted(m *mach.Func) {
	reg := func(r mach.Reg, allow mach.RegSet) mach.Reg {
		if !r.Virtual() {
			return r
		}
		if allow != 0 {
			for k := RAX; k <= R15; k++ {
				if allow.Has(k) {
					return k
				}
			}
		}
		regs := regFile.Allocatable[mach.General]
		return regs[int(r)%len(regs)]
	}
	for i := range m.Blocks {
		b := &m.Blocks[i]
		for k := range b.Insts {
			args := b.Insts[k].Args
			for j := range args {
				args[j].Reg = reg(args[j].Reg, args[j].Allow)
			}
		}
		b.Params = nil
		for k := range b.Succs {
			b.Succs[k].Args = nil
		}
	}
	m.LinkPreds()
}

// BenchmarkFrame reports the time of Frame for one instruction.
func BenchmarkFrame(b *testing.B) {
	f := benchFunc(100_000)
	n := 0
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		m, err := Target{}.Select(f)
		if err != nil {
			b.Fatal(err)
		}
		allotted(m)
		n = instCount(m)
		b.StartTimer()
		Target{}.Frame(m)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/inst")
}

// BenchmarkEncode reports the time for one instruction and the bytes it has.
func BenchmarkEncode(b *testing.B) {
	m, err := Target{}.Select(benchFunc(100_000))
	if err != nil {
		b.Fatal(err)
	}
	allotted(m)
	Target{}.Frame(m)
	n, bytes := instCount(m), 0
	b.ReportAllocs()
	for b.Loop() {
		c, err := Target{}.Encode(m)
		if err != nil {
			b.Fatal(err)
		}
		bytes = len(c.Bytes)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/inst")
	b.ReportMetric(float64(bytes)/float64(n), "bytes/inst")
}
