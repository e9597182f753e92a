package parser

import (
	"shoal/node"
	"shoal/node/types"
	"shoal/peephole"
	"shoal/source"
)

// Options choose the language and what is done to the graph while it is built.
type Options struct {
	Level     int    // the chapter, 1 to 24
	Raw       bool   // -O 0: nothing is replaced
	Global    bool   // -O 2
	Arg       *int64 // the program's argument, if the compiler is to know it
	Unchecked bool   // indexes and lengths are not checked at run time
	Seed      int64  // order of the worklist
	Check     bool   // check the engine's invariants
	OnEvent   func(g *node.Graph, e node.Event)
}

// MaxDepth is how deeply statements may nest in each other, and within a statement
// parentheses and unary operators (semantics §13). An else-if chain is not nesting.
const MaxDepth = 10_000

// A Func is a function as the parser leaves it: a graph, and the engine that made it.
type Func struct {
	Graph  *node.Graph
	Engine *peephole.Engine
	Typed  bool // it has values of types that have to be checked
}

// Parse builds the graph of a program. The diagnostics are empty if it is a correct one.
func Parse(file *source.File, opts Options) ([]Func, *source.Diagnostics) {
	p := &parser{file: file, opts: opts, diags: &source.Diagnostics{File: file}, blamed: map[string]bool{}}
	if len(file.Text) > source.MaxSize {
		p.report("too-large", source.Span{})
		return nil, p.diags
	}
	p.lex = lexer{src: string(file.Text), floats: p.has(featFloat), comment: p.comment}
	p.rows = operatorRows(opts.Level)
	p.structs, p.arrays = map[string]*structDecl{}, map[types.Type]*types.Object{}
	p.begin()
	p.advance()
	p.program()
	if p.diags.Any() {
		return nil, p.diags
	}
	return []Func{{p.g, p.e, len(p.structs)+len(p.arrays) > 0 || p.unsure}}, p.diags
}

// A parser reads one program.
type parser struct {
	file  *source.File
	opts  Options
	diags *source.Diagnostics
	lex   lexer
	tok   token // the next token
	prev  token // the one before it

	g      *node.Graph
	e      *peephole.Engine
	scopes *node.Scopes
	scope  *node.Scope // where the parser is
	mem    *node.Node  // memory at the start

	breaks    *node.Scope         // pending exits of the innermost loop
	continues *node.Scope         // pending continues of it, nil if there was none
	nesting                       // how deep it is
	returned  bool                // a return came before, in this block
	names     map[string][]int    // the slots of each name, innermost last
	decls     []decl              // of the names in sight
	rows      []map[string]binary // the binary operators of the chapter, the loosest first

	structs map[string]*structDecl
	arrays  map[types.Type]*types.Object // by type of the elements
	classes map[*types.Field]int         // slots of the memory that they lie in
	fields  map[*types.Field]*node.Symbol
	objects map[*types.Object]*node.Symbol
	guards  []guard // of the tests around, the innermost last
	checks  []check // that control has passed, the innermost last

	unset      map[*node.Symbol]bool // names that were declared without a value
	unsetReads []token               // of the constructor, at chapter 16
	returns    types.Type            // of all values returned so far
	late       bool                  // the text is behind an error; its graph is thrown away
	restarts   int                   // how many errors made a new graph necessary
	unsure     bool                  // made without rules, and what they know may tell that it is wrong
	bailing    bool                  // the panic of a syntax error is under way
	stopped    bool                  // nothing more is reported
	suspect    bool                  // syntax errors of this statement come from what was reported of it
	declares   string                // the name that this statement declares
	declared   types.Type            // its type
	blamed     map[string]bool       // names and features that were reported, or come from skipped text
}

// A nesting counts the constructs around a place in the text, and says at which level of
// scopes the names are fields, 0 outside of the bodies of structs.
type nesting struct {
	body         int
	loops        int // whiles
	constructors int // blocks behind new
	header       int // 1 between the parentheses of a for
	blocks       int // blocks, and statements that are part of another
	parens       int // parentheses, brackets, unary operators and assignments inside of expressions
}

// bailout is the panic of a syntax error; the list of statements goes on behind it.
type bailout struct{}

func (p *parser) begin() {
	p.g = node.NewGraph("main", p.file, types.Flat)
	p.g.Pass = "parse"
	if on := p.opts.OnEvent; on != nil && !p.late {
		g := p.g
		g.OnEvent = func(e node.Event) { on(g, e) }
	}
	p.e = peephole.New(p.g, peephole.Options{
		Level: p.opts.Level, Off: p.opts.Raw, Global: p.opts.Global, Arg: p.opts.Arg, Seed: p.opts.Seed, Check: p.opts.Check,
	})
	ctrl := p.e.MakeAux(node.OpCProj, source.NoPos, 0, symbol("$ctrl", types.Ctrl), p.g.Start)
	p.mem = p.g.Hold(p.e.MakeAux(node.OpProj, source.NoPos, 1, symbol("$mem", types.Mem), p.g.Start))
	p.scopes, p.scope = node.NewScopes(p.g, ctrl, p.mem)
	p.scopes.Make = p.e.MakeNamed
	p.g.Scopes = p.scopes
	p.names, p.decls, p.guards, p.checks = map[string][]int{}, []decl{{}}, nil, nil
	p.returns, p.unset = types.Top, map[*node.Symbol]bool{}
	p.classes, p.fields, p.objects = map[*types.Field]int{}, map[*types.Field]*node.Symbol{}, map[*types.Object]*node.Symbol{}
	if p.has(featArg) {
		arg := symbol("arg", types.Int)
		p.define(arg, p.e.MakeAux(node.OpProj, source.NoPos, 2, arg, p.g.Start))
	}
}

func symbol(name string, t types.Type) *node.Symbol {
	return &node.Symbol{Name: name, Declared: t}
}

// finish ends the function: a live end returns the zero of what is returned elsewhere, where
// the chapter says so (11), and the scopes go.
func (p *parser) finish() {
	if p.opts.Level >= implicitReturn && p.scope.Ctrl().Type != types.XCtrl {
		zero := types.Zero
		if p.returns.IsRef() || p.returns.IsFloat() {
			zero = p.returns.Zero()
		}
		p.addReturn(p.constant(zero, p.tok.start), p.tok.start)
	}
	p.leave(mark{})
	p.pop()
	for _, d := range p.structs {
		for _, v := range d.start {
			p.g.Drop(v)
		}
	}
	p.scopes.Drop(p.scope)
	p.g.Scopes = nil
	p.scopes.Close()
	p.g.Drop(p.mem)
}

// implicitReturn is the chapter from which on a program that falls off its end returns 0.
const implicitReturn = 11

// addReturn ends the current path with a Return of value.
func (p *parser) addReturn(value *node.Node, at source.Pos) {
	mem := p.mem
	if p.opts.Level >= memoryChapter {
		p.g.Hold(value)
		mem = p.scopes.Get(p.scope, node.MemorySlot)
		p.g.Release(value)
	}
	in := append([]*node.Node{p.scope.Ctrl(), mem, value}, p.memories(value)...)
	ret := p.e.Make(node.OpReturn, at, in...)
	if ret.Op == node.OpReturn {
		p.g.AddIn(p.g.Stop, ret)
	}
	p.scopes.SetCtrl(p.scope, p.e.DeadCtrl())
}

// memories are the states of memory that a Return of value hands out: at chapter 24 none
// but for an object, which somebody may look at.
func (p *parser) memories(value *node.Node) []*node.Node {
	if p.opts.Level >= endOfMemory && !value.Type.IsRef() {
		return nil
	}
	p.g.Hold(value)
	var states []*node.Node
	for k := range p.scopes.Classes() {
		if m := p.scopes.Get(p.scope, p.scopes.ClassSlot(k)); m != p.mem {
			states = append(states, m)
		}
	}
	p.g.Release(value)
	return states
}

// endOfMemory is the chapter from which on what main leaves in memory is of no use.
const endOfMemory = 24

// memoryChapter is the chapter from which on memory can change.
const memoryChapter = 10

func (p *parser) advance() {
	p.prev = p.tok
	p.tok = p.lex.next()
}

// take skips the operator or mark s if it is next.
func (p *parser) take(s string) bool {
	if !p.tok.is(s) {
		return false
	}
	p.advance()
	return true
}

// peek is the token behind the next one.
func (p *parser) peek() token {
	ahead := p.lex
	ahead.comment = func(source.Span, bool, bool) {}
	return ahead.next()
}

// word tells whether the next token is the keyword s of this chapter.
func (p *parser) word(s string) bool {
	return p.tok.kind == tokName && p.tok.text == s && p.reserved(s)
}

// expect skips the mark s, which must be next.
func (p *parser) expect(s string) {
	if p.take(s) {
		return
	}
	p.laterOperator()
	p.fail("expected", p.missing(), s, p.tok.text)
}

// missing is where something is missing: right behind the last token if the next one is
// on another line, else at the next token.
func (p *parser) missing() source.Span {
	if p.prev.end.Known() {
		before, _ := p.file.Line(p.prev.end)
		if line, _ := p.file.Line(p.tok.start); line != before || p.tok.kind == tokEOF {
			return source.Span{Start: p.prev.end, End: p.prev.end}
		}
	}
	return p.tok.span()
}

// laterOperator reports an operator of a later chapter where this one can not go on.
func (p *parser) laterOperator() {
	if p.tok.is("=") && p.prev.kind == tokName && !p.reserved(p.prev.text) {
		p.need(featAssignValue, p.tok.span())
	}
	if p.tok.kind == tokOp {
		if f, ok := operatorFeatures[p.tok.text]; ok {
			p.need(f, p.tok.span())
		}
	}
}

// fail reports a syntax error and gives up the statement.
func (p *parser) fail(code string, span source.Span, args ...any) {
	p.failHint(code, span, "", args...)
}

func (p *parser) failHint(code string, span source.Span, hint string, args ...any) {
	if !p.suspect {
		p.reportHint(code, span, hint, args...)
	}
	p.bail()
}

// bail gives up the statement: next, which reads the list that it is in, goes on behind it.
func (p *parser) bail() {
	p.bailing = true
	panic(bailout{})
}

// giveUp skips the rest of the text.
func (p *parser) giveUp() {
	p.stopped = true
	p.lex.pos = len(p.lex.src)
	p.advance()
	p.bail()
}

// enter goes one level deeper, of blocks or parens; the caller leaves it with a decrement.
func (p *parser) enter(depth *int) {
	if *depth++; *depth > MaxDepth {
		p.report("too-deep", p.tok.span(), MaxDepth)
		p.giveUp() // nothing behind it can be told from nonsense
	}
}

func (p *parser) comment(span source.Span, block, ended bool) {
	f := featComment
	if block {
		f = featBlockComment
	}
	switch {
	case !p.has(f):
		p.lacks(f, span)
	case !ended:
		p.report("open-comment", span)
	}
}
