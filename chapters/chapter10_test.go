//go:build !chapters || chapter10

package chapters

import "testing"

func TestChapter10(t *testing.T) { suite(t, 10) }
