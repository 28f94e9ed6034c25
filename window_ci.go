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

var errNoWindow = errors.New("this program was built without a window (tag ci); its commands work: see retrace --help")

// openWindow has the window opened by the program beside this one where there is one.
func openWindow(context.Context, command.Window) error {
	program := windowProgram()
	if program == "" {
		return errNoWindow
	}
	return exec.Command(program, os.Args[1:]...).Start()
}

// windowProgram is the program beside this one that opens windows, as on Windows:
// retracew.exe has no console, and this one, for scripts, no window.
func windowProgram() string {
	program, err := os.Executable()
	if err != nil || runtime.GOOS != "windows" {
		return ""
	}
	window := filepath.Join(filepath.Dir(program), "retracew.exe")
	if _, err := os.Stat(window); err != nil {
		return ""
	}
	return window
}

// display has nothing to say: this program opens no window.
func display() (string, error) { return "", errNoWindow }
