// Package dock is the panel of tables under the map: trips, the points of a
// trip, elevated spans, links and problems. Each can be sorted, filtered and
// copied.
package dock

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"retrace/engine/roadnet"
	"retrace/ui/kit"
	"retrace/ui/look"
	"retrace/ui/state"
	"retrace/ui/words"
)

// Acts is what the tables do beyond selecting.
type Acts struct {
	Do    func(func())        // runs a function on the window's goroutine
	Copy  func(text string)   // to the clipboard
	Fit   func()              // shows the selection in full
	GoTo  func(roadnet.Point) // moves the map to a place
	Leave func()              // gives the keys back to the window
	Menu  func(at fyne.Position)
}

// Panel is the panel of tables.
type Panel struct {
	Object fyne.CanvasObject
	Filter *widget.Entry

	m      *state.Model
	acts   Acts
	views  [state.NumTabs]*view
	tabs   [state.NumTabs]*kit.Tab
	body   *fyne.Container
	active state.Tab
	row    *fyne.Container // of tabs
}

// New makes the panel.
func New(m *state.Model, acts Acts) *Panel {
	p := &Panel{m: m, acts: acts, active: state.NumTabs}
	links := newLinks(m, acts.Do)
	sources := [state.NumTabs]source{newTrips(m, acts), newPoints(m), newSpans(m), links, newProblems(m, acts)}
	p.body = container.NewStack()
	for i, s := range sources {
		p.views[i] = newView(m, s, acts)
		p.body.Add(p.views[i].object)
		p.tabs[i] = kit.NewTab(s.title(), func() { m.ShowTab(state.Tab(i)) })
	}
	links.loaded = func() { p.reload(state.LinksTab) }
	p.Object = kit.NewBorder(p.bar(), nil, nil, nil, p.body)
	m.Watch(state.Trips|state.Network|state.Settings|state.Problems, p.reloadAll)
	m.Watch(state.Selection, p.reselect)
	m.Watch(state.Panels, p.show)
	p.reloadAll()
	p.show()
	return p
}

// bar is the row of tabs with the filter and what else there is to do.
func (p *Panel) bar() fyne.CanvasObject {
	tabs := make([]fyne.CanvasObject, len(p.tabs))
	for i, t := range p.tabs {
		tabs[i] = t
	}
	p.Filter = widget.NewEntry()
	p.Filter.SetPlaceHolder(lang.L("Filter, e.g. lowest < 0.6"))
	p.Filter.Icon = look.IconIn("search", look.Muted)
	p.Filter.OnChanged = func(text string) { p.views[p.active].filter(text) }
	copyButton := kit.NewButton(lang.L("Copy as CSV"), "copy", kit.Normal, p.copy)
	fold := kit.NewIconButton("unfold", lang.L("Fold the tables (T)"), func() { p.m.TogglePanel(state.DockPanel) })
	right := kit.NewLine(8, -1, kit.NewFixed(230, 0, p.Filter), copyButton, fold)
	p.row = kit.NewLine(0, -1, tabs...)
	line := kit.NewBorder(nil, nil, container.NewHScroll(p.row), kit.NewPad(0, 6, 0, 8, right))
	return container.NewStack(kit.NewFill(look.Second), kit.NewBorder(nil, kit.NewRule(), nil, nil, container.New(bar{}, line.Objects...)))
}

// bar lays the tabs left and the tools right; where both do not fit, the tabs
// scroll.
type bar struct{}

const barHeight = 38

func (bar) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	tabs, tools := objects[0], objects[1]
	w := min(tools.MinSize().Width, size.Width*0.6)
	tabs.Resize(fyne.NewSize(size.Width-w, size.Height))
	tools.Resize(fyne.NewSize(w, size.Height))
	tools.Move(fyne.NewPos(size.Width-w, 0))
}

func (bar) MinSize(objects []fyne.CanvasObject) fyne.Size { return fyne.NewSize(200, barHeight) }

func (p *Panel) show() {
	active := p.m.PanelSet().Tab
	if active == p.active {
		return
	}
	p.active = active
	for i, v := range p.views {
		v.object.Hidden = state.Tab(i) != active
		p.tabs[i].SetActive(state.Tab(i) == active)
	}
	p.Filter.SetText(p.views[active].text)
	p.views[active].reload()
	p.body.Refresh()
}

func (p *Panel) reloadAll() {
	for i := range p.views {
		p.reload(state.Tab(i))
	}
}

// reload reads the rows of a table anew; only the one that is shown is arranged.
func (p *Panel) reload(t state.Tab) {
	if t == p.active {
		p.views[t].reload()
	} else {
		p.views[t].source.load()
	}
	count := ""
	if n := p.views[t].source.count(); n > 0 {
		count = words.Count(n)
	}
	p.tabs[t].SetCount(count)
	p.row.Refresh()
}

func (p *Panel) reselect() {
	p.reload(state.PointsTab)
	p.views[p.active].reselect()
}

func (p *Panel) copy() { p.acts.Copy(p.views[p.active].csv()) }

// Table is the table of a tab, for tests.
func (p *Panel) Table(t state.Tab) *kit.Table { return p.views[t].table }
