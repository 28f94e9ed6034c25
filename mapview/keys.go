package mapview

import "fyne.io/fyne/v2"

// keyStep is how far an arrow key moves the map, in logical pixels.
const keyStep = 120

// FocusGained is Fyne's.
func (m *Map) FocusGained() { m.focused = true }

// FocusLost is Fyne's.
func (m *Map) FocusLost() { m.focused = false }

// focus brings the keyboard to the map.
func (m *Map) focus() {
	if app := fyne.CurrentApp(); app != nil {
		if c := app.Driver().CanvasForObject(m); c != nil && c.Focused() != m {
			c.Focus(m)
		}
	}
}

// TypedRune is Fyne's.
func (m *Map) TypedRune(r rune) {
	switch r {
	case '+', '=':
		m.Zoom(0.5)
	case '-', '_':
		m.Zoom(-0.5)
	default:
		if m.opt.OnRune != nil {
			m.opt.OnRune(r)
		}
	}
}

// TypedKey is Fyne's.
func (m *Map) TypedKey(e *fyne.KeyEvent) {
	step := keyStep * m.view.Scale
	switch e.Name {
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
		if m.opt.OnKey != nil {
			m.opt.OnKey(e)
		}
	}
}
