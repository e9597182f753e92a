package amd64

import (
	"math"

	"shoal/codegen/mach"
	"shoal/node"
	"shoal/node/types"
	"shoal/ssa"
)

// access has for each Storage the instruction that loads it and the one that stores it;
// floats of 32 bits are converted besides.
var access = [types.NumStorages]struct{ load, store uint16 }{
	types.I8:  {LoadS8, Store8},
	types.U8:  {LoadU8, Store8},
	types.I16: {LoadS16, Store16},
	types.U16: {LoadU16, Store16},
	types.I32: {LoadS32, Store32},
	types.U32: {Load32, Store32},
	types.I64: {Load64, Store64},
	types.Ref: {Load64, Store64},
	types.F32: {LoadF32, StoreF32},
	types.F64: {LoadF64, StoreF64},
}

// storeImmediate is the instruction that stores a constant, by binary logarithm of size.
var storeImmediate = [...]uint16{Store8I, Store16I, Store32I, Store64I}

// countStores notes for each load of a block how many stores of the block come before it.
func (s *selector) countStores(body []ssa.ValueID) {
	s.stores = 0
	for _, id := range body {
		switch s.f.Values[id].Op {
		case node.OpStore:
			s.stores++
		case node.OpLoad:
			if s.epoch == nil {
				s.epoch = make([]int32, len(s.f.Values))
			}
			s.epoch[id] = s.stores
		}
	}
}

// fusableLoad returns the load v if the tile at hand may do it itself: nobody else needs
// it, and no store comes between.
func (s *selector) fusableLoad(v ssa.ValueID) *ssa.Value {
	x := s.fusable(v, node.OpLoad)
	if x == nil || s.epoch[v] != s.stores {
		return nil
	}
	return x
}

// wordOperand is where the tile at hand can read the integer v of 64 bits in memory.
func (s *selector) wordOperand(v ssa.ValueID) (Addr, bool) {
	if !s.wordInMemory(v) {
		return Addr{}, false
	}
	x := &s.f.Values[v]
	return s.address(x.Args[0], x.Args[1]), true
}

// wordInMemory tells whether wordOperand finds v.
func (s *selector) wordInMemory(v ssa.ValueID) bool {
	x := s.fusableLoad(v)
	return x != nil && (types.Storage(x.Aux) == types.I64 || types.Storage(x.Aux) == types.Ref)
}

func loadTile(s *selector, _ ssa.ValueID, v *ssa.Value, d mach.Reg) {
	s.load(d, types.Storage(v.Aux), s.address(v.Args[0], v.Args[1]))
}

// load loads from memory.
func (s *selector) load(d mach.Reg, st types.Storage, at Addr) {
	if st == types.F32 {
		t := s.tempF()
		s.emitMem(LoadF32, at, t)
		s.emit(Cvtss2sd, d, t, t)
		return
	}
	s.emitMem(access[st].load, at, d)
}

// extendingLoad is the extension of the low bits of x as a load, if x is one of as many
// bits or more that is not needed otherwise: the low bits come first in memory.
func (s *selector) extendingLoad(d mach.Reg, x ssa.ValueID, bits int64, signed bool) bool {
	l := s.fusableLoad(x)
	if l == nil || !types.Storage(l.Aux).IsInt() || 8*types.Storage(l.Aux).Size() < bits {
		return false
	}
	for st := types.I8; st <= types.U32; st++ {
		if lo, _ := st.Range().Bounds(); 8*st.Size() == bits && (lo < 0) == signed {
			s.load(d, st, s.address(l.Args[0], l.Args[1]))
			return true
		}
	}
	return false
}

// storeTile stores a value; it has no register for a result.
func storeTile(s *selector, _ ssa.ValueID, v *ssa.Value, _ mach.Reg) {
	st, x := types.Storage(v.Aux), v.Args[2]
	if st.IsFloat() {
		s.storeFloat(st, v)
		return
	}
	x = s.lowBits(x, 8*st.Size())
	if s.modify(st, v, x) {
		return
	}
	if c, ok := s.constant(x); ok && (st.Size() < 8 || fits32(c)) {
		s.storeConstant(st, v, c)
		return
	}
	at := s.address(v.Args[0], v.Args[1])
	s.emitMem(access[st].store, at, s.reg(x))
}

// storeConstant stores the low bits of c.
func (s *selector) storeConstant(st types.Storage, v *ssa.Value, c int64) {
	s.emitMem(storeImmediate[st.Log2()], s.address(v.Args[0], v.Args[1]))
	s.buf[len(s.buf)-1].Imm = types.Width(8 * st.Size()).Wrap(c)
}

// storeFloat stores a float.
func (s *selector) storeFloat(st types.Storage, v *ssa.Value) {
	x := v.Args[2]
	if c, ok := s.constant(x); ok {
		if st == types.F32 {
			s.storeConstant(st, v, int64(math.Float32bits(float32(math.Float64frombits(uint64(c))))))
			return
		}
		if fits32(c) {
			s.storeConstant(st, v, c)
			return
		}
		at := s.address(v.Args[0], v.Args[1])
		s.emitMem(Store64, at, s.makeConstant(c))
		return
	}
	if st == types.F64 {
		at := s.address(v.Args[0], v.Args[1])
		s.emitMem(StoreF64, at, s.reg(x))
		return
	}
	t := s.tempF()
	if l := s.fusableLoad(x); l != nil && types.Storage(l.Aux) == types.F32 {
		s.emitMem(LoadF32, s.address(l.Args[0], l.Args[1]), t)
	} else {
		if round := s.fusable(x, node.OpRoundF32); round != nil {
			x = round.Args[0]
		}
		r := s.reg(x)
		s.emit(Cvtsd2ss, t, r, r)
	}
	s.emitMem(StoreF32, s.address(v.Args[0], v.Args[1]), t)
}

// maxExtensions bounds how many extensions lowBits looks through.
const maxExtensions = 4

// lowBits looks through what does not change the low bits of v: masks and extensions.
func (s *selector) lowBits(v ssa.ValueID, bits int64) ssa.ValueID {
	for range maxExtensions {
		x := &s.f.Values[v]
		if x.Kind != ssa.Instr || s.regs[v] != mach.NoReg {
			break
		}
		switch x.Op {
		case node.OpSignExt, node.OpZeroExt:
			if x.Aux < bits {
				return v
			}
			v = x.Args[0]
		case node.OpAnd:
			a, b := s.constantLast(x)
			mask := int64(-1)
			if bits < 64 {
				mask = 1<<bits - 1
			}
			if c, ok := s.constant(b); !ok || c&mask != mask {
				return v
			}
			v = a
		default:
			return v
		}
	}
	return v
}

// modifying has for an op whose low bits depend on low bits alone the instructions that
// apply it to memory, by binary logarithm of size: with a register and with a constant.
var modifying = [node.NumOps]*[4]struct{ mr, mi uint16 }{
	node.OpAdd: {{Add8MR, Add8MI}, {Add16MR, Add16MI}, {Add32MR, Add32MI}, {AddMR, AddMI}},
	node.OpSub: {{Sub8MR, Sub8MI}, {Sub16MR, Sub16MI}, {Sub32MR, Sub32MI}, {SubMR, SubMI}},
	node.OpAnd: {{And8MR, And8MI}, {And16MR, And16MI}, {And32MR, And32MI}, {AndMR, AndMI}},
	node.OpOr:  {{Or8MR, Or8MI}, {Or16MR, Or16MI}, {Or32MR, Or32MI}, {OrMR, OrMI}},
	node.OpXor: {{Xor8MR, Xor8MI}, {Xor16MR, Xor16MI}, {Xor32MR, Xor32MI}, {XorMR, XorMI}},
}

// modify emits the store v of x as one instruction on memory if x is an operation on what
// is there.
func (s *selector) modify(st types.Storage, v *ssa.Value, x ssa.ValueID) bool {
	if s.f.Values[x].Kind != ssa.Instr {
		return false
	}
	op := s.f.Values[x].Op
	forms := modifying[op]
	operation := s.fusable(x, op)
	if forms == nil || operation == nil {
		return false
	}
	a, b := operation.Args[0], operation.Args[1]
	if !s.loadsFrom(a, st, v) {
		if op == node.OpSub || !s.loadsFrom(b, st, v) {
			return false
		}
		a, b = b, a
	}
	bits := 8 * st.Size()
	b = s.lowBits(b, bits)
	form := forms[st.Log2()]
	if c, ok := s.constant(b); ok {
		c = types.Width(bits).Wrap(c)
		if fits32(c) && (st.Log2() != 1 || fits8(c)) {
			s.emitMem(form.mi, s.address(v.Args[0], v.Args[1]))
			s.buf[len(s.buf)-1].Imm = c
			return true
		}
	}
	at := s.address(v.Args[0], v.Args[1])
	s.emitMem(form.mr, at, s.reg(b))
	return true
}

// loadsFrom tells whether v is a load, not needed otherwise, from where the store writes.
func (s *selector) loadsFrom(v ssa.ValueID, st types.Storage, store *ssa.Value) bool {
	l := s.fusableLoad(v)
	if l == nil {
		return false
	}
	from := types.Storage(l.Aux)
	return !from.IsFloat() && from.Size() == st.Size() && s.same(l.Args[0], store.Args[0]) && s.same(l.Args[1], store.Args[1])
}

// compareLoad compares the integer v, a load that is not needed otherwise, with a constant
// where it is, and returns the condition for "v cond c".
func (s *selector) compareLoad(cond uint8, v ssa.ValueID, c int64) (uint8, bool) {
	x := s.fusableLoad(v)
	if x == nil {
		return 0, false
	}
	st := types.Storage(x.Aux)
	op := compareImmediate[st.Log2()]
	if op == 0 || st.IsFloat() || st.Size() == 8 && !fits32(c) || st.Size() < 8 && !st.Range().Contains(c) {
		return 0, false
	}
	if st == types.U8 || st == types.U32 {
		cond = unsigned[cond]
	}
	s.emitMem(op, s.address(x.Args[0], x.Args[1]))
	s.buf[len(s.buf)-1].Imm = types.Width(8 * st.Size()).Wrap(c)
	return cond, true
}

// compareImmediate compares memory with a constant, by binary logarithm of size. There is
// none for 16 bits: the constant would have 16 bits too, which decoders are slow to read.
var compareImmediate = [...]uint16{0: Cmp8MI, 2: Cmp32MI, 3: CmpMI}

// unsigned is each condition as it has to be asked of a zero-extended number that is only
// compared in its own width.
var unsigned = [16]uint8{
	CondE: CondE, CondNE: CondNE, CondB: CondB, CondAE: CondAE, CondBE: CondBE, CondA: CondA,
	CondL: CondB, CondGE: CondAE, CondLE: CondBE, CondG: CondA,
}

// testLoad tests bits of the integer v, a load that is not needed otherwise, where it is;
// with equality only whether any of them is set matters, not the sign.
func (s *selector) testLoad(v ssa.ValueID, c int64, equality bool) bool {
	x := s.fusableLoad(v)
	if x == nil || !types.Storage(x.Aux).IsInt() {
		return false
	}
	size, op := types.Storage(x.Aux).Size(), Test8MI
	switch {
	case c >= 0 && c <= math.MaxInt8 || c >= 0 && c <= math.MaxUint8 && equality:
	case c >= 0 && c <= math.MaxInt32 && size >= 4:
		op = Test32MI
	default:
		return false
	}
	s.emitMem(op, s.address(x.Args[0], x.Args[1]))
	s.buf[len(s.buf)-1].Imm = c
	return true
}
