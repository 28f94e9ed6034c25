package main

import (
	"math"
	"sync"
	"time"

	"retrace/engine/metrics"
	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// sights is what is gathered of trips: samples of each quantity that is compared.
type sights struct {
	net     *roadnet.Network
	zone    *time.Location
	router  *roadnet.Router
	dropped []metrics.Count
	cut     int
	trips   int

	mu     sync.Mutex
	errors map[string][]float64 // by trip, in the order of its points: signed distance from the road

	lengths, durations, direct []float64                     // km, minutes, km
	detours                    []float64                     // path over the shortest path
	directness                 []float64                     // path over the straight distance
	speeds                     [roadnet.NumClasses][]float64 // km/h while moving
	hours                      [2][24][]float64              // km/h, standing too; weekday, weekend
	starts                     [24]float64
	standing                   []float64 // share of each trip's intervals
	stops                      []float64 // seconds of each stop
	places                     map[string]float64
	turns                      []float64    // degrees, absolute
	sharp                      []float64    // turns over 45 degrees for each km
	signals                    []float64    // signals passed for each km
	gps                        []float64    // metres from the road
	lagged                     [2][]float64 // error at a point, and at the next
	uniform                    [2][]float64 // metres off at x8 and x16
}

func newSights(net *roadnet.Network) *sights {
	zone, err := time.LoadLocation(net.Info().TimeZone)
	if err != nil {
		zone = time.UTC
	}
	return &sights{net: net, zone: zone, router: roadnet.NewRouter(net), errors: map[string][]float64{}, places: map[string]float64{}}
}

// standingBelow is the mean speed between two points under which the vehicle
// counts as standing, m/s.
const standingBelow = 0.7

// keepErrors notes how far points lie from where they were matched.
func (s *sights) keepErrors(t *trajectory.Trajectory, rec *trajectory.Recovery) {
	var out []float64
	for i, m := range rec.Matches {
		if m.State != trajectory.Matched {
			continue
		}
		h := s.net.Project(roadnet.Point{Lon: t.Samples[i].Lon, Lat: t.Samples[i].Lat}, m.At.Segment)
		out = append(out, h.Distance*float64(h.Side))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.errors[t.ID] = out
}

// trip gathers all of one trip.
func (s *sights) trip(c metrics.Case) {
	ticks, part := c.Truth.Ticks, c.Truth.Parts[0]
	first, last := ticks[0], ticks[len(ticks)-1]
	s.trips++
	length := last.Along
	s.lengths = append(s.lengths, length/1000)
	s.durations = append(s.durations, float64(last.Time-first.Time)/60000)
	s.ways(first, last, length)
	s.motion(ticks, part)
	s.turnsOf(part, length)
	s.gpsOf(c.Dense.ID)
	for i, ratio := range []float64{1. / 8, 1. / 16} {
		s.uniformAt(i, c, metrics.Keep{Ratio: ratio})
	}
	start := time.UnixMilli(first.Time).In(s.zone)
	s.starts[start.Hour()]++
}

// ways compares the path with the straight line and with the shortest path.
func (s *sights) ways(first, last trajectory.Tick, length float64) {
	straight := metres(first.Lon, first.Lat, last.Lon, last.Lat)
	s.direct = append(s.direct, straight/1000)
	if straight > 500 {
		s.directness = append(s.directness, length/straight)
	}
	leg := s.router.Routes(first.At, []roadnet.Position{last.At}, roadnet.Search{Bound: 60_000})[0]
	if leg.Found && leg.Length > 500 {
		s.detours = append(s.detours, length/leg.Length)
	}
}

// motion gathers speeds and stops between points.
func (s *sights) motion(ticks []trajectory.Tick, part trajectory.Part) {
	walk := newWalk(s.net, part)
	standing, run := 0.0, 0.0
	for i := 1; i < len(ticks); i++ {
		a, b := ticks[i-1], ticks[i]
		seconds := float64(b.Time-a.Time) / 1000
		v := (b.Along - a.Along) / seconds
		at := time.UnixMilli(a.Time).In(s.zone)
		week := 0
		if d := at.Weekday(); d == time.Saturday || d == time.Sunday {
			week = 1
		}
		s.hours[week][at.Hour()] = append(s.hours[week][at.Hour()], v*3.6)
		if v < standingBelow {
			if run == 0 {
				s.places[walk.describe(a.Along, i == 1)]++
			}
			standing++
			run += seconds
			continue
		}
		if run > 0 {
			s.stops = append(s.stops, run)
			run = 0
		}
		if ca, cb := s.net.Class(a.At.Segment), s.net.Class(b.At.Segment); ca == cb {
			s.speeds[ca] = append(s.speeds[ca], v*3.6)
		}
	}
	if run > 0 {
		s.stops = append(s.stops, run)
	}
	s.standing = append(s.standing, standing/float64(len(ticks)-1))
}

// turnsOf gathers the turns where there was a choice.
func (s *sights) turnsOf(part trajectory.Part, length float64) {
	sharp := 0.0
	for i := 1; i < len(part.Segments); i++ {
		if len(s.net.Next(part.Segments[i-1])) < 2 {
			continue
		}
		a := math.Abs(s.net.TurnAngle(part.Segments[i-1], part.Segments[i]))
		s.turns = append(s.turns, a)
		if a > 45 {
			sharp++
		}
	}
	s.sharp = append(s.sharp, sharp/length*1000)
	signals := 0.0
	for _, id := range part.Segments {
		on, atEnd := s.net.ControlCounts(id)
		signals += float64(on.Signals + atEnd.Signals)
	}
	s.signals = append(s.signals, signals/length*1000)
}

func (s *sights) gpsOf(id string) {
	list := s.errors[id]
	for i, e := range list {
		s.gps = append(s.gps, math.Abs(e))
		if i > 0 {
			s.lagged[0] = append(s.lagged[0], list[i-1])
			s.lagged[1] = append(s.lagged[1], e)
		}
	}
}

// uniformAt gathers how far off positions are that are spread evenly along the
// true path between the points that are kept.
func (s *sights) uniformAt(k int, c metrics.Case, keep metrics.Keep) {
	sparse := keep.Thin(c.Dense, 1).Samples
	ticks := c.Truth.Ticks
	next := 0
	var from, to trajectory.Tick
	for _, t := range ticks {
		if next < len(sparse) && t.Time >= sparse[next].Time {
			next++
			from = t
			if next < len(sparse) {
				to = atTime(ticks, sparse[next].Time)
			}
			continue
		}
		share := float64(t.Time-from.Time) / float64(to.Time-from.Time)
		s.uniform[k] = append(s.uniform[k], math.Abs(from.Along+share*(to.Along-from.Along)-t.Along))
	}
}

func atTime(ticks []trajectory.Tick, time int64) trajectory.Tick {
	for _, t := range ticks {
		if t.Time >= time {
			return t
		}
	}
	return ticks[len(ticks)-1]
}

// shareOfStarts is how many in a hundred trips start in each hour.
func (s *sights) shareOfStarts() [24]float64 {
	var out [24]float64
	for h, n := range s.starts {
		out[h] = 100 * n / float64(s.trips)
	}
	return out
}

// correlation of the GPS error at a point with that at the next.
func (s *sights) correlation() float64 {
	var ab, aa, bb float64
	for i, a := range s.lagged[0] {
		b := s.lagged[1][i]
		ab, aa, bb = ab+a*b, aa+a*a, bb+b*b
	}
	return ab / math.Sqrt(aa*bb)
}

func metres(lon1, lat1, lon2, lat2 float64) float64 {
	return math.Hypot((lon2-lon1)*roadnet.Degree*math.Cos((lat1+lat2)/2*math.Pi/180), (lat2-lat1)*roadnet.Degree)
}
