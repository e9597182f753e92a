package regalloc

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"shoal/codegen/mach"
)

var seeds = flag.Uint64("seeds", 1_000, "how many random functions to allocate")

// randomBytes are the bytes that the random function of a seed is made of.
func randomBytes(seed uint64) []byte {
	r := rand.New(rand.NewPCG(seed, 1))
	data := make([]byte, 20+r.IntN(1500))
	for i := range data {
		data[i] = byte(r.Uint32())
	}
	return data
}

// traces runs f with several seeds, which decide about branches.
func traces(t *toy, f *mach.Func, blocks int) (all [][]uint64) {
	for seed := range uint64(5) {
		all = append(all, run(t, f, blocks, 120, seed))
	}
	return all
}

// allocateAndCompare allocates the function made of data and asks both oracles about it:
// the checker, and the interpreter that runs it before and after.
func allocateAndCompare(data []byte) error {
	t, f := generate(data)
	before := text(t, f)
	blocks := len(f.Blocks)
	want := traces(t, f, blocks)
	if err := AllocateChecked(f, t); err != nil {
		return fmt.Errorf("%v\n%s\n%s", err, before, text(t, f))
	}
	if got := traces(t, f, blocks); !reflect.DeepEqual(want, got) {
		return fmt.Errorf("computes something else (-before +after):\n%s\n%s\n%s", cmp.Diff(want, got), before, text(t, f))
	}
	return nil
}

func TestRandomFunctions(t *testing.T) {
	for seed := range *seeds {
		if err := allocateAndCompare(randomBytes(seed)); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}

func FuzzAlloc(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(randomBytes(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := allocateAndCompare(data); err != nil {
			t.Fatal(err)
		}
	})
}

// TestDeterministic allocates the same functions twice and compares every instruction.
func TestDeterministic(t *testing.T) {
	for seed := range uint64(300) {
		var texts [2]string
		for i := range texts {
			m, f := generate(randomBytes(seed))
			if err := Allocate(f, m); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			texts[i] = text(m, f)
		}
		if diff := cmp.Diff(texts[0], texts[1]); diff != "" {
			t.Fatalf("seed %d (-first +second):\n%s", seed, diff)
		}
	}
}
