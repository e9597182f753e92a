package forms

import (
	"math/bits"

	"shoal/source"
	"shoal/ssa"
)

// validateUpsilons checks U2 and U3. U1 is S1 under another name.
func validateUpsilons(f *ssa.Func) []error {
	u := &upsilonChecker{Checker: ssa.NewChecker(f)}
	u.shadows()
	u.collect()
	u.paths()
	return u.Errs
}

// shadows checks U2.
func (u *upsilonChecker) shadows() {
	f := u.Func
	read := func(id ssa.ValueID, pos source.Pos) {
		if f.Values[id].Kind != ssa.Shadow {
			return
		}
		name := f.ValueName(f.Values[id].Args[0])
		u.UseErrorf("U2", pos, name, "the shadow variable ^%s is read by something else than its own Phi", name)
	}
	for i := range f.Blocks {
		b := &f.Blocks[i]
		for _, id := range b.Body {
			v := &f.Values[id]
			args := v.Operands()
			if v.Kind == ssa.Upsilon {
				if x := v.Args[1]; f.Values[x].Kind != ssa.Phi {
					u.UseErrorf("U2", v.Pos, f.ValueName(x), "an Upsilon writes ^%s, but %s is no Phi", f.ValueName(x), f.ValueName(x))
				}
				args = args[:1]
			}
			for _, a := range args {
				read(a, v.Pos)
			}
		}
		for _, a := range b.Term.Operands() {
			read(a, b.Term.Pos)
		}
	}
}

// An upsilonChecker checks U3 by a dataflow backwards from the Phis. A Phi is wanting at a
// point if some path from there to the Phi has no Upsilon for it; it may be wanting neither
// at the entry nor just after the Phi itself. Dominance does not help: it is the set of
// Upsilons that must dominate the Phi, no single one.
//
// 64 Phis go at a time, one to a bit, and only blocks where one is wanting are visited.
// With Upsilons in the predecessors, as conversions put them, that is linear; at worst a
// round of 64 visits every block 64 times.
type upsilonChecker struct {
	*ssa.Checker
	phis  []ssa.ValueID
	index []int32 // by ValueID of a Phi: its index in phis
	// The Upsilons of phis[k] are in the blocks of where[first[k]:first[k+1]].
	where []int32
	first []int32
	early []bool // by index: an Upsilon stands before the Phi in its own block
	late  []bool // by index: an Upsilon stands after the Phi in its own block

	stop   []uint64 // by block: Phis that are not wanting before it whatever follows
	hit    []uint64 // by block: Phis that must not be wanting at its end
	want   []uint64 // by block: Phis that are wanting at its end
	queued []bool
	queue  []int32
}

// collect lists reachable Phis and the blocks of their Upsilons.
func (u *upsilonChecker) collect() {
	f := u.Func
	u.index = make([]int32, len(f.Values))
	u.each(ssa.Phi, func(id ssa.ValueID, _, _ int32) {
		u.index[id] = int32(len(u.phis))
		u.phis = append(u.phis, id)
	})
	u.early, u.late = make([]bool, len(u.phis)), make([]bool, len(u.phis))
	u.first = make([]int32, len(u.phis)+2)
	count := func(id ssa.ValueID, b, pos int32) {
		x := f.Values[id].Args[1]
		if !u.isPhi(x) {
			return
		}
		k := u.index[x]
		u.first[k+2]++
		if u.Block[x] == b {
			u.early[k] = u.early[k] || pos < u.Pos[x]
			u.late[k] = u.late[k] || pos > u.Pos[x]
		}
	}
	u.each(ssa.Upsilon, count)
	for k := 2; k < len(u.first); k++ {
		u.first[k] += u.first[k-1]
	}
	u.where = make([]int32, u.first[len(u.phis)+1])
	u.each(ssa.Upsilon, func(id ssa.ValueID, b, _ int32) {
		if x := f.Values[id].Args[1]; u.isPhi(x) {
			k := u.index[x]
			u.where[u.first[k+1]] = b
			u.first[k+1]++
		}
	})
}

// isPhi tells whether x is a Phi in a reachable block.
func (u *upsilonChecker) isPhi(x ssa.ValueID) bool {
	return u.Func.Values[x].Kind == ssa.Phi && u.Dom.Reaches(u.Block[x])
}

// each calls do for every value of a kind in reachable blocks, with block and position.
func (u *upsilonChecker) each(kind ssa.ValueKind, do func(id ssa.ValueID, b, pos int32)) {
	for _, b := range u.Dom.RPO {
		for pos, id := range u.Func.Blocks[b].Body {
			if u.Func.Values[id].Kind == kind {
				do(id, b, int32(pos))
			}
		}
	}
}

// paths checks U3.
func (u *upsilonChecker) paths() {
	n := len(u.Func.Blocks)
	u.stop, u.hit, u.want = make([]uint64, n), make([]uint64, n), make([]uint64, n)
	u.queued = make([]bool, n)
	var touched []int32
	for first := 0; first < len(u.phis); first += 64 {
		last := min(first+64, len(u.phis))
		for k := first; k < last; k++ {
			u.summarize(k, uint64(1)<<(k-first))
		}
		bad := uint64(0)
		for k := first; k < last; k++ {
			if home := u.Block[u.phis[k]]; !u.early[k] {
				bad |= u.wantBefore(home, uint64(1)<<(k-first))
			}
		}
		touched = touched[:0]
		for len(u.queue) > 0 {
			b := u.queue[len(u.queue)-1]
			u.queue = u.queue[:len(u.queue)-1]
			u.queued[b] = false
			touched = append(touched, b)
			bad |= u.want[b] & u.hit[b]
			bad |= u.wantBefore(b, u.want[b]&^u.stop[b])
		}
		u.report(first, bad)
		for _, b := range touched {
			u.want[b] = 0
		}
		for k := first; k < last; k++ {
			u.forget(k)
		}
	}
}

// summarize enters phis[k], which has the given bit, into the tables of blocks.
func (u *upsilonChecker) summarize(k int, bit uint64) {
	home := u.Block[u.phis[k]]
	for _, b := range u.where[u.first[k]:u.first[k+1]] {
		u.stop[b] |= bit
	}
	u.stop[home] |= bit
	if !u.late[k] {
		u.hit[home] |= bit
	}
}

func (u *upsilonChecker) forget(k int) {
	for _, b := range u.where[u.first[k]:u.first[k+1]] {
		u.stop[b] = 0
	}
	home := u.Block[u.phis[k]]
	u.stop[home], u.hit[home] = 0, 0
}

// wantBefore says that phis are wanting before block b, so at the end of its predecessors.
// It returns those that are wanting where the function starts.
func (u *upsilonChecker) wantBefore(b int32, phis uint64) (bad uint64) {
	if phis == 0 {
		return 0
	}
	if b == 0 {
		bad = phis
	}
	for _, e := range u.Func.Blocks[b].Preds {
		p := e.Block
		if !u.Dom.Reaches(p) || phis&^u.want[p] == 0 {
			continue
		}
		u.want[p] |= phis
		if !u.queued[p] {
			u.queued[p] = true
			u.queue = append(u.queue, p)
		}
	}
	return bad
}

// report reports the Phis phis[first+i] for the bits i of bad.
func (u *upsilonChecker) report(first int, bad uint64) {
	f := u.Func
	for ; bad != 0; bad &= bad - 1 {
		x := u.phis[first+bits.TrailingZeros64(bad)]
		name := f.ValueName(x)
		u.Errorf("U3", f.Values[x].Pos, name, "a path to Phi %s in block %s passes no Upsilon for it since the entry or the last execution of %s",
			name, f.BlockName(u.Block[x]), name)
	}
}
