package exec

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	osexec "os/exec"
	"time"
)

// A Server is a process that calls functions for us, many more a second than processes
// can be started. The code lies in memory that both share; a byte over a pipe each way
// says "go" and "done". It is not safe for use by several goroutines: give each its own.
//
// The alternative, a call inside this process, would run foreign code on a thread of the
// Go runtime, which preempts and unwinds threads by signals, and could never get back from
// an endless loop.
type Server struct {
	image  []byte // the executable of the server
	shared *os.File
	memory []byte // shared, mapped here
	cmd    *osexec.Cmd
	to     *os.File // requests
	from   *os.File // answers
	errors bytes.Buffer
}

// The words of the head of the shared memory, 8 bytes each; the machine's server stub
// knows them as well. The arguments follow, each replaced by the result of its call; the
// code starts after the head.
const (
	wordMapped  = 0 // bytes that the server maps, read once at its start
	wordEntry   = 1 // offset of the function from the start of the shared memory
	wordCount   = 2 // how many arguments
	wordDone    = 3 // how many calls have returned
	wordSeconds = 4 // after how long the server ends itself if nobody else does
	wordHeap    = 5 // offset of the variables of the code's heap, 0 if there are none
	wordStart   = 6 // where the heap of the last call starts, 0 if it had none
	firstArg    = 8
	HeadSize    = 4096 // bytes, a page
	MaxArgs     = HeadSize/8 - firstArg
)

// firstMemory is the shared memory of a new server in bytes; it grows with the programs.
const firstMemory = 1 << 20

// ErrTimeout says that a function was still running when its time was over.
var ErrTimeout = errors.New("time is over")

// A CrashError says that a function ended the server: by a fault, for instance.
type CrashError struct {
	Status int    // as Run reports it: 134 for a fault
	Stderr string // what it wrote there
}

func (e *CrashError) Error() string {
	return fmt.Sprintf("the function ended its process with status %d: %s", e.Status, e.Stderr)
}

// NewServer starts a server; image is the executable of one.
func NewServer(image []byte) (*Server, error) {
	s := &Server{image: image}
	if err := s.grow(firstMemory); err != nil {
		return nil, fmt.Errorf("start the server: %w", err)
	}
	return s, nil
}

// grow makes the shared memory size bytes large and empties it; the server is started
// again with the next call.
func (s *Server) grow(size int) error {
	if err := s.Close(); err != nil {
		return err
	}
	f, err := memoryFile("shoal-code")
	if err != nil {
		return err
	}
	if err := f.Truncate(int64(size)); err != nil {
		f.Close()
		return err
	}
	b, err := mapShared(f, size)
	if err != nil {
		f.Close()
		return err
	}
	s.shared, s.memory = f, b
	s.setWord(wordMapped, int64(size))
	return nil
}

func (s *Server) word(i int) int64 { return int64(binary.LittleEndian.Uint64(s.memory[8*i:])) }

func (s *Server) setWord(i int, v int64) { binary.LittleEndian.PutUint64(s.memory[8*i:], uint64(v)) }

// launch starts the process.
func (s *Server) launch() error {
	toChild, to, err := os.Pipe()
	if err != nil {
		return err
	}
	defer toChild.Close()
	from, fromChild, err := os.Pipe()
	if err != nil {
		to.Close()
		return err
	}
	defer fromChild.Close()
	s.errors.Reset()
	cmd := &osexec.Cmd{
		Args: []string{"shoal-server"}, Stdin: toChild, Stdout: fromChild, Stderr: &s.errors,
		ExtraFiles: []*os.File{s.shared},
	}
	if s.cmd, err = start(cmd, s.image); err != nil {
		to.Close()
		from.Close()
		s.cmd = nil
		return err
	}
	s.to, s.from = to, from
	s.setWord(wordStart, 0)
	return nil
}

// Load copies code into the memory of the server and reserves size bytes for it, those
// beyond the code being zero. The code begins with a word: where its heap's variables are,
// or 0 if it has none.
func (s *Server) Load(code []byte, size int64) error {
	if need := HeadSize + size; need > int64(len(s.memory)) {
		if err := s.grow(int(2 * need)); err != nil {
			return fmt.Errorf("make room for %d bytes of code: %w", size, err)
		}
	}
	n := copy(s.memory[HeadSize:], code)
	clear(s.memory[HeadSize+n : HeadSize+size])
	heap := s.word(HeadSize / 8)
	if heap != 0 {
		heap += HeadSize
	}
	s.setWord(wordHeap, heap)
	return nil
}

// Call calls the function at offset entry of the code once for each argument and returns
// the results of the calls that returned, all of them if err is nil. Each call has a heap of
// its own, which stays until the next; other data of the loaded code keeps its value from
// call to call. limit bounds all calls together. A fault is a CrashError; the server starts
// again with the next call.
func (s *Server) Call(entry int64, args []int64, limit time.Duration) ([]int64, error) {
	if len(args) > MaxArgs {
		return nil, fmt.Errorf("%d arguments at once; at most %d are possible", len(args), MaxArgs)
	}
	if s.cmd == nil {
		if err := s.launch(); err != nil {
			return nil, fmt.Errorf("start the server: %w", err)
		}
	}
	s.setWord(wordEntry, HeadSize+entry)
	s.setWord(wordCount, int64(len(args)))
	s.setWord(wordDone, 0)
	// The server's own clock only matters if this process is killed; be generous.
	s.setWord(wordSeconds, int64(limit/time.Second)*2+10)
	for i, a := range args {
		s.setWord(firstArg+i, a)
	}
	err := s.roundTrip(limit)
	done := make([]int64, s.word(wordDone))
	for i := range done {
		done[i] = s.word(firstArg + i)
	}
	return done, err
}

// roundTrip tells the server to go and waits until it is done.
func (s *Server) roundTrip(limit time.Duration) error {
	var b [1]byte
	if _, err := s.to.Write(b[:]); err != nil {
		return s.crashed()
	}
	if err := s.from.SetReadDeadline(time.Now().Add(limit)); err != nil {
		return err
	}
	_, err := io.ReadFull(s.from, b[:])
	switch {
	case err == nil:
		return nil
	case errors.Is(err, os.ErrDeadlineExceeded):
		s.cmd.Process.Kill()
		s.crashed()
		return ErrTimeout
	}
	return s.crashed()
}

// Memory reads the memory of the server's process, by address: the objects that the result
// of the last call refers to.
func (s *Server) Memory() io.ReaderAt { return processMemory(s.cmd.Process.Pid) }

// crashed collects what is left of a server that has ended.
func (s *Server) crashed() error {
	err := s.cmd.Wait()
	status, err := exitStatus(s.cmd, err)
	s.to.Close()
	s.from.Close()
	s.cmd = nil
	if err != nil {
		return fmt.Errorf("wait for the server: %w", err)
	}
	return &CrashError{Status: status, Stderr: s.errors.String()}
}

// Close ends the process and frees the memory.
func (s *Server) Close() error {
	if s.cmd != nil {
		s.cmd.Process.Kill()
		s.crashed()
	}
	if s.shared == nil {
		return nil
	}
	err := errors.Join(unmap(s.memory), s.shared.Close())
	s.shared, s.memory = nil, nil
	return err
}
