package mapview

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"retrace/engine/roadnet"
	"retrace/mapview/render"
)

// drawing is a line or an area that the user is drawing.
type drawing struct {
	shape render.Shape
	tip   *roadnet.Point               // where the next corner would stand
	done  func(points []roadnet.Point) // nil: nothing is being drawn
	hint  *hint
}

// Draw lets the user draw a line, or the ring of an area where closed is set: a
// click, or Space, sets a corner, Backspace takes the last away, Enter or a
// double click finishes, Escape leaves. Done hears the corners, not repeated at
// the end, or nil where the user has left. The hint says how it is done. What is
// drawn is gone then: SetShapes keeps it in sight.
func (m *Map) Draw(closed bool, hint string, done func(points []roadnet.Point)) {
	m.endDrawing(nil)
	m.drawing.shape, m.drawing.done = render.Shape{Closed: closed}, done
	m.drawing.hint.say(hint, m.Size())
	m.hover(render.Item{}, fyne.Position{})
	m.focus()
	m.redraw()
}

// Drawing reports whether the user is drawing something.
func (m *Map) Drawing() bool { return m.drawing.done != nil }

// StopDrawing leaves what the user is drawing.
func (m *Map) StopDrawing() { m.endDrawing(nil) }

// SetShapes shows lines and areas that were drawn.
func (m *Map) SetShapes(shapes []render.Shape) {
	m.scene.Shapes = shapes
	m.redraw()
}

func (m *Map) endDrawing(points []roadnet.Point) {
	done := m.drawing.done
	if done == nil {
		return
	}
	m.drawing.shape, m.drawing.tip, m.drawing.done = render.Shape{}, nil, nil
	m.drawing.hint.say("", m.Size())
	m.redraw()
	done(points)
}

// finishDrawing ends the drawing where it has enough corners.
func (m *Map) finishDrawing() {
	points := m.drawing.shape.Points
	if len(points) > 2 || len(points) == 2 && !m.drawing.shape.Closed {
		m.endDrawing(points)
	}
}

// corner sets a corner; one where the last stands finishes.
func (m *Map) corner(at roadnet.Point) {
	d := &m.drawing
	if n := len(d.shape.Points); n > 0 && m.apart(d.shape.Points[n-1], at) < samePlace {
		m.finishDrawing()
		return
	}
	d.shape.Points = append(d.shape.Points, at)
	m.redraw()
}

// apart is how far two places lie apart on the widget, in units.
func (m *Map) apart(a, b roadnet.Point) float64 {
	return roadnet.Distance(a, b) / m.view.MetresPerPixel()
}

// uncorner takes the last corner away.
func (m *Map) uncorner() {
	if n := len(m.drawing.shape.Points); n > 0 {
		m.drawing.shape.Points = m.drawing.shape.Points[:n-1]
		m.redraw()
	}
}

// drawingKey answers to a key while the user draws; false where it has no use
// for it.
func (m *Map) drawingKey(name fyne.KeyName) bool {
	if !m.Drawing() {
		return false
	}
	switch name {
	case fyne.KeyEscape:
		m.endDrawing(nil)
	case fyne.KeyReturn, fyne.KeyEnter:
		m.finishDrawing()
	case fyne.KeySpace:
		m.corner(m.aim())
	case fyne.KeyBackspace, fyne.KeyDelete:
		m.uncorner()
	default:
		return false
	}
	return true
}

// shown is the scene with what is being drawn.
func (m *Map) shown() *render.Scene {
	if !m.Drawing() || len(m.drawing.shape.Points) == 0 {
		return &m.scene
	}
	s, shape := m.scene, m.drawing.shape
	shape.Points = append([]roadnet.Point(nil), shape.Points...)
	if m.drawing.tip != nil {
		shape.Points = append(shape.Points, *m.drawing.tip)
	}
	s.Shapes = append(append([]render.Shape(nil), s.Shapes...), shape)
	return &s
}

// hint is a line of text at the top of the map.
type hint struct {
	panel *fyne.Container
	back  *canvas.Rectangle
	text  *canvas.Text
}

func newHint() *hint {
	h := &hint{back: canvas.NewRectangle(nil), text: canvas.NewText("", nil)}
	h.back.CornerRadius, h.back.StrokeWidth = 4, 1
	h.panel = container.NewWithoutLayout(h.back, h.text)
	h.panel.Hide()
	return h
}

// say shows a text in the middle of the map's top; nothing hides it.
func (h *hint) say(text string, within fyne.Size) {
	h.text.Text = text
	if text == "" {
		h.panel.Hide()
		return
	}
	h.back.FillColor = theme.Color(theme.ColorNameOverlayBackground)
	h.back.StrokeColor = theme.Color(theme.ColorNameSeparator)
	h.text.Color = theme.Color(theme.ColorNameForeground)
	h.text.TextSize = theme.Size(theme.SizeNameText)
	size := h.text.MinSize().AddWidthHeight(2*cardEdge, cardEdge)
	h.text.Move(fyne.NewPos(cardEdge, cardEdge/2))
	h.text.Resize(h.text.MinSize())
	h.back.Resize(size)
	h.panel.Resize(size)
	h.panel.Move(fyne.NewPos(max((within.Width-size.Width)/2, 0), controlGap))
	h.panel.Show()
	h.panel.Refresh()
}
