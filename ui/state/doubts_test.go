package state

import (
	"testing"

	"retrace/engine/trajectory"
	"retrace/mapview/render"
)

// doubtful is a model with two recovered trips: "one" with a gap of risk 0.5 and
// two spans, one of them in doubt (margin 0.1), "two" with a gap of risk 0.9 and one
// that is sure.
func doubtful(t *testing.T) *Model {
	m, _ := loaded(t)
	one := m.Trip("one").Recovery()
	one.Spans = []trajectory.Span{
		{Enter: 0, Exit: 20_000, Road: "Bridge", Kind: trajectory.OnDeck, Margin: 0.9},
		{Enter: 110_000, Exit: 130_000, Road: "Bridge", Kind: trajectory.Below, Margin: 0.1},
	}
	one.Doubts = []trajectory.Doubt{{FromSample: 1, ToSample: 2, Risk: 0.5, Probability: 0.6}}
	two := m.Trip("two").Recovery()
	two.Doubts = []trajectory.Doubt{{FromSample: 0, ToSample: 1, Risk: 0.1}, {FromSample: 1, ToSample: 2, Risk: 0.9}}
	for _, id := range []string{"one", "two"} { // what was recovered is another thing now
		trip := m.Trip(id)
		trip.finding = NewFinding(trip.Recovery())
		trip.measure(m.net)
	}
	m.revision++
	return m
}

func TestDoubtsComeByRisk(t *testing.T) {
	m := doubtful(t)
	want := []render.Item{
		{Kind: render.TickItem, Trip: "two", Index: 3},
		{Kind: render.TickItem, Trip: "one", Index: 3},
		{Kind: render.SpanItem, Trip: "one", Index: 1},
	}
	got := m.Doubts()
	if len(got) != len(want) {
		t.Fatalf("%+v", got)
	}
	for i, d := range got {
		if d.Item != want[i] {
			t.Errorf("place %d is %+v, want %+v", i, d.Item, want[i])
		}
	}
	if left, all := m.DoubtsLeft(); left != 3 || all != 3 {
		t.Errorf("%d of %d left", left, all)
	}
}

func TestNextDoubtPassesOverWhatIsChecked(t *testing.T) {
	m := doubtful(t)
	step := func(by int) render.Item {
		t.Helper()
		item, ok := m.NextDoubt(by)
		if !ok {
			t.Fatal("there is none")
		}
		m.Select(item)
		return item
	}
	check := func(item render.Item) {
		trip := m.Trip(item.Trip)
		mark, ok := trip.MarkOf(item)
		if !ok {
			t.Fatalf("%+v cannot be marked", item)
		}
		trip.Checked = append(trip.Checked, mark)
		m.revision++
	}
	first, second := step(1), step(1)
	check(second)
	if !m.Checked(second) || m.Checked(first) {
		t.Error("the wrong place is checked")
	}
	if left, all := m.DoubtsLeft(); left != 2 || all != 3 {
		t.Errorf("%d of %d left", left, all)
	}
	third := step(1)
	if third == second || step(1) != first || step(1) != third {
		t.Error("the next does not go round over what is not checked")
	}
	if step(-1) != second {
		t.Error("the place before is shown also where it is checked")
	}
	m.Select(render.Item{Kind: render.RoadItem, Segment: 1})
	if step(1) != third {
		t.Error("a look at a road loses the place in the list")
	}
	check(first)
	check(third)
	if _, ok := m.NextDoubt(1); ok {
		t.Error("all is checked")
	}
}

func TestAMarkEndsWhereSomethingElseIsRecovered(t *testing.T) {
	m := doubtful(t)
	one := m.Trip("one")
	item := render.Item{Kind: render.SpanItem, Trip: "one", Index: 1}
	mark, _ := one.MarkOf(item)
	one.Checked = []Mark{mark}
	other := *one.Recovery()
	other.Spans = append([]trajectory.Span(nil), other.Spans...)
	m.SetResults([]Result{{ID: "one", Recovery: &other}})
	if !m.Checked(item) {
		t.Error("the same span is not checked any more")
	}
	third := other
	third.Spans = append([]trajectory.Span(nil), other.Spans...)
	third.Spans[1].Kind = trajectory.OnDeck
	m.SetResults([]Result{{ID: "one", Recovery: &third}})
	if m.Checked(item) {
		t.Error("another deck counts as checked")
	}
}
