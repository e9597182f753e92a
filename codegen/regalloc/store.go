package regalloc

// storeSize is how many elements are allocated together, at least.
const storeSize = 1 << 12

// appendDoubling is append, but a full list gets twice the room: the built-in function gives
// long ones a quarter more, and copies and leaves behind twice as much on the way.
func appendDoubling[T any](list []T, x T) []T {
	if len(list) == cap(list) {
		list = append(make([]T, 0, 2*len(list)+16), list...)
	}
	return append(list, x)
}

// A slab keeps short lists in large arrays, one after the other.
type slab[T any] struct{ rest []T }

// keep returns a copy of list that nobody overwrites.
func (s *slab[T]) keep(list []T) []T {
	n := len(list)
	if n > len(s.rest) {
		s.rest = make([]T, max(n, storeSize))
	}
	out := s.rest[:n:n]
	s.rest = s.rest[n:]
	copy(out, list)
	return out
}

// A bag is a list that grows without being copied, to be read from the beginning.
type bag[T any] struct {
	full [][]T
	last []T
	size int // elements in full
}

// add appends x.
func (b *bag[T]) add(x T) {
	if len(b.last) == cap(b.last) {
		if len(b.last) > 0 {
			b.full = append(b.full, b.last)
			b.size += len(b.last)
		}
		b.last = make([]T, 0, max(storeSize/8, b.size/4)) // at most a fifth is left empty
	}
	b.last = append(b.last, x)
}

// len is the number of elements.
func (b *bag[T]) len() int { return b.size + len(b.last) }

// each calls do for every element in order.
func (b *bag[T]) each(do func(T)) {
	for _, part := range b.full {
		for _, x := range part {
			do(x)
		}
	}
	for _, x := range b.last {
		do(x)
	}
}

// truncate drops the elements from index n on.
func (b *bag[T]) truncate(n int) {
	for n < b.size {
		b.last = b.full[len(b.full)-1]
		b.full = b.full[:len(b.full)-1]
		b.size -= len(b.last)
	}
	b.last = b.last[:n-b.size]
}
