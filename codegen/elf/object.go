package elf

import "debug/elf"

// Object makes a relocatable object of p for a linker. References to functions of this
// object that are not global are resolved here; all others become relocations, those to
// symbols that p does not define as undefined symbols.
func Object(p *Program) ([]byte, error) {
	s, err := place(p)
	if err != nil {
		return nil, err
	}
	relocs, undefined := s.external()
	symbols := newSymtab(s, [numSections]int{1, 2, 3, 4}, [numSections]int64{}, undefined)
	b := make([]byte, fileHeaderSize, int64(fileHeaderSize)+s.size[Rodata]+s.size[Text]+s.size[Data]+
		int64(len(symbols.entries)+len(symbols.names)+relaSize*len(relocs))+2048)
	hs := make([]header, 0, 10)
	for k, h := range sectionHeader {
		b = pad(b, s.align[k], 0)
		h.offset, h.size, h.align = int64(len(b)), s.size[k], s.align[k]
		hs = append(hs, h)
		b = append(b, s.bytes[k]...)
	}
	// An empty section of this name says that the code wants no executable stack.
	hs = append(hs, header{name: ".note.GNU-stack", typ: elf.SHT_PROGBITS, offset: int64(len(b)), align: 1})
	number := len(hs) + 1
	b, tables := symbols.appendTo(b, number)
	hs = append(hs, tables...)
	if len(relocs) > 0 {
		b = pad(b, 8, 0)
		hs = append(hs, header{name: ".rela.text", typ: elf.SHT_RELA, flags: elf.SHF_INFO_LINK, offset: int64(len(b)),
			size: int64(len(relocs) * relaSize), link: uint32(number), info: uint32(Text) + 1, align: 8, entrySize: relaSize})
		b = appendRelocs(b, relocs, symbols)
	}
	b, at := sectionHeaders(b, hs)
	copy(b, fileHeader(elf.ET_REL, 0, 0, at, len(hs)+2))
	return b, nil
}

// A relocation is one that the linker has to do, in the text section.
type relocation struct {
	offset int64
	symbol int32 // in Program.Symbols, or beyond them an undefined one
	typ    elf.R_X86_64
	addend int64
}

// external resolves what can be resolved and collects the other relocations, and the
// names that are undefined, each in order of first use.
func (s *sections) external() (relocs []relocation, undefined []string) {
	n := int32(len(s.program.Symbols))
	for i := range s.program.Symbols {
		sym := &s.program.Symbols[i]
		if sym.Section != Text && len(sym.Relocs) > 0 {
			panic("elf: " + sym.Name + ": only code may refer to symbols")
		}
		for _, r := range sym.Relocs {
			at := s.offset[i] + int64(r.Offset)
			to, ok := s.index[r.Symbol]
			if !ok {
				to = n + int32(len(undefined))
				s.index[r.Symbol] = to
				undefined = append(undefined, r.Symbol)
			}
			// A PLT relocation is the right one for a function, wherever it turns out to be.
			typ := elf.R_X86_64_PLT32
			if to < n {
				target := &s.program.Symbols[to]
				if target.Section == Text && !target.Global {
					s.patch(Text, at, s.offset[to]+r.Addend-at)
					continue
				}
				if target.Section != Text {
					typ = elf.R_X86_64_PC32
				}
			}
			relocs = append(relocs, relocation{offset: at, symbol: to, typ: typ, addend: r.Addend})
		}
	}
	return relocs, undefined
}

func appendRelocs(b []byte, relocs []relocation, symbols *symtab) []byte {
	for _, r := range relocs {
		b = le.AppendUint64(b, uint64(r.offset))
		b = le.AppendUint64(b, elf.R_INFO(uint32(symbols.number[r.symbol]), uint32(r.typ)))
		b = le.AppendUint64(b, uint64(r.addend))
	}
	return b
}
