//go:build ci

package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"retrace/ui/command"
)

// openWindow has the window opened by the program beside this one where there is one,
// as on Windows: retracew.exe has no console, and this one, for scripts, no window.
func openWindow(context.Context, command.Window) error {
	if program, err := os.Executable(); err == nil && runtime.GOOS == "windows" {
		window := filepath.Join(filepath.Dir(program), "retracew.exe")
		if _, err := os.Stat(window); err == nil {
			return exec.Command(window, os.Args[1:]...).Start()
		}
	}
	return errors.New("this program was built without a window (tag ci); its commands work: see retrace --help")
}
