package facts_test

import (
	"testing"

	"retrace/engine/trajectory"
	"retrace/engine/trajectory/facts"
)

// gaps is a recovery of two gaps with two points in each between the inputs, all
// points of probability 0.4 but the inputs'.
func gaps() *trajectory.Recovery {
	r := &trajectory.Recovery{Matches: make([]trajectory.SampleMatch, 3)}
	for i := range 7 {
		k := trajectory.Tick{Time: int64(i) * 15_000, Probability: 0.4, Margin: 1}
		if i%3 == 0 {
			k.Observed, k.Sample, k.Probability = true, uint32(i/3), 0.9
		}
		r.Ticks = append(r.Ticks, k)
	}
	return r
}

func TestAPlaceIsInDoubtWhereItsWayIs(t *testing.T) {
	r := gaps()
	if got := facts.Doubts(r); len(got) != 2 || got[0].Index != 1 || got[1].Index != 4 {
		t.Errorf("without other ways the points tell: %+v", got)
	}
	r.Alternatives = []trajectory.Alternative{{FromSample: 1, ToSample: 2, Probability: 0.3}, {FromSample: 1, ToSample: 2, Probability: 0.25}}
	got := facts.Doubts(r)
	if len(got) != 1 || got[0].Index != 4 || got[0].Sure < 0.449 || got[0].Sure > 0.451 {
		t.Errorf("the first gap has one way only, the second others of 0.55: %+v", got)
	}
	r.Ticks[3].Probability = 0.5
	if got := facts.Doubts(r); len(got) != 1 || got[0].Index != 4 {
		t.Errorf("an input in doubt and the gap behind it are one place: %+v", got)
	}
	r.Spans = []trajectory.Span{{Enter: 0, Exit: 70_000, Margin: 0.1}}
	if got := facts.Doubts(r); len(got) != 1 || !got[0].Span {
		t.Errorf("the span stands for the points on it: %+v", got)
	}
}
