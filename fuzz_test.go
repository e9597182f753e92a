package shoal_test

import (
	"errors"
	"flag"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"shoal"
	"shoal/internal/smith"
	"shoal/node/interp"
	"shoal/source"
)

// fuzzSteps bounds a run under the fuzzer; longer runs are not compared.
const fuzzSteps = 20_000

// fuzzText is the longest text under the fuzzer, in bytes.
const fuzzText = 1 << 13

// FuzzCompile compiles any text at the chapter, -O and worklist order that how says, and
// as usual. Wrong programs get diagnostics, nothing panics, and the engines agree with one
// another; with the evaluator of package smith too, if that can read the text.
func FuzzCompile(f *testing.F) {
	for _, s := range samples(f) {
		for i, arg := range s.args {
			f.Add([]byte(s.text), arg, uint16(i))
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for n := range int64(40) {
		tr := newTrial(3, n)
		text := tr.program.Text(shoal.MaxChapter)
		f.Add([]byte(text), tr.args[0], uint16(n))
		f.Add([]byte(smith.Spoil(r, text)), tr.args[1], uint16(n))
	}
	p := newProver(f)
	f.Fuzz(func(t *testing.T, text []byte, arg int64, how uint16) {
		if len(text) > fuzzText {
			t.Skip("the text is long")
		}
		const opts = 3
		h := int(how)
		c := config{chapter: 1 + h%shoal.MaxChapter, opt: shoal.Opt(h / shoal.MaxChapter % opts), seed: int64(h / shoal.MaxChapter / opts), verify: true}
		for _, c := range []config{c, {chapter: shoal.MaxChapter}} {
			if m := p.fuzz(string(text), c, arg); m != nil {
				t.Fatalf("%v: %v", c, m)
			}
		}
	})
}

// fuzz is prove for a text that may be wrong or run for ever.
func (p *prover) fuzz(text string, c config, arg int64) *mismatch {
	raw, err := shoal.Compile(source.NewFile("t.smp", []byte(text)), shoal.Options{Chapter: c.chapter, Opt: shoal.Raw, Until: "parse", Verify: c.verify})
	var bug *shoal.Bug
	switch {
	case errors.As(err, &bug):
		return &mismatch{"parse -O 0", bug.Error() + "\n" + frames(bug.Stack)}
	case err != nil:
		return p.spoiled(text, c, diagnostics(raw))
	}
	want, how := interp.Run(raw.Funcs[0].Graph, arg, fuzzSteps)
	var args, results []int64
	if how != interp.Timeout {
		args, results = []int64{arg}, []int64{want}
	}
	if tree, err := smith.Parse(text); err == nil {
		// From chapter 17 on "--" may be a decrement, and at 24 relations bind tighter than
		// equality; what is printed for the chapter is free of both.
		if level, err := tree.Resolve(); err == nil && level <= c.chapter && (c.chapter < 17 || tree.Text(c.chapter) == text) {
			if v, _, ended := tree.Run(arg, fuzzSteps); ended && how != interp.Timeout && v != want {
				return wrong("parse -O 0", arg, want, v, nil)
			}
		}
	}
	return p.prove(text, c, args, results)
}

// spoiled compares the diagnostics of a wrong program with want: they depend neither on
// -O nor on the order of the worklist (semantics §12).
func (p *prover) spoiled(text string, c config, want string) *mismatch {
	u, err := shoal.Compile(source.NewFile("t.smp", []byte(text)), shoal.Options{Chapter: c.chapter, Opt: c.opt, Seed: c.seed, Verify: c.verify, Workers: 1})
	var bug *shoal.Bug
	switch {
	case errors.As(err, &bug):
		return &mismatch{"compile", bug.Error() + "\n" + frames(bug.Stack)}
	case err == nil:
		return &mismatch{"diagnostics", "none, but at -O 0 there were\n" + want}
	}
	if diff := cmp.Diff(want, diagnostics(u)); diff != "" {
		return &mismatch{"diagnostics", "differ from those at -O 0 (-want +got):\n" + diff}
	}
	return nil
}

func diagnostics(u *shoal.Unit) string { return u.Diagnostics.Error() }

var spoiledCount = flag.Int64("spoiled.count", 600, "how many spoiled programs TestSpoiled tries")

// TestSpoiled compiles random programs into each of which a mistake was made. Some are
// right all the same, and then mean something else.
func TestSpoiled(t *testing.T) {
	p := newProver(t)
	failed := 0
	for n := range *spoiledCount {
		tr := newTrial(5, n)
		r := rand.New(rand.NewPCG(5, uint64(n)))
		text := smith.Spoil(r, tr.program.Text(tr.level))
		if len(text) > fuzzText {
			continue
		}
		for _, c := range []config{{chapter: tr.level, opt: shoal.Opt(r.IntN(3)), verify: true}, {chapter: shoal.MaxChapter, seed: r.Int64()}} {
			if m := p.fuzz(text, c, tr.args[0]); m != nil {
				t.Errorf("program %d, %v: %v\n%s", n, c, m, indent(text))
				if failed++; failed == 3 {
					return
				}
			}
		}
	}
}
