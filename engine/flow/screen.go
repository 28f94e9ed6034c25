package flow

import (
	"context"
	"math"
	"slices"
	"sort"
	"time"

	"retrace/engine/roadnet"
)

// Screen is a line, or the border of an area, drawn over the roads.
type Screen struct {
	Line []roadnet.Point // an area's last point is joined to its first
	Area bool
}

// Crossing is one trip passing the line once.
type Crossing struct {
	Trip        string
	At          int64 // Unix milliseconds; 0: not known
	Segment     roadnet.SegmentID
	LeftToRight bool // of the line as it was drawn; of an area: out of it
}

// Crossed is who crossed a screen.
type Crossed struct {
	Trips     []string // that crossed it; of an area also those that drove within it
	Crossings []Crossing
}

// Hours counts the crossings by hour of the day in a zone: first those from
// left to right, or out of the area, then the others. Those at no known time
// are left out.
func (c Crossed) Hours(zone *time.Location) [24][2]int {
	dial := newDial(When{Zone: zone})
	var hours [24][2]int
	for _, k := range c.Crossings {
		if k.At == 0 {
			continue
		}
		way := 1
		if k.LeftToRight {
			way = 0
		}
		hours[dial.hour(k.At/1000)][way]++
	}
	return hours
}

// cut is a place where a screen crosses a segment.
type cut struct {
	ratio       float64
	leftToRight bool // driving along the segment
}

// Cross finds who crossed a screen. It looks at the segments near the screen and
// at the trips on them, tells how many of those are done, and ends early when
// ctx does.
func (x *Index) Cross(ctx context.Context, s Screen, ask Ask, progress func(done, total int)) (Crossed, error) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	if s.Area {
		s.Line = counterclockwise(s.Line)
	}
	cuts, near := x.cuts(s)
	c := crosser{x: x, screen: s, cuts: cuts, near: near, dial: newDial(ask.When), ask: ask, walker: walker{net: x.net}}
	numbers := x.numbersOn(near, Ask{Trips: ask.Trips})
	for i, n := range numbers {
		if i%64 == 0 {
			if ctx.Err() != nil {
				return Crossed{}, ctx.Err()
			}
			if progress != nil {
				progress(i, len(numbers))
			}
		}
		c.look(n)
	}
	return Crossed{Trips: x.ids(c.trips), Crossings: c.crossings}, nil
}

// crosser looks at one trip after the other.
type crosser struct {
	x         *Index
	screen    Screen
	cuts      map[roadnet.SegmentID][]cut
	near      []roadnet.SegmentID // rising
	ask       Ask
	dial      *dial
	walker    walker
	trips     []int32
	crossings []Crossing
}

func (c *crosser) look(number int32) {
	e := c.x.entries[number]
	found := false
	c.walker.walk(e.whole(), func(d drive) {
		if _, near := slices.BinarySearch(c.near, d.segment); !near {
			return
		}
		for _, k := range c.cuts[d.segment] {
			if cross, ok := c.crossing(d, k); ok {
				cross.Trip = e.ID
				c.crossings = append(c.crossings, cross)
				found = true
			}
		}
		found = found || c.screen.Area && c.within(d)
	})
	if found {
		c.trips = append(c.trips, number)
	}
}

// crossing is what a drive makes of a cut; false where it does not come there,
// or not at a time that counts.
func (c *crosser) crossing(d drive, k cut) (Crossing, bool) {
	low, high := min(d.from, d.to), max(d.from, d.to)
	if k.ratio < low || k.ratio > high || k.ratio == high && high < 1 {
		return Crossing{}, false
	}
	cross := Crossing{Segment: d.segment, LeftToRight: k.leftToRight == (d.from <= d.to)}
	at, ok := d.at(k.ratio)
	if ok {
		cross.At = int64(math.Round(at * 1000))
	}
	return cross, c.timely(at, ok)
}

// within reports whether a drive begins within the area, at a time that counts.
func (c *crosser) within(d drive) bool {
	at, ok := d.at(d.from)
	return c.timely(at, ok) && inside(c.screen.Line, c.x.net.At(roadnet.Position{Segment: d.segment, Ratio: d.from}))
}

func (c *crosser) timely(at float64, known bool) bool {
	return c.ask.When.Always() || known && c.dial.counts(int64(math.Floor(at)))
}

// cuts are where a screen crosses segments, and the segments it is about, rising:
// those that it crosses and, of an area, those within.
func (x *Index) cuts(s Screen) (map[roadnet.SegmentID][]cut, []roadnet.SegmentID) {
	cuts := map[roadnet.SegmentID][]cut{}
	var near []roadnet.SegmentID
	if len(s.Line) < 2 || s.Area && len(s.Line) < 3 {
		return cuts, nil
	}
	var points []roadnet.Point
	x.net.Lines(boundsOf(s.Line), func(l roadnet.LineID) bool {
		forward, backward, hasForward, hasBackward := x.net.LineSegments(l)
		for _, side := range [...]struct {
			id roadnet.SegmentID
			ok bool
		}{{forward, hasForward}, {backward, hasBackward}} {
			if !side.ok || x.trips(side.id) == 0 {
				continue
			}
			points = x.net.Geometry(side.id, points[:0])
			found := s.cut(points)
			if len(found) > 0 {
				cuts[side.id] = found
			}
			if len(found) > 0 || s.Area && inside(s.Line, points[0]) {
				near = append(near, side.id)
			}
		}
		return true
	})
	slices.Sort(near)
	return cuts, near
}

// cut finds where a screen crosses a way of points, as ratios of its length. A
// crossing in a corner, of the way or of the screen, counts once.
func (s Screen) cut(points []roadnet.Point) []cut {
	var found []cut
	total := 0.0
	for i := 1; i < len(points); i++ {
		p, q := points[i-1], points[i]
		length := roadnet.Distance(p, q)
		s.edges(func(a, b roadnet.Point) {
			if side(a, b, p) != side(a, b, q) && side(p, q, a) != side(p, q, b) {
				t := share(p, q, a, b)
				found = append(found, cut{ratio: total + t*length, leftToRight: side(a, b, p)})
			}
		})
		total += length
	}
	for i := range found {
		found[i].ratio = min(max(found[i].ratio/total, 0), 1)
	}
	sort.SliceStable(found, func(i, j int) bool { return found[i].ratio < found[j].ratio })
	return found
}

// edges visits the edges of a screen.
func (s Screen) edges(visit func(a, b roadnet.Point)) {
	for i := 1; i < len(s.Line); i++ {
		visit(s.Line[i-1], s.Line[i])
	}
	if n := len(s.Line); s.Area && n > 2 {
		visit(s.Line[n-1], s.Line[0])
	}
}

// side reports whether p lies left of the line from a to b, or on it.
func side(a, b, p roadnet.Point) bool {
	return (b.Lon-a.Lon)*(p.Lat-a.Lat)-(b.Lat-a.Lat)*(p.Lon-a.Lon) >= 0
}

// share is how far from p to q the line through a and b is met, 0 to 1.
func share(p, q, a, b roadnet.Point) float64 {
	dx, dy := b.Lon-a.Lon, b.Lat-a.Lat
	across := (q.Lon-p.Lon)*dy - (q.Lat-p.Lat)*dx
	if across == 0 {
		return 0
	}
	return min(max(((a.Lon-p.Lon)*dy-(a.Lat-p.Lat)*dx)/across, 0), 1)
}

// inside reports whether a point lies within a closed line.
func inside(line []roadnet.Point, p roadnet.Point) bool {
	in := false
	Screen{Line: line, Area: true}.edges(func(a, b roadnet.Point) {
		if (a.Lat > p.Lat) != (b.Lat > p.Lat) && p.Lon < a.Lon+(b.Lon-a.Lon)*(p.Lat-a.Lat)/(b.Lat-a.Lat) {
			in = !in
		}
	})
	return in
}

// counterclockwise is a closed line with the area on its left.
func counterclockwise(line []roadnet.Point) []roadnet.Point {
	twice := 0.0
	Screen{Line: line, Area: true}.edges(func(a, b roadnet.Point) { twice += a.Lon*b.Lat - b.Lon*a.Lat })
	if twice >= 0 {
		return line
	}
	turned := slices.Clone(line)
	slices.Reverse(turned)
	return turned
}

func boundsOf(points []roadnet.Point) roadnet.Bounds {
	b := roadnet.Bounds{MinLon: points[0].Lon, MaxLon: points[0].Lon, MinLat: points[0].Lat, MaxLat: points[0].Lat}
	for _, p := range points[1:] {
		b.MinLon, b.MaxLon = min(b.MinLon, p.Lon), max(b.MaxLon, p.Lon)
		b.MinLat, b.MaxLat = min(b.MinLat, p.Lat), max(b.MaxLat, p.Lat)
	}
	return b
}
