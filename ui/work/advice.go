package work

import (
	"context"
	"slices"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
	"retrace/engine/trajectory/read"
)

// AdviceKind says what an advice is about.
type AdviceKind uint8

// The kinds of advice.
const (
	SwapAxes      AdviceKind = iota // longitude and latitude are the other way round
	OtherSystem                     // the coordinates are of another system
	ShiftedSystem                   // the points sit off the roads in one direction
)

// Advice is another way to read a file that fits better.
type Advice struct {
	Kind   AdviceKind
	Choice Choice
	Metres float64 // by which the points sit off the roads; of ShiftedSystem
}

const (
	adviceSamples = 500
	mostInside    = 0.5  // share of the points inside the network with which all is well
	onRoad        = 25.0 // metres from a road within which a point lies on it
	muchBetter    = 0.2  // share of the points by which another system must fit better
)

// advise looks for another way to read a file where its points cannot be read,
// lie outside the network, or off its roads.
func advise(ctx context.Context, path string, c Choice, g *Glance, net *roadnet.Network) []Advice {
	points := places(g.Trips)
	if share(points, net) > mostInside {
		return shifted(c, points, net)
	}
	var best *Advice
	most := share(points, net)
	try := func(kind AdviceKind, other Choice) {
		seen, err := look(ctx, path, other, Cleaning{}, net, adviceSamples)
		if err != nil {
			return
		}
		if s := share(places(seen.Trips), net); s > most+muchBetter {
			best, most = &Advice{Kind: kind, Choice: other}, s
		}
	}
	if d := swapped(g.Dialect); d != nil {
		other := c
		other.Dialect = d
		try(SwapAxes, other)
	}
	if crs, ok := otherSystem(ctx, path, c, g, net); ok {
		other := c
		other.CRS = crs
		if g.Failure != "" {
			other.Dialect = nil // no column held degrees
		}
		try(OtherSystem, other)
	}
	if best == nil {
		return nil
	}
	return []Advice{*best}
}

// otherSystem is a coordinate system that puts the points of a file inside a
// network; false where there is none. Without a network there is no telling: any
// place on earth fits some zone.
func otherSystem(ctx context.Context, path string, c Choice, g *Glance, net *roadnet.Network) (crs string, ok bool) {
	if net == nil {
		return "", false
	}
	if g.Failure != "" {
		c.Dialect = nil
	}
	opt, err := c.options(Cleaning{}, nil)
	if err != nil {
		return "", false
	}
	found := read.Suggest(ctx, path, opt, []read.Place{{Name: net.Info().Name, Bounds: net.Info().Bounds}})
	if found == nil || found.Swap || found.CRS == c.CRS {
		return "", false
	}
	return found.CRS, true
}

// swapped is a dialect with longitude and latitude the other way round; nil
// where it has none.
func swapped(d *read.Dialect) *read.Dialect {
	if d == nil {
		return nil
	}
	s := *d
	s.Columns = slices.Clone(d.Columns)
	found := 0
	for i, c := range d.Columns {
		switch c.Role {
		case read.Lon:
			s.Columns[i].Role = read.Lat
			found++
		case read.Lat:
			s.Columns[i].Role = read.Lon
			found++
		case read.Geometry:
			s.LatFirst = !s.LatFirst
			return &s
		}
	}
	if found != 2 {
		return nil
	}
	return &s
}

// shifted is advice where points of a Chinese place sit off the roads in one
// direction, as maps made there are shifted.
func shifted(c Choice, points []roadnet.Point, net *roadnet.Network) []Advice {
	if net == nil || c.CRS != "" {
		return nil
	}
	here := onRoads(points, net)
	best, most, off := "", here+muchBetter, 0.0
	for _, crs := range []string{"GCJ-02", "BD-09"} {
		moved, metres := transform(points, crs)
		if s := onRoads(moved, net); s > most {
			best, most, off = crs, s, metres
		}
	}
	if best == "" {
		return nil
	}
	c.CRS = best
	return []Advice{{Kind: ShiftedSystem, Choice: c, Metres: off}}
}

// transform takes points as those of another system, and says by how many
// metres they move in the mean.
func transform(points []roadnet.Point, crs string) ([]roadnet.Point, float64) {
	f, err := read.Transform(crs)
	if err != nil || len(points) == 0 {
		return points, 0
	}
	moved := make([]roadnet.Point, len(points))
	sum := 0.0
	for i, p := range points {
		moved[i].Lon, moved[i].Lat = f(p.Lon, p.Lat)
		sum += roadnet.Distance(p, moved[i])
	}
	return moved, sum / float64(len(points))
}

// places are some hundred points of trips, spread over all.
func places(trips []*trajectory.Trajectory) []roadnet.Point {
	const wanted = 300
	total := 0
	for _, t := range trips {
		total += len(t.Samples)
	}
	every := max(total/wanted, 1)
	var points []roadnet.Point
	n := 0
	for _, t := range trips {
		for _, s := range t.Samples {
			if n%every == 0 {
				points = append(points, roadnet.Point{Lon: s.Lon, Lat: s.Lat})
			}
			n++
		}
	}
	return points
}

// share is how many of the points lie inside a network; of no network, whether
// there are any.
func share(points []roadnet.Point, net *roadnet.Network) float64 {
	if len(points) == 0 {
		return 0
	}
	if net == nil {
		return 1
	}
	return shareOf(points, net.Info().Bounds.Contains)
}

// onRoads is how many of the points that lie inside a network lie on a road.
func onRoads(points []roadnet.Point, net *roadnet.Network) float64 {
	var inside []roadnet.Point
	for _, p := range points {
		if net.Info().Bounds.Contains(p) {
			inside = append(inside, p)
		}
	}
	var hits []roadnet.Hit
	return shareOf(inside, func(p roadnet.Point) bool {
		hits = net.Near(p, onRoad, hits[:0])
		return len(hits) > 0
	})
}

func shareOf(points []roadnet.Point, holds func(roadnet.Point) bool) float64 {
	if len(points) == 0 {
		return 0
	}
	n := 0
	for _, p := range points {
		if holds(p) {
			n++
		}
	}
	return float64(n) / float64(len(points))
}
