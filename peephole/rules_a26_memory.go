package peephole

import "shoal/node"

// memory24 are the rows of section A.26 that the early chapters lack. What asks for more
// than a look around a node is done by the passes forward and objects.
var memory24 = []Rule{
	{Name: "load-length-phi", Since: 24, Doc: "the length of one of several new arrays of one length (optimizations MEM12)", On: []node.Op{node.OpLoad}, Do: loadLengthPhi,
		Example: "int[] !a=new int[7]; int[] !b=new int[7]; if(arg) { int[] !t=a; a=b; b=t; } return a#+b#; => return 14;"},
}

// maxPhiWeb bounds how many Phis that feed each other are looked at together.
const maxPhiWeb = 16

// loadLengthPhi: the array comes out of Phis that feed each other, and before them out of
// News that share the length. Each New is above all of the Phis, so that none of them can
// have the array of an earlier time, when the length was another.
func loadLengthPhi(e *Engine, n *node.Node) *node.Node {
	if n.Sym.Field.Name != "#" || node.Object(n.In(2)).Op != node.OpPhi {
		return nil
	}
	web, leaves := phiWeb(node.Object(n.In(2)))
	length := e.lengthOf(web, leaves)
	if length == nil && e.busy {
		for _, phi := range web {
			e.await(n, phi)
		}
		e.dom.tests = append(e.dom.tests, n)
	}
	return length
}

// lengthOf is the length of all arrays that may come out of a web of Phis.
func (e *Engine) lengthOf(web, leaves []*node.Node) *node.Node {
	if len(leaves) == 0 {
		return nil
	}
	for _, leaf := range leaves {
		if leaf.Op != node.OpNew || leaf.NumIn() != 2 || leaf.In(1) != leaves[0].In(1) {
			return nil
		}
		for _, phi := range web {
			if !leaf.In(1).IsConst() && !e.above(leaf.In(0), phi.In(0)) {
				return nil
			}
		}
	}
	return leaves[0].In(1)
}

// phiWeb finds the Phis of references that feed n, and what else does: nothing if there are
// too many.
func phiWeb(n *node.Node) (web, leaves []*node.Node) {
	seen := map[*node.Node]bool{n: true}
	web = []*node.Node{n}
	for k := 0; k < len(web); k++ {
		if web[k].InProgress() || !web[k].In(0).IsRegion() {
			return web, nil
		}
		for i := 1; i < web[k].NumIn(); i++ {
			d := node.Object(web[k].In(i))
			switch {
			case seen[d]:
				continue
			case len(seen) > maxPhiWeb:
				return web, nil
			}
			seen[d] = true
			if d.Op == node.OpPhi {
				web = append(web, d)
			} else {
				leaves = append(leaves, d)
			}
		}
	}
	return web, leaves
}
