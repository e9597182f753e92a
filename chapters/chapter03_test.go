//go:build !chapters || chapter03

package chapters

import "testing"

func TestChapter03(t *testing.T) { suite(t, 3) }
