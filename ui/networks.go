package ui

import (
	"fmt"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/lang"

	"retrace/engine/roadnet"
	"retrace/ui/kit"
	"retrace/ui/look"
	"retrace/ui/words"
)

// showNetworks lists the networks of the study: where each lies, how large it is, of
// which date and file; to show one, rename it or remove it.
func (w *window) showNetworks() {
	var d *dialog.CustomDialog
	var rows []fyne.CanvasObject
	for _, info := range w.m.Networks() {
		name := info.Name
		open := kit.NewButton(lang.L("Show"), "", kit.Normal, func() { d.Hide(); w.desk.ShowNetwork(name) })
		if net := w.m.Network(); net != nil && net.Info().Name == name {
			open = kit.NewButton(lang.L("Shown"), "check", kit.Normal, func() { d.Hide() })
		}
		rename := kit.NewButton(lang.L("Rename…"), "", kit.Normal, func() { d.Hide(); w.renameNetwork(name) })
		remove := kit.NewIconButton("remove", lang.L("Remove"), func() { d.Hide(); w.askRemoveNetwork(name) })
		rows = append(rows, kit.NewColumn(0,
			kit.NewLine(8, 0, kit.NewCutText(name, kit.Style{Bold: true}, 80), open, rename, remove),
			kit.NewParagraph(aboutNetwork(info), look.Muted, fyne.TextAlignLeading), kit.NewRule()))
	}
	if len(rows) == 0 {
		rows = append(rows, kit.NewEmpty("city", lang.L("No networks yet"), lang.L("Drop an OpenStreetMap extract on the window to make one.")))
	}
	d = w.show(lang.L("Networks"), container.NewVScroll(kit.NewPad(4, 10, 4, 4, kit.NewColumn(6, rows...))), fyne.NewSize(620, 400))
}

// aboutNetwork is what tells a network from others.
func aboutNetwork(info roadnet.Info) string {
	b := info.Bounds
	corner := func(lon, lat float64) roadnet.Point { return roadnet.Point{Lon: lon, Lat: lat} }
	wide := roadnet.Distance(corner(b.MinLon, b.Center().Lat), corner(b.MaxLon, b.Center().Lat))
	high := roadnet.Distance(corner(b.MinLon, b.MinLat), corner(b.MinLon, b.MaxLat))
	parts := []string{
		lang.N("{{.N}} segments", info.Segments, map[string]any{"N": words.Count(info.Segments)}),
		fmt.Sprintf("%s × %s", words.Length(wide), words.Length(high)),
		lang.L("around {{.Place}}", map[string]any{"Place": words.Place(b.Center())}),
	}
	for _, text := range []string{info.DataDate, info.Source} {
		if text != "" {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, ", ")
}

// renameNetwork asks for another name of a network.
func (w *window) renameNetwork(name string) {
	entry := kit.NewEntry()
	entry.SetText(name)
	entry.OnSubmitted = func(string) { w.accept() }
	w.confirm(lang.L("Rename the network"), lang.L("Rename"), fields(fieldName(lang.L("Name")), entry), 420, func() {
		w.desk.RenameNetwork(name, strings.TrimSpace(entry.Text))
	})
	w.win.Canvas().Focus(entry)
}

func (w *window) askRemoveNetwork(name string) {
	w.ask(lang.L("Remove the network?"), lang.L("{{.Name}} is removed from the workspace. Its extract can be imported again; trips and recoveries stay.", map[string]any{"Name": name}),
		[]string{lang.L("Remove"), lang.L("Keep")}, func(i int) {
			if i == 0 {
				w.desk.RemoveNetwork(name)
			}
		})
}
