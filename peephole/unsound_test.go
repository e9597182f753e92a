package peephole

// unsound are the rules of the catalogue that are wrong on purpose, those that other
// compilers can afford as their integers do not wrap (optimizations §A.29), and a few that
// are wrong in a way that only one of the prover's widths or values shows.
var unsound = []Rule{
	{Name: "div-minus", Doc: "optimizations DIV16", From: Div(Minus(X), C), To: Div(X, neg(C))},
	{Name: "div-minus-minus", Doc: "optimizations DIV17", From: Div(Minus(X), Minus(Y)), To: Div(X, Y)},
	{Name: "rem-product", Doc: "optimizations REM16", From: Rem(Mul(X, C), C), To: K(0)},
	{Name: "rem-minus", Doc: "optimizations REM17", From: Rem(Minus(X), C), To: Minus(Rem(X, C))},
	{Name: "rem-odd", Doc: "optimizations REM18", From: EQ(Rem(X, K(2)), K(1)), To: EQ(And(X, K(1)), K(1))},
	{Name: "less-by-sign", Doc: "optimizations SAR13", From: LT(X, Y), To: Shr(Sub(X, Y), Last)},
	{Name: "less-minus", Doc: "optimizations LT38", From: LT(Minus(X), Minus(Y)), To: LT(Y, X)},
	{Name: "less-difference", Doc: "optimizations LT39", From: LT(Sub(X, Y), K(0)), To: LT(X, Y)},
	{Name: "less-sums", Doc: "optimizations LT40", From: LT(Add(X, C), Add(Y, C)), To: LT(X, Y)},
	{Name: "less-next", Doc: "optimizations LT41", From: LT(X, Add(X, K(1))), To: K(1)},
	{Name: "ult-next", Doc: "optimizations ULT29", From: ULT(Add(X, K(1)), Y), To: ULT(X, Sub(Y, K(1)))},
	{Name: "abs-not-negative", Doc: "optimizations MINMAX17", From: LE(K(0), Abs(X)), To: K(1)},
	{Name: "min-minus", Doc: "optimizations MINMAX18", From: Min(Minus(X), Minus(Y)), To: Minus(Max(X, Y))},
	{Name: "sx-quotient", Doc: "optimizations EXT19", From: SX(C, Div(X, Y)), To: Div(SX(C, X), SX(C, Y))},
	{Name: "mul-near-power", Doc: "optimizations §A.28 D1: x * -1 as (x << W) - x", From: Mul(X, C), To: Sub(Shl(X, Log2(Add(C, K(1)))), X), If: Not(And(C, Add(C, K(1))))},
	{Name: "shift-mask-inner-count", Doc: "optimizations §A.29", From: Shr(Shl(X, C), D), To: And(Shl(X, Sub(C, D)), Shr(K(-1), C)), If: all(ULT(D, C), ULT(C, Bits))},
	{Name: "shift-sum", Doc: "optimizations §A.29", From: Shl(Shl(X, C), D), To: Shl(X, Fold(Add(C, D)))},
	{Name: "clamp-max", Doc: "optimizations §A.29", From: Select(LE(X, C), Fold(Add(C, K(1))), X), To: Max(X, Fold(Add(C, K(1))))},
	{Name: "sx-narrow-compare", Doc: "optimizations §A.29", From: EQ(SX(C, X), D), To: EQ(And(X, Ones(C)), D), If: ULE(D, Ones(C))},
	{Name: "div-constants-minus-one", Doc: "optimizations §0.4", From: Div(Div(X, C), D), To: Div(X, Fold(Mul(C, D))), If: MulFits(C, D)},
	{Name: "unsigned-by-signed-ends", Doc: "optimizations §A.28 D7", From: ULT(X, Y), To: K(1), If: LT(X, Y)},
	{Name: "width-four-only", Doc: "it holds at width 4", From: And(X, K(-16)), To: K(0)},
	{Name: "wide-only", Doc: "it holds at widths 4 and 8", From: And(X, K(-256)), To: K(0)},
}
