package ui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"retrace/assets"
	"retrace/ui/action"
	"retrace/ui/kit"
	"retrace/ui/look"
	"retrace/ui/manual"
)

// showManual shows the manual in the window's language, its last chapter made from
// the table of actions.
func (w *window) showManual() {
	text, err := assets.Manual(lang.L("en"))
	if err != nil {
		w.failed(lang.L("The manual cannot be read."), err)
		return
	}
	pages := append(manual.Pages(text), w.keysPage())
	var d dialog.Dialog
	view := manual.New(pages, func() { d.Hide() })
	d = w.show(lang.L("Manual"), view.Object, w.roomyDialog())
	w.win.Canvas().Focus(view.Search)
}

// roomyDialog is the size of a dialog with much to read.
func (w *window) roomyDialog() fyne.Size {
	size := w.win.Canvas().Size()
	return fyne.NewSize(min(980, size.Width-60), min(680, size.Height-60))
}

// keysPage is all keys as a chapter of the manual.
func (w *window) keysPage() manual.Page {
	var b strings.Builder
	for kind := range action.Menu(action.NumMenus) {
		fmt.Fprintf(&b, "### %s\n", kind.Title())
		for _, group := range w.actions.Groups(kind) {
			for _, a := range group {
				if !a.Key.None() {
					fmt.Fprintf(&b, "- **%s** %s\n", a.Key, a.Name())
				}
			}
		}
	}
	return manual.Page{Title: lang.L("Keys"), Text: b.String()}
}

// showAbout says what the program is, and under which licences every part of it
// and the data stand.
func (w *window) showAbout() {
	about := lang.L("Retrace {{.Version}} recovers dense trajectories on the roads from sparse GPS points. Everything runs on this computer; nothing leaves it.", map[string]any{"Version": w.version}) +
		"\n\n" + lang.L("Recovery: a learned model (RNTrajRec) or classical map matching (HMM).") +
		"\n\n" + lang.L("Maps and networks are made from OpenStreetMap data, © OpenStreetMap contributors, available under the Open Database License.") +
		"\n\n" + lang.L("Retrace is under the Apache License 2.0. Below stand the licences of all that it is made of.")
	head := kit.NewParagraph(about, look.Text, fyne.TextAlignLeading)
	parts := licenceParts(assets.Licences())
	text := widget.NewLabel("")
	text.Wrapping = fyne.TextWrapWord
	scroll := container.NewVScroll(text)
	list := kit.NewList(func() int { return len(parts) }, func(i int) string { return parts[i].name }, func(i int) {
		text.SetText(parts[i].text)
		scroll.ScrollToTop()
	})
	list.Select(0)
	split := kit.NewBorder(nil, nil, kit.NewFixed(300, 0, list), nil, scroll)
	w.show(lang.L("About Retrace"), kit.NewBorder(head, nil, nil, nil, split), w.roomyDialog())
}

// part is one part of the program and its licence.
type part struct{ name, text string }

// licenceParts cuts the licences into the parts that they are of, by name: this
// program first, then data and others, then the modules.
func licenceParts(all string) []part {
	texts := map[string]string{}
	for _, block := range strings.Split(all, "\n"+strings.Repeat("=", 72)+"\n\n") {
		names, text, _ := strings.Cut(block, "\n\n")
		for _, name := range strings.Split(strings.TrimSpace(names), "\n") {
			if texts[name] != "" {
				text = texts[name] + "\n\n" + text // several of one part
			}
			texts[name] = text
		}
	}
	var parts []part
	for name, text := range texts {
		parts = append(parts, part{name, text})
	}
	slices.SortFunc(parts, func(a, b part) int {
		if c := cmp.Compare(rankOf(a.name), rankOf(b.name)); c != 0 {
			return c
		}
		return cmp.Compare(a.name, b.name)
	})
	return parts
}

// rankOf puts this program before data and other parts, and those before the
// modules, whose names have a version.
func rankOf(name string) int {
	switch {
	case strings.HasPrefix(name, "Retrace"):
		return 0
	case strings.Contains(name, ","):
		return 1
	}
	return 2
}
