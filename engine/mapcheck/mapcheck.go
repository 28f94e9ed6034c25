// Package mapcheck finds where many trips drove as the map says one cannot: roads that
// the map lacks, and one-way roads driven against. One trip may be wrong, its receiver
// too; what several trips say alike is worth a look at the map.
//
// Trips are taken one after another. Memory is bounded: by the places where trips leave
// the network, of which the first [mostRuns] are kept as lines.
package mapcheck

import (
	"cmp"
	"slices"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// Kind is what seems to be wrong with the map.
type Kind uint8

// The kinds.
const (
	MissingRoad   Kind = iota + 1 // a road, or a link between roads, that the map lacks
	AgainstOneWay                 // a one-way road that is driven against
)

// String is the word of output files.
func (k Kind) String() string {
	if k < MissingRoad || k > AgainstOneWay {
		return ""
	}
	return [...]string{"missing_road", "against_one_way"}[k-MissingRoad]
}

// Finding is one place where the map seems to be wrong.
type Finding struct {
	Kind   Kind
	Trips  int                // that say so
	Some   []string           // ids of the first of them
	Line   []roadnet.Point    // as one trip drove it, in driving order
	Length float64            // of Line, metres
	Road   *roadnet.SegmentID // that is driven against; nil: no road of the map
}

// DefaultTrips is how many trips must say the same, unless told.
const DefaultTrips = 3

// Some ids are named of each finding.
const namedTrips = 5

// Collector gathers what trips say. It is used by one goroutine at a time.
type Collector struct {
	net     *roadnet.Network
	least   int
	missing missing
	against against
}

// New begins to gather. So many trips must say the same, at least; 0: DefaultTrips.
func New(net *roadnet.Network, trips int) *Collector {
	if trips <= 0 {
		trips = DefaultTrips
	}
	return &Collector{net: net, least: trips, missing: newMissing(), against: newAgainst()}
}

// Add takes a trip, by its samples in order of time, and its recovery.
func (c *Collector) Add(samples []trajectory.Sample, rec *trajectory.Recovery) {
	c.missing.add(rec.Trajectory, offNetwork(c.net, samples, rec))
	c.against.add(c.net, rec.Trajectory, samples)
}

// Findings are what enough trips say, those of most trips first.
func (c *Collector) Findings() []Finding {
	all := append(c.missing.findings(c.least), c.against.findings(c.least)...)
	for i := range all {
		all[i].Some = slices.Sorted(slices.Values(all[i].Some)) // trips come in any order
	}
	slices.SortFunc(all, func(a, b Finding) int {
		p, q := a.Line[0], b.Line[0]
		return cmp.Or(cmp.Compare(b.Trips, a.Trips), cmp.Compare(b.Length, a.Length), cmp.Compare(p.Lon, q.Lon), cmp.Compare(p.Lat, q.Lat))
	})
	return all
}

// said is by whom something is said.
type said struct {
	trips int
	some  []string
	last  int // number of the trip that said so last, from 1
}

// add counts a trip once, whose number is from 1.
func (s *said) add(trip int, id string) {
	if s.last == trip {
		return
	}
	s.last = trip
	s.trips++
	if len(s.some) < namedTrips {
		s.some = append(s.some, id)
	}
}

func lengthOf(line []roadnet.Point) float64 {
	total := 0.0
	for i := 1; i < len(line); i++ {
		total += roadnet.Distance(line[i-1], line[i])
	}
	return total
}

func pointOf(s trajectory.Sample) roadnet.Point { return roadnet.Point{Lon: s.Lon, Lat: s.Lat} }
