package peephole

// xorRules are section A.9.
var xorRules = []Rule{
	{Name: "xor-zero", Since: 14, Doc: "chapters §14.5, optimizations XOR1", From: Xor(X, K(0)), To: X},
	{Name: "xor-self", Since: 24, Doc: "optimizations XOR2", From: Xor(X, X), To: K(0)},
	{Name: "xor-ones", Since: 24, Doc: "optimizations XOR3", From: Xor(X, K(-1)), To: BitNot(X)},
	{Name: "xor-bool", Since: 24, Doc: "optimizations XOR19, XOR20, XOR21", From: Xor(X, K(1)), To: Not(X), If: isBool(X)},
	{Name: "xor-constants", Since: 24, Doc: "optimizations XOR5", From: Xor(Xor(X, C), D), To: Xor(X, Fold(Xor(C, D)))},
	{Name: "xor-cancel", Since: 24, Doc: "optimizations XOR6", From: Xor(Xor(X, Y), Y), To: X},
	{Name: "xor-com-constant", Since: 24, Doc: "optimizations XOR9", From: Xor(BitNot(X), C), To: Xor(X, com(C))},
	{Name: "xor-com", Since: 24, Doc: "optimizations XOR4, XOR7, XOR8", From: Xor(BitNot(X), NoConst(Y)), To: BitNot(Xor(X, Y))},
	{Name: "xor-and-self", Since: 24, Doc: "optimizations XOR10", From: Xor(And(X, Y), Y), To: And(BitNot(X), Y)},
	{Name: "xor-or-self", Since: 24, Doc: "optimizations XOR11", From: Xor(Or(X, Y), Y), To: And(X, BitNot(Y))},
	{Name: "xor-or-and", Since: 24, Doc: "optimizations XOR12", From: Xor(Or(X, Y), And(X, Y)), To: Xor(X, Y)},
	{Name: "xor-and-xor", Since: 24, Doc: "optimizations XOR13", From: Xor(And(X, Y), Xor(X, Y)), To: Or(X, Y)},
	{Name: "xor-factor", Since: 24, Doc: "optimizations XOR14, EXT13", From: Xor(Once(And(X, Z)), Once(And(Y, Z))), To: And(Xor(X, Y), Z)},
	{Name: "xor-ors", Since: 24, Doc: "optimizations XOR15", From: Xor(Or(X, Y), Or(X, BitNot(Y))), To: BitNot(X)},
	{Name: "xor-sum-max", Since: 24, Doc: "optimizations XOR17", From: Xor(Add(X, C), MAX), To: Sub(Fold(Sub(MAX, C)), X)},
	{Name: "xor-difference-max", Since: 24, Doc: "optimizations XOR18", From: Xor(Sub(C, X), MAX), To: Add(X, Fold(Sub(MAX, C)))},
	{Name: "xor-less-greater", Since: 24, Doc: "optimizations XOR22", From: Xor(LT(X, Y), LT(Y, X)), To: Not(EQ(X, Y))},
	{Name: "xor-rotate", Since: 24, Doc: "optimizations OR19, with xor", From: Xor(Mul(X, C), Shr(X, D)), To: RotL(X, Log2(C)), If: rotates(C, D)},
	{Name: "abs-by-sum-xor", Since: 24, Doc: "optimizations XOR24", From: Xor(Add(Sar(X, Last), X), Sar(X, Last)), To: Abs(X)},
}
