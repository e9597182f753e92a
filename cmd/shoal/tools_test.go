package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// counting counts the primes up to arg: 10 up to 30, 4 up to 10.
const counting = `int count=0; int n=2;
while(n<=arg) {
    int d=2; int prime=1;
    while(d*d<=n) { if((n/d)*d==n) { prime=0; break; } d=d+1; }
    count=count+prime; n=n+1;
}
return count;
`

// builtHere makes what the tools of the host are to look at: an executable and an object of
// a program, and an object of linear SSA.
func builtHere(t *testing.T) {
	t.Helper()
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skipf("native code is run on linux and amd64, not on %s and %s", runtime.GOOS, runtime.GOARCH)
	}
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"primes.smp": counting,
		"two.ssa":    "form args\nfunc less(a, b)\ne:\n  d = sub a, b\n  ret d\nfunc twice(a)\ne:\n  d = add a, a\n  ret d\n",
		"driver.c": `#include <stdio.h>
long less(long, long), twice(long);
int main(void) { printf("%ld %ld\n", less(7, 1L << 40), twice(-21)); return 0; }
`,
	} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, line := range []string{"build primes.smp", "build -c primes.smp", "ssa build -c two.ssa"} {
		var out bytes.Buffer
		if status := run(strings.Fields(line), strings.NewReader(""), &out, &out); status != 0 {
			t.Fatalf("shoal %s: status %d: %s", line, status, out.String())
		}
	}
}

// ask runs a tool of the host; one that is not installed is skipped.
func ask(t *testing.T, words ...string) string {
	t.Helper()
	if _, err := exec.LookPath(words[0]); err != nil {
		t.Skipf("%s is not installed", words[0])
	}
	c := exec.Command(words[0], words[1:]...)
	c.Env = append(os.Environ(), "DEBUGINFOD_URLS=", "LC_ALL=C")
	out, err := c.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return string(out)
}

// TestTools asks debuggers and binary tools what they see in an executable and an object.
func TestTools(t *testing.T) {
	builtHere(t)
	tests := []struct {
		name  string
		words []string
		want  []string
		never string
	}{
		{"gdb stops in main", []string{"gdb", "-batch", "-nx", "-ex", "break main", "-ex", "run 30", "-ex", "info symbol $pc", "-ex", "bt", "-ex", "continue", "primes"},
			[]string{"main in section .text", "#0 ", " in main ()", "exited with code 012"}, "warning"},
		{"objdump names functions", []string{"objdump", "-d", "primes"}, []string{"<main>:", "<shoal$start>:", "call ", "<main>\n"}, "(bad)"},
		{"objdump of an object", []string{"objdump", "-dr", "two.o"}, []string{"<less>:", "<twice>:", "ret"}, "(bad)"},
		{"valgrind", []string{"valgrind", "./primes", "30"}, []string{"ERROR SUMMARY: 0 errors"}, "nrecognised"},
		{"readelf: segments", []string{"readelf", "-lW", "primes"}, []string{" R E 0x", " RW  0x1000", "GNU_STACK"}, "RWE"},
		{"readelf: symbols", []string{"readelf", "-sW", "primes"}, []string{" FUNC    GLOBAL DEFAULT ", " main\n"}, "arning"},
		{"readelf: object", []string{"readelf", "-SsW", "primes.o"}, []string{".note.GNU-stack", " FUNC    GLOBAL DEFAULT ", " main\n"}, "arning"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := ask(t, tt.words...)
			for _, want := range tt.want {
				if !strings.Contains(got, want) {
					t.Errorf("no %q in\n%s", want, got)
				}
			}
			if strings.Contains(got, tt.never) {
				t.Errorf("%q in\n%s", tt.never, got)
			}
		})
	}
}

// TestObjectsLink links objects with the C compiler: main of an object is a main that C's
// start-up calls, with the number of words on its command line; other functions are called
// from C.
func TestObjectsLink(t *testing.T) {
	builtHere(t)
	for _, words := range []string{"cc -Wl,--fatal-warnings -o counted primes.o", "cc -Wl,--fatal-warnings -o driver driver.c two.o"} {
		if out := ask(t, strings.Fields(words)...); out != "" {
			t.Errorf("%s: %s", words, out)
		}
	}
	if diff := cmp.Diff("-1099511627769 -42\n", ask(t, "./driver")); diff != "" {
		t.Errorf("driver (-want +got):\n%s", diff)
	}
	c := exec.Command("./counted", strings.Fields("1 2 3 4 5 6 7 8 9")...) // ten words with the name
	if err := c.Run(); c.ProcessState == nil || c.ProcessState.ExitCode() != 4 {
		t.Errorf("there are 4 primes up to 10: %v", err)
	}
}

// TestRunBecomesTheProgram runs shoal run in a process of its own, where it becomes the
// program: output and status are the program's, and no file is left behind.
func TestRunBecomesTheProgram(t *testing.T) {
	builtHere(t)
	temporary := t.TempDir()
	c := exec.Command(os.Args[0], "-test.run=^TestBeTheCommand$")
	c.Env = append(os.Environ(), asProcess+"=run --print-result primes.smp 3000", "TMPDIR="+temporary)
	out, err := c.Output()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if diff := cmp.Diff("430\n", string(out)); diff != "" { // 430 primes up to 3000
		t.Errorf("output (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(430%256, c.ProcessState.ExitCode()); diff != "" {
		t.Errorf("status (-want +got):\n%s", diff)
	}
	left, err := filepath.Glob(filepath.Join(temporary, "*"))
	if err != nil || len(left) > 0 {
		t.Errorf("files are left: %v, %v", left, err)
	}
}
