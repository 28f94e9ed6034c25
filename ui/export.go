package ui

import (
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"retrace/ui/kit"
	"retrace/ui/state"
	"retrace/ui/words"
	"retrace/ui/work"
)

// export asks what to write and where, and writes it.
func (w *window) export() {
	formats := work.Formats()
	var names []string
	for _, f := range formats {
		names = append(names, f.Name)
	}
	format := widget.NewRadioGroup(names, nil)
	format.SetSelected(names[0])
	marked := recovered(w.m.Marked())
	all := recovered(w.m.Trips())
	choices := []string{lang.N("all {{.N}} recovered trips", len(all), map[string]any{"N": words.Count(len(all))})}
	if len(marked) > 0 {
		choices = append(choices, lang.N("the {{.N}} selected trips", len(marked), map[string]any{"N": words.Count(len(marked))}))
	}
	scope := widget.NewRadioGroup(choices, nil)
	scope.SetSelected(choices[0])
	if len(marked) > 1 { // one is selected by looking at it
		scope.SetSelected(choices[1])
	}
	content := kit.NewColumn(10, kit.NewTitle(lang.L("What")), scope, kit.NewTitle(lang.L("As")), format)
	d := dialog.NewCustomConfirm(lang.L("Export"), lang.L("Choose the file…"), lang.L("Cancel"), kit.NewPad(0, 20, 6, 0, content), func(ok bool) {
		if !ok {
			return
		}
		trips := all
		if scope.Selected != choices[0] {
			trips = marked
		}
		f := formats[0]
		for _, g := range formats {
			if g.Name == format.Selected {
				f = g
			}
		}
		f.Words = mapWords()
		w.saveAs(lang.L("Export"), f.File, func(path string) { w.desk.Export(withEnding(path, f.File), f, trips) })
	}, w.win)
	w.present(d, fyne.NewSize(420, 0))
}

// withEnding gives a path the ending of a file name, where it has another.
func withEnding(path, name string) string {
	ending := filepath.Ext(name)
	if strings.EqualFold(filepath.Ext(path), ending) {
		return path
	}
	return path + ending
}

func recovered(list []*state.Trip) []*state.Trip {
	var out []*state.Trip
	for _, t := range list {
		if t.Shown() != nil {
			out = append(out, t)
		}
	}
	return out
}

// saveCopy writes the workspace to another file.
func (w *window) saveCopy() {
	w.saveAs(lang.L("Save a copy of the workspace"), "workspace.retrace", w.desk.SaveCopy)
}
