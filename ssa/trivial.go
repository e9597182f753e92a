package ssa

// substitute finds the trivial parameters and fills p.is.
func (p *pruner) substitute() {
	n := len(p.params)
	p.is = append([]ValueID(nil), p.params...)
	p.listArgs()
	p.group, p.index, p.low = make([]int32, n), make([]int32, n), make([]int32, n)
	p.onStack = make([]bool, n)
	all := make([]int32, n)
	for k := range all {
		all[k] = int32(k)
	}
	// A task is a set of parameters to cut into components, or one component. The last
	// one pushed is done first: what is inside a component is settled before its users.
	type task struct {
		set       []int32
		level     int
		component bool
	}
	stack := []task{{set: all}}
	groups := int32(0)
	for len(stack) > 0 {
		t := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if t.component {
			if inner := p.collapse(t.set); len(inner) > 0 && t.level < maxPruneLevels {
				stack = append(stack, task{set: inner, level: t.level + 1})
			}
			continue
		}
		groups++
		for _, k := range t.set {
			p.group[k], p.index[k] = groups, 0
		}
		components := p.components(t.set, groups)
		for i := len(components) - 1; i >= 0; i-- {
			stack = append(stack, task{set: components[i], level: t.level, component: true})
		}
	}
}

// listArgs lists the arguments of each parameter.
func (p *pruner) listArgs() {
	p.start = make([]int32, len(p.params)+1)
	for i := range p.f.Blocks {
		b := &p.f.Blocks[i]
		for j := range b.Params {
			p.start[p.first[i]+int32(j)] = int32(len(p.args))
			for _, e := range b.Preds {
				p.args = append(p.args, p.f.Blocks[e.Block].Term.Succs[e.Succ].Args[j])
			}
		}
	}
	p.start[len(p.params)] = int32(len(p.args))
}

// resolve returns what v stands for. Constants that are equal are one value.
func (p *pruner) resolve(v ValueID) ValueID {
	for {
		k := p.number[v]
		if k < 0 || p.is[k] == v {
			return v
		}
		w := p.is[k]
		if j := p.number[w]; j >= 0 {
			p.is[k] = p.is[j] // halve the path
		}
		v = w
	}
}

// collapse looks at the component set, whose operands are settled. If it receives one
// value, it is that value; if several, the parameters that receive none are returned.
func (p *pruner) collapse(set []int32) (inner []int32) {
	for _, k := range set {
		p.onStack[k] = true
	}
	outer, several := None, false
	for _, k := range set {
		direct := false
		for _, a := range p.args[p.start[k]:p.start[k+1]] {
			a = p.resolve(a)
			if j := p.number[a]; j >= 0 && p.onStack[j] {
				continue
			}
			direct = true
			several = several || outer != None && !p.same(outer, a)
			outer = a
		}
		if !direct {
			inner = append(inner, k)
		}
	}
	for _, k := range set {
		p.onStack[k] = false
	}
	switch {
	case several:
		return inner
	case outer != None:
		for _, k := range set {
			p.is[k] = outer
		}
	}
	return nil // an unreachable component may receive nothing
}

// same tells whether a and b are one value.
func (p *pruner) same(a, b ValueID) bool {
	va, vb := &p.f.Values[a], &p.f.Values[b]
	return a == b || va.Kind == Const && vb.Kind == Const && va.Aux == vb.Aux
}

// components cuts set, the members of group, into strongly connected components, operands
// before users. R. Tarjan, "Depth-First Search and Linear Graph Algorithms", 1972.
func (p *pruner) components(set []int32, group int32) (list [][]int32) {
	next := int32(0)
	slab := make([]int32, 0, len(set))
	enter := func(k int32) {
		next++
		p.index[k], p.low[k], p.onStack[k] = next, next, true
		p.path = append(p.path, k)
		p.calls = append(p.calls, call{k: k, arg: p.start[k]})
	}
	for _, root := range set {
		if p.index[root] == 0 {
			enter(root)
		}
		for len(p.calls) > 0 {
			c := &p.calls[len(p.calls)-1]
			k := c.k
			if c.arg < p.start[k+1] {
				j := p.number[p.resolve(p.args[c.arg])]
				c.arg++
				switch {
				case j < 0 || p.group[j] != group:
				case p.index[j] == 0:
					enter(j)
				case p.onStack[j]:
					p.low[k] = min(p.low[k], p.index[j])
				}
				continue
			}
			p.calls = p.calls[:len(p.calls)-1]
			if len(p.calls) > 0 {
				up := p.calls[len(p.calls)-1].k
				p.low[up] = min(p.low[up], p.low[k])
			}
			if p.low[k] == p.index[k] {
				slab = p.pop(k, slab, &list)
			}
		}
	}
	return list
}

// pop takes the component with root k off the path.
func (p *pruner) pop(k int32, slab []int32, list *[][]int32) []int32 {
	first := len(slab)
	for {
		j := p.path[len(p.path)-1]
		p.path = p.path[:len(p.path)-1]
		p.onStack[j] = false
		slab = append(slab, j)
		if j == k {
			break
		}
	}
	*list = append(*list, slab[first:len(slab):len(slab)])
	return slab
}

// rewrite replaces the trivial parameters by what they are.
func (p *pruner) rewrite() {
	f := p.f
	for i := range f.Blocks {
		b := &f.Blocks[i]
		for _, id := range b.Body {
			v := &f.Values[id]
			for j, a := range v.Operands() {
				v.Args[j] = p.resolve(a)
			}
		}
		b.Term.Arg, b.Term.Arg2 = p.resolve(b.Term.Arg), p.resolve(b.Term.Arg2)
		for _, t := range b.Term.Targets() {
			for j, a := range t.Args {
				t.Args[j] = p.resolve(a)
			}
		}
	}
}
