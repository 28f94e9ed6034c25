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

// openWindow says that this program was built without a window.
func openWindow(context.Context, command.Window) error {
	return errors.New("this program was built without a window (tag ci); its commands work: see retrace --help")
}
