//go:build linux && amd64

package amd64

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"shoal/codegen/mach"
	"shoal/node"
	"shoal/ssa"
)

// text is the instructions of block b of m, one a line.
func text(m *mach.Func, b int) string {
	var s strings.Builder
	for i := range m.Blocks[b].Insts {
		s.Write(appendInst(nil, &m.Blocks[b].Insts[i]))
		s.WriteByte('\n')
	}
	return s.String()
}

// TestFrame pins prologues and epilogues.
func TestFrame(t *testing.T) {
	call := NewSym(Call, 0)
	for _, tt := range []struct {
		name  string
		slots int
		used  mach.RegSet
		insts []mach.Inst
		want  string
	}{
		{"nothing to do", 0, mach.Of(RAX), nil, "ret\n"},
		{"red zone", 16, 0, []mach.Inst{Target{}.Store(mach.General, 15, RAX)}, "mov [rsp-128], rax\nret\n"},
		{"more than the red zone", 17, 0, []mach.Inst{Target{}.Store(mach.General, 16, RAX)}, "sub rsp, 136\nmov [rsp+128], rax\nadd rsp, 136\nret\n"},
		{"saved registers", 0, mach.Of(RBX, R12, RCX), nil, "push rbx\npush r12\npop r12\npop rbx\nret\n"},
		{"a call wants 16 bytes", 0, 0, []mach.Inst{call}, "sub rsp, 8\ncall sym0\nadd rsp, 8\nret\n"},
		{"a call with an odd number of words", 2, mach.Of(RBX), []mach.Inst{call}, "push rbx\nsub rsp, 16\ncall sym0\nadd rsp, 16\npop rbx\nret\n"},
		{"large frames touch their pages", 1025, 0, nil, "test [rsp-4096], rsp\ntest [rsp-8192], rsp\nsub rsp, 8200\nadd rsp, 8200\nret\n"},
		{"copies to itself go", 0, 0, []mach.Inst{New(MovRR, RAX, RAX), New(Mov32RR, RAX, RAX)}, "mov eax, eax\nret\n"},
		{"zero where flags are dead", 0, 0, []mach.Inst{MovImm(RAX, 0)}, "xor eax, eax\nret\n"},
		{
			"zero where flags are live", 0, 0,
			[]mach.Inst{New(CmpRR, RCX, RDX), MovImm(RAX, 0), {Op: Setcc, Cond: CondE, Args: New(Setcc, RAX, RAX).Args}},
			"cmp rcx, rdx\nmov eax, 0\nsete al\nret\n",
		},
		{"input on the stack", 0, mach.Of(RBX), []mach.Inst{NewMem(LoadInput, Addr{Base: RSP, Disp: 8}, RAX)}, "push rbx\nmov rax, [rsp+24]\npop rbx\nret\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			insts := append(append([]mach.Inst(nil), tt.insts...), New(Ret))
			m := &mach.Func{Slots: tt.slots, Used: tt.used, Syms: []string{"f"}, Blocks: []mach.Block{{Insts: insts, Branch: len(insts) - 1}}}
			Target{}.Frame(m)
			if diff := cmp.Diff(tt.want, text(m, 0)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// selected are small programs and the mnemonics that their first block becomes, but for
// the inputs.
var selected = []struct {
	name string
	make func(b *builder, x, y, z ssa.ValueID) *ssa.Func
	want []string
}{
	{"dead values make nothing", func(b *builder, x, y, _ ssa.ValueID) *ssa.Func {
		b.op(node.OpDiv, x, y)
		return b.ret(x)
	}, []string{"ret"}},
	{"compare and branch", func(b *builder, x, y, z ssa.ValueID) *ssa.Func {
		return b.branch(b.op(node.OpLT, x, y), x, z)
	}, []string{"cmp", "jl"}},
	{"negated compare and branch", func(b *builder, x, y, z ssa.ValueID) *ssa.Func {
		return b.branch(b.op(node.OpNot, b.op(node.OpLT, x, y)), x, z)
	}, []string{"cmp", "jge"}},
	{"test of bits", func(b *builder, x, y, z ssa.ValueID) *ssa.Func {
		return b.branch(b.op(node.OpAnd, x, y), x, z)
	}, []string{"test", "jne"}},
	{"compare with 0", func(b *builder, x, y, z ssa.ValueID) *ssa.Func {
		return b.branch(b.op(node.OpEQ, x, b.constant(0)), y, z)
	}, []string{"test", "je"}},
	{"flags of a difference", func(b *builder, x, y, z ssa.ValueID) *ssa.Func {
		d := b.op(node.OpSub, x, y)
		return b.branch(d, d, z)
	}, []string{"sub", "jne"}},
	{"address of three parts", func(b *builder, x, y, z ssa.ValueID) *ssa.Func {
		return b.ret(b.op(node.OpAdd, b.op(node.OpAdd, x, b.op(node.OpShl, y, b.constant(3))), b.constant(5)))
	}, []string{"lea", "ret"}},
	{"times 45", func(b *builder, x, y, z ssa.ValueID) *ssa.Func {
		return b.ret(b.op(node.OpMul, x, b.constant(45)))
	}, []string{"lea", "lea", "ret"}},
	{"times a number for which there is no short way", func(b *builder, x, y, z ssa.ValueID) *ssa.Func {
		return b.ret(b.op(node.OpMul, x, b.constant(1000003)))
	}, []string{"imul", "ret"}},
	{"unsigned division by a power of two", func(b *builder, x, y, z ssa.ValueID) *ssa.Func {
		return b.ret(b.op(node.OpUDiv, x, b.constant(16)))
	}, []string{"shr", "ret"}},
	{"remainder as programs write it", func(b *builder, x, y, z ssa.ValueID) *ssa.Func {
		q := b.op(node.OpDiv, x, y)
		return b.ret(b.op(node.OpAdd, q, b.op(node.OpSub, x, b.op(node.OpMul, q, y))))
	}, []string{"divtotal", "lea", "ret"}},
	{"quotient and remainder", func(b *builder, x, y, z ssa.ValueID) *ssa.Func {
		return b.ret(b.op(node.OpXor, b.op(node.OpRem, x, y), b.op(node.OpDiv, x, y)))
	}, []string{"divtotal", "xor", "ret"}},
	{"choice between neighbours", func(b *builder, x, y, z ssa.ValueID) *ssa.Func {
		return b.ret(b.op(node.OpSelect, b.op(node.OpLT, x, y), z, x))
	}, []string{"cmp", "cmovl", "ret"}},
	{"sign bit", func(b *builder, x, y, z ssa.ValueID) *ssa.Func {
		return b.ret(b.op(node.OpLT, x, b.constant(0)))
	}, []string{"shr", "ret"}},
	{"byte", func(b *builder, x, y, z ssa.ValueID) *ssa.Func {
		return b.ret(b.op(node.OpAnd, x, b.constant(255)))
	}, []string{"movzx", "ret"}},
	{"masked count", func(b *builder, x, y, z ssa.ValueID) *ssa.Func {
		return b.ret(b.op(node.OpShl, x, b.op(node.OpAnd, y, b.constant(63))))
	}, []string{"shl", "ret"}},
	{"condition that is constant", func(b *builder, x, y, z ssa.ValueID) *ssa.Func {
		return b.branch(b.constant(1), x, z)
	}, nil},
}

// TestSelectedText pins how much tiles take in.
func TestSelectedText(t *testing.T) {
	for _, tt := range selected {
		t.Run(tt.name, func(t *testing.T) {
			b := newBuilder(tt.name, 3)
			m, err := Target{}.Select(tt.make(b, b.f.Inputs[0], b.f.Inputs[1], b.f.Inputs[2]))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, i := range m.Blocks[0].Insts {
				if name, _, _ := strings.Cut(string(appendInst(nil, &i)), " "); name != "inputs" {
					got = append(got, name)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s\n%s", diff, listing(t, b.f))
			}
		})
	}
}

// TestSelectIsDeterministic selects twice and compares.
func TestSelectIsDeterministic(t *testing.T) {
	for seed := range uint64(50) {
		rng := rand.New(rand.NewPCG(seed, 12))
		e := newExpression(rng)
		for range 20 {
			e.grow()
		}
		f := e.b.ret(e.operand())
		if diff := cmp.Diff(listing(t, f), listing(t, f)); diff != "" {
			t.Fatalf("seed %d:\n%s", seed, diff)
		}
	}
}
