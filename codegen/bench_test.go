package codegen

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"shoal/ssa"
)

// BenchmarkHello links the smallest program and writes it to a file.
func BenchmarkHello(b *testing.B) {
	p := compile(b, parse(b, "func main(arg)\ne:\n r = add arg, 40\n ret r\n"))
	path := filepath.Join(b.TempDir(), "hello")
	size := 0
	for b.Loop() {
		image, err := p.Executable(false)
		if err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(path, image, 0o755); err != nil {
			b.Fatal(err)
		}
		size = len(image)
	}
	b.ReportMetric(float64(size), "bytes")
}

// BenchmarkCompile measures the stages on functions of growing size.
func BenchmarkCompile(b *testing.B) {
	for _, size := range []int{100, 10_000, 100_000} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			m := &ssa.Module{Funcs: []*ssa.Func{randomFunc(rand.New(rand.NewPCG(1, 1)), "f", 2, size)}}
			values := float64(len(m.Funcs[0].Values))
			var sum [NumStages]time.Duration
			b.ReportAllocs()
			for b.Loop() {
				p, err := Compile(m, Options{Workers: 1})
				if err != nil {
					b.Fatal(err)
				}
				for i, t := range p.Times {
					sum[i] += t
				}
			}
			for i, t := range sum {
				b.ReportMetric(float64(t)/float64(b.N)/values, StageName(i)+"-ns/value")
			}
		})
	}
}

// BenchmarkRandomPrograms measures how many random programs a second one processor takes
// through the back end and four native calls each.
func BenchmarkRandomPrograms(b *testing.B) {
	s := newServer(b)
	r := rand.New(rand.NewPCG(2, 2))
	var modules []*ssa.Module
	for range 100 {
		modules = append(modules, &ssa.Module{Funcs: []*ssa.Func{randomFunc(r, "f", 1, 60)}})
	}
	i := 0
	for b.Loop() {
		p, err := Compile(modules[i%len(modules)], Options{Workers: 1})
		if err != nil {
			b.Fatal(err)
		}
		image, err := p.Image()
		if err != nil {
			b.Fatal(err)
		}
		if err := s.Load(image.Bytes, image.Size); err != nil {
			b.Fatal(err)
		}
		entry, _ := image.Offset("f")
		if _, err := s.Call(entry, []int64{0, 1, -1, 1 << 40}, time.Second); err != nil {
			b.Fatal(err)
		}
		i++
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "programs/s")
}
