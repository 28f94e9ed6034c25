// Package ui is the window: it lays the panels around the map, feeds menus and
// keys from one table of commands, and takes dropped files. What the window
// shows is kept in package state, what runs beside it in package task, what is
// done with files and networks in package work.
package ui

import (
	"context"
	"errors"

	"fyne.io/fyne/v2"
)

// Options says what the window opens with.
type Options struct {
	Workspace string   // workspace file; empty: the default one of the user's data folder
	Files     []string // extracts and trajectory files, opened as if they were dropped
	Version   string   // of Retrace, for the provenance of recoveries
}

// Run opens the window of app and returns when it is closed, or when ctx ends.
// An error means that no window came up.
func Run(ctx context.Context, app fyne.App, opt Options) error {
	return errors.New("the window is not there yet")
}
