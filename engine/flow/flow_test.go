package flow

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
	"retrace/engine/trajectory"
	"retrace/engine/trajectory/facts"
)

const start = int64(1_380_214_272) // 26 September 2013, 16:51:12 UTC, a Thursday

// randomTrip drives at random, in one or two parts, with a tick each 200 m.
func randomTrip(net *roadnet.Network, rng *rand.Rand, number int) Trip {
	r := &trajectory.Recovery{Trajectory: fmt.Sprintf("trip %d", number)}
	now := start + rng.Int64N(14*secondsADay)
	for range 1 + rng.IntN(2) {
		now = addPart(net, rng, r, now) + 60
	}
	return Trip{ID: r.Trajectory, Recovery: r}
}

func addPart(net *roadnet.Network, rng *rand.Rand, r *trajectory.Recovery, now int64) int64 {
	s := roadnet.SegmentID(rng.IntN(net.NumSegments()))
	p := trajectory.Part{Segments: []roadnet.SegmentID{s}, StartRatio: rng.Float64() * 0.5, EndRatio: 0.5 + rng.Float64()*0.5}
	for range rng.IntN(12) {
		next := net.Next(s)
		if len(next) == 0 {
			break
		}
		s = next[rng.IntN(len(next))]
		p.Segments = append(p.Segments, s)
	}
	length := 0.0
	for i, s := range p.Segments {
		from, to := roadnet.Driven(i, len(p.Segments), p.StartRatio, p.EndRatio)
		length += net.Length(s) * (to - from)
	}
	speed := 3 + rng.Float64()*20
	for along := 0.0; ; along = min(along+200, length) {
		at := now*1000 + int64(along/speed*1000)
		r.Ticks = append(r.Ticks, trajectory.Tick{Time: at, Part: int32(len(r.Parts)), Along: along})
		if along == length {
			break
		}
	}
	r.Parts = append(r.Parts, p)
	return r.Ticks[len(r.Ticks)-1].Time/1000 + 1
}

// plain does what the index does, the slow way.
type plain struct {
	net   *roadnet.Network
	trips []Trip
}

// each visits every drive of the trips asked for, at times that count.
func (p plain) each(ask Ask, visit func(Trip, drive)) {
	w := walker{net: p.net}
	for _, t := range p.trips {
		if ask.Trips != nil && !slices.Contains(ask.Trips, t.ID) {
			continue
		}
		w.walk(t.Recovery, func(d drive) {
			if enter, _, ok := d.times(); ask.When.Always() || ok && plainCounts(ask.When, enter) {
				visit(t, d)
			}
		})
	}
}

func plainCounts(w When, second float64) bool {
	t := time.Unix(int64(math.Floor(second)), 0).In(w.Zone)
	return (w.Hours == 0 || w.Hours>>t.Hour()&1 != 0) && (w.Days == 0 || w.Days>>int(t.Weekday())&1 != 0)
}

func (p plain) links(ask Ask) map[roadnet.SegmentID]Link {
	type sum struct {
		trips           map[string]bool
		passes          int
		metres, seconds float64
	}
	sums := map[roadnet.SegmentID]*sum{}
	p.each(ask, func(t Trip, d drive) {
		s := sums[d.segment]
		if s == nil {
			s = &sum{trips: map[string]bool{}}
			sums[d.segment] = s
		}
		s.trips[t.ID] = true
		s.passes++
		if enter, leave, ok := d.times(); ok && leave > enter && d.length > 0 && d.length <= facts.MostSpeed(p.net, d.segment)*(leave-enter) {
			s.metres += d.length
			s.seconds += leave - enter
		}
	})
	links := map[roadnet.SegmentID]Link{}
	for id, s := range sums {
		l := Link{Segment: id, Trips: len(s.trips), Passes: s.passes}
		if s.seconds > 0 {
			l.Speed = s.metres / s.seconds
		}
		links[id] = l
	}
	return links
}

// questions are what the counts are compared for.
func questions(t *testing.T, rng *rand.Rand, trips []Trip) []Ask {
	lisbon, err := time.LoadLocation("Europe/Lisbon")
	if err != nil {
		t.Fatal(err)
	}
	few := []string{"trip 1", "not there", trips[rng.IntN(len(trips))].ID}
	slices.Sort(few)
	few = slices.Compact(few)
	var many []string
	for _, trip := range trips {
		if rng.IntN(2) == 0 {
			many = append(many, trip.ID)
		}
	}
	return []Ask{
		{}, {Trips: []string{}}, {Trips: few}, {Trips: many},
		{When: When{Hours: 1<<7 | 1<<8 | 1<<17, Zone: lisbon}},
		{When: When{Days: 1 << time.Saturday, Zone: time.FixedZone("west", -5*3600)}},
		{Trips: many, When: When{Hours: 0xfff, Days: 0x3e, Zone: lisbon}},
		{Trips: few, When: When{Hours: 0xfff, Zone: lisbon}},
	}
}

func TestCountsAreThoseOfGoingThroughAllTrips(t *testing.T) {
	for range 20 {
		seed := rand.Uint64()
		t.Logf("seed %d", seed)
		rng := rand.New(rand.NewPCG(seed, 1))
		net := roadnettest.Random(seed%1000, 40)
		if net.NumSegments() == 0 {
			continue
		}
		x := NewIndex(net)
		p := plain{net: net, trips: feed(x, net, rng)}
		for i, ask := range questions(t, rng, p.trips) {
			links, err := x.Links(context.Background(), ask)
			if err != nil {
				t.Fatal(err)
			}
			sameLinks(t, i, links, p.links(ask))
			sameTrips(t, i, x, p, ask, rng)
		}
	}
}

// feed puts trips into the index, takes some away and replaces some, and returns
// those that are left in the order in which they came.
func feed(x *Index, net *roadnet.Network, rng *rand.Rand) []Trip {
	var trips []Trip
	for i := range 120 {
		trips = append(trips, randomTrip(net, rng, i))
	}
	x.Put(trips[:50])
	x.Put(trips[50:])
	for i := 0; i < 90; i += 1 + rng.IntN(3) {
		if rng.IntN(2) == 0 {
			x.Remove([]string{trips[i].ID, "not there"})
			trips[i].ID = ""
			continue
		}
		again := randomTrip(net, rng, i)
		x.Put([]Trip{again})
		trips[i].ID = ""
		trips = append(trips, again)
	}
	return slices.DeleteFunc(trips, func(t Trip) bool { return t.ID == "" })
}

func sameLinks(t *testing.T, question int, got []Link, want map[roadnet.SegmentID]Link) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("question %d: %d links, want %d", question, len(got), len(want))
	}
	for i, l := range got {
		w := want[l.Segment]
		if l.Trips != w.Trips || l.Passes != w.Passes || math.Abs(l.Speed-w.Speed) > 1e-3*(1+w.Speed) {
			t.Errorf("question %d: %+v, want %+v", question, l, w)
		}
		if i > 0 && got[i-1].Trips < l.Trips {
			t.Errorf("question %d: not by falling count", question)
		}
	}
}

func sameTrips(t *testing.T, question int, x *Index, p plain, ask Ask, rng *rand.Rand) {
	t.Helper()
	segments := []roadnet.SegmentID{roadnet.SegmentID(rng.IntN(p.net.NumSegments())), roadnet.SegmentID(rng.IntN(p.net.NumSegments()))}
	var want []string
	var hours [24]int
	seen := map[roadnet.SegmentID]bool{segments[0]: true, segments[1]: true}
	p.each(ask, func(trip Trip, d drive) {
		if !seen[d.segment] {
			return
		}
		if !slices.Contains(want, trip.ID) {
			want = append(want, trip.ID)
		}
		if enter, _, ok := d.times(); ok {
			zone := ask.When.Zone
			if zone == nil {
				zone = time.UTC
			}
			hours[time.Unix(int64(enter), 0).In(zone).Hour()]++
		}
	})
	if got := x.TripsOn(segments, ask); !slices.Equal(got, want) {
		t.Errorf("question %d: trips %v, want %v", question, got, want)
	}
	for h, hour := range x.Hours(distinct(segments), ask) {
		if hour.Passes != hours[h] {
			t.Errorf("question %d: %d drives at %d o'clock, want %d", question, hour.Passes, h, hours[h])
		}
	}
}

func distinct(s []roadnet.SegmentID) []roadnet.SegmentID {
	s = slices.Clone(s)
	slices.Sort(s)
	return slices.Compact(s)
}

// TestTheIndexDoesNotGrowWithWhatIsGone puts the same trips in over and over.
func TestTheIndexDoesNotGrowWithWhatIsGone(t *testing.T) {
	net := roadnettest.GridCity(6)
	rng := rand.New(rand.NewPCG(1, 1))
	var trips []Trip
	for i := range 300 {
		trips = append(trips, randomTrip(net, rng, i))
	}
	x := NewIndex(net)
	x.Put(trips)
	held := x.held
	for range 20 {
		x.Put(trips)
	}
	if x.Len() != 300 || x.held > 3*held {
		t.Errorf("%d trips and %d passes after putting 300 trips with %d passes in again", x.Len(), x.held, held)
	}
}

func TestAQuestionEndsWithItsContext(t *testing.T) {
	net := roadnettest.GridCity(4)
	x := NewIndex(net)
	x.Put([]Trip{randomTrip(net, rand.New(rand.NewPCG(1, 1)), 1)})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := x.Links(ctx, Ask{When: When{Hours: 1}}); err == nil {
		t.Error("links are counted for nobody")
	}
	all := Screen{Line: []roadnet.Point{{Lon: -180, Lat: -90}, {Lon: 180, Lat: -90}, {Lon: 180, Lat: 90}, {Lon: -180, Lat: 90}}, Area: true}
	if _, err := x.Cross(ctx, all, Ask{}, nil); err == nil {
		t.Error("crossings are looked for for nobody")
	}
}
