package main

import (
	"os"
	"syscall"
)

// umask is the file mode mask of the process. The system has no way to ask for it but to
// set it.
func umask() os.FileMode {
	mask := syscall.Umask(0)
	syscall.Umask(mask)
	return os.FileMode(mask)
}
