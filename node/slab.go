package node

import "math/bits"

// A slab hands out short slices cut from large ones, and takes them back by size: edge
// lists cost neither an allocation each nor work for the collector.
type slab[T any] struct {
	fresh []T
	freed [32][][]T // by log2 of the capacity
}

// elemsPerSlab is how many elements are allocated at a time.
const elemsPerSlab = 4096

// take returns a zeroed slice of the given length and at least the given capacity.
func (s *slab[T]) take(length, capacity int) []T {
	if capacity == 0 {
		return nil
	}
	if capacity > elemsPerSlab/4 {
		return make([]T, length, capacity)
	}
	if class := bits.Len(uint(capacity - 1)); 1<<class == capacity {
		if list := s.freed[class]; len(list) > 0 {
			t := list[len(list)-1]
			s.freed[class] = list[:len(list)-1]
			t = t[:length]
			clear(t)
			return t
		}
	}
	if len(s.fresh) < capacity {
		s.fresh = make([]T, elemsPerSlab)
	}
	t := s.fresh[:length:capacity]
	s.fresh = s.fresh[capacity:]
	return t
}

// grow returns a copy of old with twice the capacity and takes old back.
func (s *slab[T]) grow(old []T) []T {
	capacity := 2
	if cap(old) >= 2 {
		capacity = 1 << bits.Len(uint(cap(old)))
	}
	t := s.take(len(old), capacity)
	copy(t, old)
	s.give(old)
	return t
}

// give takes a slice back whose capacity is a power of two; others are left to the
// collector, together with the slab they were cut from.
func (s *slab[T]) give(t []T) {
	c := cap(t)
	if c == 0 || c&(c-1) != 0 || c > elemsPerSlab/4 {
		return
	}
	class := bits.Len(uint(c - 1))
	s.freed[class] = append(s.freed[class], t[:0])
}
