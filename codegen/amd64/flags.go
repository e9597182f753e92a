package amd64

import "shoal/codegen/mach"

// dropCompares removes comparisons whose flags are there already: the one before it on the
// only way to here was the same, and since then neither flags nor operands have changed.
// The test of a loop and the check of an index in it often compare the same two registers,
// one as signed and one as unsigned numbers.
//
// It comes last: before, flags never live from one block to another.
func dropCompares(f *mach.Func) {
	d := compareDropper{f: f}
	for b := range f.Blocks {
		if len(f.Blocks[b].Preds) != 1 || b == 0 {
			d.tree(int32(b))
		}
	}
}

type compareDropper struct {
	f    *mach.Func
	todo []reached
}

// A reached block has one way in, on which the flags are those of a comparison, or of none.
type reached struct {
	block int32
	flags *mach.Inst
}

// tree visits block b and what is only reached from it.
func (d *compareDropper) tree(b int32) {
	d.todo = append(d.todo, reached{b, nil})
	for len(d.todo) > 0 {
		r := d.todo[len(d.todo)-1]
		d.todo = d.todo[:len(d.todo)-1]
		flags := d.drop(&d.f.Blocks[r.block], r.flags)
		for _, e := range d.f.Blocks[r.block].Succs {
			if len(d.f.Blocks[e.Block].Preds) == 1 && e.Block != 0 {
				d.todo = append(d.todo, reached{e.Block, flags})
			}
		}
	}
}

// drop removes comparisons from a block that begins with these flags, and returns those at
// its end.
func (d *compareDropper) drop(b *mach.Block, flags *mach.Inst) *mach.Inst {
	kept := 0
	branch := b.Branch
	for i := range b.Insts {
		in := &b.Insts[i]
		switch {
		case flags != nil && sameCompare(flags, in):
			if i < branch {
				b.Branch--
			}
			continue
		case forms[in.Op].flags&writesFlags != 0:
			flags = nil
			if comparesRegisters(in) {
				flags = in
			}
		case flags != nil && changes(in, flags):
			flags = nil
		}
		if kept != i {
			b.Insts[kept] = *in
			if flags == in {
				flags = &b.Insts[kept]
			}
		}
		kept++
	}
	b.Insts = b.Insts[:kept]
	return flags
}

// comparesRegisters tells whether in only sets flags, from registers and a constant.
func comparesRegisters(in *mach.Inst) bool {
	switch forms[in.Op].layout {
	case testMR, testRM:
		return true
	case testM:
		return in.Op != JmpR && in.Op != CallR
	}
	return false
}

// sameCompare tells whether two comparisons of registers are one.
func sameCompare(a, b *mach.Inst) bool {
	if a.Op != b.Op || a.Imm != b.Imm || len(a.Args) != len(b.Args) {
		return false
	}
	for i := range a.Args {
		if a.Args[i].Reg != b.Args[i].Reg {
			return false
		}
	}
	return true
}

// changes tells whether in writes a register that the comparison reads.
func changes(in, compare *mach.Inst) bool {
	var read mach.RegSet
	for i := range compare.Args {
		read |= mach.Of(compare.Args[i].Reg)
	}
	if in.Clobber&read != 0 {
		return true
	}
	for i := range in.Args {
		if in.Args[i].Role != mach.Use && read.Has(in.Args[i].Reg) {
			return true
		}
	}
	return false
}
