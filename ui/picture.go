package ui

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"retrace/ui/kit"
	"retrace/ui/work"
)

// finest is how many times finer than the window a picture may be drawn.
const finest = 4

// savePicture asks how fine, as what and where, and writes what the map shows.
func (w *window) savePicture() {
	view := w.view.View()
	var sizes []string
	for i := 1; i <= finest; i++ {
		v := view.Times(float64(i) / view.Scale)
		sizes = append(sizes, fmt.Sprintf("%d× (%d × %d)", i, v.Width, v.Height))
	}
	size := widget.NewRadioGroup(sizes, nil)
	size.SetSelected(sizes[1])
	kinds := []string{"PNG", "SVG", "PDF"}
	kind := widget.NewRadioGroup(kinds, nil)
	kind.Horizontal = true
	kind.SetSelected(kinds[0])
	content := kit.NewColumn(10, kit.NewTitle(lang.L("As")), kind, kit.NewTitle(lang.L("How fine, and pixels of a PNG")), size)
	d := dialog.NewCustomConfirm(lang.L("Save the map as a picture…"), lang.L("Choose the file…"), lang.L("Cancel"), kit.NewPad(0, 20, 6, 0, content), func(ok bool) {
		if !ok {
			return
		}
		times := 1.0
		for i, s := range sizes {
			if s == size.Selected {
				times = float64(i+1) / view.Scale
			}
		}
		name := map[string]string{"SVG": "map.svg", "PDF": "map.pdf"}[kind.Selected]
		if name == "" {
			name = "map.png"
		}
		w.savePictureAs(name, times)
	}, w.win)
	w.present(d, fyne.NewSize(420, 0))
}

// savePictureAs asks for a file and writes what the map shows, some times as
// fine as on the screen.
func (w *window) savePictureAs(name string, times float64) {
	w.saveAs(lang.L("Save the map as a picture (.png, .svg or .pdf)"), name, func(path string) {
		if work.PictureFormat(path) == "" {
			path = withEnding(path, name)
		}
		w.desk.SavePicture(path, w.view.Scene(), w.view.View().Times(times), w.view.Look())
	})
}
