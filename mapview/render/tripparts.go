package render

import (
	"math"
	"strconv"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// point is where a place on the earth lies in the image.
func (v *tripView) point(p roadnet.Point) point { return v.at(placeOf(roadnet.CoordOf(p))) }

// piece of a segment: a stretch by ratios.
type segmentStretch struct {
	id       roadnet.SegmentID
	from, to float64 // ratios
}

// trimmed is the geometry of a stretch of a segment as it shows.
func (p *tripPainter) trimmed(s segmentStretch) []point {
	var part trackPart
	part.append(p.ts.net.Geometry(s.id, nil), 1, s.from, s.to, 0)
	pts := make([]point, len(part.places))
	for i, at := range part.places {
		pts[i] = p.v.at(at)
	}
	return pts
}

// stretchesAcross are the stretches of other roads above or below a stretch of
// a path.
func (ts *Tracks) stretchesAcross(t *track, part int, from, to float64) []segmentStretch {
	var out []segmentStretch
	path := t.Recovery.Parts[part]
	if !fits(ts.net, path) {
		return nil
	}
	var along float64
	for i, id := range path.Segments {
		length := ts.net.Length(id)
		start := 0.0
		if i == 0 {
			start = path.StartRatio * length
		}
		lo, hi := math.Max(from-along+start, 0), math.Min(to-along+start, length)
		if lo < hi {
			out = append(out, ts.beside(id, lo, hi)...)
		}
		along += length - start
	}
	return out
}

// beside are the stretches across from metres lo to hi of a segment.
func (ts *Tracks) beside(id roadnet.SegmentID, lo, hi float64) []segmentStretch {
	var out []segmentStretch
	for _, set := range [][]roadnet.Stretch{ts.net.Ambiguous(id), ts.net.BelowDeck(id)} {
		for _, s := range set {
			a, b := math.Max(lo, s.From), math.Min(hi, s.To)
			if a >= b {
				continue
			}
			length := ts.net.Length(id)
			from := ts.net.Project(ts.net.At(roadnet.Position{Segment: id, Ratio: a / length}), s.Other).Ratio
			to := ts.net.Project(ts.net.At(roadnet.Position{Segment: id, Ratio: b / length}), s.Other).Ratio
			out = append(out, segmentStretch{s.Other, math.Min(from, to), math.Max(from, to)})
		}
	}
	return out
}

// dense reports whether points along a trip stand nearer than some logical
// pixels on the whole.
func (p *tripPainter) dense(places []place, nearer float64) bool {
	var sum float64
	for i := 1; i < len(places); i++ {
		sum += float64(distance(p.v.at(places[i-1]), p.v.at(places[i])))
	}
	return len(places) > 1 && sum/float64(len(places)-1) < nearer*p.scale
}

// ticks draws the recovered points.
func (p *tripPainter) ticks(t *track) {
	if p.dense(t.ticks, 9) {
		return
	}
	for i, tick := range t.Recovery.Ticks {
		if !tick.Observed || !p.v.layers.Has(LayerInput) {
			p.tick(t, i)
		}
	}
}

// tick draws a recovered point, by how probable its road is.
func (p *tripPainter) tick(t *track, i int) {
	th, r, at := p.v.theme, dotRadius*p.size, p.v.at(t.ticks[i])
	if sure := t.sure[i].Road; sure < HollowBelow {
		p.dot(at, r-0.6, 1.4, th.RingFill, th.Dot)
	} else {
		p.dot(at, r, 1.1, probabilityColour(sure), th.Dot)
	}
}

// The halo of doubt along the way is so much wider than the path, logical pixels, and
// shorter ones are not drawn, for they would hide under their points.
const alongHalo, leastAlong = 9.0, 12.0

// along draws a halo along the path where each recovered point may be.
func (p *tripPainter) along(t *track) {
	if p.dense(t.ticks, 9) {
		return
	}
	col := fade(p.v.theme.Selection, 0.3)
	for i, tick := range t.Recovery.Ticks {
		if tick.Part < 0 || int(tick.Part) >= len(t.parts) {
			continue
		}
		reach := float64(t.sure[i].Along)
		p.plain.reset()
		t.parts[tick.Part].stretch(&p.plain, &p.v.frame, tick.Along-reach, tick.Along+reach)
		if p.plain.length() >= p.px(leastAlong) {
			p.c.stroke(&p.plain, stroke{width: p.px(pathWidth*p.size + alongHalo), color: col, butt: true})
		}
	}
	p.plain.reset()
}

// matchLines joins the input points with where they were matched.
func (p *tripPainter) matchLines(t *track) {
	if t.Recovery == nil || p.ts.net == nil {
		return
	}
	for i, m := range t.Recovery.Matches {
		if !m.State.Placed() || i >= len(t.samples) || int(m.At.Segment) >= p.ts.net.NumSegments() {
			continue
		}
		a, b := p.v.at(t.samples[i]), p.v.point(p.ts.net.At(m.At))
		if distance(a, b) > p.px(ringRadius) {
			p.line(a, b, 1.2, fade(p.v.theme.Ring, 0.75))
		}
	}
}

// samples draws the input points, small ones where they stand close.
func (p *tripPainter) samples(t *track, small bool) {
	small = small || p.dense(t.samples, 14)
	for i := len(t.samples) - 1; i >= 0; i-- {
		p.sample(p.v.at(t.samples[i]), t.state(i), small)
	}
}

// state is what became of a sample.
func (t *track) state(i int) trajectory.SampleState {
	if t.Recovery == nil || i >= len(t.Recovery.Matches) {
		return trajectory.Matched
	}
	return t.Recovery.Matches[i].State
}

// sample draws one input point; one left out is crossed.
func (p *tripPainter) sample(at point, state trajectory.SampleState, small bool) {
	th, r := p.v.theme, ringRadius*p.size
	if small {
		p.dot(at, 1.6*p.size, 0.8, th.RingFill, th.Ring)
		return
	}
	p.disc(at, r+2.6*p.size, th.RingHalo)
	p.dot(at, r-0.6*p.size, 1.8*p.size, th.RingFill, th.Ring)
	if state == trajectory.OffRoad || state == trajectory.Outlier {
		d := p.px(r * 0.45)
		p.line(at.plus(point{-d, -d}), at.plus(point{d, d}), 1.5, th.Alternative)
		p.line(at.plus(point{-d, d}), at.plus(point{d, -d}), 1.5, th.Alternative)
	}
}

// numbers writes the numbers of the input points, those that fall together in
// one: "7, 8".
func (p *tripPainter) numbers(t *track) {
	if p.v.zoom < 13 || p.dense(t.samples, 30) {
		return
	}
	th := p.v.theme
	ink := textInk{color: th.Text, halo: th.StreetHalo, width: p.px(2)}
	for i := 0; i < len(t.samples); {
		at := p.v.at(t.samples[i])
		n := i + 1
		for n < len(t.samples) && distance(at, p.v.at(t.samples[n])) < p.px(14) {
			n++
		}
		s := strconv.Itoa(i + 1)
		for k := i + 1; k < n && k < i+4; k++ {
			s += ", " + strconv.Itoa(k+1)
		}
		p.number(s, at, p.course(t, i, n), ink)
		i = n
	}
}

// course is the direction of a trip around some samples.
func (p *tripPainter) course(t *track, from, to int) point {
	a := p.v.at(t.samples[max(from-1, 0)])
	b := p.v.at(t.samples[min(to, len(t.samples)-1)])
	return b.minus(a).unit()
}

// number stands above a level course, and right of a steep one.
func (p *tripPainter) number(s string, at, course point, ink textInk) {
	away := ringRadius*p.size + 6
	if abs(course.X) > abs(course.Y) {
		p.write(s, at.plus(point{0, -p.px(away + 5)}), 12, mediumWeight, true, ink)
		return
	}
	p.write(s, at.plus(point{p.px(away), 0}), 12, mediumWeight, false, ink)
}

// truth draws the true path.
func (p *tripPainter) truth(t *track) {
	p.plain.reset()
	for i := range t.truth {
		t.truth[i].stretch(&p.plain, &p.v.frame, 0, t.truth[i].length())
	}
	p.c.stroke(&p.plain, stroke{width: p.px(4), color: fade(p.v.theme.PathHalo, 0.7)})
	p.c.stroke(&p.plain, stroke{width: p.px(1.9), color: p.v.theme.Truth, dash: []float32{p.px(0.1), p.px(4)}})
}

// pinnedRoads outlines the roads that were pinned.
func (p *tripPainter) pinnedRoads(t *track) {
	for _, pin := range t.Pins {
		if !pin.Forbidden {
			p.outline(pin.Segment, pathWidth*p.size+6, fade(p.v.theme.Pin, 0.85))
		}
	}
}

// pins draws the pins, and crosses out the roads that were forbidden.
func (p *tripPainter) pins(t *track) {
	for _, pin := range t.Pins {
		if at := p.v.point(pin.At); pin.Forbidden {
			p.forbidden(pin.Segment, at)
		} else {
			p.pin(at, p.v.theme.Pin, p.v.theme.RingFill)
		}
	}
}

// forbidden crosses a segment out along its length, with a sign where the
// sample would have stood.
func (p *tripPainter) forbidden(id roadnet.SegmentID, at point) {
	if p.ts.net == nil || int(id) >= p.ts.net.NumSegments() {
		return
	}
	th := p.v.theme
	p.plain.reset()
	p.plain.add(p.trimmed(segmentStretch{id, 0, 1})...)
	p.c.stroke(&p.plain, stroke{width: p.px(3.4), color: th.RingFill})
	p.c.stroke(&p.plain, stroke{width: p.px(1.8), color: th.Pin, dash: []float32{p.px(2), p.px(3)}, butt: true})
	p.crossedDisc(at, th)
}

// outline paints a band along a segment.
func (p *tripPainter) outline(id roadnet.SegmentID, width float64, col colour) {
	if p.ts.net == nil || int(id) >= p.ts.net.NumSegments() {
		return
	}
	p.plain.reset()
	p.plain.add(p.trimmed(segmentStretch{id, 0, 1})...)
	p.c.stroke(&p.plain, stroke{width: p.px(width), color: col})
}
