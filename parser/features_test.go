package parser

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Each feature with a program that uses it first at the given place, and no other of the
// same chapter before. A program may mean something else below the feature's chapter.
var featurePrograms = [numFeatures]struct {
	src, at string
	meant   bool // it is a correct program below the chapter
}{
	featArithmetic:    {"return 1+2;", "1:9", false},
	featVariables:     {"int a=1; return a;", "1:1", false},
	featArg:           {"return arg;", "1:8", false},
	featCompare:       {"int a=1; return a<1;", "1:18", false},
	featIf:            {"if(arg) arg=1; return arg;", "1:1", false},
	featTruth:         {"return 1+true;", "1:10", false},
	featAfterReturn:   {"return 1; arg=2;", "1:11", false},
	featWhile:         {"while(arg) arg=0; return 1;", "1:1", false},
	featJumps:         {"while(arg) break; return 1;", "1:12", false},
	featStructs:       {"struct S { int x; } return 1;", "1:1", false},
	featNull:          {"return null;", "1:8", false},
	featNullable:      {"int? a=1; return a;", "1:4", false},
	featNew:           {"return new S;", "1:8", false},
	featField:         {"return arg.x;", "1:11", false},
	featNot:           {"return !arg;", "1:8", false},
	featNoInit:        {"int a; return a;", "1:5", false},
	featExprStatement: {"arg; return arg;", "1:1", false},
	featComment:       {"return 1; // one", "1:11", false},
	featFloat:         {"return 1.5;", "1:8", false},
	featRefFields:     {"struct S { S? s; } return 1;", "1:12", false},
	featForward:       {"struct S { int x; } T? t; struct T { int y; } return 1;", "1:21", false},
	featNarrow:        {"byte b=1; return 1;", "1:1", false},
	featBits:          {"return arg&1;", "1:11", false},
	featArrays:        {"return arg[0];", "1:11", false},
	featFinal:         {"int a=1,b=2; return a;", "1:8", false},
	featBodies:        {"struct S { int x; }; S s=new S{x=1;}; return 1;", "1:31", false},
	featFor:           {"for(;;) break; return 1;", "1:1", false},
	featIncrement:     {"return arg++;", "1:11", false},
	featAssignOp:      {"arg+=1; return arg;", "1:4", false},
	featAssignValue:   {"int a=arg=1; return a;", "1:10", false},
	featTernary:       {"return arg?1:2;", "1:11", false},
	featInfer:         {"var a=1; return 1;", "1:1", false},
	featFunctions:     {"return arg(1);", "1:11", false},
	featAssignBits:    {"arg&=1; return arg;", "1:4", false},
	featAssignField:   {"var a=new int[1]; a[0]+=1; return 1;", "1:23", false},
	featStrings:       {"return 'a';", "1:8", false},
	featTypeField:     {"struct S { int x; }; return S.x;", "1:29", false},
	featNested:        {"struct S { struct T { int x; }; }; return 1;", "1:12", false},
	featConstArray:    {"int[~] a=new int[2]; return 1;", "1:4", false},
	featBlockComment:  {"return 1; /* one */", "1:11", false},
	featAndOr:         {"return arg&&1;", "1:11", false},
	featChains:        {"return 0<arg<9;", "1:13", true},
}

func TestFeatureGates(t *testing.T) {
	for f, tt := range featurePrograms {
		row := features[f]
		t.Run(row.name, func(t *testing.T) {
			want := fmt.Sprintf("%s: %s needs chapter %d\n", tt.at, row.name, row.since)
			if tt.meant {
				want = "nothing\n"
			}
			if diff := cmp.Diff(want, messages(tt.src, Options{Level: row.since - 1})); diff != "" {
				t.Errorf("below its chapter (-want +got):\n%s", diff)
			}
			got := messages(tt.src, Options{Level: row.since})
			if row.built {
				if strings.Contains(got, row.name) || strings.Contains(got, "needs chapter") {
					t.Errorf("at its chapter: %s", got)
				}
				return
			}
			if diff := cmp.Diff(tt.at+": "+row.name+" is not supported yet\n", got); diff != "" {
				t.Errorf("at its chapter, where it is not built yet (-want +got):\n%s", diff)
			}
		})
	}
}

// A word is a name below the chapter that reserves it.
func TestKeywords(t *testing.T) {
	for _, word := range slices.Sorted(maps.Keys(keywords)) {
		since := keywords[word].since
		src := "int " + word + "=7;\n" + word + "=" + word + "+1;\nreturn " + word + ";"
		for level := features[featVariables].since; level < since; level++ {
			if diff := cmp.Diff("nothing\n", messages(src, Options{Level: level})); diff != "" {
				t.Errorf("%s below its chapter, at %d (-want +got):\n%s", word, level, diff)
			}
		}
		got, _, _ := strings.Cut(messages(src, Options{Level: max(since, features[featVariables].since)}), "\n")
		if diff := cmp.Diff("1:5: Expected an identifier, found '"+word+"'", got); diff != "" {
			t.Errorf("%s at its chapter (-want +got):\n%s", word, diff)
		}
	}
}

// What a program of a later chapter begins with is not taken for a name that was
// declared.
func TestDeclaredWords(t *testing.T) {
	tests := []struct {
		level     int
		src, want string
	}{
		{8, "int struct=1; struct=2; return struct;", "nothing\n"},
		{8, "int new=1; return new+1;", "nothing\n"},
		{11, "int for=1; for=for+2; return for;", "nothing\n"},
		{11, "int byte=1; byte; return byte;", "nothing\n"},
		{9, "struct=1; return 1;", "1:1: 'struct' needs chapter 10\n"},
		{9, "return struct;", "1:8: 'struct' needs chapter 10\n"},
		{4, "int while=arg; return while==1;", "nothing\n"},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, messages(tt.src, Options{Level: tt.level})); diff != "" {
			t.Errorf("level %d: %s (-want +got):\n%s", tt.level, tt.src, diff)
		}
	}
}
