package peephole

// shlRules are section A.11. A shift by a constant is a product by a power of two.
var shlRules = []Rule{
	{Name: "shl-zero", Since: 14, Doc: "chapters §14.5, optimizations SHL1", From: Shl(X, C), To: X, If: EQ(And(C, Last), K(0))},
	{Name: "shl-constant", Since: 24, Doc: "optimizations §0.5, SHL1, SHL2", From: Shl(X, C), To: Mul(X, Fold(Shl(K(1), C)))},
	{Name: "mul-shr-same", Since: 24, Doc: "optimizations SHL6", From: Mul(Shr(X, C), D), To: And(X, neg(D)), If: all(ULT(C, Bits), EQ(D, Shl(K(1), C)))},
	{Name: "mul-sar-same", Since: 24, Doc: "optimizations SHL7", From: Mul(Sar(X, C), D), To: And(X, neg(D)), If: all(ULT(C, Bits), EQ(D, Shl(K(1), C)))},
	{Name: "mul-shr-more", Since: 24, Doc: "optimizations SHL8", From: Mul(Once(Shr(X, C)), D), To: Mul(And(X, Fold(Shl(K(-1), C))), Fold(Shr(D, C))), If: all(Pow2(D), ULT(C, Log2(D)))},
	{Name: "mul-shr-less", Since: 24, Doc: "optimizations SHL9", From: Mul(Once(Shr(X, C)), D), To: And(Shr(X, Fold(Sub(C, Log2(D)))), neg(D)), If: all(Pow2(D), ULT(K(1), D), ULT(Log2(D), C), ULT(C, Bits))},
	{Name: "mul-and", Since: 24, Doc: "optimizations SHL10, SHL18", From: Mul(And(X, C), D), To: Mul(X, D), If: all(Pow2(D), EQ(Mul(C, D), Minus(D)))},
	{Name: "mul-or", Since: 24, Doc: "optimizations SHL12", From: Mul(Once(Or(X, C)), D), To: Or(Mul(X, D), Fold(Mul(C, D))), If: Pow2(D)},
	{Name: "shl-count-mask", Since: 24, Doc: "optimizations SHL14", From: Shl(X, And(Y, C)), To: Shl(X, Y), If: EQ(And(C, Last), Last)},
	{Name: "shl-count-sum", Since: 24, Doc: "optimizations SHL15", From: Shl(X, Add(Y, C)), To: Shl(X, Add(Y, Fold(And(C, Last)))), If: ULE(Bits, C)},
	{Name: "shl-count-difference", Since: 24, Doc: "optimizations SHL16", From: Shl(X, Sub(C, Y)), To: Shl(X, Minus(Y)), If: EQ(And(C, Last), K(0))},
	{Name: "mul-sx", Since: 24, Doc: "optimizations SHL17", From: Mul(SX(C, X), D), To: Mul(X, D), If: all(ULT(C, Bits), EQ(Shl(D, C), K(0)))},
	{Name: "mul-field", Since: 24, Doc: "optimizations SHL19", From: Mul(And(Shr(X, C), D), E), To: And(X, Fold(Mul(D, E))), If: all(ULT(C, Bits), EQ(E, Shl(K(1), C)))},
}
