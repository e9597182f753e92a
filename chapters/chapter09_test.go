//go:build !chapters || chapter09

package chapters

import "testing"

func TestChapter09(t *testing.T) { suite(t, 9) }
