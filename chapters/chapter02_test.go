//go:build !chapters || chapter02

package chapters

import "testing"

func TestChapter02(t *testing.T) { suite(t, 2) }
