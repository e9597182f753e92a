package ssa

import "hash/maphash"

// A symbols table numbers different names from 0 in order of appearance: open addressing
// with linear probing, at most half full. It is several times faster than a Go map here.
type symbols struct {
	seed  maphash.Seed
	slots []int32 // number + 1, or 0; the length is a power of two
	names []string
}

// reset empties the table for the next function.
func (s *symbols) reset() {
	if s.slots == nil {
		s.seed = maphash.MakeSeed()
	}
	s.slots, s.names = make([]int32, 16), nil
}

// number returns the number of name and whether it is new.
func (s *symbols) number(name string) (n int32, isNew bool) {
	if 2*len(s.names) >= len(s.slots) {
		s.grow()
	}
	slot := s.slot(name)
	if n := s.slots[slot]; n != 0 {
		return n - 1, false
	}
	s.names = append(s.names, name)
	s.slots[slot] = int32(len(s.names))
	return int32(len(s.names) - 1), true
}

// slot finds the slot of name, or the empty one where it belongs.
func (s *symbols) slot(name string) uint64 {
	mask := uint64(len(s.slots) - 1)
	for i := maphash.String(s.seed, name) & mask; ; i = (i + 1) & mask {
		if n := s.slots[i]; n == 0 || s.names[n-1] == name {
			return i
		}
	}
}

func (s *symbols) grow() {
	s.slots = make([]int32, 2*len(s.slots))
	for i, name := range s.names {
		s.slots[s.slot(name)] = int32(i + 1)
	}
}
