// Package ui is the window: it lays the panels around the map, feeds menus and
// keys from one table of commands, and takes dropped files. What the window
// shows is kept in package state, what runs beside it in package task, what is
// done with files and networks in package work.
package ui

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"retrace/internal/userdata"
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
	w := newWindow(app, fyne.Do, opt.Version)
	last, err := w.open(opt.Workspace)
	if err != nil {
		return err
	}
	// Work begins once the loop runs that takes what it makes.
	app.Lifecycle().SetOnStarted(func() { w.desk.Start(last, opt.Files) })
	stop := context.AfterFunc(ctx, func() { fyne.Do(w.quit) })
	defer stop()
	w.win.Show()
	app.Run()
	return w.desk.Close()
}

// open opens the workspace and builds the window. It returns the name of the
// network that was shown last.
func (w *window) open(path string) (string, error) {
	if path == "" {
		var err error
		if path, err = userdata.Workspace(); err != nil {
			return "", err
		}
	}
	w.desk.Open(path)
	last := w.restore()
	if err := speak(w.m.Options().Language); err != nil {
		w.failed(lang.L("The translations cannot be read."), err)
	}
	w.build()
	w.win.Resize(w.size)
	return last, nil
}

// close asks once where work is under way, and closes the window.
func (w *window) close() {
	if len(w.tasks.Running()) == 0 {
		w.quit()
		return
	}
	w.ask(lang.L("Work is under way"), lang.L("What is finished is kept. What is not is cancelled."),
		[]string{lang.L("Go on working"), lang.L("Cancel and close")}, func(i int) {
			if i == 1 {
				w.quit()
			}
		})
}

// quit keeps how the window is left and closes it.
func (w *window) quit() {
	w.remember()
	w.tasks.CancelAll()
	w.m.Play(false)
	w.win.SetCloseIntercept(nil)
	w.view.Close()
	w.app.Quit()
}

// defaultSize is how large the window opens first.
func defaultSize() fyne.Size { return fyne.NewSize(1440, 900) }
