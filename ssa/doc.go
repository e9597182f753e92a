// Package ssa is linear SSA with block arguments: what a function is after global code
// motion and what the back end reads.
//
// Needs: a schedule (build.go) or a text (parse.go). Gives: a Func, its text (print.go),
// validator (validate.go, classes.go), interpreter (interp.go), dominators and loops (dom.go,
// loops.go), edge splitting and new names (edit.go) and pruning (prune.go). Breaks: only
// Prune, SetDepths and the functions of edit.go change a function.
//
// A function is a list of blocks with parameters; a terminator passes arguments. Taking
// the edge P -> B(a...) is one parallel copy: all arguments are read, then all parameters
// of B are written. Kelsey, "A Correspondence between Continuation Passing Style and
// Static Single Assignment Form", 1995.
//
// # Rules
//
// A function in block-argument form is valid if
//
//	S0  it parses;
//	S1  every name is defined once;
//	S2  every use is dominated by its definition: inputs are defined before the entry,
//	    parameters at the top of their block, an instruction before what follows it;
//	    arguments are used at the end of the branching block; uses in blocks that the
//	    entry does not reach are exempt;
//	S3  every branch passes as many arguments as its target has parameters;
//	S4  block names are unique, every target exists, and the entry block has no
//	    parameters and is no target;
//	T1  every value is of the class, integer or float, that its use needs: operands as the
//	    mnemonic and the storage say, arguments as their parameters, and all values that a
//	    function returns are of one class. References are integers.
//
// Package forms has the rules of the two other forms.
//
// # Text
//
// A file is a header line that names the form, then functions:
//
//	form args
//
//	func swap(n)
//	entry:
//	  br H(1, 2, 0)
//	H(a, b, i):
//	  i1 = add i, 1
//	  t = lt i1, n
//	  cbr t, H(b, a, i1), X()
//	X:
//	  r = sub a, b
//	  ret r
//
// The grammar, by lines; a "#" starts a comment that ends with its line, spaces do not
// count, blank lines may stand anywhere:
//
//	file    = "form" ("args" | "phi" | "upsilon") { func }
//	func    = "func" name "(" [ params ] ")" block { block }
//	block   = name [ "(" [ params ] ")" ] ":" { instr } term
//	instr   = name "=" mnemonic atom { "," atom }
//	        | name "=" "load" storage atom "," atom           reference, offset in bytes
//	        | "store" storage atom "," atom "," atom          reference, offset, value
//	        | name "=" "new" integer                          size of the struct in bytes
//	        | name "=" "newarray" integer "," atom            elements of 1<<integer bytes; length
//	        | name "=" "phi" ["flt"] [ entry { "," entry } ]  in form phi
//	        | name "=" "phi" ["flt"]                          in form upsilon
//	        | "upsilon" atom "," "^" name                     in form upsilon
//	storage = "i8" | "u8" | "i16" | "u16" | "i32" | "u32" | "i64" | "f32" | "f64" | "ref"
//	entry   = "[" atom "," name "]"
//	term    = "ret" atom | "br" target | "cbr" atom "," target "," target
//	        | "fault" fault [ atoms ]
//	fault   = "index" | "length" | "memory" | "stack"
//	target  = name [ "(" [ atoms ] ")" ]
//	params  = ["flt"] name { "," ["flt"] name }
//	atoms   = atom { "," atom }
//	atom    = name | integer | float
//
// Names are letters, digits, "_", ".", "$" and "'" and start with neither a digit nor
// "'". A line is told by its second token ("=", ":" or "(", or something else), so no words
// are reserved but "inf" and "nan". Mnemonics are those of node.Ops; an op with AuxBits takes the number of bits
// as its last operand: "x = sx y, 8". Integers are signed 64-bit decimals and stand
// wherever an operand may, as do floats: decimals with a point or an exponent, "inf",
// "-inf" and "nan". "flt" marks what is of class Float where no operation says so. Parameters and arguments belong to form args alone. The order
// of blocks is kept; the first is the entry. Printing and parsing again gives the same
// function; parsing and printing gives the canonical text.
//
// # Memory
//
// Memory is what package heap says: it is zero before it is written and never freed, an
// array begins with its length, which newarray stores, and the order of the body is the
// order of effects. newarray takes a length that is not negative. If memory is full, new
// and newarray end the run with the fault "memory"; "fault" ends it with the message of
// node.Faults, its operands as the numbers. The place of a fault is that of its line.
//
// Start reading at Func in ssa.go, then parse.go and validate.go.
package ssa
