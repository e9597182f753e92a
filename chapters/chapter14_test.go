//go:build !chapters || chapter14

package chapters

import "testing"

func TestChapter14(t *testing.T) { suite(t, 14) }
