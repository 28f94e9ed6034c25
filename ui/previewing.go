package ui

import (
	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
	"retrace/mapview/render"
	"retrace/ui/preview"
	"retrace/ui/state"
	"retrace/ui/work"
)

// previews are the drops that wait to be looked at before they are read.
type previews struct {
	panel   *preview.Panel
	waiting []waitingDrop
	trips   []render.Trip // that the map shows meanwhile
	seen    seenAt
	before  *render.Viewport // of the map, to go back to; nil: nothing is shown
}

// seenAt is where the map was brought to by the preview.
type seenAt struct {
	b   roadnet.Bounds
	net *roadnet.Network
}

// waitingDrop is a drop and what is told when the user has decided.
type waitingDrop struct {
	in     *work.Intake
	answer func(read bool)
}

func (w *window) newPreviews() {
	w.previews.panel = preview.New(w.m, preview.Acts{Do: w.do, Show: w.showPreviewed, Done: w.previewed, Network: w.ownNetwork})
}

// ownNetwork is the network that is shown, unless it is the sample's, which goes
// away when trips are read.
func (w *window) ownNetwork() *roadnet.Network {
	if w.desk.Sample() {
		return nil
	}
	return w.m.Network()
}

// preview shows how a drop would be read, after those before it.
func (w *window) preview(in *work.Intake, answer func(bool)) {
	w.previews.waiting = append(w.previews.waiting, waitingDrop{in, answer})
	if len(w.previews.waiting) == 1 {
		w.nextPreview()
	}
}

// previewing reports whether a drop is shown before it is read.
func (w *window) previewing() bool { return w.previews.panel != nil && w.previews.panel.Open() }

// nextPreview shows the first drop that waits, or the window as it was.
func (w *window) nextPreview() {
	w.previews.trips, w.previews.seen = nil, seenAt{}
	if len(w.previews.waiting) > 0 {
		w.m.Play(false)
		if w.previews.before == nil {
			view := w.view.View()
			w.previews.before = &view
		}
		w.previews.panel.Show(w.previews.waiting[0].in)
	}
	w.shell.showPreview(w.previewing())
	w.syncEmpty()
	w.syncLayers()
	w.syncMarker()
	w.stale = true
	w.handTrips()
	w.freeKeys()
	if w.previewing() {
		w.win.Canvas().Focus(w.previews.panel.Focus())
	}
}

// previewed ends the preview of a drop.
func (w *window) previewed(read bool) {
	first := w.previews.waiting[0]
	w.previews.waiting = w.previews.waiting[1:]
	w.unfocus()
	w.nextPreview()
	if !w.previewing() {
		if !read {
			w.view.Return(*w.previews.before)
		}
		w.previews.before = nil
	}
	first.answer(read)
}

// showPreviewed shows where the points of a drop fall, with the network where
// they lie elsewhere.
func (w *window) showPreviewed(trips []*trajectory.Trajectory, b roadnet.Bounds) {
	w.previews.trips = w.previews.trips[:0:0]
	for _, t := range trips {
		w.previews.trips = append(w.previews.trips, render.Trip{Name: t.ID, Trajectory: t})
	}
	w.stale = true
	w.handTrips()
	net := w.ownNetwork()
	if len(trips) == 0 || w.previews.seen == (seenAt{b, net}) {
		return
	}
	w.previews.seen = seenAt{b, net}
	if net != nil && !meets(b, net.Info().Bounds) {
		b = union(b, net.Info().Bounds)
	}
	w.view.Fit(b)
}

// meets reports whether two boxes share a place.
func meets(a, b roadnet.Bounds) bool {
	return a.MinLon <= b.MaxLon && b.MinLon <= a.MaxLon && a.MinLat <= b.MaxLat && b.MinLat <= a.MaxLat
}

// union is the box around two boxes.
func union(a, b roadnet.Bounds) roadnet.Bounds {
	return roadnet.Bounds{MinLon: min(a.MinLon, b.MinLon), MinLat: min(a.MinLat, b.MinLat), MaxLon: max(a.MaxLon, b.MaxLon), MaxLat: max(a.MaxLat, b.MaxLat)}
}

// showExtents shows the network and all trips at once, so that trips outside
// are seen to be so.
func (w *window) showExtents() {
	b, ok := state.Bounds(w.m.Trips())
	net := w.m.Network()
	switch {
	case ok && net != nil:
		w.view.Fit(union(b, net.Info().Bounds))
	case ok:
		w.view.Fit(b)
	case net != nil:
		w.fitAll()
	}
}
