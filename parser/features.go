package parser

import "shoal/source"

// A feature is something of the language that a chapter brings.
type feature uint8

const (
	featArithmetic feature = iota
	featVariables
	featArg
	featCompare
	featIf
	featTruth
	featAfterReturn
	featWhile
	featJumps
	featStructs
	featNull
	featNullable
	featNew
	featField
	featNot
	featNoInit
	featExprStatement
	featComment
	featFloat
	featRefFields
	featForward
	featNarrow
	featBits
	featArrays
	featFinal
	featBodies
	featFor
	featIncrement
	featAssignOp
	featAssignValue
	featTernary
	featInfer
	featFunctions
	featAssignBits
	featAssignField
	featStrings
	featTypeField
	featNested
	featConstArray
	featBlockComment
	featAndOr
	featChains
	numFeatures
)

// features is the table of what each chapter brings (chapters, appendix B.1): the name as
// it stands in "X needs chapter M", and whether it is built.
var features = [numFeatures]struct {
	name  string
	since int
	built bool
}{
	featArithmetic:    {"arithmetic", 2, true},
	featVariables:     {"a second statement, a variable or a block", 3, true},
	featArg:           {"'arg'", 4, true},
	featCompare:       {"a comparison", 4, true},
	featIf:            {"'if'", 5, true},
	featTruth:         {"'true' or 'false'", 5, true},
	featAfterReturn:   {"statement after return", 6, true},
	featWhile:         {"'while'", 7, true},
	featJumps:         {"'break' or 'continue'", 8, true},
	featStructs:       {"'struct'", 10, true},
	featNull:          {"'null'", 10, true},
	featNullable:      {"a nullable type", 10, true},
	featNew:           {"'new'", 10, true},
	featField:         {"field access", 10, true},
	featNot:           {"unary '!'", 10, true},
	featNoInit:        {"declaration without initializer", 10, true},
	featExprStatement: {"expression statement", 10, true},
	featComment:       {"'//' comment", 11, true},
	featFloat:         {"floating point", 12, true},
	featRefFields:     {"a field that is a reference", 13, true},
	featForward:       {"use of a struct before its declaration", 13, true},
	featNarrow:        {"a sized integer type", 14, true},
	featBits:          {"a bit operation", 14, true},
	featArrays:        {"an array", 15, true},
	featFinal:         {"several names in one declaration, or '!' on a name,", 16, true},
	featBodies:        {"a constructor, or a statement in a struct,", 16, true},
	featFor:           {"'for'", 17, true},
	featIncrement:     {"'++' or '--'", 17, true},
	featAssignOp:      {"operator assignment", 17, true},
	featAssignValue:   {"assignment as an expression", 17, true},
	featTernary:       {"'?:'", 17, true},
	featInfer:         {"'var' or 'val'", 17, true},
	featFunctions:     {"a function", 18, false},
	featAssignBits:    {"assignment with a bit operator", 18, true},
	featAssignField:   {"operator assignment to a field or an element", 18, true},
	featStrings:       {"a string or character literal", 22, false},
	featTypeField:     {"a field of a type", 22, false},
	featNested:        {"a struct in a struct", 22, false},
	featConstArray:    {"an array type with '~'", 22, false},
	featBlockComment:  {"'/*' comment", 22, true},
	featAndOr:         {"'&&' or '||'", 23, false},
	featChains:        {"a chain of comparisons", 24, false},
}

// A keyword is a word of some chapter.
type keyword struct {
	since int
	feat  feature // what it begins, for words that some chapter has not got yet
	typ   bool    // it names a type
}

// keywords are the reserved words with their first chapter (chapters §0.5). Below it a
// word is an ordinary name.
var keywords = map[string]keyword{
	"return": {since: 1}, "int": {since: 3, feat: featVariables, typ: true},
	"if": {since: 5, feat: featIf}, "else": {since: 5, feat: featIf},
	"true": {since: 5, feat: featTruth}, "false": {since: 5, feat: featTruth},
	"while": {since: 7, feat: featWhile},
	"break": {since: 8, feat: featJumps}, "continue": {since: 8, feat: featJumps},
	"struct": {since: 10, feat: featStructs}, "new": {since: 10, feat: featNew}, "null": {since: 10, feat: featNull},
	"flt":  {since: 12, feat: featFloat, typ: true},
	"bool": {since: 14, feat: featNarrow, typ: true}, "byte": {since: 14, feat: featNarrow, typ: true},
	"f32": {since: 14, feat: featNarrow, typ: true}, "f64": {since: 14, feat: featNarrow, typ: true},
	"i8": {since: 14, feat: featNarrow, typ: true}, "i16": {since: 14, feat: featNarrow, typ: true},
	"i32": {since: 14, feat: featNarrow, typ: true}, "i64": {since: 14, feat: featNarrow, typ: true},
	"u1": {since: 14, feat: featNarrow, typ: true}, "u8": {since: 14, feat: featNarrow, typ: true},
	"u16": {since: 14, feat: featNarrow, typ: true}, "u32": {since: 14, feat: featNarrow, typ: true},
	"for": {since: 17, feat: featFor}, "val": {since: 17, feat: featInfer}, "var": {since: 17, feat: featInfer},
}

// operatorFeatures are the operators that come after a value in some chapter.
var operatorFeatures = map[string]feature{
	"+": featArithmetic, "-": featArithmetic, "*": featArithmetic, "/": featArithmetic,
	"==": featCompare, "!=": featCompare, "<": featCompare, "<=": featCompare, ">": featCompare, ">=": featCompare,
	".": featField, "&": featBits, "|": featBits, "^": featBits, "<<": featBits, ">>": featBits, ">>>": featBits,
	"[": featArrays, "#": featArrays, "?": featTernary, "(": featFunctions, "&&": featAndOr, "||": featAndOr,
	"+=": featAssignOp, "-=": featAssignOp, "*=": featAssignOp, "/=": featAssignOp,
	"&=": featAssignBits, "|=": featAssignBits, "^=": featAssignBits, "<<=": featAssignBits, ">>=": featAssignBits, ">>>=": featAssignBits,
}

// has tells whether the chapter has a feature and it is built.
func (p *parser) has(f feature) bool {
	return features[f].since <= p.opts.Level && features[f].built
}

// need reports a feature that the chapter, or the compiler, does not have, and gives up
// the statement.
func (p *parser) need(f feature, span source.Span) {
	if p.has(f) {
		return
	}
	p.lacks(f, span)
	p.bail()
}

// needKeyword is need for what a word begins.
func (p *parser) needKeyword(word token) {
	if k, ok := keywords[word.text]; ok {
		p.need(k.feat, word.span())
	}
}

// lacks reports a feature once: whoever uses it a second time has the same thing to do.
func (p *parser) lacks(f feature, span source.Span) {
	if p.suspect || p.blame(features[f].name) {
		return
	}
	p.suspect = true
	if features[f].since > p.opts.Level {
		p.report("needs-chapter", span, features[f].name, features[f].since)
		return
	}
	p.report("not-supported", span, features[f].name)
}

// reserved tells whether a word is a keyword at this chapter.
func (p *parser) reserved(word string) bool {
	k, ok := keywords[word]
	return ok && k.since <= p.opts.Level
}
