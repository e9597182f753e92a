package ssatest

import (
	"errors"
	"fmt"

	"shoal/node"
)

// Outcome is how a run ended, for comparing engines: with a number, with a fault, wherever
// that stands in the text, or with an error.
func Outcome(v int64, err error) string {
	var fault *node.FaultError
	switch {
	case errors.As(err, &fault):
		return "fault: " + fault.Fault.Text(fault.Numbers[:]...)
	case err != nil:
		return "error: " + err.Error()
	}
	return fmt.Sprint(v)
}
