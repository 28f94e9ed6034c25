// Package trips is the panel that lists the trips, with a search.
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

// Acts is what the panel's buttons do.
type Acts struct {
	Open   func() // a file dialog
	Sample func()
	Fit    func() // shows the selected trip in full
	Menu   func(at fyne.Position)
	Leave  func() // gives the keys back to the window
}

// Panel is the panel of trips.
type Panel struct {
	Object fyne.CanvasObject
	Search *Entry

	m      *state.Model
	acts   Acts
	header *kit.Header
	rows   *kit.Rows
	found  []*state.Trip
	body   *fyne.Container
	empty  *fyne.Container
	none   *kit.Text
}

// New makes the panel.
func New(m *state.Model, acts Acts) *Panel {
	p := &Panel{m: m, acts: acts, found: m.Found()}
	p.header = kit.NewHeader(lang.L("Trips"), "fold-left", lang.L("Fold this panel (L)"), func() { m.TogglePanel(state.LeftPanel) })
	p.Search = newEntry(lang.L("Search trips"), acts.Leave)
	p.Search.OnChanged = m.SetSearch
	p.rows = p.list()
	p.none = kit.NewText(lang.L("No trip matches the search."), kit.Style{Colour: look.Muted})
	p.empty = kit.NewPad(26, 14, 12, 14, kit.NewEmpty("route", lang.L("No trips yet"),
		lang.L("Drop trajectory files here: CSV, GPX or GeoJSON."),
		kit.NewButton(lang.L("Open files…"), "open", kit.Primary, acts.Open),
		kit.NewButton(lang.L("Open the sample"), "city", kit.Normal, acts.Sample)))
	search := kit.NewPad(8, 10, 8, 10, p.Search)
	full := kit.NewBorder(search, nil, nil, nil, container.NewStack(p.rows, container.NewCenter(p.none)))
	p.body = container.NewStack(full, kit.NewBorder(p.empty, nil, nil, nil))
	p.Object = kit.NewBorder(p.header.Container, nil, nil, nil, p.body)
	m.Watch(state.Trips|state.Search|state.Settings|state.Network, p.reload)
	m.Watch(state.Selection, p.reselect)
	p.reload()
	return p
}

func (p *Panel) list() *kit.Rows {
	r := &kit.Rows{
		Count:    func() int { return len(p.found) },
		New:      func() kit.Row { return newRow(p) },
		Height:   func() float32 { return theme.Size(theme.SizeNameText)*1.36 + theme.Size(look.SizeSmall)*1.36 + 13 },
		Selected: func(i int) bool { return p.m.IsMarked(p.found[i].ID()) || p.m.Current() == p.found[i] },
		OnPick:   p.pick,
		OnOpen:   func(int) { p.acts.Fit() },
		OnHover:  p.hover,
		OnMenu: func(i int, at fyne.Position) {
			if !p.m.IsMarked(p.found[i].ID()) {
				p.m.SelectTrip(p.found[i].ID())
			}
			p.acts.Menu(at)
		},
	}
	r.Init()
	return r
}

func (p *Panel) pick(k kit.Picked) {
	Pick(p.m, k, func(i int) *state.Trip { return p.found[i] }, len(p.found))
}

// Pick selects or marks trips of a list as a row was picked.
func Pick(m *state.Model, k kit.Picked, at func(int) *state.Trip, n int) {
	id := at(k.Index).ID()
	switch {
	case k.Toggle:
		m.ToggleMark(id)
	case k.Extend && m.Current() != nil:
		m.Mark(between(m.Current(), at(k.Index), at, n))
	default:
		m.SelectTrip(id)
	}
}

// between lists the trips from one to another in a list.
func between(a, b *state.Trip, at func(int) *state.Trip, n int) []string {
	var ids []string
	inside := false
	for i := range n {
		t := at(i)
		edge := t == a || t == b
		if edge || inside {
			ids = append(ids, t.ID())
		}
		if edge && a != b {
			inside = !inside
		}
	}
	return ids
}

func (p *Panel) hover(i int) {
	if i < 0 || i >= len(p.found) {
		p.m.Hover(render.Item{})
		return
	}
	p.m.Hover(render.Item{Kind: render.TripItem, Trip: p.found[i].ID()})
}

func (p *Panel) reload() {
	p.found = p.m.Found()
	all := len(p.m.Trips())
	count := ""
	if all > 0 {
		count = words.Count(all)
	}
	if len(p.found) != all {
		count = words.Count(len(p.found)) + " / " + count
	}
	p.header.SetCount(count)
	p.body.Objects[0].(*fyne.Container).Hidden = all == 0
	p.body.Objects[1].(*fyne.Container).Hidden = all > 0
	p.none.Hidden = all == 0 || len(p.found) > 0
	p.rows.Reload()
	p.body.Refresh()
}

func (p *Panel) reselect() {
	for i, t := range p.found {
		if t == p.m.Current() {
			p.rows.ScrollTo(i)
			return
		}
	}
	p.rows.Reload()
}

// Entry is a search field that Escape empties and leaves.
type Entry struct {
	widget.Entry
	leave func()
}

func newEntry(hint string, leave func()) *Entry {
	e := &Entry{leave: leave}
	e.ExtendBaseWidget(e)
	e.SetPlaceHolder(hint)
	e.Icon = look.IconIn("search", look.Muted)
	return e
}

// TypedKey implements fyne.Focusable.
func (e *Entry) TypedKey(k *fyne.KeyEvent) {
	if k.Name == fyne.KeyEscape {
		e.SetText("")
		e.leave()
		return
	}
	e.Entry.TypedKey(k)
}
