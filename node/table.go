package node

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"shoal/node/types"
)

// inCells is how many cells for inputs, and outCells for uses, a row has at least, so
// that columns line up (chapters §7.9, language §17.7).
const (
	inCells  = 3
	outCells = 2
)

// Rows are node tables. The zero value shows everything.
type Rows struct {
	NoMemory bool // leave memory out, which below chapter 10 nobody has heard of
	MaxUsers int  // how many users of a node are listed at most; 0 for all
}

// Hides tells whether n has no row, and is ____ in those of others.
func (r Rows) Hides(n *Node) bool {
	return n.Op.Is(Table) || r.NoMemory && (n.Type.Kind == types.KindMem || n.Op == OpProj && n.Name() == "$mem")
}

// Append appends the row of n with its line end: number, label, inputs, [[ users ]], type.
func (r Rows) Append(b []byte, n *Node) []byte {
	b = fmt.Appendf(b, "%4d %-7.7s ", n.ID, n.Label())
	for i := range max(n.NumIn(), inCells) {
		switch {
		case i >= n.NumIn():
			b = append(b, "     "...)
		case n.In(i) == nil || r.Hides(n.In(i)):
			b = append(b, "____ "...)
		default:
			b = fmt.Appendf(b, "%4d ", n.In(i).ID)
		}
	}
	b = append(b, " [[ "...)
	users := r.users(n)
	for _, u := range users {
		b = fmt.Appendf(b, "%4d ", u.ID)
	}
	if r.MaxUsers > 0 && n.NumOut() > r.MaxUsers {
		b = append(b, "   … "...)
	}
	for range outCells - len(users) {
		b = append(b, "     "...)
	}
	return fmt.Appendf(b, " ]] %v\n", n.Type)
}

// users are the users of n by number, one for each use.
func (r Rows) users(n *Node) []*Node {
	uses := n.Uses()
	if r.MaxUsers > 0 {
		uses = uses[:min(len(uses), r.MaxUsers)]
	}
	users := make([]*Node, 0, len(uses))
	for _, u := range uses {
		if !r.Hides(u.User) {
			users = append(users, u.User)
		}
	}
	slices.SortFunc(users, func(a, b *Node) int { return cmp.Compare(a.ID, b.ID) })
	return users
}

// Write writes the table of all that g needs, in the order that a reader wants:
// definitions before uses, a Multi with its projections and a Region with its Phis in
// groups of their own (chapters §7.9).
func (r Rows) Write(w io.Writer, g *Graph) error { return r.write(w, g, g.Needed()) }

// WriteNear writes the table of n and of what it needs, depth inputs deep.
func (r Rows) WriteNear(w io.Writer, g *Graph, n *Node, depth int) error {
	return r.write(w, g, g.within(n, depth))
}

// Needed marks, by ID, control, what somebody holds, and all that those need.
func (g *Graph) Needed() []bool {
	needed := make([]bool, g.NumIDs())
	var todo []*Node
	need := func(n *Node) {
		if !needed[n.ID] {
			needed[n.ID] = true
			todo = append(todo, n)
		}
	}
	for id := 1; id < g.NumIDs(); id++ {
		if n := g.At(ID(id)); !n.Dead() && n.Op != OpXCtrl && !n.Op.Is(Table) && (n.IsCFG() || n.Keeps()) {
			need(n)
		}
	}
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for i := range n.NumIn() {
			if d := n.In(i); d != nil {
				need(d)
			}
		}
	}
	return needed
}

// within marks what lies at most depth inputs away from n.
func (g *Graph) within(n *Node, depth int) []bool {
	marked := make([]bool, g.NumIDs())
	marked[n.ID] = true
	ring := []*Node{n}
	for ; depth > 0; depth-- {
		var next []*Node
		for _, n := range ring {
			for i := range n.NumIn() {
				if d := n.In(i); d != nil && !marked[d.ID] {
					marked[d.ID] = true
					next = append(next, d)
				}
			}
		}
		ring = next
	}
	return marked
}

func (r Rows) write(w io.Writer, g *Graph, wanted []bool) error {
	for id := range wanted {
		if wanted[id] && r.Hides(g.At(ID(id))) {
			wanted[id] = false
		}
	}
	order := g.readingOrder(wanted)
	var b []byte
	gap := true // the last line is blank, or there is none
	for _, n := range order {
		if head := groupHead(n); head != nil && wanted[head.ID] {
			continue // it stands below its head
		}
		if !isGroupHead(n) {
			b = r.Append(b, n)
			gap = false
			continue
		}
		if !gap {
			b = append(b, '\n')
		}
		b = r.Append(b, n)
		for _, u := range r.users(n) {
			if groupHead(u) == n && wanted[u.ID] {
				b = r.Append(b, u)
			}
		}
		b = append(b, '\n')
		gap = true
	}
	_, err := w.Write(b)
	return err
}

// isGroupHead tells whether n has blank lines around it.
func isGroupHead(n *Node) bool { return n.IsCFG() || n.Op.Is(Multi) }

// groupHead is the node below which n stands: the Multi of a projection, the Region of a
// Phi. It is nil for others.
func groupHead(n *Node) *Node {
	switch n.Op {
	case OpProj, OpCProj, OpPhi:
		return n.In(0)
	}
	return nil
}

// readingOrder is the wanted nodes in reverse postorder over users. What is walked first
// comes last: control, and among that what does not lead back to a Loop, so that the way
// out of a loop stands behind the loop.
func (g *Graph) readingOrder(wanted []bool) []*Node {
	o := tableOrder{wanted: wanted, seen: make([]bool, len(wanted))}
	for id := 1; id < len(wanted); id++ { // from Start, which is the first node, to all
		if wanted[id] {
			o.walk(g.At(ID(id)))
		}
	}
	slices.Reverse(o.post)
	return o.post
}

type tableOrder struct {
	wanted, seen []bool // by ID
	post         []*Node
	stack        []tableFrame
}

type tableFrame struct {
	n    *Node
	next []*Node
}

func (o *tableOrder) walk(n *Node) {
	o.enter(n)
	for len(o.stack) > 0 {
		top := &o.stack[len(o.stack)-1]
		if len(top.next) == 0 {
			o.post = append(o.post, top.n)
			o.stack = o.stack[:len(o.stack)-1]
			continue
		}
		u := top.next[0]
		top.next = top.next[1:]
		o.enter(u)
	}
}

func (o *tableOrder) enter(n *Node) {
	if o.seen[n.ID] || !o.wanted[n.ID] {
		return
	}
	o.seen[n.ID] = true
	users := Rows{}.users(n)
	slices.Reverse(users)
	slices.SortStableFunc(users, func(a, b *Node) int { return cmp.Compare(tableRank(a), tableRank(b)) })
	o.stack = append(o.stack, tableFrame{n, users})
}

// tableRank orders users for the walk.
func tableRank(n *Node) int {
	switch {
	case !n.IsCFG():
		return 2
	case n.NumOut() == 0 || n.Out(0).User.Op == OpLoop:
		return 1
	}
	return 0
}
