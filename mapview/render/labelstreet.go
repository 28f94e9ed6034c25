package render

import (
	"math"
)

// nameStyle is how the names of one look are written.
type nameStyle struct {
	from, size float64 // zoom from which, logical pixels
	repeat     float64 // logical pixels from one to the next of the same name
}

func nameStyleOf(l roadLook) nameStyle {
	return [numRoadLooks]nameStyle{
		lookService:      {16.6, 10.5, 500},
		lookLivingStreet: {15.6, 10.5, 500},
		lookResidential:  {15.0, 11, 520},
		lookTertiary:     {14.0, 11.5, 560},
		lookSecondary:    {13.4, 12, 620},
		lookPrimary:      {12.8, 12, 680},
		lookTrunkLink:    {16.0, 11, 600},
		lookTrunk:        {13.0, 12, 760},
		lookMotorway:     {13.0, 12, 760},
	}[l]
}

// streetNames writes names along streets, the more important ones first.
func (lb *labeler) streetNames(s *streets, v groundView, lift float64) {
	visit(s.blocks, v.view, func(k block) {
		st := nameStyleOf(k.look)
		if v.zoom < st.from-lift/2 {
			return
		}
		for i := k.from; i < k.to; i++ {
			if s.boxes[i].meets(v.view) {
				lb.street(s, i, st, v)
			}
		}
	})
}

// street writes one name along one street, over and over where it is long.
func (lb *labeler) street(s *streets, i uint32, st nameStyle, v groundView) {
	room := float64(s.boxes[i].size()) * v.frame.scale * 1.5
	t := lb.ts.set(s.names[i], regularWeight, 0)
	size := v.tx(st.size)
	if t == nil || float64(t.width*size) > room*1.2 {
		return
	}
	lb.line.reset()
	v.append(&lb.line, &s.geometry, i)
	if lb.line.len() == 0 {
		return
	}
	pts := lb.line.at(0)
	total := lineLength(pts)
	need := t.width*size + size
	if total < need {
		return
	}
	ink := textInk{color: v.theme.Street, halo: v.theme.StreetHalo, width: v.px(1.7)}
	n := max(int(total/v.px(st.repeat)), 1)
	for k := range n {
		mid := total * (float32(k) + 0.5) / float32(n)
		lb.nearby(t, size, pts, mid, total, s.names[i], v.px(st.repeat)*0.6, ink)
	}
}

// nearby writes a name around a length along a street, moved a little where it
// would bend too much or something stands.
func (lb *labeler) nearby(t *text, size float32, pts []point, mid, total float32, name string, apart float32, ink textInk) {
	half := t.width*size/2 + size/4
	for _, shift := range [...]float32{0, -0.6, 0.6, -1.2, 1.2, -1.8, 1.8} {
		at := mid + shift*half
		if at < half || at > total-half {
			continue
		}
		lb.path = cut(lb.path[:0], pts, at-half, at+half)
		if len(lb.path) < 2 || !boxOf(lb.path).meets(lb.space.all) {
			continue
		}
		if lb.path[len(lb.path)-1].X < lb.path[0].X {
			reverse(lb.path)
		}
		if lb.along(t, size, name, apart, ink) {
			return
		}
	}
}

// mostBend is the turn, in radians, that a name may take from letter to letter.
const mostBend = 0.42

// along writes a name on lb.path, centred, if there is room.
func (lb *labeler) along(t *text, size float32, name string, apart float32, ink textInk) bool {
	middle := lb.path[0].toward(lb.path[len(lb.path)-1], 0.5)
	if lb.repeated(name, middle, apart) {
		return false
	}
	spots, ok := lb.curve(t, size)
	if !ok {
		return false
	}
	boxes := glyphBoxes(t, size, spots)
	if !lb.space.free(boxes) {
		return false
	}
	lb.space.take(boxes)
	lb.seen[name] = append(lb.seen[name], middle)
	lb.out = append(lb.out, label{text: t, size: size, spots: append([]spot(nil), spots...), ink: ink})
	return true
}

// curve sets the spots of a text along lb.path.
func (lb *labeler) curve(t *text, size float32) ([]spot, bool) {
	lb.spots = lb.spots[:0]
	start := (lineLength(lb.path) - t.width*size) / 2
	lead, trail := newWalker(lb.path), newWalker(lb.path)
	last := math.NaN()
	for _, g := range t.glyphs {
		from := start + g.x*size
		width := g.advance * size
		reach := max(width/2, size*0.45)
		a, _ := trail.at(max(from+width/2-reach, 0))
		b, _ := lead.at(from + width/2 + reach)
		dir := b.minus(a).unit()
		angle := math.Atan2(float64(dir.Y), float64(dir.X))
		if math.Abs(math.Remainder(angle-last, 2*math.Pi)) > mostBend {
			return nil, false
		}
		last = angle
		mid := a.toward(b, 0.5)
		down := point{-dir.Y, dir.X}
		origin := mid.minus(dir.times(width / 2)).plus(down.times(size*capHeight/2 + g.y*size))
		lb.spots = append(lb.spots, spot{origin, dir})
	}
	return lb.spots, true
}

// glyphBoxes are upright boxes around the letters of a text.
func glyphBoxes(t *text, size float32, spots []spot) []box {
	boxes := make([]box, 0, len(spots))
	for i, s := range spots {
		w := t.glyphs[i].advance * size
		if w == 0 {
			continue
		}
		up := point{s.dir.Y, -s.dir.X}
		middle := s.at.plus(s.dir.times(w / 2)).plus(up.times(size * capHeight / 2))
		r := max(w, size*0.8)/2 + 1.5
		boxes = append(boxes, box{middle.X - r, middle.Y - r, middle.X + r, middle.Y + r})
	}
	return boxes
}

// shieldFrom is the zoom from which the numbers of a look are shown.
func shieldFrom(l roadLook) (zoom float64, ok bool) {
	switch l {
	case lookMotorway, lookTrunk:
		return 8.5, true
	case lookPrimary:
		return 11, true
	case lookSecondary:
		return 12.8, true
	case lookTertiary:
		return 14, true
	}
	return 0, false
}

// shieldRepeat is how far the same number stands apart, in logical pixels.
const shieldRepeat = 420

// shields puts the numbers of roads on small signs.
func (lb *labeler) shields(s *streets, v groundView) {
	visit(s.blocks, v.view, func(k block) {
		from, ok := shieldFrom(k.look)
		if !ok || v.zoom < from {
			return
		}
		for i := k.from; i < k.to; i++ {
			if s.boxes[i].meets(v.view) {
				lb.numbered(s, i, v)
			}
		}
	})
}

func (lb *labeler) numbered(s *streets, i uint32, v groundView) {
	lb.line.reset()
	v.append(&lb.line, &s.geometry, i)
	if lb.line.len() == 0 {
		return
	}
	pts := lb.line.at(0)
	total := lineLength(pts)
	if total < v.px(60) {
		return
	}
	step := v.px(shieldRepeat)
	n := max(int(total/step), 1)
	w := newWalker(pts)
	for k := range n {
		at, _ := w.at(total * (float32(k) + 0.5) / float32(n))
		lb.shield(s.names[i], at, v)
	}
}

func (lb *labeler) shield(number string, at point, v groundView) {
	if lb.repeated(number, at, v.px(shieldRepeat)*0.6) {
		return
	}
	t := lb.ts.set(number, mediumWeight, 0)
	if t == nil {
		return
	}
	size := v.tx(10.5)
	w, h := t.width*size/2, size*capHeight/2
	in := v.px(4)
	b := box{at.X - w - in, at.Y - h - in + v.px(0.5), at.X + w + in, at.Y + h + in - v.px(0.5)}
	if !b.within(lb.space.all) || !lb.space.free([]box{b.grow(v.px(4))}) {
		return
	}
	lb.space.take([]box{b.grow(v.px(4))})
	lb.seen[number] = append(lb.seen[number], at)
	lb.out = append(lb.out, label{
		text: t, size: size,
		spots: t.straight(point{at.X - w, at.Y + h}, size, nil),
		ink:   textInk{color: v.theme.ShieldText},
		plate: &plate{box: b, fill: textInk{color: v.theme.Shield, halo: v.theme.ShieldEdge, width: v.px(1)}},
	})
}
