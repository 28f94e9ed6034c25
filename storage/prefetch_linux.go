package storage

import (
	"os"
	"syscall"
	"unsafe"
)

// prefetch asks the system to read a piece of the memory map ahead: bbolt has
// told it to expect single pages, which is slow for a whole network when the
// file is not in memory yet.
func prefetch(piece []byte) {
	size := uintptr(os.Getpagesize())
	skip := -uintptr(unsafe.Pointer(unsafe.SliceData(piece))) & (size - 1)
	if skip < uintptr(len(piece)) {
		_ = syscall.Madvise(piece[skip:], syscall.MADV_WILLNEED)
	}
}
