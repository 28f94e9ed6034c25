//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package scratch

import (
	"os"
	"runtime"
)

// lock has nothing to do where an open file cannot be removed.
func lock(*os.File) bool { return true }

// removeOwnerless removes a file that nobody has open, and reports whether it
// did.
func removeOwnerless(path string) bool { return runtime.GOOS == "windows" && os.Remove(path) == nil }
