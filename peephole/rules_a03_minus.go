package peephole

// minusRules are section A.3.
var minusRules = []Rule{
	{Name: "minus-difference", Since: 24, Doc: "optimizations NEG2", From: Minus(Sub(X, Y)), To: Sub(Y, X)},
	{Name: "minus-sum-constant", Since: 24, Doc: "optimizations NEG3", From: Minus(Add(X, C)), To: Sub(neg(C), X)},
	{Name: "minus-product-constant", Since: 24, Doc: "optimizations NEG4", From: Minus(Mul(X, C)), To: Mul(X, neg(C))},
	{Name: "minus-com", Since: 24, Doc: "optimizations NEG5", From: Minus(BitNot(X)), To: Add(X, K(1))},
	{Name: "minus-sign-bit", Since: 24, Doc: "optimizations NEG7", From: Minus(Shr(X, Last)), To: Sar(X, Last)},
	{Name: "minus-sign-mask", Since: 24, Doc: "optimizations NEG8", From: Minus(Sar(X, Last)), To: Shr(X, Last)},
	{Name: "minus-lowest-bit", Since: 24, Doc: "optimizations NEG9", From: Minus(And(X, Minus(X))), To: Or(X, Minus(X))},
	{Name: "minus-above-lowest", Since: 24, Doc: "optimizations NEG10", From: Minus(Or(X, Minus(X))), To: And(X, Minus(X))},
	{Name: "minus-quotient", Since: 24, Doc: "optimizations NEG11", From: Minus(Div(X, C)), To: Div(X, neg(C)), If: Not(EQ(C, MIN))},
	{Name: "minus-select", Since: 24, Doc: "optimizations NEG12", From: Minus(Select(T, C, D)), To: Select(T, neg(C), neg(D))},
}
