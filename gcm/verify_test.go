package gcm_test

import (
	"strings"
	"testing"

	"shoal/gcm"
	"shoal/node"
)

// blockOf is the block that the first node with the op is in, and its position.
func blockOf(t *testing.T, s *gcm.Schedule, op node.Op) (b *gcm.Block, i int) {
	t.Helper()
	for _, b := range s.Blocks {
		for i, n := range b.Nodes {
			if n.Op == op {
				return b, i
			}
		}
	}
	t.Fatalf("no block has %v", op)
	return nil, 0
}

// remove takes the node at position i out of b.
func remove(b *gcm.Block, i int) *node.Node {
	n := b.Nodes[i]
	b.Nodes = append(append([]*node.Node(nil), b.Nodes[:i]...), b.Nodes[i+1:]...)
	return n
}

// TestVerify spoils a right schedule in one way after the other.
func TestVerify(t *testing.T) {
	const text = "int s=0; int i=0; while(i<arg) { if(i/3*3==i) s=s+i*arg; else s=s-i; i=i+1; } return s+arg/7;"
	tests := []struct {
		name  string
		spoil func(t *testing.T, s *gcm.Schedule)
		want  string
	}{
		{"two nodes change places", func(t *testing.T, s *gcm.Schedule) {
			b, i := blockOf(t, s, node.OpEQ)
			b.Nodes[i], b.Nodes[i-1] = b.Nodes[i-1], b.Nodes[i]
		}, "before it is computed"},
		{"a node is lost", func(t *testing.T, s *gcm.Schedule) {
			b, i := blockOf(t, s, node.OpEQ)
			remove(b, i)
		}, "which has no place"},
		{"a node is there twice", func(t *testing.T, s *gcm.Schedule) {
			b, i := blockOf(t, s, node.OpMul)
			s.Blocks[0].Nodes = append(s.Blocks[0].Nodes, b.Nodes[i])
		}, "and in B"},
		{"a node is on the other side of a branch", func(t *testing.T, s *gcm.Schedule) {
			b, i := blockOf(t, s, node.OpSub)
			n := remove(b, i)
			for _, o := range b.IDom.Succs {
				if o != b {
					o.Nodes = append(o.Nodes, n)
				}
			}
		}, "which is in B"},
		{"a node is above its input", func(t *testing.T, s *gcm.Schedule) {
			b, i := blockOf(t, s, node.OpEQ)
			s.Blocks[0].Nodes = append(s.Blocks[0].Nodes, remove(b, i))
		}, "which is in B"},
		{"a Phi is elsewhere", func(t *testing.T, s *gcm.Schedule) {
			h := s.Loops[0].Header
			s.Blocks[0].Phis, h.Phis = h.Phis[:1], h.Phis[1:]
		}, "is not in the block of its region"},
		{"a dominator is wrong", func(t *testing.T, s *gcm.Schedule) {
			b, _ := blockOf(t, s, node.OpSub)
			for _, join := range s.Blocks {
				if len(join.Preds) == 2 && join != s.Loops[0].Header {
					join.IDom = b
				}
			}
		}, "does not lie on the way"},
		{"a dominator is missing", func(t *testing.T, s *gcm.Schedule) { s.Blocks[1].IDom = nil }, "has no dominator"},
		{"an edge has no start", func(t *testing.T, s *gcm.Schedule) { s.Blocks[0].Succs = nil }, "as successor"},
		{"an edge has no end", func(t *testing.T, s *gcm.Schedule) {
			h := s.Loops[0].Header
			h.Preds, h.Paths = h.Preds[:1], h.Paths[:1]
		}, "as predecessor"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := schedule(t, text, 11, false)
			tt.spoil(t, s)
			err := s.Verify()
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want a message with %q", err, tt.want)
			}
		})
	}
}
