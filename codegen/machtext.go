package codegen

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"sync/atomic"

	"shoal/codegen/mach"
	"shoal/ssa"
)

// WriteMach writes the machine code of all functions of m as text, as it is after the
// stage last: over virtual registers after Select, over physical ones later.
func WriteMach(w io.Writer, m *ssa.Module, opts Options, last int) error {
	t, err := lookup(opts.Target)
	if err != nil {
		return err
	}
	p := printer{Writer: bufio.NewWriter(w), target: t}
	for i, f := range m.Funcs {
		u := unit{target: t, verify: opts.Verify, ssa: f}
		if err := u.run(last, new([NumStages]atomic.Int64)); err != nil {
			return err
		}
		if i > 0 {
			p.WriteByte('\n')
		}
		p.function(u.mach)
	}
	return p.Flush()
}

// A printer writes machine code as text. A block is
//
//	b2(v5, v6):                        ; loop depth 1, from b0, b4
//		cmp v5, v6
//		jl
//		-> b3(), b5(v6)
//
// where the last line has the successors and what is passed to them.
type printer struct {
	*bufio.Writer
	target *target
}

func (p *printer) function(f *mach.Func) {
	fmt.Fprintf(p, "func %s\n", f.Name)
	for i, s := range f.Syms {
		fmt.Fprintf(p, "\t; sym%d is %s\n", i, s)
	}
	p.constants(f)
	f.LinkPreds()
	for i := range f.Blocks {
		b := &f.Blocks[i]
		fmt.Fprintf(p, "b%d", i)
		p.regs(b.Params)
		p.WriteString(":")
		p.remark(b)
		p.WriteByte('\n')
		for k := range b.Insts {
			p.WriteByte('\t')
			p.target.Print(p, &b.Insts[k])
			p.WriteByte('\n')
		}
		p.edges(b.Succs)
	}
}

// constants writes the virtual registers that no instruction defines because they can be
// made anywhere, if anything uses them.
func (p *printer) constants(f *mach.Func) {
	used := make([]bool, len(f.Values))
	use := func(r mach.Reg) {
		if r.Virtual() {
			used[r-mach.FirstVirtual] = true
		}
	}
	for i := range f.Blocks {
		b := &f.Blocks[i]
		for k := range b.Insts {
			for _, o := range b.Insts[k].Args {
				use(o.Reg)
			}
		}
		for _, e := range b.Succs {
			for _, r := range e.Args {
				use(r)
			}
		}
	}
	for v, u := range used {
		if u && f.Values[v].Remat != nil {
			p.WriteString("\t; anywhere: ")
			p.target.Print(p, f.Values[v].Remat)
			p.WriteByte('\n')
		}
	}
}

// remark writes what is known about the block besides its contents.
func (p *printer) remark(b *mach.Block) {
	sep := "\t; "
	next := func(format string, args ...any) {
		fmt.Fprintf(p, sep+format, args...)
		sep = ", "
	}
	if b.Depth > 0 {
		next("loop depth %d", b.Depth)
	}
	if b.Cold {
		next("cold")
	}
	for i, from := range b.Preds {
		next([2]string{"from b%d", "b%d"}[min(i, 1)], from)
	}
}

func (p *printer) edges(succs []mach.Edge) {
	sep := "\t-> "
	for _, e := range succs {
		fmt.Fprintf(p, "%sb%d", sep, e.Block)
		p.regs(e.Args)
		sep = ", "
	}
	if len(succs) > 0 {
		p.WriteByte('\n')
	}
}

// regs writes a list of registers in parentheses, nothing if it is empty.
func (p *printer) regs(rs []mach.Reg) {
	sep := byte('(')
	for _, r := range rs {
		p.WriteByte(sep)
		if sep == ',' {
			p.WriteByte(' ')
		}
		sep = ','
		if r.Virtual() {
			p.WriteString("v" + strconv.Itoa(int(r-mach.FirstVirtual+1)))
		} else {
			p.WriteString(p.target.Regs().Names[r])
		}
	}
	if len(rs) > 0 {
		p.WriteByte(')')
	}
}
