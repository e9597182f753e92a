package chapters

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"shoal"
	"shoal/internal/golden"
	"shoal/node"
	"shoal/source"
	"shoal/ssa"
)

// The suites. A file chapterNN/*.txtar holds the programs of one theme; its comment says
// which. A program NAME is the section NAME.smp; the sections behind it promise something:
//
//	NAME.line      what the optimized program prints, on one line
//	NAME.raw       what it prints without any rule
//	NAME.args      its linear SSA form
//	NAME.blocks    its schedule
//	NAME.placed    where code motion put what floats, and between which blocks it could
//	NAME.scopes    the scopes of the parser at each #showGraph
//	NAME.run       lines "ARG -> RESULT": what shoal eval prints, or FALLTHROUGH, for 0
//	               because control ends without a return, or TIMEOUT, or a fault as
//	               "LINE:COLUMN: fault: what"
//	NAME.error     what is wrong with it, lines "LINE:COLUMN: message"
//	NAME.levels    "FIRST-LAST why": the chapters at which it is valid, if these are not
//	               all from its own to the last
//
// All are of the chapter's own level, unless a suffix such as ".level=8" says otherwise;
// ".arg=5" tells the compiler the argument, ".O1" sets the optimization. With -update
// all are rewritten but the results, which are for people to promise.
func suite(t *testing.T, chapter int) { suiteIn(t, fmt.Sprintf("chapter%02d", chapter), chapter) }

// suiteIn is suite for the programs of a folder.
func suiteIn(t *testing.T, folder string, chapter int) {
	golden.Run(t, folder+"/*.txtar", func(t *testing.T, g *golden.Case) {
		for _, name := range g.Sections() {
			if name, ok := strings.CutSuffix(name, ".smp"); ok {
				p := &program{t: t, g: g, name: name, src: g.Text(name + ".smp"), first: chapter, last: shoal.MaxChapter}
				p.check()
			}
		}
	})
}

// A program is one of the programs of a file.
type program struct {
	t           *testing.T
	g           *golden.Case
	name        string
	src         string
	first, last int // the chapters at which it is valid
	promises    int
}

// check checks all that is promised of p. A program that nothing is promised of is a
// mistake in the file.
func (p *program) check() {
	p.levels()
	for _, section := range p.g.Sections() {
		rest, ok := strings.CutPrefix(section, p.name+".")
		if !ok || rest == "smp" || rest == "levels" {
			continue
		}
		words := strings.Split(rest, ".")
		kind, opts := words[0], p.options(words[1:])
		p.promises++
		switch {
		case kind == "error":
			p.wrong(section, opts)
		case kind == "run":
			p.run(section)
		case views[kind].write != nil:
			p.g.Want(section, p.view(kind, opts))
		default:
			p.t.Errorf("%s: there is no kind of section %q", p.name, kind)
		}
	}
	if p.promises == 0 {
		p.t.Errorf("%s: nothing is promised of it", p.name)
	}
}

// levels reads NAME.levels and tests that p is wrong at the chapters next to those.
func (p *program) levels() {
	text, ok := p.g.Part(p.name + ".levels")
	if !ok {
		return
	}
	own := p.first
	if n, err := fmt.Sscanf(text, "%d-%d", &p.first, &p.last); n != 2 || err != nil {
		p.t.Errorf("%s: levels are to be written as 5-24, not %q", p.name, text)
	}
	for _, level := range []int{p.first - 1, p.last + 1} {
		if level < own || level > shoal.MaxChapter {
			continue
		}
		if _, err := shoal.Compile(p.file(), shoal.Options{Chapter: level, Until: "check"}); err != shoal.ErrProgram {
			p.t.Errorf("%s: levels are said to be %d-%d, and yet level %d takes it", p.name, p.first, p.last, level)
		}
	}
}

func (p *program) file() *source.File { return source.NewFile(p.name+".smp", []byte(p.src)) }

// options reads the suffixes of a section.
func (p *program) options(words []string) shoal.Options {
	o := shoal.Options{Chapter: p.first, Verify: true, Names: true}
	for _, w := range words {
		key, value, _ := strings.Cut(w, "=")
		n, err := strconv.ParseInt(value, 10, 64)
		switch {
		case w == "O0":
			o.Opt = shoal.Raw
		case w == "O1":
			o.Opt = shoal.Rules
		case key == "level" && err == nil:
			o.Chapter = int(n)
		case key == "arg" && err == nil:
			o.Arg = &n
		default:
			p.t.Errorf("%s: unknown suffix %q", p.name, w)
		}
	}
	return o
}

// compile compiles p, which must be right.
func (p *program) compile(o shoal.Options) *shoal.Unit {
	u, err := shoal.Compile(p.file(), o)
	if err == shoal.ErrProgram {
		p.t.Fatalf("%s: %v", p.at(o), u.Diagnostics)
	}
	if err != nil {
		p.t.Fatalf("%s: %v", p.at(o), err)
	}
	return u
}

// A view is a text that shows a program after some pass.
type view struct {
	until string
	set   func(o *shoal.Options, b *bytes.Buffer) // more options, and a listener that writes
	write func(u *shoal.Unit, b *bytes.Buffer)
}

var views = map[string]view{
	"line":   {"optimize", nil, func(u *shoal.Unit, b *bytes.Buffer) { u.WriteLines(b) }},
	"raw":    {"parse", func(o *shoal.Options, _ *bytes.Buffer) { o.Opt = shoal.Raw }, func(u *shoal.Unit, b *bytes.Buffer) { u.WriteLines(b) }},
	"args":   {"ssa", nil, func(u *shoal.Unit, b *bytes.Buffer) { ssa.Print(b, u.Module) }},
	"blocks": {"schedule", nil, func(u *shoal.Unit, b *bytes.Buffer) { u.Schedules[0].Write(b, node.Rows{}) }},
	"placed": {"schedule", listenPlaced, func(*shoal.Unit, *bytes.Buffer) {}},
	"scopes": {"parse", listenShown, func(*shoal.Unit, *bytes.Buffer) {}},
}

func (p *program) view(kind string, o shoal.Options) string {
	var b bytes.Buffer
	v := views[kind]
	o.Until = v.until
	if v.set != nil {
		v.set(&o, &b)
	}
	v.write(p.compile(o), &b)
	return b.String()
}

// listenPlaced writes what floats and where it went.
func listenPlaced(o *shoal.Options, b *bytes.Buffer) {
	o.OnEvent = func(_ *node.Graph, e node.Event) {
		if e.Kind == node.Placed {
			fmt.Fprintf(b, "%v: %s\n", e.Node, e.Note)
		}
	}
}

// listenShown writes every scope there is, a bracket for each nesting level, whenever the
// program asks for a dump.
func listenShown(o *shoal.Options, b *bytes.Buffer) {
	o.OnEvent = func(g *node.Graph, e node.Event) {
		if e.Kind != node.Shown {
			return
		}
		for _, s := range g.Scopes.Live() {
			fmt.Fprintf(b, "%s%s $ctrl:%v%s\n", "Scope ", s.Label, s.Ctrl(), bindings(g.Scopes, s))
		}
	}
}

func bindings(sc *node.Scopes, s *node.Scope) string {
	var b strings.Builder
	values := sc.Bindings(s)
	level := 0
	for i, v := range sc.Vars(s) {
		switch {
		case i == node.MemorySlot:
			b.WriteString(" [")
			continue // memory is shown from level 10 on
		case v.Level > level:
			b.WriteString(strings.Repeat("][", v.Level-level))
			level = v.Level
		case !strings.HasSuffix(b.String(), "["):
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%s:%v", v.Sym.Name, values[i])
	}
	return b.String() + "]"
}

// wrong checks the diagnostics of p, which are the same at every optimization.
func (p *program) wrong(section string, o shoal.Options) {
	for _, opt := range []shoal.Opt{shoal.Full, shoal.Rules, shoal.Raw} {
		o.Opt, o.Until = opt, "check"
		u, err := shoal.Compile(p.file(), o)
		if err != shoal.ErrProgram {
			p.t.Fatalf("%s: the error is %v; it should have diagnostics", p.at(o), err)
		}
		var b strings.Builder
		for _, d := range u.Diagnostics.List() {
			line, column := u.File.Line(d.Span.Start)
			fmt.Fprintf(&b, "%d:%d: %s\n", line, column, d.Message)
		}
		p.g.Want(section, b.String())
	}
}

// A call is one line of NAME.run.
type call struct {
	arg  int64
	want string // a value as shoal eval prints it, LINE:COLUMN: fault: ..., FALLTHROUGH or TIMEOUT
}

// run runs p in every way, at every optimization of every level at which it is valid: the
// matrix. The order of the worklist differs from level to level, for it must not matter.
func (p *program) run(section string) {
	calls := p.calls(section)
	for level := p.first; level <= p.last; level++ {
		for _, opt := range []shoal.Opt{shoal.Full, shoal.Rules, shoal.Raw} {
			if !p.agree(calls, shoal.Options{Chapter: level, Opt: opt, Seed: int64(level - p.first), Verify: true}) {
				return
			}
		}
	}
}

func (p *program) calls(section string) (calls []call) {
	for line := range strings.Lines(p.g.Text(section)) {
		var c call
		arg, want, ok := strings.Cut(strings.TrimSpace(line), " -> ")
		n, err := strconv.ParseInt(arg, 10, 64)
		if !ok || err != nil {
			p.t.Fatalf("%s: a line must read 5 -> 8, not %q", p.name, line)
		}
		c.arg, c.want = n, want
		calls = append(calls, c)
	}
	if len(calls) == 0 {
		p.t.Fatalf("%s: no calls", section)
	}
	return calls
}

// agree runs what one set of options makes by all engines and tells whether all went well: one mistake
// is not to be reported for every level.
func (p *program) agree(calls []call, o shoal.Options) (ok bool) {
	parsed := o
	parsed.Until = "parse"
	units := map[string]*shoal.Unit{"parse": p.compile(parsed), "": p.compile(o)}
	for _, e := range engines {
		u := units[e.after]
		got, err := e.run(u, calls)
		if err != nil {
			p.t.Fatalf("%s, %s: %v", p.at(o), e.name, err)
		}
		want := make([]string, len(calls))
		for i, c := range calls {
			want[i] = fmt.Sprint(c.arg, " -> ", e.expects(c.want, o.Chapter))
			got[i] = fmt.Sprint(c.arg, " -> ", got[i])
		}
		if diff := cmp.Diff(want, got); diff != "" {
			p.t.Errorf("%s, %s (-want +got):\n%s\n%v", p.at(o), e.name, diff, u.Funcs[0].Graph.Stop)
			return false
		}
	}
	return true
}

// at says which compilation of p went wrong.
func (p *program) at(o shoal.Options) string {
	flag := map[shoal.Opt]int{shoal.Raw: 0, shoal.Rules: 1, shoal.Full: 2}
	return fmt.Sprintf("%s --chapter %d -O %d --seed %d", p.name, o.Chapter, flag[o.Opt], o.Seed)
}

// ending are the calls that should end with a number.
func ending(calls []call) (list []call) {
	for _, c := range calls {
		if endsWithNumber(c) {
			list = append(list, c)
		}
	}
	return list
}

func endsWithNumber(c call) bool { return c.want != timeout && !strings.Contains(c.want, "fault: ") }
