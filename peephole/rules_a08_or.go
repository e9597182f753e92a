package peephole

// orRules are section A.8.
var orRules = []Rule{
	{Name: "or-zero", Since: 14, Doc: "chapters §14.5, optimizations OR1", From: Or(X, K(0)), To: X},
	{Name: "or-self", Since: 24, Doc: "optimizations OR3", From: Or(X, X), To: X},
	{Name: "or-com-self", Since: 24, Doc: "optimizations OR4", From: Or(X, BitNot(X)), To: K(-1)},
	{Name: "or-constants", Since: 24, Doc: "optimizations OR5", From: Or(Or(X, C), D), To: Or(X, Fold(Or(C, D)))},
	{Name: "or-and-absorb", Since: 24, Doc: "optimizations OR6", From: Or(X, And(X, Y)), To: X},
	{Name: "or-xor", Since: 24, Doc: "optimizations OR7", From: Or(X, Xor(X, Y)), To: Or(X, Y)},
	{Name: "or-com-and", Since: 24, Doc: "optimizations OR8, OR9", From: Or(X, And(BitNot(X), Y)), To: Or(X, Y)},
	{Name: "or-and-com", Since: 24, Doc: "optimizations OR9", From: Or(And(X, Y), BitNot(Y)), To: Or(X, BitNot(Y))},
	{Name: "or-coms", Since: 24, Doc: "optimizations OR10", From: Or(BitNot(X), BitNot(Y)), To: BitNot(And(X, Y))},
	{Name: "or-nor", Since: 24, Doc: "optimizations OR11", From: Or(Y, BitNot(Or(X, Y))), To: Or(Y, BitNot(X))},
	{Name: "or-same-masked", Since: 24, Doc: "optimizations OR17", From: Or(And(X, C), And(X, D)), To: And(X, Fold(Or(C, D)))},
	{Name: "or-factor", Since: 24, Doc: "optimizations OR12, EXT13", From: Or(Once(And(X, Z)), Once(And(Y, Z))), To: And(Or(X, Y), Z)},
	{Name: "or-and-xor", Since: 24, Doc: "optimizations OR13", From: Or(And(X, Y), Xor(X, Y)), To: Or(X, Y)},
	{Name: "or-by-halves", Since: 24, Doc: "optimizations OR14", From: Or(And(X, BitNot(Y)), And(BitNot(X), Y)), To: Xor(X, Y)},
	{Name: "or-and-nxor", Since: 24, Doc: "optimizations OR15", From: Or(And(X, Y), BitNot(Xor(X, Y))), To: BitNot(Xor(X, Y))},
	{Name: "or-masked", Since: 24, Doc: "optimizations OR16", From: Or(And(X, C), D), To: Or(X, D), If: EQ(Or(C, D), K(-1))},
	{Name: "or-rotate", Since: 24, Doc: "optimizations OR19", From: Or(Mul(X, C), Shr(X, D)), To: RotL(X, Log2(C)), If: rotates(C, D)},
	{Name: "or-rotate-left", Since: 24, Doc: "optimizations OR20, OR21", From: Or(Shl(X, Y), Shr(X, Minus(Y))), To: RotL(X, Y)},
	{Name: "or-rotate-right", Since: 24, Doc: "optimizations OR22", From: Or(Shr(X, Y), Shl(X, Minus(Y))), To: RotL(X, Minus(Y))},
	{Name: "rotate-zero", Since: 24, Doc: "optimizations SHL1, for rotation", From: RotL(X, K(0)), To: X},
	{Name: "rotate-count", Since: 24, Doc: "optimizations SHL2, for rotation", From: RotL(X, C), To: RotL(X, Fold(And(C, Last))), If: ULE(Bits, C)},
	{Name: "or-less-greater", Since: 24, Doc: "optimizations LT27", From: Or(LT(X, Y), LT(Y, X)), To: Not(EQ(X, Y))},
	{Name: "or-less-equal", Since: 24, Doc: "optimizations LT29", From: Or(LT(X, Y), EQ(X, Y)), To: LE(X, Y)},
	{Name: "or-negative", Since: 24, Doc: "optimizations LT30", From: Or(Once(LT(X, K(0))), Once(LT(Y, K(0)))), To: LT(Or(X, Y), K(0))},
	{Name: "or-truths", Since: 24, Doc: "optimizations LT34", From: Or(Once(truthOf(X)), Once(truthOf(Y))), To: truthOf(Or(X, Y))},
	{Name: "or-below", Since: 24, Doc: "optimizations LT36", From: Or(LT(X, C), LT(X, D)), To: LT(X, Fold(Max(C, D)))},
	{Name: "or-above", Since: 24, Doc: "optimizations LT36", From: Or(LT(C, X), LT(D, X)), To: LT(Fold(Min(C, D)), X)},
	{Name: "or-outside", Since: 24, Doc: "optimizations ULT20", From: Or(Once(LT(X, C)), Once(LT(D, X))), To: ULT(Fold(Sub(D, C)), Add(X, neg(C))), If: LE(C, D)},
	{Name: "or-outside-negative", Since: 24, Doc: "optimizations ULT20", From: Or(Once(LT(X, C)), Once(LE(K(0), X))), To: ULT(com(C), Add(X, neg(C))), If: LT(C, K(0))},
	{Name: "or-outside-positive", Since: 24, Doc: "optimizations ULT20", From: Or(Once(LE(X, K(0))), Once(LT(D, X))), To: ULT(Fold(Sub(D, K(1))), Add(X, K(-1))), If: LT(K(0), D)},
	{Name: "or-equal-pair", Since: 24, Doc: "optimizations ULT21", From: Or(Once(EQ(X, C)), Once(EQ(X, D))), To: EQ(Or(X, Fold(Xor(C, D))), Fold(Or(C, D))), If: Pow2(Xor(C, D))},
	{Name: "or-equal-next", Since: 24, Doc: "optimizations ULT22", From: Or(Once(EQ(X, C)), Once(EQ(X, D))), To: ULT(Add(X, neg(C)), K(2)), If: EQ(Sub(D, C), K(1))},
	{Name: "or-zero-or-bit", Since: 24, Doc: "optimizations ULT21, with C = 0", From: Or(Once(Not(X)), Once(EQ(X, D))), To: Not(And(X, com(D))), If: Pow2(D)},
	{Name: "or-zero-or-ones", Since: 24, Doc: "optimizations ULT22, with C = -1", From: Or(Once(Not(X)), Once(EQ(X, K(-1)))), To: ULT(Add(X, K(1)), K(2))},
}

// rotates tells that x * c and x >>> d are the two parts of a rotation.
func rotates(c, d *Pat) *Pat {
	return all(Pow2(c), ULT(K(1), c), EQ(Add(Log2(c), d), Bits))
}

// Left out:
//   - OR18, bit select: with a constant mask it is as many operations, and a longer chain.
