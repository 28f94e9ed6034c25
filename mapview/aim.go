package mapview

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"retrace/engine/roadnet"
	"retrace/mapview/render"
)

// sight is the cross in the middle of the map that the keyboard points with: the
// map is moved below it.
type sight struct {
	panel *fyne.Container
	lines [4]*canvas.Line // two with a halo below
}

// sightReach is how far the cross reaches from the middle, in units.
const sightReach = 11

func newSight() *sight {
	s := &sight{panel: container.NewWithoutLayout()}
	for i := range s.lines {
		l := canvas.NewLine(nil)
		l.StrokeWidth = 1.5
		if i < 2 {
			l.StrokeWidth = 4.5
		}
		l.Position1, l.Position2 = fyne.NewPos(0, sightReach), fyne.NewPos(2*sightReach, sightReach)
		if i%2 == 1 {
			l.Position1, l.Position2 = fyne.NewPos(sightReach, 0), fyne.NewPos(sightReach, 2*sightReach)
		}
		s.lines[i] = l
		s.panel.Add(l)
	}
	s.panel.Resize(fyne.NewSquareSize(2 * sightReach))
	s.panel.Hide()
	return s
}

// show shows the cross, in the colours of the window's theme.
func (s *sight) show() {
	for i, l := range s.lines {
		l.StrokeColor = theme.Color(theme.ColorNameForeground)
		if i < 2 {
			l.StrokeColor = theme.Color(theme.ColorNameBackground)
		}
	}
	s.panel.Show()
}

// aimAt is where the cross stands: in the middle of the map, or of its left half.
func (m *Map) aimAt() fyne.Position {
	v := render.Panes(&m.scene, m.view)[0].View
	return fyne.NewPos(float32(float64(v.Width)/v.Scale/2), float32(float64(v.Height)/v.Scale/2))
}

// aim is the place below the cross.
func (m *Map) aim() roadnet.Point { return m.placeAt(m.aimAt()) }

// aimed shows the cross and what lies below it, once a key has moved the map.
func (m *Map) aimed() {
	if !m.focused {
		return
	}
	m.sight.panel.Move(m.aimAt().SubtractXY(sightReach, sightReach))
	m.sight.show()
	m.glance()
}

// glance looks at what lies below the cross.
func (m *Map) glance() {
	if m.motion.anim != nil || m.Drawing() {
		return
	}
	at := m.aimAt()
	var item render.Item
	if hits := m.hits(at); len(hits) > 0 {
		item = hits[0]
	}
	m.hover(item, at)
}

// unaim hides the cross.
func (m *Map) unaim() { m.sight.panel.Hide() }
