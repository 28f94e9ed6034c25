package mapview

import (
	"math"
	"time"

	"fyne.io/fyne/v2"

	"retrace/engine/roadnet"
	"retrace/mapview/render"
)

// motion is how the map moves by itself: to another zoom, or on after a drag.
type motion struct {
	anim *fyne.Animation
	to   *render.Viewport // where a zoom leads; nil while none is on
}

func (mo *motion) stop() {
	if mo.anim != nil {
		mo.anim.Stop()
	}
	mo.anim, mo.to = nil, nil
}

// zooming reports whether the zoom is changing.
func (mo *motion) zooming() bool { return mo.to != nil }

// target is the zoom that the map will have, from the present one.
func (mo *motion) target(zoom float64) float64 {
	if mo.to != nil {
		return mo.to.Zoom
	}
	return zoom
}

// goal is the viewport that the map will have, from the present one.
func (mo *motion) goal(v render.Viewport) render.Viewport {
	if mo.to != nil {
		return mo.to.Snap()
	}
	return v
}

// zoomSteps is how many zooms lie between two doublings: the map comes to rest
// on one of these only, so that tiles are drawn for just the zoom they show at.
const zoomSteps = 8

func restZoom(z float64) float64 { return math.Round(z*zoomSteps) / zoomSteps }

const (
	zoomTime  = 180 * time.Millisecond
	coastTime = 700 * time.Millisecond
)

// zoomBy changes the zoom with the place under an image pixel kept; steps add
// up while the map is on its way.
func (m *Map) zoomBy(steps, x, y float64) {
	zoom := m.motion.target(m.view.Zoom) + steps
	zoom = math.Max(render.MinZoom, math.Min(render.MaxZoom, restZoom(zoom)))
	m.motion.stop()
	from := m.view
	if zoom == from.Zoom {
		return
	}
	to := from.ZoomAt(zoom, x, y)
	m.motion.to = &to
	m.animate(zoomTime, func(t float64) {
		m.view = from.ZoomAt(from.Zoom+(zoom-from.Zoom)*t, x, y)
	}, func() { m.view, m.motion.to = to, nil })
}

// coast lets the map move on after a drag at a speed in image pixels a second.
func (m *Map) coast(vx, vy float64) {
	m.motion.stop()
	from, seconds := m.view, coastTime.Seconds()
	m.animate(coastTime, func(t float64) {
		way := seconds / 3 * t // the path of a speed that falls evenly eased
		m.view = from.Pan(vx*way, vy*way)
	}, func() {})
}

// slide moves the map by image pixels, smoothly.
func (m *Map) slide(dx, dy float64) {
	m.motion.stop()
	from := m.view
	m.animate(zoomTime, func(t float64) { m.view = from.Pan(dx*t, dy*t) }, func() {})
}

// animate calls tick with 0 to 1, fast first, and done at the end.
func (m *Map) animate(d time.Duration, tick func(float64), done func()) {
	var anim *fyne.Animation
	anim = fyne.NewAnimation(d, func(f float32) {
		if m.motion.anim != anim {
			return
		}
		rest := 1 - float64(f)
		tick(1 - rest*rest*rest)
		if f >= 1 {
			m.motion.anim = nil
			done()
		}
		m.moved()
		if f >= 1 && m.sight.panel.Visible() {
			m.glance()
		}
	})
	anim.Curve = fyne.AnimationLinear
	m.motion.anim = anim
	anim.Start()
}

// moved draws the map anew and tells the host.
func (m *Map) moved() {
	m.redraw()
	if m.opt.OnView != nil {
		m.opt.OnView(m.view)
	}
}

// fitMargin is what stays free around what is fitted, in logical pixels.
const fitMargin = 48

// Fit moves the view so that the box fills the map. Before the map has a size
// it is done when it gets one.
func (m *Map) Fit(b roadnet.Bounds) {
	m.motion.stop()
	if m.view.Width <= 1 {
		m.pending = &b
		return
	}
	v := m.view.Fit(b, math.Min(fitMargin, float64(m.view.Width)/m.view.Scale/8))
	v.Zoom = math.Max(render.MinZoom, math.Floor(v.Zoom*zoomSteps)/zoomSteps)
	m.view = v
	m.moved()
}

// GoTo moves the view to a place, and closer in where zoom is larger than the
// present one.
func (m *Map) GoTo(p roadnet.Point, zoom float64) {
	m.motion.stop()
	m.view.Center = p
	m.view.Zoom = math.Max(m.view.Zoom, restZoom(zoom))
	m.moved()
}

// Return moves the map back to the middle and the zoom of a view that it had.
func (m *Map) Return(v render.Viewport) {
	m.motion.stop()
	m.pending = nil
	m.view.Center, m.view.Zoom = v.Center, v.Zoom
	m.moved()
}

// Zoom changes the zoom around the middle of the map; one step is a doubling.
func (m *Map) Zoom(steps float64) {
	m.zoomBy(steps, float64(m.view.Width)/2, float64(m.view.Height)/2)
}

// fit asks the host what is to be shown whole, and fits the network where it
// has no wish.
func (m *Map) fit() {
	if m.opt.OnFit != nil {
		m.opt.OnFit()
	} else if m.scene.Network != nil {
		m.Fit(m.scene.Network.Info().Bounds)
	}
}

// resize takes the size of the frame in image pixels, and tells the host where
// that changes the view.
func (m *Map) resize(w, h int) {
	before := m.view
	scale := 1.0
	if width := m.Size().Width; width > 0 {
		scale = math.Max(1, math.Round(float64(w)/float64(width)*20)/20)
	}
	m.view.Width, m.view.Height, m.view.Scale = w, h, scale
	if m.pending != nil && w > 1 {
		b := *m.pending
		m.pending = nil
		v := m.view.Fit(b, fitMargin)
		v.Zoom = math.Max(render.MinZoom, math.Floor(v.Zoom*zoomSteps)/zoomSteps)
		m.view = v
	}
	if m.view != before && m.opt.OnView != nil {
		m.opt.Do(func() { m.opt.OnView(m.view) }) // not now: the window is being painted
	}
}
