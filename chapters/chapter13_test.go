//go:build !chapters || chapter13

package chapters

import "testing"

func TestChapter13(t *testing.T) { suite(t, 13) }
