package report

import (
	"fmt"
	"math"
	"strings"
	"time"

	"retrace/engine/trajectory"
	"retrace/engine/trajectory/facts"
)

// The size of a curve and where in it the curve itself lies, in its own units.
const (
	curveWidth, curveHeight           = 920, 170
	curveLeft, curveRight, curveFloor = 44, 912, 138
	curveTop                          = 12
)

// curve is a value over the time of a trip.
type curve struct {
	Title, Unit                  string
	Lines                        []string // points of each unbroken line, as SVG has them
	Bands                        []band
	Marks                        []float64 // where reported points lie
	Levels                       []tick    // values at the side
	Times                        []tick    // times below
	Left, Right, LabelRight      int
	Top, Floor, Span, MarkBottom int
	Width, Height, TextBottom    int
}

// band is a stretch of time that is shaded.
type band struct {
	X, Width float64
	Class    string // of the style
	Title    string
}

// tick is a label on an axis.
type tick struct {
	At    float64
	Label string
}

// curves are the speed and the probability of a trip over time.
func (w words) curves(r *trajectory.Recovery) []curve {
	if len(r.Ticks) < 2 || r.Ticks[len(r.Ticks)-1].Time <= r.Ticks[0].Time {
		return nil
	}
	fastest := 0.0
	for i := range r.Ticks {
		if v, ok := facts.SpeedAfter(r.Ticks, i); ok {
			fastest = max(fastest, v*3.6)
		}
	}
	step := roundStep(fastest)
	c := axes{ticks: r.Ticks, top: max(step, math.Ceil(fastest/step)*step)}
	speed := c.curve(w, r, w.say("Speed"), "km/h", step)
	speed.Lines = c.lines(func(i int) (float64, bool) { v, ok := facts.SpeedAfter(r.Ticks, i); return v * 3.6, ok }, true)
	c.top = 1
	places := facts.Places(r)
	probability := c.curve(w, r, w.say("Probability of the way"), "", 0.25)
	probability.Lines = c.lines(func(i int) (float64, bool) { return float64(places[i].Road), true }, false)
	return []curve{speed, probability}
}

// roundStep is a round distance between levels, for about four of them.
func roundStep(top float64) float64 {
	for _, step := range []float64{5, 10, 20, 25, 50, 100, 250, 500, 1000} {
		if top/step <= 4.5 {
			return step
		}
	}
	return math.Pow(10, math.Ceil(math.Log10(top/4)))
}

// axes put instants and values into a curve.
type axes struct {
	ticks []trajectory.Tick
	top   float64 // the value at the top; 0 is at the bottom
}

func (a axes) x(ms int64) float64 {
	first, last := a.ticks[0].Time, a.ticks[len(a.ticks)-1].Time
	return curveLeft + (curveRight-curveLeft)*min(1, max(0, float64(ms-first)/float64(last-first)))
}

func (a axes) y(v float64) float64 {
	return curveFloor - (curveFloor-curveTop)*min(1, max(0, v/a.top))
}

// digitsOf is how many digits the levels of a curve need that lie a step apart.
func digitsOf(step float64) int {
	digits := 0
	for ; digits < 3 && math.Abs(step-math.Round(step)) > 1e-9; digits++ {
		step *= 10
	}
	return digits
}

// curve is all of a curve but its lines.
func (a axes) curve(w words, r *trajectory.Recovery, title, unit string, step float64) curve {
	c := curve{Title: title, Unit: unit, Left: curveLeft, Right: curveRight, LabelRight: curveLeft - 6, Top: curveTop, Floor: curveFloor,
		Span: curveFloor - curveTop, MarkBottom: curveFloor + 7, Width: curveWidth, Height: curveHeight, TextBottom: curveHeight - 8}
	for v := 0.0; v <= a.top+step/10; v += step {
		c.Levels = append(c.Levels, tick{round1(a.y(v)), w.figures.Fraction(v, digitsOf(step))})
	}
	for _, s := range r.Spans {
		if s.Kind == trajectory.Ground {
			continue
		}
		x := a.x(s.Enter)
		c.Bands = append(c.Bands, band{X: round1(x), Width: round1(max(1, a.x(s.Exit)-x)), Class: s.Kind.String(), Title: w.say(s.Road) + ", " + w.deck(s.Kind)})
	}
	last := math.Inf(-1)
	for _, k := range a.ticks {
		if x := round1(a.x(k.Time)); k.Observed && x-last >= 1 {
			c.Marks, last = append(c.Marks, x), x
		}
	}
	c.Times = a.times(w)
	return c
}

// times are round instants below a curve.
func (a axes) times(w words) []tick {
	first, last := a.ticks[0].Time, a.ticks[len(a.ticks)-1].Time
	step := 24 * time.Hour
	for _, s := range []time.Duration{10 * time.Second, 30 * time.Second, time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute,
		30 * time.Minute, time.Hour, 3 * time.Hour, 6 * time.Hour, 12 * time.Hour} {
		if time.Duration(last-first)*time.Millisecond/s <= 8 {
			step = s
			break
		}
	}
	for (last-first)/step.Milliseconds() > 12 {
		step *= 2
	}
	layout := "15:04"
	switch {
	case step < time.Minute:
		layout = time.TimeOnly
	case step >= 24*time.Hour:
		layout = time.DateOnly
	}
	ms := step.Milliseconds()
	var list []tick
	for at := (first + ms - 1) / ms * ms; at <= last; at += ms {
		list = append(list, tick{round1(a.x(at)), w.instant(at, layout)})
	}
	return list
}

// lines are the unbroken lines of values, with no more points than can be seen.
// A held value holds from its tick to the next.
func (a axes) lines(value func(i int) (float64, bool), held bool) []string {
	var all []string
	l := &line{}
	for i, k := range a.ticks {
		v, ok := value(i)
		if i > 0 && k.Part != a.ticks[i-1].Part || !ok {
			all = l.end(all)
		}
		if !ok {
			continue
		}
		l.add(a.x(k.Time), a.y(v))
		if held {
			l.add(a.x(a.ticks[i+1].Time), a.y(v))
		}
	}
	return l.end(all)
}

// line gathers the points of a line. Of those in one column it keeps the first,
// the highest, the lowest and the last.
type line struct {
	text                strings.Builder
	column              int
	n                   int
	x                   float64
	low, high, lastSeen float64
}

func (l *line) add(x, y float64) {
	if column := int(x * 2); l.n > 0 && column == l.column {
		l.low, l.high, l.lastSeen, l.x = min(l.low, y), max(l.high, y), y, x
		l.n++
		return
	}
	l.flush()
	l.column, l.n = int(x*2), 1
	l.low, l.high, l.lastSeen, l.x = y, y, y, x
	l.point(x, y)
}

// flush writes what the column holds besides its first point.
func (l *line) flush() {
	if l.n < 2 {
		return
	}
	if l.low != l.high {
		l.point(l.x, l.low)
		l.point(l.x, l.high)
	}
	l.point(l.x, l.lastSeen)
}

func (l *line) point(x, y float64) { fmt.Fprintf(&l.text, "%g,%g ", round1(x), round1(y)) }

// end ends a line, if one was begun.
func (l *line) end(all []string) []string {
	l.flush()
	if l.text.Len() > 0 {
		all = append(all, strings.TrimSpace(l.text.String()))
	}
	*l = line{}
	return all
}

func round1(v float64) float64 { return math.Round(v*10) / 10 }
