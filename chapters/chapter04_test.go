//go:build !chapters || chapter04

package chapters

import "testing"

func TestChapter04(t *testing.T) { suite(t, 4) }
