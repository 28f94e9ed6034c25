// Package mapview is the map of the window: a widget that shows what package
// render draws, and answers to mouse, wheel and keyboard.
//
// The widget's raster lays finished tiles, labels and the front trip into one
// image, on the user interface's thread. Tiles and labels are drawn by workers;
// until they are there, what is at hand from other zooms shows in their place.
package mapview

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"retrace/engine/basemap"
	"retrace/engine/roadnet"
	"retrace/mapview/render"
)

// Options is what a map needs from its host. Any function may be nil.
type Options struct {
	// Do runs a function on the user interface's thread: fyne.Do.
	Do func(func())
	// OnSelect hears of clicks: the thing under the pointer, or NoItem for bare
	// map. The host keeps the selection and sets it with SetSelection.
	OnSelect func(render.Item)
	// OnHover hears when the pointer comes over something else and returns the
	// lines of the card to show, the first in bold; none shows no card.
	OnHover func(render.Item) []string
	// OnContext hears of a secondary click: the thing and the place under the
	// pointer, and the pointer's place in the window for a menu.
	OnContext func(render.Item, roadnet.Point, fyne.Position)
	// OnMove hears of the pointer's place, and ok false when it leaves the map.
	OnMove func(p roadnet.Point, ok bool)
	// OnView hears when centre or zoom have changed.
	OnView func(render.Viewport)
	// OnFit answers the fit button and key: the host calls Fit with what it
	// wants shown. Nil fits the network.
	OnFit func()
	// OnLegend hears of a click on the legend's title, which is to fold it or open it.
	OnLegend func()
	// OnDivider hears when the user has moved the divider of a comparison: the
	// share of the map's width that shows its side A, 0 to 1. The map has moved
	// it already.
	OnDivider func(float64)
	// Takes reports whether the host has a use of its own for a key that would
	// move the map; OnKey hears of it then. With Shift the map moves all the same.
	Takes func(*fyne.KeyEvent) bool
	// OnKey hears of the keys that the map has no use for.
	OnKey func(*fyne.KeyEvent)
	// OnRune hears of the letters and signs that the map has no use for.
	OnRune func(rune)
	// CacheBytes bounds the memory for tiles; 0 lets it follow the map's size.
	CacheBytes int64
}

// Map is the map widget. All its methods belong on the user interface's thread.
type Map struct {
	widget.BaseWidget
	opt   Options
	scene render.Scene
	look  render.Options
	view  render.Viewport

	raster   *canvas.Raster
	controls *controls
	card     *card
	divider  *divider
	lasso    *canvas.Rectangle

	drawing drawing
	sight   *sight

	frame   frame
	work    *workshop
	pointer pointer
	motion  motion
	pending *roadnet.Bounds // to fit once the map has a size
	focused bool
	shift   bool // held, while the map has the focus
	clicked bool // the focus comes from the mouse
}

// New makes an empty map and starts its workers.
func New(opt Options) *Map {
	if opt.Do == nil {
		opt.Do = fyne.Do
	}
	m := &Map{opt: opt, look: render.DefaultOptions()}
	m.look.Foldable = opt.OnLegend != nil
	m.view = render.Viewport{Zoom: 2, Scale: 1, Width: 1, Height: 1}
	m.raster = canvas.NewRaster(m.paint)
	m.work = newWorkshop(opt.CacheBytes, func() { opt.Do(m.raster.Refresh) })
	m.controls = newControls(m)
	m.card = newCard()
	m.divider = newDivider(m)
	m.drawing.hint = newHint()
	m.sight = newSight()
	m.lasso = newLasso()
	m.ExtendBaseWidget(m)
	return m
}

// SetNetwork shows another network and its background; either may be nil. The
// view stays: call Fit to go there.
func (m *Map) SetNetwork(net *roadnet.Network, bm *basemap.Map) {
	m.scene.Network, m.scene.Basemap = net, bm
	m.scene.Hover = render.Item{}
	m.work.setGround(net, bm)
	m.SetTrips(m.scene.Trips)
	m.SetLinks(m.scene.Links)
}

// SetTrips shows other trips. The slice and what it points to must not change
// afterwards.
func (m *Map) SetTrips(trips []render.Trip) {
	m.scene.Trips = trips
	m.work.setTrips(m.scene.Network, trips)
	m.redraw()
}

// SetLinks shows how segments were driven. The slice must not change afterwards.
func (m *Map) SetLinks(links []render.Link) {
	m.scene.Links = links
	m.work.setLinks(m.scene.Network, links)
	m.redraw()
}

// SetLinkBy says what the colour of links means.
func (m *Map) SetLinkBy(by render.LinkBy) {
	m.look.LinkBy = by
	m.redraw()
}

// SetSelection marks one thing as selected; trips it is not of fade.
func (m *Map) SetSelection(item render.Item) {
	if m.scene.Selection != item {
		m.scene.Selection = item
		m.redraw()
	}
}

// SetHover outlines a thing that the pointer is over elsewhere, e.g. a row of a
// table; NoItem ends it.
func (m *Map) SetHover(item render.Item) {
	if m.scene.Hover != item {
		m.scene.Hover = item
		m.redraw()
	}
}

// SetMarker moves the marker of playback; nil hides it.
func (m *Map) SetMarker(marker *render.Marker) {
	m.scene.Marker = marker
	m.redraw()
}

// SetMarkers moves the markers of playback of many trips; the slice must not
// change until the next call.
func (m *Map) SetMarkers(markers []render.Marker) {
	if len(markers) == 0 && len(m.scene.Markers) == 0 {
		return
	}
	m.scene.Markers = markers
	m.redraw()
}

// SetComparison shows two versions of a trip's path in place of its own; nil ends
// it. What it points to must not change afterwards.
func (m *Map) SetComparison(c *render.Comparison) {
	if m.scene.Comparison != c {
		m.scene.Comparison = c
		m.divider.follow()
		m.redraw()
	}
}

// SetFades sets how much the layers let through.
func (m *Map) SetFades(f render.Fades) {
	if m.look.Fades != f {
		m.look.Fades = f
		m.redraw()
	}
}

// SetLayers shows some layers and hides the others.
func (m *Map) SetLayers(l render.Layers) {
	m.look.Layers = l
	m.redraw()
}

// SetColourBy says what the colour of recovered paths means.
func (m *Map) SetColourBy(c render.ColourBy) {
	m.look.ColourBy = c
	m.redraw()
}

// SetDark changes between the dark and the light colours.
func (m *Map) SetDark(dark bool) {
	m.look.Dark = dark
	m.redraw()
}

// SetLegend folds the legend to its title, or opens it.
func (m *Map) SetLegend(folded bool) {
	m.look.Folded = folded
	m.redraw()
}

// SetTextScale sets a factor on the size of the map's texts and of its legend.
func (m *Map) SetTextScale(scale float64) {
	if m.look.TextScale != scale {
		m.look.TextScale = scale
		m.redraw()
	}
}

// SetMiles shows lengths and speeds in miles rather than in kilometres.
func (m *Map) SetMiles(miles bool) {
	if m.look.Miles != miles {
		m.look.Miles = miles
		m.redraw()
	}
}

// SetWords changes the language of the map.
func (m *Map) SetWords(w *render.Words) {
	m.look.Words = w
	m.redraw()
}

// View is what the map shows now, in image pixels.
func (m *Map) View() render.Viewport { return m.view }

// Scene is what the map shows: together with Look and View it is what "save
// picture" hands to package render.
func (m *Map) Scene() *render.Scene {
	s := m.scene
	s.Hover, s.Markers = render.Item{}, slices.Clone(s.Markers)
	return &s
}

// Look is how the map draws its scene, as a picture: without the sign that folds the
// legend.
func (m *Map) Look() render.Options {
	look := m.look
	look.Foldable = false
	return look
}

// Ready reports whether all that the map shows is drawn in full: no tile and no
// label is still in work.
func (m *Map) Ready() bool { return m.frame.complete && m.work.idle(m.frame.versions) }

// Shows reports whether the last frame was of the network that was set last.
func (m *Map) Shows() bool {
	return m.frame.versions[groundTile] > 0 && m.frame.versions[groundTile] == m.work.wantedGround()
}

// Close stops the map's workers. What is drawn stays; nothing new comes.
func (m *Map) Close() {
	m.motion.stop()
	m.work.close()
}

// redraw asks for a new frame.
func (m *Map) redraw() {
	m.frame.complete = false
	m.raster.Refresh()
}

// CreateRenderer is Fyne's.
func (m *Map) CreateRenderer() fyne.WidgetRenderer {
	return &mapRenderer{m: m, objects: []fyne.CanvasObject{m.raster, m.divider, m.sight.panel, m.lasso, m.controls.panel, m.drawing.hint.panel, m.card.panel}}
}

// mapRenderer lays out the parts of the map.
type mapRenderer struct {
	m       *Map
	objects []fyne.CanvasObject
}

func (r *mapRenderer) Objects() []fyne.CanvasObject { return r.objects }
func (r *mapRenderer) MinSize() fyne.Size           { return fyne.NewSize(160, 120) }
func (r *mapRenderer) Destroy()                     {}

func (r *mapRenderer) Refresh() {
	r.m.controls.refresh()
	r.m.raster.Refresh()
}

func (r *mapRenderer) Layout(size fyne.Size) {
	r.m.raster.Resize(size)
	r.m.divider.follow()
	panel := r.m.controls.panel
	panel.Resize(panel.MinSize())
	panel.Move(fyne.NewPos(size.Width-panel.MinSize().Width-controlGap, controlGap))
}

var _ fyne.Widget = (*Map)(nil)
