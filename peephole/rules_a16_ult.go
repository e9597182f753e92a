package peephole

// ultRules are section A.16. Of the comparisons with constants only x <u C and C <u x are
// left, and none that a signed one can do.
var ultRules = []Rule{
	{Name: "ult-self", Since: 24, Doc: "optimizations ULT1", From: ULT(X, X), To: K(0)},
	{Name: "ule-self", Since: 24, Doc: "optimizations ULT2", From: ULE(X, X), To: K(1)},
	{Name: "ult-one", Since: 24, Doc: "optimizations ULT5, ULT7", From: ULT(X, K(1)), To: Not(X)},
	{Name: "ult-zero-left", Since: 24, Doc: "optimizations ULT6", From: ULT(K(0), X), To: truthOf(X)},
	{Name: "ult-top", Since: 24, Doc: "optimizations ULT9, the other way round", From: ULT(K(-2), X), To: EQ(X, K(-1))},
	{Name: "ult-sign", Since: 24, Doc: "optimizations ULT28", From: ULT(X, MIN), To: LE(K(0), X)},
	{Name: "ult-sign-left", Since: 24, Doc: "optimizations ULT28", From: ULT(MAX, X), To: LT(X, K(0))},
	{Name: "ule-constant", Since: 24, Doc: "optimizations ULT7, and LT10 for unsigned", From: ULE(X, C), To: ULT(X, Fold(Add(C, K(1)))), If: Not(EQ(C, K(-1)))},
	{Name: "ule-constant-left", Since: 24, Doc: "optimizations LT11, for unsigned", From: ULE(C, X), To: ULT(Fold(Sub(C, K(1))), X), If: notZero(C)},
	{Name: "ult-flip-signs", Since: 24, Doc: "optimizations LT19", From: ULT(Xor(X, MIN), Xor(Y, MIN)), To: LT(X, Y)},
	{Name: "ult-urem", Since: 24, Doc: "optimizations ULT11, and x %u 0 = x", From: ULT(URem(X, Y), Y), To: truthOf(Y)},
	{Name: "ule-udiv", Since: 24, Doc: "optimizations ULT15", From: ULE(UDiv(X, Y), X), To: K(1)},
	{Name: "ule-umin-self", Since: 24, Doc: "optimizations ULT16", From: ULE(UMin(X, Y), X), To: K(1)},
	{Name: "ule-umax-self", Since: 24, Doc: "optimizations ULT16, for umax", From: ULE(X, UMax(X, Y)), To: K(1)},
	{Name: "ult-difference", Since: 24, Doc: "optimizations ULT24", From: ULT(X, Sub(X, Y)), To: ULT(X, Y)},
	{Name: "ult-sum-constant", Since: 24, Doc: "optimizations ULT24, with y = -C", From: ULT(X, Add(X, C)), To: ULT(X, neg(C))},
	{Name: "ult-carry-constant", Since: 24, Doc: "optimizations ULT25, with y = C", From: ULT(Add(X, C), X), To: ULE(neg(C), X), If: notZero(C)},
	{Name: "ult-coms", Since: 24, Doc: "optimizations ULT26", From: ULT(BitNot(X), BitNot(Y)), To: ULT(Y, X)},
	{Name: "ule-coms", Since: 24, Doc: "optimizations ULT26", From: ULE(BitNot(X), BitNot(Y)), To: ULE(Y, X)},
	{Name: "ult-signed", Since: 24, Doc: "optimizations ULT28", From: ULT(X, Y), To: LT(X, Y), If: all(LE(K(0), X), LE(K(0), Y))},
	{Name: "ule-signed", Since: 24, Doc: "optimizations ULT28", From: ULE(X, Y), To: LE(X, Y), If: all(LE(K(0), X), LE(K(0), Y))},
}

// Left out:
//   - ULT9, x <u UMAX = !(x == UMAX): nothing is gained.
//   - ULT25, (x + y) <u x = (x + y) <u y, is its own opposite.
