package codegen

import (
	"fmt"
	"strings"

	"golang.org/x/arch/x86/x86asm"

	"shoal/codegen/amd64"
	"shoal/codegen/mach"
)

// A target is a row of targets: a machine and what linking and listings need of it.
type target struct {
	mach.Target
	name  string // as --target has it: machine and system
	fill  byte   // stands between functions: an instruction that traps
	align int64  // of functions, in bytes
	stubs func() []*mach.Func
	data  func() []amd64.Datum
	call  func(name, function string, args []int64, sig amd64.Signature) *mach.Func
	main  func(name, function string, sig amd64.Signature) *mach.Func
	// constant is the datum that a symbol in a function's code names, if it is one.
	constant func(symbol string) (amd64.Datum, bool)
	// disassemble decodes the instruction at the start of code, and shares nothing with
	// the encoder.
	disassemble func(code []byte) instruction
}

// DefaultTarget is the machine that programs are compiled for if nobody says otherwise.
const DefaultTarget = "amd64-linux"

// targets has a row for each machine and system.
var targets = [...]target{{
	Target:      amd64.Target{},
	name:        DefaultTarget,
	fill:        0xCC, // int3
	align:       16,
	stubs:       amd64.Stubs,
	data:        amd64.StubData,
	call:        amd64.CallStub,
	main:        amd64.MainStub,
	constant:    amd64.ConstantDatum,
	disassemble: disassembleX86,
}}

// lookup finds a target by its name.
func lookup(name string) (*target, error) {
	if name == "" {
		name = DefaultTarget
	}
	known := make([]string, 0, len(targets))
	for i := range targets {
		if targets[i].name == name {
			return &targets[i], nil
		}
		known = append(known, targets[i].name)
	}
	return nil, fmt.Errorf("unknown target %q (there is %s)", name, strings.Join(known, ", "))
}

// An instruction is a decoded one, for listings. What the linker fills in is 0 in it; as
// an address that reads [rip].
type instruction struct {
	size     int // in bytes, at least 1
	text     string
	relative bool // text lacks the target, distance bytes behind the end
	distance int64
}

func disassembleX86(code []byte) instruction {
	in, err := x86asm.Decode(code, 64)
	if err != nil || in.Len == 0 {
		return instruction{size: 1, text: fmt.Sprintf(".byte %#02x", code[0])}
	}
	if d, ok := in.Args[0].(x86asm.Rel); ok {
		return instruction{size: in.Len, text: strings.ToLower(in.Op.String()), relative: true, distance: int64(d)}
	}
	return instruction{size: in.Len, text: x86asm.IntelSyntax(in, 0, nil)}
}
