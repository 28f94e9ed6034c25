package engine

import (
	"math"
	"slices"

	"retrace/engine/match"
	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// placePassed puts the passed samples of each leg on its path, in the order of their
// times, and lets the path be driven by them. Those at which the path breaks stay where
// the leg began. Where the path asks for a speed that no car has, the leg tells of it.
func placePassed(net *roadnet.Network, samples []trajectory.Sample, res *match.Result) {
	var p passing
	for i := range res.Legs {
		l := &res.Legs[i]
		if l.Broken {
			for s := l.From + 1; s < l.To; s++ {
				if res.Matches[s].State == trajectory.Passed {
					res.Matches[s].At = res.Matches[l.From].At
				}
			}
			continue
		}
		p.begin(net, l, res.Matches[l.From].At.Ratio, res.Matches[l.To].At.Ratio)
		for s := l.From + 1; s < l.To; s++ {
			if res.Matches[s].State == trajectory.Passed {
				p.pass(samples[s])
			}
		}
		if len(p.knots) > 0 {
			p.level()
			l.Times = p.times(samples[l.From].Time, samples[l.To].Time)
		}
		p.judge(l, samples)
	}
}

// passing is a leg and the samples that are passed on it.
type passing struct {
	net    *roadnet.Network
	path   []roadnet.SegmentID
	low    []float64 // by step, the ratio at which it begins
	high   []float64 // and ends
	starts []float64 // by step, metres along the leg
	length float64   // metres
	knots  []knot
}

// knot is a place that is reached at a known instant.
type knot struct {
	along  float64 // metres
	sample trajectory.Sample
	weight float64 // samples
}

func (p *passing) begin(net *roadnet.Network, l *match.Leg, from, to float64) {
	*p = passing{net: net, path: l.Path, low: p.low[:0], high: p.high[:0], starts: p.starts[:0], knots: p.knots[:0]}
	for i, id := range l.Path {
		low, high := roadnet.Driven(i, len(l.Path), from, to)
		high = max(low, high)
		p.low, p.high, p.starts = append(p.low, low), append(p.high, high), append(p.starts, p.length)
		p.length += (high - low) * net.Length(id)
	}
}

// pass adds a sample where the leg comes nearest to it.
func (p *passing) pass(s trajectory.Sample) {
	at := roadnet.Point{Lon: s.Lon, Lat: s.Lat}
	best, least := 0.0, math.Inf(1)
	for i, id := range p.path {
		ratio := min(p.high[i], max(p.low[i], p.net.Project(at, id).Ratio))
		d := roadnet.Distance(at, p.net.At(roadnet.Position{Segment: id, Ratio: ratio}))
		if d < least {
			best, least = p.starts[i]+(ratio-p.low[i])*p.net.Length(id), d
		}
	}
	p.knots = append(p.knots, knot{best, s, 1})
}

// level lets no place lie behind one that was reached before: those out of order are
// taken together, in the middle (isotonic regression by pooling neighbours).
func (p *passing) level() {
	pools := make([]knot, 0, len(p.knots))
	for _, k := range p.knots {
		pools = append(pools, k)
		for n := len(pools); n > 1 && pools[n-2].along > pools[n-1].along; n-- {
			a, b := pools[n-2], pools[n-1]
			a.along = (a.along*a.weight + b.along*b.weight) / (a.weight + b.weight)
			a.weight += b.weight
			pools = append(pools[:n-2], a)
		}
	}
	i := 0
	for _, pool := range pools {
		for range int(pool.weight) {
			p.knots[i].along = pool.along
			i++
		}
	}
}

// The scale of the doubt about when a place between two such samples is reached, milliseconds.
const passedDoubt = 500

// times says when the places of the leg are reached that lasts from one instant to another.
func (p *passing) times(from, to int64) []match.Time {
	spread := math.Min(1, passedDoubt/float64(to-from))
	last, step := knot{sample: trajectory.Sample{Time: from}}, 0
	var all []match.Time
	put := func(step int, ratio, along float64, k knot) {
		share := float64(k.sample.Time-from) / float64(to-from)
		if k.along > last.along {
			before := float64(last.sample.Time-from) / float64(to-from)
			share = before + (share-before)*(along-last.along)/(k.along-last.along)
		}
		all = append(all, match.Time{Step: step, To: ratio, Share: share, Spread: spread})
	}
	for _, k := range append(p.knots, knot{along: p.length, sample: trajectory.Sample{Time: to}}) {
		for step+1 < len(p.path) && p.starts[step+1] <= k.along {
			put(step, p.high[step], p.starts[step+1], k)
			step++
		}
		ratio := p.low[step]
		if metres := p.net.Length(p.path[step]); metres > 0 {
			ratio = min(p.high[step], ratio+(k.along-p.starts[step])/metres)
		}
		put(step, ratio, k.along, k)
		last = k
	}
	return slices.Clip(all)
}

// The path between two samples asks for a speed that no car has where it is longer than
// so many metres and so many more for each second, and so many times the straight way.
const (
	hopMetres = 100.0
	hopSpeed  = 50.0 // m/s
	hopDetour = 2.0
)

// judge tells of a leg that asks for a speed that no car has.
func (p *passing) judge(l *match.Leg, samples []trajectory.Sample) {
	if l.Why != 0 {
		return
	}
	last := knot{sample: samples[l.From]}
	for _, k := range append(p.knots, knot{along: p.length, sample: samples[l.To]}) {
		way, seconds := k.along-last.along, float64(k.sample.Time-last.sample.Time)/1000
		straight := roadnet.Distance(roadnet.Point{Lon: last.sample.Lon, Lat: last.sample.Lat}, roadnet.Point{Lon: k.sample.Lon, Lat: k.sample.Lat})
		if way > hopMetres+hopSpeed*seconds && way > hopDetour*straight {
			l.Why, l.Speed = trajectory.TooFast, max(l.Speed, way/seconds)
		}
		last = k
	}
	if l.Why != 0 && p.turns() {
		l.Why = trajectory.Turned
	}
}

// turns reports whether the path turns back.
func (p *passing) turns() bool {
	for i := 1; i < len(p.path); i++ {
		if back, ok := p.net.Reverse(p.path[i-1]); ok && back == p.path[i] {
			return true
		}
	}
	return false
}
