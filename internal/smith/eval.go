package smith

// Run evaluates the program for the argument arg. Every statement, every test of a loop
// and every operation is a step; ended is false if maxSteps of them were not enough. The
// arithmetic is that of the semantics page and is shared with nobody.
func (p *Program) Run(arg int64, maxSteps int) (result int64, steps int, ended bool) {
	m := machine{vars: make([]int64, p.slots+1), left: maxSteps}
	m.vars[0] = arg
	how := m.list(p.Body)
	return m.result, maxSteps - m.left, how != tired
}

// A machine runs one program once.
type machine struct {
	vars   []int64 // by slot
	result int64
	left   int // steps
}

// A way is how control leaves a statement.
type way uint8

const (
	onward way = iota
	toBreak
	toContinue
	toReturn
	tired // no steps left
)

func (m *machine) list(list []*Stmt) way {
	for _, s := range list {
		if m.left--; m.left < 0 {
			return tired
		}
		if w := m.stmt(s); w != onward {
			return w
		}
	}
	return onward
}

func (m *machine) stmt(s *Stmt) way {
	switch s.Kind {
	case Return:
		m.result = m.value(s.X)
		return toReturn
	case Declare, Assign:
		v := int64(0)
		if s.X != nil {
			v = m.value(s.X)
		}
		m.vars[s.slot] = v
	case Block:
		return m.list(s.Body)
	case If:
		if m.value(s.X) != 0 {
			return m.list(s.Body)
		}
		return m.list(s.Else)
	case While:
		return m.loop(s)
	case Break:
		return toBreak
	case Continue:
		return toContinue
	case Eval:
		m.value(s.X)
	}
	return onward
}

func (m *machine) loop(s *Stmt) way {
	for m.value(s.X) != 0 {
		if m.left--; m.left < 0 {
			return tired
		}
		switch w := m.list(s.Body); w {
		case toBreak:
			return onward
		case toReturn, tired:
			return w
		}
	}
	return onward
}

func (m *machine) value(e *Expr) int64 {
	switch e.Op {
	case Const:
		return e.Value
	case Name:
		return m.vars[e.slot]
	}
	m.left--
	l := m.value(e.L)
	if e.R == nil {
		if e.Op == Not {
			return bit(l == 0)
		}
		return int64(-uint64(l))
	}
	return operate(e.Op, l, m.value(e.R))
}

func operate(op Op, l, r int64) int64 {
	switch op {
	case Add:
		return int64(uint64(l) + uint64(r))
	case Sub:
		return int64(uint64(l) - uint64(r))
	case Mul:
		return int64(uint64(l) * uint64(r))
	case Div:
		return divide(l, r)
	case EQ:
		return bit(l == r)
	case NE:
		return bit(l != r)
	case LT:
		return bit(l < r)
	case LE:
		return bit(l <= r)
	case GT:
		return bit(l > r)
	}
	return bit(l >= r)
}

// divide divides the magnitudes and sets the sign afterwards, which truncates toward zero
// and makes MIN / -1 wrap to MIN.
func divide(l, r int64) int64 {
	if r == 0 {
		return 0
	}
	q := magnitude(l) / magnitude(r)
	if (l < 0) != (r < 0) {
		q = -q
	}
	return int64(q)
}

func magnitude(x int64) uint64 {
	if x < 0 {
		return -uint64(x)
	}
	return uint64(x)
}

func bit(b bool) int64 {
	if b {
		return 1
	}
	return 0
}
