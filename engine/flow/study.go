package flow

import (
	"math"
	"slices"
	"time"

	"retrace/engine/roadnet"
)

// Study says what an analysis is over, and what of it may be told.
type Study struct {
	Filter
	Calendar    *Calendar // tells times apart; nil: all are one
	Level       float64   // of the intervals, 0..1; 0: 0.9
	Percentiles []float64 // of speeds, 0..100
	MinVehicles int       // numbers that fewer vehicles stand behind are withheld
	Trim        float64   // metres cut off both ends of each trip
}

// Filter says which trips and times count.
type Filter struct {
	When     When
	From, To time.Time       // times from the one and before the other; zero: no bound
	Trips    map[string]bool // ids; nil: all
	Vehicles map[string]bool // nil: all
}

// takes reports whether a trip counts at all.
func (f *Filter) takes(t Trip) bool {
	return (f.Trips == nil || f.Trips[t.ID]) && (f.Vehicles == nil || f.Vehicles[t.Vehicle])
}

// always reports whether any time counts.
func (f *Filter) always() bool { return f.When.Always() && f.From.IsZero() && f.To.IsZero() }

// timely reports whether an instant counts, in Unix seconds; one that is not known
// counts where any does.
func (f *Filter) timely(d *dial, at float64) bool {
	if f.always() {
		return true
	}
	if math.IsNaN(at) || !f.From.IsZero() && at < float64(f.From.Unix()) || !f.To.IsZero() && at >= float64(f.To.Unix()) {
		return false
	}
	return f.When.Always() || d.counts(int64(math.Floor(at)))
}

// Count is how often something was driven.
type Count struct {
	Mean     float64 // expected: the sum of the chances over all ways that are possible
	Interval         // see Sums.Interval
	Doubt    float64 // standard deviation from the doubt about ways alone
	Told     int     // along the ways told, the most probable ones
	Trips    int     // whose way told is among them
	Vehicles int     // likewise; above 1024 about so many
	Withheld bool    // too few vehicles: nothing else is told
}

// withheld is a count of which nothing is told.
func withheld() Count {
	return Count{Mean: math.NaN(), Interval: Interval{math.NaN(), math.NaN()}, Doubt: math.NaN(), Told: -1, Trips: -1, Vehicles: -1, Withheld: true}
}

// count sums a cell up.
func (s *Study) count(c *cell) Count {
	vehicles := c.vehicles.count()
	if vehicles < s.MinVehicles {
		return withheld()
	}
	level := s.Level
	if level == 0 {
		level = 0.9
	}
	sums := c.Sums
	sums.Squares = c.vehicles.squares()
	return Count{Mean: c.Mean, Interval: sums.Interval(level), Doubt: math.Sqrt(max(0, c.Doubt)), Told: c.passes, Trips: c.trips, Vehicles: vehicles}
}

// Basis is what stands behind an analysis.
type Basis struct {
	Trips     int // that were looked at
	Vehicles  int
	Estimated bool // Vehicles is: there are too many to be told apart
	Nameless  int  // trips of no known vehicle, each of which counts as a vehicle of its own
	Certain   int  // trips that tell no other ways: recovered without alternatives, or without doubt
	Untimed   int  // entries left out because nobody knows when they were, or in no period
}

// gatherer is what all analyses have in common: it takes in one trip after another.
type gatherer struct {
	study    Study
	net      *roadnet.Network
	likely   *Likely
	dial     *dial
	vehicles group
	basis    Basis
}

func newGatherer(net *roadnet.Network, s Study) gatherer {
	if s.Calendar == nil {
		s.Calendar = &Calendar{dial: newDial(When{})}
	}
	return gatherer{study: s, net: net, likely: NewLikely(net, s.Trim), dial: newDial(s.When)}
}

// vehicleOf is whom a trip counts for.
func vehicleOf(t Trip) string {
	if t.Vehicle == "" {
		return "trip\x00" + t.ID
	}
	return t.Vehicle
}

// take notes a trip; false where it does not count.
func (g *gatherer) take(t Trip) bool {
	if !g.study.takes(t) {
		return false
	}
	g.basis.Trips++
	if t.Vehicle == "" {
		g.basis.Nameless++
	}
	if len(t.whole().Alternatives) == 0 {
		g.basis.Certain++
	}
	g.vehicles.add(hash(vehicleOf(t)), 1, true)
	return true
}

// entries visits the entries of a trip that count, with their slots.
func (g *gatherer) entries(t Trip, visit func(Entry, Slot)) {
	g.likely.Each(t.whole(), func(e Entry) {
		if !g.study.timely(g.dial, e.At) {
			return
		}
		slot, ok := g.study.Calendar.slot(e.At)
		if !ok {
			if e.Told {
				g.basis.Untimed++
			}
			return
		}
		visit(e, slot)
	})
}

// Basis is what stands behind the numbers.
func (g *gatherer) Basis() Basis {
	b := g.basis
	b.Vehicles, b.Estimated = g.vehicles.count(), g.vehicles.over
	return b
}

// Speeds are of the drives over something, in km/h; NaN where there is none.
type Speeds struct {
	Mean          float64 // length over mean time
	Median        float64
	Slow15, Top15 float64   // the 15th and the 85th percentile
	Asked         []float64 // the percentiles that the study asks for
}

func (s *Study) speeds(c *cell, told bool) Speeds {
	v := Speeds{Mean: math.NaN(), Median: math.NaN(), Slow15: math.NaN(), Top15: math.NaN(), Asked: slices.Repeat([]float64{math.NaN()}, len(s.Percentiles))}
	if !told || c.seconds <= 0 {
		return v
	}
	v.Mean = c.metres / c.seconds * 3.6
	v.Median, v.Slow15, v.Top15 = c.speeds.percentile(0.5), c.speeds.percentile(0.15), c.speeds.percentile(0.85)
	for i, p := range s.Percentiles {
		v.Asked[i] = c.speeds.percentile(p / 100)
	}
	return v
}
