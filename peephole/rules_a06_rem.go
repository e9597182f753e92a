package peephole

// remRules are section A.6.
var remRules = []Rule{
	{Name: "rem-self", Since: 24, Doc: "optimizations REM3", From: Rem(X, X), To: K(0)},
	{Name: "rem-min", Since: 24, Doc: "optimizations REM6", From: Rem(X, MIN), To: Select(EQ(X, MIN), K(0), X)},
	{Name: "rem-negative", Since: 24, Doc: "optimizations REM5", From: Rem(X, C), To: Rem(X, neg(C)), If: all(LT(C, K(0)), Not(EQ(C, MIN)))},
	{Name: "rem-power", Since: 24, Doc: "optimizations REM7", From: Rem(X, C), To: And(X, Fold(Sub(C, K(1)))), If: all(Pow2(C), LT(K(0), C), LE(K(0), X))},
	{Name: "rem-rem", Since: 24, Doc: "optimizations REM13", From: Rem(Rem(X, C), D), To: Rem(X, D), If: all(notZero(D), EQ(Rem(C, D), K(0)))},
	{Name: "rem-small", Since: 24, Doc: "optimizations REM14", From: Rem(X, Y), To: X, If: all(LT(K(0), Y), LT(Minus(Y), X), LT(X, Y))},
	{Name: "rem-unsigned", Since: 24, Doc: "optimizations DIV13, for remainders", From: Rem(X, C), To: URem(X, C), If: all(LT(K(0), C), LE(K(0), X))},
	{Name: "urem-power", Since: 24, Doc: "optimizations REM15", From: URem(X, C), To: And(X, Fold(Sub(C, K(1)))), If: Pow2(C)},
}

// Left out:
//   - REM8, REM9 belong to selection.
