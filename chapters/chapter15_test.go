//go:build !chapters || chapter15

package chapters

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"shoal"
	"shoal/node"
	"shoal/source"
)

func TestChapter15(t *testing.T) { suite(t, 15) }

// Without checks a program whose indexes are good does the same, and nothing in it can fault.
func TestChapter15Unchecked(t *testing.T) {
	const src = "int[]? a=null; a=new int[arg]; int i=0; while(i<a#) { a[i]=i*i; i=i+1; } return a[arg-1];"
	for _, opt := range []shoal.Opt{shoal.Full, shoal.Rules, shoal.Raw} {
		for _, unchecked := range []bool{false, true} {
			u, err := shoal.Compile(source.NewFile("u.smp", []byte(src)), shoal.Options{Chapter: 15, Opt: opt, Unchecked: unchecked, Verify: true})
			if err != nil {
				t.Fatal(err)
			}
			faults := 0
			for i := range u.Funcs[0].Graph.Stop.NumIn() {
				if u.Funcs[0].Graph.Stop.In(i).Op == node.OpFault {
					faults++
				}
			}
			if diff := cmp.Diff(unchecked, faults == 0); diff != "" {
				t.Errorf("unchecked %v: %d faults (-want +got):\n%s", unchecked, faults, diff)
			}
			for _, e := range engines {
				got, err := e.run(u, []call{{7, "36"}})
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff([]string{"36"}, got); diff != "" {
					t.Errorf("unchecked %v, %s (-want +got):\n%s", unchecked, e.name, diff)
				}
			}
		}
	}
}
