package ssa_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"shoal/source"
	"shoal/ssa"
	"shoal/ssa/forms"
)

// outcome runs the first function of m, in any form, and tells the result or the error.
func outcome(m *ssa.Module, inputs ...int64) any {
	v, err := forms.Run(m.Funcs[0], 100_000, inputs...)
	if err != nil {
		return err.Error()
	}
	return v
}

func TestFloatsAndMemory(t *testing.T) {
	float := func(x float64) int64 { return int64(math.Float64bits(x)) }
	tests := []struct {
		file   string
		inputs []int64
		want   any
	}{
		{"newton.ssa", []int64{float(2), 6}, float(float64(float32(math.Sqrt2 + 3)))},
		{"newton.ssa", []int64{float(0.5), 0}, float(3.5)},
		{"sieve.ssa", []int64{100}, int64(25)},
		{"sieve.ssa", []int64{1000}, int64(168)},
		{"sieve.ssa", []int64{0}, int64(0)},
		{"sieve.ssa", []int64{-5}, "test.ssa:9:3: fault: array length -5 is negative"},
		{"sieve.ssa", []int64{1 << 32}, "test.ssa:11:3: fault: out of memory"},
		{"narrow.ssa", []int64{-1}, int64(-1 + 255 - 1 + 65535 + 4294967295 - 1 - 1)},
		{"narrow.ssa", []int64{1311768467463790320}, int64(-16 + 240 - 8464 + 57072 + 2596069104 - 1698898192 + 1311768467463790320)},
	}
	for _, tt := range tests {
		text := readFile(t, tt.file)
		m := parse(t, text)
		if diff := cmp.Diff(withoutComments(text), m.String()); diff != "" {
			t.Errorf("%s: print (-want +got):\n%s", tt.file, diff)
		}
		if errs := forms.ValidateModule(m); len(errs) > 0 {
			t.Errorf("%s: %v", tt.file, errs)
		}
		for to := range ssa.NumForms {
			c, err := forms.ConvertModule(m, to)
			if err != nil {
				t.Fatal(err)
			}
			if to != ssa.FormArgs {
				c = parse(t, c.String()) // the lines of faults are others then
				if _, isText := tt.want.(string); isText {
					continue
				}
			}
			if diff := cmp.Diff(tt.want, outcome(c, tt.inputs...)); diff != "" {
				t.Errorf("%s%v in form %s (-want +got):\n%s", tt.file, tt.inputs, to, diff)
			}
		}
	}
}

// TestFaultsAndWildAccesses are ends of runs that are no results.
func TestFaultsAndWildAccesses(t *testing.T) {
	tests := []struct{ name, body, want string }{
		{"an index", "  fault index -1, n\n", "test.ssa:4:3: fault: index -1 is outside array of length 7"},
		{"no memory", "  p = new 4611686018427387904\n  ret p\n", "test.ssa:4:3: fault: out of memory"},
		{"no stack", "  fault stack\n", "test.ssa:4:3: fault: stack overflow"},
		{"null", "  x = load i64 0, 8\n  ret x\n", "f: access to address 0x8, where no object is"},
		{"behind the end", "  p = new 8\n  store i64 p, 4, n\n  ret 0\n", "f: access to address 0x10004, where no object is"},
	}
	for _, tt := range tests {
		m := parse(t, "form args\nfunc f(n)\ne:\n"+tt.body)
		if errs := m.Funcs[0].Validate(); len(errs) > 0 {
			t.Errorf("%s: %v", tt.name, errs)
		}
		_, err := ssa.NewInterp(m.Funcs[0]).Run(100, 7)
		if err == nil {
			t.Errorf("%s: no error", tt.name)
			continue
		}
		if diff := cmp.Diff(tt.want, err.Error()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestFloatText(t *testing.T) {
	tests := []struct{ in, want string }{
		{"1.5", "1.5"}, {"-0.0", "-0.0"}, {"1e5", "100000.0"}, {"2.5E-7", "2.5e-07"}, {"1e+300", "1e+300"},
		{"inf", "inf"}, {"-inf", "-inf"}, {"nan", "nan"}, {"0.1", "0.1"}, {"5e-324", "5e-324"}, {"100.0", "100.0"},
	}
	for _, tt := range tests {
		got := parse(t, "form args\nfunc f()\ne:\n ret "+tt.in+"\n").String()
		if diff := cmp.Diff("form args\n\nfunc f()\ne:\n  ret "+tt.want+"\n", got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.in, diff)
		}
	}
}

func TestMemoryParseErrors(t *testing.T) {
	tests := []struct{ name, line, want string }{
		{"float too large", "ret 1e999", `4:5: S0: 1e999 is no 64-bit number`},
		{"hexadecimal float", "ret 0x1p.4", `4:5: S0: 0x1p.4 is no 64-bit number`},
		{"no exponent", "ret 1e", `4:5: S0: 1e is no 64-bit number`},
		{"a word that is a number", "inf = add 1, 2", `4:1: S0: a name expected, not "inf"`},
		{"unknown storage", "x = load i63 n, 0", `4:10: S0: "i63" is no way to store a value`},
		{"no offset", "x = load i64 n", `4:15: S0: ',' expected, not the end of the line`},
		{"negative size", "x = new -1", `4:9: S0: the size of the object in bytes expected, not "-1"`},
		{"large elements", "x = newarray 4, n", `4:14: S0: the binary logarithm of the size of an element, 0 to 3, expected, not "4"`},
		{"store with a name", "x = store i64 n, 0, 1", `4:5: S0: "store" is no operation`},
		{"unknown fault", "fault arithmetic", `4:7: S0: "arithmetic" is no fault`},
		{"too few numbers", "fault index n", `4:14: S0: ',' expected, not the end of the line`},
		{"too many numbers", "fault length n, n", `4:15: S0: the end of the line expected, not ","`},
	}
	for _, tt := range tests {
		_, err := ssa.Parse(source.NewFile("f", []byte("form args\nfunc f(n)\ne:\n"+tt.line+"\n ret 0\n")))
		var ds *source.Diagnostics
		if !errors.As(err, &ds) {
			t.Errorf("%s: error %v", tt.name, err)
			continue
		}
		first, _, _ := strings.Cut(places(ds), "\n")
		if diff := cmp.Diff(tt.want, first); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestClasses(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"integer operand", "x = fadd f, 1\n ret 0", "T1: 1 is of class integer where class float is needed"},
		{"float operand", "x = add n, f\n ret 0", "T1: f is of class float where class integer is needed"},
		{"stored", "store f32 n, 0, n\n ret 0", "T1: n is of class integer where class float is needed"},
		{"stored integer", "store i32 n, 0, 1.0\n ret 0", "T1: 1.0 is of class float where class integer is needed"},
		{"reference", "x = load i64 f, 0\n ret 0", "T1: f is of class float where class integer is needed"},
		{"loaded", "x = load f64 n, 0\n y = add x, 1\n ret 0", "T1: x is of class float where class integer is needed"},
		{"length", "x = newarray 0, 2.0\n ret 0", "T1: 2.0 is of class float where class integer is needed"},
		{"test", "cbr f, a, a\na:\n ret 0", "T1: f is of class float where class integer is needed"},
		{"argument", "br a(f)\na(x):\n ret 0", "T1: f is of class float where class integer is needed"},
		{"float argument", "br a(0)\na(flt x):\n ret 0", "T1: 0 is of class integer where class float is needed"},
		{"number of a fault", "fault length f", "T1: f is of class float where class integer is needed"},
		{"results", "cbr n, a, b\na:\n ret f\nb:\n ret n", "T1: n is of class integer where class float is needed"},
		{"conversion", "x = i2f n\n y = i2f x\n ret 0", "T1: x is of class float where class integer is needed"},
		{"comparison", "x = flt f, 2.0\n y = add x, n\n ret y", ""},
		{"float results", "ret f", ""},
	}
	for _, tt := range tests {
		m := parse(t, "form args\nfunc g(flt f, n)\ne:\n "+tt.text+"\n")
		if diff := cmp.Diff(tt.want, first(m.Funcs[0].Validate())); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestClassesOfPhis(t *testing.T) {
	const text = "form phi\nfunc f(flt x, n)\ne:\n br b\nb:\n y = phi [x, e]\n ret 0\n"
	if diff := cmp.Diff("T1: x is of class float where class integer is needed", first(forms.Validate(parse(t, text).Funcs[0]))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// first is the first of some errors, nothing if there is none.
func first(errs []error) string {
	if len(errs) == 0 {
		return ""
	}
	return errs[0].Error()
}
