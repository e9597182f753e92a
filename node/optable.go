package node

import (
	"strconv"
	"strings"
)

// OpColumns are the columns of the table of ops, which OPS.md and the command show.
var OpColumns = []string{"Op", "Text", "SSA", "Chapter", "Inputs", "Cost", "Flags", "Meaning"}

// OpRows are the rows of that table, one for each op.
func OpRows() [][]string {
	var rows [][]string
	for op := OpInvalid + 1; op < NumOps; op++ {
		info := op.Info()
		inputs := strconv.Itoa(info.Arity)
		if info.Arity < 0 {
			inputs = "any"
		}
		rows = append(rows, []string{
			info.Name, info.Text, info.Mnem, strconv.Itoa(info.Since), inputs, strconv.Itoa(info.Cost), info.Flags.String(), info.Doc,
		})
	}
	return rows
}

// flagNames are the names of the flags, by bit.
var flagNames = [...]string{"control", "pinned", "multi", "commutes", "associates", "bool", "pure", "table", "float operands", "float", "memory"}

// String lists the flags by name.
func (f Flags) String() string {
	var names []string
	for i, name := range flagNames {
		if f>>i&1 != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}
