package peephole

// divRules are section A.5.
var divRules = []Rule{
	{Name: "div-minus-one", Since: 24, Doc: "optimizations DIV2", From: Div(X, K(-1)), To: Minus(X)},
	{Name: "div-min", Since: 24, Doc: "optimizations DIV6", From: Div(X, MIN), To: EQ(X, MIN)},
	{Name: "div-self", Since: 24, Doc: "optimizations DIV7, and 0 / 0 = 0", From: Div(X, X), To: truthOf(X)},
	{Name: "div-constants", Since: 24, Doc: "optimizations DIV10", From: Div(Div(X, C), D), To: Div(X, Fold(Mul(C, D))), If: all(MulFits(C, D), Not(EQ(C, K(-1))))},
	{Name: "div-product", Since: 24, Doc: "optimizations DIV11", From: Div(Mul(X, C), C), To: X, If: all(notZero(C), MulFits(X, C))},
	{Name: "div-without-remainder", Since: 24, Doc: "optimizations DIV12", From: Div(Sub(X, Rem(X, C)), C), To: Div(X, C)},
	{Name: "div-power", Since: 24, Doc: "optimizations DIV4", From: Div(X, C), To: Shr(X, Log2(C)), If: all(Pow2(C), LT(K(0), C), LE(K(0), X))},
	{Name: "div-unsigned", Since: 24, Doc: "optimizations DIV13", From: Div(X, C), To: UDiv(X, C), If: all(LT(K(0), C), LE(K(0), X))},
	{Name: "udiv-power", Since: 24, Doc: "optimizations DIV14", From: UDiv(X, C), To: Shr(X, Log2(C)), If: Pow2(C)},
	{Name: "udiv-large", Since: 24, Doc: "optimizations DIV15", From: UDiv(X, C), To: ULE(C, X), If: LT(C, K(0))},
}

// Left out:
//   - DIV3 and the sequences for other constants belong to selection.
//   - DIV5, x / C = -(x / {-C}): selection divides by negative constants too, and NEG11
//     goes the other way, where it saves a negation.
