package amd64

import (
	"shoal/codegen/mach"
	"shoal/node"
)

// The run-time stubs are what an executable needs besides the program: its start, its
// heap, its end, and its faults. They are written by hand, with physical registers, through the
// same table of forms as everything else. A '$' keeps their names apart from the
// program's own. Between each other they pass values as their comments say; only what
// the program calls keeps to the System V convention.

// Symbols of the stubs that the driver names, and those that it must provide.
const (
	Start         = "shoal$start"       // entry of an executable
	StartPrinting = "shoal$start.print" // the same, but prints the whole result
	StartTelling  = "shoal$start.tell"  // the same, but tells the parent the whole result
	Serve         = "shoal$serve"       // entry of the server of package exec
	FaultPrefix   = "shoal$fault."      // and a name of node.Faults, see faultStub

	WordMain = "shoal$main"  // provided: the program with its result in rax, see MainStub
	Code     = "shoal$code"  // provided: the start of the program's code
	File     = "shoal$file"  // provided: name of the source file, ended by a 0
	Sites    = "shoal$sites" // provided: see Site
)

// MaxFileName bounds the name in File, in bytes, so that a fault's line fits its buffer.
const MaxFileName = 4096

// A Site says where in the source a piece of code comes from: it holds from Offset on, in
// bytes from Code, up to the Offset of the next site. The table has these three as 32-bit
// words, by ascending Offset, and ends with a site at EndOfSites.
type Site struct{ Offset, Line, Column uint32 }

// EndOfSites is the Offset of the last, dummy site.
const EndOfSites = 1<<32 - 1

// A Datum is constant or variable data of the stubs.
type Datum struct {
	Name  string
	Bytes []byte // constant
	Align int64  // of Bytes, in bytes; 0 means 1
	Zero  int64  // if there are no Bytes: the size in bytes of a variable that starts as zero
}

// Data of the stubs, by name.
const (
	guard     = "shoal$guard"    // two words: where the guard region starts and ends
	altStack  = "shoal$altstack" // on which the signal handler runs
	line      = "shoal$line"     // in which the text of a fault is put together
	faultText = "shoal$text."    // and the name of a fault
	word      = "shoal$word."    // and the name of another text
)

const (
	altStackSize = 64 << 10 // more than the signal frame of any machine: 12 KiB with AMX
	lineSize     = MaxFileName + 512
)

// texts between other texts.
var texts = [...]struct{ name, text string }{
	{"colon", ":"},
	{"fault", ": fault: "},
	{"argument", ": the argument is not a decimal 64-bit integer: "},
	{"newline", "\n"},
}

// Stubs makes all run-time functions; a program links those that it reaches. They are
// ready for Target.Encode.
func Stubs() []*mach.Func {
	fs := []*mach.Func{
		startStub(Start, silent), startStub(StartPrinting, prints), startStub(StartTelling, tells), tellStub(), argumentStub(), badArgumentStub(),
		stackStub(), handlerStub(), restorerStub(),
		putStub(), putTextStub(), digitsStub(), printStub(),
		dieStub(), abortStub(), siteStub(), copyStub(), appendNumberStub(),
		serveStub(),
	}
	for f := range node.NumFaults {
		switch f {
		case node.FaultStack: // raised by the signal handler, not by a call
		case node.FaultMemory:
			fs = append(fs, memoryStub())
		default:
			fs = append(fs, faultStub(f))
		}
	}
	return fs
}

// StubData is the data that Stubs refer to, besides what the driver provides.
func StubData() []Datum {
	ds := []Datum{
		{Name: guard, Zero: 16},
		{Name: altStack, Zero: altStackSize},
		{Name: line, Zero: lineSize},
		{Name: heap, Zero: heapSize},
	}
	for _, f := range node.Faults {
		ds = append(ds, Datum{Name: faultText + f.Name, Bytes: append([]byte(f.Text), 0)})
	}
	for _, t := range texts {
		ds = append(ds, Datum{Name: word + t.name, Bytes: append([]byte(t.text), 0)})
	}
	return ds
}
