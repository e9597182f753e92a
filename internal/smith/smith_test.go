package smith

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// programs calls f with random programs of all chapters, with the chapter that each was
// made for.
func programs(t *testing.T, count uint64, f func(t *testing.T, seed uint64, p *Program, level int)) {
	t.Helper()
	for seed := range count {
		r := rand.New(rand.NewPCG(seed, 1))
		level := 1 + r.IntN(11)
		f(t, seed, Generate(r, Swarm(r, level, 20)), level)
	}
}

var args = []int64{0, 1, -1, 7, math.MaxInt64, math.MinInt64}

// TestGenerate: programs are valid at their chapter, end for every argument, and are the
// same program when they are printed, in every style, and read again.
func TestGenerate(t *testing.T) {
	const maxSteps = 1_000_000
	programs(t, 2000, func(t *testing.T, seed uint64, p *Program, level int) {
		if got, err := p.Resolve(); err != nil || got > level {
			t.Fatalf("seed %d: valid at chapter %d, %v; it was made for %d\n%s", seed, got, err, level, p.Text(level))
		}
		for _, style := range []Style{p.Style, {Tight: true}, {Parens: true}} {
			p.Style = style
			text := p.Text(LastLevel)
			q, err := Parse(text)
			if err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, text)
			}
			if _, err := q.Resolve(); err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, text)
			}
			for _, arg := range args {
				v, _, ended := p.Run(arg, maxSteps)
				if !ended {
					t.Fatalf("seed %d does not end for argument %d\n%s", seed, arg, text)
				}
				if w, _, _ := q.Run(arg, maxSteps); v != w {
					t.Fatalf("seed %d, argument %d: %d, and %d when it is read\n%s", seed, arg, v, w, text)
				}
			}
		}
	})
}

// A census counts what programs are made of.
type census map[string]int

func (c census) list(list []*Stmt, loops, depth int) {
	dead := false
	for _, s := range list {
		if dead {
			c["statement behind a jump"]++
		}
		c.expr(s.X, 0)
		inside := loops
		switch s.Kind {
		case While:
			inside++
			c["loop"]++
			if inside > 1 {
				c["loop in a loop"]++
			}
			if inside > 2 {
				c["three loops nested"]++
			}
			if len(s.Body) == 0 {
				c["empty loop"]++
			}
		case If:
			if len(s.Else) > 0 {
				c["else"]++
			}
			if s.X.Op >= EQ {
				c["comparison as a test"]++
			}
		case Break:
			c["break"]++
		case Continue:
			c["continue"]++
		case Declare:
			if s.X == nil {
				c["no initializer"]++
			}
		case Eval:
			c["expression statement"]++
		case Empty:
			c["empty statement"]++
		}
		if depth > 4 {
			c["nested five deep"]++
		}
		dead = dead || s.Kind == Break || s.Kind == Continue || s.Kind == Return
		c.list(s.Body, inside, depth+1)
		c.list(s.Else, loops, depth+1)
	}
}

func (c census) expr(e *Expr, depth int) {
	if e == nil {
		return
	}
	switch {
	case depth == 6:
		c["expression seven deep"]++
	case e.Op == Not:
		c["not"]++
	case e.Op == Neg:
		c["negation"]++
	case e.Op >= EQ && depth > 0:
		c["comparison as a value"]++
	case e.Op == Div && e.R.Op == Const && e.R.Value == 0:
		c["division by zero"]++
	case e.Op == Const && e.Value == math.MaxInt64:
		c["largest number"]++
	case e.Op == Const && e.Word:
		c["true or false"]++
	}
	c.expr(e.L, depth+1)
	c.expr(e.R, depth+1)
}

// shadows counts declarations that hide an outer one.
func (c census) shadows(list []*Stmt, outer map[string]bool) {
	here := map[string]bool{}
	for name := range outer {
		here[name] = true
	}
	for _, s := range list {
		if s.Kind == Declare {
			if outer[s.Name] {
				c["shadowed variable"]++
			}
			here[s.Name] = true
		}
		c.shadows(s.Body, here)
		c.shadows(s.Else, here)
	}
}

// TestDistribution wants everything that a program can be made of, often enough: so many
// times in so many programs.
func TestDistribution(t *testing.T) {
	const count = 2000
	wants := map[string]int{
		"loop": count / 2, "loop in a loop": count / 4, "three loops nested": count / 20, "empty loop": count / 200, "else": count, "comparison as a test": count,
		"break": count / 4, "continue": count / 8, "statement behind a jump": count / 8, "no initializer": count / 10, "expression statement": count / 20,
		"empty statement": count / 20, "nested five deep": count / 2, "expression seven deep": count / 4, "not": count, "negation": count,
		"comparison as a value": count, "division by zero": count / 20, "largest number": count / 20, "true or false": count / 4, "shadowed variable": count / 4,
		"more than 16 variables at once": count / 20, "falls off its end": count / 50,
	}
	c := census{}
	programs(t, count, func(t *testing.T, seed uint64, p *Program, level int) {
		if _, err := p.Resolve(); err != nil {
			t.Fatal(err)
		}
		c.list(p.Body, 0, 0)
		c.shadows(p.Body, map[string]bool{"arg": true})
		if p.slots > 16 {
			c["more than 16 variables at once"]++
		}
		if p.Body[len(p.Body)-1].Kind != Return {
			c["falls off its end"]++
		}
	})
	for what, want := range wants {
		if c[what] < want {
			t.Errorf("%s: %d times in %d programs, want %d", what, c[what], count, want)
		}
	}
	if testing.Verbose() {
		t.Log(c)
	}
}

// TestRun: the evaluator against values worked out by hand.
func TestRun(t *testing.T) {
	tests := []struct {
		text string
		arg  int64
		want int64
	}{
		{"return 1+2*3-8/3;", 0, 5},
		{"return -7/2;", 0, -3},
		{"return arg/0;", 5, 0},
		{"return arg/-1;", math.MinInt64, math.MinInt64},
		{"return arg+1;", math.MaxInt64, math.MinInt64},
		{"return arg*arg;", 1 << 32, 0},
		{"return (arg<2)+(arg<=2)*10+(arg>2)*100+(arg>=2)*1000+(arg==2)*10000+(arg!=2)*100000;", 2, 11010},
		{"return !arg + !!arg*2;", 3, 2},
		{"int i=0; while(1) { i=i+1; if(i<5) continue; break; } return i;", 0, 5},
		{"int x=1; { int x=x+1; arg=x; } return x*10+arg;", 0, 12},
		{"if(arg) {} else return 4;", 1, 0},
		{"if(arg) {} else return 4;", 0, 4},
		{"while(arg > 0) { arg = arg-1; while(true) { break; } if(arg==3) return 33; } return 1;", 9, 33},
	}
	for _, tt := range tests {
		p, err := Parse(tt.text)
		if err != nil {
			t.Errorf("%s: %v", tt.text, err)
			continue
		}
		if _, err := p.Resolve(); err != nil {
			t.Errorf("%s: %v", tt.text, err)
		}
		if got, _, ended := p.Run(tt.arg, 1000); got != tt.want || !ended {
			t.Errorf("%s for %d: got %d, want %d", tt.text, tt.arg, got, tt.want)
		}
	}
	p, err := Parse("while(1) {}")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Resolve(); err != nil {
		t.Fatal(err)
	}
	if _, steps, ended := p.Run(0, 1000); ended {
		t.Errorf("an endless loop ended after %d steps", steps)
	}
}

// TestResolve: the first chapter of what there is, and programs that are wrong.
func TestResolve(t *testing.T) {
	tests := []struct {
		text  string
		level int // 0 if the program is wrong
	}{
		{"return 1;", 1},
		{"return 1+1;", 2},
		{"int a=1; return a;", 3},
		{"return arg==1;", 4},
		{"if(arg) return 1; return true;", 5},
		{"return 1; return 2;", 6},
		{"while(arg) arg=arg-1; return arg;", 7},
		{"while(arg) break; return arg;", 8},
		{"return !arg;", 10},
		{"int a; return a;", 10},
		{"arg; return 1;", 10},
		{"return b;", 0},
		{"break;", 0},
		{"int a=1; int a=2; return a;", 0},
		{"int a=a; return a;", 0},
		{"int arg=1; return arg;", 0},
		{"{ int arg=1; return arg; }", 5},
	}
	for _, tt := range tests {
		p, err := Parse(tt.text)
		if err != nil {
			t.Errorf("%s: %v", tt.text, err)
			continue
		}
		level, err := p.Resolve()
		if err != nil {
			level = 0
		}
		if level != tt.level {
			t.Errorf("%s: chapter %d, %v; want %d", tt.text, level, err, tt.level)
		}
	}
}

// TestReduce plants a fault and finds it again, alone.
func TestReduce(t *testing.T) {
	divides := func(p *Program, level int) bool { return strings.Contains(p.Text(level), "/ 0") }
	reduced := 0
	programs(t, 300, func(t *testing.T, seed uint64, p *Program, level int) {
		if _, err := p.Resolve(); err != nil || !divides(p, level) {
			return
		}
		reduced++
		before := p.Text(level)
		small := Reduce(p, divides)
		if diff := cmp.Diff(before, p.Text(level)); diff != "" {
			t.Fatalf("seed %d: the program itself changed (-want +got):\n%s", seed, diff)
		}
		if got := small.Size(); got > 6 || !divides(small, level) {
			t.Errorf("seed %d: what is left is\n%s", seed, small.Text(level))
		}
	})
	if reduced < 10 {
		t.Errorf("%d of the programs have the fault", reduced)
	}
}

// TestSpoil: mistakes are made, and the same ones from the same seed.
func TestSpoil(t *testing.T) {
	wrong := 0
	programs(t, 500, func(t *testing.T, seed uint64, p *Program, level int) {
		text := p.Text(level)
		spoiled := Spoil(rand.New(rand.NewPCG(seed, 2)), text)
		if again := Spoil(rand.New(rand.NewPCG(seed, 2)), text); again != spoiled {
			t.Errorf("seed %d: two texts from one seed", seed)
		}
		if _, err := Parse(spoiled); err != nil {
			wrong++
		}
	})
	if wrong < 100 {
		t.Errorf("%d of 500 texts cannot be read", wrong)
	}
}
