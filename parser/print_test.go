package parser

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"shoal/source"
)

// The tables of chapters.md, level by level: what a finished program prints.
var prints = []struct {
	level int
	src   string
	want  string
}{
	{1, "return 42;", "return 42;"},
	{1, "return 0;", "return 0;"},
	{1, "return   7;\n", "return 7;"},
	{2, "return 6*7-2;", "return 40;"},
	{2, "return -(4+5)*2;", "return -18;"},
	{2, "return 20-5-3;", "return 12;"},
	{2, "return -9/4;", "return -2;"},
	{2, "return 8/0+5;", "return 5;"},
	{2, "return --12;", "return 12;"},
	{2, "return 9223372036854775807+1;", "return -9223372036854775808;"},
	{3, "int w=6; int h=7; return w*h;", "return 42;"},
	{3, "int n=2; { int n=10; n=n+1; } return n;", "return 2;"},
	{3, "int n=2; { n=n*n; } { n=n*n; } return n;", "return 16;"},
	{3, "int p=3; ;; return p;", "return 3;"},
	{4, "return 3+arg+4;", "return (arg+7);"},
	{4, "return (arg+1)+(arg+2);", "return ((arg*2)+3);"},
	{4, "return arg*3*5;", "return ((arg*3)*5);"},
	{4, "int half=arg/2; return half*2==arg;", "return (((arg/2)*2)==arg);"},
	{4, "return arg/1*1+0;", "return arg;"},
	{4, "return 10-arg-3;", "return ((10-arg)-3);"},
	{4, "return arg--2;", "return (arg--2);"},
	{4, "return -arg;", "return (-arg);"},
	{5, "int lo=arg; if(arg<0) lo=0-arg; return lo;", "return Phi(Region,(0-arg),arg);"},
	{5, "int s=10; if(arg>100) s=20; else s=30; return s+1;", "return (Phi(Region,20,30)+1);"},
	{5, "int k=arg*2; if(arg) k=arg*3; else k=arg*4; return k;", "return (arg*Phi(Region,3,4));"},
	{5, "int s=1; int u=2; if(arg==4) { int q=s; s=u; u=q; } return s*10+u;", "return ((Phi(Region,2,1)*10)+Phi(Region,1,2));"},
	{5, "if(arg<7) return arg; else return 7;", "Stop[ return arg; return 7; ]"},
	{5, "int k=5; if(1<2) k=6; return k;", "return Phi(Region,6,5);"},
	{6, "int k=5; if(1<2) k=6; return k;", "return 6;"},
	{6, "int k=0; if(false) k=arg; return k+3;", "return 3;"},
	{6, "if(3>2) return arg*2; arg=1; return arg;", "return (arg*2);"},
	{6, "int k=0; if(arg) { k=1; if(arg) k=k+1; } return k;", "return Phi(Region,2,0);"},
	{6, "int s=10; if(arg>100) s=20; else s=30; return s+1;", "return Phi(Region,21,31);"},
	{6, "int a=1; if(arg) a=2; if(arg) a=3; return a;", "return Phi(Region,3,Phi(Region,2,1));"},
	{7, "int f=1; while(arg>1) { f=f*arg; arg=arg-1; } return f;", "return Phi(Loop,1,(Phi_f*Phi(Loop,arg,(Phi_arg-1))));"},
	{7, "int keep=4; while(arg) { int t=keep; arg=arg-1; keep=t; } return keep;", "return 4;"},
	{7, "int z=3; while(arg) arg=arg-z; return arg;", "return Phi(Loop,arg,(Phi_arg-3));"},
	{7, "while(0) arg=1; return arg;", "return arg;"},
	{7, "while(1) arg=arg+1; return arg;", "Stop[ ]"},
	{7, "while(arg) return 3; return 4;", "Stop[ return 3; return 4; ]"},
	{8, "int n=0; while(1) { if(n*n>=arg) break; n=n+1; } return n;", "return Phi(Loop,0,(Phi_n+1));"},
	{8, "int a=0; int b=1; while(arg>0) { int t=a+b; a=b; b=t; arg=arg-1; } return a;", "return Phi(Loop,0,Phi(Loop,1,(Phi_b+Phi_a)));"},
	{8, "while(arg<100) { arg=arg*2; if(arg==64) break; } return arg;", "return Phi(Region,Phi(Loop,arg,(Phi_arg*2)),Mul);"},
	{8, "if(arg) return 1; arg=2;", "return 1;"},
	{8, "int x=arg+1; int y=1+arg; return x==y;", "return ((arg+1)==(arg+1));"},
	{9, "return (arg*4+1)-(arg*4+1);", "return 0;"},
	{9, "int inc=2; while(arg<50) { arg=arg+inc; inc=2; } return arg;", "return Phi(Loop,arg,(Phi_arg+2));"},
	{9, "int on=0; while(arg>0) { if(on) arg=arg-5; arg=arg-1; } return arg;", "return Phi(Loop,arg,(Phi_arg-1));"},
	{9, "int x=arg+1; int y=1+arg; return x==y;", "return 1;"},
	{9, "return arg*3+arg*3;", "return ((arg*3)*2);"},
	{9, "int k=4; int n=6; while(n) { n=n-1; if(k==9) k=k+1; } return k;", "return Phi(Loop,4,Phi(Region,(Phi_k+1),Phi_k));"},
	{11, "int i=0; int s=0; while(i<arg) { s=s+arg/3; i=i+1; } return s;", "return Phi(Loop,0,(Phi_s+(arg/3)));"},
	{11, "while(1) { arg=arg+1; }", "return 0;"},
	{11, "if(arg) return 3;", "Stop[ return 3; return 0; ]"},
	{11, "return arg; // end", "return arg;"},
}

func TestPrints(t *testing.T) {
	for _, tt := range prints {
		t.Run(tt.src, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, printed(t, tt.src, Options{Level: tt.level, Check: true})); diff != "" {
				t.Errorf("level %d (-want +got):\n%s", tt.level, diff)
			}
		})
	}
}

// The same with nothing replaced.
var rawPrints = []struct {
	level int
	src   string
	want  string
}{
	{2, "return -(4+5)*2;", "return ((-(4+5))*2);"},
	{2, "return 20-5-3;", "return ((20-5)-3);"},
	{2, "return 1+2*3+-5;", "return ((1+(2*3))+(-5));"},
	{3, "int n=2; { int k=n*n; n=k+1; } return n;", "return ((2*2)+1);"},
}

func TestRawPrints(t *testing.T) {
	for _, tt := range rawPrints {
		if diff := cmp.Diff(tt.want, printed(t, tt.src, Options{Level: tt.level, Raw: true})); diff != "" {
			t.Errorf("level %d: %s (-want +got):\n%s", tt.level, tt.src, diff)
		}
	}
}

func printed(t *testing.T, src string, opts Options) string {
	t.Helper()
	funcs, diags := Parse(source.NewFile("test.smp", []byte(src)), opts)
	if diags.Any() {
		t.Fatal(diags.Error())
	}
	f := funcs[0]
	if err := f.Graph.Verify(); err != nil {
		t.Fatal(err)
	}
	f.Engine.Run()
	f.Engine.Exits()
	if err := f.Graph.Verify(); err != nil {
		t.Fatal(err)
	}
	return f.Graph.Stop.String()
}

func TestExamples(t *testing.T) {
	for _, m := range Messages {
		if m.Example == "" {
			continue
		}
		t.Run(m.Code, func(t *testing.T) {
			diags := reports(source.NewFile("test.smp", []byte(m.Example)), Options{Level: m.Level})
			var codes []string
			for _, d := range diags.List() {
				codes = append(codes, d.Code)
			}
			if diff := cmp.Diff([]string{m.Code}, codes); diff != "" {
				t.Errorf("%s (-want +got):\n%s\n%s", m.Example, diff, diags.Error())
			}
		})
	}
}
