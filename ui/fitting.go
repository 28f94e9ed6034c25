package ui

import (
	"retrace/engine/roadnet"
	"retrace/mapview/render"
	"retrace/ui/state"
)

// fitItem fits the map to a thing: a road, a stretch or a trip fills it, a place
// stands in its middle.
func (w *window) fitItem(item render.Item) {
	if b, ok := w.extentOf(item); ok {
		w.view.Fit(roomFor(b))
		return
	}
	if item.Kind == render.TripItem {
		w.fitSelection() // several may be marked
		return
	}
	if at, ok := w.placeOf(item); ok {
		w.goTo(at)
	}
}

// extentOf is the box around a road or a stretch of a trip; false for other things.
func (w *window) extentOf(item render.Item) (roadnet.Bounds, bool) {
	net := w.m.Network()
	switch {
	case item.Kind == render.RoadItem && net != nil && int(item.Segment) < net.NumSegments():
		line, _ := net.LineOf(item.Segment)
		return net.LineBounds(line), true
	case item.Kind == render.SpanItem:
		return w.spanExtent(item)
	}
	return roadnet.Bounds{}, false
}

// spanSteps is at how many places of a stretch its extent is taken.
const spanSteps = 32

// spanExtent is the box around a stretch on or near an elevated road.
func (w *window) spanExtent(item render.Item) (roadnet.Bounds, bool) {
	t := w.m.Trip(item.Trip)
	if t == nil || !t.IsShown() || item.Index >= len(t.Shown().Spans) {
		return roadnet.Bounds{}, false
	}
	s := t.Shown().Spans[item.Index]
	return w.drivenExtent(t, s.Enter, s.Exit)
}

// drivenExtent is the box around what a trip drove from one instant to another,
// both Unix milliseconds.
func (w *window) drivenExtent(t *state.Trip, from, to int64) (roadnet.Bounds, bool) {
	var b roadnet.Bounds
	found := false
	for i := range int64(spanSteps + 1) {
		where, ok := w.m.Locate(t, from+(to-from)*i/spanSteps)
		if !ok {
			continue
		}
		at := roadnet.Bounds{MinLon: where.At.Lon, MinLat: where.At.Lat, MaxLon: where.At.Lon, MaxLat: where.At.Lat}
		if found {
			at = union(b, at)
		}
		b, found = at, true
	}
	return b, found
}
