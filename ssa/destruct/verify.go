package destruct

import (
	"fmt"
	"math/bits"
)

// Verify reports every variable that some path from the entry reads before it assigns it.
// A right translation has none, since every use in strict SSA form is under its definition.
//
// A read without a write before it in its block is wanted at the top of the block; what is
// wanted there is wanted at the end of all predecessors, unless they write it. Variables
// go 64 at a time, as the bits of a word, and only blocks that want one are visited.
func (c *Code) Verify() []error {
	v := &verifier{
		c:      c,
		wanted: make([]uint64, len(c.Blocks)), written: make([]uint64, len(c.Blocks)),
		queued: make([]bool, len(c.Blocks)),
	}
	v.linkPreds()
	v.collect()
	for group := range v.first[:len(v.first)-1] {
		v.check(int32(group), v.events[v.first[group]:v.first[group+1]])
	}
	return v.errs
}

type verifier struct {
	c      *Code
	errs   []error
	names  []string // once there is an error
	preds  []int32  // of block b: preds[predAt[b]:predAt[b+1]]
	predAt []int32
	events []event // those of the 64 variables of group g: events[first[g]:first[g+1]]
	first  []int32

	wanted, written []uint64 // by block: of the group at hand
	queued          []bool   // by block
	work            []int32
}

// An event is what a block does to a variable.
type event struct {
	v             Var
	block         int32
	wants, writes bool // it reads it before any write of its own; it writes it
}

func (v *verifier) linkPreds() {
	n := len(v.c.Blocks)
	v.predAt = make([]int32, n+1)
	each := func(do func(from, to int32)) {
		for b := range v.c.Blocks {
			for _, to := range v.c.Blocks[b].Term.targets() {
				do(int32(b), to)
			}
		}
	}
	each(func(_, to int32) { v.predAt[to]++ })
	sum := int32(0)
	for b := range v.predAt {
		sum += v.predAt[b]
		v.predAt[b] = sum
	}
	v.preds = make([]int32, sum)
	each(func(from, to int32) { // from the end of each list to its start
		v.predAt[to]--
		v.preds[v.predAt[to]] = from
	})
}

// collect lists what blocks do, sorted by group.
func (v *verifier) collect() {
	var all []event
	at := make([]int32, len(v.c.Vars)) // one plus the index of the variable's last event
	touch := func(x Var, block int32) *event {
		if at[x] == 0 || all[at[x]-1].block != block {
			all = append(all, event{v: x, block: block})
			at[x] = int32(len(all))
		}
		return &all[at[x]-1]
	}
	read := func(a Atom, block int32) {
		if a >= 0 {
			e := touch(Var(a), block)
			e.wants = e.wants || !e.writes
		}
	}
	for _, x := range v.c.Inputs {
		touch(x, 0).writes = true
	}
	for i := range v.c.Blocks {
		b := int32(i)
		for j := range v.c.Blocks[b].Body {
			s := &v.c.Blocks[b].Body[j]
			for _, a := range s.Args[:s.NArgs] {
				read(a, b)
			}
			if s.Dst >= 0 {
				touch(s.Dst, b).writes = true
			}
		}
		for _, a := range v.c.Blocks[b].Term.operands() {
			read(a, b)
		}
	}
	v.first = make([]int32, len(v.c.Vars)/64+2)
	for _, e := range all {
		v.first[e.v/64]++
	}
	sum := int32(0)
	for g := range v.first {
		sum += v.first[g]
		v.first[g] = sum
	}
	v.events = make([]event, len(all))
	for _, e := range all {
		v.first[e.v/64]--
		v.events[v.first[e.v/64]] = e
	}
}

// check follows what is wanted of one group of variables upward.
func (v *verifier) check(group int32, events []event) {
	for _, e := range events {
		if e.writes {
			v.written[e.block] |= 1 << (e.v % 64)
		}
	}
	visited := v.work[:0]
	want := func(b int32, vars uint64) {
		if vars &^= v.wanted[b]; vars == 0 {
			return
		}
		if v.wanted[b] |= vars; !v.queued[b] {
			v.queued[b] = true
			visited = append(visited, b)
		}
	}
	for _, e := range events {
		if e.wants {
			want(e.block, 1<<(e.v%64))
		}
	}
	for k := 0; k < len(visited); k++ { // a block that wants more is queued again
		b := visited[k]
		v.queued[b] = false
		for _, p := range v.preds[v.predAt[b]:v.predAt[b+1]] {
			want(p, v.wanted[b]&^v.written[p])
		}
	}
	v.report(group, v.wanted[0])
	for _, b := range visited {
		v.wanted[b] = 0
	}
	for _, e := range events {
		v.written[e.block] = 0
	}
	v.work = visited[:0]
}

// report names the variables that are wanted at the top of the entry. Nothing branches
// there, and inputs count as written in it.
func (v *verifier) report(group int32, vars uint64) {
	if vars != 0 && v.names == nil {
		v.names = v.c.VarNames()
	}
	for ; vars != 0; vars &= vars - 1 {
		x := Var(group*64) + Var(bits.TrailingZeros64(vars))
		v.errs = append(v.errs, fmt.Errorf("%s: %s may be read before it is assigned", v.c.Name, v.names[x]))
	}
}
