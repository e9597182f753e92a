//go:build !chapters || chapter06

package chapters

import "testing"

func TestChapter06(t *testing.T) { suite(t, 6) }
