package main

import (
	"bytes"
	"fmt"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const summing = "int s=0;\nwhile(arg>0) {\n    if(s<9) s=s+1*arg; // <b> & \"quotes\"\n    arg=arg-1;\n}\nreturn s;"

// TestWalkChoosesSteps checks which steps --from, --to and --only leave.
func TestWalkChoosesSteps(t *testing.T) {
	heading := regexp.MustCompile(`(?m)^Step (\d+): (\w+)`)
	all := heading.FindAllStringSubmatch(command(t, summing, "walk", "--chapter", "11", "-"), -1)
	if len(all) < 30 {
		t.Fatalf("only %d steps", len(all))
	}
	tests := []struct {
		flags string
		want  func(k int, kind string) bool
	}{
		{"--from 5", func(k int, _ string) bool { return k >= 5 }},
		{"--to 7", func(k int, _ string) bool { return k <= 7 }},
		{"--from 6 --to 12", func(k int, _ string) bool { return 6 <= k && k <= 12 }},
		{"--only Rewrote", func(_ int, kind string) bool { return kind == "Rewrote" }},
		{"--only merged,killed --to 40", func(k int, kind string) bool { return (kind == "Merged" || kind == "Killed") && k <= 40 }},
	}
	for _, tt := range tests {
		var want []string
		for _, m := range all {
			var k int
			fmt.Sscan(m[1], &k)
			if tt.want(k, m[2]) {
				want = append(want, m[0])
			}
		}
		if want == nil {
			t.Errorf("%s: a test of nothing", tt.flags)
		}
		got := heading.FindAllString(command(t, summing, append(strings.Fields("walk --chapter 11 "+tt.flags), "-")...), -1)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.flags, diff)
		}
	}
}

// TestWalkExplains looks for what a step of a rule says in each format.
func TestWalkExplains(t *testing.T) {
	tests := []struct {
		format string
		want   []string
	}{
		{"text", []string{
			"Rule mul-one applies to Mul", "\n  mul-one: x * 1 => x",
			", line 3:", "\n    * ",
		}},
		{"md", []string{
			"\n## Step ", "Rule `mul-one`: `x * 1 => x", "```\nint s=0;\n", "// <b> & \"quotes\"\n",
		}},
		{"html", []string{
			"<b>mul-one</b>: <code>x * 1 =&gt; x", "// &lt;b&gt; &amp; &#34;quotes&#34;", "data-line=\"3\"",
		}},
	}
	for _, tt := range tests {
		got := command(t, summing, "walk", "--chapter", "11", "--to", "60", "--format", tt.format, "-")
		for _, want := range tt.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: nowhere %q", tt.format, want)
			}
		}
	}
}

// TestPageStandsAlone checks that a page needs nothing else, has a picture for each step
// if they can be made, and that nothing in it is read as markup that is text.
func TestPageStandsAlone(t *testing.T) {
	page := command(t, summing, "walk", "--chapter", "11", "--to", "20", "--format", "html", "-")
	for _, no := range []string{"<link", " src=", "<b> &", "@import", "url("} {
		if strings.Contains(page, no) {
			t.Errorf("the page has %q", no)
		}
	}
	for _, key := range []string{"ArrowLeft", "ArrowRight", "Home", "End"} {
		if !strings.Contains(page, key+": ()") {
			t.Errorf("no key %s", key)
		}
	}
	steps := strings.Count(page, `<section class="step"`)
	if steps == 0 || steps != strings.Count(page, "</section>") {
		t.Errorf("%d steps", steps)
	}
	if _, err := exec.LookPath("dot"); err != nil {
		t.Skip("there is no dot: install Graphviz to check that the page has pictures")
	}
	if svgs := strings.Count(page, "<svg"); svgs != steps {
		t.Errorf("%d pictures of %d steps", svgs, steps)
	}
}

func TestWalkUsage(t *testing.T) {
	tests := []struct{ flags, program, want string }{
		{"--format pdf", "return 1;", "--format must be md, text or html"},
		{"--from 0", "return 1;", "--from and --to must name steps"},
		{"--from 4 --to 3", "return 1;", "--from and --to must name steps"},
		{"--from 4000", "return 1;", "--from 4000: the program takes only"},
		{"--only Danced", "return 1;", `there is no kind of step "Danced"`},
		{"--format html", strings.Repeat("arg=arg/7;", 300) + "return arg;", "are too many for one walkthrough in html"},
		{"--format text", strings.Repeat("arg=arg/7;", 10_000) + "return arg;", "are too many for one walkthrough in text"},
	}
	for _, tt := range tests {
		var out, said bytes.Buffer
		args := append(append([]string{"walk", "--chapter", "11"}, strings.Fields(tt.flags)...), "-")
		if status := run(args, strings.NewReader(tt.program), &out, &said); status != statusUsage || out.Len() > 0 || !strings.Contains(said.String(), tt.want) {
			t.Errorf("%s: status %d, %q, want 2 and %q", tt.flags, status, said.String(), tt.want)
		}
	}
}
