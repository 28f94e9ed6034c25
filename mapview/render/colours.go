package render

import (
	"image/color"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// HollowBelow is the probability of its road under which a recovered point is drawn
// hollow.
const HollowBelow = 0.6

// probabilityColour is the fill of a recovered point.
func probabilityColour(p float32) color.NRGBA {
	return cividis(float64(p-HollowBelow) / (1 - HollowBelow))
}

// colourer gives the colour of a path between two ticks.
type colourer struct {
	by     ColourBy
	theme  *Theme
	net    *roadnet.Network
	t      *track
	first  int64 // of the trip, Unix milliseconds
	length float64

	slow, fast float64 // ends of the scale of speeds, km/h
}

func newColourer(v *tripView, ts *Tracks, t *track) colourer {
	c := colourer{by: v.colourBy, theme: v.theme, net: ts.net, t: t}
	if c.by == BySpeed {
		c.slow, c.fast = ts.speedRange(false)
	}
	if ticks := t.Recovery.Ticks; len(ticks) > 0 {
		c.first = ticks[0].Time
		c.length = float64(ticks[len(ticks)-1].Time - c.first)
	}
	return c
}

// between is the colour of the path from one tick to the next, by their numbers.
func (c *colourer) between(i, next int) color.NRGBA {
	a, b := c.t.Recovery.Ticks[i], c.t.Recovery.Ticks[next]
	switch c.by {
	case ByProbability:
		return c.shift(probabilityColour(min(c.t.sure[i].Road, c.t.sure[next].Road)))
	case BySpeed:
		return c.shift(cividis((speedOf(a, b) - c.slow) / (c.fast - c.slow)))
	case ByTime:
		if c.length == 0 {
			return c.shift(cividis(0))
		}
		return c.shift(cividis(float64((a.Time+b.Time)/2-c.first) / c.length))
	case ByClass:
		if c.net != nil && int(b.At.Segment) < c.net.NumSegments() {
			return classColour(lookOf(c.net.Class(b.At.Segment), c.net.Flags(b.At.Segment)))
		}
	}
	return c.theme.Path
}

// shift lightens what would drown in a dark map.
func (c *colourer) shift(col color.NRGBA) color.NRGBA {
	if c.theme.dark() {
		return blend(col, rgb(0xFFFFFF), 0.22)
	}
	return col
}

// speedOf is the mean speed between two ticks of one part in km/h.
func speedOf(a, b trajectory.Tick) float64 {
	if b.Time <= a.Time {
		return 0
	}
	return (b.Along - a.Along) / float64(b.Time-a.Time) * 3600
}

// classColour is the colour of a road's class, of the Okabe-Ito set.
func classColour(l roadLook) color.NRGBA {
	switch l {
	case lookMotorway, lookTrunk, lookTrunkLink:
		return rgb(0xD55E00)
	case lookPrimary:
		return rgb(0xE69F00)
	case lookSecondary:
		return rgb(0xCC79A7)
	case lookTertiary:
		return rgb(0x009E73)
	case lookService:
		return rgb(0x7A7A7A)
	}
	return rgb(0x0072B2)
}
