package ssa_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"shoal/source"
	"shoal/ssa"
	"shoal/ssa/forms"
	"shoal/ssa/ssatest"
)

// sizes of functions in values. What is measured is the time for each of them: it should
// not grow with the size.
var sizes = []int{1000, 10_000, 100_000, 1_000_000}

func large(n int) *ssa.Func { return ssatest.Func(rand.New(rand.NewPCG(1, 1)), ssatest.Large(n)) }

// perValue runs do on functions of every size and reports the time for each value.
func perValue(b *testing.B, do func(b *testing.B, f *ssa.Func) func()) {
	for _, n := range sizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			f := large(n)
			run := do(b, f)
			b.ReportAllocs()
			for b.Loop() {
				run()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(f.Values)), "ns/value")
		})
	}
}

func BenchmarkParse(b *testing.B) {
	perValue(b, func(b *testing.B, f *ssa.Func) func() {
		text := (&ssa.Module{Funcs: []*ssa.Func{f}}).String()
		return func() {
			if _, err := ssa.Parse(source.NewFile("f", []byte(text))); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkPrint(b *testing.B) {
	perValue(b, func(b *testing.B, f *ssa.Func) func() {
		var buf []byte
		return func() { buf = f.AppendText(buf[:0]) }
	})
}

func BenchmarkValidate(b *testing.B) {
	perValue(b, func(b *testing.B, f *ssa.Func) func() {
		return func() {
			if errs := f.Validate(); len(errs) > 0 {
				b.Fatal(errs)
			}
		}
	})
}

func BenchmarkDominators(b *testing.B) {
	perValue(b, func(b *testing.B, f *ssa.Func) func() { return func() { ssa.Dominators(f) } })
}

func BenchmarkLoopDepths(b *testing.B) {
	perValue(b, func(b *testing.B, f *ssa.Func) func() {
		d := ssa.Dominators(f)
		return func() { ssa.LoopDepths(f, d) }
	})
}

// BenchmarkPrune includes the copy of the function that is pruned.
func BenchmarkPrune(b *testing.B) {
	perValue(b, func(b *testing.B, f *ssa.Func) func() { return func() { f.Clone().Prune() } })
}

func BenchmarkForms(b *testing.B) {
	for to := ssa.FormPhi; to < ssa.NumForms; to++ {
		b.Run("to "+to.String()+", validated, and back", func(b *testing.B) {
			perValue(b, func(b *testing.B, f *ssa.Func) func() {
				return func() {
					g, err := forms.Convert(f, to)
					if err != nil {
						b.Fatal(err)
					}
					if _, err := forms.Convert(g, ssa.FormArgs); err != nil {
						b.Fatal(err)
					}
				}
			})
		})
	}
}

// BenchmarkInterp reports the time for a step of a loop.
func BenchmarkInterp(b *testing.B) {
	const text = "form args\nfunc f(n)\ne:\n br h(0, 0)\nh(i, s):\n t = mul i, i\n s1 = add s, t\n i1 = add i, 1\n c = lt i1, n\n cbr c, h(i1, s1), x\nx:\n ret s1\n"
	in := ssa.NewInterp(parse(b, text).Funcs[0])
	const trips = 100_000
	for b.Loop() {
		if _, err := in.Run(1<<40, trips); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(5*trips), "ns/step")
}

// Shapes that are bad for one algorithm or another.
func BenchmarkShapes(b *testing.B) {
	shapes := []struct {
		name string
		text func(n int) string
	}{
		{"chain of blocks", chain},
		{"one join of all", star},
		{"nested loops", nest},
		{"chain of diamonds with all live", diamonds},
	}
	for _, s := range shapes {
		for _, n := range []int{1000, 10_000, 100_000} {
			b.Run(fmt.Sprintf("%s/%d", s.name, n), func(b *testing.B) {
				f := parse(b, s.text(n)).Funcs[0]
				for b.Loop() {
					all(b, f)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/block")
			})
		}
	}
}

// all does everything there is to do to f.
func all(tb testing.TB, f *ssa.Func) {
	for to := range ssa.NumForms {
		g, err := forms.Convert(f, to)
		if err != nil {
			tb.Fatal(err)
		}
		if errs := forms.Validate(g); len(errs) > 0 {
			tb.Fatal(errs)
		}
	}
	g := f.Clone()
	g.SetDepths(ssa.Dominators(g))
	g.Prune()
}

func chain(n int) string {
	var s strings.Builder
	s.WriteString("form args\nfunc f(a)\ne:\n br b0(a)\n")
	for i := range n {
		fmt.Fprintf(&s, "b%d(x%d):\n y%d = add x%d, 1\n br b%d(y%d)\n", i, i, i, i, i+1, i)
	}
	fmt.Fprintf(&s, "b%d(z):\n ret z\n", n)
	return s.String()
}

func star(n int) string {
	var s strings.Builder
	s.WriteString("form args\nfunc f(a)\ne:\n br b0()\n")
	for i := range n {
		fmt.Fprintf(&s, "b%d:\n y%d = add a, %d\n cbr y%d, b%d(), j(y%d, a)\n", i, i, i, i, i+1, i)
	}
	fmt.Fprintf(&s, "b%d:\n br j(a, 1)\nj(z, w):\n r = add z, w\n ret r\n", n)
	return s.String()
}

// nest has n loops in each other, each with a parameter that only hands on a.
func nest(n int) string {
	var s strings.Builder
	s.WriteString("form args\nfunc f(a)\ne:\n br h0(a)\n")
	for i := range n - 1 {
		fmt.Fprintf(&s, "h%d(x%d):\n br h%d(x%d)\n", i, i, i+1, i)
	}
	fmt.Fprintf(&s, "h%d(x%d):\n c = lt x%d, 5\n y = add x%d, 1\n br t%d\n", n-1, n-1, n-1, n-1, n-1)
	for i := n - 1; i > 0; i-- {
		fmt.Fprintf(&s, "t%d:\n cbr c, h%d(y), t%d\n", i, i, i-1)
	}
	s.WriteString("t0:\n ret y\n")
	return s.String()
}

// diamonds pass eight values through every join, without changing any.
func diamonds(n int) string {
	var s strings.Builder
	s.WriteString("form args\nfunc f(a)\ne:\n br j0(a, 1, 2, 3, 4, 5, 6, 7)\n")
	for i := range n {
		args := fmt.Sprintf("p%d, q%d, r%d, s%d, t%d, u%d, v%d, w%d", i, i, i, i, i, i, i, i)
		fmt.Fprintf(&s, "j%d(%s):\n cbr p%d, l%d, m%d\nl%d:\n br j%d(%s)\nm%d:\n br j%d(%s)\n", i, args, i, i, i, i, i+1, args, i, i+1, args)
	}
	fmt.Fprintf(&s, "j%d(p, q, r, s, t, u, v, w):\n ret w\n", n)
	return s.String()
}
