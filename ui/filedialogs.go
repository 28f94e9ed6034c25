package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/driver"
	"fyne.io/fyne/v2/lang"

	"retrace/ui/state"
	"retrace/ui/system"
)

// itsDesktop is what the system offers the window: its dialogs of files, and its word on colours.
type itsDesktop interface {
	Dialogs() bool
	SaysColours() bool
	Choose(parent string, a system.Ask) ([]string, error)
}

// lookAtDesktop asks what the system offers, beside the window: some desktops take their
// time. Until they answer there are the dialogs of fyne.
func (w *window) lookAtDesktop() {
	go func() {
		d := system.Look()
		w.do(func() { w.setDesktop(d) })
	}()
}

func (w *window) setDesktop(d itsDesktop) {
	w.desktop = d
	w.themed = themed{}
	w.applyTheme()
}

// choose shows a dialog of files of the system and calls run with the paths that were
// chosen; where the system has none, or cannot show it, own shows that of fyne.
func (w *window) choose(a system.Ask, run func(paths []string), own func()) {
	if w.choosing {
		return
	}
	d := w.desktop
	if d == nil || !d.Dialogs() {
		own()
		return
	}
	w.choosing = true
	parent := w.handle()
	go func() {
		paths, err := d.Choose(parent, a)
		w.do(func() {
			w.choosing = false
			switch {
			case err != nil:
				w.m.Notify(state.Info, lang.L("The system shows no dialog of files. This one is the program's own."), err.Error())
				own()
			case len(paths) > 0:
				run(paths)
			}
		})
	}()
}

// handle names the window as the desktop portal does; empty where it cannot be named.
func (w *window) handle() string {
	native, ok := w.win.(driver.NativeWindow)
	if !ok {
		return ""
	}
	name := ""
	native.RunNative(func(context any) {
		if x, ok := context.(driver.X11WindowContext); ok {
			name = system.X11Window(x.WindowHandle)
		}
	})
	return name
}

// openWith asks for files that are there and calls run with their paths.
func (w *window) openWith(title string, run func(paths []string)) {
	w.choose(system.Ask{Title: title, Many: true}, run, func() {
		d := dialog.NewFileOpen(func(f fyne.URIReadCloser, err error) {
			if err != nil {
				w.failed(lang.L("The file cannot be opened."), err)
				return
			}
			if f != nil {
				f.Close()
				run([]string{f.URI().Path()})
			}
		}, w.win)
		w.presentFiles(d, title)
	})
}

func (w *window) openFolder() {
	w.chooseFolder(lang.L("Open all files of a folder"), func(path string) { w.desk.Take([]string{path}) })
}

// chooseFolder asks for a folder and calls run with its path. A dialog that is shown
// already stays below.
func (w *window) chooseFolder(title string, run func(path string)) {
	w.choose(system.Ask{Title: title, Folder: true}, func(paths []string) { run(paths[0]) }, func() { w.chooseFolderHere(title, run) })
}

func (w *window) chooseFolderHere(title string, run func(path string)) {
	below, accept := w.dialog, w.accept
	d := dialog.NewFolderOpen(func(folder fyne.ListableURI, err error) {
		if err != nil {
			w.failed(lang.L("The folder cannot be opened."), err)
			return
		}
		if folder != nil {
			run(folder.Path())
		}
	}, w.win)
	d.SetOnClosed(func() { w.dialog, w.accept = below, accept })
	w.accept = nil
	w.presentFiles(d, title)
}

// saveAs asks for a file to write and calls run with its path. Fyne's dialog
// has made the file, empty, by then; whoever writes it puts a whole one in its
// place.
func (w *window) saveAs(title, name string, run func(path string)) {
	w.choose(system.Ask{Title: title, Save: true, Name: name}, func(paths []string) { run(paths[0]) }, func() {
		d := dialog.NewFileSave(func(f fyne.URIWriteCloser, err error) {
			if err != nil {
				w.failed(lang.L("The file cannot be written."), err)
				return
			}
			if f != nil {
				f.Close()
				run(f.URI().Path())
			}
		}, w.win)
		d.SetFileName(name)
		w.presentFiles(d, title)
	})
}

// presentFiles shows fyne's dialog of files: as a list, which holds long names.
func (w *window) presentFiles(d *dialog.FileDialog, title string) {
	d.SetTitleText(title)
	d.SetView(dialog.ListView)
	w.present(d, w.fileDialogSize())
}
