package amd64

import "shoal/codegen/mach"

// The run-time stubs are what an executable needs besides the program: its start, its
// end, and its faults. They are written by hand, with physical registers, through the
// same table of forms as everything else. A '$' keeps their names apart from the
// program's own. Between each other they pass values as their comments say; only what
// the program calls keeps to the System V convention.

// Symbols of the stubs that the driver names, and those that it must provide.
const (
	Start         = "shoal$start"       // entry of an executable
	StartPrinting = "shoal$start.print" // the same, but prints the whole result
	Serve         = "shoal$serve"       // entry of the server of package exec
	FaultPrefix   = "shoal$fault."      // and a name of Faults: called where a fault happens

	Main  = "main"        // provided: the program
	Code  = "shoal$code"  // provided: the start of the program's code
	File  = "shoal$file"  // provided: name of the source file, ended by a 0
	Sites = "shoal$sites" // provided: see Site
)

// MaxFileName bounds the name in File, in bytes, so that a fault's line fits its buffer.
const MaxFileName = 4096

// A Site says where in the source a piece of code comes from: it holds from Offset on, in
// bytes from Code, up to the Offset of the next site. The table has these three as 32-bit
// words, by ascending Offset, and ends with a site at EndOfSites.
type Site struct{ Offset, Line, Column uint32 }

// EndOfSites is the Offset of the last, dummy site.
const EndOfSites = 1<<32 - 1

// A Fault is a way in which a program ends by itself (semantics §10). The code of a check
// that fails calls FaultPrefix + Name, with up to two numbers in rdi and rsi, and does not
// get control back; the call's own address tells the place in the source.
type Fault struct {
	Name string
	Text string // each % stands for the next number
}

// Faults has a row for each kind of fault.
var Faults = [...]Fault{
	{"index", "index % is outside array of length %"},
	{"length", "array length % is negative"},
	{"memory", "out of memory"},
	{stackFault, "stack overflow"},
}

const stackFault = "stack" // raised by the signal handler, not by a call

// A Datum is constant or variable data of the stubs.
type Datum struct {
	Name  string
	Bytes []byte // constant
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
		startStub(Start, false), startStub(StartPrinting, true), argumentStub(), badArgumentStub(),
		stackStub(), handlerStub(), restorerStub(),
		putStub(), putTextStub(), digitsStub(), printStub(),
		dieStub(), abortStub(), siteStub(), copyStub(), appendNumberStub(),
		serveStub(),
	}
	for _, f := range Faults {
		if f.Name != stackFault {
			fs = append(fs, faultStub(f.Name))
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
	}
	for _, f := range Faults {
		ds = append(ds, Datum{Name: faultText + f.Name, Bytes: append([]byte(f.Text), 0)})
	}
	for _, t := range texts {
		ds = append(ds, Datum{Name: word + t.name, Bytes: append([]byte(t.text), 0)})
	}
	return ds
}
