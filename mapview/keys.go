package mapview

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

// keyStep is how far an arrow key moves the map, in logical pixels.
const keyStep = 120

// FocusGained is Fyne's. Focus that the keyboard brings shows where it points.
func (m *Map) FocusGained() {
	m.focused = true
	if !m.clicked {
		m.aimed()
	}
	m.clicked = false
}

// FocusLost is Fyne's.
func (m *Map) FocusLost() {
	m.focused, m.shift = false, false
	m.unaim()
}

// focus brings the keyboard to the map, as the mouse does.
func (m *Map) focus() {
	if app := fyne.CurrentApp(); app != nil {
		if c := app.Driver().CanvasForObject(m); c != nil && c.Focused() != m {
			m.clicked = true
			c.Focus(m)
		}
	}
}

// KeyDown is Fyne's.
func (m *Map) KeyDown(e *fyne.KeyEvent) {
	if e.Name == desktop.KeyShiftLeft || e.Name == desktop.KeyShiftRight {
		m.shift = true
	}
}

// KeyUp is Fyne's.
func (m *Map) KeyUp(e *fyne.KeyEvent) {
	if e.Name == desktop.KeyShiftLeft || e.Name == desktop.KeyShiftRight {
		m.shift = false
	}
}

// TypedRune is Fyne's.
func (m *Map) TypedRune(r rune) {
	switch r {
	case '+', '=':
		m.Zoom(0.5)
		m.aimed()
	case '-', '_':
		m.Zoom(-0.5)
		m.aimed()
	default:
		if m.opt.OnRune != nil && !(r == ' ' && m.Drawing()) {
			m.opt.OnRune(r)
		}
	}
}

// TypedKey is Fyne's: the arrows move the map, Page Up and Down zoom, Enter
// clicks below the cross, again goes through what lies there, and with Shift, or
// the menu key, opens the menu of the place.
func (m *Map) TypedKey(e *fyne.KeyEvent) {
	if m.drawingKey(e.Name) {
		return
	}
	taken := m.opt.Takes != nil && !m.shift && !m.Drawing() && m.opt.Takes(e)
	if !taken && (m.moveKey(e.Name) || m.pointKey(e.Name)) {
		return
	}
	if m.opt.OnKey != nil {
		m.opt.OnKey(e)
	}
}

// moveKey moves the map or its zoom; false where a key does neither.
func (m *Map) moveKey(name fyne.KeyName) bool {
	step := keyStep * m.view.Scale
	switch name {
	case fyne.KeyLeft:
		m.slide(step, 0)
	case fyne.KeyRight:
		m.slide(-step, 0)
	case fyne.KeyUp:
		m.slide(0, step)
	case fyne.KeyDown:
		m.slide(0, -step)
	case fyne.KeyPageUp:
		m.Zoom(1)
	case fyne.KeyPageDown:
		m.Zoom(-1)
	case fyne.KeyF:
		m.fit()
	default:
		return false
	}
	m.aimed()
	return true
}

// pointKey does what the mouse's buttons do, below the cross.
func (m *Map) pointKey(name fyne.KeyName) bool {
	at := m.aimAt()
	switch {
	case name == desktop.KeyMenu, m.shift && (name == fyne.KeyReturn || name == fyne.KeyEnter):
		above := fyne.CurrentApp().Driver().AbsolutePositionForObject(m)
		m.aimed()
		m.TappedSecondary(&fyne.PointEvent{Position: at, AbsolutePosition: above.Add(at)})
	case name == fyne.KeyReturn, name == fyne.KeyEnter:
		m.aimed()
		m.click(at)
	default:
		return false
	}
	return true
}
