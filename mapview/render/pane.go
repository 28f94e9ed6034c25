package render

import "image/color"

// Pane is a part of the map that shows the world by itself: the whole map, or
// one of its halves in a comparison side by side.
type Pane struct {
	View Viewport // snapped
	X    int      // where it begins in the map, in image pixels from the left
	Side int      // of the comparison: 0 for A, 1 for B
}

// Panes are the parts that a map of a scene has. Both halves have the map's
// centre in their middle.
func Panes(s *Scene, v Viewport) []Pane {
	if s.Comparison == nil || s.Comparison.Sides != Halves {
		return []Pane{{View: v.Snap()}}
	}
	left, right := v, v
	left.Width = v.Width / 2
	right.Width = v.Width - left.Width
	return []Pane{{View: left.Snap()}, {View: right.Snap(), X: left.Width, Side: 1}}
}

// shifted is a canvas whose origin lies elsewhere on another.
type shifted struct {
	c   canvas
	by  point
	buf lines
}

func (s *shifted) moved(l *lines) *lines {
	s.buf.reset()
	for _, p := range l.pts {
		s.buf.pts = append(s.buf.pts, p.plus(s.by))
	}
	s.buf.ends = append(s.buf.ends, l.ends...)
	return &s.buf
}

func (s *shifted) fill(rings *lines, r rule, c color.NRGBA) { s.c.fill(s.moved(rings), r, c) }
func (s *shifted) stroke(l *lines, st stroke)               { s.c.stroke(s.moved(l), st) }

func (s *shifted) group(share float64, draw func(canvas)) {
	s.c.group(share, func(c canvas) { draw(&shifted{c: c, by: s.by}) })
}

func (s *shifted) clip(b box, draw func(canvas)) {
	s.c.clip(b.shift(s.by), func(c canvas) { draw(&shifted{c: c, by: s.by}) })
}

// dividerAt is where the two sides of a comparison part, in image pixels from
// the left of a map.
func (c *Comparison) dividerAt(v Viewport) int {
	if c.Sides == Halves {
		return v.Width / 2
	}
	return int(float64(v.Width)*max(0, min(c.Divider, 1)) + 0.5)
}

// parting draws the line between the sides of a comparison, with a handle where
// it can be moved, and the names of the sides beside it.
func (p *pencil) parting(c *Comparison, v Viewport, th *Theme) {
	if c == nil {
		return
	}
	x, h := float32(c.dividerAt(v)), float32(v.Height)
	p.line(point{x, 0}, point{x, h}, 4, fade(th.PathHalo, 0.8))
	p.line(point{x, 0}, point{x, h}, 1.6, th.Text)
	if c.Sides == Swiped {
		p.handle(point{x, h / 2}, th)
	}
	y := p.px(24)
	for i, name := range []string{c.A.Name, c.B.Name} {
		w := p.signBox(name, point{}, sideText).maxX
		at := point{x + (w+p.px(10))*float32(2*i-1), y}
		p.sign(name, at, sideText, th.Text, th.Surface, th.SurfaceEdge)
	}
}

// sideText is the size of the names of sides, in logical pixels.
const sideText = 13

// handle is a disc with an arrow to either side.
func (p *pencil) handle(at point, th *Theme) {
	p.dot(at, 13, 1.4, th.Surface, th.Text)
	for _, side := range []float32{-1, 1} {
		p.arrowHead(at.plus(point{side * p.px(5), 0}), point{side, 0}, 5, th.Text, th.Text, 0)
	}
}
