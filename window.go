//go:build !ci

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/app"

	"retrace/assets"
	"retrace/ui"
	"retrace/ui/command"
)

// appID names the application to the system.
const appID = "org.retrace.Retrace"

// openWindow opens the window, if there is a display that it could open on.
func openWindow(ctx context.Context, w command.Window) (err error) {
	if runtime.GOOS == "linux" && os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" {
		return errors.New("there is no display to open the window on (neither DISPLAY nor WAYLAND_DISPLAY is set); " +
			"the commands need none: see retrace --help")
	}
	if runtime.GOOS == "windows" {
		// The window's library would end the program without a word.
		if _, err := display(); err != nil {
			return fmt.Errorf("no window can be opened, for this computer offers no OpenGL 2.1 (%w); install the driver of its graphics card or, "+
				"on a virtual machine or a remote desktop, put the opengl32.dll of Mesa beside retracew.exe; the commands of retrace.exe need none", err)
		}
	}
	defer func() {
		if p := recover(); p != nil {
			if err = noDisplay(p); err == nil {
				panic(p)
			}
		}
	}()
	a := app.NewWithID(appID)
	a.SetIcon(fyne.NewStaticResource("icon.png", assets.AppIcon()))
	return ui.Run(ctx, a, ui.Options{Workspace: w.Workspace, Files: w.Files, Shared: w.Shared, Version: versionText(), Models: w.Models})
}

// noDisplay is the error behind a panic of the window system's library when it
// finds no display where the environment says there is one; nil for any other
// panic.
func noDisplay(panicked any) error {
	cause, ok := panicked.(error)
	if !ok || !strings.Contains(cause.Error(), "GLFW") {
		return nil
	}
	return fmt.Errorf("the window cannot be opened on the display %s%s: %w; the commands need none: see retrace --help",
		os.Getenv("DISPLAY"), os.Getenv("WAYLAND_DISPLAY"), cause)
}
