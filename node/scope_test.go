package node

import (
	"fmt"
	"math/rand"
	"strconv"
	"testing"

	"shoal/node/types"
	"shoal/source"
)

// The model of Scopes: every scope is a full copy of its values, and a loop puts sentinels
// into all slots (chapters §8.6, word by word). It shares nothing with the real table but
// the Regions, which tell Phis apart.

// A modelValue is a value of the program, or a Phi.
type modelValue struct {
	leaf   *Node // nil for a Phi
	region *Node
	slot   int
	in     []*modelValue
}

// A modelSlot holds a value, or a sentinel: the head of the loop that must be asked.
type modelSlot struct {
	value *modelValue
	head  *modelScope
}

type modelScope struct {
	region  *Node // of heads
	slots   []modelSlot
	classes []modelSlot         // of memory; those behind its end are as they were at the beginning
	loop    *modelScope         // the head of the innermost loop that it is in, or nil
	phis    map[int]*modelValue // of heads
	memory  *modelValue         // of the beginning
}

func (s *modelScope) dup() *modelScope {
	return &modelScope{slots: append([]modelSlot(nil), s.slots...), classes: append([]modelSlot(nil), s.classes...), loop: s.loop, memory: s.memory}
}

// at is the place of a slot: that of a variable if it is even, of a class if it is odd.
func (s *modelScope) at(slot int) *modelSlot {
	if slot%2 == 0 {
		return &s.slots[slot/2]
	}
	for len(s.classes) <= slot/2 {
		fresh := modelSlot{value: s.memory}
		if s.loop != nil {
			fresh = modelSlot{head: s.loop}
		}
		s.classes = append(s.classes, fresh)
	}
	return &s.classes[slot/2]
}

func (s *modelScope) get(slot int) *modelValue {
	h := s.at(slot).head
	if h == nil {
		return s.at(slot).value
	}
	if h.phis[slot] == nil {
		h.phis[slot] = &modelValue{region: h.region, slot: slot, in: []*modelValue{h.get(slot), nil}}
	}
	*s.at(slot) = modelSlot{value: h.phis[slot]}
	return h.phis[slot]
}

func (s *modelScope) set(slot int, v *modelValue) {
	s.get(slot)
	*s.at(slot) = modelSlot{value: v}
}

// all are the slots of s, the first names of them, and as many classes.
func (s *modelScope) all(names, classes int) []int {
	var all []int
	for i := range max(names, classes) {
		if i < names {
			all = append(all, 2*i)
		}
		if i < classes {
			all = append(all, 2*i+1)
		}
	}
	return all
}

// shown is what a dump shows: no Phi is made.
func (s *modelScope) shown(slot int) *modelValue {
	if phi := s.phis[slot]; phi != nil {
		return phi
	}
	if h := s.at(slot).head; h != nil {
		return h.shown(slot)
	}
	return s.at(slot).value
}

func (s *modelScope) beginLoop(region *Node, eager bool) *modelScope {
	head := s.dup()
	head.region, head.phis = region, map[int]*modelValue{}
	s.loop = head
	for _, slot := range s.all(len(s.slots), len(s.classes)) {
		*s.at(slot) = modelSlot{head: head}
		if eager && slot != MemorySlot && slot%2 == 0 {
			s.get(slot)
		}
	}
	return head
}

func (s *modelScope) endLoop(back, exit *modelScope) {
	classes := max(len(s.classes), len(exit.classes))
	for _, slot := range s.all(len(s.slots), classes) {
		if phi := s.phis[slot]; phi != nil {
			phi.in[1] = back.get(slot)
		}
		if slot%2 == 0 && slot/2 >= len(exit.slots) || exit.at(slot).head != s {
			continue
		}
		*exit.at(slot) = *s.at(slot)
		if phi := s.phis[slot]; phi != nil {
			*exit.at(slot) = modelSlot{value: phi}
		}
	}
	exit.loop = s.loop
}

func (s *modelScope) merge(that *modelScope, region *Node) {
	for _, slot := range s.all(min(len(s.slots), len(that.slots)), max(len(s.classes), len(that.classes))) {
		if *s.at(slot) == *that.at(slot) {
			continue
		}
		a, b := s.get(slot), that.get(slot)
		if a != b {
			*s.at(slot) = modelSlot{value: &modelValue{region: region, slot: slot, in: []*modelValue{a, b}}}
		}
	}
}

// A pair is a scope and its model.
type pair struct {
	real  *Scope
	model *modelScope
}

// A player does the same to both, as a parser would: structured programs, with scopes
// that wait, and with others that are merely looked at, to see that nothing disturbs them.
type player struct {
	t       *testing.T
	seed    int64
	rng     *rand.Rand
	g       *Graph
	sc      *Scopes
	cur     pair
	breaks  pair
	goes    pair // pending continues; real is nil if there are none
	inLoop  bool
	waiting []*pair // what may be touched here: of the same loop as cur
	watched []*pair // what may only be looked at
	same    map[*modelValue]*Node
	budget  int
	eager   bool
	loops   int
	dead    *Node
	memory  *Node
}

func newPlayer(t *testing.T, seed int64, budget int, eager bool) *player {
	g := NewGraph("test", nil, types.Flat)
	p := &player{t: t, rng: rand.New(rand.NewSource(seed)), g: g, budget: budget, eager: eager, same: map[*modelValue]*Node{}}
	p.dead = g.Hold(g.New(OpXCtrl, source.NoPos, g.Start))
	mem := g.Hold(g.New(OpProj, source.NoPos, g.Start))
	ctrl := g.New(OpCProj, source.NoPos, g.Start)
	p.sc, p.cur.real = NewScopes(g, ctrl, mem)
	p.memory = g.Hold(mem)
	v := &modelValue{leaf: mem}
	p.cur.model = &modelScope{slots: []modelSlot{{value: v}}, memory: v}
	g.Release(mem)
	return p
}

func (p *player) value() (*Node, *modelValue) {
	n := p.g.New(OpConstant, source.NoPos, p.g.Start)
	return n, &modelValue{leaf: n}
}

func (p *player) define() {
	n, v := p.value()
	p.sc.Define(p.cur.real, &Symbol{Name: "v" + strconv.Itoa(p.sc.Count())}, n)
	p.cur.model.slots = append(p.cur.model.slots, modelSlot{value: v})
}

// slot picks one that at can see, now and then of a new class.
func (p *player) slot(at pair) int {
	if p.rng.Intn(3) > 0 {
		return 2 * p.rng.Intn(at.real.Count())
	}
	if n := len(p.sc.Classes()); n > 0 && p.rng.Intn(8) > 0 {
		return 2*p.rng.Intn(n) + 1
	}
	return p.sc.AddClass(&Symbol{Name: "c" + strconv.Itoa(len(p.sc.Classes()))}, p.memory)
}

func (p *player) set(at pair) {
	slot := p.slot(at)
	n, v := p.value()
	if p.rng.Intn(6) == 0 { // a copy of another variable
		from := p.slot(at)
		old := n
		n, v = p.sc.Get(at.real, from), at.model.get(from)
		p.g.Kill(old)
	}
	p.sc.Set(at.real, slot, n)
	at.model.set(slot, v)
}

func (p *player) get(at pair) {
	slot := p.slot(at)
	p.compare("get", at.model.get(slot), p.sc.Get(at.real, slot), slot)
}

func (p *player) dup(from pair, label string) pair {
	return pair{p.sc.Dup(from.real, label), from.model.dup()}
}

func (p *player) merge(into, that pair) {
	r := p.sc.Merge(into.real, that.real, source.NoPos)
	into.model.merge(that.model, r)
	p.g.Drop(r)
}

// statements plays a list of them in a block of its own.
func (p *player) block(depth int) {
	p.sc.Push()
	for n := 1 + p.rng.Intn(6); n > 0 && p.budget > 0; n-- {
		p.statement(depth)
	}
	start := p.sc.SlotsBelow(p.sc.Level())
	p.unwatch(start)
	p.sc.Pop(p.cur.real)
	p.cur.model.slots = p.cur.model.slots[:start]
}

// unwatch drops the watched scopes that see more than the names outside of a block.
func (p *player) unwatch(start int) {
	kept := p.watched[:0]
	for _, w := range p.watched {
		if w.real.Count() > start {
			p.sc.Drop(w.real)
			continue
		}
		kept = append(kept, w)
	}
	p.watched = kept
}

func (p *player) statement(depth int) {
	p.budget--
	k := p.rng.Intn(20)
	if depth > 8 {
		k = p.rng.Intn(12)
	}
	switch {
	case k < 3:
		p.define()
	case k < 6:
		p.set(p.cur)
	case k < 8:
		p.get(p.cur)
	case k < 9 && len(p.pending()) > 0:
		w := *p.pending()[p.rng.Intn(len(p.pending()))]
		if p.rng.Intn(2) == 0 {
			p.set(w)
		} else {
			p.get(w)
		}
	case k < 10:
		d := p.dup(p.cur, "watched")
		p.watched = append(p.watched, &d)
	case k < 11 && len(p.watched) > 0:
		i := p.rng.Intn(len(p.watched))
		p.sc.Drop(p.watched[i].real)
		p.watched = append(p.watched[:i], p.watched[i+1:]...)
	case k < 12 && p.inLoop:
		p.jump()
	case k < 14:
		p.block(depth + 1)
	case k < 17:
		p.ifStatement(depth + 1)
	default:
		p.loop(depth + 1)
	}
	p.check()
}

func (p *player) ifStatement(depth int) {
	p.get(p.cur)
	other := p.dup(p.cur, "else")
	p.waiting = append(p.waiting, &other)
	p.block(depth)
	p.waiting = p.waiting[:len(p.waiting)-1]
	arm := p.cur
	p.cur = other
	if p.rng.Intn(2) == 0 {
		p.waiting = append(p.waiting, &arm)
		p.block(depth)
		p.waiting = p.waiting[:len(p.waiting)-1]
	}
	p.merge(arm, p.cur)
	p.cur = arm
}

func (p *player) loop(depth int) {
	outer := *p
	p.waiting = nil
	region := p.g.New(OpLoop, source.NoPos, nil, p.cur.real.Ctrl(), nil)
	p.sc.SetCtrl(p.cur.real, region)
	p.sc.BeginLoop(p.cur.real, region, p.eager)
	head := p.cur.model.beginLoop(region, p.eager)
	p.loops++
	p.get(p.cur)
	p.breaks, p.goes, p.inLoop = p.dup(p.cur, "exit"), pair{}, true
	p.block(depth)
	if p.goes.real != nil {
		p.sc.Drop(p.cur.real)
		p.cur = p.goes
	}
	p.endLoop(head)
	p.cur = p.breaks
	p.breaks, p.goes, p.inLoop, p.waiting = outer.breaks, outer.goes, outer.inLoop, outer.waiting
	p.loops--
}

func (p *player) endLoop(head *modelScope) {
	for i, w := range p.watched { // they belong to the loop that ends
		if w.real.Ctrl() == nil {
			p.t.Fatalf("seed %d: watched scope %d has no control", p.seed, i)
		}
	}
	p.unwatch(-1)
	phis := p.sc.EndLoop(p.cur.real, p.breaks.real)
	head.endLoop(p.cur.model, p.breaks.model)
	last := -1
	for _, phi := range phis {
		slot := p.slotOf(phi)
		if slot <= last {
			p.t.Fatalf("seed %d: Phis of a loop are not in order of slots: %d after %d", p.seed, slot, last)
		}
		last = slot
		p.compare("phi of the loop", head.phis[slot], phi, slot)
	}
	if len(phis) != len(head.phis) {
		p.t.Fatalf("seed %d: %d Phis at the loop's head, want %d", p.seed, len(phis), len(head.phis))
	}
	for _, phi := range phis {
		p.g.Drop(phi)
	}
}

func (p *player) slotOf(phi *Node) int {
	n, err := strconv.Atoi(phi.Name()[1:])
	switch {
	case err != nil:
		return MemorySlot
	case phi.Name()[0] == 'c':
		return 2*n + 1
	}
	return 2 * n
}

// pending are the scopes that wait inside of the innermost loop.
func (p *player) pending() []*pair {
	var all []*pair
	if p.inLoop {
		all = append(all, &p.breaks)
	}
	if p.goes.real != nil {
		all = append(all, &p.goes)
	}
	return append(all, p.waiting...)
}

func (p *player) jump() {
	here := p.dup(p.cur, "jump")
	p.sc.SetCtrl(p.cur.real, p.dead)
	p.sc.Truncate(here.real, p.breaks.real.Count())
	here.model.slots = here.model.slots[:p.breaks.real.Count()]
	switch {
	case p.rng.Intn(2) == 0:
		p.merge(p.breaks, here)
	case p.goes.real == nil:
		p.goes = here
	default:
		p.merge(p.goes, here)
	}
}

// check compares all that is alive with the model.
func (p *player) check() {
	if p.rng.Intn(4) != 0 {
		return
	}
	pairs := append([]*pair{&p.cur}, p.pending()...)
	for _, at := range append(pairs, p.watched...) {
		if at.real.Count() != len(at.model.slots) {
			p.t.Fatalf("seed %d: %s: %d slots in sight, want %d", p.seed, at.real.Label, at.real.Count(), len(at.model.slots))
		}
		for i, n := range p.sc.Bindings(at.real) {
			p.compare(at.real.Label, at.model.shown(2*i), n, 2*i)
		}
		for k, n := range p.sc.ClassBindings(at.real) {
			p.compare(at.real.Label, at.model.shown(2*k+1), n, 2*k+1)
		}
	}
}

// compare fails if n is not the value v. A Phi of the model stands for one Phi of the
// graph, with the same Region and the same inputs.
func (p *player) compare(what string, v *modelValue, n *Node, slot int) {
	if v == nil || n == nil {
		if v != nil || n != nil {
			p.t.Fatalf("seed %d: %s: slot %d: is %v, want %v", p.seed, what, slot, n, v)
		}
		return
	}
	if v.leaf != nil {
		if v.leaf != n {
			p.t.Fatalf("seed %d: %s: slot %d is node %d, want %d", p.seed, what, slot, n.ID, v.leaf.ID)
		}
		return
	}
	if known := p.same[v]; known != nil {
		if known != n {
			p.t.Fatalf("seed %d: %s: slot %d is node %d, want Phi %d", p.seed, what, slot, n.ID, known.ID)
		}
		if len(v.in) == n.NumIn()-1 && n.NumIn() == 3 && (v.in[1] == nil) == (n.In(2) == nil) {
			return
		}
	}
	if n.Op != OpPhi || n.In(0) != v.region || p.slotOf(n) != v.slot {
		p.t.Fatalf("seed %d: %s: slot %d is node %d %s, want a Phi for slot %d on node %d", p.seed, what, slot, n.ID, n.Label(), v.slot, v.region.ID)
	}
	p.same[v] = n
	for i, in := range v.in {
		p.compare(fmt.Sprintf("%s: input %d of node %d", what, i, n.ID), in, n.In(i+1), slot)
	}
}

// finish frees everything; nothing of the table may be left.
func (p *player) finish() {
	p.unwatch(-1)
	p.sc.Drop(p.cur.real)
	for _, s := range p.sc.Live() {
		p.t.Fatalf("seed %d: scope %q is left", p.seed, s.Label)
	}
	p.sc.Close()
	p.g.Drop(p.dead)
	p.g.Drop(p.memory)
	if err := p.g.Verify(); err != nil {
		p.t.Fatal(err)
	}
	for id := 1; id < p.g.NumIDs(); id++ {
		n := p.g.At(ID(id))
		if !n.Dead() && n.Op != OpStart && n.Op != OpStop && !reachable(n) {
			p.t.Fatalf("seed %d: node %d %s is left", p.seed, n.ID, n.Label())
		}
	}
}

// reachable tells whether n belongs to a cycle of control and Phis: nothing frees a loop
// that leads nowhere but the optimizer.
func reachable(n *Node) bool {
	return n.Op != OpScope && (n.NumOut() > 0 || n.Op == OpPhi || n.IsRegion())
}

func seeds(n int) []int64 {
	s := make([]int64, n)
	for i := range s {
		s[i] = int64(i)
	}
	return s
}

func TestScopesAgainstModel(t *testing.T) {
	// The last one needs a version that sees less than what is based on it.
	for _, seed := range append(seeds(1500), 7518) {
		p := newPlayer(t, seed, 50+int(seed%4)*100, seed%5 == 0)
		p.seed = seed
		p.sc.Push()
		for p.budget > 0 {
			p.statement(0)
		}
		p.unwatch(p.sc.SlotsBelow(p.sc.Level()))
		p.cur.model.slots = p.cur.model.slots[:p.sc.SlotsBelow(p.sc.Level())]
		p.sc.Pop(p.cur.real)
		p.check()
		p.finish()
	}
}

// Scopes without loops or blocks, in any order and of any length: more than a parser does.
func TestVersionsAgainstCopies(t *testing.T) {
	for seed := range int64(1500) {
		rng := rand.New(rand.NewSource(seed))
		p := newPlayer(t, seed, 0, false)
		for range 12 {
			p.define()
		}
		all := []*pair{&p.cur}
		for range 150 {
			i := rng.Intn(len(all))
			at := all[i]
			switch k := rng.Intn(12); {
			case k < 4:
				p.set(*at)
			case k < 6:
				p.get(*at)
			case k < 8 && len(all) < 12:
				d := p.dup(*at, "copy")
				all = append(all, &d)
			case k < 10:
				n := 1 + rng.Intn(at.real.Count())
				p.sc.Truncate(at.real, n)
				at.model.slots = at.model.slots[:n]
			case at != &p.cur && k == 10:
				p.sc.Drop(at.real)
				all = append(all[:i], all[i+1:]...)
			case at != &p.cur && at.real.Count() <= p.cur.real.Count():
				p.merge(p.cur, *at)
				all = append(all[:i], all[i+1:]...)
			}
			p.waiting = all[1:]
			p.check()
		}
		for _, at := range p.waiting {
			p.sc.Drop(at.real)
		}
		p.finish()
	}
}
