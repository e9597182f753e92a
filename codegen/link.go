package codegen

import (
	"encoding/binary"
	"fmt"
	"strings"

	"shoal/codegen/amd64"
	"shoal/codegen/elf"
	"shoal/codegen/mach"
)

// Executable links the program into a static executable, whose bytes it returns. With
// printing, the executable prints the whole result of main, which is an integer. C functions
// cannot be linked in: the error is then an elf.UndefinedError.
func (p *Program) Executable(printing bool) ([]byte, error) {
	if printing {
		return p.executable(amd64.StartPrinting)
	}
	return p.executable(amd64.Start)
}

// TellingExecutable is an Executable for exec.RunTelling alone, which learns the whole
// result of main, of any type, and can look at the objects that it refers to.
func (p *Program) TellingExecutable() ([]byte, error) { return p.executable(amd64.StartTelling) }

func (p *Program) executable(entry string) ([]byte, error) {
	l, err := p.link(entry, nil)
	if err != nil {
		return nil, err
	}
	return elf.Executable(l)
}

// Object makes a relocatable object, in which all functions of the program are visible to
// a linker.
func (p *Program) Object() ([]byte, error) {
	l, err := p.link("", nil)
	if err != nil {
		return nil, err
	}
	return elf.Object(l)
}

// WordMain is the symbol in an Image of the program's main with its result as a word, for
// exec.Server: a float comes as its bits.
const WordMain = amd64.WordMain

// Image links the program for exec.Server, which calls functions with one argument.
func (p *Program) Image() (*elf.Image, error) { return p.image(nil) }

// imageHead is the first symbol of an image: the word that exec.Server.Load reads.
const imageHead = stubPrefix + "image"

func (p *Program) image(calls []Call) (*elf.Image, error) {
	l, err := p.link("", calls)
	if err != nil {
		return nil, err
	}
	head := make([]byte, 8)
	l.Symbols = append([]elf.Symbol{{Name: imageHead, Section: elf.Rodata, Bytes: head}}, l.Symbols...)
	image, err := elf.Link(l)
	if err != nil {
		return nil, err
	}
	if heap, ok := image.Offset(amd64.Heap); ok {
		binary.LittleEndian.PutUint64(image.Bytes, uint64(heap))
	}
	return image, nil
}

// A Call is a function of the program with arguments for it, as many as it has inputs.
type Call struct {
	Func string
	Args []int64
}

// CallImage is Image with an entry for each call, a function that ignores its argument.
func (p *Program) CallImage(calls []Call) (image *elf.Image, entries []int64, err error) {
	if image, err = p.image(calls); err != nil {
		return nil, nil, err
	}
	for i := range calls {
		entry, ok := image.Offset(callName(i))
		if !ok {
			panic("link: call " + callName(i) + " got lost")
		}
		entries = append(entries, entry)
	}
	return image, entries, nil
}

// mainName is the function that an executable runs.
const mainName = "main"

// stubPrefix begins the name of every stub and of its data, and of nothing else.
const stubPrefix = "shoal$"

func callName(i int) string { return fmt.Sprintf("%scall.%d", stubPrefix, i) }

// ServerExecutable is the program that exec.NewServer wants.
func ServerExecutable() ([]byte, error) {
	t, err := lookup(DefaultTarget)
	if err != nil {
		return nil, err
	}
	l, err := (&Program{target: t}).link(amd64.Serve, nil)
	if err != nil {
		return nil, err
	}
	return elf.Executable(l)
}

// link puts together, in this order in memory, the stubs that entry and the functions
// reach, the functions, and stubs for calls.
func (p *Program) link(entry string, calls []Call) (*elf.Program, error) {
	l := &linker{p: p}
	if entry != "" {
		l.need(entry)
	}
	for _, c := range p.Funcs {
		l.needAll(c.Relocs)
		if c.Name == mainName && entry == "" {
			l.need(amd64.WordMain)
		}
	}
	stubs, err := l.stubs()
	if err != nil {
		return nil, err
	}
	out := &elf.Program{Entry: entry, Fill: p.fill, Symbols: append(l.data(), stubs...)}
	out.Symbols = append(out.Symbols, elf.Symbol{Name: amd64.Code, Section: elf.Text, Align: p.align})
	for _, c := range p.Funcs {
		s := p.textSymbol(c)
		s.Global = true
		out.Symbols = append(out.Symbols, s)
	}
	sigs := p.signatures(calls)
	for i, call := range calls {
		c, err := p.Encode(p.call(callName(i), call.Func, call.Args, sigs[i]))
		if err != nil {
			return nil, err
		}
		out.Symbols = append(out.Symbols, p.textSymbol(c))
	}
	return out, nil
}

// signatures are the signatures of the functions that are called. One that the program has
// not is an undefined symbol, which linking reports; its inputs count as integers.
func (p *Program) signatures(calls []Call) []amd64.Signature {
	sigs := make([]amd64.Signature, len(calls))
	if calls == nil {
		return sigs
	}
	index := make(map[string]int, len(p.Funcs))
	for i, c := range p.Funcs {
		index[c.Name] = i
	}
	for i, call := range calls {
		if at, ok := index[call.Func]; ok {
			sigs[i] = p.sigs[at]
		} else {
			sigs[i].FloatInputs = make([]bool, len(call.Args))
		}
	}
	return sigs
}

func (p *Program) textSymbol(c *mach.Code) elf.Symbol {
	return elf.Symbol{Name: c.Name, Section: elf.Text, Bytes: c.Bytes, Align: p.align, Relocs: c.Relocs}
}

// A linker collects what a program needs besides its functions.
type linker struct {
	p      *Program
	all    []*mach.Func
	datums []amd64.Datum
	index  map[string]int // of a stub in all; data has numbers from len(all) on
	needed []bool         // by that number
	todo   []int          // stubs that are needed and not encoded yet
	codes  []*mach.Code   // of all, where encoded
	floats []amd64.Datum  // constants of functions, in the order in which they come up
}

func (l *linker) makeTables() {
	l.all = append(l.p.stubs(), l.p.main(amd64.WordMain, mainName, l.p.signatures([]Call{{Func: mainName}})[0]))
	l.datums = append(l.p.data(), l.p.provided()...)
	l.index = make(map[string]int, len(l.all)+len(l.datums))
	for i, f := range l.all {
		l.index[f.Name] = i
	}
	for i, d := range l.datums {
		l.index[d.Name] = len(l.all) + i
	}
	l.needed = make([]bool, len(l.all)+len(l.datums))
	l.codes = make([]*mach.Code, len(l.all))
}

// need notes that a stub or its data has to be there; other names are not ours. The
// tables are only made if there is any need.
func (l *linker) need(name string) {
	if !strings.HasPrefix(name, stubPrefix) {
		return
	}
	if l.index == nil {
		l.makeTables()
	}
	i, ok := l.index[name]
	if !ok {
		l.constant(name)
		return
	}
	if l.needed[i] {
		return
	}
	l.needed[i] = true
	if i < len(l.all) {
		l.todo = append(l.todo, i)
	}
}

// constant notes a constant that functions name by its value.
func (l *linker) constant(name string) {
	d, ok := l.p.constant(name)
	if !ok {
		return
	}
	l.index[name] = len(l.needed)
	l.needed = append(l.needed, true)
	l.floats = append(l.floats, d)
}

func (l *linker) needAll(relocs []mach.Reloc) {
	for i := range relocs {
		l.need(relocs[i].Symbol)
	}
}

// stubs encodes the needed stubs and returns them in the order of their table.
func (l *linker) stubs() ([]elf.Symbol, error) {
	for len(l.todo) > 0 {
		i := l.todo[len(l.todo)-1]
		l.todo = l.todo[:len(l.todo)-1]
		c, err := l.p.Encode(l.all[i])
		if err != nil {
			return nil, err
		}
		l.codes[i] = c
		l.needAll(c.Relocs)
	}
	var out []elf.Symbol
	for _, c := range l.codes {
		if c != nil {
			out = append(out, l.p.textSymbol(c))
		}
	}
	return out, nil
}

// variableAlign is the alignment of variables in bytes: that of a stack.
const variableAlign = 16

// data returns the needed data.
func (l *linker) data() []elf.Symbol {
	var out []elf.Symbol
	for i, d := range append(l.datums, l.floats...) {
		switch {
		case !l.needed[len(l.all)+i]:
		case d.Bytes == nil:
			out = append(out, elf.Symbol{Name: d.Name, Section: elf.Bss, Size: d.Zero, Align: variableAlign})
		default:
			out = append(out, elf.Symbol{Name: d.Name, Section: elf.Rodata, Bytes: d.Bytes, Align: d.Align})
		}
	}
	return out
}

// provided is the data that stubs demand of their user.
func (p *Program) provided() []amd64.Datum {
	return []amd64.Datum{
		{Name: amd64.File, Bytes: append([]byte(p.fileName()), 0)},
		{Name: amd64.Sites, Bytes: p.sites(), Align: siteAlign},
	}
}

// fileName is the name that faults are reported under.
func (p *Program) fileName() string {
	for _, f := range p.files {
		if f != nil {
			return f.Name[:min(len(f.Name), amd64.MaxFileName)]
		}
	}
	return "shoal"
}
