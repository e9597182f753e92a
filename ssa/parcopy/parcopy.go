// Package parcopy puts the copies of one parallel copy in an order in which moves can be
// executed one after the other.
//
// Needs: copies with distinct destinations. Gives: the fewest moves that have the same
// effect, through an Emitter. Breaks: nothing.
//
// Draw an edge from source to destination of each copy. Leaves, the destinations that
// nobody still reads, are written first; that makes new leaves. When none is left, only
// disjoint cycles remain, and each of them needs one more place: a temporary, unless a
// member was already copied to somewhere outside of the cycle. Copies of a place to itself
// are no moves, and constants come last because they read nothing. B. Boissinot et al.,
// "Revisiting Out-of-SSA Translation for Correctness, Code Quality, and Efficiency", CGO
// 2009, algorithm 1; we leave the original sources in place as long as nothing forces a
// move, so that a value in a register is not read back from a slot it was copied to.
//
// Start reading at Sequencer.Run.
package parcopy

import (
	"fmt"
)

// A Loc is a place that holds a value: a register, a slot, a variable. The caller numbers
// them from 0, densely if it can, for tables are as long as the largest number.
type Loc int32

// NoLoc as a source says that the value comes from no place: a constant, or something
// that is computed anew.
const NoLoc Loc = -1

// A Copy gives Dst the value that Src had before any copy of the set was executed.
type Copy struct{ Dst, Src Loc }

// An Emitter receives the moves in the order of execution.
type Emitter interface {
	// Move gives dst the present value of src. It does copies[copy]; where a cycle is
	// broken, src may be another place than that copy's. copy is -1 when a value is
	// saved in a temporary. src is NoLoc exactly for a copy from NoLoc.
	Move(dst, src Loc, copy int)
	// Temp is asked once for a cycle that cannot do without: it returns a place that no
	// copy of this set mentions and that may hold the value of saved for the length of
	// the cycle. The same place may serve every cycle. Without one, the cycle is done
	// by Exchange.
	Temp(saved Loc) (temp Loc, ok bool)
	// Exchange swaps the values of a and b.
	Exchange(a, b Loc)
}

// A Sequencer orders parallel copies one after the other, reusing its tables. The zero
// Sequencer is ready.
type Sequencer struct {
	at    []place // by location; all zero between runs
	ready []int32 // copies whose destination nobody still reads
}

// A place is what is known of one location during a run.
type place struct {
	writer  int32 // one plus the index of the pending copy with this destination; 0 if none
	readers int32 // pending copies with this source
	twin    Loc   // one plus a location that holds a copy of the original value; 0 if none
}

// Run emits moves that together have the effect of all copies at once. It takes time
// linear in the number of copies. Destinations must be distinct.
func (s *Sequencer) Run(copies []Copy, out Emitter) {
	s.enter(copies)
	s.leaves(copies, out)
	s.cycles(copies, out)
	for i, c := range copies {
		if c.Src == NoLoc {
			out.Move(c.Dst, NoLoc, i)
		}
	}
	s.leave(copies)
}

// moves tells whether c is more than a copy of a place to itself or of a constant.
func (c Copy) moves() bool { return c.Src != c.Dst && c.Src != NoLoc }

func (s *Sequencer) enter(copies []Copy) {
	top := Loc(-1)
	for _, c := range copies {
		top = max(top, c.Dst, c.Src)
	}
	if n := int(top) + 1; n > len(s.at) {
		s.at = append(s.at, make([]place, n-len(s.at))...)
	}
	for i, c := range copies {
		if s.at[c.Dst].writer != 0 {
			panic(fmt.Sprintf("parcopy: two copies write location %d", c.Dst))
		}
		s.at[c.Dst].writer = int32(i) + 1
		if c.moves() {
			s.at[c.Src].readers++
		}
	}
}

// leaves emits every copy that is not on a cycle of copies.
func (s *Sequencer) leaves(copies []Copy, out Emitter) {
	s.ready = s.ready[:0]
	for i, c := range copies {
		if c.moves() && s.at[c.Dst].readers == 0 {
			s.ready = append(s.ready, int32(i))
		}
	}
	for k := 0; k < len(s.ready); k++ { // the list grows while we walk it
		i := s.ready[k]
		c := copies[i]
		out.Move(c.Dst, c.Src, int(i))
		s.at[c.Dst].writer = 0
		src := &s.at[c.Src]
		src.twin = c.Dst + 1
		src.readers--
		if src.readers == 0 && src.writer != 0 && copies[src.writer-1].moves() {
			s.ready = append(s.ready, src.writer-1)
		}
	}
}

// cycles emits what leaves left over. Every pending destination has a pending reader
// there, and there are as many readers as destinations: each has exactly one.
func (s *Sequencer) cycles(copies []Copy, out Emitter) {
	for i, c := range copies {
		if c.moves() && s.at[c.Dst].writer != 0 {
			s.cycle(copies, i, out)
		}
	}
}

// cycle emits the cycle of copies[first].
func (s *Sequencer) cycle(copies []Copy, first int, out Emitter) {
	start, temp, ok := copies[first].Dst, NoLoc, false
	for l := start; ; {
		if t := s.at[l].twin; t != 0 {
			start, temp, ok = l, t-1, true
			break
		}
		if l = copies[s.at[l].writer-1].Src; l == start {
			break
		}
	}
	if !ok {
		if temp, ok = out.Temp(start); ok {
			out.Move(temp, start, -1)
		}
	}
	for l := start; ; {
		i := s.at[l].writer - 1
		src := copies[i].Src
		s.at[l].writer = 0
		switch {
		case src == start && ok:
			out.Move(l, temp, int(i))
		case src == start: // the last exchange has done this one too
		case ok:
			out.Move(l, src, int(i))
		default:
			out.Exchange(l, src)
		}
		if src == start {
			return
		}
		l = src
	}
}

// leave clears the entries that the copies touched.
func (s *Sequencer) leave(copies []Copy) {
	for _, c := range copies {
		s.at[c.Dst] = place{}
		if c.Src != NoLoc {
			s.at[c.Src] = place{}
		}
	}
}
