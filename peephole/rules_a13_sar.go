package peephole

// sarRules are section A.13.
var sarRules = []Rule{
	{Name: "sar-zero", Since: 14, Doc: "chapters §14.5, optimizations SAR1", From: Sar(X, C), To: X, If: EQ(And(C, Last), K(0))},
	{Name: "sar-count", Since: 24, Doc: "optimizations SHL2, to the right", From: Sar(X, C), To: Sar(X, Fold(And(C, Last))), If: ULE(Bits, C)},
	{Name: "sar-constants", Since: 24, Doc: "optimizations SAR4", From: Sar(Sar(X, C), D), To: Sar(X, Fold(UMin(Add(C, D), Last))), If: all(ULT(C, Bits), ULT(D, Bits))},
	{Name: "sar-positive", Since: 24, Doc: "optimizations SAR5, SAR8", From: Sar(X, Y), To: Shr(X, Y), If: LE(K(0), X)},
	{Name: "sar-shl", Since: 24, Doc: "optimizations SAR6, SAR7", From: Sar(Mul(X, C), D), To: Sar(SX(Fold(Sub(Bits, Log2(C))), X), Fold(Sub(D, Log2(C)))), If: all(Pow2(C), ULT(K(1), C), ULE(Log2(C), D), ULT(D, Bits))},
	{Name: "sar-and", Since: 24, Doc: "optimizations SAR9", From: Sar(Once(And(X, C)), D), To: And(Sar(X, D), Fold(Sar(C, D)))},
	{Name: "sar-or-minus", Since: 24, Doc: "optimizations SAR10", From: Sar(Or(X, Minus(X)), Last), To: Minus(truthOf(X))},
	{Name: "sar-sx", Since: 24, Doc: "optimizations SAR11", From: Sar(SX(C, X), D), To: Sar(SX(C, X), Fold(Sub(C, K(1)))), If: all(ULE(C, D), ULT(D, Bits))},
	{Name: "sar-count-mask", Since: 24, Doc: "optimizations SAR12", From: Sar(X, And(Y, C)), To: Sar(X, Y), If: EQ(And(C, Last), Last)},
	{Name: "sar-count-sum", Since: 24, Doc: "optimizations SHL15, to the right", From: Sar(X, Add(Y, C)), To: Sar(X, Add(Y, Fold(And(C, Last)))), If: ULE(Bits, C)},
	{Name: "sar-count-difference", Since: 24, Doc: "optimizations SHL16, to the right", From: Sar(X, Sub(C, Y)), To: Sar(X, Minus(Y)), If: EQ(And(C, Last), K(0))},
}
