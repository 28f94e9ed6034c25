package ui

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory/facts"
	"retrace/mapview"
	"retrace/mapview/render"
	"retrace/ui/action"
	"retrace/ui/state"
	"retrace/ui/words"
)

func (w *window) mapOptions() mapview.Options {
	return mapview.Options{
		Do:        w.do,
		OnSelect:  w.onSelect,
		OnHover:   w.card,
		OnContext: w.context,
		OnMove:    func(p roadnet.Point, ok bool) { w.bar.SetPlace(p, ok) },
		OnView:    w.onView,
		OnFit:     w.fitSelection,
		OnLegend:  w.foldLegend,
		Takes:     w.takes,
		OnKey:     w.typedKey,
		OnRune:    w.typedRune,
	}
}

// takes reports whether an arrow steps along a trip rather than moves the map.
func (w *window) takes(e *fyne.KeyEvent) bool {
	return (e.Name == fyne.KeyLeft || e.Name == fyne.KeyRight) && w.hasCurrent()
}

// The map must be so large, in logical pixels at text scale 1, for an open legend not
// to cover it.
const (
	legendWidth  = 560
	legendHeight = 470
)

// onView answers a change of the map's view: the scale, and whether there is room for
// the legend.
func (w *window) onView(v render.Viewport) {
	w.bar.SetScale(v.MetresPerPixel())
	w.rememberLater()
	scale := v.Scale * float64(w.m.Options().TextScale)
	w.drawing.narrow = float64(v.Width) < legendWidth*scale || float64(v.Height) < legendHeight*scale
	w.syncLegend()
}

// syncLegend folds the legend where the user wants that, and where there is little
// room, unless the user has opened it there.
func (w *window) syncLegend() {
	folded := w.m.LegendFolded() || w.drawing.narrow && !w.drawing.opened
	if folded != w.view.Look().Folded {
		w.view.SetLegend(folded)
	}
}

// foldLegend folds the legend, or opens it.
func (w *window) foldLegend() {
	folded := w.view.Look().Folded
	w.drawing.opened = folded
	w.m.SetLegendFolded(!folded)
	w.syncLegend()
}

// onSelect answers a click on the map; a click on bare map selects nothing. What is
// clicked is in view, so the map stays where it is.
func (w *window) onSelect(item render.Item) {
	w.stay = true
	w.m.Change(func() { w.clicked(item) })
	w.stay = false
}

func (w *window) clicked(item render.Item) {
	switch item.Kind {
	case render.NoItem:
		w.m.Deselect()
	case render.TripItem:
		w.m.SelectTrip(item.Trip)
	case render.DifferenceItem:
		w.drawing.difference = item.Index
		w.m.ShowDifference(item.Index)
	default:
		w.m.Select(item)
	}
}

// card is what the hover card says of a thing.
func (w *window) card(item render.Item) []string {
	if item.Kind == render.RoadItem {
		return w.roadCard(item.Segment)
	}
	t := w.m.Trip(item.Trip)
	if t == nil {
		return nil
	}
	r := t.Shown()
	switch {
	case item.Kind == render.DifferenceItem:
		return w.differenceCard(item.Index)
	case item.Kind == render.SampleItem && item.Index < len(t.Trajectory().Samples):
		return w.sampleCard(t, item.Index)
	case item.Kind == render.TickItem && r != nil && item.Index < len(r.Ticks):
		return w.tickCard(t, item.Index)
	case item.Kind == render.SpanItem && r != nil && item.Index < len(r.Spans):
		s := r.Spans[item.Index]
		return []string{words.SpanRoad(s.Road), words.Deck(s.Kind) + ", " + words.Length(s.To-s.From),
			lang.L("probability {{.P}}, margin {{.M}}", map[string]any{"P": words.Probability(float64(s.Probability)), "M": words.Probability(float64(s.Margin))})}
	}
	return []string{t.Title(), words.Day(t.Facts.Start, words.Zone(w.m)) + ", " + words.Length(t.Facts.Distance())}
}

// differenceCard says how far two ways differ at a place.
func (w *window) differenceCard(i int) []string {
	c, _ := w.m.Comparison()
	if i >= len(c.Differences) {
		return nil
	}
	d := c.Differences[i]
	return []string{lang.L("Difference {{.N}}", map[string]any{"N": i + 1}), lang.L("{{.A}} against {{.B}}", map[string]any{
		"A": words.Length(d.Ours.Length), "B": words.Length(d.Other.Length)})}
}

func (w *window) roadCard(id roadnet.SegmentID) []string {
	net := w.m.Network()
	if net == nil || int(id) >= net.NumSegments() {
		return nil
	}
	s := net.Segment(id)
	lines := []string{words.Road(s), words.Kind(s)}
	if s.Limit != roadnet.LimitUnknown {
		lines = append(lines, lang.L("limit {{.Limit}}", map[string]any{"Limit": words.Limit(s.Limit)}))
	}
	return lines
}

func (w *window) sampleCard(t *state.Trip, i int) []string {
	s := t.Trajectory().Samples[i]
	lines := []string{lang.L("Input point {{.N}}", map[string]any{"N": i + 1}), words.At(s.Time, words.Zone(w.m)), t.Title()}
	if r := t.Shown(); r != nil && i < len(r.Matches) && r.Matches[i].State != 0 {
		lines = append(lines, lang.L("passed over"))
	}
	return lines
}

func (w *window) tickCard(t *state.Trip, i int) []string {
	r := t.Shown()
	k := r.Ticks[i]
	seg := w.m.Network().Segment(k.At.Segment)
	lines := []string{words.Clock(k.Time, words.Zone(w.m)), words.Road(seg), words.Kind(seg) + ", " + words.Deck(k.Deck)}
	last := lang.L("probability {{.P}}", map[string]any{"P": words.Probability(float64(k.Probability))})
	if v, ok := facts.SpeedAfter(r.Ticks, i); ok {
		last = words.Speed(v) + ", " + last
	}
	return append(lines, last)
}

// context shows the menu of a place on the map.
func (w *window) context(item render.Item, p roadnet.Point, at fyne.Position) {
	items := []*fyne.MenuItem{
		fyne.NewMenuItem(lang.L("Copy coordinates"), func() { w.copyText(fmt.Sprintf("%.6f, %.6f", p.Lat, p.Lon)) }),
		fyne.NewMenuItem(lang.L("Zoom here"), func() { w.goTo(p) }),
	}
	if seg, ok := w.roadAt(p); ok {
		items = append(items, fyne.NewMenuItem(lang.L("About this road"), func() {
			w.m.Select(render.Item{Kind: render.RoadItem, Segment: seg, At: p})
		}), fyne.NewMenuItem(lang.L("Trips on this road"), func() { w.narrowToRoads(w.bothWays(seg)) }))
		items = append(items, w.pinItems(seg)...)
	}
	if t := w.m.Trip(item.Trip); t != nil {
		again := fyne.NewMenuItem(lang.L("Recover again"), func() { w.recoverOne(t) })
		again.Disabled = w.m.Network() == nil
		items = append(items, fyne.NewMenuItemSeparator(), again,
			fyne.NewMenuItem(lang.L("Hide"), func() { w.hideTrips([]*state.Trip{t}) }))
	}
	widget.ShowPopUpMenuAtPosition(fyne.NewMenu("", items...), w.win.Canvas(), at)
}

// reach is how far from the pointer a road is taken, in logical pixels.
const reach = 8

func (w *window) roadAt(p roadnet.Point) (roadnet.SegmentID, bool) {
	net := w.m.Network()
	if net == nil {
		return 0, false
	}
	hits := net.Near(p, reach*w.view.View().MetresPerPixel(), nil)
	if len(hits) == 0 {
		return 0, false
	}
	return hits[0].Segment, true
}

// pinItems pin the selected input point to a road, or free it.
func (w *window) pinItems(seg roadnet.SegmentID) []*fyne.MenuItem {
	item := w.m.Selected()
	t := w.m.Trip(item.Trip)
	sample, ok := w.sampleOf(item)
	if t == nil || !ok {
		return nil
	}
	data := map[string]any{"N": sample + 1}
	return []*fyne.MenuItem{
		fyne.NewMenuItemSeparator(),
		fyne.NewMenuItem(lang.L("Pin input {{.N}} to this road", data), func() { w.desk.Pin(t, sample, seg, false) }),
		fyne.NewMenuItem(lang.L("Input {{.N}} is not on this road", data), func() { w.desk.Pin(t, sample, seg, true) }),
		fyne.NewMenuItem(lang.L("Clear the pins of input {{.N}}", data), func() { w.desk.Unpin(t, sample) }),
	}
}

// sampleOf is the input point that is selected, itself or by its tick.
func (w *window) sampleOf(item render.Item) (int, bool) {
	t := w.m.Trip(item.Trip)
	if t == nil {
		return 0, false
	}
	if item.Kind == render.SampleItem {
		return item.Index, item.Index < len(t.Trajectory().Samples)
	}
	r := t.Shown()
	if item.Kind == render.TickItem && r != nil && item.Index < len(r.Ticks) && r.Ticks[item.Index].Observed {
		return int(r.Ticks[item.Index].Sample), true
	}
	return 0, false
}

// tripMenu shows the menu of the selected trips.
func (w *window) tripMenu(at fyne.Position) {
	var items []*fyne.MenuItem
	for _, id := range []action.ID{actFit, actSolo, actHide, actRecover, actExport, actRemove} {
		if a, ok := w.actions.Find(id); ok {
			item := fyne.NewMenuItem(a.Name(), a.Run)
			item.Disabled = !a.Can()
			items = append(items, item)
		}
	}
	widget.ShowPopUpMenuAtPosition(fyne.NewMenu("", items...), w.win.Canvas(), at)
}
