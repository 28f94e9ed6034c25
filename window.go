//go:build !ci

package main

import (
	"context"
	"errors"
	"os"
	"runtime"

	"fyne.io/fyne/v2/app"

	"retrace/ui"
)

// appID names the application to the system.
const appID = "org.retrace.Retrace"

// openWindow opens the window, if there is a display that it could open on.
func openWindow(ctx context.Context, workspace string, files []string) error {
	if runtime.GOOS == "linux" && os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" {
		return errors.New("there is no display to open the window on (neither DISPLAY nor WAYLAND_DISPLAY is set); " +
			"the commands need none: see retrace --help")
	}
	return ui.Run(ctx, app.NewWithID(appID), ui.Options{Workspace: workspace, Files: files, Version: versionText()})
}
