package render

import (
	"strconv"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// Comparison is two versions of the path of one trip, drawn in place of the
// trip's own: A on one side of the map, B on the other.
type Comparison struct {
	Trip        string // id of the trajectory, whose input points are drawn on both sides
	A, B        Version
	Differences []Difference
	Chosen      int // of Differences, drawn stronger; outside of them: none
	Sides       Sides
	Divider     float64 // where Swiped: the share of the map's width that shows A, 0 to 1
}

// names are what the sides are headed by.
func (c *Comparison) names() [2]string {
	if c == nil {
		return [2]string{}
	}
	return [2]string{c.A.Name, c.B.Name}
}

// Sides says how the two versions share the map.
type Sides uint8

// How the versions share the map.
const (
	Swiped Sides = iota // one map: A left of a divider that can be moved, B right of it
	Halves              // two maps of the same place side by side
)

// Version is one path of a comparison.
type Version struct {
	Name     string               // as its side of the map is headed
	Recovery *trajectory.Recovery // nil where only the path is known, as of truth
	Path     [][]roadnet.Point    // where Recovery is nil: one slice a part
}

// Difference is a place where the versions go apart.
type Difference struct {
	A, B []Stretch     // of each version's path; one of them may be empty
	At   roadnet.Point // where to look at it
}

// Stretch is a piece of a path.
type Stretch struct {
	Part     int     // index into Recovery.Parts, or into Path
	From, To float64 // metres along the part
}

// versus is a comparison made ready to be drawn.
type versus struct {
	*Comparison
	sides [2]track
}

// newVersus prepares a comparison; nil where the trip is not among those shown.
func newVersus(ts *Tracks, c *Comparison) *versus {
	if c == nil {
		return nil
	}
	own := ts.find(c.Trip)
	if own == nil {
		return nil
	}
	v := &versus{Comparison: c}
	for i, version := range []Version{c.A, c.B} {
		trip := Trip{Name: own.Name, Trajectory: own.Trajectory, Recovery: version.Recovery, Pins: own.Pins}
		v.sides[i] = newTrack(ts.net, trip)
		if version.Recovery == nil {
			for _, pts := range version.Path {
				v.sides[i].parts = append(v.sides[i].parts, newTrackPart(pts))
			}
			v.sides[i].measure()
		}
	}
	return v
}

// stretches are those of a difference on one side.
func (d *Difference) stretches(side int) []Stretch {
	if side == 0 {
		return d.A
	}
	return d.B
}

// compared draws both versions, or the one of a side where the map is halved.
func (p *tripPainter) compared(v *versus, width, height float32, chosen Item) {
	if v.Sides == Halves {
		p.version(v, p.v.side, chosen)
		return
	}
	middle := width * float32(max(0, min(v.Divider, 1)))
	for side, b := range []box{{0, 0, middle, height}, {middle, 0, width, height}} {
		over := p.c
		over.clip(b, func(c canvas) {
			p.c = c
			p.version(v, side, chosen)
		})
		p.c = over
	}
}

// version draws one version: where it differs a band below it, and thinly where
// the other goes.
func (p *tripPainter) version(v *versus, side int, chosen Item) {
	if p.v.layers.Has(LayerComparison) {
		p.c.group(p.v.fades.Share(LayerComparison), func(c canvas) {
			over := p.c
			p.c = c
			p.bands(v, side)
			p.c = over
		})
	}
	t := &v.sides[side]
	p.differenceNumbers(v, side)
	p.front(t, chosen)
}

// bands marks the differences of a side.
func (p *tripPainter) bands(v *versus, side int) {
	th := p.v.theme
	width := (pathWidth + 2*haloWidth) * p.size
	for i := range v.Differences {
		p.differing(v, i, side)
		if i == v.Chosen {
			p.c.stroke(&p.plain, stroke{width: p.px(width + 11), color: th.SelectionEdge})
			p.c.stroke(&p.plain, stroke{width: p.px(width + 9), color: th.Selection})
		} else {
			p.c.stroke(&p.plain, stroke{width: p.px(width + 8), color: fade(th.Selection, 0.55)})
		}
	}
	for i := range v.Differences {
		p.differing(v, i, 1-side)
		p.c.stroke(&p.plain, stroke{width: p.px(2), color: fade(th.Alternative, 0.8), dash: []float32{p.px(5), p.px(3)}, butt: true})
	}
}

// differing collects the stretches of a difference on one side.
func (p *tripPainter) differing(v *versus, i, side int) {
	p.plain.reset()
	for _, s := range v.Differences[i].stretches(side) {
		if parts := v.sides[side].parts; s.Part >= 0 && s.Part < len(parts) {
			parts[s.Part].stretch(&p.plain, &p.v.frame, s.From, s.To)
		}
	}
}

// differenceNumbers signs the differences with their numbers, from 1.
func (p *tripPainter) differenceNumbers(v *versus, side int) {
	if !p.v.layers.Has(LayerComparison) || p.v.zoom < 12 {
		return
	}
	th := p.v.theme
	for i := range v.Differences {
		p.differing(v, i, side)
		if p.plain.len() == 0 {
			continue
		}
		line := p.plain.at(0)
		w := newWalker(line)
		at, dir := w.at(lineLength(line) / 2)
		at = at.plus(dir.left().times(p.px(16)))
		p.signs = append(p.signs, sign{text: strconv.Itoa(i + 1), at: at, size: 11, paint: th.Text, rim: th.Selection})
	}
}
