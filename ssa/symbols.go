package ssa

import "hash/maphash"

// A symbols table numbers different names from 0 in order of appearance: open addressing
// with linear probing, at most half full. Hashes are kept, so that most names are compared
// only with themselves and growing looks at none.
type symbols struct {
	seed  maphash.Seed
	slots []symbolSlot // the length is a power of two
	names []string
}

// A symbolSlot is empty if n is 0, else it has the hash of name n-1.
type symbolSlot struct{ hash, n uint32 }

// reset empties the table for the next function.
func (s *symbols) reset() {
	if s.slots == nil {
		s.seed = maphash.MakeSeed()
	}
	s.slots, s.names = make([]symbolSlot, 16), nil
}

// number returns the number of name and whether it is new.
func (s *symbols) number(name string) (n int32, isNew bool) {
	hash := uint32(maphash.String(s.seed, name))
	mask := uint32(len(s.slots) - 1)
	i := hash & mask
	for ; s.slots[i].n != 0; i = (i + 1) & mask {
		if at := s.slots[i]; at.hash == hash && s.names[at.n-1] == name {
			return int32(at.n - 1), false
		}
	}
	s.names = append(s.names, name)
	s.slots[i] = symbolSlot{hash, uint32(len(s.names))}
	if 2*len(s.names) > len(s.slots) {
		s.grow()
	}
	return int32(len(s.names) - 1), true
}

func (s *symbols) grow() {
	old := s.slots
	s.slots = make([]symbolSlot, 2*len(old))
	mask := uint32(len(s.slots) - 1)
	for _, at := range old {
		if at.n == 0 {
			continue
		}
		i := at.hash & mask
		for s.slots[i].n != 0 {
			i = (i + 1) & mask
		}
		s.slots[i] = at
	}
}
