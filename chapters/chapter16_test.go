//go:build !chapters || chapter16

package chapters

import "testing"

func TestChapter16(t *testing.T) { suite(t, 16) }
