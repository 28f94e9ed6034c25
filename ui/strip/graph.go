package strip

import (
	"image"
	"image/color"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"retrace/engine/trajectory"
	"retrace/engine/trajectory/facts"
	"retrace/ui/kit"
	"retrace/ui/look"
	"retrace/ui/state"
	"retrace/ui/words"
)

// graph shows speed or probability over the current trip, its input instants
// and elevated stretches, and where the clock stands. A click or a drag moves
// the clock.
type graph struct {
	widget.BaseWidget
	kit.Focus
	m           *state.Model
	probability bool
	raster      *canvas.Raster
	line        *canvas.Line
	knob        *canvas.Circle
}

// Where the parts of the graph lie, in pixels.
const (
	graphSide   = 10 // free at both ends, so that the knob is not cut
	ringTop     = 9  // middle of the input rings
	ringRadius  = 3.6
	barsTop     = 18
	bandHeight  = 5
	bandBottom  = 9 // from the bottom to the band of decks
	knobRadius  = 6
	graphHeight = 50
)

func newGraph(m *state.Model) *graph {
	g := &graph{m: m, line: canvas.NewLine(color.Transparent), knob: canvas.NewCircle(color.Transparent)}
	g.raster = canvas.NewRaster(g.draw)
	g.line.StrokeWidth = 2
	g.knob.StrokeWidth = 1.5
	g.Init(g)
	g.ExtendBaseWidget(g)
	return g
}

func (g *graph) setProbability(on bool) {
	g.probability = on
	g.raster.Refresh()
}

func (g *graph) reload() {
	g.raster.Refresh()
	g.move()
}

// move puts the marker where the clock stands.
func (g *graph) move() {
	from, to, ok := g.m.TimeSpan()
	g.line.Hidden, g.knob.Hidden = !ok, !ok
	if !ok {
		canvas.Refresh(g.line)
		canvas.Refresh(g.knob)
		return
	}
	x := graphSide + float32(share(g.m.Clock().At, from, to))*(g.Size().Width-2*graphSide)
	y := g.Size().Height - bandBottom + bandHeight/2
	g.line.Position1, g.line.Position2 = fyne.NewPos(x, 3), fyne.NewPos(x, y)
	g.knob.Resize(fyne.NewSize(2*knobRadius, 2*knobRadius))
	g.knob.Move(fyne.NewPos(x-knobRadius, y-knobRadius))
	canvas.Refresh(g.line)
	canvas.Refresh(g.knob)
}

// share is where an instant lies in a span of time, 0 to 1.
func share(at, from, to int64) float64 {
	if to == from {
		return 0
	}
	return float64(at-from) / float64(to-from)
}

// Tapped implements fyne.Tappable.
func (g *graph) Tapped(e *fyne.PointEvent) { g.scrub(e.Position.X) }

// Dragged implements fyne.Draggable.
func (g *graph) Dragged(e *fyne.DragEvent) { g.scrub(e.Position.X) }

// DragEnd implements fyne.Draggable.
func (g *graph) DragEnd() {}

// Cursor implements desktop.Cursorable.
func (g *graph) Cursor() desktop.Cursor { return desktop.DefaultCursor }

// at is the instant at a place of the graph; false where nothing is played.
func (g *graph) at(x float32) (int64, bool) {
	from, to, ok := g.m.TimeSpan()
	if !ok || g.Size().Width <= 2*graphSide {
		return 0, false
	}
	share := min(max((x-graphSide)/(g.Size().Width-2*graphSide), 0), 1)
	return from + int64(float64(share)*float64(to-from)), true
}

func (g *graph) scrub(x float32) {
	if at, ok := g.at(x); ok {
		g.m.Play(false)
		g.m.SetTime(at)
	}
}

// MouseIn implements desktop.Hoverable.
func (g *graph) MouseIn(e *desktop.MouseEvent) { g.MouseMoved(e) }

// MouseMoved implements desktop.Hoverable: it says the time there, in the
// place's zone and in UTC.
func (g *graph) MouseMoved(e *desktop.MouseEvent) {
	at, ok := g.at(e.Position.X)
	if !ok {
		return
	}
	tip := words.Clock(shownAt(g.m, at))
	if g.m.Clock().Over == state.PlayAll {
		tip = words.At(at, g.m.Zone())
	}
	if over := g.m.Clock().Over; over == state.PlayTrip || over == state.PlayAll {
		tip += " (" + words.UTC(at) + ")"
	}
	kit.ShowTipAt(g, tip, e.AbsolutePosition.AddXY(12, 16))
}

// MouseOut implements desktop.Hoverable.
func (g *graph) MouseOut() { kit.HideTip(g) }

// TypedKey implements fyne.Focusable: Home and End lead to the ends, Page Up and
// Page Down a tenth on and back; Left and Right are the window's.
func (g *graph) TypedKey(e *fyne.KeyEvent) {
	from, to, ok := g.m.TimeSpan()
	if !ok {
		g.Focus.TypedKey(e)
		return
	}
	at := g.m.Clock().At
	switch e.Name {
	case fyne.KeyHome:
		at = from
	case fyne.KeyEnd:
		at = to
	case fyne.KeyPageUp:
		at -= (to - from) / 10
	case fyne.KeyPageDown:
		at += (to - from) / 10
	default:
		g.Focus.TypedKey(e)
		return
	}
	g.m.SetTime(at)
}

// CreateRenderer implements fyne.Widget.
func (g *graph) CreateRenderer() fyne.WidgetRenderer {
	r := &graphRenderer{g}
	r.recolour()
	return kit.Laid(r, g.Size())
}

type graphRenderer struct{ g *graph }

func (r *graphRenderer) recolour() {
	chosen := theme.ColorForWidget(look.Chosen, r.g)
	r.g.line.StrokeColor = chosen
	r.g.knob.FillColor = chosen
	r.g.knob.StrokeColor, r.g.knob.StrokeWidth = theme.ColorForWidget(look.InputRing, r.g), 1.5
	if r.g.Focused() {
		r.g.knob.StrokeColor, r.g.knob.StrokeWidth = theme.ColorForWidget(look.Accent, r.g), 3
	}
}

func (r *graphRenderer) Layout(size fyne.Size) {
	r.g.raster.Resize(size)
	r.g.move()
}
func (r *graphRenderer) MinSize() fyne.Size { return fyne.NewSize(60, graphHeight) }
func (r *graphRenderer) Refresh() {
	r.recolour()
	r.g.raster.Refresh()
	r.g.move()
}
func (r *graphRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.g.raster, r.g.line, r.g.knob}
}
func (r *graphRenderer) Destroy() {}

// draw paints all but the marker.
func (g *graph) draw(w, h int) image.Image {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	from, to, ok := g.m.TimeSpan()
	if !ok || g.Size().Width <= 2*graphSide || w == 0 {
		return img
	}
	p := &pen{img: img, from: from, to: to, scale: float64(w) / float64(g.Size().Width), width: float64(g.Size().Width), height: float64(g.Size().Height)}
	p.colour = func(n fyne.ThemeColorName) color.NRGBA {
		return color.NRGBAModel.Convert(theme.ColorForWidget(n, g)).(color.NRGBA)
	}
	p.box(graphSide, p.width-graphSide, p.height-bandBottom, p.height-bandBottom+bandHeight, look.Track)
	if g.m.Clock().Over != state.PlayTrip {
		g.activity(p)
		return img
	}
	t := g.m.Current()
	if r := t.Shown(); r != nil {
		g.bars(p, r)
		g.decks(p, r)
	}
	g.inputs(p, t.Trajectory().Samples)
	return img
}

// inputs paints the input instants: as rings, or as ticks where these would run
// into one another.
func (g *graph) inputs(p *pen, samples []trajectory.Sample) {
	const leastApart = 3 * ringRadius // in the mean
	dense := float64(len(samples))*leastApart > p.width-2*graphSide
	for _, s := range samples {
		if dense {
			p.tick(p.x(s.Time))
		} else {
			p.input(p.x(s.Time))
		}
	}
}

// stretch is how wide a bar of the activity is, in pixels.
const stretch = 3

// activity paints how many of all trips are under way.
func (g *graph) activity(p *pen) {
	n := max(int((p.width-2*graphSide)/stretch), 1)
	counts := g.m.Fleet().Activity(n)
	most := slices.Max(counts)
	base := p.height - bandBottom - 2
	for i, c := range counts {
		if c > 0 {
			x := graphSide + float64(i)*stretch
			p.box(x, x+stretch, base-float64(c)/float64(most)*(base-4), base, look.Bars)
		}
	}
}

// bars paints speed or probability from tick to tick; where ticks stand closer than
// can be seen, their mean.
func (g *graph) bars(p *pen, r *trajectory.Recovery) {
	value := func(i int) (float64, bool) { return facts.SpeedAfter(r.Ticks, i) }
	if g.probability {
		places := facts.Places(r)
		value = func(i int) (float64, bool) { return float64(places[i].Road), true }
	}
	var steps []step
	for i := 0; i+1 < len(r.Ticks); i++ {
		if v, ok := value(i); ok {
			steps = append(steps, step{p.x(r.Ticks[i].Time), p.x(r.Ticks[i+1].Time), v})
		}
	}
	steps = merged(steps)
	top := 1.0
	if !g.probability {
		top = highest(steps)
	}
	base := p.height - bandBottom - 2
	for _, s := range steps {
		p.box(s.from, s.to, base-s.value/top*(base-barsTop), base, look.Bars)
	}
}

// decks paints the stretches on and below decks into the band at the bottom.
func (g *graph) decks(p *pen, r *trajectory.Recovery) {
	for i := 0; i+1 < len(r.Ticks); i++ {
		colour := look.Track
		switch r.Ticks[i].Deck {
		case trajectory.OnDeck:
			colour = look.Deck
		case trajectory.Below:
			colour = look.Below
		default:
			continue
		}
		p.box(p.x(r.Ticks[i].Time), p.x(r.Ticks[i+1].Time), p.height-bandBottom, p.height-bandBottom+bandHeight, colour)
	}
}
