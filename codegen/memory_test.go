package codegen

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"
	osexec "os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"shoal/codegen/exec"
)

// An ended program, as its caller sees it.
type ended struct {
	Status int
	Stderr string
}

// arrays has a main that makes an array of n bytes and one of five words, in text.
const arrays = `func main(n)
e:
 neg = lt n, 0
 cbr neg, bad(), good()
bad:
 fault length n
good:
 p = newarray 0, n
 q = newarray 3, 5
 store i64 q, 40, 7
 x = load i64 q, 40
 l = load u32 p, 0
 h = shr l, 28
 r = add x, h
 ret r
`

// endless has a main that makes arrays of eight million bytes and writes to each.
const endless = `func main(n)
e:
 br h(0)
h(i):
 t = lt i, n
 cbr t, b(), x()
b:
 p = newarray 3, 1000000
 store i64 p, 8, i
 i1 = add i, 1
 br h(i1)
x:
 ret i
`

// noRoom is what either says if its first array finds no room: it is in line 9 of the text.
const noRoom = "t.ssa:9:2: fault: out of memory\n"

func TestAllocation(t *testing.T) {
	needHost(t)
	b, err := compile(t, parse(t, arrays)).Executable(false)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		arg  int64
		want ended
	}{
		{0, ended{7, ""}},
		{5, ended{7, ""}},
		{1 << 28, ended{8, ""}},
		{-1, ended{statusAbort, "t.ssa:7:2: fault: array length -1 is negative\n"}},
		{1 << 32, ended{statusAbort, noRoom}},
		{1<<32 + 1, ended{statusAbort, noRoom}},
		{math.MaxInt64, ended{statusAbort, noRoom}},
	}
	for _, tt := range tests {
		var stderr bytes.Buffer
		status, err := exec.Run(b, []string{"t", fmt.Sprint(tt.arg)}, nil, nil, &stderr)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.want, ended{status, stderr.String()}); diff != "" {
			t.Errorf("%d (-want +got):\n%s", tt.arg, diff)
		}
	}
}

// TestHugeObjects asks for objects beyond the reach of a displacement, and for such that no
// memory holds.
func TestHugeObjects(t *testing.T) {
	needHost(t)
	const enough = 8 << 30
	if m := totalMemory(t); m < enough {
		t.Skipf("the machine has %d bytes of memory, less than %d", m, int64(enough))
	}
	for _, size := range []string{"2147483640", "2147483647", "2147483648", "5000000000", "4611686018427387904"} {
		b, err := compile(t, parse(t, "func main(n)\ne:\n p = new "+size+"\n store i8 p, 2147483600, n\n x = load i8 p, 2147483600\n ret x\n")).Executable(false)
		if err != nil {
			t.Fatal(err)
		}
		want := ended{statusAbort, "t.ssa:4:2: fault: out of memory\n"}
		if len(size) == 10 {
			want = ended{Status: 5}
		}
		var stderr bytes.Buffer
		status, err := exec.Run(b, []string{"t", "5"}, nil, nil, &stderr)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, ended{status, stderr.String()}); diff != "" {
			t.Errorf("%s bytes (-want +got):\n%s", size, diff)
		}
	}
}

// TestLittleMemory runs under a bound on the address space.
func TestLittleMemory(t *testing.T) {
	needHost(t)
	bash, err := osexec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not installed")
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"arrays": arrays, "endless": endless} {
		b, err := compile(t, parse(t, text)).Executable(false)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct {
		limit   int // in KiB
		command string
		want    ended
	}{
		{1_000_000, "arrays 100000000", ended{7, ""}},
		{1_000_000, "arrays 1000000000", ended{statusAbort, noRoom}},
		{30_000, "arrays 10", ended{7, ""}},
		{1_000_000, "endless 10", ended{10, ""}},
		{300_000, "endless 1000000000", ended{statusAbort, noRoom}},
	}
	for _, tt := range tests {
		cmd := osexec.Command(bash, "-c", fmt.Sprintf("ulimit -v %d; ./%s 2>err; echo $?", tt.limit, tt.command))
		cmd.Dir = dir
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		stderr, err := os.ReadFile(filepath.Join(dir, "err"))
		if err != nil {
			t.Fatal(err)
		}
		got := ended{Stderr: string(stderr)}
		if _, err := fmt.Sscan(string(out), &got.Status); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s within %d KiB (-want +got):\n%s", tt.command, tt.limit, diff)
		}
	}
}

// TestTelling lets programs tell their results: a number, a float, an object.
func TestTelling(t *testing.T) {
	needHost(t)
	word := func(w uint64, _ io.ReaderAt) (string, error) { return fmt.Sprint(int64(w)), nil }
	float := func(w uint64, _ io.ReaderAt) (string, error) { return fmt.Sprint(math.Float64frombits(w)), nil }
	object := func(w uint64, memory io.ReaderAt) (string, error) {
		var b [16]byte
		_, err := memory.ReadAt(b[:], int64(w))
		return fmt.Sprint(int64(binary.LittleEndian.Uint64(b[:])), binary.LittleEndian.Uint32(b[8:])), err
	}
	tests := []struct {
		name, text string
		show       func(uint64, io.ReaderAt) (string, error)
		want       string
		status     int
	}{
		{"word", " ret n\n", word, "-3", 253},
		{"float", " f = i2f n\n g = fdiv f, 2.0\n ret g\n", float, "-1.5", 0},
		{"object", " p = new 16\n store i64 p, 0, n\n store i32 p, 8, 42\n ret p\n", object, "-3 42", -1},
		{"fault", " fault length n\n", word, "", statusAbort},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b, err := compile(t, parse(t, "func main(n)\ne:\n"+tt.text)).TellingExecutable()
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			status, err := exec.RunTelling(b, []string{"t", "-3"}, nil, nil, nil, func(w uint64, memory io.ReaderAt) {
				if got, err = tt.show(w, memory); err != nil {
					t.Error(err)
				}
			})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if tt.status >= 0 && status != tt.status {
				t.Errorf("status %d, want %d", status, tt.status)
			}
		})
	}
}

// TestServerMemory reads an object that a call has returned, call after call, with a fault
// between: each call has a heap of its own.
func TestServerMemory(t *testing.T) {
	s := newServer(t)
	p := compile(t, parse(t, "func main(n)\ne:\n p = new 24\n old = load i64 p, 16\n s = add old, n\n store i64 p, 16, s\n neg = lt n, 0\n cbr neg, bad(), good()\nbad:\n fault length n\ngood:\n ret p\n"))
	image, err := p.Image()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Load(image.Bytes, image.Size); err != nil {
		t.Fatal(err)
	}
	entry, ok := image.Offset(WordMain)
	if !ok {
		t.Fatal("there is no main")
	}
	for _, n := range []int64{5, 6, -1, 7} {
		got, err := s.Call(entry, []int64{n}, 10e9)
		if n < 0 {
			want := "the function ended its process with status 134: t.ssa:11:2: fault: array length -1 is negative\n"
			if err == nil || err.Error() != want {
				t.Errorf("%d: %v, want %s", n, err, want)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		var b [8]byte
		if _, err := s.Memory().ReadAt(b[:], got[0]+16); err != nil {
			t.Fatal(err)
		}
		if field := int64(binary.LittleEndian.Uint64(b[:])); field != n {
			t.Errorf("%d: the object has %d", n, field)
		}
	}
}

// totalMemory is the size of the machine's memory in bytes.
func totalMemory(t *testing.T) (bytes int64) {
	t.Helper()
	text, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		t.Skip("there is no /proc/meminfo")
	}
	if _, err := fmt.Sscanf(string(text), "MemTotal: %d kB", &bytes); err != nil {
		t.Fatal(err)
	}
	return bytes << 10
}
