package peephole

import "slices"

// The algebra of chapter 24: part A of the catalogue, one file for each of its sections.
//
// Every identity has one direction, so that equal values become equal nodes and the rules
// come to an end (optimizations §0.5, §D.6). The forms that we keep:
//
//   - A constant is the right operand, and in a sum the last term. x - C is x + {-C}.
//   - x << C is x * 2^C, and x + x is x * 2: there is one form for a value times a
//     constant, which induction variables and reassociation understand. Selection makes
//     shifts and sums of it. Only a shift by a variable stays one.
//   - The zero extension of K bits is x & ones(K). A shift left and right again is a sign
//     extension.
//   - Negation and ~ move outward, where + and - and comparisons swallow them.
//   - Of the comparisons with a constant, x < C, C < x, x <u C, C <u x and == are left; so
//     are x <= 0 and 0 <= x, as the sign is cheaper to test than any other constant. What is
//     the same for signed and unsigned is signed. != is ! of ==; a test swallows it.
//   - The condition of a select is not negated.
//   - Division by constants stays division: the sequences without it belong to selection
//     (optimizations §C.7). So do shifts and sums for products (§C.5).
//
// Rows of the catalogue that are not here follow from others, or from the types of §A.20
// alone: a test builds both sides of each and finds the same node. What else is left out
// stands with its reason at the end of the section's file.
var algebra24 = slices.Concat(
	addRules, subRules, minusRules, mulRules, divRules, remRules,
	andRules, orRules, xorRules, notRules, shlRules, shrRules, sarRules,
	eqRules, ltRules, ultRules, selectRules, minMaxRules, extRules,
)

// neg is {-c}.
func neg(c *Pat) *Pat { return Fold(Minus(c)) }

// com is {~c}.
func com(c *Pat) *Pat { return Fold(BitNot(c)) }

// truthOf is x != 0.
func truthOf(x *Pat) *Pat { return Not(Not(x)) }

// isBool tells that x is 0 or 1.
func isBool(x *Pat) *Pat { return ULT(x, K(2)) }

// all is a condition made of several.
func all(first *Pat, more ...*Pat) *Pat {
	for _, p := range more {
		first = And(first, p)
	}
	return first
}

// notZero tells that x is not 0.
func notZero(x *Pat) *Pat { return Not(EQ(x, K(0))) }
