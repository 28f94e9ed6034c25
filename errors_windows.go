//go:build !ci

package main

import (
	"bytes"
	"io"
	"os"
	"strings"

	"golang.org/x/sys/windows"
)

// errorOutput is where errors are told. A program that was started by a double click
// has no console: then show, called at the end, shows them in a box of the system.
func errorOutput() (to io.Writer, show func()) {
	if h, err := windows.GetStdHandle(windows.STD_ERROR_HANDLE); err == nil && h != 0 && h != windows.InvalidHandle {
		if _, err := windows.GetFileType(h); err == nil {
			return os.Stderr, func() {}
		}
	}
	var said bytes.Buffer
	return &said, func() {
		if said.Len() == 0 {
			return
		}
		text, err := windows.UTF16PtrFromString(strings.ReplaceAll(said.String(), "\x00", ""))
		if err != nil {
			return
		}
		title, err := windows.UTF16PtrFromString("Retrace")
		if err != nil {
			return
		}
		_, _ = windows.MessageBox(0, text, title, windows.MB_OK|windows.MB_ICONERROR|windows.MB_SETFOREGROUND)
	}
}
