package amd64

import "shoal/codegen/mach"

// Frame finishes an allocated function. From the top of the stack down a frame is: the
// caller's inputs beyond the sixth, the return address, saved registers, spill slots.
// A function that calls nothing and has few slots keeps them below the stack pointer, in
// the red zone (System V ABI, section 3.2.2), and does not move it.
func (Target) Frame(f *mach.Func) {
	fr := newFrame(f)
	fr.prologue()
	expands := false
	for i := range f.Blocks {
		expands = fr.finish(&f.Blocks[i]) || expands
		fr.epilogue(&f.Blocks[i])
	}
	if expands {
		expand(f)
	}
	dropCompares(f)
}

// redZone is the number of bytes below the stack pointer that nobody else touches.
const redZone = 128

// A frame is the stack frame of one function.
type frame struct {
	f      *mach.Func
	saved  []mach.Reg // pushed in this order
	local  int32      // bytes that the stack pointer moves for slots
	slot0  int32      // distance from the stack pointer to slot 0
	growth int32      // distance from a slot to the next
	inputs int32      // distance from the stack pointer to the first input on the stack
}

func newFrame(f *mach.Func) *frame {
	fr := &frame{f: f}
	for _, r := range savedRegs {
		if f.Used.Has(r) {
			fr.saved = append(fr.saved, r)
		}
	}
	bytes, saves := int32(8*f.Slots), int32(8*len(fr.saved))
	calls, allocates := calls(f)
	if bytes <= redZone && !calls && !allocates {
		fr.slot0, fr.growth = -8, -8
	} else {
		fr.slot0, fr.growth = 0, 8
		fr.local = bytes
		if calls && (8+saves+bytes)%16 != 0 {
			fr.local += 8 // calls want the stack pointer to be a multiple of 16
		}
	}
	fr.inputs = fr.local + saves + 8
	return fr
}

// calls tells whether f calls anything, and whether it allocates objects: that calls a stub
// which needs no alignment but writes below the stack pointer.
func calls(f *mach.Func) (calls, allocates bool) {
	for i := range f.Blocks {
		for k := range f.Blocks[i].Insts {
			switch f.Blocks[i].Insts[k].Op {
			case Call, CallR:
				calls = true
			case NewObject, NewArray:
				allocates = true
			}
		}
	}
	return calls, allocates
}

// pageSize is the size of a page of memory in bytes. A large frame touches its pages in
// order, so that a stack overflow is met at the guard page and not somewhere beyond it.
const pageSize = 4096

// prologue saves registers and makes room for the slots.
func (fr *frame) prologue() {
	var pre []mach.Inst
	for _, r := range fr.saved {
		pre = append(pre, New(Push, r))
	}
	for at := int32(pageSize); at < fr.local; at += pageSize {
		pre = append(pre, NewMem(TestMR, Addr{Base: RSP, Disp: -at}, RSP))
	}
	if fr.local > 0 {
		pre = append(pre, NewI(SubRI, int64(fr.local), RSP, RSP))
	}
	if len(pre) == 0 {
		return
	}
	entry := &fr.f.Blocks[0]
	entry.Insts = append(pre, entry.Insts...)
	entry.Branch += len(pre)
}

// epilogue undoes the prologue before a return.
func (fr *frame) epilogue(b *mach.Block) {
	n := len(b.Insts)
	if n == 0 || len(fr.saved) == 0 && fr.local == 0 {
		return
	}
	ret := b.Insts[n-1]
	if ret.Op != Ret && ret.Op != RetVal && ret.Op != RetValF {
		return
	}
	insts := b.Insts[:n-1]
	if fr.local > 0 {
		insts = append(insts, NewI(AddRI, int64(fr.local), RSP, RSP))
	}
	for i := len(fr.saved) - 1; i >= 0; i-- {
		insts = append(insts, New(Pop, fr.saved[i]))
	}
	b.Branch = len(insts)
	b.Insts = append(insts, ret)
}

// finish replaces pseudo-instructions by real ones and improves what allocation left, in
// one backward walk that knows whether the flags are live. They never are between blocks.
// It tells whether there is something to expand.
func (fr *frame) finish(b *mach.Block) (expands bool) {
	live := false
	kept := len(b.Insts) // Insts[kept:] are finished
	branch := len(b.Insts) - b.Branch
	for i := len(b.Insts) - 1; i >= 0; i-- {
		in := &b.Insts[i]
		if isNop(in) {
			continue
		}
		fr.address(in)
		if !live {
			improve(in)
		}
		expands = expands || expansions[in.Op] != nil
		live = forms[in.Op].flags&readsFlags != 0 || live && forms[in.Op].flags&writesFlags == 0
		kept--
		if kept != i {
			b.Insts[kept] = *in
		}
	}
	b.Insts = b.Insts[kept:]
	b.Branch = len(b.Insts) - branch
	return expands
}

// isNop tells whether in copies a register to itself. A 32-bit copy is no such thing.
func isNop(in *mach.Inst) bool {
	return (in.Op == MovRR || in.Op == MovapsRR) && in.Args[0].Reg == in.Args[1].Reg
}

// address makes addresses of spill slots and stack inputs.
func (fr *frame) address(in *mach.Inst) {
	switch in.Op {
	case Reload, Spill, ReloadF, SpillF:
		in.Disp = fr.slot0 + in.Disp*fr.growth
		in.Op = realOp[in.Op]
	case LoadInput, LoadInputF:
		in.Disp += fr.inputs
		in.Op = realOp[in.Op]
	}
}

// realOp are the machine's ops for pseudo-instructions on the stack.
var realOp = [...]uint16{Reload: Load64, Spill: Store64, ReloadF: LoadF64, SpillF: StoreF64, LoadInput: Load64, LoadInputF: LoadF64}

// improve replaces an instruction by a shorter one that writes the flags, which nobody
// reads here.
func improve(in *mach.Inst) {
	switch {
	case in.Op == Mov32RI && in.Imm == 0:
		in.Op = Zero
	case in.Op == Lea && in.Sym == 0:
		improveLea(in)
	}
}

// improveLea makes an addition of a lea that adds to its own destination. Selection uses
// lea where it does not know yet whether an operand dies.
func improveLea(in *mach.Inst) {
	d, a := in.Args[0].Reg, addrOf(in, 1)
	other := mach.NoReg
	switch {
	case a.Base == mach.NoReg || a.Scale > 1:
		return
	case a.Index == mach.NoReg && a.Base == d:
		in.Op, in.Imm = AddRI, int64(a.Disp)
		if a.Disp == 128 { // fits a byte the other way round
			in.Op, in.Imm = SubRI, -128
		}
	case a.Index == mach.NoReg || a.Disp != 0:
		return
	case a.Base == d:
		other = a.Index
	case a.Index == d:
		other = a.Base
	default:
		return
	}
	in.Disp, in.Scale = 0, 0
	if other == mach.NoReg {
		in.Args = append(in.Args[:0], mach.Operand{Reg: d, Role: mach.Def, Tied: 2}, mach.Operand{Reg: d})
		return
	}
	in.Op = AddRR
	in.Args = append(in.Args[:0], mach.Operand{Reg: d, Role: mach.Def, Tied: 2}, mach.Operand{Reg: d}, mach.Operand{Reg: other})
}
