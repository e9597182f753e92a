package parser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"shoal/source"
)

type nest struct{ name, before, open, inner, close, after string }

// Ways to nest: what opens a level, what is innermost, what closes a level.
var nests = []nest{
	{"if", "", "if(arg){", "arg=-1;", "}", "return arg;"},
	{"else", "", "if(arg)arg=1;else{", "arg=-1;", "}", "return arg;"},
	{"if without braces", "", "if(arg)", "arg=(1);", "", "return arg;"},
	{"block", "", "{", "arg=(2);", "}", "return arg;"},
	{"while", "", "while(arg){", "arg=0;", "}", "return arg;"},
	{"while without braces", "", "while(arg)", "arg=0;", "", "return arg;"},
	{"parenthesis", "return ", "(", "arg", ")", ";"},
	{"parenthesis with operators", "return ", "arg*(3-", "arg", ")", ";"},
	{"minus", "return ", "- ", "arg", "", ";"},
	{"not", "return ", "!", "arg", "", ";"},
	{"minus and parenthesis", "return ", "-", "(arg)", "", ";"},
	{"condition", "if(", "(", "arg", ")", ") return 1; return 2;"},
	{"index", "int[] a=new int[1]; return ", "a[", "0", "]", ";"},
	{"length", "return ", "new int[", "0", "]#", ";"},
	{"assignment", "return ", "arg=", "0", "", ";"},
	{"operator assignment", "return ", "arg+=", "0", "", ";"},
	{"constructor", "struct S{ int x; }; return ", "new S{ x=", "0", "; }.x", ";"},
	{"condition of a value", "return ", "arg?arg:", "0", "", ";"},
}

func (n *nest) source(depth int) []byte {
	return []byte(n.before + strings.Repeat(n.open, depth) + n.inner + strings.Repeat(n.close, depth) + n.after)
}

func TestNesting(t *testing.T) {
	for _, n := range nests {
		t.Run(n.name, func(t *testing.T) {
			for _, tt := range []struct {
				depth int
				fails bool
			}{{MaxDepth - 1, false}, {MaxDepth + 2, true}, {10 * MaxDepth, true}} {
				_, diags := Parse(source.NewFile("deep.smp", n.source(tt.depth)), Options{Level: 18})
				var got []string
				for _, d := range diags.List() {
					got = append(got, d.Message)
				}
				var want []string
				if tt.fails {
					want = []string{fmt.Sprintf("nesting is deeper than %d", MaxDepth)}
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%d deep (-want +got):\n%s", tt.depth, diff)
				}
			}
		})
	}
}

// Statements inside of an expression go on counting its parentheses.
func TestNestingOfBoth(t *testing.T) {
	open, end := "new S{ x="+strings.Repeat("(", MaxDepth/10), strings.Repeat(")", MaxDepth/10)+"; }.x"
	src := "struct S{ int x; }; return " + strings.Repeat(open, 20) + "1" + strings.Repeat(end, 20) + ";"
	_, diags := Parse(source.NewFile("deep.smp", []byte(src)), Options{Level: 18})
	if got, want := diags.List(), fmt.Sprintf("nesting is deeper than %d", MaxDepth); len(got) != 1 || got[0].Message != want {
		t.Errorf("got %v, want %s", got, want)
	}
}

// What does not nest has no limit.
func TestLength(t *testing.T) {
	const n = 3 * MaxDepth
	for name, src := range map[string]string{
		"else if":     "if(arg==0) arg=1;" + strings.Repeat("else if(arg==1) arg=2;", n) + "return arg;",
		"sum":         "return arg" + strings.Repeat("+arg", n) + ";",
		"comparisons": "return arg" + strings.Repeat("==arg", n) + ";",
		"blocks":      strings.Repeat("{ int a=arg; arg=a; }", n) + "return arg;",
		"semicolons":  strings.Repeat(";", n) + "return arg;",
		"returns":     strings.Repeat("if(arg) return 1;", n),
	} {
		if diff := cmp.Diff("nothing\n", messages(src, Options{Level: 9})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// Errors in programs of great size end them soon: an error is no reason to build the
// names, or the blocks around it, anew each time.
func TestErrorsInDeepPrograms(t *testing.T) {
	const n = MaxDepth - 1
	names := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "int v%d=arg;\n", i)
		}
		return b.String()
	}
	tests := []struct{ name, src, want string }{
		{"open blocks", strings.Repeat("{", n), fmt.Sprintf("1:%d: Syntax error, expected }: \n    hint: the block begins at 1:%d\n", n+1, n)},
		{"names and open blocks", names(n) + strings.Repeat("{", n), fmt.Sprintf("%d:%d: Syntax error, expected }: \n    hint: the block begins at %d:%d\n", n+1, n+1, n+1, n)},
		{"open ifs", strings.Repeat("if(arg){", n) + "arg=;", fmt.Sprintf("1:%d: Syntax error, expected an identifier or expression: ;\n", 8*n+5)},
		{"closed ifs", strings.Repeat("if(arg){", n) + "arg=;" + strings.Repeat("}", n), fmt.Sprintf("1:%d: Syntax error, expected an identifier or expression: ;\n", 8*n+5)},
		{"closing braces", strings.Repeat("}", n), "1:1: Syntax error, unexpected }\n"},
		{"one name", "return " + strings.Repeat("x+", n) + "x;", "1:8: Undefined name 'x'\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := messages(tt.src, Options{Level: 11})
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
