package peephole

// andRules are section A.7.
var andRules = []Rule{
	{Name: "and-ones", Since: 14, Doc: "chapters §14.5, optimizations AND2", From: And(X, K(-1)), To: X},
	{Name: "and-self", Since: 24, Doc: "optimizations AND3", From: And(X, X), To: X},
	{Name: "and-com-self", Since: 24, Doc: "optimizations AND4", From: And(X, BitNot(X)), To: K(0)},
	{Name: "and-constants", Since: 24, Doc: "optimizations AND5", From: And(And(X, C), D), To: And(X, Fold(And(C, D)))},
	{Name: "and-useless", Since: 24, Doc: "optimizations AND2, AND20, AND22, AND30, EXT2", From: And(X, C), To: X, If: EQ(And(X, BitNot(C)), K(0))},
	{Name: "and-or-absorb", Since: 24, Doc: "optimizations AND6", From: And(X, Or(X, Y)), To: X},
	{Name: "and-xor", Since: 24, Doc: "optimizations AND7", From: And(X, Xor(X, Y)), To: And(X, BitNot(Y))},
	{Name: "and-com-xor", Since: 24, Doc: "optimizations AND8", From: And(X, BitNot(Xor(X, Y))), To: And(X, Y)},
	{Name: "and-com-and", Since: 24, Doc: "optimizations AND9", From: And(X, BitNot(And(X, Y))), To: And(X, BitNot(Y))},
	{Name: "and-coms", Since: 24, Doc: "optimizations AND10", From: And(BitNot(X), BitNot(Y)), To: BitNot(Or(X, Y))},
	{Name: "and-or-nand", Since: 24, Doc: "optimizations AND12", From: And(Or(X, Y), BitNot(And(X, Y))), To: Xor(X, Y)},
	{Name: "and-or-xor", Since: 24, Doc: "optimizations AND13", From: And(Or(X, Y), Xor(X, Y)), To: Xor(X, Y)},
	{Name: "and-factor", Since: 24, Doc: "optimizations AND11", From: And(Once(Or(X, Z)), Once(Or(Y, Z))), To: Or(And(X, Y), Z)},
	{Name: "and-or-masked", Since: 24, Doc: "optimizations AND14", From: And(Or(X, C), D), To: And(X, D), If: EQ(And(C, D), K(0))},
	{Name: "and-xor-masked", Since: 24, Doc: "optimizations AND16", From: And(Xor(X, C), D), To: And(X, D), If: EQ(And(C, D), K(0))},
	{Name: "and-xor-same", Since: 24, Doc: "optimizations AND32", From: And(Xor(X, C), C), To: And(BitNot(X), C)},
	{Name: "and-sum-masked", Since: 24, Doc: "optimizations AND17", From: And(Add(X, C), D), To: And(X, D), If: all(Pow2(Add(D, K(1))), EQ(And(C, D), K(0)))},
	{Name: "and-minus-bit", Since: 24, Doc: "optimizations AND18", From: And(Minus(X), K(1)), To: And(X, K(1))},
	{Name: "and-sar", Since: 24, Doc: "optimizations AND23", From: And(Sar(X, C), D), To: And(Shr(X, C), D), If: all(ULT(C, Bits), ULE(D, Ones(Sub(Bits, C))))},
	{Name: "and-shl", Since: 24, Doc: "optimizations AND24", From: And(Once(Mul(X, C)), D), To: Mul(And(X, Fold(Sar(D, Log2(C)))), C), If: Pow2(C)},
	{Name: "and-sx", Since: 24, Doc: "optimizations AND28, EXT6", From: And(SX(C, X), D), To: And(X, D), If: ULE(D, Ones(C))},
	{Name: "and-masks", Since: 24, Doc: "optimizations AND31", From: And(Once(And(X, C)), Once(And(Y, D))), To: And(And(X, Y), Fold(And(C, D)))},
	{Name: "and-constant-out", Since: 24, Doc: "optimizations AND31, with one mask", From: And(Once(And(X, C)), NoConst(Y)), To: And(And(X, Y), C)},
	{Name: "and-less-greater", Since: 24, Doc: "optimizations LT26", From: And(LT(X, Y), LT(Y, X)), To: K(0)},
	{Name: "and-less-equal", Since: 24, Doc: "optimizations LT28", From: And(LE(X, Y), LE(Y, X)), To: EQ(X, Y)},
	{Name: "and-negative", Since: 24, Doc: "optimizations LT31", From: And(Once(LT(X, K(0))), Once(LT(Y, K(0)))), To: LT(And(X, Y), K(0))},
	{Name: "and-nots", Since: 24, Doc: "optimizations LT32", From: And(Not(X), Not(Y)), To: Not(Or(X, Y))},
	{Name: "and-below", Since: 24, Doc: "optimizations LT35", From: And(LT(X, C), LT(X, D)), To: LT(X, Fold(Min(C, D)))},
	{Name: "and-above", Since: 24, Doc: "optimizations LT35", From: And(LT(C, X), LT(D, X)), To: LT(Fold(Max(C, D)), X)},
	{Name: "and-bounds", Since: 24, Doc: "optimizations ULT17", From: And(Once(LE(K(0), X)), Once(LT(X, Y))), To: ULT(X, Y), If: LE(K(0), Y)},
	{Name: "and-between", Since: 24, Doc: "optimizations ULT18, ULT19", From: And(Once(LT(C, X)), Once(LT(X, D))), To: ULT(Add(X, com(C)), Fold(Add(D, BitNot(C)))), If: LT(C, D)},
	{Name: "and-up-to-zero", Since: 24, Doc: "optimizations ULT18", From: And(Once(LT(C, X)), Once(LE(X, K(0)))), To: ULT(Add(X, com(C)), neg(C)), If: LT(C, K(0))},
	{Name: "and-below-not-top", Since: 24, Doc: "optimizations ULT27", From: And(ULT(X, Y), Not(EQ(X, K(-1)))), To: ULT(X, Y)},
}

// Left out:
//   - AND25 is the opposite of AND26, which is in section A.12; AND27 is the opposite of
//     the form that we keep for zero extensions.
//   - LT33, two equalities as one test, needs an operation more than it saves.
