package ui

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"

	"retrace/ui/action"
	"retrace/ui/kit"
	"retrace/ui/look"
)

// present shows a dialog at a size; Escape closes it.
func (w *window) present(d dialog.Dialog, size fyne.Size) {
	w.dialog = d
	d.Show()
	d.Resize(size) // fyne makes the dialog of files on Show
}

// show shows content with a button that closes it.
func (w *window) show(title string, content fyne.CanvasObject, size fyne.Size) *dialog.CustomDialog {
	d := dialog.NewCustomWithoutButtons(title, content, w.win)
	d.SetButtons([]fyne.CanvasObject{kit.NewButton(lang.L("Close"), "", kit.Normal, func() { d.Hide() })})
	w.present(d, size)
	return d
}

// confirm shows content to be filled in, with a button (or Enter) that calls run,
// and one that does nothing.
func (w *window) confirm(title, yes string, content fyne.CanvasObject, width float32, run func()) {
	d := dialog.NewCustomWithoutButtons(title, content, w.win)
	accept := func() {
		w.accept = nil
		d.Hide()
		run()
	}
	d.SetButtons([]fyne.CanvasObject{kit.NewButton(lang.L("Cancel"), "", kit.Normal, func() { d.Hide() }), kit.NewButton(yes, "", kit.Primary, accept)})
	d.SetOnClosed(func() { w.accept = nil })
	w.present(d, fyne.NewSize(min(width*kit.Scale(), w.win.Canvas().Size().Width-20), 0))
	w.accept = accept
}

// fields lays names beside what is filled in.
func fields(pairs ...fyne.CanvasObject) fyne.CanvasObject {
	return container.New(layout.NewFormLayout(), pairs...)
}

func fieldName(name string) fyne.CanvasObject {
	return kit.NewText(name, kit.Style{Colour: look.Muted})
}

// fileDialogSize leaves room for long names.
func (w *window) fileDialogSize() fyne.Size {
	size := w.win.Canvas().Size()
	return fyne.NewSize(min(900, size.Width-40), min(600, size.Height-40))
}

func (w *window) openFiles() {
	w.openWith(lang.L("Open an extract or trajectories"), w.take)
}

// openTruth asks for a file that tells how trips were really driven.
func (w *window) openTruth() {
	w.openWith(lang.L("Open denser trips of the same ids, or recoveries"), w.desk.OpenTruth)
}

// ask asks a question with a few answers.
func (w *window) ask(title, text string, answers []string, answer func(int)) {
	label := widget.NewLabel(text)
	label.Wrapping = fyne.TextWrapWord
	var d *dialog.CustomDialog
	given := false
	give := func(i int) {
		if !given {
			given = true
			d.Hide()
			answer(i)
		}
	}
	var buttons []fyne.CanvasObject
	for i, a := range answers {
		weight := kit.Normal
		if i == 0 {
			weight = kit.Primary
		}
		buttons = append(buttons, kit.NewButton(a, "", weight, func() { give(i) }))
	}
	d = dialog.NewCustomWithoutButtons(title, kit.NewFixed(440, 0, label), w.win)
	d.SetButtons(buttons)
	d.SetOnClosed(func() { give(-1) })
	w.present(d, fyne.NewSize(480*kit.Scale(), 0))
}

// showDetails shows a long text, e.g. a report, with a button that copies it. Fyne's
// own selecting of texts is not used: what has the keys there keeps Esc.
func (w *window) showDetails(title, text string) {
	label := widget.NewLabel(text)
	label.Wrapping = fyne.TextWrapWord
	size := w.win.Canvas().Size()
	d := w.show(firstSentence(title), container.NewVScroll(label), fyne.NewSize(min(760, size.Width-60), min(520, size.Height-60)))
	d.SetButtons([]fyne.CanvasObject{
		kit.NewButton(lang.L("Copy"), "copy", kit.Normal, func() { w.copyText(text) }),
		kit.NewButton(lang.L("Close"), "", kit.Normal, func() { d.Hide() })})
}

func firstSentence(s string) string {
	if i := strings.Index(s, ". "); i > 0 {
		return s[:i+1]
	}
	return s
}

// showKeys shows every key, in the order of the menus, in two columns.
func (w *window) showKeys() {
	column := func(menus ...action.Menu) []fyne.CanvasObject {
		var rows []fyne.CanvasObject
		for _, m := range menus {
			rows = append(rows, kit.NewPad(8, 0, 2, 0, kit.NewTitle(m.Title())))
			rows = append(rows, w.keyRows(m)...)
		}
		return rows
	}
	left := column(action.File, action.Edit, action.Recover, action.Help)
	left = append(left, kit.NewPad(8, 0, 2, 0, kit.NewTitle(lang.L("Map"))))
	left = append(left, mouseRows()...)
	right := column(action.View)
	grid := container.NewGridWithColumns(2, kit.NewColumn(5, left...), kit.NewColumn(5, right...))
	size := w.win.Canvas().Size()
	w.show(lang.L("Keys"), container.NewVScroll(kit.NewPad(4, 14, 4, 4, grid)), fyne.NewSize(min(780, size.Width-40), min(620, size.Height-40)))
}

// keyRows are the keys of one menu.
func (w *window) keyRows(m action.Menu) []fyne.CanvasObject {
	var rows []fyne.CanvasObject
	for _, group := range w.actions.Groups(m) {
		for _, a := range group {
			if !a.Key.None() {
				rows = append(rows, keyRow(a.Name(), a.Key.String()))
			}
		}
	}
	return rows
}

func keyRow(name, key string) fyne.CanvasObject {
	return kit.NewPad(0, 18, 0, 0, kit.NewLine(8, 0, kit.NewCutText(name, kit.Style{}, 60), kit.NewText(key, kit.Style{Colour: look.Muted, Bold: true})))
}

func mouseRows() []fyne.CanvasObject {
	return []fyne.CanvasObject{
		keyRow(lang.L("Move the map"), lang.L("drag, arrows")),
		keyRow(lang.L("Zoom"), lang.L("wheel, double click, + -")),
		keyRow(lang.L("Zoom to a box"), lang.L("Shift and drag")),
		keyRow(lang.L("Select; again: what lies below"), lang.L("click")),
		keyRow(lang.L("Menu of the place"), lang.L("right click")),
		keyRow(lang.L("Open a menu"), lang.L("Alt and its first letter")),
		keyRow(lang.L("Click or menu in the middle of the map"), lang.L("Enter, Shift+Enter")),
	}
}
