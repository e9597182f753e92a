//go:build linux && amd64

package amd64

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"shoal/codegen/mach"
	"shoal/node"
	"shoal/node/types"
	"shoal/ssa"
)

// objectSize is the size of the two objects that are inputs of a memory test, in bytes.
const objectSize = 256

// A memoryTest is a straight line of ops on integers, floats and memory, with a branch at
// its end. Its inputs are two objects, which may be one, two integers and two floats.
type memoryTest struct {
	b      *builder
	rng    *rand.Rand
	words  []ssa.ValueID
	floats []ssa.ValueID
	refs   []ssa.ValueID
	offs   []ssa.ValueID // offsets inside of objects
	exact  []ssa.ValueID // floats whose bits are the same everywhere, even if they are NaN
}

func newMemoryTest(rng *rand.Rand) *memoryTest {
	m := &memoryTest{b: newMixedBuilder("memory", ssa.Word, ssa.Word, ssa.Word, ssa.Word, ssa.Float, ssa.Float), rng: rng}
	in := m.b.f.Inputs
	m.refs, m.words, m.floats = append(m.refs, in[:2]...), append(m.words, in[2:4]...), append(m.floats, in[4:]...)
	m.exact = in[4:]
	return m
}

func pick(rng *rand.Rand, from []ssa.ValueID) ssa.ValueID {
	if rng.IntN(2) == 0 {
		return from[len(from)-1]
	}
	return from[rng.IntN(len(from))]
}

func (m *memoryTest) word() ssa.ValueID {
	if m.rng.IntN(4) == 0 {
		return m.b.constant(cornerstones[m.rng.IntN(len(cornerstones))])
	}
	return pick(m.rng, m.words)
}

func (m *memoryTest) float() ssa.ValueID {
	if m.rng.IntN(4) == 0 {
		return m.b.float(bitsOf(specials[m.rng.IntN(len(specials))]))
	}
	return pick(m.rng, m.floats)
}

// storable is a float that may be stored: not a NaN that an operation has made, for the
// bits of that are the machine's choice, and integers can be loaded from the same place.
func (m *memoryTest) storable() ssa.ValueID {
	if m.rng.IntN(2) == 0 {
		return pick(m.rng, m.exact)
	}
	x := m.float()
	v := m.b.op(node.OpSelect, m.b.op(node.OpEQF, x, x), x, m.b.float(0))
	m.b.f.Values[v].Class = ssa.Float
	return v
}

// offset is an offset inside of an object, in one of the shapes that addresses have.
func (m *memoryTest) offset() ssa.ValueID {
	b, c := m.b, func(n int) ssa.ValueID { return m.b.constant(int64(n)) }
	if len(m.offs) > 0 && m.rng.IntN(3) == 0 {
		return pick(m.rng, m.offs)
	}
	if m.rng.IntN(3) == 0 {
		return c(m.rng.IntN(objectSize - 8))
	}
	i := b.op(node.OpAnd, pick(m.rng, m.words), c(15)) // up to 15
	k := m.rng.IntN(4)
	if m.rng.IntN(3) == 0 {
		i = b.op(node.OpAdd, i, c(m.rng.IntN(8))) // up to 22
	} else if m.rng.IntN(3) == 0 {
		i = b.op(node.OpSub, i, c(-m.rng.IntN(8)))
	}
	off := i
	switch m.rng.IntN(3) {
	case 0:
		off = b.op(node.OpShl, i, c(k)) // up to 176
	case 1:
		off = b.op(node.OpMul, c(1<<k), i)
	}
	if m.rng.IntN(2) == 0 {
		off = b.op(node.OpAdd, off, c(m.rng.IntN(72)))
	}
	m.offs = append(m.offs, off)
	return off
}

func (m *memoryTest) access(op node.Op, st types.Storage, args ...ssa.ValueID) ssa.ValueID {
	v := m.b.opAux(op, int64(st), args...)
	if op == node.OpLoad && st.IsFloat() {
		m.b.f.Values[v].Class = ssa.Float
	}
	return v
}

// grow appends one thing.
func (m *memoryTest) grow() {
	st := types.Storage(m.rng.IntN(int(types.Ref)))
	ref := pick(m.rng, m.refs)
	switch m.rng.IntN(9) {
	case 0, 1:
		v := m.access(node.OpLoad, st, ref, m.offset())
		if st.IsFloat() {
			m.floats = append(m.floats, v)
			if st == types.F64 {
				m.exact = append(m.exact, v)
			}
		} else {
			m.words = append(m.words, v)
		}
	case 2:
		if st.IsFloat() {
			m.access(node.OpStore, st, ref, m.offset(), m.storable())
		} else {
			m.access(node.OpStore, st, ref, m.offset(), m.word())
		}
	case 3:
		m.modify(st, ref)
	case 4:
		m.refs = append(m.refs, m.b.opAux(node.OpNew, objectSize))
		m.access(node.OpStore, types.I8, m.refs[len(m.refs)-1], m.offset(), m.word()) // or nobody makes it
	case 5, 6:
		ops := floatOps()
		m.pure(ops[m.rng.IntN(len(ops))])
	default:
		ops := pureOps()
		if m.rng.IntN(2) == 0 {
			ops = []node.Op{node.OpAdd, node.OpSub, node.OpAnd, node.OpOr, node.OpXor, node.OpMul, node.OpEQ, node.OpLT, node.OpULE, node.OpSignExt, node.OpZeroExt, node.OpSelect}
		}
		m.pure(ops[m.rng.IntN(len(ops))])
	}
}

// modify changes a place in memory in a way that one instruction could.
func (m *memoryTest) modify(st types.Storage, ref ssa.ValueID) {
	if st.IsFloat() {
		st = types.I32
	}
	off := m.offset()
	x := m.access(node.OpLoad, st, ref, off)
	ops := []node.Op{node.OpAdd, node.OpSub, node.OpAnd, node.OpOr, node.OpXor}
	op := ops[m.rng.IntN(len(ops))]
	y := m.word()
	if m.rng.IntN(3) == 0 {
		x, y = y, x
	}
	r := m.b.op(op, x, y)
	if m.rng.IntN(2) == 0 {
		r = m.b.opAux(node.OpSignExt, 8*st.Size(), r)
	}
	m.access(node.OpStore, st, ref, off, r)
	if m.rng.IntN(4) == 0 {
		m.words = append(m.words, r)
	}
}

func (m *memoryTest) pure(op node.Op) {
	aux, arity := int64(0), op.Info().Arity-1
	if op.Info().Aux == node.AuxBits {
		aux, arity = [...]int64{8, 16, 32, int64(1 + m.rng.IntN(64))}[m.rng.IntN(4)], 1
	}
	choice := op == node.OpSelect && m.rng.IntN(2) == 0 // of floats
	var args []ssa.ValueID
	for i := range arity {
		if op.Is(node.FloatIn) || choice && i > 0 {
			args = append(args, m.float())
		} else {
			args = append(args, m.word())
		}
	}
	v := m.b.opAux(op, aux, args...)
	if op.Is(node.FloatOut) || choice {
		m.b.f.Values[v].Class = ssa.Float
		m.floats = append(m.floats, v)
	} else {
		m.words = append(m.words, v)
	}
}

// A model runs a memoryTest without package ssa. Its memory is a copy of the host's heap.
type model struct {
	f      *ssa.Func
	value  []int64
	memory []byte
	base   int64 // address of the first byte of memory
	used   int   // of memory
}

func (m *model) run(inputs []int64) int64 {
	m.value = make([]int64, len(m.f.Values))
	for i := range m.f.Values {
		v := &m.f.Values[i]
		switch x := [3]int64{m.value[v.Args[0]], m.value[v.Args[1]], m.value[v.Args[2]]}; {
		case v.Kind == ssa.Const:
			m.value[i] = v.Aux
		case v.Kind == ssa.Input:
			m.value[i] = inputs[v.Aux]
		case v.Kind != ssa.Instr:
		case v.Op == node.OpNew:
			m.value[i] = m.base + int64(m.used)
			m.used += int(v.Aux)
		case v.Op == node.OpLoad:
			m.value[i] = m.load(types.Storage(v.Aux), x[0]+x[1]-m.base)
		case v.Op == node.OpStore:
			m.store(types.Storage(v.Aux), x[0]+x[1]-m.base, x[2])
		default:
			m.value[i] = eval(v.Op, v.Aux, x)
		}
	}
	t := &m.f.Blocks[0].Term
	if m.value[t.Arg] != 0 {
		return m.value[m.f.Blocks[t.Succs[0].Block].Term.Arg]
	}
	return m.value[m.f.Blocks[t.Succs[1].Block].Term.Arg]
}

func (m *model) load(st types.Storage, at int64) int64 {
	var raw [8]byte
	copy(raw[:], m.memory[at:at+st.Size()])
	x := int64(binary.LittleEndian.Uint64(raw[:]))
	switch st {
	case types.F32:
		return bitsOf(float64(math.Float32frombits(uint32(x))))
	case types.I8, types.I16, types.I32:
		return types.Width(8 * st.Size()).Wrap(x)
	}
	return x
}

func (m *model) store(st types.Storage, at, x int64) {
	if st == types.F32 {
		x = int64(math.Float32bits(float32(math.Float64frombits(uint64(x)))))
	}
	copy(m.memory[at:at+st.Size()], binary.LittleEndian.AppendUint64(nil, uint64(x)))
}

// checkMemory compiles a random function and compares result and memory with the model's.
func checkMemory(t testing.TB, h *host, rng *rand.Rand, allocate func(*mach.Func)) error {
	t.Helper()
	m := newMemoryTest(rng)
	for range 1 + rng.IntN(25) {
		m.grow()
	}
	var f *ssa.Func
	float := rng.IntN(2) == 0
	if float {
		v, w := m.float(), m.float()
		f = m.b.branch(m.word(), v, w)
	} else {
		v, w := m.word(), m.word()
		f = m.b.branch(m.word(), v, w)
	}
	h.load(t, compile(t, f, allocate))
	for range 6 {
		for i := range 2 * objectSize {
			h.memory[hostHeap+i] = byte(rng.Uint32())
		}
		h.emptyHeap(2 * objectSize)
		p, q := h.at(hostHeap), h.at(hostHeap+objectSize*rng.IntN(2))
		inputs := []int64{p, q, randomWord(rng), randomWord(rng), randomFloat(rng), randomFloat(rng)}
		ref := &model{f: f, base: p, used: 2 * objectSize, memory: bytes.Clone(h.memory[hostHeap:hostData])}
		want := ref.run(inputs)
		got := h.callMixed(t, floatInputs(f), float, inputs...)
		if float {
			got, want = oneNaN(got), oneNaN(want)
		}
		if got != want {
			return fmt.Errorf("on %x: got %#x, want %#x\n%s", inputs, got, want, listing(t, f))
		}
		if w, g := ref.memory[:ref.used], h.memory[hostHeap:hostHeap+ref.used]; !bytes.Equal(w, g) {
			diff := cmp.Diff(w, g)
			return fmt.Errorf("on %x: memory (-want +got):\n%s\n%s", inputs, diff, listing(t, f))
		}
	}
	return nil
}

// TestRandomMemory compares straight lines with loads and stores of all widths at all
// shapes of addresses, and floats.
func TestRandomMemory(t *testing.T) {
	h := newHost(t)
	n := 3000
	if testing.Short() {
		n = 800
	}
	for seed := range uint64(n) {
		for k := range allocators(t, seed) {
			rng := rand.New(rand.NewPCG(seed, 21))
			if err := checkMemory(t, h, rng, allocators(t, seed)[k]); err != nil {
				t.Fatalf("seed %d, allocator %d: %v", seed, k, err)
			}
		}
	}
}
