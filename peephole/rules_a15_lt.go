package peephole

// ltRules are section A.15. Of the comparisons with constants only x < C and C < x are
// left, and x <= 0 and 0 <= x.
var ltRules = []Rule{
	{Name: "lt-top", Since: 24, Doc: "optimizations LT6", From: LT(Fold(Sub(MAX, K(1))), X), To: EQ(X, MAX)},
	{Name: "lt-bottom", Since: 24, Doc: "optimizations LT5, LT9", From: LT(X, Fold(Add(MIN, K(1)))), To: EQ(X, MIN)},
	{Name: "le-constant", Since: 24, Doc: "optimizations LT10, LT13", From: LE(X, C), To: LT(X, Fold(Add(C, K(1)))), If: all(Not(EQ(C, MAX)), notZero(C))},
	{Name: "le-constant-left", Since: 24, Doc: "optimizations LT11", From: LE(C, X), To: LT(Fold(Sub(C, K(1))), X), If: all(Not(EQ(C, MIN)), notZero(C))},
	{Name: "lt-one", Since: 24, Doc: "optimizations LT12", From: LT(X, K(1)), To: LE(X, K(0))},
	{Name: "lt-minus-one", Since: 24, Doc: "optimizations LT14", From: LT(K(-1), X), To: LE(K(0), X)},
	{Name: "lt-sum-constant", Since: 24, Doc: "optimizations LT15", From: LT(Add(X, C), D), To: LT(X, Fold(Sub(D, C))), If: all(AddFits(D, Minus(C)), Not(EQ(C, MIN)), AddFits(X, C))},
	{Name: "lt-constant-sum", Since: 24, Doc: "optimizations LT15", From: LT(D, Add(X, C)), To: LT(Fold(Sub(D, C)), X), If: all(AddFits(D, Minus(C)), Not(EQ(C, MIN)), AddFits(X, C))},
	{Name: "lt-sums", Since: 24, Doc: "optimizations LT16", From: LT(Add(X, Z), Add(Y, Z)), To: LT(X, Y), If: all(AddFits(X, Z), AddFits(Y, Z))},
	{Name: "le-sums", Since: 24, Doc: "optimizations LT16", From: LE(Add(X, Z), Add(Y, Z)), To: LE(X, Y), If: all(AddFits(X, Z), AddFits(Y, Z))},
	{Name: "lt-coms", Since: 24, Doc: "optimizations LT17", From: LT(BitNot(X), BitNot(Y)), To: LT(Y, X)},
	{Name: "le-coms", Since: 24, Doc: "optimizations LT17", From: LE(BitNot(X), BitNot(Y)), To: LE(Y, X)},
	{Name: "lt-com-constant", Since: 24, Doc: "optimizations LT18", From: LT(BitNot(X), C), To: LT(com(C), X)},
	{Name: "lt-constant-com", Since: 24, Doc: "optimizations LT18", From: LT(C, BitNot(X)), To: LT(X, com(C))},
	{Name: "le-com-constant", Since: 24, Doc: "optimizations LT18", From: LE(BitNot(X), C), To: LE(com(C), X)},
	{Name: "le-constant-com", Since: 24, Doc: "optimizations LT18", From: LE(C, BitNot(X)), To: LE(X, com(C))},
	{Name: "lt-sar", Since: 24, Doc: "optimizations LT21", From: LT(Sar(X, C), D), To: LT(X, Fold(Shl(D, C))), If: all(ULT(C, Bits), EQ(Sar(Shl(D, C), C), D))},
	{Name: "lt-sx-zero", Since: 24, Doc: "optimizations LT37", From: LT(SX(C, X), K(0)), To: truthOf(And(X, Fold(Shl(K(1), Sub(C, K(1))))))},
	{Name: "lt-min-self", Since: 24, Doc: "optimizations MINMAX10", From: LT(X, Min(X, Y)), To: K(0)},
	{Name: "lt-max-self", Since: 24, Doc: "optimizations MINMAX10", From: LT(Max(X, Y), X), To: K(0)},
	{Name: "le-min-self", Since: 24, Doc: "optimizations MINMAX9", From: LE(Min(X, Y), X), To: K(1)},
	{Name: "le-max-self", Since: 24, Doc: "optimizations MINMAX9", From: LE(X, Max(X, Y)), To: K(1)},
}

// Left out:
//   - LT7 and LT8, x < MAX = !(x == MAX): nothing is gained.
//   - LT20, x < y = x <u y, is the opposite of ULT28.
