package node_test

import (
	"testing"

	"shoal/internal/golden"
	"shoal/node"
)

// TestGeneratedOps compares OPS.md with the table of ops.
func TestGeneratedOps(t *testing.T) {
	golden.File(t, "OPS.md", `# The ops

Written by go test ./node -update from the table in ops.go. Inputs count slot 0, which is
control; SSA is the name in the text of linear SSA; the cost is in rough cycles.

`+golden.Table(node.OpColumns, node.OpRows()))
}
