package simulate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sort"
	"time"

	"retrace/engine/roadnet"
)

// world is what all trips over a network share; it is not changed by them.
type world struct {
	net     *roadnet.Network
	options Options
	profile *Profile
	zone    *time.Location
	weights []float64 // running sum over segments: how likely a trip starts on each
	x, y    []float32 // of each segment's end, metres from the middle of the network
	canyon  []float32 // of each line: 0 in the open to 1 between houses
	busy    busyness
	cost    []float32 // of each segment, seconds without traffic
	sets    []float32 // in which direction each segment sets out, degrees
	arrives []float32 // and arrives
}

func newWorld(net *roadnet.Network, o Options) (*world, error) {
	w := &world{net: net, options: o, profile: o.Profile}
	var err error
	if w.zone, err = zone(net.Info().TimeZone); err != nil {
		return nil, err
	}
	w.placeEnds()
	w.findCanyons()
	w.busy = newBusyness(w)
	w.weigh()
	if n := len(w.weights); n == 0 || w.weights[n-1] == 0 {
		return nil, fmt.Errorf("network %q has no roads that can be reached and left again: no trip can be simulated", net.Info().Name)
	}
	return w, nil
}

// zone is the time zone of a network: UTC where none is stated.
func zone(name string) (*time.Location, error) {
	if name == "" {
		return time.UTC, nil
	}
	l, err := time.LoadLocation(name)
	if err != nil {
		return nil, fmt.Errorf("time zone %q of the network: %w", name, err)
	}
	return l, nil
}

// placeEnds measures where segments end and what they cost.
func (w *world) placeEnds() {
	n := w.net.NumSegments()
	w.x, w.y, w.cost = make([]float32, n), make([]float32, n), make([]float32, n)
	w.sets, w.arrives = make([]float32, n), make([]float32, n)
	for id := range roadnet.SegmentID(n) {
		x, y := w.local(w.net.At(roadnet.Position{Segment: id, Ratio: 1}))
		w.x[id], w.y[id] = float32(x), float32(y)
		speed := w.net.FreeFlow(id) * w.profile.ClassSpeed[w.net.Class(id)]
		w.cost[id] = float32(w.net.Length(id) / speed)
		seg := w.net.Segment(id)
		w.sets[id], w.arrives[id] = float32(seg.StartHeading), float32(seg.EndHeading)
	}
}

// turn is how far the way turns from one segment to the next, 0 to 180 degrees.
func (w *world) turn(from, to roadnet.SegmentID) float32 {
	d := w.sets[to] - w.arrives[from]
	if d < 0 {
		d = -d
	}
	if d > 180 {
		d = 360 - d
	}
	return d
}

// local is a point in metres east and north of the middle of the network.
func (w *world) local(p roadnet.Point) (x, y float64) {
	c := w.net.Info().Bounds.Center()
	return (p.Lon - c.Lon) * roadnet.Degree * math.Cos(c.Lat*math.Pi/180), (p.Lat - c.Lat) * roadnet.Degree
}

// weigh says how likely trips start on each segment: by length, most in the
// busiest quarters, nowhere that cannot be reached and left.
func (w *world) weigh() {
	sum := 0.0
	for id := range roadnet.SegmentID(w.net.NumSegments()) {
		sum += w.net.Length(id) * w.appeal(id) * w.busy.at(float64(w.x[id]), float64(w.y[id]))
		w.weights = append(w.weights, sum)
	}
}

// mainComponent is the component with the most segments.
const mainComponent = 0

// appeal is how much each metre of a segment draws trips, set beside others
// around it.
func (w *world) appeal(id roadnet.SegmentID) float64 {
	f := w.net.Flags(id)
	switch c := w.net.Class(id); {
	case w.net.Component(id) != mainComponent:
		return 0
	case f.Has(roadnet.FlagTunnel) || f.Has(roadnet.FlagElevated) || f.Has(roadnet.FlagLink) || f.Has(roadnet.FlagRoundabout):
		return 0
	case f.Has(roadnet.FlagPrivate):
		return 0.1
	case c == roadnet.Motorway || c == roadnet.Trunk:
		return 0
	case c == roadnet.Primary || c == roadnet.Secondary:
		return 3
	case c == roadnet.Tertiary:
		return 2
	case c == roadnet.Service:
		return 0.5
	}
	return 1
}

// place draws a position where a trip may start or end.
func (w *world) place(rng *rand.Rand) roadnet.Position {
	x := rng.Float64() * w.weights[len(w.weights)-1]
	i := sort.SearchFloat64s(w.weights, x)
	for i+1 < len(w.weights) && w.weights[i] <= x {
		i++
	}
	return roadnet.Position{Segment: roadnet.SegmentID(i), Ratio: 0.05 + 0.9*rng.Float64()}
}

// placeNear draws a position near a place in metres from the middle of the
// network; false where no road is near, and often where it is not busy.
func (w *world) placeNear(rng *rand.Rand, x, y float64) (roadnet.Position, bool) {
	if rng.Float64() > 0.02+w.busy.at(x, y) {
		return roadnet.Position{}, false
	}
	hits := w.net.Near(w.global(x, y), 250, nil)
	weights := make([]float64, len(hits))
	sum := 0.0
	for i, h := range hits {
		weights[i] = w.appeal(h.Segment)
		sum += weights[i]
	}
	if sum == 0 {
		return roadnet.Position{}, false
	}
	p := hits[pick(rng, weights)].Position
	p.Ratio = 0.05 + 0.9*rng.Float64()
	return p, true
}

// global is the point so many metres east and north of the middle of the network.
func (w *world) global(x, y float64) roadnet.Point {
	c := w.net.Info().Bounds.Center()
	return roadnet.Point{Lon: c.Lon + x/(roadnet.Degree*math.Cos(c.Lat*math.Pi/180)), Lat: c.Lat + y/roadnet.Degree}
}

// findCanyons takes streets with many others around for streets between houses.
func (w *world) findCanyons() {
	w.canyon = make([]float32, w.net.NumLines())
	const reach = 0.0011 // degrees, about 120 m
	for l := range w.canyon {
		b := w.net.LineBounds(roadnet.LineID(l))
		c := b.Center()
		wide := reach / math.Cos(c.Lat*math.Pi/180)
		count := 0
		w.net.Lines(roadnet.Bounds{MinLon: c.Lon - wide, MinLat: c.Lat - reach, MaxLon: c.Lon + wide, MaxLat: c.Lat + reach},
			func(roadnet.LineID) bool { count++; return count < 60 })
		w.canyon[l] = float32(math.Min(1, math.Max(0, float64(count-12)/28)))
	}
}
