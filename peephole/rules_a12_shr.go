package peephole

// shrRules are section A.12.
var shrRules = []Rule{
	{Name: "shr-zero", Since: 14, Doc: "chapters §14.5, optimizations SHR1", From: Shr(X, C), To: X, If: EQ(And(C, Last), K(0))},
	{Name: "shr-count", Since: 24, Doc: "optimizations SHR2", From: Shr(X, C), To: Shr(X, Fold(And(C, Last))), If: ULE(Bits, C)},
	{Name: "shr-constants", Since: 24, Doc: "optimizations SHR4", From: Shr(Shr(X, C), D), To: Shr(X, Fold(Add(C, D))), If: all(ULT(C, Bits), ULT(D, Bits), ULT(Add(C, D), Bits))},
	{Name: "shr-shl-same", Since: 24, Doc: "optimizations SHR6", From: Shr(Mul(X, C), D), To: And(X, Fold(Shr(K(-1), D))), If: all(ULT(D, Bits), EQ(C, Shl(K(1), D)))},
	{Name: "shr-shl-less", Since: 24, Doc: "optimizations SHR7", From: Shr(Once(Mul(X, C)), D), To: Mul(And(X, Fold(Shr(K(-1), Log2(C)))), Fold(Shr(C, D))), If: all(Pow2(C), ULT(D, Log2(C)))},
	{Name: "shr-shl-more", Since: 24, Doc: "optimizations SHR8", From: Shr(Once(Mul(X, C)), D), To: And(Shr(X, Fold(Sub(D, Log2(C)))), Fold(Shr(K(-1), D))), If: all(Pow2(C), ULT(K(1), C), ULT(Log2(C), D), ULT(D, Bits))},
	{Name: "shr-sign", Since: 24, Doc: "optimizations SHR10", From: Shr(Sar(X, Y), Last), To: Shr(X, Last)},
	{Name: "shr-and", Since: 24, Doc: "optimizations AND26, SHR11, SHR12", From: Shr(Once(And(X, C)), D), To: And(Shr(X, D), Fold(Shr(C, D)))},
	{Name: "shr-or", Since: 24, Doc: "optimizations SHR13", From: Shr(Once(Or(X, C)), D), To: Or(Shr(X, D), Fold(Shr(C, D)))},
	{Name: "shr-sx-sign", Since: 24, Doc: "optimizations SHR15", From: Shr(SX(C, X), Last), To: And(Shr(X, Fold(Sub(C, K(1)))), K(1))},
	{Name: "shr-count-mask", Since: 24, Doc: "optimizations SHR16", From: Shr(X, And(Y, C)), To: Shr(X, Y), If: EQ(And(C, Last), Last)},
	{Name: "shr-count-sum", Since: 24, Doc: "optimizations SHL15, to the right", From: Shr(X, Add(Y, C)), To: Shr(X, Add(Y, Fold(And(C, Last)))), If: ULE(Bits, C)},
	{Name: "shr-count-difference", Since: 24, Doc: "optimizations SHL16, to the right", From: Shr(X, Sub(C, Y)), To: Shr(X, Minus(Y)), If: EQ(And(C, Last), K(0))},
}
