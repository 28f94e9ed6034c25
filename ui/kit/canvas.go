package kit

import "fyne.io/fyne/v2"

// CanvasOf is the canvas that o is on, or will be. Fyne knows the canvas of what
// it has painted only: what is just being shown is on that of the window, of
// which the program has one. Nil where there is no window yet.
func CanvasOf(o fyne.CanvasObject) fyne.Canvas {
	driver := fyne.CurrentApp().Driver()
	if c := driver.CanvasForObject(o); c != nil {
		return c
	}
	if all := driver.AllWindows(); len(all) > 0 {
		return all[0].Canvas()
	}
	return nil
}
