//go:build !linux

package storage

// prefetch does nothing elsewhere than on Linux.
func prefetch([]byte) {}
