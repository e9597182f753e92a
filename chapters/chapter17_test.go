//go:build !chapters || chapter17

package chapters

import "testing"

func TestChapter17(t *testing.T) { suite(t, 17) }
