package render

import (
	"image/color"
	"math"

	"retrace/engine/trajectory"
)

// chevrons sets arrow heads in driving direction on the stretches of a trip that
// are drawn as some lines: at even lengths from the start of each part, so that
// they stand still when the map moves.
func (p *tripPainter) chevrons(t *track, l *lines, fill, rim color.NRGBA) {
	if p.v.zoom < 12.5 {
		return
	}
	for i := range t.parts {
		part := &t.parts[i]
		step := p.v.metres(part, p.px(chevronStep))
		t.eachStretch(int32(i), p.v.layers.Has(LayerDecks), func(from, to float64, s *trajectory.Span) {
			if p.bucket(s) != l {
				return
			}
			part.eachShown(&p.v.frame, from, to, func(from, to float64) { p.heads(part, from, to, step, fill, rim) })
		})
	}
}

// heads sets the arrow heads between two lengths of a part, in metres.
func (p *tripPainter) heads(part *trackPart, from, to, step float64, fill, rim color.NRGBA) {
	for k := math.Ceil(from/step - 0.5); (k+0.5)*step < to; k++ {
		at, dir := part.heading(&p.v.frame, (k+0.5)*step)
		p.arrowHead(at, dir, 5*p.size, fill, rim, 0.9)
	}
}

// metres is how long some image pixels are along a part.
func (v *tripView) metres(part *trackPart, pixels float32) float64 {
	if len(part.places) == 0 {
		return 1
	}
	lat := Mercator{0, float64(part.places[0].Y) / placeUnits}.Point().Lat
	return float64(pixels) / (v.frame.scale * placeUnits) * earthCircle * math.Cos(lat*degreesToRadian)
}
