//go:build !chapters || chapter15

package chapters

import "testing"

func TestChapter15(t *testing.T) { suite(t, 15) }
