package destruct

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"shoal/ssa"
	"shoal/ssa/ssatest"
)

func BenchmarkRun(b *testing.B) {
	for _, n := range []int{10_000, 100_000, 1_000_000} {
		f := ssatest.Func(rand.New(rand.NewPCG(1, 1)), ssatest.Large(n))
		for s := range NumStrategies {
			b.Run(fmt.Sprintf("%v/values=%d", s, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					Run(f, s)
				}
				perValue(b, len(f.Values))
			})
		}
	}
}

func perValue(b *testing.B, values int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(values), "ns/value")
}

// The shapes below are hard on one part of the algorithm each; n is their size.
var hard = []struct {
	name string
	make func(n int) *ssa.Func
}{
	{"wide join", wideJoin},
	{"long range", longRange},
	{"many live", manyLive},
	{"rotation", rotation},
	{"chain over fan", chainOverFan},
}

func BenchmarkHard(b *testing.B) {
	for _, h := range hard {
		for _, n := range []int{1000, 10_000, 100_000} {
			f := h.make(n)
			b.Run(fmt.Sprintf("%s/n=%d", h.name, n), func(b *testing.B) {
				for b.Loop() {
					Run(f, Boissinot)
				}
				perValue(b, len(f.Values))
			})
		}
	}
}

func BenchmarkVerify(b *testing.B) {
	for _, n := range []int{10_000, 100_000, 1_000_000} {
		f := ssatest.Func(rand.New(rand.NewPCG(1, 1)), ssatest.Large(n))
		c, _ := Run(f, Boissinot)
		b.Run(fmt.Sprintf("values=%d", n), func(b *testing.B) {
			for b.Loop() {
				c.Verify()
			}
			perValue(b, len(f.Values))
		})
	}
}
