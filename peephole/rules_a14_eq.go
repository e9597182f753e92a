package peephole

import "shoal/node/types"

// eqRules are section A.14. A comparison with 0 is !, see section A.10.
var eqRules = []Rule{
	{Name: "eq-sum-constant", Since: 24, Doc: "optimizations EQ4", From: EQ(Add(X, C), D), To: EQ(X, Fold(Sub(D, C)))},
	{Name: "eq-difference-constant", Since: 24, Doc: "optimizations EQ5", From: EQ(Sub(C, X), D), To: EQ(X, Fold(Sub(C, D)))},
	{Name: "eq-xor-constant", Since: 24, Doc: "optimizations EQ6", From: EQ(Xor(X, C), D), To: EQ(X, Fold(Xor(C, D)))},
	{Name: "eq-minus-constant", Since: 24, Doc: "optimizations EQ7", From: EQ(Minus(X), C), To: EQ(X, neg(C))},
	{Name: "eq-com-constant", Since: 24, Doc: "optimizations EQ8", From: EQ(BitNot(X), C), To: EQ(X, com(C))},
	{Name: "eq-sums", Since: 24, Doc: "optimizations EQ9", From: EQ(Add(X, Z), Add(Y, Z)), To: EQ(X, Y)},
	{Name: "eq-xors", Since: 24, Doc: "optimizations EQ10", From: EQ(Xor(X, Z), Xor(Y, Z)), To: EQ(X, Y)},
	{Name: "eq-differences-right", Since: 24, Doc: "optimizations EQ11", From: EQ(Sub(X, Z), Sub(Y, Z)), To: EQ(X, Y)},
	{Name: "eq-differences-left", Since: 24, Doc: "optimizations EQ12", From: EQ(Sub(Z, X), Sub(Z, Y)), To: EQ(X, Y)},
	{Name: "eq-minuses", Since: 24, Doc: "optimizations EQ13", From: EQ(Minus(X), Minus(Y)), To: EQ(X, Y)},
	{Name: "eq-coms", Since: 24, Doc: "optimizations EQ13, for ~", From: EQ(BitNot(X), BitNot(Y)), To: EQ(X, Y)},
	{Name: "eq-sum-self", Since: 24, Doc: "optimizations EQ16", From: EQ(Add(X, Y), X), To: Not(Y)},
	{Name: "eq-difference-self", Since: 24, Doc: "optimizations EQ17", From: EQ(Sub(X, Y), X), To: Not(Y)},
	{Name: "eq-com-self", Since: 24, Doc: "optimizations EQ18", From: EQ(BitNot(X), X), To: K(0)},
	{Name: "eq-product-odd", Since: 24, Doc: "optimizations EQ19", From: EQ(Mul(X, C), D), To: EQ(X, Fold(Mul(D, inverse(C)))), If: And(C, K(1))},
	{Name: "eq-product", Since: 24, Doc: "optimizations EQ21, without wrapping", From: EQ(Mul(X, C), D), To: EQ(X, Fold(Div(D, C))), If: all(notZero(C), EQ(Rem(D, C), K(0)), MulFits(X, C))},
	{Name: "eq-bit", Since: 24, Doc: "optimizations EQ27", From: EQ(And(X, C), C), To: truthOf(And(X, C)), If: Pow2(C)},
	{Name: "eq-masked", Since: 24, Doc: "optimizations EQ30", From: EQ(Once(And(X, C)), Once(And(Y, C))), To: Not(And(Xor(X, Y), C))},
	{Name: "eq-select", Since: 24, Doc: "optimizations EQ32, EQ33, EQ34", From: EQ(Select(T, C, D), E), To: Select(T, Fold(EQ(C, E)), Fold(EQ(D, E)))},
	{Name: "eq-true", Since: 14, Doc: "chapters §14.5, optimizations EQ35", From: EQ(X, K(1)), To: X, If: isBool(X)},
	{Name: "eq-sx", Since: 24, Doc: "optimizations EQ39", From: EQ(SX(C, X), D), To: EQ(And(X, Ones(C)), Fold(And(D, Ones(C)))), If: all(ULT(C, Bits), EQ(SX(C, D), D))},
	{Name: "eq-sx-sx", Since: 24, Doc: "optimizations EQ40", From: EQ(Once(SX(C, X)), Once(SX(C, Y))), To: Not(And(Xor(X, Y), Ones(C)))},
	{Name: "eq-lowest-bit", Since: 24, Doc: "optimizations EQ45", From: EQ(And(X, Minus(X)), X), To: Not(And(X, Add(X, K(-1))))},
	{Name: "eq-rem-one", Since: 24, Doc: "optimizations REM12", From: EQ(Rem(X, K(2)), K(1)), To: EQ(And(X, Fold(Or(MIN, K(1)))), K(1))},
	{Name: "eq-min", Since: 24, Doc: "optimizations MINMAX8", From: EQ(Min(X, Y), X), To: LE(X, Y)},
	{Name: "eq-max", Since: 24, Doc: "optimizations MINMAX8", From: EQ(Max(X, Y), X), To: LE(Y, X)},
	{Name: "eq-umin", Since: 24, Doc: "optimizations MINMAX8", From: EQ(UMin(X, Y), X), To: ULE(X, Y)},
	{Name: "eq-umax", Since: 24, Doc: "optimizations MINMAX8", From: EQ(UMax(X, Y), X), To: ULE(Y, X)},
}

// inverse is the number whose product with the odd number c is 1. Each round doubles the
// number of low bits that are right, from 3 on.
func inverse(c *Pat) *Pat {
	return Fn("inverse", func(w types.Width, args []int64) int64 {
		x := args[0]
		for range 5 {
			x *= 2 - args[0]*x
		}
		return x
	}, c)
}

// Left out:
//   - EQ21, EQ23, EQ24, a shift compared with a constant as a mask compared with one: as
//     many operations, and constants that do not fit an instruction.
//   - EQ42, EQ43, EQ44 wait for operations that count bits.
