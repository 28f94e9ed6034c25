// Package ui is the window: it lays the panels around the map, feeds menus and
// keys from one table of commands, and takes dropped files. What the window
// shows is kept in package state, what runs beside it in package task, what is
// done with files and networks in package work.
package ui

import (
	"context"
	"sync/atomic"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"retrace/engine"
	"retrace/internal/userdata"
	"retrace/ui/state"
)

// Options says what the window opens with.
type Options struct {
	Workspace string   // workspace file; empty: the default one of the user's data folder
	Files     []string // extracts and trajectory files, opened as if they were dropped
	Shared    bool     // others may read the workspace, as the umask says
	Version   string   // of Retrace, for the provenance of recoveries

	Models engine.Models // what can be recovered by besides map matching; nil: none
}

// Run opens the window of app and returns when it is closed, or when ctx ends.
// An error means that no window came up.
func Run(ctx context.Context, app fyne.App, opt Options) error {
	var gone atomic.Bool
	w := newWindow(app, func(f func()) {
		if !gone.Load() {
			fyne.Do(f)
		}
	}, opt.Version)
	w.desk.Models, w.desk.Shared = opt.Models, opt.Shared
	w.leave = func() { leave(app, &gone) }
	w.onReplaced = func(next *window) { w = next }
	if opt.Workspace == "" {
		opt.Workspace, opt.Files = w.firstStudy(opt.Files)
	}
	last, err := w.open(opt.Workspace)
	if err != nil {
		return err
	}
	// Work begins once the loop runs that takes what it makes.
	app.Lifecycle().SetOnStarted(func() {
		w.lookAtDesktop()
		w.desk.Start(last, opt.Files)
		w.tourLater()
	})
	app.Lifecycle().SetOnStopped(func() { gone.Store(true) })
	stop := context.AfterFunc(ctx, func() { fyne.Do(func() { w.quit() }) })
	defer stop()
	w.win.Show()
	app.Run()
	gone.Store(true) // fyne ends its loop by itself on a signal
	w.tasks.CancelAll()
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
	last := w.begin(nil)
	w.win.Resize(w.size)
	return last, nil
}

// begin builds the window of the study that was opened, as it was left; mine are the
// options of the person where they are known. It returns the name of the network that
// was shown last.
func (w *window) begin(mine *state.Options) string {
	last := w.restore()
	if mine != nil {
		w.m.SetOptions(windowOptions(w.m.Options(), *mine))
	}
	if err := speak(w.m.Options().Language); err != nil {
		w.failed(lang.L("The translations cannot be read."), err)
	}
	w.build()
	w.noteRecent()
	return last
}

// close asks once where work is under way, and closes the window: when the work
// is done, or at once.
func (w *window) close() {
	if len(w.tasks.Running()) == 0 {
		w.quit()
		return
	}
	if w.closing { // it was asked, and waits for the work: now it does not
		w.quit()
		return
	}
	w.closing = true
	w.ask(lang.L("Work is under way"), lang.L("What is finished is kept, whatever you choose."),
		[]string{lang.L("Close when it is done"), lang.L("Stop it and close"), lang.L("Go on working")}, func(i int) {
			switch i {
			case 0:
				w.m.Notify(state.Info, lang.L("The window closes when the work is done."), "")
				w.leaveWhenDone()
			case 1:
				w.quit()
			default:
				w.closing = false
			}
		})
}

// quit keeps how the window is left, ends all work and closes the window.
func (w *window) quit() {
	if w.quitting {
		return
	}
	w.remember()
	w.quitting = true
	w.m.Play(false)
	w.tasks.CancelAll()
	w.view.Close()
	w.win.Hide()
	w.leaveWhenDone()
}

// leaveWhenDone leaves once no task runs any more, where the window is to close.
func (w *window) leaveWhenDone() {
	if len(w.tasks.Running()) > 0 || w.replaced {
		return
	}
	switch {
	case w.quitting:
		w.leave()
	case w.closing && w.win.Canvas().Overlays().Top() == nil:
		w.quit()
	}
}

// drained is how long fyne's queue is given to run dry.
const drained = 60 * time.Millisecond

// leave ends app's loop. Fyne hangs for ever where functions still wait in its
// queue when the loop ends, so that nothing new is handed over before, and what
// is there is given time.
func leave(app fyne.App, gone *atomic.Bool) {
	if gone.Swap(true) {
		return
	}
	time.AfterFunc(drained, func() { fyne.Do(app.Quit) })
}

// defaultSize is how large the window opens first.
func defaultSize() fyne.Size { return fyne.NewSize(1440, 900) }
