//go:build !chapters

package chapters

import (
	"testing"

	"shoal"
)

// The examples of the language reference, in the form of the suites: at the last chapter, by
// all engines at every optimization.
func TestLanguage(t *testing.T) { suiteIn(t, "language", shoal.MaxChapter) }
