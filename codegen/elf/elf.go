// Package elf writes machine code as ELF files for x86-64 Linux: static executables that
// need no linker, and relocatable objects for one.
//
// Needs: encoded functions and constant data as Symbols. Gives: the bytes of a file, a
// pure function of its input; nothing is written to disk here. Breaks: nothing.
// Source: "System V Application Binary Interface", AMD64 supplement, chapters 4 and 5,
// and the generic ABI's chapter 4 for the tables.
//
// The standard library's debug/elf has the names of the format but writes nothing, and
// serves the tests as the reader that shares no code with this writer.
//
// Start reading at Program, then Executable and Object.
package elf

import (
	"fmt"
	"strings"

	"shoal/codegen/mach"
)

// A Section is the place where a symbol's bytes live.
type Section uint8

// The sections, in the order in which an executable has them in memory.
const (
	Rodata      Section = iota // constants
	Text                       // functions
	Data                       // writable, with initial values
	Bss                        // writable, zero at the start; takes no room in the file
	numSections int     = iota
)

// A Symbol is a named piece of the program.
type Symbol struct {
	Name    string
	Section Section
	Bytes   []byte
	Size    int64 // in bytes, of a symbol in Bss; elsewhere it is len(Bytes)
	Align   int64 // in bytes, a power of two; 0 means 1
	Global  bool  // other objects see it
	Relocs  []mach.Reloc
}

func (s *Symbol) size() int64 {
	if s.Section == Bss {
		return s.Size
	}
	return int64(len(s.Bytes))
}

// A Program is all that goes into one file. The order of Symbols is their order in memory.
type Program struct {
	Symbols []Symbol
	Entry   string // where an executable starts
	Fill    byte   // what stands between functions: the machine's trap instruction
}

// An UndefinedError lists the symbols that an executable uses and nobody defines: C
// functions, which only an object can leave to a linker.
type UndefinedError struct{ Names []string }

func (e *UndefinedError) Error() string {
	return "undefined: " + strings.Join(e.Names, ", ")
}

// maxSize bounds all sections together, in bytes, so that every distance inside the
// program fits the 32-bit fields of PC-relative addressing (the ABI's small code model).
const maxSize = 1<<31 - 1<<20

// sections are the contents of the sections of a program, before they have addresses.
type sections struct {
	program *Program
	index   map[string]int32 // symbol by name
	offset  []int64          // of each symbol in its section
	bytes   [numSections][]byte
	size    [numSections]int64
	align   [numSections]int64
}

// place gives every symbol its offset and joins their bytes.
func place(p *Program) (*sections, error) {
	s := &sections{
		program: p,
		index:   make(map[string]int32, len(p.Symbols)),
		offset:  make([]int64, len(p.Symbols)),
		align:   [numSections]int64{1, 1, 1, 1},
	}
	for i := range p.Symbols {
		sym := &p.Symbols[i]
		if _, twice := s.index[sym.Name]; twice {
			return nil, fmt.Errorf("symbol %s is defined twice", sym.Name)
		}
		s.index[sym.Name] = int32(i)
		align := max(sym.Align, 1)
		s.offset[i] = roundUp(s.size[sym.Section], align)
		s.size[sym.Section] = s.offset[i] + sym.size()
		s.align[sym.Section] = max(s.align[sym.Section], align)
	}
	if total := s.size[Rodata] + s.size[Text] + s.size[Data] + s.size[Bss]; total > maxSize {
		return nil, fmt.Errorf("the program takes %d bytes; the limit is %d", total, int64(maxSize))
	}
	for k := range s.bytes {
		if Section(k) != Bss {
			s.bytes[k] = make([]byte, 0, s.size[k])
		}
	}
	for i := range p.Symbols {
		sym := &p.Symbols[i]
		if sym.Section == Bss {
			continue
		}
		b := s.bytes[sym.Section]
		for int64(len(b)) < s.offset[i] {
			b = append(b, s.fill(sym.Section))
		}
		s.bytes[sym.Section] = append(b, sym.Bytes...)
	}
	return s, nil
}

func (s *sections) fill(k Section) byte {
	if k == Text {
		return s.program.Fill
	}
	return 0
}

func roundUp(n, align int64) int64 { return (n + align - 1) &^ (align - 1) }
