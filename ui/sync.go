package ui

import (
	"path/filepath"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"retrace/engine/roadnet"
	"retrace/internal/userdata"
	"retrace/mapview/render"
	"retrace/ui/look"
	"retrace/ui/state"
	"retrace/ui/words"
)

// dark reports whether the window shows dark colours.
func (w *window) dark() bool {
	return w.theme().IsDark(w.app.Settings().ThemeVariant())
}

func (w *window) theme() *look.Theme {
	o := w.m.Options()
	t := look.NewTheme(look.Mode(o.Theme), o.TextScale)
	if w.desktop == nil || !w.desktop.SaysColours() {
		return t.Silent()
	}
	return t
}

// applyTheme shows the colours and sizes that the user has set.
func (w *window) applyTheme() {
	o := w.m.Options()
	if w.themed == themeOf(o) {
		return
	}
	w.themed = themeOf(o)
	w.app.Settings().SetTheme(w.theme())
	if w.view != nil {
		w.view.SetDark(w.dark())
		w.view.SetTextScale(float64(o.TextScale))
	}
}

// applyUnits has the window say lengths and speeds in the units that the user has set.
// It comes before the panels hear of the settings.
func (w *window) applyUnits() {
	o := w.m.Options()
	if words.InUse().Miles() == o.Miles {
		return
	}
	if err := speakUnits(o.Language, o.Miles); err != nil {
		w.failed(lang.L("The translations cannot be read."), err)
	}
	if w.view != nil {
		w.view.SetMiles(o.Miles)
		w.view.SetWords(mapWords())
	}
}

// themed is what the theme depends on.
type themed struct {
	mode  string
	scale float32
}

func themeOf(o state.Options) themed { return themed{o.Theme, o.TextScale} }

// syncEmpty says what to do where there is no network, unless one is on its way.
func (w *window) syncEmpty() {
	hidden := w.m.Network() != nil || w.desk.Opening() || w.previewing()
	if hidden != w.empty.Hidden {
		w.empty.Hidden = hidden
		w.empty.Refresh()
	}
}

func (w *window) syncNetwork() {
	net := w.m.Network()
	if net != w.shown {
		w.shown = net
		w.view.SetTrips(nil) // their recoveries name segments of the network before
		w.view.SetNetwork(net, w.m.Basemap())
		w.stale = true
		w.handTrips()
	}
	title := "Retrace"
	if path := w.desk.Path(); path != "" && filepath.Base(path) != userdata.WorkspaceFile {
		title = studyName(path) + " – " + title
	}
	if net != nil {
		title = net.Info().Name + " – " + title
	}
	w.win.SetTitle(title)
}

// tripsEvery is how often the map takes trips that come in while work is under
// way: it draws all of them anew each time.
const tripsEvery = time.Second

// syncTrips hands the trips that are shown to the map: at once what the user
// shows or hides, what work brings with the next beat that is due.
func (w *window) syncTrips() {
	w.stale = true
	chosen := w.m.Choices() != w.choices
	w.choices = w.m.Choices()
	if chosen || len(w.tasks.Running()) == 0 || time.Since(w.synced) >= tripsEvery {
		w.handTrips()
	}
}

// manyTrips is from how many trips on the map reads them when it draws them.
const manyTrips = 1500

// handTrips hands the trips to the map where it has not got them yet.
func (w *window) handTrips() {
	if !w.stale {
		return
	}
	w.stale, w.synced = false, time.Now()
	if w.previewing() {
		w.view.SetTrips(w.previews.trips)
		return
	}
	var list []*state.Trip
	for _, t := range w.m.Trips() {
		if w.m.Visible(t) {
			list = append(list, t)
		}
	}
	shown := make([]render.Trip, len(list))
	for i, t := range list {
		shown[i] = t.Drawn(len(list) > manyTrips)
		shown[i].Pins = w.pinsOf(t)
	}
	w.view.SetTrips(shown)
}

// pinsOf are the pins of a trip as the map draws them: on the road, beside the
// input point.
func (w *window) pinsOf(t *state.Trip) []render.Pin {
	net := w.m.Network()
	var pins []render.Pin
	for _, p := range t.Pins {
		if net == nil || p.Sample >= len(t.Trajectory().Samples) || int(p.Segment) >= net.NumSegments() {
			continue
		}
		s := t.Trajectory().Samples[p.Sample]
		hit := net.Project(roadnet.Point{Lon: s.Lon, Lat: s.Lat}, p.Segment)
		pins = append(pins, render.Pin{Sample: p.Sample, Segment: p.Segment, Forbidden: p.Forbid, At: net.At(hit.Position)})
	}
	return pins
}

// mapWords are the map's own texts in the user's language, its speeds in the user's
// unit.
func mapWords() *render.Words {
	figures := words.InUse()
	speed, linkSpeeds := lang.L("speed, km/h"), lang.L("mean speed, km/h")
	if figures.Miles() {
		speed, linkSpeeds = lang.L("speed, mph"), lang.L("mean speed, mph")
	}
	return &render.Words{
		InputPoint: lang.L("input point"), SkippedPoint: lang.L("input point left out"), RecoveredPath: lang.L("recovered path"),
		OnDeck: lang.L("on an elevated deck"), BelowDeck: lang.L("below a deck"), InTunnel: lang.L("in a tunnel"),
		Unsure: lang.L("deck or ground unsure"), Alternative: lang.L("alternative"), Truth: lang.L("true path"),
		PinnedRoad: lang.L("pinned road"), ForbiddenRoad: lang.L("not on this road"),
		Legend: lang.L("Legend"), Differs: lang.L("where the ways differ"), OtherSide: lang.L("the other way there"),
		Probability: lang.L("probability of the road"), Speed: speed, Time: lang.L("time"), Class: lang.L("road class"),
		DeckOrGround: lang.L("Deck or ground? Margin"), Start: lang.L("start"), End: lang.L("end"),
		LinkCounts: lang.L("trips on a road"), LinkSpeeds: linkSpeeds, NoSpeed: lang.L("speed not known"), Decimal: figures.Decimal(),
		Classes: [6]string{lang.L("motorway, trunk road"), lang.L("primary road"), lang.L("secondary road"), lang.L("tertiary road"),
			lang.L("residential street"), lang.L("service road")},
	}
}

func (w *window) syncSelection() {
	w.view.SetSelection(w.m.Selected())
	w.view.SetHover(w.m.Hovered())
	w.follow(w.m.Selected())
}

// follow brings what is selected elsewhere than on the map into view.
func (w *window) follow(item render.Item) {
	if item == w.followed {
		return
	}
	w.followed = item
	if !w.stay {
		w.bring(item)
	}
}

// bring brings a thing into view: a place where it lies outside, a trip where it is
// not seen well.
func (w *window) bring(item render.Item) {
	if item.Kind == render.TripItem {
		w.fitTrip(item.Trip)
		return
	}
	at, ok := w.placeOf(item)
	if ok && !inner(w.view.View().Bounds()).Contains(at) {
		w.view.GoTo(at, 0)
	}
}

// inner is a view without its edge, where a place is hardly seen.
func inner(b roadnet.Bounds) roadnet.Bounds {
	const edge = 0.04 // of the view, on each side
	dx, dy := edge*(b.MaxLon-b.MinLon), edge*(b.MaxLat-b.MinLat)
	return roadnet.Bounds{MinLon: b.MinLon + dx, MinLat: b.MinLat + dy, MaxLon: b.MaxLon - dx, MaxLat: b.MaxLat - dy}
}

// placeOf is where a selected thing lies.
func (w *window) placeOf(item render.Item) (roadnet.Point, bool) {
	t := w.m.Trip(item.Trip)
	if t == nil {
		return item.At, item.Kind == render.PlaceItem || item.Kind == render.RoadItem
	}
	r := t.Shown()
	switch {
	case item.Kind == render.SampleItem && item.Index < len(t.Trajectory().Samples):
		s := t.Trajectory().Samples[item.Index]
		return roadnet.Point{Lon: s.Lon, Lat: s.Lat}, true
	case item.Kind == render.TickItem && r != nil && item.Index < len(r.Ticks):
		k := r.Ticks[item.Index]
		return roadnet.Point{Lon: k.Lon, Lat: k.Lat}, true
	case item.Kind == render.SpanItem && r != nil && item.Index < len(r.Spans):
		where, ok := w.m.Locate(t, r.Spans[item.Index].Enter)
		return where.At, ok
	}
	return roadnet.Point{}, false
}

func (w *window) syncLayers() {
	layers := w.m.ShownLayers()
	if w.previewing() {
		layers |= render.LayerInput
	}
	w.view.SetLayers(layers)
	w.view.SetColourBy(w.m.ColourBy())
}

// syncMarker moves the marker of playback along the current trip.
func (w *window) syncMarker() {
	t := w.m.Current()
	if t == nil || !w.m.Visible(t) || w.previewing() {
		w.view.SetMarker(nil)
		return
	}
	where, ok := w.m.Locate(t, w.m.InstantOf(t))
	if !ok {
		w.view.SetMarker(nil)
		return
	}
	w.view.SetMarker(&render.Marker{Trip: t.ID(), At: where.At, Heading: where.Heading})
}

// fitAll shows the network, or the trips where there are some.
func (w *window) fitAll() {
	if net := w.m.Network(); net != nil {
		w.view.Fit(net.Info().Bounds)
	}
}

// fitTrips shows trips that have come in: those on the network, else all.
func (w *window) fitTrips(list []*state.Trip) {
	var near []*state.Trip
	for _, t := range list {
		if t.Status != state.Outside {
			near = append(near, t)
		}
	}
	if len(near) == 0 && w.hasNetwork() {
		return
	}
	if b, ok := state.Bounds(near); ok {
		w.view.Fit(b)
	}
}

// fitSelection shows the selected trips, else all trips, else the network.
func (w *window) fitSelection() {
	list := w.m.Marked()
	if len(list) == 0 {
		w.fitAll()
		return
	}
	if b, ok := state.Bounds(list); ok {
		w.view.Fit(b)
	}
}

// fitTrip brings a trip into view.
func (w *window) fitTrip(id string) {
	t := w.m.Trip(id)
	if t == nil {
		return
	}
	if b, ok := state.Bounds([]*state.Trip{t}); ok && !wellSeen(b, w.view.View().Bounds()) {
		w.view.Fit(b)
	}
}

// wellSeen reports whether a box lies within a view and is not lost in it.
func wellSeen(b, view roadnet.Bounds) bool {
	inside := view.Contains(roadnet.Point{Lon: b.MinLon, Lat: b.MinLat}) && view.Contains(roadnet.Point{Lon: b.MaxLon, Lat: b.MaxLat})
	const share = 0.3 // of the view that it takes at the least, in one direction
	return inside && (b.MaxLon-b.MinLon > share*(view.MaxLon-view.MinLon) || b.MaxLat-b.MinLat > share*(view.MaxLat-view.MinLat))
}

// placeZoom is how close the map goes to a place.
const placeZoom = 16

func (w *window) goTo(p roadnet.Point) { w.view.GoTo(p, placeZoom) }

func (w *window) copyText(text string) {
	w.app.Clipboard().SetContent(text)
	w.m.Notify(state.Info, lang.L("Copied."), "")
}

// unfocus gives the keys back to the window.
func (w *window) unfocus() { w.win.Canvas().Unfocus() }

// freeKeys gives the keys back to the window where what has them is hidden now:
// fyne gives them to nothing that is.
func (w *window) freeKeys() {
	c := w.win.Canvas()
	if f := c.Focused(); f != nil && f != fyne.Focusable(w.view) {
		c.Unfocus()
		c.Focus(f)
	}
}

// dropped opens files that were dropped on the window.
func (w *window) dropped(_ fyne.Position, uris []fyne.URI) {
	paths := make([]string, 0, len(uris))
	for _, u := range uris {
		paths = append(paths, u.Path())
	}
	w.take(paths)
}
