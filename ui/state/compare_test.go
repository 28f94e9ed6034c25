package state

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
	"retrace/engine/trajectory"
	"retrace/engine/trajectory/facts"
)

// square is two ways from A to C, over B and over D and E.
func square(t *testing.T) *roadnettest.Net {
	t.Helper()
	return roadnettest.Draw(t, 100, `
		A---B---C---F
		|       |
		D-------E
	`, "ABCF", "ADEC")
}

// driven is a recovery that drives segments at 10 m/s from time 1,000,000 ms on,
// with a tick each 10 s.
func driven(net *roadnettest.Net, id string, segments ...roadnet.SegmentID) *trajectory.Recovery {
	r := &trajectory.Recovery{Trajectory: id, Parts: []trajectory.Part{{Segments: segments, EndRatio: 1}},
		Provenance: trajectory.Provenance{Method: "hmm", Fingerprint: net.Info().Fingerprint}}
	length := facts.PartLength(net.Network, r.Parts[0])
	for d := 0.0; ; d += 100 {
		d = min(d, length)
		r.Ticks = append(r.Ticks, trajectory.Tick{Time: 1_000_000 + int64(d*100), Along: d, Probability: 0.9, Margin: 1})
		if d == length {
			return r
		}
	}
}

func TestDifferencesAreTheStretchesDrivenDifferently(t *testing.T) {
	net := square(t)
	a := driven(net, "x", net.Seg("ABC"), net.Seg("CF"))
	b := driven(net, "x", net.Seg("ADEC"), net.Seg("CF"))
	list := Differences(net.Network, a, b)
	if len(list) != 1 {
		t.Fatalf("%d differences, want 1: %+v", len(list), list)
	}
	d := list[0]
	if math.Abs(d.Ours.Length-800) > 1 || math.Abs(d.Other.Length-1200) > 1 {
		t.Errorf("%.0f m against %.0f m, want 800 and 1200", d.Ours.Length, d.Other.Length)
	}
	if !d.Ours.Timed || d.Ours.Enter != 1_000_000 || math.Abs(float64(d.Ours.Leave-1_080_000)) > 200 || math.Abs(float64(d.Other.Leave-1_120_000)) > 200 {
		t.Errorf("from %d to %d, the other to %d", d.Ours.Enter, d.Ours.Leave, d.Other.Leave)
	}
	if len(d.Ours.Pieces) != 1 || d.Ours.Pieces[0].From != 0 || math.Abs(d.Ours.Pieces[0].To-800) > 1 {
		t.Errorf("pieces %+v", d.Ours.Pieces)
	}
	if same := Differences(net.Network, a, a); len(same) != 0 {
		t.Errorf("a way differs from itself: %+v", same)
	}
}

func TestALoopIsADifferenceOnOneSide(t *testing.T) {
	net := square(t)
	a := driven(net, "x", net.Seg("ABC"), net.Seg("CF"))
	b := driven(net, "x", net.Seg("ABC"), net.Seg("CBA"), net.Seg("ABC"), net.Seg("CF"))
	list := Differences(net.Network, a, b)
	if len(list) != 1 || list[0].Ours.Length != 0 || math.Abs(list[0].Other.Length-1600) > 1 {
		t.Fatalf("%+v", list)
	}
	if s := list[0].Ours; !s.Timed || s.Enter != s.Leave || s.Enter < 1_000_000 {
		t.Errorf("the side that drives nothing passes by from %d to %d", s.Enter, s.Leave)
	}
	if list := Differences(net.Network, &trajectory.Recovery{}, b); len(list) != 1 || list[0].Ours.Timed {
		t.Errorf("against nothing: %+v", list)
	}
}

// Whatever is driven, the common runs and the differences together are the whole
// of both ways.
func TestCommonRunsAreInOrderAndAlike(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := rapid.SliceOfN(rapid.Map(rapid.IntRange(0, 9), func(i int) roadnet.SegmentID { return roadnet.SegmentID(i) }), 0, 15)
		a, b := draw.Draw(t, "a"), draw.Draw(t, "b")
		i, j := 0, 0
		for _, x := range commonBlocks(a, b) {
			if x.a < i || x.b < j || x.n == 0 || x.a+x.n > len(a) || x.b+x.n > len(b) {
				t.Fatalf("run %+v after %d, %d", x, i, j)
			}
			for k := range x.n {
				if a[x.a+k] != b[x.b+k] {
					t.Fatalf("%+v is no common run", x)
				}
			}
			i, j = x.a+x.n, x.b+x.n
		}
	})
}

func TestComparisonFollowsTheTrip(t *testing.T) {
	net := square(t)
	m := New()
	m.SetNetwork(net.Network, nil)
	a := driven(net, "x", net.Seg("ABC"), net.Seg("CF"))
	b := driven(net, "x", net.Seg("ADEC"), net.Seg("CF"))
	p := net.Point('A')
	m.AddTrips([]*Trip{NewTrip(&trajectory.Trajectory{ID: "x", Samples: []trajectory.Sample{{Time: 1_000_000, Lon: p.Lon, Lat: p.Lat}, {Time: 1_200_000, Lon: p.Lon, Lat: p.Lat}}}, a, nil)})
	if m.StepDifference(1) {
		t.Error("there is nothing to step through")
	}
	m.Compare("x", Earlier, b)
	c, ok := m.Comparison()
	if !ok || len(c.Differences) != 1 || c.At != -1 {
		t.Fatalf("%+v", c)
	}
	if !m.StepDifference(1) || m.Clock().At != 1_000_000 {
		t.Errorf("clock %d", m.Clock().At)
	}
	m.StepDifference(1)
	if c, _ = m.Comparison(); c.At != 0 {
		t.Errorf("after the last comes the first, not %d", c.At)
	}
	m.SetResults([]Result{{ID: "x", Recovery: b}})
	if c, _ = m.Comparison(); c.Ours != b || len(c.Differences) != 0 {
		t.Errorf("after another recovery %d differences", len(c.Differences))
	}
	m.RemoveTrips([]string{"x"})
	if _, ok := m.Comparison(); ok {
		t.Error("a trip that is gone is compared")
	}
}
