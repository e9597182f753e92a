package peephole

import "shoal/node"

// algebraRules are the algebra of the chapters below 24; the large tables of chapter 24
// are in the files rules_a*.go.
var algebraRules = []Rule{
	{Name: "add-zero", Since: 4, Doc: "chapters §4.5, optimizations ADD1", From: Add(X, K(0)), To: X},
	{Name: "add-self", Since: 4, Doc: "chapters §4.5, optimizations ADD3", From: Add(X, X), To: Mul(X, K(2))},
	{Name: "add-minus", Since: 9, Doc: "chapters §9.5, optimizations ADD8", From: Add(X, Minus(Y)), To: Sub(X, Y)},
	{Name: "add-constants", Since: 4, Doc: "chapters §4.5, optimizations ADD4", From: Add(Add(X, C), D), To: Add(X, Fold(Add(C, D)))},
	{Name: "add-order", Since: 4, Doc: "sums lean left; from left to right: Phis, other values from young to old, Phis of constants, constants (chapters §4.5, §5.5, optimizations ADD2, ADD5-ADD7)",
		On: []node.Op{node.OpAdd}, Do: orderSum, Example: "return 1+arg+2; => return (arg+3);"},
	{Name: "sub-self", Since: 4, Doc: "chapters §4.5, optimizations SUB2", From: Sub(X, X), To: K(0)},
	{Name: "sub-minus", Since: 10, Doc: "chapters §10.5, optimizations SUB7", From: Sub(X, Minus(Y)), To: Add(X, Y)},
	{Name: "minus-sub", Since: 10, Doc: "chapters §10.5, optimizations SUB8", From: Sub(Minus(X), Y), To: Minus(Add(X, Y))},
	{Name: "minus-minus", Since: 10, Doc: "chapters §10.5, optimizations NEG1", From: Minus(Minus(X)), To: X},
	{Name: "mul-one", Since: 4, Doc: "chapters §4.5, optimizations MUL2", From: Mul(X, K(1)), To: X},
	{Name: "mul-constant-right", Since: 4, Doc: "chapters §4.5, optimizations MUL4", From: Mul(C, X), To: Mul(X, C)},
	{Name: "div-one", Since: 4, Doc: "chapters §4.5, optimizations DIV1", From: Div(X, K(1)), To: X},
	{Name: "eq-self", Since: 4, Doc: "chapters §4.5, optimizations EQ1", From: EQ(X, X), To: K(1)},
	{Name: "lt-self", Since: 4, Doc: "chapters §4.5, optimizations LT1", From: LT(X, X), To: K(0)},
	{Name: "le-self", Since: 4, Doc: "chapters §4.5, optimizations LT2", From: LE(X, X), To: K(1)},
	{Name: "eq-order", Since: 10, Doc: "x==y has a constant at the right, else the older value at the left (chapters §10.5)",
		On: []node.Op{node.OpEQ}, Do: orderOperands, Example: "return 1+arg==arg; => return (arg==(arg+1));"},
	{Name: "eq-zero", Since: 10, Doc: "chapters §10.5", From: EQ(X, K(0)), To: Not(X)},
	{Name: "commute", Since: 14, Doc: "a constant is the right operand, else the older value is the left one (optimizations ADD2 and its kin)",
		On: []node.Op{node.OpMul, node.OpAnd, node.OpOr, node.OpXor, node.OpMin, node.OpMax, node.OpUMin, node.OpUMax}, Do: orderOperands,
		Example: "int a=arg+1; return a*arg; => return (arg*(arg+1));"},
}

// maxSpine is how many Adds of a sum the ordering rules look at (rulings §1): a longer sum
// keeps the order in which it was written beyond that.
const maxSpine = 8

// spine is the number of Adds down the left of a sum, at most maxSpine+1.
func spine(n *node.Node) int {
	size := 0
	for n.Op == node.OpAdd && size <= maxSpine {
		size++
		if n.In(1) == n {
			return maxSpine + 1 // a dead cycle
		}
		n = n.In(1)
	}
	return size
}

// orderSum brings a sum a step nearer to its order.
func orderSum(e *Engine, n *node.Node) *node.Node {
	l, r := n.In(1), n.In(2)
	if l.Op == node.OpAdd && l.In(1) == l {
		return nil
	}
	switch {
	case r.Op == node.OpAdd && l.Op != node.OpAdd:
		return e.Make(node.OpAdd, n.Pos, nil, r, l)
	case r.Op == node.OpAdd:
		return e.joinSums(n, l, r)
	case l.Op != node.OpAdd:
		if swaps(l, r) {
			return e.Make(node.OpAdd, n.Pos, nil, r, l)
		}
		return nil
	}
	y := l.In(2)
	if !swaps(y, r) || !last(y) && (e.is.singleSpine || spine(l) > maxSpine) {
		return nil
	}
	if e.is.singleSpine && l.NumOut() > 1 && !y.IsConst() {
		return nil
	}
	e.g.Hold(y)
	sum := e.Make(node.OpAdd, n.Pos, nil, l.In(1), r)
	return e.Make(node.OpAdd, n.Pos, nil, sum, e.g.Release(y))
}

// joinSums is (x+y)+(z+w) = ((x+y)+z)+w. A sum that others use too would be copied, so at
// most a short one is.
func (e *Engine) joinSums(n, l, r *node.Node) *node.Node {
	if r.In(1) == r || spine(r) > maxSpine || e.is.singleSpine && r.NumOut() > 1 {
		return nil
	}
	w := e.g.Hold(r.In(2))
	sum := e.Make(node.OpAdd, n.Pos, nil, l, r.In(1))
	return e.Make(node.OpAdd, n.Pos, nil, sum, e.g.Release(w))
}

// last tells whether a term belongs at the right end of a sum.
func last(n *node.Node) bool { return n.IsConst() || constants(n) }

// swaps tells whether left + right should be right + left (chapters §4.5, §5.5). The order
// is total, so that the rules come to an end.
func swaps(left, right *node.Node) bool {
	switch {
	case right.IsConst():
		return false
	case left.IsConst():
		return true
	case deadPhi(left) || deadPhi(right):
		return false
	case constants(right):
		return false
	case constants(left):
		return true
	case left.Op != node.OpPhi && right.Op == node.OpPhi:
		return true
	case left.Op == node.OpPhi && right.Op != node.OpPhi:
		return false
	}
	return right.ID > left.ID
}

func deadPhi(n *node.Node) bool { return n.Op == node.OpPhi && !n.In(0).IsRegion() }

// orderOperands exchanges the operands of a commutative op if they are the wrong way
// round.
func orderOperands(e *Engine, n *node.Node) *node.Node {
	l, r := n.In(1), n.In(2)
	if r.IsConst() || !l.IsConst() && l.ID <= r.ID {
		return nil
	}
	return e.Make(n.Op, n.Pos, nil, r, l)
}
