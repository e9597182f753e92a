package interp

import (
	"slices"

	"shoal/node"
	"shoal/node/types"
)

// A state of memory is a number: how many stores there had been in this run when it came
// to be. The heap is in the last state of every class, in which nearly all loads find
// what they need. For the others there is a log: what each store has replaced, by address,
// until no state that a Load names is that old any more.

// A replaced is what was at an address before the store that made state at.
type replaced struct {
	at  int64
	old int64
}

// minLog is how many stores the log holds before it is looked through.
const minLog = 1 << 12

// A memory is what stores have changed.
type memory struct {
	now    int64                  // the number of stores so far
	last   map[*types.Field]int64 // by class: its last state
	log    map[int64][]replaced   // by address, in order of at
	logged int                    // entries in the log
	full   int                    // how many there may be before they are looked through
	states []*node.Node           // those that a Load names
}

func (in *Interp) resetMemory() {
	m := &in.memory
	m.now, m.logged, m.full = 0, 0, minLog
	m.last, m.log = map[*types.Field]int64{}, map[int64][]replaced{}
}

// load runs a Load: it reads what was at the address in the state that it names.
func (in *Interp) load(n *node.Node) int64 {
	m := &in.memory
	f := n.Sym.Field
	addr := in.values[n.In(2).ID] + in.values[n.In(3).ID]
	if mem := n.In(1); mem != nil && in.values[mem.ID] != m.last[f] {
		list := m.log[addr]
		i, _ := slices.BinarySearchFunc(list, in.values[mem.ID]+1, func(r replaced, at int64) int { return int(r.at - at) })
		if i < len(list) { // replaced since that state
			return list[i].old
		}
	}
	return in.Heap.Load(f.Storage, addr)
}

// store runs a Store and gives the state that it makes.
func (in *Interp) store(n *node.Node) int64 {
	m := &in.memory
	f := n.Sym.Field
	if in.values[n.In(1).ID] != m.last[f] {
		panic(in.g.Bug(n, "interp: changes a state of memory that is over"))
	}
	addr := in.values[n.In(2).ID] + in.values[n.In(3).ID]
	if m.logged == m.full {
		in.forget()
	}
	m.now++
	m.log[addr] = append(m.log[addr], replaced{at: m.now, old: in.Heap.Load(f.Storage, addr)})
	m.logged++
	m.last[f] = m.now
	in.Heap.Store(f.Storage, addr, in.values[n.In(4).ID])
	return m.now
}

// forget drops what no Load will ask for: a value in the log is there for the states from
// the one before it in the log up to its own, and only those count that a Load names now.
func (in *Interp) forget() {
	m := &in.memory
	var named []int64
	for _, n := range m.states {
		named = append(named, in.values[n.ID])
	}
	slices.Sort(named)
	m.logged = 0
	for addr, list := range m.log {
		kept, from := list[:0], int64(0)
		for _, r := range list {
			if i, _ := slices.BinarySearch(named, from); i < len(named) && named[i] < r.at {
				kept = append(kept, r)
			}
			from = r.at
		}
		m.logged += len(kept)
		if m.log[addr] = kept; len(kept) == 0 {
			delete(m.log, addr)
		}
	}
	m.full = max(minLog, 2*m.logged)
}
