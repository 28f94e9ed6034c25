package kit

import (
	"fmt"
	"reflect"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"

	"retrace/ui/look"
)

// Fyne throws away what draws a widget that was not seen for a minute, and makes it anew
// without laying it out. Each of ours lays itself out, or rows of tables that come back
// show fields of other rows, without bars and grounds.
func TestARendererMadeAnewIsLaidOut(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(look.NewTheme(look.Light, 1))
	size := fyne.NewSize(240, 30)
	table := NewTable([]Column{{Title: "Name", Width: 100, Grow: 1}, {Title: "Length", Width: 80}}, func(row, column int) Cell {
		return Cell{Text: fmt.Sprint("field ", row, column), Icon: "check", Bar: &Gauge{Value: 0.5}}
	})
	table.List.Count = func() int { return 3 }
	table.Init()
	row := newTableRow(table)
	row.Bind(1)
	field := newCell()
	field.set(Cell{Text: "a field", Icon: "warning", Bar: &Gauge{Value: 0.7, Hollow: true}})
	bar := NewBar()
	bar.Set(Gauge{Value: 0.5}, look.Path)
	plot := NewPlot(30, look.Bars)
	plot.Set([]Step{{0, 0.5, 1}})
	toggles := NewToggles([]string{"Mo", "Tu"}, "tip")
	entry := NewEntry()
	entry.SetText("text")
	search := NewSearchField("Search", func() {})
	for _, w := range []fyne.Widget{table, row, field, bar, plot, toggles, entry, search, NewText("text", Style{}), NewFill(look.Surface), newRing(),
		NewButton("Button", "open", Normal, func() {}), NewCheck("Check", NewText("x", Style{}), func(bool) {}), NewRadio([]string{"a", "b"}, 0),
		NewTab("Tab", func() {}), NewSelect([]string{"a", "b"}, nil), NewSelectEntry(), NewSlider(0, 1), NewIcon("check", look.Text),
		NewLive(NewText("row", Style{}), func(bool) {}, func() {}), NewHint(NewText("x", Style{}), func() string { return "" }), newColumnTitle(table, 0)} {
		test.NewTempWindow(t, container.NewWithoutLayout(w))
		w.Resize(size)
		first, again := test.WidgetRenderer(w).Objects(), w.CreateRenderer().Objects()
		for i := range first {
			if !reflect.DeepEqual(first[i].Size(), again[i].Size()) || first[i].Position() != again[i].Position() {
				t.Errorf("%T: part %d, a %T, has size %v at %v; made anew %v at %v", w, i, first[i], first[i].Size(), first[i].Position(), again[i].Size(), again[i].Position())
			}
		}
	}
}
