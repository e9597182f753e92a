package peephole

// notRules are section A.10.
var notRules = []Rule{
	{Name: "com-com", Since: 24, Doc: "optimizations NOT1", From: BitNot(BitNot(X)), To: X},
	{Name: "com-sum-constant", Since: 24, Doc: "optimizations NOT2, NOT4", From: BitNot(Add(X, C)), To: Sub(com(C), X)},
	{Name: "com-difference-constant", Since: 24, Doc: "optimizations NOT3", From: BitNot(Sub(C, X)), To: Add(X, com(C))},
	{Name: "com-minus", Since: 24, Doc: "optimizations NOT5", From: BitNot(Minus(X)), To: Add(X, K(-1))},
	{Name: "com-difference", Since: 24, Doc: "optimizations NOT6", From: BitNot(Sub(X, Y)), To: Add(BitNot(X), Y)},
	{Name: "com-and-com", Since: 24, Doc: "optimizations NOT7", From: BitNot(And(X, BitNot(Y))), To: Or(BitNot(X), Y)},
	{Name: "com-or-com", Since: 24, Doc: "optimizations NOT7, with or", From: BitNot(Or(X, BitNot(Y))), To: And(BitNot(X), Y)},
	{Name: "com-xor-constant", Since: 24, Doc: "optimizations NOT8", From: BitNot(Xor(X, C)), To: Xor(X, com(C))},
	{Name: "com-sar-com", Since: 24, Doc: "optimizations NOT9", From: BitNot(Sar(BitNot(X), Y)), To: Sar(X, Y)},
	{Name: "not-less", Since: 24, Doc: "optimizations NOT12", From: Not(LT(X, Y)), To: LE(Y, X)},
	{Name: "not-less-equal", Since: 24, Doc: "optimizations NOT12", From: Not(LE(X, Y)), To: LT(Y, X)},
	{Name: "not-unsigned-less", Since: 24, Doc: "optimizations NOT13", From: Not(ULT(X, Y)), To: ULE(Y, X)},
	{Name: "not-unsigned-less-equal", Since: 24, Doc: "optimizations NOT13", From: Not(ULE(X, Y)), To: ULT(Y, X)},
	{Name: "not-not-bool", Since: 24, Doc: "optimizations NOT15, EQ36", From: Not(Not(X)), To: X, If: isBool(X)},
	{Name: "not-sum-constant", Since: 24, Doc: "optimizations EQ4, with D = 0", From: Not(Add(X, C)), To: EQ(X, neg(C))},
	{Name: "not-difference", Since: 24, Doc: "optimizations NOT16, EQ14", From: Not(Once(Sub(X, Y))), To: EQ(X, Y)},
	{Name: "not-xor", Since: 24, Doc: "optimizations NOT17, EQ15", From: Not(Xor(X, Y)), To: EQ(X, Y)},
	{Name: "not-minus", Since: 24, Doc: "optimizations NOT18", From: Not(Minus(X)), To: Not(X)},
	{Name: "not-com", Since: 24, Doc: "optimizations EQ8, with C = 0", From: Not(BitNot(X)), To: EQ(X, K(-1))},
	{Name: "not-product-odd", Since: 24, Doc: "optimizations NOT19", From: Not(Mul(X, C)), To: Not(X), If: And(C, K(1))},
	{Name: "not-product", Since: 24, Doc: "optimizations NOT21, without wrapping", From: Not(Mul(X, C)), To: Not(X), If: all(notZero(C), MulFits(X, C))},
	{Name: "not-shr", Since: 24, Doc: "optimizations NOT22", From: Not(Shr(X, C)), To: ULT(X, Fold(Shl(K(1), C)))},
	{Name: "not-sign-bit", Since: 24, Doc: "optimizations NOT23", From: Not(And(X, MIN)), To: LE(K(0), X)},
	{Name: "not-high-mask", Since: 24, Doc: "optimizations EQ28", From: Not(And(X, C)), To: ULT(X, neg(C)), If: all(Pow2(Minus(C)), Not(EQ(C, MIN)))},
	{Name: "not-mask-small", Since: 24, Doc: "optimizations REM11, for small x", From: Not(And(X, C)), To: Not(X), If: all(Pow2(Add(C, K(1))), LT(com(C), X), LE(X, C))},
	{Name: "not-sx", Since: 24, Doc: "optimizations NOT24", From: Not(SX(C, X)), To: Not(And(X, Ones(C)))},
	{Name: "not-rem-power", Since: 24, Doc: "optimizations REM10, REM11", From: Not(Rem(X, C)), To: Not(And(X, Fold(Sub(C, K(1))))), If: Pow2(C)},
	{Name: "not-rem-min", Since: 24, Doc: "optimizations REM11, with C = MIN", From: Not(Select(EQ(X, MIN), K(0), X)), To: Not(And(X, MAX))},
	{Name: "not-rotate", Since: 24, Doc: "optimizations EQ41", From: Not(RotL(X, Y)), To: Not(X)},
	{Name: "not-abs", Since: 24, Doc: "optimizations MINMAX15", From: Not(Abs(X)), To: Not(X)},
	{Name: "not-select", Since: 24, Doc: "optimizations EQ32, EQ33, EQ34, with 0", From: Not(Select(T, C, D)), To: Select(T, Fold(Not(C)), Fold(Not(D)))},
}

// Left out:
//   - NOT10, ~min(x, y) = max(~x, ~y), is the opposite of MINMAX12, which saves a ~.
//   - NOT11 and NOT14 are the form that we keep.
//   - NOT21, !(x << K) = !(x & mask), where the product may wrap: the shift sets the flags
//     that the test wants, and most of these masks do not fit an instruction.
