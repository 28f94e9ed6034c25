// Package mapview is the map of the window: a widget that draws what package
// render draws, and answers to mouse, wheel, touch and keyboard.
package mapview

import (
	"image"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"retrace/engine/basemap"
	"retrace/engine/roadnet"
	"retrace/mapview/render"
)

// Options is what a map needs from its host.
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
	// OnFit answers the fit button: the host calls Fit with what it wants shown.
	// Nil fits the network.
	OnFit func()
}

// Map is the map widget. All its methods belong on the user interface's thread.
type Map struct {
	widget.BaseWidget
	opt   Options
	scene render.Scene
	look  render.Options
	view  render.Viewport
}

// New makes an empty map.
func New(opt Options) *Map {
	m := &Map{opt: opt, look: render.DefaultOptions()}
	m.ExtendBaseWidget(m)
	return m
}

// SetNetwork shows another network and its background; either may be nil. The
// view stays: call Fit to go there.
func (m *Map) SetNetwork(net *roadnet.Network, bm *basemap.Map) {
	m.scene.Network, m.scene.Basemap = net, bm
}

// SetTrips shows other trips. The slice and what it points to must not change
// afterwards.
func (m *Map) SetTrips(trips []render.Trip) { m.scene.Trips = trips }

// SetSelection marks one thing as selected.
func (m *Map) SetSelection(item render.Item) { m.scene.Selection = item }

// SetHover outlines a thing that the pointer is over elsewhere, e.g. a row of a
// table; NoItem ends it.
func (m *Map) SetHover(item render.Item) { m.scene.Hover = item }

// SetMarker moves the marker of playback; nil hides it.
func (m *Map) SetMarker(marker *render.Marker) { m.scene.Marker = marker }

// SetLayers shows some layers and hides the others.
func (m *Map) SetLayers(l render.Layers) { m.look.Layers = l }

// SetColourBy says what the colour of recovered paths means.
func (m *Map) SetColourBy(c render.ColourBy) { m.look.ColourBy = c }

// SetDark changes between the dark and the light colours.
func (m *Map) SetDark(dark bool) { m.look.Dark = dark }

// SetLegend shows or hides the legend.
func (m *Map) SetLegend(show bool) { m.look.Legend = show }

// Fit moves the view so that the box fills the map.
func (m *Map) Fit(b roadnet.Bounds) { m.view = m.view.Fit(b, fitMargin) }

// GoTo moves the view to a place, and closer in where zoom is larger than the
// present one.
func (m *Map) GoTo(p roadnet.Point, zoom float64) { m.view.Center = p }

// Zoom changes the zoom around the middle of the map; one step is a doubling.
func (m *Map) Zoom(steps float64) { m.view.Zoom += steps }

// View is what the map shows now, in image pixels.
func (m *Map) View() render.Viewport { return m.view }

// Scene and Look are what "save picture" hands to package render.
func (m *Map) Scene() *render.Scene { s := m.scene; return &s }

// Look is how the map draws its scene.
func (m *Map) Look() render.Options { return m.look }

// Close stops the map's workers. The map stays as it is.
func (m *Map) Close() {}

const fitMargin = 40

// CreateRenderer is Fyne's.
func (m *Map) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(canvas.NewRaster(func(w, h int) image.Image {
		return image.NewRGBA(image.Rect(0, 0, w, h))
	}))
}
