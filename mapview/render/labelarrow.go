package render

// The length of a one-way arrow and the distance from one to the next, in
// logical pixels.
const (
	arrowLength = 8.0
	arrowStep   = 110.0
)

// arrow is the sign of a one-way road: its middle, and from there to its tip.
type arrow struct {
	at, half point
	paint    colour
	width    float32
}

// arrows sets arrows along the one-way roads, where no name stands.
func (lb *labeler) arrows(b *Base, v groundView) {
	if v.zoom < arrowZoom {
		return
	}
	styles := roadStyles(v.zoom, v.scale, b.lift)
	visit(b.roads.blocks, v.view, func(k block) {
		if styles[k.look].fill < v.px(2.5) || k.look < lookTertiary && v.zoom < minorArrowZoom {
			return
		}
		for i := k.from; i < k.to; i++ {
			if b.roads.arrow[i] != 0 {
				lb.line.reset()
				v.append(&lb.line, &b.roads.geometry, i)
				lb.arrowsAlong(b.roads.arrow[i], v)
			}
		}
	})
}

// arrowsAlong sets the arrows of the road in lb.line; way is 1 along it, -1
// against it.
func (lb *labeler) arrowsAlong(way int8, v groundView) {
	if lb.line.len() == 0 {
		return
	}
	pts := lb.line.at(0)
	total := lineLength(pts)
	if total < v.px(3*arrowLength) {
		return
	}
	n := max(int(total/v.px(arrowStep)+0.5), 1)
	w := newWalker(pts)
	r := v.px(arrowLength / 2)
	for i := range n {
		at, dir := w.at(total * (float32(i) + 0.5) / float32(n))
		around := []box{{at.X - r, at.Y - r, at.X + r, at.Y + r}}
		if !around[0].within(lb.space.all) || !lb.space.free(around) {
			continue
		}
		lb.space.take(around)
		lb.out = append(lb.out, label{arrow: &arrow{at, dir.times(float32(way) * r), v.theme.Arrow, v.px(1.1)}})
	}
}

// draw paints the arrow.
func (a *arrow) draw(c canvas, buf *lines) {
	tip, tail := a.at.plus(a.half), a.at.minus(a.half)
	back, side := tip.minus(a.half.times(0.62)), a.half.left().times(0.5)
	buf.reset()
	buf.add(tail, tip)
	buf.add(back.plus(side), tip, back.minus(side))
	c.stroke(buf, stroke{width: a.width, color: a.paint})
}

// bounds is the box of all that the arrow paints.
func (a *arrow) bounds() box {
	r := a.half.length() + a.width
	return box{a.at.X - r, a.at.Y - r, a.at.X + r, a.at.Y + r}
}
