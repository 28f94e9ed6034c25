package ui

import (
	"context"
	"encoding/json"

	"fyne.io/fyne/v2/lang"

	"retrace/engine/flow"
	"retrace/mapview/render"
	"retrace/ui/action"
	"retrace/ui/keeper"
	"retrace/ui/state"
)

// drawnKey is the workspace's setting that holds how the map draws its layers.
const drawnKey = "map"

// drawnMap is how the map draws its layers, as it is kept.
type drawnMap struct {
	Fades  render.Fades
	LinkBy render.LinkBy
	Folded bool // the legend
}

// drawing is what the map is drawn with beside the state.
type drawing struct {
	sides      render.Sides    // of a comparison
	difference int             // that the map has brought into view
	linked     bool            // the roads driven are on the map, or on their way
	markers    []render.Marker // of the frame before, to be filled again
	narrow     bool            // there is little room for a legend
	opened     bool            // the user has opened it all the same
}

// watchMap keeps how the map draws, and what it draws beside the trips, in step
// with the state.
func (w *window) watchMap() {
	w.m.Watch(state.Layers, w.syncDrawn)
	w.m.Watch(state.Flows|state.Network, w.syncLinks)
	w.m.Watch(state.Layers, func() {
		if w.m.ShownLayers().Has(render.LayerLinks) != w.drawing.linked {
			w.syncLinks()
		}
	})
	w.m.Watch(state.Comparing|state.Network, w.syncComparison)
	w.m.Watch(state.Time|state.Trips|state.Network, w.syncFleet)
	w.syncDrawn()
}

func (w *window) syncDrawn() {
	w.view.SetFades(w.m.Fades())
	w.view.SetLinkBy(w.m.LinkBy())
	w.syncLegend()
}

// syncLinks shows how often and how fast roads were driven, where the map shows
// it: of the trips and times that the tables count.
func (w *window) syncLinks() {
	net := w.m.Network()
	w.drawing.linked = net != nil && w.m.ShownLayers().Has(render.LayerLinks)
	if !w.drawing.linked {
		return
	}
	ask := w.m.TrafficAsk()
	keeper.Consult(w.traffic.keeper, "map", func(ctx context.Context, x *flow.Index) ([]render.Link, error) {
		found, err := x.Links(ctx, ask)
		links := make([]render.Link, len(found))
		for i, l := range found {
			links[i] = render.Link{Segment: l.Segment, Trips: l.Trips, Speed: l.Speed}
		}
		return links, err
	}, func(links []render.Link) {
		if w.m.Network() == net {
			w.view.SetLinks(links)
		}
	})
}

// syncFleet moves the markers of all trips, where all are played.
func (w *window) syncFleet() {
	c := w.m.Clock()
	if c.Over == state.PlayTrip || w.m.Network() == nil {
		w.view.SetMarkers(nil)
		return
	}
	w.drawing.markers = w.m.Fleet().Markers(c.At, w.drawing.markers[:0])
	w.view.SetMarkers(w.drawing.markers)
}

// syncComparison shows what is compared; the divider and the halves stay as the
// user has them.
func (w *window) syncComparison() {
	c, ok := w.m.Comparison()
	if !ok {
		w.view.SetComparison(nil)
		return
	}
	next := &render.Comparison{Trip: c.Trip, Chosen: c.At, Divider: 0.5, Sides: w.drawing.sides,
		A: render.Version{Name: lang.L("As shown"), Recovery: c.Ours}, B: render.Version{Name: otherName(c.Against), Recovery: c.Other}}
	for _, d := range c.Differences {
		next.Differences = append(next.Differences, render.Difference{A: stretches(d.Ours), B: stretches(d.Other), At: d.Ours.At})
	}
	if before := w.view.Scene().Comparison; before != nil {
		next.Divider = before.Divider
	}
	w.view.SetComparison(next)
	if c.At >= 0 && c.At != w.drawing.difference {
		w.view.GoTo(next.Differences[c.At].At, 0)
	}
	w.drawing.difference = c.At
}

func otherName(a state.Against) string {
	switch a {
	case state.Earlier:
		return lang.L("Before")
	case state.TrueWay:
		return lang.L("Truth")
	}
	return lang.L("Other way")
}

func stretches(s state.Stretch) []render.Stretch {
	var out []render.Stretch
	for _, p := range s.Pieces {
		out = append(out, render.Stretch{Part: p.Part, From: p.From, To: p.To})
	}
	return out
}

// mapActions are what the user can do with how the map draws.
func (w *window) mapActions() action.Table {
	return action.Table{
		{ID: "driven", Menu: action.View, Group: 6, Name: named("Roads driven"), Enabled: w.hasRecoveries,
			Checked: func() bool { return w.m.ShownLayers().Has(render.LayerLinks) },
			Run:     func() { w.m.ShowLayer(render.LayerLinks, !w.m.ShownLayers().Has(render.LayerLinks)) }},
		{ID: "legend", Menu: action.View, Group: 6, Name: named("Legend"), Checked: func() bool { return !w.view.Look().Folded }, Run: w.foldLegend},
		{ID: "halves", Menu: action.View, Group: 6, Name: named("Compare side by side"), Enabled: w.comparing,
			Checked: func() bool { return w.drawing.sides == render.Halves }, Run: w.halve},
	}
}

func (w *window) comparing() bool {
	_, ok := w.m.Comparison()
	return ok
}

// halve shows what is compared in two halves, or in one map again.
func (w *window) halve() {
	w.drawing.sides = render.Halves - w.drawing.sides
	w.syncComparison()
}

// restoreDrawn brings back how the map was left drawn.
func (w *window) restoreDrawn() {
	data, ok := w.desk.Setting(drawnKey)
	if !ok { // left by a version that knew no comparison
		w.m.ShowLayer(render.LayerComparison, true)
		return
	}
	var d drawnMap
	if err := json.Unmarshal(data, &d); err != nil {
		w.failed(lang.L("How the window was left cannot be read."), err)
		return
	}
	w.m.SetFades(d.Fades)
	w.m.SetLinkBy(d.LinkBy)
	w.m.SetLegendFolded(d.Folded)
}

// keepDrawn keeps how the map is left drawn.
func (w *window) keepDrawn() {
	w.keep(drawnKey, drawnMap{w.m.Fades(), w.m.LinkBy(), w.m.LegendFolded()})
}
