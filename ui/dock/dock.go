// Package dock is the panel of tables under the map: trips, the points of a
// trip, elevated spans, links, crossings and problems. Each can be sorted,
// filtered and copied.
package dock

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"

	"retrace/engine/flow"
	"retrace/engine/roadnet"
	"retrace/mapview/render"
	"retrace/ui/keeper"
	"retrace/ui/kit"
	"retrace/ui/look"
	"retrace/ui/state"
	"retrace/ui/words"
)

// Acts is what the tables do beyond selecting.
type Acts struct {
	Do      func(func())        // runs a function on the window's goroutine
	Copy    func(text string)   // to the clipboard
	Show    func(render.Item)   // brings a thing into view
	Fit     func(render.Item)   // fits the map to a thing
	GoTo    func(roadnet.Point) // moves the map to a place
	Leave   func()              // gives the keys back to the window
	Menu    func(at fyne.Position)
	Flows   *keeper.Keeper                 // knows who drove where
	Draw    func(area bool)                // has the user draw a line or an area to count at
	Write   func(name string, text string) // writes a file that the user names
	Roads   func(ids []roadnet.SegmentID)  // shows the trips over roads alone
	Counted func(links []flow.Link)        // hears how segments were driven
	Save    func()                         // set by the panel: writes the counts
}

// Panel is the panel of tables.
type Panel struct {
	Object fyne.CanvasObject
	Filter *kit.SearchField

	m        *state.Model
	acts     Acts
	views    [state.NumTabs]*view
	tabs     [state.NumTabs]*kit.Tab
	links    *linkRows
	cross    *crossingRows
	only     *kit.Button // narrows lists and map to the rows shown
	body     *fyne.Container
	active   state.Tab
	followed int // point that the clock stands at
	seen     seen
	row      *fyne.Container // of tabs
}

// New makes the panel.
func New(m *state.Model, acts Acts) *Panel {
	p := &Panel{m: m, acts: acts, active: state.NumTabs}
	p.acts.Save = p.saveCrossings
	p.links = newLinks(m, p.acts, p.tripsOfRoads)
	p.cross = newCrossings(m, p.acts)
	problems := newProblems(m, acts)
	sources := [state.NumTabs]source{newTrips(m), newPoints(m), newSpans(m), newDoubts(m), p.links, p.cross, problems}
	p.body = container.NewStack()
	for i, s := range sources {
		p.views[i] = newView(m, s, p.acts)
		p.body.Add(p.views[i].object)
		p.tabs[i] = kit.NewTab(s.title(), func() { m.ShowTab(state.Tab(i)) })
	}
	p.links.loaded = func() { p.reload(state.LinksTab) }
	p.cross.loaded = func() { p.reload(state.CrossingsTab) }
	p.cross.relabel = p.views[state.CrossingsTab].relabel
	problems.again = func() { p.reload(state.ProblemsTab) }
	p.Object = kit.NewBorder(p.bar(), nil, nil, nil, p.body)
	m.Watch(state.Trips|state.Network|state.Settings|state.Problems, p.reloadAll)
	m.Watch(state.Selection, p.reselect)
	m.Watch(state.Panels, p.show)
	m.Watch(state.Flows|state.Settings, p.count)
	m.Watch(state.Time, p.followTime)
	p.reloadAll()
	p.cross.show(flow.Crossed{})
	p.show()
	return p
}

// bar is the row of tabs with the filter and what else there is to do.
func (p *Panel) bar() fyne.CanvasObject {
	tabs := make([]fyne.CanvasObject, len(p.tabs))
	for i, t := range p.tabs {
		tabs[i] = t
	}
	p.Filter = kit.NewSearchField(lang.L("Filter, e.g. risk > 0.3"), p.acts.Leave)
	p.Filter.OnChanged = p.filter
	p.Filter.OnKey = p.filterKey
	p.only = kit.NewIconButton("solo", lang.L("Show only the trips that pass the filter, in the lists and on the map"), p.onlyThese)
	copyButton := kit.NewButton(lang.L("Copy as CSV"), "copy", kit.Normal, p.copyRows)
	copyButton.SetTip(lang.L("Copies the selected rows where they are several, else all"))
	fold := kit.NewIconButton("unfold", lang.L("Fold the tables (T)"), func() { p.m.TogglePanel(state.DockPanel) })
	right := kit.NewLine(8, 0, kit.NewFixed(leastFilter, 0, container.New(centred{}, p.Filter)), p.only, copyButton, fold)
	p.row = kit.NewLine(0, -1, tabs...)
	line := kit.NewBorder(nil, nil, container.NewHScroll(p.row), kit.NewPad(0, 6, 0, 8, right))
	return container.NewStack(kit.NewFill(look.Second), kit.NewBorder(nil, kit.NewRule(), nil, nil, container.New(bar{p.row, p.Filter}, line.Objects...)))
}

func (p *Panel) show() {
	active := p.m.PanelSet().Tab
	if active == p.active || int(active) >= len(p.views) {
		return
	}
	p.active = active
	if active == state.LinksTab || active == state.CrossingsTab {
		p.count()
	}
	for i, v := range p.views {
		v.object.Hidden = state.Tab(i) != active
		p.tabs[i].SetActive(state.Tab(i) == active)
	}
	p.Filter.SetText(p.views[active].text)
	p.only.SetEnabled(active == state.TripsTab)
	p.views[active].reload()
	p.body.Refresh()
}

func (p *Panel) filter(text string) { p.views[p.active].setFilter(text) }

// filterKey has Down lead from the filter into the rows.
func (p *Panel) filterKey(e *fyne.KeyEvent) bool {
	if e.Name == fyne.KeyDown {
		p.views[p.active].table.List.Focus()
		return true
	}
	return false
}

func (p *Panel) reloadAll() {
	if p.m.Traffic().Scope == state.ScopeShown {
		p.count()
	}
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
	n := p.views[t].source.count()
	if s, ok := p.views[t].source.(interface{ tally() int }); ok {
		n = s.tally()
	}
	if n > 0 && t != state.CrossingsTab {
		count = words.Count(n)
	}
	p.tabs[t].SetCount(count)
	p.row.Refresh()
}

// reselect follows what is selected; what the pointer is over is no matter here.
func (p *Panel) reselect() {
	now := seen{p.m.Selected(), p.m.Current(), p.m.Marking()}
	if now == p.seen {
		return
	}
	marked := now.marking != p.seen.marking
	p.seen = now
	p.reload(state.PointsTab)
	p.links.load()
	p.views[p.active].reselect()
	if marked && p.m.Traffic().Scope == state.ScopeSelected {
		p.count()
	}
}

// seen is the selection that the tables show.
type seen struct {
	item    render.Item
	current *state.Trip
	marking int
}

// followTime has the points follow the clock.
func (p *Panel) followTime() {
	if p.active != state.PointsTab {
		return
	}
	if at := p.views[state.PointsTab].source.chosen(); at != p.followed {
		p.followed = at
		p.views[state.PointsTab].reselect()
	}
}

// countedUnasked is up to how many trips links are counted for the number on their tab
// alone: who drove where takes memory.
const countedUnasked = 20_000

// count counts links and crossings anew, beside the window, where that is shown.
func (p *Panel) count() {
	if counts := p.active == state.LinksTab || p.active == state.CrossingsTab; !counts && len(p.m.Trips()) > countedUnasked {
		return
	}
	p.links.ask()
	p.cross.ask()
}

func (p *Panel) copyRows() {
	v := p.views[p.active]
	p.acts.Copy(v.csv(v.several()))
}

// CopyFocused copies the rows that are selected in the table that has the keys;
// false where none has.
func (p *Panel) CopyFocused() bool {
	v := p.views[p.active]
	if !v.table.List.Focused() {
		return false
	}
	rows := v.several()
	if c := v.table.List.Cursor(); len(rows) == len(v.order) && len(v.order) > 1 && !v.all() && c >= 0 {
		rows = []int{v.order[c]}
	}
	p.acts.Copy(v.csv(rows))
	return true
}

// MarkFocused selects all rows of the table that has the keys; false where none
// has.
func (p *Panel) MarkFocused() bool {
	v := p.views[p.active]
	if !v.table.List.Focused() {
		return false
	}
	v.markAll()
	return true
}

// onlyThese narrows lists and map to the trips that pass the filter.
func (p *Panel) onlyThese() {
	v := p.views[state.TripsTab]
	trips := v.source.(*tripRows)
	ids := make([]string, len(v.order))
	for i, row := range v.order {
		ids[i] = trips.trips[row].ID()
	}
	what := v.text
	if what == "" {
		return
	}
	p.m.Narrow(what, ids)
}

// tripsOfRoads shows the trips alone over the links that are selected.
func (p *Panel) tripsOfRoads() {
	var ids []roadnet.SegmentID
	for row := range p.views[state.LinksTab].marked {
		if row >= len(p.links.rows) {
			continue // counted anew meanwhile
		}
		ids = append(ids, p.links.rows[row].Segment)
	}
	if sel := p.m.Selected(); len(ids) == 0 && sel.Kind == render.RoadItem {
		ids = append(ids, sel.Segment)
	}
	if len(ids) > 0 {
		p.acts.Roads(ids)
	}
}

func (p *Panel) saveCrossings() {
	v := p.views[state.CrossingsTab]
	p.acts.Write("crossings.csv", v.csv(v.order))
}

// Table is the table of a tab, for tests.
func (p *Panel) Table(t state.Tab) *kit.Table { return p.views[t].table }
