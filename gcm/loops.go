package gcm

import "shoal/node"

// findLoops finds the natural loops, inner ones first, by walking back from their back
// edges; a loop that is found already is stepped over as one (P. Havlak, "Nesting of
// Reducible and Irreducible Loops", TOPLAS 1997, for the reducible case, which is all the
// parser makes).
func (c *scheduler) findLoops() {
	blocks := c.s.Blocks
	var todo []*Block
	for i := len(blocks) - 1; i >= 0; i-- {
		h := blocks[i]
		todo = todo[:0]
		for _, p := range h.Preds {
			if c.tree.Dominates(int32(h.ID), int32(p.ID)) {
				todo = append(todo, p)
			}
		}
		if len(todo) == 0 {
			continue
		}
		loop := &Loop{Header: h}
		c.s.Loops = append(c.s.Loops, loop)
		h.Loop = loop // the loops within it have other headers
		for len(todo) > 0 {
			b := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			if b.Loop == nil {
				b.Loop = loop
				todo = append(todo, b.Preds...)
				continue
			}
			if inner := root(b.Loop); inner != loop {
				inner.Outer = loop
				todo = append(todo, inner.Header.Preds...)
			}
		}
	}
	c.nestLoops()
}

// root is the outermost loop around l that is known so far; the way there is halved each
// time it is walked.
func root(l *Loop) *Loop {
	for l.Outer != nil {
		if l.skip == nil {
			l.skip = l.Outer
		}
		if l.skip.skip != nil {
			l.skip = l.skip.skip
		}
		l = l.skip
	}
	return l
}

// nestLoops turns the list over and counts depths.
func (c *scheduler) nestLoops() {
	for i, j := 0, len(c.s.Loops)-1; i < j; i, j = i+1, j-1 {
		c.s.Loops[i], c.s.Loops[j] = c.s.Loops[j], c.s.Loops[i]
	}
	for _, l := range c.s.Loops {
		l.Depth = 1
		if l.Outer != nil {
			l.Depth = l.Outer.Depth + 1
		}
	}
}

// loopTrips is how often a loop is expected to go round (optimizations §B.28).
const loopTrips = 8

// maxFreq keeps deep nests comparable.
const maxFreq = 1e15

// exitShare is the share of the side of an If that leaves a loop.
const exitShare = 1.0 / loopTrips

// faultShare is the share of the side of an If that ends the program with a fault.
const faultShare = 1.0 / (1 << 16)

// faults tells whether b ends the program with a fault.
func (b *Block) faults() bool { return b.End != nil && b.End.Op == node.OpFault }

// findFrequencies estimates how often each block runs: loops go round loopTrips times,
// other branches go either way.
func (c *scheduler) findFrequencies() {
	c.s.Blocks[0].Freq = 1
	for _, b := range c.s.Blocks {
		if l := b.Loop; l != nil && l.Header == b {
			b.Freq = min(b.Freq*loopTrips, maxFreq)
		}
		for i, s := range b.Succs {
			if c.tree.Dominates(int32(s.ID), int32(b.ID)) {
				continue // a back edge
			}
			s.Freq += b.Freq * share(b, i)
		}
	}
}

func share(b *Block, i int) float64 {
	if len(b.Succs) == 1 {
		return 1
	}
	switch f, other := b.Succs[i].faults(), b.Succs[1-i].faults(); {
	case f && !other:
		return faultShare
	case other && !f:
		return 1 - faultShare
	}
	stays, other := inside(b.Succs[i], b.Loop), inside(b.Succs[1-i], b.Loop)
	switch {
	case stays == other:
		return 0.5
	case stays:
		return 1 - exitShare
	}
	return exitShare
}

// inside tells whether b is in loop l or in one within it.
func inside(b *Block, l *Loop) bool {
	if l == nil {
		return true
	}
	m := b.Loop
	for m != nil && m.Depth > l.Depth {
		m = m.Outer
	}
	return m == l
}
