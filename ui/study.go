package ui

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/lang"

	"retrace/internal/filehead"
	"retrace/storage"
	"retrace/ui/kit"
	"retrace/ui/look"
	"retrace/ui/state"
)

// studyEnding ends the names of studies: one workspace file each.
const studyEnding = ".retrace"

// recentKey is the preference of the program, not of a study, that lists the studies
// opened, the latest first.
const recentKey = "recent studies"

// mostRecent is how many of them it lists.
const mostRecent = 10

// newStudy asks for a file and begins an empty study there.
func (w *window) newStudy() {
	w.saveAs(lang.L("New study"), "study"+studyEnding, func(path string) {
		path = withEnding(path, studyEnding)
		if info, err := os.Stat(path); err == nil && info.Size() > 0 {
			w.failed(lang.L("A new study needs a file of its own."), errors.New(path+" is there already: open it, or give another name"))
			return
		}
		w.openStudy(path, nil)
	})
}

func (w *window) openStudyFile() {
	w.openWith(lang.L("Open a study"), func(paths []string) { w.openStudy(paths[0], nil) })
}

// take opens files that were dropped or chosen: a study among them first, which the
// others then belong to.
func (w *window) take(paths []string) {
	for i, path := range paths {
		if isStudy(path) {
			w.openStudy(path, slices.Delete(slices.Clone(paths), i, i+1))
			return
		}
	}
	w.desk.Take(paths)
}

// isStudy tells by its beginning whether a file is a study.
func isStudy(path string) bool {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	head, err := filehead.Read(path, 64)
	return err == nil && storage.IsWorkspace(head)
}

// openStudy shows another study in the window, and opens files in it. What is under
// way in the one that is shown is asked about first.
func (w *window) openStudy(path string, files []string) {
	if sameFile(path, w.desk.Path()) {
		w.m.Notify(state.Info, lang.L("This study is open."), path)
		w.desk.Take(files)
		return
	}
	if len(w.tasks.Running()) == 0 {
		w.changeStudy(path, files)
		return
	}
	w.ask(lang.L("Work is under way"), lang.L("What is finished is kept, whatever you choose."),
		[]string{lang.L("Stop it and open the study"), lang.L("Go on working")}, func(i int) {
			if i == 0 {
				w.changeStudy(path, files)
			}
		})
}

func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// changeStudy closes the study that is shown and shows another one, where that can be
// opened: a window that knows nothing of this one takes its place on the screen.
func (w *window) changeStudy(path string, files []string) {
	if w.quitting {
		return
	}
	ws, err := w.desk.OpenStudy(path)
	if err != nil {
		w.m.Notify(state.Fault, lang.L("The study cannot be opened."), w.desk.OpenAdvice(err))
		return
	}
	w.stop()
	go func() {
		err := w.desk.Close()
		w.do(func() { w.giveWay(ws, files, err) })
	}()
}

// stop keeps how the study is left and ends all work on it.
func (w *window) stop() {
	w.remember()
	w.quitting, w.replaced = true, true
	w.m.Play(false)
	w.tasks.CancelAll()
	w.unfocus()
	w.view.Close()
}

// giveWay has another window take this one's place.
func (w *window) giveWay(ws *storage.Workspace, files []string, failed error) {
	next := windowOn(w.app, w.win, w.do, w.version)
	next.desk.Models, next.desk.Shared = w.desk.Models, w.desk.Shared
	next.leave, next.onReplaced, next.desktop = w.leave, w.onReplaced, w.desktop
	next.desk.Preview = nil
	if w.desk.Preview != nil {
		next.desk.Preview = next.preview
	}
	next.desk.Use(ws)
	now := w.m.Options()
	last := next.begin(&now)
	if w.onReplaced != nil {
		w.onReplaced(next)
	}
	if failed != nil {
		next.failed(lang.L("Not everything of the study before could be kept."), failed)
	}
	next.desk.Show(last)
	next.desk.Take(files)
}

// windowOptions are those options of a study that are of the person rather than of the
// study: a colleague's study is shown in one's own language and colours.
func windowOptions(study, mine state.Options) state.Options {
	study.Theme, study.TextScale, study.Language, study.Miles = mine.Theme, mine.TextScale, mine.Language, mine.Miles
	study.Method, study.Device, study.City, study.Decoder = mine.Method, mine.Device, mine.City, mine.Decoder
	return study
}

// noteRecent lists the study that is open first of those opened.
func (w *window) noteRecent() {
	path, err := filepath.Abs(w.desk.Path())
	if w.desk.Path() == "" || err != nil {
		return
	}
	list := slices.DeleteFunc(w.recent(), func(p string) bool { return p == path })
	list = append([]string{path}, list...)
	w.app.Preferences().SetStringList(recentKey, list[:min(len(list), mostRecent)])
}

// recent lists the studies opened, the latest first; those that are gone are left out.
func (w *window) recent() []string {
	return slices.DeleteFunc(w.app.Preferences().StringList(recentKey), func(p string) bool {
		_, err := os.Stat(p)
		return err != nil
	})
}

// showRecent lists the studies opened lately, to open one again.
func (w *window) showRecent() {
	var d *dialog.CustomDialog
	var rows []fyne.CanvasObject
	for _, path := range w.recent() {
		if sameFile(path, w.desk.Path()) {
			continue
		}
		open := kit.NewButton(lang.L("Open"), "", kit.Normal, func() { d.Hide(); w.openStudy(path, nil) })
		rows = append(rows, kit.NewLine(8, 0,
			kit.NewColumn(0, kit.NewCutText(studyName(path), kit.Style{Bold: true}, 80), kit.NewCutText(filepath.Dir(path), kit.Style{Colour: look.Muted}, 80)), open))
	}
	if len(rows) == 0 {
		rows = append(rows, kit.NewEmpty("open", lang.L("No other studies yet"), lang.L("A study is one file with its networks, trips and all that you did. New study… begins one.")))
	}
	d = w.show(lang.L("Recent studies"), container.NewVScroll(kit.NewPad(4, 10, 4, 4, kit.NewColumn(8, rows...))), fyne.NewSize(560, 360))
}

// studyName is what a study is called: its file, without the ending.
func studyName(path string) string { return strings.TrimSuffix(filepath.Base(path), studyEnding) }

// firstStudy is the study that the program opens where none is named: one among the
// files, else the one that was open last; empty: neither.
func (w *window) firstStudy(files []string) (path string, rest []string) {
	for i, f := range files {
		if isStudy(f) {
			return f, slices.Delete(slices.Clone(files), i, i+1)
		}
	}
	if all := w.recent(); len(all) > 0 {
		return all[0], files
	}
	return "", files
}
