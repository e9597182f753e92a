package elf

import (
	"debug/elf"
	"encoding/binary"
)

// Sizes in bytes of the records of ELF64 (generic ABI, chapters 4 and 5).
const (
	fileHeaderSize    = 64
	programHeaderSize = 56
	sectionHeaderSize = 64
	symbolSize        = 24
	relaSize          = 24
)

var le = binary.LittleEndian

// A header is one section header.
type header struct {
	name        string
	typ         elf.SectionType
	flags       elf.SectionFlag
	addr        int64
	offset      int64
	size        int64
	link, info  uint32
	align       int64
	entrySize   int64
	nameInTable uint32
}

// fileHeader makes the header of the file. The section name table is the last section.
func fileHeader(typ elf.Type, entry, programHeaders, sectionHeaders int64, sections int) []byte {
	b := append(make([]byte, 0, fileHeaderSize), elf.ELFMAG...)
	b = append(b, byte(elf.ELFCLASS64), byte(elf.ELFDATA2LSB), byte(elf.EV_CURRENT), byte(elf.ELFOSABI_NONE))
	b = append(b, 0, 0, 0, 0, 0, 0, 0, 0)
	b = le.AppendUint16(b, uint16(typ))
	b = le.AppendUint16(b, uint16(elf.EM_X86_64))
	b = le.AppendUint32(b, uint32(elf.EV_CURRENT))
	b = le.AppendUint64(b, uint64(entry))
	var programHeadersAt int64
	if programHeaders > 0 {
		programHeadersAt = fileHeaderSize
	}
	b = le.AppendUint64(b, uint64(programHeadersAt))
	b = le.AppendUint64(b, uint64(sectionHeaders))
	b = le.AppendUint32(b, 0) // no flags on this machine
	b = le.AppendUint16(b, fileHeaderSize)
	b = le.AppendUint16(b, programHeaderSize)
	b = le.AppendUint16(b, uint16(programHeaders))
	b = le.AppendUint16(b, sectionHeaderSize)
	b = le.AppendUint16(b, uint16(sections))
	return le.AppendUint16(b, uint16(sections-1))
}

// programHeader appends one segment: size bytes of the file at offset, memory bytes at addr.
func programHeader(b []byte, typ elf.ProgType, flags elf.ProgFlag, offset, addr, size, memory, align int64) []byte {
	b = le.AppendUint32(b, uint32(typ))
	b = le.AppendUint32(b, uint32(flags))
	for _, v := range [...]int64{offset, addr, addr, size, memory, align} {
		b = le.AppendUint64(b, uint64(v))
	}
	return b
}

// sectionHeaders appends the section name table and then the headers, the null one first
// and that of the name table last, and returns where the headers start.
func sectionHeaders(b []byte, hs []header) (out []byte, start int64) {
	hs = append(hs, header{name: ".shstrtab", typ: elf.SHT_STRTAB, offset: int64(len(b)), align: 1})
	names := []byte{0}
	for i := range hs {
		hs[i].nameInTable = uint32(len(names))
		names = append(append(names, hs[i].name...), 0)
	}
	hs[len(hs)-1].size = int64(len(names))
	b = pad(append(b, names...), 8, 0)
	start = int64(len(b))
	b = append(b, make([]byte, sectionHeaderSize)...)
	for i := range hs {
		h := &hs[i]
		b = le.AppendUint32(b, h.nameInTable)
		b = le.AppendUint32(b, uint32(h.typ))
		for _, v := range [...]int64{int64(h.flags), h.addr, h.offset, h.size} {
			b = le.AppendUint64(b, uint64(v))
		}
		b = le.AppendUint32(b, h.link)
		b = le.AppendUint32(b, h.info)
		b = le.AppendUint64(b, uint64(h.align))
		b = le.AppendUint64(b, uint64(h.entrySize))
	}
	return b, start
}

// pad extends b to a multiple of align.
func pad(b []byte, align int64, fill byte) []byte {
	for int64(len(b))%align != 0 {
		b = append(b, fill)
	}
	return b
}

// A symtab is the symbol table of a file under construction.
type symtab struct {
	entries []byte
	names   []byte
	number  []int32 // of each symbol of the program in the table
	locals  uint32  // entries before the first global one
}

// symbolSpec is how a section's symbols look in the table.
var symbolSpec = [numSections]elf.SymType{Text: elf.STT_FUNC, Rodata: elf.STT_OBJECT, Data: elf.STT_OBJECT, Bss: elf.STT_OBJECT}

// newSymtab makes the table of the symbols of s, the local ones first as the ABI demands.
// shndx is the header index of each section, base its address (0 in objects). Undefined
// symbols come last, numbered from len(s.program.Symbols) on in the order given.
func newSymtab(s *sections, shndx [numSections]int, base [numSections]int64, undefined []string) *symtab {
	n := len(s.program.Symbols)
	t := &symtab{
		entries: make([]byte, symbolSize, (n+len(undefined)+1)*symbolSize),
		names:   []byte{0},
		number:  make([]int32, n+len(undefined)),
	}
	for _, global := range [...]bool{false, true} {
		for i := range s.program.Symbols {
			sym := &s.program.Symbols[i]
			if sym.Global != global {
				continue
			}
			typ := symbolSpec[sym.Section]
			if sym.size() == 0 {
				typ = elf.STT_NOTYPE
			}
			t.add(i, sym.Name, global, typ, shndx[sym.Section], base[sym.Section]+s.offset[i], sym.size())
		}
		if !global {
			t.locals = uint32(len(t.entries) / symbolSize)
		}
	}
	for i, name := range undefined {
		t.add(n+i, name, true, elf.STT_NOTYPE, int(elf.SHN_UNDEF), 0, 0)
	}
	return t
}

// add appends one entry and notes its number as that of symbol i.
func (t *symtab) add(i int, name string, global bool, typ elf.SymType, shndx int, value, size int64) {
	bind := elf.STB_LOCAL
	if global {
		bind = elf.STB_GLOBAL
	}
	t.number[i] = int32(len(t.entries) / symbolSize)
	t.entries = le.AppendUint32(t.entries, uint32(len(t.names)))
	t.entries = append(t.entries, elf.ST_INFO(bind, typ), byte(elf.STV_DEFAULT))
	t.entries = le.AppendUint16(t.entries, uint16(shndx))
	t.entries = le.AppendUint64(t.entries, uint64(value))
	t.entries = le.AppendUint64(t.entries, uint64(size))
	t.names = append(append(t.names, name...), 0)
}

// appendTo appends the table and its names to the file b; number is the index of its header.
func (t *symtab) appendTo(b []byte, number int) (out []byte, hs []header) {
	b = pad(b, 8, 0)
	hs = []header{
		{name: ".symtab", typ: elf.SHT_SYMTAB, offset: int64(len(b)), size: int64(len(t.entries)),
			link: uint32(number + 1), info: t.locals, align: 8, entrySize: symbolSize},
		{name: ".strtab", typ: elf.SHT_STRTAB, offset: int64(len(b) + len(t.entries)), size: int64(len(t.names)), align: 1},
	}
	return append(append(b, t.entries...), t.names...), hs
}
