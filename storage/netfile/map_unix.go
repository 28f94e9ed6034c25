//go:build unix

package netfile

import (
	"os"
	"syscall"
)

// mapFile maps a file for reading, shared with all who do.
func mapFile(f *os.File, size int) ([]byte, error) {
	return syscall.Mmap(int(f.Fd()), 0, size, syscall.PROT_READ, syscall.MAP_SHARED)
}
