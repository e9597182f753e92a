package exec

import (
	"os"
	"syscall"
	"unsafe"
)

// The system call memfd_create and its flags (linux/memfd.h); package syscall has neither.
const (
	sysMemfdCreate = 319
	memfdCloexec   = 0x1
	memfdExec      = 0x10 // since Linux 6.3: may be run even where the default forbids it
)

// memoryFile makes an executable file that exists only in memory.
func memoryFile(name string) (*os.File, error) {
	p, err := syscall.BytePtrFromString(name)
	if err != nil {
		return nil, err
	}
	fd, _, errno := syscall.Syscall(sysMemfdCreate, uintptr(unsafe.Pointer(p)), memfdCloexec|memfdExec, 0)
	if errno == syscall.EINVAL {
		fd, _, errno = syscall.Syscall(sysMemfdCreate, uintptr(unsafe.Pointer(p)), memfdCloexec, 0)
	}
	if errno != 0 {
		return nil, os.NewSyscallError("memfd_create", errno)
	}
	return os.NewFile(fd, name), nil
}

// dieWithParent asks that a child does not outlive the thread that starts it.
func dieWithParent() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}

// mapShared maps the first size bytes of f.
func mapShared(f *os.File, size int) ([]byte, error) {
	b, err := syscall.Mmap(int(f.Fd()), 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	return b, os.NewSyscallError("mmap", err)
}

func unmap(b []byte) error { return syscall.Munmap(b) }
