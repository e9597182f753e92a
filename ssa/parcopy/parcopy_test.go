package parcopy

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// machine executes what the sequencer emits on locations that hold marked values.
type machine struct {
	values    []int // by location; the last one is the temporary
	constants []int // by copy
	mayTemp   bool
	moves     int
	exchanges int
	temps     int
}

func (m *machine) Move(dst, src Loc, copy int) {
	m.moves++
	if src == NoLoc {
		m.values[dst] = m.constants[copy]
		return
	}
	m.values[dst] = m.values[src]
}

func (m *machine) Temp(Loc) (Loc, bool) {
	if !m.mayTemp {
		return NoLoc, false
	}
	m.temps++
	return Loc(len(m.values) - 1), true
}

func (m *machine) Exchange(a, b Loc) {
	m.exchanges++
	m.values[a], m.values[b] = m.values[b], m.values[a]
}

// initial gives location l the value l and the temporary rubbish.
func initial(n int) []int {
	values := make([]int, n+1)
	for i := range values {
		values[i] = i
	}
	values[n] = -99
	return values
}

// parallel is what the copies mean: all sources are read, then all destinations written.
func parallel(copies []Copy, constants []int, n int) []int {
	before, after := initial(n), initial(n)
	for i, c := range copies {
		if c.Src == NoLoc {
			after[c.Dst] = constants[i]
		} else {
			after[c.Dst] = before[c.Src]
		}
	}
	return after[:n]
}

// graphs calls f with every set of copies on n locations: each location gets the value of
// any location, a constant, or nothing.
func graphs(n int, f func(copies []Copy, constants []int)) {
	choice := make([]int, n) // 0..n-1: a location; n: a constant; n+1: nothing
	for {
		var copies []Copy
		var constants []int
		for d, c := range choice {
			switch {
			case c < n:
				copies, constants = append(copies, Copy{Loc(d), Loc(c)}), append(constants, 0)
			case c == n:
				copies, constants = append(copies, Copy{Loc(d), NoLoc}), append(constants, 1000+d)
			}
		}
		f(copies, constants)
		k := 0
		for k < n && choice[k] == n+1 {
			choice[k] = 0
			k++
		}
		if k == n {
			return
		}
		choice[k]++
	}
}

// saves counts the cycles of length two and more of which no member is read from outside:
// the moves that are needed beyond one for each copy that moves something. It follows the
// sources from each location instead of removing leaves.
func saves(copies []Copy, n int) (moving, cycles int) {
	source := make([]Loc, n)
	readers := make([]int, n)
	for i := range source {
		source[i] = NoLoc
	}
	for _, c := range copies {
		if c.Src != c.Dst {
			moving++
			source[c.Dst] = c.Src
			if c.Src != NoLoc {
				readers[c.Src]++
			}
		}
	}
	for l := range n {
		lonely, least := true, true
		at := Loc(l)
		for range n {
			lonely = lonely && readers[at] == 1
			least = least && at >= Loc(l)
			if at = source[at]; at == NoLoc || at == Loc(l) {
				break
			}
		}
		if at == Loc(l) && lonely && least {
			cycles++
		}
	}
	return moving, cycles
}

func TestEveryCopyGraph(t *testing.T) {
	var s Sequencer
	for n := 1; n <= 5; n++ {
		count := 0
		graphs(n, func(copies []Copy, constants []int) {
			count++
			want := parallel(copies, constants, n)
			moving, cycles := saves(copies, n)

			m := machine{values: initial(n), constants: constants, mayTemp: true}
			s.Run(copies, &m)
			if diff := cmp.Diff(want, m.values[:n]); diff != "" {
				t.Fatalf("%v (-want +got):\n%s", copies, diff)
			}
			if got, want := [3]int{m.moves, m.temps, m.exchanges}, [3]int{moving + cycles, cycles, 0}; got != want {
				t.Fatalf("%v: moves, temporaries, exchanges are %v, want %v", copies, got, want)
			}

			m = machine{values: initial(n), constants: constants}
			s.Run(copies, &m)
			if diff := cmp.Diff(want, m.values[:n]); diff != "" {
				t.Fatalf("%v without temporaries (-want +got):\n%s", copies, diff)
			}
			if got, want := m.moves+m.exchanges, moving-cycles; got != want {
				t.Fatalf("%v: %d moves and exchanges, want %d", copies, got, want)
			}
		})
		want := 1
		for range n {
			want *= n + 2
		}
		if diff := cmp.Diff(want, count); diff != "" {
			t.Errorf("graphs on %d locations (-want +got):\n%s", n, diff)
		}
	}
}

// TestFewest searches all sequences of moves, breadth first, for the shortest one with the
// effect of the copies: nothing can do with fewer moves than the sequencer.
func TestFewest(t *testing.T) {
	const n = 3
	var s Sequencer
	graphs(n, func(copies []Copy, constants []int) {
		m := machine{values: initial(n), constants: constants, mayTemp: true}
		s.Run(copies, &m)
		want := shortest(parallel(copies, constants, n), n)
		if m.moves != want {
			t.Errorf("%v: %d moves, but %d are enough", copies, m.moves, want)
		}
	})
}

// shortest is the length of the shortest sequence of moves, with one temporary and
// constants 1000+d for location d, that leads from the initial values to want.
func shortest(want []int, n int) int {
	type state [4]int
	start := state(initial(n))
	seen := map[state]bool{start: true}
	for level, length := []state{start}, 0; ; length++ {
		var next []state
		for _, st := range level {
			if cmp.Equal(want, st[:n]) {
				return length
			}
			for d := range n + 1 {
				for src := range n + 2 {
					to := st
					if src <= n {
						to[d] = st[src]
					} else {
						to[d] = 1000 + d
					}
					if !seen[to] {
						seen[to] = true
						next = append(next, to)
					}
				}
			}
		}
		level = next
	}
}

func TestTwoWritersPanic(t *testing.T) {
	defer func() {
		if diff := cmp.Diff("parcopy: two copies write location 3", recover()); diff != "" {
			t.Errorf("panic (-want +got):\n%s", diff)
		}
	}()
	var s Sequencer
	s.Run([]Copy{{3, 1}, {3, 2}}, &machine{values: initial(4)})
}

// counter only counts: what is measured is the sequencer.
type counter struct{ moves int }

func (c *counter) Move(_, _ Loc, _ int) { c.moves++ }
func (c *counter) Temp(Loc) (Loc, bool) { return 0, true }
func (c *counter) Exchange(_, _ Loc)    {}
func rotation(n, cycle int) (all []Copy) { // location 0 stays free
	for i := range n {
		next := i + 1
		if next%cycle == 0 || next == n {
			next = i - i%cycle
		}
		all = append(all, Copy{Loc(i + 1), Loc(next + 1)})
	}
	return all
}

func BenchmarkRun(b *testing.B) {
	for _, n := range []int{8, 1000, 100_000} {
		for _, cycle := range []int{2, n} {
			b.Run(fmt.Sprintf("copies=%d/cycle=%d", n, cycle), func(b *testing.B) {
				var s Sequencer
				copies := rotation(n, cycle)
				var c counter
				b.ReportAllocs()
				for b.Loop() {
					s.Run(copies, &c)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/copy")
			})
		}
	}
}
