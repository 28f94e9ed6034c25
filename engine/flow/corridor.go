package flow

import (
	"fmt"
	"math"
	"slices"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// Corridor is a way whose travel times are measured.
type Corridor struct {
	Segments []roadnet.SegmentID // connected, in driving order
	Length   float64             // metres
	FreeFlow float64             // seconds that it takes without traffic, by the network
}

// NewCorridor makes a corridor of whole segments. The error says where they do not
// follow one another.
func NewCorridor(net *roadnet.Network, segments []roadnet.SegmentID) (*Corridor, error) {
	c := &Corridor{Segments: segments}
	for i, s := range segments {
		if i > 0 {
			_, end := net.Ends(segments[i-1])
			if start, _ := net.Ends(s); start != end {
				return nil, fmt.Errorf("segment %d of the corridor does not follow the one before", i+1)
			}
		}
		c.Length += net.Length(s)
		c.FreeFlow += net.Length(s) / net.FreeFlow(s)
	}
	if len(segments) == 0 {
		return nil, fmt.Errorf("a corridor of no segment has no travel time")
	}
	return c, nil
}

// CorridorBetween is the corridor along the fastest way through some places; each is put
// on the road nearest to it, within 200 m. Of the segments at its ends, those count as
// a whole.
func CorridorBetween(net *roadnet.Network, places []roadnet.Point) (*Corridor, error) {
	if len(places) < 2 {
		return nil, fmt.Errorf("a corridor leads from one place to another")
	}
	var sets [][]roadnet.Hit
	for _, p := range places {
		const near, more = 200, 5
		hits := net.Near(p, near, nil)
		slices.SortStableFunc(hits, func(a, b roadnet.Hit) int { return int(math.Copysign(1, a.Distance-b.Distance)) })
		if len(hits) == 0 {
			return nil, fmt.Errorf("no road lies within %d m of %.5f, %.5f", near, p.Lon, p.Lat)
		}
		least := hits[0].Distance
		hits = slices.DeleteFunc(hits, func(h roadnet.Hit) bool { return h.Distance > least+more })
		sets = append(sets, hits)
	}
	path, ok := fastest(net, sets)
	if !ok {
		return nil, fmt.Errorf("no way leads through these places in this order")
	}
	return NewCorridor(net, path)
}

// fastest finds the fastest way through one hit of each set, either direction of a road
// at its ends.
func fastest(net *roadnet.Network, sets [][]roadnet.Hit) ([]roadnet.SegmentID, bool) {
	const pace = 15 // m/s, turns seconds into metres of cost
	r := roadnet.NewRouter(net)
	type reached struct {
		path []roadnet.SegmentID
		cost float64
	}
	at := make([]reached, len(sets[0]))
	for i, h := range sets[0] {
		at[i] = reached{path: []roadnet.SegmentID{h.Segment}}
	}
	for k := 1; k < len(sets); k++ {
		next := make([]reached, len(sets[k]))
		var to []roadnet.Position
		for j, h := range sets[k] {
			to, next[j].cost = append(to, h.Position), math.Inf(1)
		}
		for i, from := range sets[k-1] {
			if math.IsInf(at[i].cost, 1) {
				continue
			}
			legs := slices.Clone(r.Routes(from.Position, to, roadnet.Search{TimeShare: 1, Speed: pace, UTurn: 500, Bound: 1e6}))
			for j, leg := range legs {
				if cost := at[i].cost + leg.Cost; leg.Found && cost < next[j].cost {
					path := r.Path(j, nil)
					next[j] = reached{append(slices.Clone(at[i].path), path[1:]...), cost}
				}
			}
		}
		at = next
	}
	best := 0
	for j := range at {
		if at[j].cost < at[best].cost {
			best = j
		}
	}
	return at[best].path, !math.IsInf(at[best].cost, 1)
}

// CorridorStudy measures the travel times of those who drove a corridor along the way
// told, all of it or enough of it without leaving it. A drive belongs to the slot in
// which it begins. Its memory is bounded by the slots and by the vehicles that drove the
// corridor. It is for one goroutine.
type CorridorStudy struct {
	gatherer
	corridor *Corridor
	enough   float64
	place    map[roadnet.SegmentID]int
	slots    map[Slot]*times
}

// times are the travel times of one slot.
type times struct {
	drives   int
	sum      float64 // seconds
	doubt    float64 // sum of variances, from the doubt about when places were reached
	all      histogram
	vehicles map[uint64]*timesOf
}

// timesOf are those of one vehicle.
type timesOf struct {
	drives int
	sum    float64
}

// TravelTime is how long the corridor takes in one slot, in seconds.
type TravelTime struct {
	Slot             Slot
	Drives, Vehicles int
	Mean             float64
	Interval         Interval // of the mean
	P5, P15, Median  float64
	P80, P85, P95    float64
	Asked            []float64 // the percentiles that the study asks for
	Speed            float64   // mean, km/h

	// The buffer index is the share by which the 95th percentile is longer than the
	// mean; the planning time index is the 95th percentile by the time without traffic
	// (both: FHWA, Travel Time Reliability: Making It There On Time, All The Time,
	// 2006); the level of travel time reliability is the 80th percentile by the median,
	// and below 1.5 counts as reliable (23 CFR 490.511).
	Buffer, Planning, LOTTR float64

	Withheld bool
}

// NewCorridorStudy begins a study of a corridor. Enough is the share of its length, 0 to
// 1, that a drive covers to count; its time is that of the whole in proportion.
func NewCorridorStudy(net *roadnet.Network, s Study, c *Corridor, enough float64) *CorridorStudy {
	study := &CorridorStudy{gatherer: newGatherer(net, s), corridor: c, enough: enough, place: map[roadnet.SegmentID]int{}, slots: map[Slot]*times{}}
	for i, id := range c.Segments {
		if _, twice := study.place[id]; !twice {
			study.place[id] = i
		}
	}
	return study
}

// stretch is a piece of the corridor that was driven in one go, by its numbers.
type stretch struct {
	last         int     // segment of the corridor; -2: there is none
	length       float64 // metres
	enter, leave float64 // Unix seconds
	timed        bool
}

// Add takes in a trip, on the study's network.
func (s *CorridorStudy) Add(t Trip) {
	if !s.take(t) {
		return
	}
	total, begun := lengthOf(s.net, t.Recovery), 0.0
	run := stretch{last: -2}
	flush := func() {
		s.drive(t, run)
		run = stretch{last: -2}
	}
	s.likely.walker.walk(t.Recovery, func(d drive) {
		i, on := s.place[d.segment]
		on = on && begun >= s.study.Trim && begun+d.length <= total-s.study.Trim
		begun += d.length
		if d.begin == 0 || !on || i != run.last+1 {
			flush()
		}
		if on {
			run.add(i, d)
		}
	})
	flush()
}

func (r *stretch) add(i int, d drive) {
	enter, leave, ok := d.times()
	if r.last < 0 {
		r.enter, r.timed = enter, true
	}
	r.last, r.leave, r.length, r.timed = i, leave, r.length+d.length, r.timed && ok
}

// drive takes in a stretch, if it is long enough.
func (s *CorridorStudy) drive(t Trip, run stretch) {
	enter, leave, length := run.enter, run.leave, run.length
	if run.last < 0 || !run.timed || leave <= enter || length < s.enough*s.corridor.Length-1 {
		return
	}
	slot, in := s.study.Calendar.slot(enter)
	if !s.study.timely(s.dial, enter) {
		return
	}
	if !in {
		s.basis.Untimed++
		return
	}
	scale := s.corridor.Length / length
	seconds := (leave - enter) * scale
	x := s.slots[slot]
	if x == nil {
		x = &times{vehicles: map[uint64]*timesOf{}}
		s.slots[slot] = x
	}
	x.drives++
	x.sum += seconds
	x.all.add(seconds, 1)
	pace := seconds / s.corridor.Length
	for _, at := range [2]float64{enter, leave} {
		sd := alongDoubt(t.Recovery, at) * pace
		x.doubt += sd * sd
	}
	id := hash(vehicleOf(t))
	v := x.vehicles[id]
	if v == nil {
		v = &timesOf{}
		x.vehicles[id] = v
	}
	v.drives++
	v.sum += seconds
}

// alongDoubt is the doubt in metres about where along its way a vehicle is at an instant
// in Unix seconds: largest in the middle of a gap, and none at the samples.
func alongDoubt(r *trajectory.Recovery, at float64) float64 {
	before, after := math.Inf(-1), math.Inf(1)
	var sample uint32
	for _, t := range r.Ticks {
		if second := float64(t.Time) / 1000; t.Observed && second <= at {
			before, sample = second, t.Sample
		} else if t.Observed {
			after = second
			break
		}
	}
	if math.IsInf(before, 0) || math.IsInf(after, 0) {
		return 0
	}
	for _, d := range r.Doubts {
		if d.FromSample == sample {
			half := (after - before) / 2
			return float64(d.Along) * (1 - math.Abs(at-before-half)/half)
		}
	}
	return 0
}

// Rows are the travel times by slot.
func (s *CorridorStudy) Rows() []TravelTime {
	var rows []TravelTime
	for slot, x := range s.slots {
		rows = append(rows, s.row(slot, x))
	}
	slices.SortFunc(rows, func(a, b TravelTime) int { return compareSlots(a.Slot, b.Slot) })
	return rows
}

func (s *CorridorStudy) row(slot Slot, x *times) TravelTime {
	r := TravelTime{Slot: slot, Drives: x.drives, Vehicles: len(x.vehicles)}
	if r.Vehicles < s.study.MinVehicles {
		nan := math.NaN()
		return TravelTime{Slot: slot, Drives: -1, Vehicles: -1, Mean: nan, Interval: Interval{nan, nan}, P5: nan, P15: nan, Median: nan, P80: nan, P85: nan, P95: nan,
			Asked: slices.Repeat([]float64{nan}, len(s.study.Percentiles)), Speed: nan, Buffer: nan, Planning: nan, LOTTR: nan, Withheld: true}
	}
	r.Mean = x.sum / float64(x.drives)
	r.Interval = s.interval(r.Mean, x)
	r.P5, r.P15, r.Median = x.all.percentile(0.05), x.all.percentile(0.15), x.all.percentile(0.5)
	r.P80, r.P85, r.P95 = x.all.percentile(0.8), x.all.percentile(0.85), x.all.percentile(0.95)
	for _, p := range s.study.Percentiles {
		r.Asked = append(r.Asked, x.all.percentile(p/100))
	}
	r.Speed = s.corridor.Length / r.Mean * 3.6
	r.Buffer, r.Planning, r.LOTTR = (r.P95-r.Mean)/r.Mean, r.P95/s.corridor.FreeFlow, r.P80/r.Median
	return r
}

func lengthOf(net *roadnet.Network, r *trajectory.Recovery) float64 {
	w, total := walker{net: net}, 0.0
	w.walk(r, func(d drive) { total += d.length })
	return total
}
