package render

import (
	"image/color"
	"math"
	"sort"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/shaping"
	"golang.org/x/image/math/fixed"
)

// The vertical extent of text around its baseline, in units of its size: from
// the top of capitals to the foot of descenders.
const (
	capHeight = 0.71
	descent   = 0.22
)

// glyph is one shape of a text, in units of the text's size.
type glyph struct {
	shape   *lines // outlines around the glyph's own origin, y down
	x, y    float32
	advance float32
}

// text is a line of text, shaped: independent of size and colour.
type text struct {
	glyphs []glyph
	width  float32
}

// font26 is the size at which texts are shaped, in 1/64 units.
const font26 = fixed.Int26_6(1000 << 6)

// maxTexts bounds what a typesetter keeps.
const maxTexts = 20000

type textKey struct {
	text    string
	weight  weight
	spacing float32
}

type glyphKey struct {
	font  *font.Font
	glyph font.GID
}

// typesetter turns strings into glyphs: letters of any script, joined and
// ordered as the script wants. It is not safe for use by several goroutines.
type typesetter struct {
	fonts     *fonts
	segmenter shaping.Segmenter
	shaper    shaping.HarfbuzzShaper
	wrapper   shaping.LineWrapper
	texts     map[textKey]*text
	outlines  map[glyphKey]*lines
}

func newTypesetter() *typesetter {
	return &typesetter{
		fonts:    newFonts(),
		texts:    map[textKey]*text{},
		outlines: map[glyphKey]*lines{},
	}
}

// set shapes a text; spacing is what stands between letters beyond the usual,
// in units of the size. It returns nil where no font knows some letter.
func (ts *typesetter) set(s string, w weight, spacing float32) *text {
	key := textKey{s, w, spacing}
	if t, ok := ts.texts[key]; ok {
		return t
	}
	if len(ts.texts) >= maxTexts {
		clear(ts.texts)
	}
	t := ts.shape([]rune(s), w, spacing)
	ts.texts[key] = t
	return t
}

func (ts *typesetter) shape(runes []rune, w weight, spacing float32) *text {
	if len(runes) == 0 {
		return nil
	}
	faces := ts.fonts.choose(runes, w)
	if faces == nil {
		return nil
	}
	in := shaping.Input{Text: runes, RunEnd: len(runes), Face: faces[0], Size: font26}
	t := &text{}
	for _, run := range ts.visual(in, faces) {
		for _, g := range run.Glyphs {
			if g.GlyphID == 0 {
				return nil
			}
			t.glyphs = append(t.glyphs, glyph{
				shape: ts.outline(run.Face, g.GlyphID),
				x:     t.width + em(g.XOffset), y: -em(g.YOffset), advance: em(g.Advance),
			})
			t.width += em(g.Advance)
			if g.Advance > 0 {
				t.width += spacing
			}
		}
	}
	t.width -= spacing
	return t
}

// visual shapes a text's runs and puts them in order from left to right.
func (ts *typesetter) visual(in shaping.Input, faces choice) shaping.Line {
	inputs := ts.segmenter.Split(in, faces)
	line := make(shaping.Line, len(inputs))
	for i, part := range inputs {
		line[i] = ts.shaper.Shape(part)
	}
	ts.wrapper.Prepare(shaping.WrapConfig{Direction: line[0].Direction}, in.Text, shaping.NewSliceIterator(line))
	wrapped, _ := ts.wrapper.WrapNextLine(math.MaxInt32)
	out := append(shaping.Line(nil), wrapped.Line...)
	sort.SliceStable(out, func(i, j int) bool { return out[i].VisualIndex < out[j].VisualIndex })
	return out
}

func em(v fixed.Int26_6) float32 { return float32(v) / float32(font26) }

// outline is a glyph's shape, its curves made of straight pieces.
func (ts *typesetter) outline(face *font.Face, id font.GID) *lines {
	key := glyphKey{face.Font, id}
	if o, ok := ts.outlines[key]; ok {
		return o
	}
	o := &lines{}
	if data, ok := face.GlyphData(id).(font.GlyphOutline); ok {
		flatten(o, data.Segments, 1/float32(face.Upem()))
	}
	ts.outlines[key] = o
	return o
}

// flatten appends the rings of an outline.
func flatten(dst *lines, segments []opentype.Segment, scale float32) {
	at := func(p opentype.SegmentPoint) point { return point{p.X * scale, -p.Y * scale} }
	var pen point
	for _, s := range segments {
		switch s.Op {
		case opentype.SegmentOpMoveTo:
			dst.end()
			pen = at(s.Args[0])
			dst.move(pen)
		case opentype.SegmentOpLineTo:
			pen = at(s.Args[0])
			dst.move(pen)
		case opentype.SegmentOpQuadTo:
			c, to := at(s.Args[0]), at(s.Args[1])
			cubic(dst, pen, pen.toward(c, 2.0/3), to.toward(c, 2.0/3), to)
			pen = to
		case opentype.SegmentOpCubeTo:
			to := at(s.Args[2])
			cubic(dst, pen, at(s.Args[0]), at(s.Args[1]), to)
			pen = to
		}
	}
	dst.end()
}

// cubic appends a curve in pieces that stay within a thousandth of the size.
func cubic(dst *lines, a, b, c, d point) {
	bend := distance(a.plus(c), b.times(2)) + distance(b.plus(d), c.times(2))
	n := min(max(int(math.Ceil(math.Sqrt(float64(bend)*250))), 1), 12)
	for i := 1; i <= n; i++ {
		t := float32(i) / float32(n)
		u := 1 - t
		p := a.times(u * u * u).plus(b.times(3 * u * u * t)).plus(c.times(3 * u * t * t)).plus(d.times(t * t * t))
		dst.move(p)
	}
}

// ink of a text: its colour, and that of a halo of some width around it.
type textInk struct {
	color, halo color.NRGBA
	width       float32 // of the halo, image pixels; 0 for none
}

// spot is where a glyph stands: its origin and the direction of its baseline.
type spot struct{ at, dir point }

// straight sets the spots of a text along a level baseline from at.
func (t *text) straight(at point, size float32, spots []spot) []spot {
	for _, g := range t.glyphs {
		spots = append(spots, spot{point{at.X + g.x*size, at.Y + g.y*size}, point{1, 0}})
	}
	return spots
}

// drawText paints a text with every glyph at its spot.
func drawText(c canvas, buf *lines, t *text, size float32, spots []spot, k textInk) {
	buf.reset()
	for i, g := range t.glyphs {
		placeGlyph(buf, g.shape, size, spots[i], k.width > 0)
	}
	if k.width > 0 {
		c.stroke(buf, stroke{width: 2 * k.width, color: k.halo})
	}
	c.fill(buf, nonZero, k.color)
}

// placeGlyph appends a glyph's rings, closed where a halo is to be stroked.
func placeGlyph(dst *lines, shape *lines, size float32, s spot, closed bool) {
	dir, down := s.dir.times(size), point{-s.dir.Y, s.dir.X}.times(size)
	for i := range shape.len() {
		ring := shape.at(i)
		first := len(dst.pts)
		for _, p := range ring {
			dst.move(s.at.plus(dir.times(p.X)).plus(down.times(p.Y)))
		}
		if closed {
			dst.move(dst.pts[first])
		}
		dst.end()
	}
}
