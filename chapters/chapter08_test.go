//go:build !chapters || chapter08

package chapters

import "testing"

func TestChapter08(t *testing.T) { suite(t, 8) }
