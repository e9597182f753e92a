//go:build !linux || !amd64

package exec

import (
	"errors"
	"os"
	"syscall"
)

var errHost = errors.New("only Linux on amd64 runs the code that shoal makes")

func memoryFile(string) (*os.File, error) { return nil, errHost }

func dieWithParent() *syscall.SysProcAttr { return nil }

func mapShared(*os.File, int) ([]byte, error) { return nil, errHost }

func unmap([]byte) error { return errHost }
