package strip

import (
	"image"
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"retrace/engine/trajectory"
	"retrace/engine/trajectory/facts"
	"retrace/ui/look"
	"retrace/ui/state"
)

// graph shows speed or probability over the current trip, its input instants
// and elevated stretches, and where the clock stands. A click or a drag moves
// the clock.
type graph struct {
	widget.BaseWidget
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
	t := g.m.Current()
	g.line.Hidden, g.knob.Hidden = t == nil, t == nil
	if t == nil {
		canvas.Refresh(g.line)
		canvas.Refresh(g.knob)
		return
	}
	x := graphSide + float32(shareOf(t, g.m.Clock().At))*(g.Size().Width-2*graphSide)
	y := g.Size().Height - bandBottom + bandHeight/2
	g.line.Position1, g.line.Position2 = fyne.NewPos(x, 3), fyne.NewPos(x, y)
	g.knob.Resize(fyne.NewSize(2*knobRadius, 2*knobRadius))
	g.knob.Move(fyne.NewPos(x-knobRadius, y-knobRadius))
	canvas.Refresh(g.line)
	canvas.Refresh(g.knob)
}

// shareOf is where an instant lies in a trip, 0 to 1.
func shareOf(t *state.Trip, at int64) float64 {
	if t.Facts.End == t.Facts.Start {
		return 0
	}
	return float64(at-t.Facts.Start) / float64(t.Facts.End-t.Facts.Start)
}

// Tapped implements fyne.Tappable.
func (g *graph) Tapped(e *fyne.PointEvent) { g.scrub(e.Position.X) }

// Dragged implements fyne.Draggable.
func (g *graph) Dragged(e *fyne.DragEvent) { g.scrub(e.Position.X) }

// DragEnd implements fyne.Draggable.
func (g *graph) DragEnd() {}

// Cursor implements desktop.Cursorable.
func (g *graph) Cursor() desktop.Cursor { return desktop.DefaultCursor }

func (g *graph) scrub(x float32) {
	t := g.m.Current()
	if t == nil || g.Size().Width <= 2*graphSide {
		return
	}
	share := min(max((x-graphSide)/(g.Size().Width-2*graphSide), 0), 1)
	g.m.Play(false)
	g.m.SetTime(t.Facts.Start + int64(float64(share)*float64(t.Facts.End-t.Facts.Start)))
}

// CreateRenderer implements fyne.Widget.
func (g *graph) CreateRenderer() fyne.WidgetRenderer {
	r := &graphRenderer{g}
	r.recolour()
	return r
}

type graphRenderer struct{ g *graph }

func (r *graphRenderer) recolour() {
	chosen := theme.ColorForWidget(look.Chosen, r.g)
	r.g.line.StrokeColor = chosen
	r.g.knob.FillColor = chosen
	r.g.knob.StrokeColor = theme.ColorForWidget(look.InputRing, r.g)
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
	t := g.m.Current()
	if t == nil || g.Size().Width <= 2*graphSide || w == 0 {
		return img
	}
	p := &pen{img: img, scale: float64(w) / float64(g.Size().Width), width: float64(g.Size().Width), height: float64(g.Size().Height)}
	p.colour = func(n fyne.ThemeColorName) color.NRGBA {
		return color.NRGBAModel.Convert(theme.ColorForWidget(n, g)).(color.NRGBA)
	}
	p.box(graphSide, p.width-graphSide, p.height-bandBottom, p.height-bandBottom+bandHeight, look.Track)
	if r := t.Shown(); r != nil {
		g.bars(p, t, r)
		g.decks(p, t, r)
	}
	for _, s := range t.Trajectory.Samples {
		p.input(graphSide + shareOf(t, s.Time)*(p.width-2*graphSide))
	}
	return img
}

// bars paints speed or probability from tick to tick.
func (g *graph) bars(p *pen, t *state.Trip, r *trajectory.Recovery) {
	top := 0.0
	for i := range r.Ticks {
		if v, ok := facts.SpeedAfter(r.Ticks, i); ok {
			top = max(top, v)
		}
	}
	base := p.height - bandBottom - 2
	for i := 0; i+1 < len(r.Ticks); i++ {
		v, ok := facts.SpeedAfter(r.Ticks, i)
		if g.probability {
			v, ok = float64(r.Ticks[i].Probability), true
		} else if top > 0 {
			v /= top
		}
		if ok {
			p.box(p.x(t, r.Ticks[i].Time), p.x(t, r.Ticks[i+1].Time), base-v*(base-barsTop), base, look.Bars)
		}
	}
}

// decks paints the stretches on and below decks into the band at the bottom.
func (g *graph) decks(p *pen, t *state.Trip, r *trajectory.Recovery) {
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
		p.box(p.x(t, r.Ticks[i].Time), p.x(t, r.Ticks[i+1].Time), p.height-bandBottom, p.height-bandBottom+bandHeight, colour)
	}
}
