//go:build !chapters || chapter07

package chapters

import "testing"

func TestChapter07(t *testing.T) { suite(t, 7) }
