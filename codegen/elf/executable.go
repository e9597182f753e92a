package elf

import (
	"debug/elf"
	"fmt"
)

// Where an executable lies in memory, in bytes: the customary base of static programs for
// this machine, and the page size that the ABI lets the loader assume (chapter 3.3.3).
const (
	loadBase = 0x400000
	pageSize = 4096
)

// A segment is one loaded part of an executable: a run of sections with the same rights.
type segment struct {
	first, last Section
	flags       elf.ProgFlag
}

// segments of an executable. The headers of the file belong to the first. The segments
// follow each other in the file without gaps; each starts a page of its own in memory, at
// the same place in the page as in the file.
var segments = [...]segment{
	{Rodata, Rodata, elf.PF_R},
	{Text, Text, elf.PF_R | elf.PF_X},
	{Data, Bss, elf.PF_R | elf.PF_W},
}

// sectionHeader is the form of each section's header.
var sectionHeader = [numSections]header{
	Rodata: {name: ".rodata", typ: elf.SHT_PROGBITS, flags: elf.SHF_ALLOC},
	Text:   {name: ".text", typ: elf.SHT_PROGBITS, flags: elf.SHF_ALLOC | elf.SHF_EXECINSTR},
	Data:   {name: ".data", typ: elf.SHT_PROGBITS, flags: elf.SHF_ALLOC | elf.SHF_WRITE},
	Bss:    {name: ".bss", typ: elf.SHT_NOBITS, flags: elf.SHF_ALLOC | elf.SHF_WRITE},
}

// minData keeps the writable segment in the file, in bytes, even of a program without
// variables: debuggers recognise a program by having it mapped (valgrind reads no symbols
// of a file without one).
const minData = 8

// Executable links p into a static executable: nothing is left to do at load time. It has
// a symbol table and section headers for debuggers; the stack is not executable.
func Executable(p *Program) ([]byte, error) {
	s, err := place(p)
	if err != nil {
		return nil, err
	}
	entry, ok := s.index[p.Entry]
	if !ok {
		return nil, fmt.Errorf("the program has no %s to start at", p.Entry)
	}
	if s.size[Data] < minData {
		s.bytes[Data] = append(s.bytes[Data], make([]byte, minData-s.size[Data])...)
		s.size[Data] = minData
	}
	offset, base, end := s.addresses()
	if err := s.resolve(base); err != nil {
		return nil, err
	}
	numbers := [numSections]int{1, 2, 3, 4}
	symbols := newSymtab(s, numbers, base, nil)
	b := make([]byte, fileHeaderSize, end+int64(len(symbols.entries)+len(symbols.names))+1024)
	b = s.appendSegments(b, offset, base)
	for k, bytes := range s.bytes {
		if Section(k) != Bss {
			for int64(len(b)) < offset[k] {
				b = append(b, 0)
			}
			b = append(b, bytes...)
		}
	}
	hs := make([]header, 0, 8)
	for k, h := range sectionHeader {
		h.addr, h.offset, h.size, h.align = base[k], offset[k], s.size[k], s.align[k]
		hs = append(hs, h)
	}
	b, tables := symbols.appendTo(b, len(hs)+1)
	hs = append(hs, tables...)
	b, at := sectionHeaders(b, hs)
	start := base[p.Symbols[entry].Section] + s.offset[entry]
	copy(b, fileHeader(elf.ET_EXEC, start, int64(len(segments)+1), at, len(hs)+2))
	return b, nil
}

// addresses gives every section its place in the file and in memory.
func (s *sections) addresses() (offset, base [numSections]int64, end int64) {
	end = fileHeaderSize + int64(len(segments)+1)*programHeaderSize
	addr := int64(loadBase) + end
	for i, seg := range segments {
		if i > 0 {
			// Fill up to the alignment of the sections to come, then go to a fresh page.
			end = roundUp(end, 16)
			addr = roundUp(addr, pageSize) + end%pageSize
		}
		for k := seg.first; k <= seg.last; k++ {
			gap := roundUp(addr, s.align[k]) - addr
			addr += gap
			if k != Bss {
				end += gap
			}
			offset[k], base[k] = end, addr
			addr += s.size[k]
			if k != Bss {
				end += s.size[k]
			}
		}
	}
	return offset, base, end
}

// appendSegments appends the program headers.
func (s *sections) appendSegments(b []byte, offset, base [numSections]int64) []byte {
	for i, seg := range segments {
		from, addr := offset[seg.first], base[seg.first]
		if i == 0 {
			from, addr = 0, loadBase
		}
		memory := base[seg.last] + s.size[seg.last] - addr
		size := memory
		if seg.last == Bss {
			size = s.size[Data]
		}
		b = programHeader(b, elf.PT_LOAD, seg.flags, from, addr, size, memory, pageSize)
	}
	return programHeader(b, elf.PT_GNU_STACK, elf.PF_R|elf.PF_W, 0, 0, 0, 0, 16)
}
