package codegen

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
	"strings"
	"unicode/utf8"

	"shoal/codegen/amd64"
	"shoal/codegen/mach"
	"shoal/source"
)

// A site is a place that a fault can come from: the call of a fault stub.
type site struct {
	offset       int64 // of the end of the call, in bytes from the start of the program's code
	pos          source.Pos
	line, column int
}

// sites makes the table of all sites (amd64.Site). Elsewhere a fault, that of a full
// stack, has no place: where it strikes is up to the size of frames, which is no matter
// of the language.
func (p *Program) sites() []byte {
	var all []site
	offset := int64(0)
	for i, c := range p.Funcs {
		offset = (offset + p.align - 1) &^ (p.align - 1)
		if p.files[i] != nil {
			first := len(all)
			all = appendSites(all, c, offset)
			locate(p.files[i], all[first:])
		}
		offset += int64(len(c.Bytes))
	}
	table := make([]byte, 0, (2*len(all)+1)*siteSize)
	for _, s := range all {
		table = appendSite(table, s.offset-1, s.line, s.column)
		table = appendSite(table, s.offset, 0, 0)
	}
	return appendSite(table, amd64.EndOfSites, 0, 0)
}

var le = binary.LittleEndian

func appendSite(table []byte, offset int64, line, column int) []byte {
	table = le.AppendUint32(table, uint32(offset))
	table = le.AppendUint32(table, uint32(line))
	return le.AppendUint32(table, uint32(column))
}

// siteSize is the size in bytes of an entry of the table.
const siteSize = 12

// siteAlign is the alignment of the table in bytes: that of its 32-bit words.
const siteAlign = 4

// fieldSize is the size in bytes of the distance in a call, which is its last part.
const fieldSize = 4

// appendSites appends the sites of a function whose code starts at offset.
func appendSites(all []site, c *mach.Code, offset int64) []site {
	line := -1 // the last one at or before the call
	for _, r := range c.Relocs {
		if !strings.HasPrefix(r.Symbol, amd64.FaultPrefix) {
			continue
		}
		for line+1 < len(c.Lines) && int(c.Lines[line+1].Offset) <= r.Offset {
			line++
		}
		if line >= 0 {
			all = append(all, site{offset: offset + int64(r.Offset) + fieldSize, pos: c.Lines[line].Pos})
		}
	}
	return all
}

// locate finds line and column of each site, in one sweep over the text so that many
// sites on one long line cost no more than others.
func locate(f *source.File, sites []site) {
	order := make([]*site, len(sites))
	for i := range sites {
		order[i] = &sites[i]
	}
	slices.SortStableFunc(order, func(a, b *site) int { return cmp.Compare(a.pos, b.pos) })
	last := &site{}
	for _, s := range order {
		s.line, s.column = last.line, last.column
		if !last.pos.Known() {
			s.line, s.column = f.Line(s.pos)
		} else if s.pos.Offset() <= len(f.Text) {
			between := f.Text[last.pos.Offset():s.pos.Offset()]
			if bytes.IndexByte(between, '\n') >= 0 {
				s.line, s.column = f.Line(s.pos)
			} else {
				s.column += utf8.RuneCount(between)
			}
		}
		last = s
	}
}
