package peephole

// mulRules are section A.4.
var mulRules = []Rule{
	{Name: "mul-minus-one", Since: 24, Doc: "optimizations MUL3", From: Mul(X, K(-1)), To: Minus(X)},
	{Name: "mul-constants", Since: 24, Doc: "optimizations MUL5", From: Mul(Mul(X, C), D), To: Mul(X, Fold(Mul(C, D)))},
	{Name: "mul-distribute", Since: 24, Doc: "optimizations MUL10", From: Mul(Once(Add(X, C)), D), To: Add(Mul(X, D), Fold(Mul(C, D)))},
	{Name: "mul-minus-constant", Since: 24, Doc: "optimizations MUL12", From: Mul(Minus(X), C), To: Mul(X, neg(C))},
	{Name: "mul-minus", Since: 24, Doc: "optimizations §0.5, MUL11, NEG6", From: Mul(Minus(X), NoConst(Y)), To: Minus(Mul(X, Y))},
	{Name: "mul-power", Since: 24, Doc: "optimizations MUL14", From: Mul(X, Shl(K(1), Y)), To: Shl(X, Y)},
	{Name: "mul-quotient", Since: 24, Doc: "optimizations MUL17", From: Mul(Once(Div(X, Y)), NoConst(Y)), To: Sub(X, Rem(X, Y))},
	{Name: "mul-select", Since: 24, Doc: "optimizations MUL18, SHL20", From: Mul(Select(T, C, D), E), To: Select(T, Fold(Mul(C, E)), Fold(Mul(D, E)))},
	{Name: "mul-abs", Since: 24, Doc: "optimizations MINMAX16", From: Mul(Abs(X), Abs(X)), To: Mul(X, X)},
	{Name: "mul-bool", Since: 24, Doc: "optimizations MUL15", From: Mul(NoConst(X), NoConst(Y)), To: And(X, Minus(Y)), If: isBool(Y)},
	{Name: "mul-mask", Since: 24, Doc: "optimizations MUL16", From: Mul(NoConst(X), NoConst(Y)), To: Minus(And(X, Y)), If: ULT(Minus(Y), K(2))},
	// Products by powers of two are shifts too; see section A.11.
}

// Left out:
//   - MUL6 to MUL9: products by constants become shifts and sums in selection.
