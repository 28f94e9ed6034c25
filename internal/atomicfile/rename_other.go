//go:build !windows

package atomicfile

import "os"

// rename puts a file in place of another, whoever has that open.
func rename(from, to string) error { return os.Rename(from, to) }
