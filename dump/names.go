package dump

import (
	"bytes"
	"regexp"
)

// The library calls all nodes n1, n2, ... and all clusters cluster_s1, ... in the order of
// their making. What a reader looks for are names like Add7 and cluster_Nodes; these stand
// in attribute id, and rename puts them where the library's names are.

// ownID is attribute id. In a text the quotes around it would be escaped.
var ownID = regexp.MustCompile(`\bid="([^"]*)"`)

// plainID is a name that needs no quotes.
var plainID = regexp.MustCompile(`^[A-Za-z_][A-Za-z_0-9]*$`)

// rename calls nodes and clusters by their attribute id. The library writes one node, edge
// or line of attributes on a line, and nodes before edges.
func rename(text []byte) []byte {
	lines := bytes.SplitAfter(text, []byte("\n"))
	names := map[string][]byte{} // by the library's name; never ranged over
	var open []int               // the lines that open the clusters around this line
	out := make([][]byte, len(lines))
	for i, line := range lines {
		indent, rest := cutIndent(line)
		switch {
		case bytes.HasPrefix(rest, []byte("subgraph ")):
			open = append(open, i)
		case bytes.HasPrefix(rest, []byte("}")) && len(open) > 0:
			open = open[:len(open)-1]
		case len(rest) > 1 && rest[0] == 'n' && isDigit(rest[1]):
			line = append(bytes.Clone(indent), renameNodes(rest, names)...)
		default:
			if id := findID(rest); id != nil && len(open) > 0 {
				at := open[len(open)-1]
				outer, _ := cutIndent(lines[at])
				out[at] = append(append(append(bytes.Clone(outer), "subgraph "...), id...), " {\n"...)
			}
		}
		if out[i] == nil {
			out[i] = line
		}
	}
	return bytes.Join(out, nil)
}

func cutIndent(line []byte) (indent, rest []byte) {
	rest = bytes.TrimLeft(line, "\t")
	return line[:len(line)-len(rest)], rest
}

// findID is the value of attribute id, in quotes if it needs them; nil if there is none.
func findID(attrs []byte) []byte {
	m := ownID.FindSubmatch(attrs)
	switch {
	case m == nil:
		return nil
	case plainID.Match(m[1]):
		return m[1]
	}
	return []byte(`"` + string(m[1]) + `"`)
}

// renameNodes replaces the name at the start of a statement and, if it is an edge, that
// behind the arrow.
func renameNodes(rest []byte, names map[string][]byte) []byte {
	first, more := cutName(rest)
	if after, ok := bytes.CutPrefix(more, []byte("[")); ok {
		if id := findID(after); id != nil {
			names[string(first)] = id
		}
	}
	out := append([]byte(nil), nameOf(first, names)...)
	port, target, isEdge := bytes.Cut(more, []byte("->"))
	if !isEdge || bytes.IndexByte(port, '[') >= 0 {
		return append(out, more...)
	}
	second, end := cutName(target)
	out = append(append(out, port...), "->"...)
	return append(append(out, nameOf(second, names)...), end...)
}

func nameOf(lib []byte, names map[string][]byte) []byte {
	if id := names[string(lib)]; id != nil {
		return id
	}
	return lib
}

// cutName cuts the library's name of a node off.
func cutName(s []byte) (name, more []byte) {
	i := 1
	for i < len(s) && isDigit(s[i]) {
		i++
	}
	return s[:i], s[i:]
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
