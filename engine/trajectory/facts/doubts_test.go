package facts_test

import (
	"testing"

	"retrace/engine/trajectory"
	"retrace/engine/trajectory/facts"
)

// gaps is a recovery of two gaps of a minute with three points in each between the
// inputs. The way of the first is certain, that of the second is not.
func gaps() *trajectory.Recovery {
	r := &trajectory.Recovery{Matches: make([]trajectory.SampleMatch, 3)}
	for i := range 9 {
		k := trajectory.Tick{Time: int64(i) * 15_000, Probability: 0.4, Margin: 1}
		if i%4 == 0 {
			k.Observed, k.Sample, k.Probability = true, uint32(i/4), 0.9
		}
		r.Ticks = append(r.Ticks, k)
	}
	r.Doubts = []trajectory.Doubt{
		{FromSample: 0, ToSample: 1, Probability: 1, Risk: 0.02, Along: 40},
		{FromSample: 1, ToSample: 2, Probability: 0.45, RunnerUp: 0.5, Risk: 0.6, Error: 120, Along: 60},
	}
	return r
}

func TestAGapIsInDoubtByItsRisk(t *testing.T) {
	r := gaps()
	got := facts.Doubts(r)
	if len(got) != 1 || got[0].Index != 1 || got[0].Tick != 6 || got[0].At != 90_000 || got[0].Error != 120 {
		t.Errorf("the second gap alone is in doubt, in its middle: %+v", got)
	}
	r.Gaps = []trajectory.Gap{{FromSample: 0, ToSample: 1, Why: trajectory.TooFast}}
	if got := facts.Doubts(r); len(got) != 2 || got[0].Why != trajectory.TooFast {
		t.Errorf("what cannot be driven is listed whatever its risk: %+v", got)
	}
	r.Spans = []trajectory.Span{{Enter: 5, Margin: 0.1}, {Margin: 0.5}}
	if got := facts.Doubts(r); len(got) != 3 || !got[0].Span || got[0].At != 5 {
		t.Errorf("a deck in doubt is listed too: %+v", got)
	}
	r.Doubts = nil
	if got := facts.Doubts(r); len(got) != 1 {
		t.Errorf("where risks are not known no gap is listed: %+v", got)
	}
}

func TestWhichRoadIsApartFromWhereAlongIt(t *testing.T) {
	r := gaps()
	places := facts.Places(r)
	if places[2].Road != 1 || places[2].Along != 40 {
		t.Errorf("half way through a gap whose way is certain the road is, and the place is not: %+v", places[2])
	}
	if places[1].Along >= 40 || places[1].Along <= 0 {
		t.Errorf("near an input there is less doubt: %+v", places[1])
	}
	if places[4].Road != 0.9 || places[4].Along != 0 {
		t.Errorf("an input is where it is matched: %+v", places[4])
	}
	if places[6].Road != 0.45 {
		t.Errorf("the way of the second gap is in doubt: %+v", places[6])
	}
	r.Doubts = nil
	if places := facts.Places(r); places[6].Road != 0.4 || places[6].Along != 0 {
		t.Errorf("where nothing is known of the way, the point tells: %+v", places[6])
	}
}

func TestTheGapOfAPoint(t *testing.T) {
	r := gaps()
	for tick, want := range []int{0, 0, 0, 0, 1, 1, 1, 1} {
		if got := facts.GapOf(r, tick); got != want {
			t.Errorf("point %d lies in gap %d, want %d", tick, got, want)
		}
	}
	if facts.GapOf(r, -1) != -1 || facts.GapOf(r, 99) != -1 {
		t.Error("no point, no gap")
	}
}
