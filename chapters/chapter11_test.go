//go:build !chapters || chapter11

package chapters

import "testing"

func TestChapter11(t *testing.T) { suite(t, 11) }
