package peephole

import "slices"

// minMaxRules are section A.18. What the catalogue says of the signed minimum is true of
// all four.
var minMaxRules = slices.Concat(
	extremeRules("min", Min, Max, LE),
	extremeRules("max", Max, Min, func(a, b *Pat) *Pat { return LE(b, a) }),
	extremeRules("umin", UMin, UMax, ULE),
	extremeRules("umax", UMax, UMin, func(a, b *Pat) *Pat { return ULE(b, a) }),
	[]Rule{
		{Name: "min-sums", Since: 24, Doc: "optimizations MINMAX11", From: Min(Once(Add(X, C)), Once(Add(Y, C))), To: Add(Min(X, Y), C), If: all(AddFits(X, C), AddFits(Y, C))},
		{Name: "max-sums", Since: 24, Doc: "optimizations MINMAX11", From: Max(Once(Add(X, C)), Once(Add(Y, C))), To: Add(Max(X, Y), C), If: all(AddFits(X, C), AddFits(Y, C))},
		{Name: "abs-minus", Since: 24, Doc: "optimizations MINMAX13", From: Abs(Minus(X)), To: Abs(X)},
		{Name: "abs-positive", Since: 24, Doc: "optimizations MINMAX14, by range", From: Abs(X), To: X, If: LE(K(0), X)},
		{Name: "abs-negative", Since: 24, Doc: "optimizations MINMAX14, by range", From: Abs(X), To: Minus(X), If: LE(X, K(0))},
		{Name: "abs-abs", Since: 24, Doc: "optimizations MINMAX14", From: Abs(Abs(X)), To: Abs(X)},
	},
)

type binary func(a, b *Pat) *Pat

// extremeRules are the rules of one of the four: best picks one operand, worst the other,
// and before(a, b) tells that best may pick a.
func extremeRules(name string, best, worst, before binary) []Rule {
	return []Rule{
		{Name: name + "-self", Since: 24, Doc: "optimizations MINMAX1", From: best(X, X), To: X},
		{Name: name + "-constants", Since: 24, Doc: "optimizations MINMAX4", From: best(best(X, C), D), To: best(X, Fold(best(C, D)))},
		{Name: name + "-again", Since: 24, Doc: "optimizations MINMAX5", From: best(best(X, Y), X), To: best(X, Y)},
		{Name: name + "-absorb", Since: 24, Doc: "optimizations MINMAX6", From: best(worst(X, Y), Y), To: Y},
		{Name: name + "-coms", Since: 24, Doc: "optimizations MINMAX12", From: best(BitNot(X), BitNot(Y)), To: BitNot(worst(X, Y))},
		{Name: name + "-decided", Since: 24, Doc: "optimizations MINMAX2, MINMAX3, MINMAX7, by range", From: best(X, Y), To: X, If: before(X, Y)},
		{Name: name + "-decided-right", Since: 24, Doc: "optimizations MINMAX2, MINMAX3, MINMAX7, by range", From: best(X, C), To: C, If: before(C, X)},
	}
}
