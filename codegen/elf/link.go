package elf

import (
	"encoding/binary"
	"fmt"
)

// resolve fills in every relocated field, given the address of each section.
func (s *sections) resolve(base [numSections]int64) error {
	var undefined []string
	seen := map[string]bool{}
	for i := range s.program.Symbols {
		sym := &s.program.Symbols[i]
		for _, r := range sym.Relocs {
			at := s.offset[i] + int64(r.Offset)
			to, ok := s.index[r.Symbol]
			if !ok {
				if !seen[r.Symbol] {
					seen[r.Symbol] = true
					undefined = append(undefined, r.Symbol)
				}
				continue
			}
			k := s.program.Symbols[to].Section
			s.patch(sym.Section, at, base[k]+s.offset[to]+r.Addend-base[sym.Section]-at)
		}
	}
	if undefined != nil {
		return &UndefinedError{Names: undefined}
	}
	return nil
}

// patch writes the 32-bit distance into the field at offset at of section k. That it fits
// follows from maxSize, unless an addend is absurd.
func (s *sections) patch(k Section, at, distance int64) {
	if distance != int64(int32(distance)) {
		panic(fmt.Sprintf("elf: the distance %d at %#x of section %d does not fit 32 bits", distance, at, k))
	}
	binary.LittleEndian.PutUint32(s.bytes[k][at:], uint32(distance))
}

// An Image is a program as it lies in memory, ready to run at any address. Nothing in it
// is absolute, so it can be copied and called where it is.
type Image struct {
	Bytes   []byte // the parts of the sections that are not zero
	Size    int64  // bytes to reserve, at least len(Bytes)
	symbols *sections
	base    [numSections]int64
}

// Offset returns where in the image the symbol name starts, or false.
func (m *Image) Offset(name string) (int64, bool) {
	i, ok := m.symbols.index[name]
	if !ok {
		return 0, false
	}
	return m.base[m.symbols.program.Symbols[i].Section] + m.symbols.offset[i], true
}

// Link joins a program in memory without making a file of it. Program.Entry is not used.
func Link(p *Program) (*Image, error) {
	s, err := place(p)
	if err != nil {
		return nil, err
	}
	m := &Image{symbols: s}
	for k := range m.base {
		m.base[k] = roundUp(m.Size, s.align[k])
		m.Size = m.base[k] + s.size[k]
	}
	if err := s.resolve(m.base); err != nil {
		return nil, err
	}
	m.Bytes = make([]byte, m.base[Bss])
	for k, b := range s.bytes {
		copy(m.Bytes[m.base[k]:], b)
	}
	return m, nil
}
