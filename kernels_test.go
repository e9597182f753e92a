package shoal_test

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"shoal"
)

// kernels are the programs of testdata/run/kernels: kernels of folder bench as one main,
// with what they give at small sizes.
func kernels(t *testing.T) (list []sample) {
	t.Helper()
	names, err := filepath.Glob("testdata/run/kernels/*.smp")
	if err != nil || len(names) == 0 {
		t.Fatalf("no programs in testdata/run/kernels: %v", err)
	}
	for _, file := range names {
		s := sample{name: strings.TrimSuffix(file, ".smp"), text: readText(t, file)}
		for line := range strings.Lines(readText(t, s.name+".want")) {
			words := strings.Fields(line)
			s.args = append(s.args, parse(t, words[0]))
			s.want = append(s.want, parse(t, words[1]))
		}
		list = append(list, s)
	}
	return list
}

// TestKernels takes each kernel through all engines.
func TestKernels(t *testing.T) {
	const mutability = 17 // the first chapter that has their language
	p := newProver(t)
	for _, s := range kernels(t) {
		t.Run(filepath.Base(s.name), func(t *testing.T) {
			for i, opt := range []shoal.Opt{shoal.Full, shoal.Rules, shoal.Raw} {
				for _, chapter := range []int{mutability, shoal.MaxChapter} {
					c := config{chapter: chapter, opt: opt, seed: int64(i), verify: true}
					if m := p.prove(s.text, c, s.args, s.want); m != nil {
						t.Errorf("%v: %v", c, m)
					}
				}
			}
		})
	}
}

// TestKernelsC compares the stored results with those of the kernels in C.
func TestKernelsC(t *testing.T) {
	cc, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("cc is not installed")
	}
	for _, s := range kernels(t) {
		name := filepath.Base(s.name)
		t.Run(name, func(t *testing.T) {
			exe := filepath.Join(t.TempDir(), name)
			src := filepath.Join("bench", name, name+".c")
			if out, err := exec.Command(cc, "-O1", "-fwrapv", "-ffp-contract=off", "-Ibench/common", "-o", exe, src).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			for i, arg := range s.args {
				out, err := exec.Command(exe, fmt.Sprint(arg)).Output()
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(fmt.Sprintln(s.want[i]), string(out)); diff != "" {
					t.Errorf("%s %d (-want +got):\n%s", name, arg, diff)
				}
			}
		})
	}
}
