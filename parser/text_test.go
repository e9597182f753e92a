package parser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"shoal/source"
)

// strayBytes are texts that no file of cases can hold.
var strayBytes = []string{
	"", " ", "\n", "\r\n", "\x00", "return 1;\x00", "return\x00x;", "\xef\xbb\xbfreturn 1;", "return \xff;", "return 1; \xc3",
	"int a=1;\r\nreturn b;\r\n", "int a=1;\rreturn b;", "return 1; //", "return 1; // \xff", "return 1; /*", "return 1; /", "\"", "'", "\"\\", "'\\", "\"a\nreturn 1;",
	"return \"\\\"", "\x7f", "return 1\v\f;", "}", "{", "(", ")", ";", "#", "#showGraph", "int", "if", "if(", "if()", "while(1", "++", "--", "return -", "return 1.", "return 1.e", "return 0x1;",
}

func TestStrayBytes(t *testing.T) {
	tests := []struct{ src, want string }{
		{"", "nothing\n"}, // a program that falls off its end returns 0
		{" \n\t", "nothing\n"},
		{"return 1;", "nothing\n"},
		{"return 1;\x00", "nothing\n"}, // any byte up to the blank is white space
		{"return\x00\x01x;", "1:9: Undefined name 'x'\n"},
		{"int a=1;\r\nreturn q;\r\n", "2:8: Undefined name 'q'\n    hint: did you mean 'a'?\n"},
		{"int a=1;\rreturn q;", "1:17: Undefined name 'q'\n    hint: did you mean 'a'?\n"}, // one line
		{"return 1\r\n", "1:9: Syntax error, expected ;: \n"},
		{"\xef\xbb\xbfreturn 1;", "1:1: Syntax error, expected an identifier or expression: \ufeff\n"},
		{"return \xff;", "1:8: Syntax error, expected an identifier or expression: \xff\n"},
		{"return arg\xc3", "1:11: Syntax error, expected ;: \xc3\n"},
		{"return 1\v\f; // \xff\xfe", "nothing\n"},
		{"return \x7f;", "1:8: Syntax error, expected an identifier or expression: \x7f\n"},
		{"return 1; //", "nothing\n"},
		{"return \"a", "1:8: a string or character literal needs chapter 22\n"},
		{"/* a\n * b", "1:1: '/*' comment needs chapter 22\n"},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, messages(tt.src, Options{Level: 11})); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.src, diff)
		}
	}
}

// Line ends of Windows change positions, nothing else.
func TestLineEnds(t *testing.T) {
	unix := "int a=1;\nif(arg) {\n  a=x;\n}\nreturn a;\n"
	windows := "int a=1;\r\nif(arg) {\r\n  a=x;\r\n}\r\nreturn a;\r\n"
	if diff := cmp.Diff(messages(unix, Options{Level: 11}), messages(windows, Options{Level: 11})); diff != "" {
		t.Errorf("(-\\n +\\r\\n):\n%s", diff)
	}
	if got, _ := Parse(source.NewFile("w.smp", []byte("return\r\n1;\r\n")), Options{Level: 1}); len(got) != 1 {
		t.Errorf("a correct program has %d functions", len(got))
	}
}

// TestLongChain has more tests in a chain than a node can be held, each of which tells the
// branches behind it something.
func TestLongChain(t *testing.T) {
	var b strings.Builder
	b.WriteString("int k=0; ")
	const links = 1<<16 + 10
	for i := range links {
		fmt.Fprintf(&b, "if(arg==%d) k=%d; else ", 7*i, i)
	}
	b.WriteString("k=arg; return k;")
	if _, diags := Parse(source.NewFile("test.smp", []byte(b.String())), Options{Level: 24}); diags.Any() {
		t.Error(diags)
	}
}
