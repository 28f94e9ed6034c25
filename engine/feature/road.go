package feature

import (
	"math"

	"retrace/engine/roadnet"
)

// roadColumns are the static features f_r of a segment: the paper's eleven
// (level, length, in- and out-degree) and what else the map tells of it.
func roadColumns() []Column {
	classes := make([]string, roadnet.NumClasses)
	for i := range classes {
		classes[i] = roadnet.Class(i).String()
	}
	cols := oneHot("class_", Tags, classes...)
	cols = append(cols,
		scaled("length", "ln(1 + m/100)", Geometry, 0, 6),
		scaled("in_degree", "segments/4", Geometry, 0, 2),
		scaled("out_degree", "segments/4", Geometry, 0, 2),
		flag("dead_end", Geometry),
		flag("one_way", Geometry),
		scaled("detour", "length/chord - 1", Geometry, 0, 2),
		scaled("lanes", "lanes/4", Tags, 0, 2),
		Column{Name: "lanes_unknown", Unit: "0 or 1", Group: Tags, Max: 1, Unknown: 1},
		scaled("limit", "km/h / 100", Tags, 0, 1.6),
		Column{Name: "limit_unknown", Unit: "0 or 1", Group: Tags, Max: 1, Unknown: 1},
		flag("link", Tags), flag("roundabout", Tags),
		flag("bridge", Tags), flag("tunnel", Tags),
		scaled("layer", "layer/2", Tags, -2.5, 2.5),
		flag("elevated", Tags),
		scaled("above_share", "share of the length above a lower road", Tags, 0, 1),
		scaled("below_share", "share of the length below a deck", Tags, 0, 1),
		flag("private", Tags), flag("destination", Tags),
		flag("parking_aisle", Tags), flag("driveway", Tags), flag("alley", Tags),
		flag("living_street", Tags), flag("unpaved", Tags), flag("toll", Tags),
	)
	return append(cols, controlColumns()...)
}

// controlColumns are what holds traffic up: on a stretch between its ends, and
// at its end.
func controlColumns() []Column {
	names := []string{"signals", "stops", "give_ways", "crossings", "bus_stops", "calmings", "toll_booths"}
	cols := make([]Column, 0, 2*len(names))
	for _, name := range names {
		cols = append(cols, scaled(name+"_on", "number/4", Controls, 0, 2))
	}
	for _, name := range names {
		cols = append(cols, scaled(name+"_at_end", "number/4", Controls, 0, 2))
	}
	return cols
}

// Roads are the static features of every segment of a network.
type Roads struct {
	Segments, Columns int
	Values            []float32 // [Segments][Columns]
}

// NewRoads makes the static features f_r of every segment.
func NewRoads(net *roadnet.Network) *Roads {
	r := &Roads{Segments: net.NumSegments(), Columns: len(roadColumns())}
	r.Values = make([]float32, r.Segments*r.Columns)
	for id := range r.Segments {
		fillRoad(net, roadnet.SegmentID(id), row{r.Values[id*r.Columns : (id+1)*r.Columns]})
	}
	return r
}

// row is filled from the left, column by column.
type row struct{ rest []float32 }

func (r *row) put(values ...float32) {
	copy(r.rest, values)
	r.rest = r.rest[len(values):]
}

// hot sets column i of the next n.
func (r *row) hot(i, n int) {
	clear(r.rest[:n])
	r.rest[i] = 1
	r.rest = r.rest[n:]
}

func fillRoad(net *roadnet.Network, id roadnet.SegmentID, r row) {
	s := net.Segment(id)
	r.hot(int(s.Class), roadnet.NumClasses)
	r.put(
		clamp(math.Log1p(s.Length/100), 0, 6),
		clamp(float64(len(net.Prev(id)))/4, 0, 2),
		clamp(float64(len(net.Next(id)))/4, 0, 2),
		bit(net.DeadEnd(id)),
		bit(s.OneWay),
		clamp(detour(net, s), 0, 2),
		clamp(float64(s.Lanes)/4, 0, 2), bit(s.Lanes == 0),
	)
	limit, known := limitOf(s.Limit)
	r.put(clamp(limit/100, 0, 1.6), bit(!known))
	r.put(flagBits(s.Flags, roadnet.FlagLink, roadnet.FlagRoundabout, roadnet.FlagBridge, roadnet.FlagTunnel)...)
	r.put(
		clamp(float64(s.Layer)/2, -2.5, 2.5),
		bit(s.Flags.Has(roadnet.FlagElevated)),
		share(net.Ambiguous(id), s.Length),
		share(net.BelowDeck(id), s.Length),
	)
	r.put(flagBits(s.Flags, roadnet.FlagPrivate, roadnet.FlagDestination, roadnet.FlagParkingAisle,
		roadnet.FlagDriveway, roadnet.FlagAlley, roadnet.FlagLivingStreet, roadnet.FlagUnpaved, roadnet.FlagToll)...)
	on, atEnd := net.ControlCounts(id)
	putControls(&r, on)
	putControls(&r, atEnd)
}

func putControls(r *row, c roadnet.Controls) {
	for _, n := range [...]uint16{c.Signals, c.Stops, c.GiveWays, c.Crossings, c.BusStops, c.Calmings, c.TollBooths} {
		r.put(clamp(float64(n)/4, 0, 2))
	}
}

func flagBits(f roadnet.Flags, which ...roadnet.Flags) []float32 {
	out := make([]float32, len(which))
	for i, w := range which {
		out[i] = bit(f.Has(w))
	}
	return out
}

// limitOf is a speed limit in km/h. No limit is a known one, beyond all others.
func limitOf(limit uint8) (kmh float64, known bool) {
	switch limit {
	case roadnet.LimitUnknown:
		return 0, false
	case roadnet.LimitNone:
		return 160, true
	}
	return float64(limit), true
}

// detour is how much longer a segment is than the straight way between its
// ends. A ring, which ends where it began, counts as the most.
func detour(net *roadnet.Network, s roadnet.Segment) float64 {
	chord := metresBetween(net.At(roadnet.Position{Segment: s.ID}), net.At(roadnet.Position{Segment: s.ID, Ratio: 1}))
	if chord < 1 {
		return 2
	}
	return max(0, s.Length/chord-1)
}

// share of a segment's length that the stretches cover; they do not overlap
// but for roads stacked more than twice, so the sum is cut at 1.
func share(stretches []roadnet.Stretch, length float64) float32 {
	sum := 0.0
	for _, s := range stretches {
		sum += s.To - s.From
	}
	return clamp(sum/length, 0, 1)
}
