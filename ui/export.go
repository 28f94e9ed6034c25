package ui

import (
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"retrace/ui/kit"
	"retrace/ui/look"
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
	format := kit.NewRadio(names, 0)
	marked, all := recovered(w.m.Marked()), recovered(w.m.Trips())
	choices := []string{lang.N("all {{.N}} recovered trips", len(all), map[string]any{"N": words.Count(len(all))})}
	if len(marked) > 0 {
		choices = append(choices, lang.N("the {{.N}} selected trips", len(marked), map[string]any{"N": words.Count(len(marked))}))
	}
	scope := kit.NewRadio(choices, 0)
	if len(marked) > 1 { // one is selected by looking at it
		scope.Choose(1)
	}
	choose := []fyne.CanvasObject{kit.NewTitle(lang.L("What")), scope}
	if n := w.m.Elsewhere(w.m.Trips()); n > 0 {
		choose = append(choose, kit.NewParagraph(lang.N("{{.N}} trips belong to other networks and are left out: show their network to export them.", n, map[string]any{"N": words.Count(n)}), look.Muted, fyne.TextAlignLeading))
	}
	content := kit.NewColumn(10, append(choose, kit.NewTitle(lang.L("As")), format)...)
	w.confirm(lang.L("Export"), lang.L("Choose the file…"), kit.NewPad(0, 20, 6, 0, content), 420, func() {
		trips := all
		if scope.Chosen() == 1 {
			trips = marked
		}
		f := formats[format.Chosen()]
		f.Words = mapWords()
		w.saveAs(lang.L("Export"), f.File, func(path string) { w.desk.Export(withEnding(path, f.File), f, trips) })
	})
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
		if t.IsShown() {
			out = append(out, t)
		}
	}
	return out
}

// copyName says what a copy will be of.
func (w *window) copyName() string {
	if w.desk.Damaged() {
		return lang.L("Save what is whole of the study…")
	}
	return lang.L("Save a copy of the study…")
}

// saveCopy writes the study to another file.
func (w *window) saveCopy() {
	w.saveAs(lang.L("Save a copy of the study"), "study"+studyEnding, func(path string) { w.desk.SaveCopy(withEnding(path, studyEnding)) })
}
