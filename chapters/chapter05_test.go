//go:build !chapters || chapter05

package chapters

import "testing"

func TestChapter05(t *testing.T) { suite(t, 5) }
