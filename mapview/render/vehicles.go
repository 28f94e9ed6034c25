package render

import (
	"image"
	"math"

	"retrace/engine/roadnet"
)

// Headings are drawn in so many steps, so that each is drawn once.
const headings = 48

// vehicles are the markers of playback of many trips: arrows, drawn once for
// each heading and then laid.
type vehicles struct {
	stamps [headings]*image.RGBA
	scale  float64
	dark   bool
}

// vehicleReach is how far an arrow and its edge reach, in logical pixels.
const vehicleReach = 10.0

// stamp is the image of an arrow.
func (s *vehicles) stamp(heading int, p *tripPainter) *image.RGBA {
	if s.scale != p.scale || s.dark != p.v.theme.dark() {
		*s = vehicles{scale: p.scale, dark: p.v.theme.dark()}
	}
	if s.stamps[heading] == nil {
		n := 2 * int(math.Ceil(vehicleReach*p.scale))
		img := image.NewRGBA(image.Rect(0, 0, n, n))
		over := p.c
		p.c = newRaster(img)
		p.vehicle(point{float32(n) / 2, float32(n) / 2}, heading)
		p.c = over
		s.stamps[heading] = img
	}
	return s.stamps[heading]
}

// vehicle draws an arrow.
func (p *tripPainter) vehicle(at point, heading int) {
	a := float64(heading) / headings * 2 * math.Pi
	dir := point{float32(math.Sin(a)), -float32(math.Cos(a))}
	p.arrowHead(at, dir, 7, p.v.theme.Selection, p.v.theme.SelectionEdge, 1.2)
}

// vehicles draws the markers of many trips; stamps keeps their images, nil for
// canvases that are drawn on once.
func (p *tripPainter) vehicles(all []Marker, stamps *vehicles) {
	r, fast := p.c.(*raster)
	for i := range all {
		place := placeOf(roadnet.CoordOf(all[i].At))
		if !p.v.view.meets(extent{place.X, place.Y, place.X, place.Y}) {
			continue
		}
		at := p.v.at(place)
		heading := (int(math.Round(all[i].Heading/360*headings))%headings + headings) % headings
		if !fast || stamps == nil {
			p.vehicle(at, heading)
			continue
		}
		img := stamps.stamp(heading, p)
		lay(r.img, img, image.Pt(roundInt(float64(at.X)), roundInt(float64(at.Y))).Sub(img.Rect.Max.Div(2)), 1)
	}
}

// dark reports whether a theme is the dark one.
func (t *Theme) dark() bool { return t.Land.R < 128 }
