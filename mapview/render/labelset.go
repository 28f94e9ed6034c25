package render

import "image"

// Labels are the names placed in a region of the map, each drawn once and then
// laid over any number of frames.
type Labels struct {
	sprites []sprite
}

// sprite is one label drawn: its image, and where that stands on the square of
// Web Mercator and relative to that place.
type sprite struct {
	img    *image.RGBA
	at     Mercator
	corner image.Point
}

// LabelPainter places and draws labels. Each goroutine wants its own.
type LabelPainter struct {
	labeler *labeler
	buf     lines
}

// NewLabelPainter makes a label painter.
func NewLabelPainter() *LabelPainter {
	return &LabelPainter{labeler: newLabeler(newTypesetter())}
}

// Place places the labels of a region, which is a viewport and what lies around
// it. They keep clear of the front trip.
func (p *LabelPainter) Place(b *Base, ts *Tracks, selected Item, region Viewport, opt Options) *Labels {
	x, y, world := region.origin()
	out := &Labels{}
	for _, l := range placeLabels(p.labeler, b, ts, selected, region, opt) {
		out.sprites = append(out.sprites, p.sprite(l, x, y, world))
	}
	return out
}

// placeLabels places the labels of a region.
func placeLabels(lb *labeler, b *Base, ts *Tracks, selected Item, region Viewport, opt Options) []label {
	v := region.ground(opt)
	return lb.labels(b, v, region.Width, region.Height, ts.obstacles(selected, v), obstacleReach(v))
}

// sprite draws a label into an image of its own.
func (p *LabelPainter) sprite(l label, x, y, world float64) sprite {
	r := l.bounds()
	l.move(point{-float32(r.Min.X), -float32(r.Min.Y)})
	img := image.NewRGBA(image.Rect(0, 0, r.Dx(), r.Dy()))
	l.draw(newRaster(img), &p.buf)
	mid := image.Pt(r.Min.X+r.Dx()/2, r.Min.Y+r.Dy()/2)
	return sprite{
		img:    img,
		at:     Mercator{(x + float64(mid.X)) / world, (y + float64(mid.Y)) / world},
		corner: r.Min.Sub(mid),
	}
}

// Draw lays the labels over an image that shows a viewport, at an opacity of 0 to
// 1. At another zoom than they were placed for they keep their size and stand
// where they belong.
func (l *Labels) Draw(img *image.RGBA, v Viewport, share float64) {
	x, y, world := v.origin()
	for i := range l.sprites {
		s := &l.sprites[i]
		at := image.Pt(roundInt(s.at.X*world-x), roundInt(s.at.Y*world-y)).Add(s.corner)
		lay(img, s.img, at, share)
	}
}
