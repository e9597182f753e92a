package shoal_test

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"shoal/internal/smith"
)

// batchC is how many programs go into one C file.
const batchC = 400

// A caseC is a program that C has to agree with.
type caseC struct {
	number  int64
	program *smith.Program
	args    []int64
	want    []int64
}

// A compilerC is the C compiler of the host.
type compilerC struct {
	path string
	dir  string
}

// newCompilerC finds the C compiler; nil, with a message, if there is none.
func newCompilerC(tb testing.TB) *compilerC {
	tb.Helper()
	for _, name := range []string{"gcc", "cc", "clang"} {
		if path, err := exec.LookPath(name); err == nil {
			return &compilerC{path, tb.TempDir()}
		}
	}
	tb.Log("no C compiler here: nothing is compared with C")
	return nil
}

// check compiles all cases as one C program and compares the results.
func (c *compilerC) check(cases []caseC) error {
	var text strings.Builder
	text.WriteString(smith.CPrelude)
	for i := range cases {
		text.WriteString("static " + cases[i].program.C(fmt.Sprintf("f%d", i)))
	}
	text.WriteString("int main(void) {\n")
	for i := range cases {
		for _, arg := range cases[i].args {
			fmt.Fprintf(&text, "printf(\"%%\" PRId64 \"\\n\", f%d((I)UINT64_C(%d)));\n", i, uint64(arg))
		}
	}
	text.WriteString("return 0;\n}\n")
	out, err := c.run(text.String(), fmt.Sprintf("batch%d", cases[0].number))
	if err != nil {
		return err
	}
	results := bufio.NewScanner(bytes.NewReader(out))
	for _, k := range cases {
		for i, arg := range k.args {
			if !results.Scan() {
				return fmt.Errorf("program %d: C ended early", k.number)
			}
			if got := fmt.Sprint(k.want[i]); results.Text() != got {
				return fmt.Errorf("program %d for argument %d: C gives %s, the evaluator %s\n%s", k.number, arg, results.Text(), got, indent(k.program.Text(languageLevels)))
			}
		}
	}
	return nil
}

// run compiles and runs a C program and returns what it prints. Loops without effects
// have to stay, and integers wrap.
func (c *compilerC) run(text, name string) ([]byte, error) {
	src, bin := filepath.Join(c.dir, name+".c"), filepath.Join(c.dir, name)
	if err := os.WriteFile(src, []byte(text), 0o666); err != nil {
		return nil, err
	}
	defer os.Remove(src)
	defer os.Remove(bin)
	if out, err := exec.Command(c.path, "-w", "-O1", "-fwrapv", "-o", bin, src).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s: %v\n%s", c.path, err, out)
	}
	out, err := exec.Command(bin).Output()
	if err != nil {
		return nil, fmt.Errorf("run C: %w", err)
	}
	return out, nil
}
