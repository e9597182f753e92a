//go:build !chapters || chapter01

package chapters

import "testing"

func TestChapter01(t *testing.T) { suite(t, 1) }
