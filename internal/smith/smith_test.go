package smith

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

func TestX(t *testing.T) {
	long := 0
	total := 0
	size := 0
	for seed := range uint64(20000) {
		r := rand.New(rand.NewPCG(seed, 1))
		level := 1 + r.IntN(11)
		p := Generate(r, Swarm(r, level, 20))
		got, err := p.Resolve()
		if err != nil || got > level {
			t.Fatal(seed, level, got, err, "\n", p.Text(level))
		}
		q, err := Parse(p.Text(24))
		if err != nil {
			t.Fatal(err, p.Text(24))
		}
		if _, err := q.Resolve(); err != nil {
			t.Fatal(err)
		}
		size += p.Size()
		for _, a := range []int64{0, 1, -1, 7, 1<<63 - 1, -1 << 63} {
			v, steps, ended := p.Run(a, 1000000)
			w, _, _ := q.Run(a, 1000000)
			if v != w {
				t.Fatal(v, w)
			}
			total += steps
			if !ended {
				long++
				if long < 3 {
					fmt.Println(seed, a, p.Text(24))
				}
				break
			}
		}
	}
	fmt.Println(long, total, size)
}
