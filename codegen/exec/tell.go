package exec

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	osexec "os/exec"
	"strconv"
)

// RunTelling is Run for an executable that tells its whole result before it ends. onResult
// gets it, as a word, and while it runs the program waits, so that its memory can be read by
// address. It is not called if the program ends otherwise: by a fault, for instance.
func RunTelling(image []byte, argv []string, stdin io.Reader, stdout, stderr io.Writer, onResult func(word uint64, memory io.ReaderAt)) (status int, err error) {
	result, toParent, err := os.Pipe()
	if err != nil {
		return 0, fmt.Errorf("run %s: %w", argv[0], err)
	}
	defer result.Close()
	toChild, done, err := os.Pipe()
	if err != nil {
		toParent.Close()
		return 0, fmt.Errorf("run %s: %w", argv[0], err)
	}
	defer done.Close()
	template := &osexec.Cmd{
		Args: argv, Stdin: stdin, Stdout: stdout, Stderr: stderr, SysProcAttr: dieWithParent(),
		ExtraFiles: []*os.File{toParent, toChild},
	}
	return runLike(template, image, func(cmd *osexec.Cmd) {
		toParent.Close() // the child has its own
		toChild.Close()
		if cmd == nil {
			return
		}
		var word [8]byte
		if _, err := io.ReadFull(result, word[:]); err == nil { // else it ended before
			tell(binary.LittleEndian.Uint64(word[:]), processMemory(cmd.Process.Pid), onResult)
		}
		done.Close()
	})
}

// tell calls onResult with the memory open, so that each of many reads is cheap.
func tell(word uint64, memory processMemory, onResult func(uint64, io.ReaderAt)) {
	f, err := memory.open()
	if err != nil {
		onResult(word, memory) // its reads will say why
		return
	}
	defer f.Close()
	onResult(word, f)
}

// processMemory reads the memory of a process that this one has started (proc(5)).
type processMemory int

func (pid processMemory) open() (*os.File, error) {
	return os.Open("/proc/" + strconv.Itoa(int(pid)) + "/mem")
}

// ReadAt implements io.ReaderAt; off is an address.
func (pid processMemory) ReadAt(b []byte, off int64) (int, error) {
	f, err := pid.open()
	if err != nil {
		return 0, err
	}
	n, err := f.ReadAt(b, off)
	return n, errors.Join(err, f.Close())
}
