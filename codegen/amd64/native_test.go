//go:build linux && amd64

package amd64

import (
	"encoding/binary"
	"fmt"
	"math"
	"syscall"
	"testing"
	"unsafe"

	"shoal/codegen/mach"
	"shoal/ssa"
)

// A host runs encoded functions in this process, on a stack of their own. The memory is
// one mapping: the way in, then the code; the stack; the words that both sides know.
type host struct {
	memory []byte
	enter  func(code, words, top uintptr)
}

const (
	hostCode  = 4096     // offset of the code under test, after the way in
	hostStack = 32 << 20 // end of the stack
	hostWords = hostStack
	hostHeap  = hostWords + 4096 // objects; its variables are at the end of the words
	hostData  = hostHeap + 1<<14 // constants
	hostSize  = hostData + 1<<20

	// Words that both sides know, besides those of hostEnter.
	hostHeapVariables = hostWords + 2048

	// Below the end of the stack are the caller's stack pointer, the address of the
	// words, and room for inputs on the stack.
	hostInputs = 80
)

// hostEnter is called with rax, rbx and rcx set to code, words and top of the stack, as
// compiled Go code passes them. It loads the inputs, integers and floats, and gives the
// registers that a function saves known values, which it stores after the call with both
// kinds of result. Go wants xmm15 to be zero. Assembled by hand, for it tests the encoder.
var hostEnter = []byte{
	0x55,       // push rbp
	0x41, 0x56, //       push r14
	0x48, 0x89, 0x61, 0xf8, // mov [rcx-8], rsp
	0x48, 0x89, 0x59, 0xf0, // mov [rcx-16], rbx
	0x48, 0x8d, 0x61, 0xb0, // lea rsp, [rcx-80]
	0x49, 0x89, 0xc3, //       mov r11, rax
	0x48, 0x8b, 0x3b, //       mov rdi, [rbx]
	0x48, 0x8b, 0x73, 0x08, // mov rsi, [rbx+8]
	0x48, 0x8b, 0x53, 0x10, // mov rdx, [rbx+16]
	0x48, 0x8b, 0x4b, 0x18, // mov rcx, [rbx+24]
	0x4c, 0x8b, 0x43, 0x20, // mov r8, [rbx+32]
	0x4c, 0x8b, 0x4b, 0x28, // mov r9, [rbx+40]
	0xf2, 0x0f, 0x10, 0x83, 0, 1, 0, 0, // movsd xmm0, [rbx+256]
	0xf2, 0x0f, 0x10, 0x8b, 8, 1, 0, 0, // movsd xmm1, [rbx+264]
	0xf2, 0x0f, 0x10, 0x93, 16, 1, 0, 0, // movsd xmm2, [rbx+272]
	0xf2, 0x0f, 0x10, 0x9b, 24, 1, 0, 0, // movsd xmm3, [rbx+280]
	0xf2, 0x0f, 0x10, 0xa3, 32, 1, 0, 0, // movsd xmm4, [rbx+288]
	0xf2, 0x0f, 0x10, 0xab, 40, 1, 0, 0, // movsd xmm5, [rbx+296]
	0xf2, 0x0f, 0x10, 0xb3, 48, 1, 0, 0, // movsd xmm6, [rbx+304]
	0xf2, 0x0f, 0x10, 0xbb, 56, 1, 0, 0, // movsd xmm7, [rbx+312]
	0x48, 0xc7, 0xc3, 1, 1, 1, 1, // mov rbx, 0x01010101
	0x48, 0xc7, 0xc5, 2, 1, 1, 1, // mov rbp, 0x01010102
	0x49, 0xc7, 0xc4, 3, 1, 1, 1, // mov r12, 0x01010103
	0x49, 0xc7, 0xc5, 4, 1, 1, 1, // mov r13, 0x01010104
	0x49, 0xc7, 0xc6, 5, 1, 1, 1, // mov r14, 0x01010105
	0x49, 0xc7, 0xc7, 6, 1, 1, 1, // mov r15, 0x01010106
	0x41, 0xff, 0xd3, //             call r11
	0x48, 0x8b, 0x74, 0x24, 0x40, // mov rsi, [rsp+64]
	0x48, 0x89, 0x46, 0x30, //       mov [rsi+48], rax
	0x48, 0x89, 0x5e, 0x38, //       mov [rsi+56], rbx
	0x48, 0x89, 0x6e, 0x40, //       mov [rsi+64], rbp
	0x4c, 0x89, 0x66, 0x48, //       mov [rsi+72], r12
	0x4c, 0x89, 0x6e, 0x50, //       mov [rsi+80], r13
	0x4c, 0x89, 0x76, 0x58, //       mov [rsi+88], r14
	0x4c, 0x89, 0x7e, 0x60, //       mov [rsi+96], r15
	0xf2, 0x0f, 0x11, 0x46, 0x68, // movsd [rsi+104], xmm0
	0x45, 0x0f, 0x57, 0xff, //       xorps xmm15, xmm15
	0x48, 0x8b, 0x64, 0x24, 0x48, // mov rsp, [rsp+72]
	0x41, 0x5e, // pop r14
	0x5d, //       pop rbp
	0xc3, //       ret
}

func newHost(t testing.TB) *host {
	t.Helper()
	m, err := syscall.Mmap(-1, 0, hostSize, syscall.PROT_READ|syscall.PROT_WRITE|syscall.PROT_EXEC,
		syscall.MAP_PRIVATE|syscall.MAP_ANON|syscall.MAP_NORESERVE)
	if err != nil {
		t.Skipf("no memory to run code in: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Munmap(m); err != nil {
			t.Error(err)
		}
	})
	h := &host{memory: m}
	copy(m, hostEnter)
	start := &m[0]
	code := &start
	h.enter = *(*func(code, words, top uintptr))(unsafe.Pointer(&code))
	return h
}

// load puts code into memory, and the constants that it names.
func (h *host) load(t testing.TB, c *mach.Code) {
	t.Helper()
	if hostCode+len(c.Bytes) > hostStack/2 {
		t.Fatalf("%s: %d bytes of code are too many", c.Name, len(c.Bytes))
	}
	copy(h.memory[hostCode:], c.Bytes)
	data := hostData
	for _, r := range c.Relocs {
		to := hostHeapVariables
		if d, ok := ConstantDatum(r.Symbol); ok {
			data += int(-int64(data) & (d.Align - 1))
			to = data
			data += copy(h.memory[data:], d.Bytes)
		} else if r.Symbol == FaultPrefix+"memory" {
			to = hostCode + len(c.Bytes)
			h.memory[to] = 0xcc // int3: the heap is never full here
		} else if r.Symbol != Heap {
			t.Fatalf("%s: code that names %s cannot run here", c.Name, r.Symbol)
		}
		at := hostCode + r.Offset
		binary.LittleEndian.PutUint32(h.memory[at:], uint32(int64(to-at)+r.Addend))
	}
}

// at is the address of the byte at an offset of the memory.
func (h *host) at(offset int) int64 { return int64(uintptr(unsafe.Pointer(&h.memory[offset]))) }

// emptyHeap makes the heap from offset used on empty and zero.
func (h *host) emptyHeap(used int) {
	clear(h.memory[hostHeap+used : hostData])
	binary.LittleEndian.PutUint64(h.memory[hostHeapVariables+heapNext:], uint64(h.at(hostHeap+used)))
	binary.LittleEndian.PutUint64(h.memory[hostHeapVariables+heapLimit:], uint64(h.at(hostData-8)))
}

// floatWords and floatResult are where hostEnter has floats, in bytes from the words.
const (
	floatWords  = 256
	floatResult = 104
)

// call runs the loaded function on integers.
func (h *host) call(t testing.TB, inputs ...int64) int64 {
	t.Helper()
	return h.callMixed(t, make([]bool, len(inputs)), false, inputs...)
}

// callMixed runs the loaded function. Floats among the inputs, and the result if it is one,
// are their bits. The registers of floats start as NaN where no input is.
func (h *host) callMixed(t testing.TB, floats []bool, floatResultWanted bool, inputs ...int64) int64 {
	t.Helper()
	words := h.memory[hostWords:]
	for i := range floatInputRegs {
		binary.LittleEndian.PutUint64(words[floatWords+8*i:], math.MaxUint64)
	}
	nwords, nfloats, nstack := 0, 0, 0
	for i, x := range inputs {
		var at []byte
		switch {
		case floats[i] && nfloats < floatInputRegs:
			at = words[floatWords+8*nfloats:]
			nfloats++
		case !floats[i] && nwords < len(inputRegs):
			at = words[8*nwords:]
			nwords++
		default:
			at = h.memory[hostStack-hostInputs+8*nstack:]
			nstack++
		}
		binary.LittleEndian.PutUint64(at, uint64(x))
	}
	base := uintptr(unsafe.Pointer(&h.memory[0]))
	h.enter(base+hostCode, base+hostWords, base+hostStack)
	for i, r := range []mach.Reg{RBX, RBP, R12, R13, R14, R15} {
		if got, want := binary.LittleEndian.Uint64(words[56+8*i:]), uint64(0x01010101+i); got != want {
			t.Fatalf("the function changed %s to %#x", regFile.Names[r], got)
		}
	}
	result := words[48:]
	if floatResultWanted {
		result = words[floatResult:]
	}
	return int64(binary.LittleEndian.Uint64(result))
}

// compile makes code of f with the given allocator.
func compile(t testing.TB, f *ssa.Func, allocate func(*mach.Func)) *mach.Code {
	t.Helper()
	m, err := Target{}.Select(f)
	if err != nil {
		t.Fatal(err)
	}
	checkSelected(t, m)
	allocate(m)
	Target{}.Frame(m)
	c, err := Target{}.Encode(m)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// checkSelected checks what selection promises to allocation: every virtual register is
// defined once, by an instruction, a parameter or its Remat; the branch group has no
// two-address or fixed definition in its middle; edges match parameters.
func checkSelected(t testing.TB, m *mach.Func) {
	t.Helper()
	defs := make([]int, len(m.Values))
	define := func(r mach.Reg) {
		if r.Virtual() {
			defs[r-mach.FirstVirtual]++
		}
	}
	for b := range m.Blocks {
		block := &m.Blocks[b]
		for _, p := range block.Params {
			define(p)
		}
		for i := range block.Insts {
			in := &block.Insts[i]
			for k := range in.Args {
				if in.Args[k].Role == mach.Use {
					continue
				}
				define(in.Args[k].Reg)
				if i > block.Branch {
					t.Fatalf("%s: block %d: %q defines a register amid the branch", m.Name, b, appendInst(nil, in))
				}
			}
		}
		for _, e := range block.Succs {
			if got, want := len(e.Args), len(m.Blocks[e.Block].Params); got != want {
				t.Fatalf("%s: edge from %d to %d passes %d values for %d parameters", m.Name, b, e.Block, got, want)
			}
		}
	}
	use := func(where string, r mach.Reg) {
		if r.Virtual() && defs[r-mach.FirstVirtual] == 0 && m.Value(r).Remat == nil {
			t.Fatalf("%s: v%d is used by %s and defined nowhere", m.Name, r-mach.FirstVirtual+1, where)
		}
	}
	for b := range m.Blocks {
		block := &m.Blocks[b]
		for i := range block.Insts {
			for _, a := range block.Insts[i].Args {
				use(string(appendInst(nil, &block.Insts[i])), a.Reg)
			}
		}
		for _, e := range block.Succs {
			for _, r := range e.Args {
				use("an edge", r)
			}
		}
	}
	for v, n := range defs {
		if n > 1 {
			t.Fatalf("%s: v%d is defined %d times", m.Name, v+1, n)
		}
	}
}

// A spiller is a register allocator without any cleverness, for tests: every virtual
// register lives in a slot of its own, is loaded right before each use and stored right
// after its definition. It picks registers by lot among those that an operand allows, so
// that what one choice hides another shows.
type spiller struct {
	m     *mach.Func
	seed  uint64
	out   []mach.Inst
	temps int // first slot for the values of an edge under way
}

// spillAll allocates m.
func spillAll(seed uint64) func(*mach.Func) {
	return func(m *mach.Func) {
		s := &spiller{m: m, seed: seed, temps: len(m.Values)}
		for b, n := 0, len(m.Blocks); b < n; b++ {
			s.block(b)
		}
		for b := range m.Blocks {
			m.Blocks[b].Params = nil
		}
		m.LinkPreds()
	}
}

func (s *spiller) random() uint64 {
	s.seed ^= s.seed << 13
	s.seed ^= s.seed >> 7
	s.seed ^= s.seed << 17
	return s.seed
}

// pick chooses one register of a set, which is not empty.
func (s *spiller) pick(set mach.RegSet, what string) mach.Reg {
	var regs []mach.Reg
	for _, c := range regFile.Allocatable {
		for _, r := range c {
			if set.Has(r) {
				regs = append(regs, r)
			}
		}
	}
	if len(regs) == 0 {
		panic(fmt.Sprintf("spillAll: %s: no register for %s", s.m.Name, what))
	}
	return regs[s.random()%uint64(len(regs))]
}

func slot(r mach.Reg) int { return int(r - mach.FirstVirtual) }

// load appends what brings v into the physical register r.
func (s *spiller) load(r, v mach.Reg) {
	s.m.Used |= mach.Of(r)
	if remat := s.m.Value(v).Remat; remat != nil {
		in := *remat
		in.Args = []mach.Operand{{Reg: r, Role: mach.Def}}
		s.out = append(s.out, in)
		return
	}
	s.out = append(s.out, Target{}.Load(s.m.Value(v).Class, r, slot(v)))
}

// registers are those that can hold v.
func (s *spiller) registers(v mach.Reg) mach.RegSet {
	return mach.Of(regFile.Allocatable[s.m.Value(v).Class]...)
}

func (s *spiller) block(b int) {
	block := &s.m.Blocks[b]
	s.out = nil
	for i := 0; i < block.Branch; i++ {
		stores := s.inst(&block.Insts[i])
		s.out = append(s.out, block.Insts[i])
		s.out = append(s.out, stores...)
	}
	for i := block.Branch; i < len(block.Insts); i++ {
		if stores := s.inst(&block.Insts[i]); stores != nil {
			panic(fmt.Sprintf("spillAll: %s: the branch defines something", s.m.Name))
		}
	}
	group := block.Insts[block.Branch:]
	if len(block.Succs) == 1 {
		s.edge(&block.Succs[0])
	}
	block.Branch = len(s.out)
	block.Insts = append(s.out, group...)
	for k := range block.Succs {
		e := &s.m.Blocks[b].Succs[k]
		if len(e.Args) == 0 {
			continue
		}
		s.out = nil
		s.edge(e)
		split := mach.Block{Insts: s.out, Branch: len(s.out), Succs: []mach.Edge{{Block: e.Block}}}
		e.Block, e.Args = int32(len(s.m.Blocks)), nil
		s.m.Blocks = append(s.m.Blocks, split)
	}
}

// edge appends the parallel copy of an edge, by way of temporary slots.
func (s *spiller) edge(e *mach.Edge) {
	params := s.m.Blocks[e.Block].Params
	transit := [mach.NumClasses]mach.Reg{mach.General: RAX, mach.Float: XMM0}
	for i, a := range e.Args {
		c := s.m.Value(a).Class
		s.load(transit[c], a)
		s.out = append(s.out, Target{}.Store(c, s.temps+i, transit[c]))
	}
	for i, p := range params {
		c := s.m.Value(p).Class
		r := transit[c]
		s.out = append(s.out, Target{}.Load(c, r, s.temps+i), Target{}.Store(c, slot(p), r))
		s.m.Used |= mach.Of(r)
	}
	s.m.Slots = max(s.m.Slots, s.temps+len(e.Args))
	e.Args = nil
}

// inst gives the operands of in registers, appends the loads that it needs and returns the
// stores.
func (s *spiller) inst(in *mach.Inst) (stores []mach.Inst) {
	s.m.Slots = max(s.m.Slots, s.temps)
	s.m.Used |= in.Clobber
	at := s.uses(in)
	defs := s.defs(in, at)
	args := append([]mach.Operand(nil), in.Args...)
	for k, a := range in.Args {
		switch {
		case !a.Reg.Virtual():
		case a.Role == mach.Use:
			args[k].Reg = at[a.Reg]
		default:
			args[k].Reg = defs[k]
			stores = append(stores, Target{}.Store(s.m.Value(a.Reg).Class, slot(a.Reg), defs[k]))
		}
	}
	in.Args = args
	return stores
}

// isFixed tells whether a set has one register only.
func isFixed(set mach.RegSet) bool { return set&(set-1) == 0 }

// allowed is what all operands of in together allow for the virtual register v that it
// uses.
func (s *spiller) allowed(in *mach.Inst, v mach.Reg) mach.RegSet {
	set := s.registers(v)
	for _, a := range in.Args {
		tied := a.Role != mach.Use && a.Tied != 0 && in.Args[a.Tied-1].Reg == v
		if a.Allow != 0 && (tied || a.Role == mach.Use && a.Reg == v) {
			set &= a.Allow
		}
	}
	return set
}

// uses chooses and loads a register for each virtual register that in uses, those without
// a choice first.
func (s *spiller) uses(in *mach.Inst) map[mach.Reg]mach.Reg {
	at := map[mach.Reg]mach.Reg{}
	var taken mach.RegSet
	for _, fixed := range [...]bool{true, false} {
		for _, a := range in.Args {
			if a.Role != mach.Use || !a.Reg.Virtual() || at[a.Reg] != 0 || fixed != isFixed(s.allowed(in, a.Reg)) {
				continue
			}
			r := s.pick(s.allowed(in, a.Reg)&^taken, string(appendInst(nil, in)))
			at[a.Reg] = r
			taken |= mach.Of(r)
			s.load(r, a.Reg)
		}
	}
	return at
}

// defs chooses a register for each definition, by index in Args: tied ones first, then
// those without a choice, then the others.
func (s *spiller) defs(in *mach.Inst, at map[mach.Reg]mach.Reg) map[int]mach.Reg {
	defs := map[int]mach.Reg{}
	var defined, used mach.RegSet
	for _, a := range in.Args {
		used |= mach.Of(at[a.Reg])
	}
	for round := range 3 {
		for k, a := range in.Args {
			if a.Role == mach.Use || !a.Reg.Virtual() || defs[k] != 0 {
				continue
			}
			set := s.registers(a.Reg)
			if a.Allow != 0 {
				set = a.Allow
			}
			if a.Tied != 0 {
				set &= mach.Of(at[in.Args[a.Tied-1].Reg])
			}
			if round == 0 && a.Tied == 0 || round == 1 && !isFixed(set) {
				continue
			}
			avoid := defined
			if a.Role == mach.EarlyDef && a.Tied == 0 {
				avoid |= used
			}
			r := s.pick(set&^avoid, string(appendInst(nil, in)))
			defs[k] = r
			defined |= mach.Of(r)
			s.m.Used |= mach.Of(r)
		}
	}
	return defs
}
