// Package trips is the panel that lists the trips, in groups, with a search.
package trips

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"retrace/mapview/render"
	"retrace/ui/kit"
	"retrace/ui/look"
	"retrace/ui/state"
	"retrace/ui/words"
)

// Acts is what the panel's buttons do. Those on trips do it to all that are
// marked.
type Acts struct {
	Open   func() // a file dialog
	Sample func()
	Show   func(render.Item) // brings a trip into view
	Fit    func()            // shows the selected trip in full
	Menu   func(at fyne.Position)
	Leave  func() // gives the keys back to the window

	Recover, Hide, Only, Export, Remove func()
}

// Panel is the panel of trips.
type Panel struct {
	Object fyne.CanvasObject
	Search *kit.SearchField

	m       *state.Model
	acts    Acts
	header  *kit.Header
	rows    *kit.Rows
	found   []*state.Trip
	entries []entry
	by      grouping
	folded  map[string]bool // groups, by their keys
	group   *kit.Button
	body    *fyne.Container
	top     *fyne.Container
	empty   *fyne.Container
	none    *kit.Text
	narrow  *fyne.Container // says to which trips the list is narrowed
	what    *kit.Text
	bulk    *fyne.Container // what to do with many marked trips
	many    *kit.Text
	seen    seen
}

// seen is the selection that the list shows.
type seen struct {
	current *state.Trip
	marking int
}

// New makes the panel.
func New(m *state.Model, acts Acts) *Panel {
	p := &Panel{m: m, acts: acts, folded: map[string]bool{}}
	p.header = kit.NewHeader(lang.L("Trips"), "fold-left", lang.L("Fold this panel (L)"), func() { m.TogglePanel(state.LeftPanel) })
	p.Search = kit.NewSearchField(lang.L("Search trips"), acts.Leave)
	p.Search.OnChanged = m.SetSearch
	p.Search.OnKey = p.searchKey
	p.group = kit.NewIconButton("group", lang.L("Groups"), p.chooseGroups)
	p.rows = p.list()
	p.none = kit.NewText(lang.L("No trip matches the search."), kit.Style{Colour: look.Muted})
	p.empty = kit.NewPad(26, 14, 12, 14, kit.NewEmpty("route", lang.L("No trips yet"),
		lang.L("Drop trajectory files here: CSV, GPX or GeoJSON."),
		kit.NewButton(lang.L("Open files…"), "open", kit.Primary, acts.Open),
		kit.NewButton(lang.L("Open the sample"), "city", kit.Normal, acts.Sample)))
	search := kit.NewPad(8, 6, 8, 10, kit.NewLine(2, 0, p.Search, p.group))
	p.top = kit.NewColumn(0, search, p.narrowed())
	full := kit.NewBorder(p.top, p.bulkBar(), nil, nil, container.NewStack(p.rows, container.NewCenter(p.none)))
	p.body = container.NewStack(full, kit.NewBorder(p.empty, nil, nil, nil))
	p.Object = kit.NewBorder(p.header.Container, nil, nil, nil, p.body)
	m.Watch(state.Trips|state.Search|state.Settings|state.Network, p.reload)
	m.Watch(state.Selection, p.reselect)
	p.reload()
	return p
}

// narrowed says to which trips lists and map are narrowed, with a button that
// leads back to all.
func (p *Panel) narrowed() fyne.CanvasObject {
	p.what = kit.NewCutText("", kit.Style{Bold: true}, 30)
	clear := kit.NewIconButton("cross", lang.L("Show all trips again (Esc)"), p.m.Widen)
	p.narrow = container.NewStack(kit.NewFill(look.Selected), kit.NewPad(2, 6, 2, 12, kit.NewLine(4, 0, p.what, clear)))
	p.narrow.Hide()
	return p.narrow
}

// bulkBar is what can be done with many marked trips at once.
func (p *Panel) bulkBar() fyne.CanvasObject {
	p.many = kit.NewCutText("", kit.Style{Bold: true}, 20)
	p.bulk = container.NewStack(kit.NewFill(look.Selected), kit.NewBorder(kit.NewRule(), nil, nil, nil, kit.NewPad(3, 6, 3, 10, kit.NewLine(1, 0, p.many,
		kit.NewIconButton("again", lang.L("Recover the selected trips (Ctrl+R)"), p.acts.Recover),
		kit.NewIconButton("eye-off", lang.L("Hide or show the selected trips (H)"), p.acts.Hide),
		kit.NewIconButton("solo", lang.L("Show only the selected trips (S)"), p.acts.Only),
		kit.NewIconButton("export", lang.L("Export the selected trips (Ctrl+E)"), p.acts.Export),
		kit.NewIconButton("remove", lang.L("Remove the selected trips (Del)"), p.acts.Remove)))))
	p.bulk.Hide()
	return p.bulk
}

func (p *Panel) list() *kit.Rows {
	r := &kit.Rows{
		Count:    func() int { return len(p.entries) },
		New:      func() kit.Row { return newRow(p) },
		Height:   func() float32 { return theme.Size(theme.SizeNameText)*1.36 + theme.Size(look.SizeSmall)*1.36 + 13 },
		Selected: p.selected,
		OnPick:   p.pick,
		OnOpen:   p.open,
		OnHover:  p.hover,
		OnMenu: func(i int, at fyne.Position) {
			if !p.selected(i) {
				p.pick(kit.Picked{Index: i})
			}
			p.acts.Menu(at)
		},
	}
	r.Init()
	return r
}

// selected reports whether a row is: of a group, all its trips.
func (p *Panel) selected(i int) bool {
	e := p.entries[i]
	if e.trip != nil {
		return p.m.IsMarked(e.trip.ID()) || p.m.Current() == e.trip
	}
	for _, t := range e.trips {
		if !p.m.IsMarked(t.ID()) {
			return false
		}
	}
	return true
}

// pick selects a trip, or marks it, or all from one row to another; the head of
// a group stands for its trips.
func (p *Panel) pick(k kit.Picked) {
	e := p.entries[k.Index]
	switch {
	case k.Extend:
		var ids []string
		for _, i := range k.Range() {
			if t := p.entries[i].trip; t != nil {
				ids = append(ids, t.ID())
			}
		}
		p.m.Mark(ids)
	case e.trip == nil:
		p.pickGroup(e, k.Toggle)
	case k.Toggle:
		p.m.ToggleMark(e.trip.ID())
	default:
		p.m.SelectTrip(e.trip.ID())
		p.acts.Show(render.Item{Kind: render.TripItem, Trip: e.trip.ID()})
	}
}

func (p *Panel) pickGroup(e entry, more bool) {
	var ids []string
	if more {
		for _, t := range p.m.Marked() {
			ids = append(ids, t.ID())
		}
	}
	for _, t := range e.trips {
		ids = append(ids, t.ID())
	}
	p.m.Mark(ids)
}

// open shows a trip in full, and folds a group or opens it.
func (p *Panel) open(i int) {
	if p.entries[i].trip == nil {
		p.fold(p.entries[i].group)
		return
	}
	p.acts.Fit()
}

func (p *Panel) fold(group string) {
	p.folded[group] = !p.folded[group]
	p.reload()
}

// chooseGroups asks by what the list is parted.
func (p *Panel) chooseGroups() {
	var items []*fyne.MenuItem
	for g := range grouping(numGroupings) {
		item := fyne.NewMenuItem(g.title(), func() {
			p.by, p.folded = g, map[string]bool{}
			p.group.SetOn(g != ungrouped)
			p.reload()
		})
		item.Checked = g == p.by
		items = append(items, item)
	}
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(p.group)
	if c := kit.CanvasOf(p.group); c != nil {
		widget.ShowPopUpMenuAtPosition(fyne.NewMenu("", items...), c, at.AddXY(0, p.group.Size().Height))
	}
}

// searchKey has Down lead from the search into the list.
func (p *Panel) searchKey(e *fyne.KeyEvent) bool {
	if e.Name == fyne.KeyDown {
		p.rows.Focus()
		return true
	}
	return false
}

// MarkFocused selects all trips of the list where it has the keys; false where
// it has not.
func (p *Panel) MarkFocused() bool {
	if !p.rows.Focused() {
		return false
	}
	ids := make([]string, len(p.found))
	for i, t := range p.found {
		ids[i] = t.ID()
	}
	p.m.Mark(ids)
	return true
}

func (p *Panel) hover(i int) {
	if i < 0 || i >= len(p.entries) || p.entries[i].trip == nil {
		p.m.Hover(render.Item{})
		return
	}
	p.m.Hover(render.Item{Kind: render.TripItem, Trip: p.entries[i].trip.ID()})
}

func (p *Panel) reload() {
	p.found = p.m.Found()
	p.entries = p.by.entries(p.found, p.m.Zone(), p.folded)
	all := len(p.m.Trips())
	count := ""
	if all > 0 {
		count = words.Count(all)
	}
	if len(p.found) != all {
		count = words.Count(len(p.found)) + " / " + count
	}
	p.header.SetCount(count)
	what, n, narrowed := p.m.Narrowed()
	p.narrow.Hidden = !narrowed
	p.what.SetText(lang.N("{{.N}} trips {{.What}}", n, map[string]any{"N": words.Count(n), "What": what}))
	p.body.Objects[0].(*fyne.Container).Hidden = all == 0
	p.body.Objects[1].(*fyne.Container).Hidden = all > 0
	p.none.Hidden = all == 0 || len(p.found) > 0
	p.showBulk()
	p.top.Refresh()
	p.rows.Reload()
	p.body.Refresh()
}

// showBulk shows what can be done with many trips where many are marked.
func (p *Panel) showBulk() {
	n := len(p.m.Marked())
	p.many.SetText(lang.N("{{.N}} selected", n, map[string]any{"N": words.Count(n)}))
	if p.bulk.Hidden == (n > 1) {
		p.bulk.Hidden = n <= 1
		p.body.Refresh()
		for _, o := range p.body.Objects {
			o.Refresh()
		}
	}
}

// reselect follows what is selected; what the pointer is over is no matter here.
func (p *Panel) reselect() {
	current := p.m.Current()
	now := seen{current, p.m.Marking()}
	if now == p.seen {
		return
	}
	p.seen = now
	p.showBulk()
	for i, e := range p.entries {
		if current != nil && e.trip == current {
			p.rows.ScrollTo(i)
			return
		}
	}
	p.rows.Reload()
}
