package peephole

// addRules are section A.1.
var addRules = []Rule{
	{Name: "add-sub-cancel", Since: 24, Doc: "optimizations ADD11", From: Add(Sub(X, Y), Y), To: X},
	{Name: "add-telescope", Since: 24, Doc: "optimizations ADD12, ADD13", From: Add(Sub(X, Y), Sub(Y, Z)), To: Sub(X, Z)},
	{Name: "add-sub-sum", Since: 24, Doc: "optimizations ADD14", From: Add(Sub(X, Y), Add(Z, Y)), To: Add(X, Z)},
	{Name: "add-sum-sub", Since: 24, Doc: "optimizations ADD15", From: Add(X, Add(Y, Sub(Z, X))), To: Add(Y, Z)},
	{Name: "add-sum-sub-left", Since: 24, Doc: "optimizations ADD15, as sums lean", From: Add(Add(Y, X), Sub(Z, X)), To: Add(Y, Z)},
	{Name: "add-from-constant", Since: 24, Doc: "optimizations ADD16", From: Add(Sub(C, X), D), To: Sub(Fold(Add(C, D)), X)},
	{Name: "add-constant-out", Since: 24, Doc: "optimizations ADD17", From: Add(Sub(C, X), NoConst(Y)), To: Add(Sub(Y, X), C)},
	{Name: "add-com-self", Since: 24, Doc: "optimizations ADD19", From: Add(BitNot(X), X), To: K(-1)},
	{Name: "add-com-constant", Since: 24, Doc: "optimizations ADD20", From: Add(BitNot(X), C), To: Sub(Fold(Sub(C, K(1))), X)},
	{Name: "add-and-or", Since: 24, Doc: "optimizations ADD21", From: Add(And(X, Y), Or(X, Y)), To: Add(X, Y)},
	{Name: "add-and-xor", Since: 24, Doc: "optimizations ADD22", From: Add(And(X, Y), Xor(X, Y)), To: Or(X, Y)},
	{Name: "add-by-hand", Since: 24, Doc: "optimizations ADD23", From: Add(Xor(X, Y), Mul(And(X, Y), K(2))), To: Add(X, Y)},
	{Name: "add-align-down", Since: 24, Doc: "optimizations ADD24", From: Add(Or(X, C), neg(C)), To: And(X, com(C))},
	{Name: "add-masks", Since: 24, Doc: "optimizations ADD25", From: Add(And(X, C), And(X, D)), To: And(X, Fold(Or(C, D))), If: EQ(And(C, D), K(0))},
	{Name: "add-factor", Since: 24, Doc: "optimizations ADD27, ADD29", From: Add(Once(Mul(X, Y)), Once(Mul(X, Z))), To: Mul(X, Add(Y, Z))},
	{Name: "add-product-self", Since: 24, Doc: "optimizations ADD28", From: Add(Once(Mul(X, C)), X), To: Mul(X, Fold(Add(C, K(1))))},
	{Name: "add-min-max", Since: 24, Doc: "optimizations ADD30", From: Add(Min(X, Y), Max(X, Y)), To: Add(X, Y)},
	{Name: "add-umin-umax", Since: 24, Doc: "optimizations ADD31", From: Add(UMin(X, Y), UMax(X, Y)), To: Add(X, Y)},
	{Name: "add-select", Since: 24, Doc: "optimizations ADD32", From: Add(Select(T, C, D), E), To: Select(T, Fold(Add(C, E)), Fold(Add(D, E)))},
	{Name: "add-min", Since: 24, Doc: "optimizations ADD33", From: Add(X, MIN), To: Xor(X, MIN)},
	{Name: "add-xor-min", Since: 24, Doc: "optimizations ADD34", From: Add(Xor(X, MIN), C), To: Add(X, Fold(Xor(C, MIN)))},
	{Name: "add-rotate", Since: 24, Doc: "optimizations OR23", From: Add(Mul(X, C), Shr(X, D)), To: RotL(X, Log2(C)), If: rotates(C, D)},
}

// Left out:
//   - ADD26, x + y = x | y for disjoint bits: sums stay sums, since addresses, induction
//     variables and lea want them.
