// Package filehead reads the beginnings of files, by which their kinds are told.
package filehead

import (
	"errors"
	"io"
	"os"
)

// Read returns the first n bytes of a file, or all of one that is shorter.
func Read(path string, n int) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	head := make([]byte, n)
	got, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, err
	}
	return head[:got], nil
}
