package ui

import (
	"fmt"

	"fyne.io/fyne/v2/lang"

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
	size := kit.NewRadio(sizes, 1)
	kind := kit.NewRadio([]string{"PNG", "SVG", "PDF"}, 0)
	content := kit.NewColumn(10, kit.NewTitle(lang.L("As")), kind, kit.NewTitle(lang.L("How fine, and pixels of a PNG")), size)
	w.confirm(lang.L("Save the map as a picture…"), lang.L("Choose the file…"), kit.NewPad(0, 20, 6, 0, content), 420, func() {
		names := [...]string{"map.png", "map.svg", "map.pdf"}
		w.savePictureAs(names[kind.Chosen()], float64(size.Chosen()+1)/view.Scale)
	})
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
