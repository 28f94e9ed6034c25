package render

import (
	"fmt"
	"image"
	"image/color"
	"math"

	"retrace/engine/trajectory"
)

// shown says which kinds of things trips have, for the legend to name no other.
type shown struct{ samples, skipped, path, deck, below, tunnel, unsure, alternatives, pins, forbidden, truth, ticks bool }

// present sums up what the trips have.
func (ts *Tracks) present() shown {
	var s shown
	if ts == nil {
		return s
	}
	for i := range ts.tracks {
		t := &ts.tracks[i]
		s.samples = s.samples || len(t.samples) > 0
		for _, pin := range t.Pins {
			s.pins, s.forbidden = s.pins || !pin.Forbidden, s.forbidden || pin.Forbidden
		}
		s.truth = s.truth || len(t.truth) > 0
		if r := t.Recovery; r != nil {
			s.recovered(r)
		}
	}
	for i := range ts.far {
		f := &ts.far[i]
		s.samples = s.samples || len(f.Points.places) > 0
		s.path, s.ticks = s.path || f.Finding != nil, s.ticks || f.Finding != nil
	}
	return s
}

func (s *shown) recovered(r *trajectory.Recovery) {
	s.path = s.path || len(r.Parts) > 0
	s.ticks = s.ticks || len(r.Ticks) > 0
	s.alternatives = s.alternatives || len(r.Alternatives) > 0
	for _, m := range r.Matches {
		s.skipped = s.skipped || m.State == trajectory.OffRoad || m.State == trajectory.Outlier
	}
	for _, sp := range r.Spans {
		switch {
		case sp.Margin < trajectory.UncertainMargin:
			s.unsure = true
		case sp.Kind == trajectory.OnDeck:
			s.deck = true
		case sp.Kind == trajectory.Below:
			s.below = true
		case sp.Kind == trajectory.Tunnel:
			s.tunnel = true
		}
	}
}

// legend is the key to what a map shows.
type legend struct {
	pencil
	theme    *Theme
	words    *Words
	title    string
	foldable bool
	folded   bool
	rows     []legendRow
	scale    colourScale
}

// legendRow is one line: a picture of some size around a place, and a word; a
// heading has no picture.
type legendRow struct {
	word string
	draw func(l *legend, at point)
}

// colourScale is the bar of colours at a legend's foot; none without a heading.
type colourScale struct {
	heading string
	colour  func(t float64) color.NRGBA
	marks   [3]string
	hollow  bool // with the sign for what lies under the scale
}

// Sizes of a legend in logical pixels.
const (
	legendWidth = 192.0
	legendRowH  = 22.0
	legendEdge  = 11.0
	legendText  = 12.0
	scaleHeight = 58.0
)

// newLegend is the legend of trips as drawn; ok is false where there is nothing
// to explain.
func newLegend(p pencil, ts *Tracks, links *LinkMap, s *Scene, opt Options) (*legend, bool) {
	has, chosen := ts.present(), s.Selection
	l := &legend{pencil: p, theme: themeOf(opt.Dark), words: opt.words(), title: opt.title(ts, chosen), foldable: opt.Foldable}
	if l.title == "" && l.foldable {
		l.title = l.words.Legend
	}
	on := func(layer Layers, there bool, word string, draw func(*legend, point)) {
		if there && opt.Layers.Has(layer) {
			l.rows = append(l.rows, legendRow{word, draw})
		}
	}
	w := l.words
	on(LayerInput, has.samples, w.InputPoint, func(l *legend, at point) { l.ringSign(at, false) })
	on(LayerInput, has.skipped, w.SkippedPoint, func(l *legend, at point) { l.ringSign(at, true) })
	on(LayerPath, has.path && opt.ColourBy == ByDeck, w.RecoveredPath, (*legend).pathSign)
	on(LayerDecks, has.deck, w.OnDeck, (*legend).deckSign)
	on(LayerDecks, has.below, w.BelowDeck, (*legend).belowSign)
	on(LayerDecks, has.tunnel, w.InTunnel, (*legend).tunnelSign)
	on(LayerDecks, has.unsure, w.Unsure, (*legend).unsureSign)
	on(LayerAlternatives, has.alternatives && chosen.Trip != "", w.Alternative, (*legend).alternativeSign)
	on(LayerPins, has.pins, w.PinnedRoad, func(l *legend, at point) {
		l.pin(at.plus(point{0, l.px(9)}), l.theme.Pin, l.theme.RingFill)
	})
	on(LayerPins, has.forbidden, w.ForbiddenRoad, (*legend).forbiddenSign)
	on(LayerTruth, has.truth, w.Truth, (*legend).truthSign)
	on(LayerComparison, s.Comparison != nil, w.Differs, (*legend).differSign)
	on(LayerComparison, s.Comparison != nil, w.OtherSide, (*legend).otherSign)
	if opt.Layers.Has(LayerPath) && has.path && opt.ColourBy == ByClass {
		l.classes()
	}
	l.links(links, opt)
	l.scale = opt.scaleOf(has, w, ts)
	return l, len(l.rows) > 0
}

// scaleOf is the colour scale that explains the options.
func (opt Options) scaleOf(has shown, w *Words, ts *Tracks) colourScale {
	switch {
	case opt.ColourBy == BySpeed && has.path && opt.Layers.Has(LayerPath):
		low, high := ts.speedRange(opt.Miles)
		return colourScale{w.Speed, cividis, [3]string{fmt.Sprintf("%.0f", low), fmt.Sprintf("%.0f", (low+high)/2), fmt.Sprintf("%.0f", high)}, false}
	case opt.ColourBy == ByTime && has.path && opt.Layers.Has(LayerPath):
		return colourScale{w.Time, cividis, [3]string{w.Start, "", w.End}, false}
	case has.ticks && (opt.Layers.Has(LayerPoints) || opt.ColourBy == ByProbability && opt.Layers.Has(LayerPath)):
		return colourScale{w.Probability, cividis, [3]string{w.fraction(HollowBelow, 1), w.fraction(0.8, 1), w.fraction(1, 1)}, true}
	}
	return colourScale{}
}

func (l *legend) classes() {
	looks := [...]roadLook{lookMotorway, lookPrimary, lookSecondary, lookTertiary, lookResidential, lookService}
	for i, look := range looks {
		col := classColour(look)
		l.rows = append(l.rows, legendRow{l.words.Classes[i], func(l *legend, at point) { l.bar(at, pathWidth, col, nil, false) }})
	}
}

// links adds the classes of links, below a heading.
func (l *legend) links(m *LinkMap, opt Options) {
	if m.Len() == 0 || !opt.Layers.Has(LayerLinks) {
		return
	}
	heading, words := l.words.LinkCounts, m.countWords()
	if opt.LinkBy == LinkSpeeds {
		heading, words = l.words.LinkSpeeds, append(m.speedWords(opt.Miles), l.words.NoSpeed)
	}
	l.rows = append(l.rows, legendRow{word: heading})
	for i, word := range words {
		width := linkWidth(2, streetZoom)
		if opt.LinkBy == LinkCounts {
			width = linkWidth(i, streetZoom)
		}
		col := m.colour(opt.LinkBy, i, opt.Miles, l.theme)
		if opt.LinkBy == LinkSpeeds && i+1 == len(words) {
			col = l.theme.Muted
		}
		l.rows = append(l.rows, legendRow{word, func(l *legend, at point) {
			l.bar(at, width+1.4, l.theme.LinkEdge, nil, false)
			l.bar(at, width, col, nil, false)
		}})
	}
}

// size is how large the legend is in logical pixels.
func (l *legend) size() (w, h float64) {
	title := 2*legendEdge + float64(l.width(l.title, legendText, mediumWeight))/l.pencil.scale
	if l.foldable {
		title += foldRoom
	}
	if l.folded {
		return math.Min(title, mostLegend), legendRowH + legendEdge - 4
	}
	h = 2*legendEdge + float64(len(l.rows))*legendRowH - 4
	w = legendWidth
	if l.title != "" {
		h += legendRowH + 2
		w = math.Max(w, title)
	}
	if l.scale.heading != "" {
		h += scaleHeight
	}
	for _, r := range l.rows {
		w = math.Max(w, 56+2*legendEdge+float64(l.width(r.word, legendText, regularWeight))/l.pencil.scale)
	}
	return math.Min(w, mostLegend), h
}

// mostLegend is how wide a legend is at the most, and foldRoom what the sign that
// folds it takes, in logical pixels.
const (
	mostLegend = 320
	foldRoom   = 22
)

// draw paints the legend with its top left at a place, and says where it stands.
func (l *legend) draw(at point) legendPlace {
	w, h := l.size()
	b := box{at.X, at.Y, at.X + l.px(w), at.Y + l.px(h)}
	l.panel(b, l.theme)
	place := legendPlace{whole: b.pixels()}
	x := at.X + l.px(legendEdge)
	y := at.Y + l.px(legendEdge+legendRowH/2-2)
	ink := textInk{color: l.theme.Text}
	if l.folded {
		y = (b.minY + b.maxY) / 2
	}
	if l.title != "" {
		l.write(l.title, point{x, y}, legendText, mediumWeight, false, ink)
		if l.foldable {
			place.head = box{b.minX, b.minY, b.maxX, y + l.px(legendRowH/2)}.pixels()
			l.foldSign(point{b.maxX - l.px(legendEdge+3), y})
		}
		y += l.px(legendRowH + 2)
	}
	if !l.folded {
		l.body(point{x, y}, w, ink)
	}
	return place
}

// body paints the rows and the scale.
func (l *legend) body(at point, w float64, ink textInk) {
	for _, r := range l.rows {
		if r.draw == nil { // a heading
			l.write(r.word, at, legendText, regularWeight, false, ink)
		} else {
			r.draw(l, at.plus(point{l.px(18), 0}))
			l.write(r.word, at.plus(point{l.px(48), 0}), legendText, regularWeight, false, ink)
		}
		at.Y += l.px(legendRowH)
	}
	if l.scale.heading != "" {
		l.drawScale(point{at.X, at.Y - l.px(legendRowH/2-6)}, l.px(w-2*legendEdge))
	}
}

// foldSign points down where a click folds the legend, and up where it opens it.
func (l *legend) foldSign(at point) {
	d := l.px(2.2)
	if l.folded {
		d = -d
	}
	for _, side := range []float32{-1, 1} {
		l.line(at.plus(point{side * l.px(4.5), -d}), at.plus(point{-side * l.px(0.4), d}), 1.6, l.theme.Muted)
	}
}

// pixels is the box in whole image pixels.
func (b box) pixels() image.Rectangle {
	return image.Rect(int(b.minX), int(b.minY), int(math.Ceil(float64(b.maxX))), int(math.Ceil(float64(b.maxY))))
}

// drawScale paints the bar of colours.
func (l *legend) drawScale(at point, width float32) {
	th := l.theme
	l.line(at, at.plus(point{width, 0}), 1, th.SurfaceEdge)
	y := at.Y + l.px(14)
	l.write(l.scale.heading, point{at.X, y}, legendText, regularWeight, false, textInk{color: th.Text})
	y += l.px(18)
	x := at.X
	muted := textInk{color: th.Muted}
	if l.scale.hollow {
		l.dot(point{x + l.px(7), y}, dotRadius-0.2, 1.5, th.RingFill, th.Dot)
		l.write("< "+l.words.fraction(HollowBelow, 1), point{x + l.px(-1), y + l.px(15)}, 10.5, regularWeight, false, muted)
		x += l.px(42)
	}
	end := at.X + width
	l.gradient(box{x, y - l.px(5), end, y + l.px(5)})
	for i, s := range l.scale.marks {
		w := l.width(s, 10.5, regularWeight)
		pos := x + (end-x)*float32(i)/2 - w*float32(i)/2
		l.write(s, point{pos, y + l.px(15)}, 10.5, regularWeight, false, muted)
	}
}

func (l *legend) gradient(b box) {
	const steps = 48
	for i := range steps {
		x := b.minX + (b.maxX-b.minX)*float32(i)/steps
		next := b.minX + (b.maxX-b.minX)*float32(i+1)/steps
		l.buf.reset()
		l.buf.add(point{x, b.minY}, point{next + 0.5, b.minY}, point{next + 0.5, b.maxY}, point{x, b.maxY})
		l.c.fill(&l.buf, nonZero, l.scale.colour((float64(i)+0.5)/steps))
	}
}

// panel is the plate that furniture stands on.
func (p *pencil) panel(b box, th *Theme) {
	plate := plate{box: b, fill: textInk{color: fade(th.Surface, 0.96), halo: th.SurfaceEdge, width: p.px(1)}}
	plate.draw(p.c, &p.buf)
}

// bar is a short piece of line as the map draws it.
func (l *legend) bar(at point, width float64, col color.NRGBA, dash []float32, butt bool) {
	l.buf.reset()
	l.buf.add(at.plus(point{-l.px(16), 0}), at.plus(point{l.px(16), 0}))
	l.c.stroke(&l.buf, stroke{width: l.px(width), color: col, dash: dash, butt: butt})
}

func (l *legend) ringSign(at point, crossed bool) {
	l.dot(at, ringRadius-0.6, 1.8, l.theme.RingFill, l.theme.Ring)
	if crossed {
		d := l.px(ringRadius * 0.45)
		l.line(at.plus(point{-d, -d}), at.plus(point{d, d}), 1.5, l.theme.Alternative)
		l.line(at.plus(point{-d, d}), at.plus(point{d, -d}), 1.5, l.theme.Alternative)
	}
}

func (l *legend) pathSign(at point) {
	l.bar(at, pathWidth, l.theme.Path, nil, false)
	l.arrowHead(at, point{1, 0}, 5, l.theme.Path, l.theme.Chevron, 0.9)
}

func (l *legend) deckSign(at point) {
	l.bar(at, deckWidth+2*deckCasing, l.theme.DeckCasing, nil, true)
	l.bar(at, deckWidth, l.theme.Deck, nil, true)
}

func (l *legend) belowSign(at point) {
	l.bar(at, pathWidth, l.theme.Below, []float32{l.px(7), l.px(3.4)}, true)
}

func (l *legend) tunnelSign(at point) {
	l.bar(at, pathWidth, l.theme.Tunnel, []float32{l.px(3), l.px(2.4)}, true)
}

func (l *legend) unsureSign(at point) {
	for i, col := range []color.NRGBA{l.theme.Deck, l.theme.Path} {
		y := at.Y + l.px(float64(i)*8-4)
		pts := []point{{at.X - l.px(16), y}, {at.X + l.px(16), y}}
		var bars lines
		hatch(&bars, pts, l.px(6), l.px(4.6))
		l.bar(point{at.X, y}, 6, l.theme.RingFill, nil, true)
		l.c.stroke(&bars, stroke{width: l.px(2.3), color: col, butt: true})
	}
}

func (l *legend) alternativeSign(at point) {
	l.bar(at, 2.2, fade(l.theme.Alternative, 0.6), nil, false)
}

func (l *legend) truthSign(at point) {
	l.bar(at, 1.9, l.theme.Truth, []float32{l.px(0.1), l.px(4)}, false)
}

func (l *legend) forbiddenSign(at point) {
	l.bar(at, 1.8, l.theme.Pin, []float32{l.px(2), l.px(3)}, true)
	l.crossedDisc(at, l.theme)
}

func (l *legend) differSign(at point) {
	l.bar(at, pathWidth+8, fade(l.theme.Selection, 0.55), nil, false)
	l.bar(at, pathWidth, l.theme.Path, nil, false)
}

func (l *legend) otherSign(at point) {
	l.bar(at, 2, fade(l.theme.Alternative, 0.8), []float32{l.px(5), l.px(3)}, true)
}

// LegendRows is how many lines the legend of a scene has.
func LegendRows(s *Scene, opt Options) int {
	l, _ := newLegend(pencil{ts: newTypesetter()}, NewTracks(s.Network, s.Trips), NewLinkMap(s.Network, s.Links), s, opt)
	return len(l.rows)
}
