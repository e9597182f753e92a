//go:build !chapters || chapter12

package chapters

import "testing"

func TestChapter12(t *testing.T) { suite(t, 12) }
