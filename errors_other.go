//go:build !windows || ci

package main

import (
	"io"
	"os"
)

// errorOutput is where errors are told; show has nothing left to do.
func errorOutput() (to io.Writer, show func()) { return os.Stderr, func() {} }
