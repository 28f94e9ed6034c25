package mapview

import (
	"image/color"
	"math"
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"

	"retrace/engine/roadnet"
	"retrace/mapview/render"
)

// pointer is what the mouse is doing.
type pointer struct {
	shift    bool // held when the button went down
	dragging bool
	start    fyne.Position
	trail    []trailPoint // of the last moments of a drag

	legend bool // it is over the legend's title

	scrolled float64 // of the wheel, in doublings, not yet done

	tapped  time.Time
	tapAt   fyne.Position
	tapView render.Viewport
	tapItem int // which of the stacked things was selected last
}

type trailPoint struct {
	at   fyne.Position
	when time.Time
}

const (
	doubleClick = 350 * time.Millisecond
	trailTime   = 90 * time.Millisecond
	samePlace   = 5    // units within which clicks count as one place
	wheelStep   = 40.0 // units of scrolling for a doubling
	leastCoast  = 120  // image pixels a second, below which a drag just ends
)

// pixel turns a position on the widget into image pixels of the view. Where the
// map is halved, both halves have the view's centre in their middle.
func (m *Map) pixel(p fyne.Position) (x, y float64) {
	x, y = float64(p.X)*m.view.Scale, float64(p.Y)*m.view.Scale
	panes := render.Panes(&m.scene, m.view)
	for _, pane := range panes {
		if left := float64(pane.X); x >= left && x < left+float64(pane.View.Width) {
			return x - left + float64(m.view.Width-pane.View.Width)/2, y
		}
	}
	return x, y
}

// placeAt is the place under a position.
func (m *Map) placeAt(p fyne.Position) roadnet.Point { return m.view.Point(m.pixel(p)) }

// hits are the things under a position, the topmost first.
func (m *Map) hits(p fyne.Position) []render.Item {
	from := m.work.state()
	x, y := m.pixel(p)
	return m.withDifference(render.Hit(from.base, from.tracks, m.view, m.look.Layers, m.scene.Selection, x, y), x, y)
}

// withDifference puts what differs at a pixel, where two ways are compared, before
// the roads but behind the points there.
func (m *Map) withDifference(hits []render.Item, x, y float64) []render.Item {
	if m.scene.Comparison == nil || len(m.frame.panes) == 0 {
		return hits
	}
	item, ok := m.frame.panes[0].front.HitDifference(m.view, m.look.Layers, x, y)
	if !ok {
		return hits
	}
	i := slices.IndexFunc(hits, func(it render.Item) bool {
		return it.Trip != item.Trip || it.Kind != render.SampleItem && it.Kind != render.TickItem
	})
	if i < 0 {
		i = len(hits)
	}
	return slices.Insert(hits, i, item)
}

// MouseDown is Fyne's.
func (m *Map) MouseDown(e *desktop.MouseEvent) {
	m.unaim()
	m.motion.stop()
	m.pointer.shift = e.Modifier&fyne.KeyModifierShift != 0
	m.pointer.start = e.Position
	m.focus()
}

// MouseUp is Fyne's.
func (m *Map) MouseUp(*desktop.MouseEvent) {}

// Dragged is Fyne's.
func (m *Map) Dragged(e *fyne.DragEvent) {
	p := &m.pointer
	if !p.dragging {
		p.dragging, p.trail = true, p.trail[:0]
		m.motion.stop()
		m.card.hide()
	}
	if p.shift {
		m.stretchLasso(e.Position)
		return
	}
	p.trail = append(p.trail, trailPoint{e.Position, time.Now()})
	m.view = m.view.Pan(float64(e.Dragged.DX)*m.view.Scale, float64(e.Dragged.DY)*m.view.Scale)
	m.moved()
}

// DragEnd is Fyne's.
func (m *Map) DragEnd() {
	p := &m.pointer
	p.dragging = false
	if p.shift {
		p.shift = false
		m.zoomToLasso()
		return
	}
	if vx, vy := p.speed(); math.Hypot(vx, vy)*m.view.Scale > leastCoast {
		m.coast(vx*m.view.Scale, vy*m.view.Scale)
	}
}

// speed is that of the pointer at the end of a drag, in units a second.
func (p *pointer) speed() (vx, vy float64) {
	now := time.Now()
	first := len(p.trail)
	for first > 0 && now.Sub(p.trail[first-1].when) < trailTime {
		first--
	}
	if len(p.trail)-first < 2 {
		return 0, 0
	}
	a, b := p.trail[first], p.trail[len(p.trail)-1]
	dt := now.Sub(a.when).Seconds()
	return float64(b.at.X-a.at.X) / dt, float64(b.at.Y-a.at.Y) / dt
}

// Scrolled is Fyne's.
func (m *Map) Scrolled(e *fyne.ScrollEvent) {
	p := &m.pointer
	p.scrolled += float64(e.Scrolled.DY) / wheelStep
	steps := math.Trunc(p.scrolled*zoomSteps) / zoomSteps
	p.scrolled -= steps
	if steps != 0 {
		x, y := m.pixel(e.Position)
		m.zoomBy(steps, x, y)
	}
}

// Tapped is Fyne's: it selects what lies under the pointer, the next of stacked
// things when clicked again, and zooms in on a double click.
func (m *Map) Tapped(e *fyne.PointEvent) {
	if m.Drawing() {
		m.corner(m.placeAt(e.Position))
		return
	}
	if m.tapLegend(e.Position) {
		return
	}
	p, now := &m.pointer, time.Now()
	same := math.Hypot(float64(e.Position.X-p.tapAt.X), float64(e.Position.Y-p.tapAt.Y)) < samePlace
	if same && now.Sub(p.tapped) < doubleClick {
		p.tapped = time.Time{}
		x, y := m.pixel(e.Position)
		m.zoomBy(1, x, y)
		return
	}
	p.tapped = now
	m.click(e.Position)
}

// tapLegend reports whether a position lies on the legend, which covers the map; on its
// title it is folded or opened.
func (m *Map) tapLegend(at fyne.Position) bool {
	on, head := m.OnLegend(at)
	if head && m.opt.OnLegend != nil {
		m.opt.OnLegend()
	}
	return on
}

// OnLegend reports whether a position lies on the legend, and on its title.
func (m *Map) OnLegend(at fyne.Position) (on, head bool) {
	if m.frame.whole == nil {
		return false, false
	}
	return m.frame.whole.OnLegend(float64(at.X)*m.view.Scale, float64(at.Y)*m.view.Scale)
}

// click selects what lies at a position, or the next of what lies there where
// the click before was there too.
func (m *Map) click(at fyne.Position) {
	p := &m.pointer
	same := math.Hypot(float64(at.X-p.tapAt.X), float64(at.Y-p.tapAt.Y)) < samePlace && m.view == p.tapView
	hits := m.hits(at)
	p.tapItem++
	if !same || p.tapItem >= len(hits) {
		p.tapItem = 0
	}
	p.tapAt, p.tapView = at, m.view
	if m.opt.OnSelect == nil {
		return
	}
	if len(hits) == 0 {
		m.opt.OnSelect(render.Item{})
		return
	}
	m.opt.OnSelect(hits[p.tapItem])
}

// TappedSecondary is Fyne's.
func (m *Map) TappedSecondary(e *fyne.PointEvent) {
	if m.Drawing() {
		m.finishDrawing()
		return
	}
	if m.opt.OnContext == nil {
		return
	}
	var item render.Item
	if hits := m.hits(e.Position); len(hits) > 0 {
		item = hits[0]
	}
	m.opt.OnContext(item, m.placeAt(e.Position), e.AbsolutePosition)
}

// MouseIn is Fyne's.
func (m *Map) MouseIn(e *desktop.MouseEvent) { m.MouseMoved(e) }

// MouseMoved is Fyne's.
func (m *Map) MouseMoved(e *desktop.MouseEvent) {
	if m.opt.OnMove != nil {
		m.opt.OnMove(m.placeAt(e.Position), true)
	}
	m.unaim()
	if m.Drawing() {
		tip := m.placeAt(e.Position)
		m.drawing.tip = &tip
		m.redraw()
		return
	}
	if m.pointer.dragging || m.motion.zooming() {
		return
	}
	var item render.Item
	on, head := m.OnLegend(e.Position)
	m.pointer.legend = head
	if hits := m.hits(e.Position); len(hits) > 0 && !on {
		item = hits[0]
	}
	m.hover(item, e.Position)
}

// MouseOut is Fyne's.
func (m *Map) MouseOut() {
	if m.opt.OnMove != nil {
		m.opt.OnMove(roadnet.Point{}, false)
	}
	m.drawing.tip = nil
	m.hover(render.Item{}, fyne.Position{})
}

// hover marks the thing under the pointer and shows its card.
func (m *Map) hover(item render.Item, at fyne.Position) {
	same := sameThing(item, m.scene.Hover)
	if !same {
		m.scene.Hover = item
		m.raster.Refresh()
		m.card.lines(nil)
		if m.opt.OnHover != nil {
			m.card.lines(m.opt.OnHover(item))
		}
	}
	m.card.moveTo(at, m.Size())
}

// sameThing compares items but for the place where they were hit.
func sameThing(a, b render.Item) bool {
	a.At, b.At = roadnet.Point{}, roadnet.Point{}
	return a == b
}

// Cursor is Fyne's.
func (m *Map) Cursor() desktop.Cursor {
	if m.pointer.shift || m.Drawing() {
		return desktop.CrosshairCursor
	}
	if m.scene.Hover.Trip != "" || m.pointer.legend {
		return desktop.PointerCursor
	}
	return desktop.DefaultCursor
}

// newLasso is the frame that is drawn to zoom to.
func newLasso() *canvas.Rectangle {
	r := canvas.NewRectangle(color.NRGBA{0, 114, 178, 40})
	r.StrokeColor, r.StrokeWidth = color.NRGBA{0, 114, 178, 255}, 1.5
	r.Hide()
	return r
}

func (m *Map) stretchLasso(to fyne.Position) {
	a := m.pointer.start
	m.lasso.Move(fyne.NewPos(min(a.X, to.X), min(a.Y, to.Y)))
	m.lasso.Resize(fyne.NewSize(max(a.X, to.X)-min(a.X, to.X), max(a.Y, to.Y)-min(a.Y, to.Y)))
	m.lasso.Show()
}

// zoomToLasso fits what the frame holds.
func (m *Map) zoomToLasso() {
	m.lasso.Hide()
	at, size := m.lasso.Position(), m.lasso.Size()
	if size.Width < samePlace || size.Height < samePlace {
		return
	}
	nw := m.placeAt(at)
	se := m.placeAt(at.Add(size))
	v := m.view.Fit(roadnet.Bounds{MinLon: nw.Lon, MinLat: se.Lat, MaxLon: se.Lon, MaxLat: nw.Lat}, 0)
	m.view.Center, m.view.Zoom = v.Center, math.Floor(v.Zoom*zoomSteps)/zoomSteps
	m.moved()
}
