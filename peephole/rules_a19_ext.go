package peephole

import (
	"slices"

	"shoal/node"
)

// extRules are section A.19. The number of bits of an extension is 1 to 64.
var extRules = slices.Concat(
	[]Rule{
		{Name: "zx-all", Since: 24, Doc: "optimizations EXT2", From: ZX(C, X), To: X, If: ULE(Bits, C)},
		{Name: "zx-mask", Since: 24, Doc: "optimizations §0.5, AND27", From: ZX(C, X), To: And(X, Ones(C)), If: ULT(C, Bits)},
		{Name: "sx-all", Since: 24, Doc: "optimizations EXT1", From: SX(C, X), To: X, If: ULE(Bits, C)},
		{Name: "sx-fits", Since: 24, Doc: "optimizations EXT1, EXT5, EXT8, EXT14, EXT16", From: SX(C, X), To: X, If: all(ULT(C, Bits), ULT(Add(X, Shl(K(1), Sub(C, K(1)))), Shl(K(1), C)))},
		{Name: "sx-sx", Since: 24, Doc: "optimizations EXT3", From: SX(C, SX(D, X)), To: SX(Fold(UMin(C, D)), X)},
		{Name: "sx-positive", Since: 24, Doc: "optimizations EXT7", From: SX(C, X), To: And(X, Ones(C)), If: all(ULT(C, Bits), EQ(And(X, Shl(K(1), Sub(C, K(1)))), K(0)))},
		{Name: "sx-masked", Since: 24, Doc: "optimizations EXT17", From: SX(C, And(X, D)), To: SX(C, X), If: EQ(And(D, Ones(C)), Ones(C))},
		{Name: "sx-shl", Since: 24, Doc: "optimizations EXT12", From: SX(C, Once(Shl(SX(D, X), Y))), To: SX(C, Shl(X, Y)), If: ULE(C, D)},
		{Name: "mask-sx-shl", Since: 24, Doc: "optimizations EXT12, for masks", From: And(Once(Shl(SX(D, X), Y)), C), To: And(Shl(X, Y), C), If: ULE(C, Ones(D))},
		{Name: "sx-minus", Since: 24, Doc: "optimizations EXT18", From: SX(C, Once(Minus(SX(D, X)))), To: SX(C, Minus(X)), If: ULE(C, D)},
		{Name: "sx-com", Since: 24, Doc: "optimizations EXT18, for ~", From: SX(C, Once(BitNot(SX(D, X)))), To: SX(C, BitNot(X)), If: ULE(C, D)},
	},
	narrowRules("add", node.OpAdd),
	narrowRules("sub", node.OpSub),
	narrowRules("mul", node.OpMul),
	narrowRules("and", node.OpAnd),
	narrowRules("or", node.OpOr),
	narrowRules("xor", node.OpXor),
)

// narrowRules are those for an op whose low bits depend on the low bits of its operands
// alone: an operand need not be extended if only the low bits of the result count.
func narrowRules(name string, op node.Op) []Rule {
	rules := []Rule{
		{Name: "sx-" + name + "-sx", Since: 24, Doc: "optimizations EXT10, EXT11", From: SX(C, Once(P(op, SX(D, X), Y))), To: SX(C, P(op, X, Y)), If: ULE(C, D)},
		{Name: "mask-" + name + "-sx", Since: 24, Doc: "optimizations EXT9", From: And(Once(P(op, SX(D, X), Y)), C), To: And(P(op, X, Y), C), If: ULE(C, Ones(D))},
	}
	if op != node.OpSub {
		return rules
	}
	return append(rules,
		Rule{Name: "sx-sub-right-sx", Since: 24, Doc: "optimizations EXT10", From: SX(C, Once(Sub(Y, SX(D, X)))), To: SX(C, Sub(Y, X)), If: ULE(C, D)},
		Rule{Name: "mask-sub-right-sx", Since: 24, Doc: "optimizations EXT9", From: And(Once(Sub(Y, SX(D, X))), C), To: And(Sub(Y, X), C), If: ULE(C, Ones(D))})
}
