package state

import "retrace/mapview/render"

// drawn is how the map draws its layers.
type drawn struct {
	fades  render.Fades
	linkBy render.LinkBy
	folded bool // the legend
}

// LegendFolded reports whether of the legend the title alone is to show.
func (m *Model) LegendFolded() bool { return m.drawn.folded }

// SetLegendFolded folds the legend to its title, or opens it.
func (m *Model) SetLegendFolded(folded bool) {
	if folded != m.drawn.folded {
		m.drawn.folded = folded
		m.touch(Layers)
	}
}

// Fades says how much the layers of the map let through.
func (m *Model) Fades() render.Fades { return m.drawn.fades }

// SetFades sets how much the layers of the map let through.
func (m *Model) SetFades(f render.Fades) {
	if f != m.drawn.fades {
		m.drawn.fades = f
		m.touch(Layers)
	}
}

// LinkBy says what the colour of the roads driven means.
func (m *Model) LinkBy() render.LinkBy { return m.drawn.linkBy }

// SetLinkBy sets what the colour of the roads driven means.
func (m *Model) SetLinkBy(by render.LinkBy) {
	if by != m.drawn.linkBy {
		m.drawn.linkBy = by
		m.touch(Layers)
	}
}
