package state

import (
	"errors"
	"math"
	"testing"

	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
	"retrace/engine/trajectory"
)

// street is one two-way street with three segments each way, 400 m long each.
func street(t *testing.T) *roadnettest.Net {
	t.Helper()
	return roadnettest.Draw(t, 100, `
		A---B---C---D
		    |   |
		    E   F
	`, "ABCD name=Long_Street", "BE", "CF")
}

// drive is a trip from A towards D with a sample a minute, and its recovery with
// a tick each 30 s, 200 m apart.
func drive(net *roadnettest.Net, id string) (*trajectory.Trajectory, *trajectory.Recovery) {
	a, d := net.Point('A'), net.Point('D')
	t := &trajectory.Trajectory{ID: id}
	r := &trajectory.Recovery{Trajectory: id, Provenance: trajectory.Provenance{Method: "hmm", Fingerprint: net.Info().Fingerprint}}
	path := []roadnet.SegmentID{net.Seg("AB"), net.Seg("BC"), net.Seg("CD")}
	r.Parts = []trajectory.Part{{Segments: path, StartRatio: 0, EndRatio: 1}}
	for i := range 7 {
		share := float64(i) / 6
		p := roadnet.Point{Lon: a.Lon + share*(d.Lon-a.Lon), Lat: a.Lat}
		k := trajectory.Tick{Time: int64(i) * 30_000, Lon: p.Lon, Lat: p.Lat, Along: share * 1200, Probability: 0.9, Margin: 1}
		along := math.Min(k.Along, 1199)
		k.At = roadnet.Position{Segment: path[int(along)/400], Ratio: math.Mod(along, 400) / 400}
		if i%2 == 0 {
			k.Observed, k.Sample = true, uint32(len(t.Samples))
			t.Samples = append(t.Samples, trajectory.Sample{Time: k.Time, Lon: p.Lon, Lat: p.Lat})
			r.Matches = append(r.Matches, trajectory.SampleMatch{At: k.At})
		}
		r.Ticks = append(r.Ticks, k)
	}
	r.Ticks[3].Probability = 0.4
	return t, r
}

// loaded is a model with the street and three trips, the first two recovered.
func loaded(t *testing.T) (*Model, *roadnettest.Net) {
	t.Helper()
	net := street(t)
	return loadedOn(net), net
}

func loadedOn(net *roadnettest.Net) *Model {
	m := New()
	m.SetNetwork(net.Network, nil)
	for _, id := range []string{"one", "two"} {
		tr, rec := drive(net, id)
		m.AddTrips([]*Trip{NewTrip(tr, rec, nil)})
	}
	tr, _ := drive(net, "three")
	m.AddTrips([]*Trip{NewTrip(tr, nil, nil)})
	return m
}

func TestFactsOfARecoveredTrip(t *testing.T) {
	m, _ := loaded(t)
	f := m.Trip("one").Facts
	if math.Abs(f.Length-1200) > 1 || f.Points != 4 || f.Ticks != 7 || f.Judged {
		t.Errorf("facts %+v", f)
	}
	if got := m.Count(); got.All != 3 || got.Recovered != 2 || got.Pending != 1 {
		t.Errorf("counts %+v", got)
	}
}

func TestRecoveryOfAnotherNetworkIsNotShown(t *testing.T) {
	m, _ := loaded(t)
	other := roadnettest.Draw(t, 100, "A---B---C---D", "ABCD highway=primary")
	m.SetNetwork(other.Network, nil)
	if got := m.Trip("one"); got.Status != Outdated || got.Shown() != nil {
		t.Errorf("status %v, shown %v", got.Status, got.Shown())
	}
}

func TestTripFarFromTheNetworkIsOutside(t *testing.T) {
	m, _ := loaded(t)
	far := &trajectory.Trajectory{ID: "far", Samples: []trajectory.Sample{{Lon: 100, Lat: 10}}}
	m.AddTrips([]*Trip{NewTrip(far, nil, nil)})
	if m.Trip("far").Status != Outside || m.Count().Outside != 1 {
		t.Errorf("status %v", m.Trip("far").Status)
	}
}

func TestResultsComeIn(t *testing.T) {
	m, net := loaded(t)
	m.SetQueued([]string{"three"}, true)
	if m.Trip("three").Status != Queued {
		t.Fatal("not queued")
	}
	_, rec := drive(net, "three")
	m.SetResults([]Result{{ID: "three", Recovery: rec}, {ID: "removed meanwhile", Recovery: rec}})
	if m.Trip("three").Status != Recovered {
		t.Errorf("status %v", m.Trip("three").Status)
	}
	m.SetQueued([]string{"one"}, true)
	m.SetResults([]Result{{ID: "one", Err: errors.New("no")}})
	if m.Trip("one").Status != Recovered {
		t.Error("a recovery that fails must not take the one before away")
	}
	m.SetQueued([]string{"two"}, true)
	m.SetQueued([]string{"two"}, false)
	if m.Trip("two").Status != Recovered {
		t.Error("a cancelled recovery leaves the trip as it was")
	}
}

func TestVisibleTrips(t *testing.T) {
	m, _ := loaded(t)
	m.SetHidden([]string{"one"}, true)
	m.SetSolo("one")
	if !m.Visible(m.Trip("one")) || m.Visible(m.Trip("two")) {
		t.Error("solo shows the one trip, also where it is hidden")
	}
	m.SetSolo("")
	if m.Visible(m.Trip("one")) || !m.Visible(m.Trip("two")) {
		t.Error("without solo the hidden are hidden")
	}
}

func TestSearch(t *testing.T) {
	m, _ := loaded(t)
	m.SetSearch("T")
	if got := m.Found(); len(got) != 2 || got[0].ID() != "two" {
		t.Errorf("found %d", len(got))
	}
	if id, ok := m.Neighbour(1); !ok || id != "two" {
		t.Errorf("next after none is %q", id)
	}
	m.SelectTrip("three")
	if _, ok := m.Neighbour(1); ok {
		t.Error("there is none after the last")
	}
	if id, _ := m.Neighbour(-1); id != "two" {
		t.Errorf("before three is %q", id)
	}
}

func TestWatchersHearOnceOfManyChanges(t *testing.T) {
	m, _ := loaded(t)
	calls, selections := 0, 0
	m.Watch(Trips|Selection, func() { calls++ })
	m.Watch(Selection, func() { selections++ })
	m.Change(func() {
		m.SetHidden([]string{"one"}, true)
		m.SetHidden([]string{"two"}, true)
		m.SelectTrip("one")
	})
	if calls != 1 || selections != 1 {
		t.Errorf("heard %d and %d times", calls, selections)
	}
	m.SetSearch("x")
	if calls != 1 {
		t.Error("heard of what it does not watch")
	}
}

// While a trip is recovered again, what it was recovered to before still shows.
func TestATripInTheQueueShowsWhatItWasRecoveredTo(t *testing.T) {
	m, _ := loaded(t)
	trip := m.Trips()[0]
	before := trip.Shown()
	if before == nil {
		t.Fatal("the trip is not recovered")
	}
	m.SetQueued([]string{trip.ID()}, true)
	if trip.Shown() != before || trip.Status != Queued || trip.Facts.Ticks == 0 {
		t.Errorf("in the queue it shows %v, status %v, %+v", trip.Shown(), trip.Status, trip.Facts)
	}
	m.SetQueued([]string{trip.ID()}, false)
	if trip.Status != Recovered {
		t.Errorf("after that its status is %v", trip.Status)
	}
}
