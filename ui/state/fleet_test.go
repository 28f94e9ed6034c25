package state

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
	"retrace/engine/trajectory"
	"retrace/engine/trajectory/facts"
	"retrace/mapview/render"
)

// randomDrive drives at random from an instant on, with a tick each 15 s.
func randomDrive(net *roadnet.Network, rng *rand.Rand, id string, start int64) *Trip {
	s := roadnet.SegmentID(rng.IntN(net.NumSegments()))
	path := []roadnet.SegmentID{s}
	for range 6 + rng.IntN(6) {
		if next := net.Next(s); len(next) > 0 {
			s = next[rng.IntN(len(next))]
			path = append(path, s)
		}
	}
	part := trajectory.Part{Segments: path, StartRatio: rng.Float64() * 0.9, EndRatio: 1}
	total := facts.PartLength(net, part)
	r := &trajectory.Recovery{Trajectory: id, Parts: []trajectory.Part{part}, Provenance: trajectory.Provenance{Fingerprint: net.Info().Fingerprint}}
	t := &trajectory.Trajectory{ID: id}
	ticks := 8
	for i := range ticks + 1 {
		reached := total * float64(i) / float64(ticks)
		pos, _ := new(cursor).along(net, part, 0, reached)
		at := net.At(pos)
		k := trajectory.Tick{Time: start + int64(i)*15000, Lon: at.Lon, Lat: at.Lat, At: pos, Along: reached, Margin: 1, Probability: 1}
		r.Ticks = append(r.Ticks, k)
		t.Samples = append(t.Samples, trajectory.Sample{Time: k.Time, Lon: k.Lon, Lat: k.Lat})
	}
	return NewTrip(t, r, nil)
}

// fleetOf is a model with n random trips over some days.
func fleetOf(tb testing.TB, rng *rand.Rand, net *roadnet.Network, n int, over time.Duration) *Model {
	tb.Helper()
	m := New()
	m.SetNetwork(net, nil)
	trips := make([]*Trip, n)
	const begin = 1_380_214_272_000
	for i := range trips {
		trips[i] = randomDrive(net, rng, fmt.Sprintf("trip %d", i), begin+rng.Int64N(over.Milliseconds()))
	}
	m.AddTrips(trips)
	return m
}

func TestAllTripsAreWhereEachIsAlone(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 1))
	m := fleetOf(t, rng, roadnettest.GridCity(8), 60, time.Hour)
	m.AddTrips([]*Trip{NewTrip(&trajectory.Trajectory{ID: "not recovered", Samples: m.Trips()[0].Trajectory().Samples}, nil, nil)})
	m.SetHidden([]string{"trip 7"}, true)
	m.SetPlayback(PlayAll)
	from, to, ok := m.TimeSpan()
	if !ok {
		t.Fatal("there is nothing to play")
	}
	at := from
	for i := range 3000 {
		at += rng.Int64N(20_000)
		if i%50 == 0 || at > to {
			at = from + rng.Int64N(to-from) // a jump, also back
		}
		got := map[string]render.Marker{}
		for _, k := range m.Fleet().Markers(at, nil) {
			got[k.Trip] = k
		}
		for _, trip := range m.Trips() {
			want, under := m.Locate(trip, at)
			k, there := got[trip.ID()]
			if under = under && m.Visible(trip); under != there {
				t.Fatalf("%s is under way: %v, shown: %v", trip.ID(), under, there)
			}
			if there && (roadnet.Distance(k.At, want.At) > 0.01 || k.Heading != want.Heading) {
				t.Fatalf("%s at %d: shown %+v, is %+v", trip.ID(), at, k, want)
			}
		}
	}
}

func TestActivityCountsWhatIsUnderWay(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 1))
	m := fleetOf(t, rng, roadnettest.GridCity(6), 80, 72*time.Hour)
	for _, over := range []Playback{PlayAll, PlayDay, PlayStart} {
		m.SetPlayback(over)
		from, to, _ := m.TimeSpan()
		const bins = 50
		for b, n := range m.Fleet().Activity(bins) {
			// What runs through the whole of a bin or within it is counted there; at
			// its middle no more can be under way.
			middle := from + (to-from)*int64(2*b+1)/(2*bins)
			if under := len(m.Fleet().Markers(middle, nil)); under > n {
				t.Errorf("%v: %d trips are under way in stretch %d, %d counted", over, under, b, n)
			}
		}
	}
}

func TestAllTripsFromTheirStart(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 1))
	m := fleetOf(t, rng, roadnettest.GridCity(8), 60, 96*time.Hour)
	m.SetPlayback(PlayStart)
	from, to, _ := m.TimeSpan()
	longest := int64(0)
	for _, trip := range m.Trips() {
		longest = max(longest, trip.Facts.End-trip.Facts.Start)
	}
	if to-from != longest {
		t.Errorf("it is played for %d ms, the longest trip takes %d", to-from, longest)
	}
	for range 200 {
		passed := rng.Int64N(longest + 1)
		m.SetTime(from + passed)
		got := map[string]render.Marker{}
		for _, k := range m.Fleet().Markers(m.Clock().At, nil) {
			got[k.Trip] = k
		}
		for _, trip := range m.Trips() {
			if at := m.InstantOf(trip); at != trip.Facts.Start+passed {
				t.Fatalf("%s is shown %d ms after its start, not %d", trip.ID(), at-trip.Facts.Start, passed)
			}
			want, under := m.Locate(trip, trip.Facts.Start+passed)
			if k, there := got[trip.ID()]; there != under || there && roadnet.Distance(k.At, want.At) > 0.01 {
				t.Fatalf("%s, %d ms after its start: shown %+v (%v), is %+v (%v)", trip.ID(), passed, k, there, want, under)
			}
		}
	}
}

func TestAllTripsOfOneDay(t *testing.T) {
	net := roadnettest.GridCity(6)
	rng := rand.New(rand.NewPCG(3, 3))
	const minute = 60_000
	m := New()
	m.SetNetwork(net, nil)
	day := time.Date(2024, 5, 6, 0, 0, 0, 0, m.Zone()).UnixMilli()
	m.AddTrips([]*Trip{
		randomDrive(net, rng, "monday", day+600*minute),
		randomDrive(net, rng, "friday", day+4*aDay+600*minute),
		randomDrive(net, rng, "night", day+2*aDay-minute), // until a minute past midnight
	})
	m.SetPlayback(PlayDay)
	from, to, _ := m.TimeSpan()
	if from != day || to != day+aDay {
		t.Fatalf("the day runs from %d to %d", from, to)
	}
	under := func(at int64) (ids []string) {
		for _, k := range m.Fleet().Markers(at, nil) {
			ids = append(ids, k.Trip)
		}
		return ids
	}
	if got := under(day + 601*minute); fmt.Sprint(got) != "[monday friday]" {
		t.Errorf("at 10:01 %v are under way", got)
	}
	if got := under(day + minute/2); fmt.Sprint(got) != "[night]" {
		t.Errorf("past midnight %v are under way", got)
	}
	m.SetTime(day + 4*aDay + 600*minute)
	if m.Clock().At != day+600*minute {
		t.Errorf("a point on Friday moves the clock to %d", m.Clock().At-day)
	}
	if got := m.InstantOf(m.Trip("friday")); got != day+4*aDay+600*minute {
		t.Errorf("the clock is %d for the trip on Friday", got)
	}
	m.SetTime(day + minute/2)
	if got := m.InstantOf(m.Trip("night")); got != day+2*aDay+minute/2 {
		t.Errorf("the clock is %d for the trip past midnight", got)
	}
}

func TestPlaybackOfAllPassesOverEmptyTimes(t *testing.T) {
	net := roadnettest.GridCity(6)
	rng := rand.New(rand.NewPCG(4, 4))
	m := New()
	m.SetNetwork(net, nil)
	m.AddTrips([]*Trip{randomDrive(net, rng, "a", 0), randomDrive(net, rng, "b", 30*aDay)})
	m.SetPlayback(PlayAll)
	m.SetSpeed(100)
	m.Play(true)
	for range 3 {
		m.Advance(time.Second)
	}
	if at := m.Clock().At; at < 30*aDay || !m.Clock().Playing {
		t.Errorf("the clock is at %d: it plays times at which nothing is under way", at)
	}
	m.SelectTrip("a")
	if !m.Clock().Playing {
		t.Error("selecting a trip stops the playback of all")
	}
}

func TestNarrowedToSomeTrips(t *testing.T) {
	m, _ := loaded(t)
	m.Narrow("on Long Street", []string{"two", "three", "gone"})
	if what, n, ok := m.Narrowed(); what != "on Long Street" || n != 2 || !ok {
		t.Errorf("narrowed to %d trips %s", n, what)
	}
	if len(m.Found()) != 2 || m.Visible(m.Trip("one")) || !m.Visible(m.Trip("two")) {
		t.Error("what is left out is still there")
	}
	m.SetSearch("thr")
	if got := m.Found(); len(got) != 1 || got[0].ID() != "three" {
		t.Errorf("the search finds %d of them", len(got))
	}
	m.Narrow("on no street", nil)
	if len(m.Found()) != 0 {
		t.Error("no trip is not all trips")
	}
	m.SetSearch("")
	m.Widen()
	if len(m.Found()) != 3 || !m.Visible(m.Trip("one")) {
		t.Error("all trips are not back")
	}
}

// BenchmarkFrameOfPlayback looks for where all trips are, 100,000 of them over a
// day or 5,000 at once.
func BenchmarkFrameOfPlayback(b *testing.B) {
	for name, c := range map[string]struct {
		trips int
		over  time.Duration
	}{"100000 over a day": {100_000, 24 * time.Hour}, "5000 at once": {5000, time.Second}} {
		b.Run(name, func(b *testing.B) {
			m := fleetOf(b, rand.New(rand.NewPCG(1, 1)), roadnettest.GridCity(60), c.trips, c.over)
			m.SetPlayback(PlayAll)
			from, to, _ := m.TimeSpan()
			at := from
			var buf []render.Marker
			under := 0
			for b.Loop() {
				if at += 33 * 10; at > to {
					at = from
				}
				buf = m.Fleet().Markers(at, buf[:0])
				under += len(buf)
			}
			b.ReportMetric(float64(under)/float64(b.N), "trips/frame")
		})
	}
}
