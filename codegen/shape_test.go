package codegen

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestMemoryAndFloatShapes pins how few instructions programs with memory and floats become;
// what they do is for the other tests. A jump is listed without its target.
func TestMemoryAndFloatShapes(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"an element is counted up where it is", "func f(p, i)\ne:\n s = shl i, 3\n o = add s, 8\n x = load i64 p, o\n y = add x, 1\n store i64 p, o, y\n ret 0\n",
			"add qword ptr [rdi+8*rsi+0x8], 0x1; xor eax, eax; ret"},
		{"a mask is no matter to a narrow store", "func f(p, i, v)\ne:\n o = add i, 4\n x = load u8 p, o\n y = xor x, v\n z = and y, 255\n store u8 p, o, z\n ret 0\n",
			"xor byte ptr [rdi+rsi+0x4], dl; xor eax, eax; ret"},
		{"nor is an extension", "func f(p, v)\ne:\n x = load i16 p, 6\n y = sub x, v\n z = sx y, 16\n store i16 p, 6, z\n ret 0\n",
			"sub word ptr [rdi+0x6], si; xor eax, eax; ret"},
		{"an extension before a store vanishes", "func f(p, v)\ne:\n z = sx v, 32\n store i32 p, 0, z\n w = zx v, 8\n store u8 p, 4, w\n ret 0\n",
			"mov dword ptr [rdi], esi; mov byte ptr [rdi+0x4], sil; xor eax, eax; ret"},
		{"one of two loads is an operand", "func f(p, q)\ne:\n x = load i64 p, 0\n y = load i64 q, 8\n z = add x, y\n ret z\n",
			"mov rax, qword ptr [rdi]; add rax, qword ptr [rsi+0x8]; ret"},
		{"a load stays before a store", "func f(p, v)\ne:\n x = load i64 p, 0\n store i64 p, 8, v\n z = mul x, v\n ret z\n",
			"mov rax, qword ptr [rdi]; mov qword ptr [rdi+0x8], rsi; imul rax, rsi; ret"},
		{"a byte is compared where it is, unsigned", "func f(p, i)\ne:\n x = load u8 p, i\n t = lt x, 200\n cbr t, a(), b()\na:\n ret 1\nb:\n ret 2\n",
			"cmp byte ptr [rdi+rsi], 0xc8; jae; mov eax, 0x1; ret; mov eax, 0x2; ret"},
		{"the second operand of a comparison is in memory", "func f(p, v)\ne:\n x = load i64 p, 16\n t = le v, x\n ret t\n",
			"xor eax, eax; cmp rsi, qword ptr [rdi+0x10]; setle al; ret"},
		{"a bit is tested where it is", "func f(p)\ne:\n x = load i32 p, 4\n y = and x, 128\n cbr y, a(), b()\na:\n ret 1\nb:\n ret 2\n",
			"test byte ptr [rdi+0x4], 0x80; je; mov eax, 0x1; ret; mov eax, 0x2; ret"},
		{"floats from memory, a constant among them", "func f(p, flt a)\ne:\n x = load f64 p, 8\n y = fadd x, a\n z = fmul y, 3.0\n ret z\n",
			"addsd xmm0, qword ptr [rdi+0x8]; mulsd xmm0, qword ptr [shoal$float.4008000000000000]; ret"},
		{"not less: NaN goes that way", "func f(flt a, flt b)\ne:\n t = flt a, b\n u = not t\n cbr u, x(), y()\nx:\n ret 1\ny:\n ret 2\n",
			"ucomisd xmm1, xmm0; ja; mov eax, 0x1; ret; mov eax, 0x2; ret"},
		{"equal and ordered, as a value", "func f(flt a, flt b)\ne:\n t = feq a, b\n ret t\n",
			"xor eax, eax; ucomisd xmm0, xmm1; setnp al; mov esi, 0x0; cmovnz rax, rsi; ret"},
		{"unequal or unordered, as a branch", "func f(flt a, flt b)\ne:\n t = feq a, b\n u = not t\n cbr u, x(), y()\nx:\n ret 1\ny:\n ret 2\n",
			"ucomisd xmm0, xmm1; jp; je; mov eax, 0x1; ret; mov eax, 0x2; ret"},
		{"floats of 32 bits", "func f(p, flt a)\ne:\n r = f32 a\n store f32 p, 0, r\n x = load f32 p, 4\n store f32 p, 8, x\n store f32 p, 12, 1.5\n store f64 p, 16, 0.0\n y = load f32 p, 20\n ret y\n",
			"cvtsd2ss xmm0, xmm0; movss dword ptr [rdi], xmm0; movss xmm0, dword ptr [rdi+0x4]; movss dword ptr [rdi+0x8], xmm0; mov dword ptr [rdi+0xc], 0x3fc00000; mov qword ptr [rdi+0x10], 0x0; movss xmm0, dword ptr [rdi+0x14]; cvtss2sd xmm0, xmm0; ret"},
		{"an integer in memory becomes a float", "func f(p)\ne:\n x = load i64 p, 0\n y = i2f x\n ret y\n",
			"xorps xmm0, xmm0; cvtsi2sd xmm0, qword ptr [rdi]; ret"},
		{"an extension of a load is a load", "func f(p)\ne:\n x = load i64 p, 0\n y = zx x, 16\n ret y\n",
			"movzx eax, word ptr [rdi]; ret"},
		{"less is above with the operands exchanged", "func f(flt a, flt b)\ne:\n t = flt b, a\n ret t\n",
			"xor eax, eax; ucomisd xmm0, xmm1; setnbe al; ret"},
		{"an object", "func f(n)\ne:\n p = new 12\n store i64 p, 0, n\n ret p\n",
			"mov rax, qword ptr [shoal$heap]; lea rsi, ptr [rax+0x10]; cmp rsi, qword ptr [shoal$heap+8]; ja; mov qword ptr [shoal$heap], rsi; mov qword ptr [rax], rdi; ret; call shoal$fault.memory; jmp"},
		{"a check compares what a test has compared", "func f(p, i, n)\ne:\n t = lt i, n\n cbr t, a(), b()\na:\n u = ult i, n\n cbr u, c(), d()\nc:\n v = load u8 p, i\n ret v\nd:\n fault index i, n\nb:\n ret 0\n",
			"cmp rsi, rdx; jge; jae; movzx eax, byte ptr [rdi+rsi]; ret; xor eax, eax; ret; mov rdi, rsi; mov rsi, rdx; call shoal$fault.index"},
		{"another comparison between", "func f(p, i, n)\ne:\n t = lt i, n\n cbr t, a(), b()\na:\n j = add i, 1\n u = ult j, n\n cbr u, c(), b()\nc:\n w = ult i, n\n ret w\nb:\n ret 0\n",
			"cmp rsi, rdx; jge; lea rdi, ptr [rsi+0x1]; cmp rdi, rdx; jae; xor eax, eax; cmp rsi, rdx; setb al; ret; xor eax, eax; ret"},
		{"division by a power of two, and not", "func f(flt a)\ne:\n x = fdiv a, 8.0\n y = fdiv x, 3.0\n ret y\n",
			"mulsd xmm0, qword ptr [shoal$float.3fc0000000000000]; divsd xmm0, qword ptr [shoal$float.4008000000000000]; ret"},
		{"the inverse is no number", "func f(flt a)\ne:\n x = fdiv a, 1e-320\n ret x\n",
			"divsd xmm0, qword ptr [shoal$float.00000000000007e8]; ret"},
	}
	code := regexp.MustCompile(`(?m)^ *[0-9a-f]+  (?:[0-9a-f]{2} )+ *(.*?)(?: L[0-9a-f]+)?$`)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var listing strings.Builder
			if err := compile(t, parse(t, tt.text)).WriteListing(&listing); err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, m := range code.FindAllStringSubmatch(listing.String(), -1) {
				got = append(got, m[1])
			}
			if diff := cmp.Diff(tt.want, strings.Join(got, "; ")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
