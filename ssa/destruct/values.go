package destruct

import "shoal/ssa"

// sameRounds bounds how often sameValues looks at all arguments. Each round is sound by
// itself; every loop around the definition of a value may take one more.
const sameRounds = 4

// sameValues finds parameters that always hold the value of another name: all their
// arguments are that value or the parameter itself (ruled trivial by M. Braun et al.,
// "Simple and Efficient Construction of Static Single Assignment Form", CC 2013). It
// returns by ValueID a step toward the value that stands for it; find takes the rest.
func sameValues(t *translation) []ssa.ValueID {
	same := make([]ssa.ValueID, len(t.f.Values))
	for v := range same {
		same[v] = ssa.ValueID(v)
	}
	for range sameRounds {
		if !sameRound(t, same) {
			break
		}
	}
	return same
}

// sameRound looks at every parameter once and tells whether it found anything.
func sameRound(t *translation, same []ssa.ValueID) bool {
	// unique is by parameter the one value of its arguments, or many.
	const many ssa.ValueID = -1
	unique := make([]ssa.ValueID, len(t.params))
	for _, b := range t.dom.RPO {
		for _, to := range t.f.Blocks[b].Term.Targets() {
			for i, a := range to.Args {
				k := int(t.first[to.Block]) + i
				switch v := find(same, a); {
				case v == find(same, t.params[k]) || v == unique[k]:
				case unique[k] == ssa.None:
					unique[k] = v
				default:
					unique[k] = many
				}
			}
		}
	}
	found := false
	for k, p := range t.params {
		if u := unique[k]; u > ssa.None && find(same, p) == p && find(same, u) != p {
			same[p] = find(same, u)
			found = true
		}
	}
	return found
}

// find follows the steps of sameValues, halving the path.
func find(same []ssa.ValueID, v ssa.ValueID) ssa.ValueID {
	for same[v] != v {
		same[v] = same[same[v]]
		v = same[v]
	}
	return v
}
