package render

import "math"

// collect sorts the lines that show into buckets by storey and look.
func (p *painter) collect(b *Base, v groundView) {
	for l := range p.buckets {
		for k := range p.buckets[l] {
			p.buckets[l][k].reset()
		}
	}
	styles := roadStyles(v.zoom, v.scale, b.lift)
	visit(b.roads.blocks, v.view, func(k block) {
		if styles[k.look].fill == 0 {
			return
		}
		for i := k.from; i < k.to; i++ {
			at := b.roads.level[i]
			if at >= bridges && styles[k.look].bridge == 0 {
				at = ground
			}
			bucket := &p.buckets[at][k.look]
			v.append(bucket, &b.roads.geometry, i)
		}
	})
}

// roads draws the buckets: storey by storey, of each the casings of all roads
// and then their fills, so that junctions run together.
func (p *painter) roads(c canvas, b *Base, v groundView) {
	styles := roadStyles(v.zoom, v.scale, b.lift)
	p.tunnels(c, v, &styles, b.lift)
	p.casings(c, v, &styles, ground)
	p.fills(c, v, &styles, ground, b.lift)
	for l := bridges; l < numLevels; l++ {
		p.shadows(c, v, &styles, l)
		p.casings(c, v, &styles, l)
		p.fills(c, v, &styles, l, b.lift)
	}
}

func (p *painter) tunnels(c canvas, v groundView, styles *[numRoadLooks]roadStyle, lift float64) {
	for look := range numRoadLooks {
		s, l := styles[look], &p.buckets[tunnels][look]
		if l.len() == 0 {
			continue
		}
		col := v.theme.Roads[look]
		if s.casing > 0 {
			c.stroke(l, stroke{width: s.casing, color: col.Casing, dash: []float32{v.px(4), v.px(2.6)}, butt: true})
		}
		c.stroke(l, stroke{width: s.fill, color: fade(blend(fillColour(v.theme, look, v.zoom, lift), v.theme.Land, 0.55), s.share), butt: true})
	}
}

func (p *painter) casings(c canvas, v groundView, styles *[numRoadLooks]roadStyle, at level) {
	for look := range numRoadLooks {
		s, l := styles[look], &p.buckets[at][look]
		if l.len() == 0 {
			continue
		}
		switch {
		case at >= bridges:
			c.stroke(l, stroke{width: s.bridge, color: v.theme.BridgeCasing, butt: true})
		case s.casing > 0:
			c.stroke(l, stroke{width: s.casing, color: fade(v.theme.Roads[look].Casing, s.share)})
		}
	}
}

func (p *painter) fills(c canvas, v groundView, styles *[numRoadLooks]roadStyle, at level, lift float64) {
	for look := range numRoadLooks {
		if l := &p.buckets[at][look]; l.len() > 0 {
			s := styles[look]
			c.stroke(l, stroke{width: s.fill, color: fade(fillColour(v.theme, look, v.zoom, lift), s.share)})
		}
	}
}

// shadows lays a soft shadow below the bridges of a storey.
func (p *painter) shadows(c canvas, v groundView, styles *[numRoadLooks]roadStyle, at level) {
	if v.zoom < shadowZoom {
		return
	}
	for look := range numRoadLooks {
		l := &p.buckets[at][look]
		if l.len() == 0 {
			continue
		}
		p.buf.reset()
		for _, pt := range l.pts {
			p.buf.pts = append(p.buf.pts, pt.plus(point{v.px(0.6), v.px(1.2)}))
		}
		p.buf.ends = append(p.buf.ends, l.ends...)
		for _, out := range []float64{1.2, 2.8, 4.4} {
			c.stroke(&p.buf, stroke{width: styles[look].bridge + v.px(out), color: fade(v.theme.Shadow, 0.34), butt: true})
		}
	}
}

// fillColour is the fill of a look. Far out it stands out from the land by
// itself, the more so where there are no major roads to give the map its shape.
func fillColour(t *Theme, look roadLook, zoom, lift float64) colour {
	col := t.Roads[look]
	far := blend(col.Far, t.Place, math.Min(1, lift/6)*0.5)
	return blend(col.Fill, far, farness(zoom))
}

// farness is how much of a road's far colour shows at a zoom.
func farness(zoom float64) float64 { return math.Max(0, math.Min(1, (13.0-zoom)/1.3)) }
