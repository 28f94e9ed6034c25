package state

import (
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"retrace/engine"
	"retrace/engine/trajectory"
	"retrace/mapview/render"
)

func TestRemoveAndUndo(t *testing.T) {
	m, _ := loaded(t)
	m.SelectTrip("two")
	m.Do(RemoveStep, 1, "two", func() { m.RemoveTrips([]string{"two"}) })
	if m.Trip("two") != nil || len(m.Trips()) != 2 || m.Current() != nil || m.Selected().Kind != render.NoItem {
		t.Fatal("the trip is not gone, or still selected")
	}
	m.Undo()
	if len(m.Trips()) != 3 || m.Trips()[1].ID() != "two" || m.Trip("two").Status != Recovered {
		t.Errorf("undo gives %d trips", len(m.Trips()))
	}
	if s := m.ToRedo(); s == nil || s.Kind != RemoveStep || s.Name != "two" {
		t.Errorf("to redo is %+v", s)
	}
	m.Redo()
	if m.Trip("two") != nil {
		t.Error("redo did not remove it again")
	}
	m.Undo()
	m.Do(HideStep, 1, "", func() { m.SetHidden([]string{"one"}, true) })
	if m.ToRedo() != nil {
		t.Error("a new change ends what can be redone")
	}
}

func TestAStepThatChangesNothingIsNone(t *testing.T) {
	m, _ := loaded(t)
	if s := m.Do(HideStep, 1, "", func() { m.SetHidden([]string{"one"}, false) }); s != nil || m.ToUndo() != nil {
		t.Error("showing what is shown can be undone")
	}
	s := m.DoLater(RecoverStep, 3, "")
	m.Do(HideStep, 1, "", func() { m.SetHidden([]string{"one"}, true) })
	m.Drop(s)
	if len(m.Steps()) != 1 || m.ToUndo().Kind != HideStep {
		t.Errorf("%d steps", len(m.Steps()))
	}
}

// A pin and the recovery that it leads to are one step, also where something
// else is done before the recovery has ended.
func TestAPinAndItsRecoveryAreOneStep(t *testing.T) {
	m, net := loaded(t)
	first := m.Trip("one").Recovery()
	pin := m.Do(PinStep, 2, "one", func() { m.SetPins("one", []engine.Pin{{Sample: 1, Segment: 3}}) })
	edition := m.Trip("one").Edition()
	m.Do(HideStep, 1, "", func() { m.SetHidden([]string{"one"}, true) })
	_, second := drive(net, "one")
	m.During(pin, func() { m.SetResults([]Result{{ID: "one", Edition: edition, Recovery: second}}) })
	if m.Trip("one").Recovery() != second {
		t.Fatal("the result did not come in")
	}
	if e := m.Earlier("one"); len(e) != 1 || e[0].Recovery != first {
		t.Errorf("earlier are %+v", e)
	}
	m.Undo()
	if m.Trip("one").Hidden || m.Trip("one").Recovery() != second {
		t.Error("the first undo shows the trip, and nothing more")
	}
	m.Undo()
	if got := m.Trip("one"); got.Recovery() != first || len(got.Pins) != 0 {
		t.Errorf("after undo there are %d pins", len(got.Pins))
	}
	m.Redo()
	if got := m.Trip("one"); got.Recovery() != second || len(got.Pins) != 1 {
		t.Error("redo does not bring pin and recovery back")
	}
}

func TestResultsOfWhatWasUndoneArePassedOver(t *testing.T) {
	m, net := loaded(t)
	first := m.Trip("one").Recovery()
	pin := m.Do(PinStep, 2, "one", func() { m.SetPins("one", []engine.Pin{{Sample: 1, Segment: 3}}) })
	edition := m.Trip("one").Edition()
	m.Undo()
	_, late := drive(net, "one")
	m.During(pin, func() { m.SetResults([]Result{{ID: "one", Edition: edition, Recovery: late}}) })
	m.During(nil, func() { m.SetResults([]Result{{ID: "one", Edition: edition, Recovery: late}}) })
	if m.Trip("one").Recovery() != first {
		t.Error("what was recovered with a pin that is gone is shown")
	}
}

func TestReadingTripsIsUndone(t *testing.T) {
	m, net := loaded(t)
	again, _ := drive(net, "two")
	again.Vehicle = "bus"
	fresh, _ := drive(net, "four")
	read := m.DoLater(ReadStep, 0, "")
	m.During(read, func() { m.AddTrips([]*Trip{NewTrip(again, nil, nil)}) })
	m.During(read, func() { m.AddTrips([]*Trip{NewTrip(fresh, nil, nil)}) })
	if len(m.Trips()) != 4 || m.Trip("two").Status != Waiting {
		t.Fatalf("%d trips", len(m.Trips()))
	}
	m.Undo()
	if len(m.Trips()) != 3 || m.Trip("four") != nil || m.Trip("two").Trajectory().Vehicle != "" || m.Trip("two").Status != Recovered {
		t.Errorf("after undo there are %d trips", len(m.Trips()))
	}
	m.Redo()
	if len(m.Trips()) != 4 || m.Trips()[1].Trajectory().Vehicle != "bus" || m.Trips()[3].ID() != "four" {
		t.Errorf("after redo there are %d trips", len(m.Trips()))
	}
}

func TestSettingsOfRecoveryAreUndone(t *testing.T) {
	m, _ := loaded(t)
	o := m.Options()
	o.Tick, o.Theme = 5, "dark"
	m.Do(SettingsStep, 0, "", func() { m.SetOptions(o) })
	m.Undo()
	if got := m.Options(); got.Tick != 15 || got.Theme != "dark" {
		t.Errorf("after undo %+v", got)
	}
	m.Redo()
	if m.Options().Tick != 5 {
		t.Error("redo does nothing")
	}
	o.Theme = "light"
	if s := m.Do(SettingsStep, 0, "", func() { m.SetOptions(o) }); s != nil {
		t.Error("another theme is no change of the workspace")
	}
}

func TestHistoryIsBounded(t *testing.T) {
	m, _ := loaded(t)
	for i := range maxSteps + 20 {
		m.Do(HideStep, 1, "", func() { m.SetHidden([]string{"one"}, i%2 == 0) })
	}
	if n := len(m.Steps()); n != maxSteps {
		t.Errorf("%d steps", n)
	}
	if u := m.TakeUnsaved(); len(u.Forgotten) != 20 || len(u.Steps) != maxSteps {
		t.Errorf("%d steps are forgotten, %d to be kept", len(u.Forgotten), len(u.Steps))
	}
}

func TestUnsavedNamesWhatChanged(t *testing.T) {
	m, _ := loaded(t)
	if u := m.TakeUnsaved(); !u.Empty() {
		t.Fatalf("what was loaded is to be kept: %+v", u)
	}
	s := m.Do(PinStep, 1, "one", func() { m.SetPins("one", []engine.Pin{{Sample: 1}}) })
	m.Do(RemoveStep, 1, "two", func() { m.RemoveTrips([]string{"two"}) })
	u := m.TakeUnsaved()
	if !reflect.DeepEqual(u.Trips, []string{"one", "two"}) || u.Facets["one"] != Pinning || u.Facets["two"] != Presence || len(u.Held[s]) != 1 {
		t.Errorf("%+v", u)
	}
	if u := m.TakeUnsaved(); !u.Empty() {
		t.Error("it is taken twice")
	}
	m.Undo()
	if u := m.TakeUnsaved(); len(u.Trips) != 1 || u.Trips[0] != "two" || len(u.Steps) != 1 {
		t.Errorf("undo leaves %+v", u)
	}
}

// Where a trip leaves whose truth is known, what is kept of truths changes too.
func TestUnsavedNamesTheTruthOfATripThatLeaves(t *testing.T) {
	m, net := loaded(t)
	_, way := drive(net, "two")
	m.Do(TruthStep, 1, "two", func() { m.SetTruths(map[string]Truth{"one": {}, "two": {Way: way}}) })
	if u := m.TakeUnsaved(); len(u.Trips) != 1 || u.Facets["two"] != Truths {
		t.Errorf("a truth leaves %+v", u)
	}
	m.Do(RemoveStep, 2, "", func() { m.RemoveTrips([]string{"one", "two"}) })
	for _, what := range []string{"removing", "undo", "redo"} {
		if u := m.TakeUnsaved(); u.Facets["two"] != Presence|Truths || u.Facets["one"] != Presence {
			t.Errorf("%s leaves %+v", what, u)
		}
		if what == "removing" {
			m.Undo()
		} else {
			m.Redo()
		}
	}
}

func TestUndoOfATruthEndsTheComparisonWithIt(t *testing.T) {
	m, net := loaded(t)
	_, way := drive(net, "one")
	m.Do(TruthStep, 1, "one", func() { m.SetTruths(map[string]Truth{"one": {Way: way}}) })
	if !m.Compare("one", TrueWay, m.TruthOf(m.Trip("one"))) {
		t.Fatal("it is not compared")
	}
	m.Undo()
	if _, ok := m.Comparison(); ok {
		t.Error("a truth that is not known any more is compared with")
	}
}

func TestAStepThatIsNotWholeIsForgottenWithThoseBehind(t *testing.T) {
	m, _ := loaded(t)
	for i := range 5 {
		m.Do(HideStep, 1, "", func() { m.SetHidden([]string{"one"}, i%2 == 0) })
	}
	m.Undo()
	m.Undo()
	steps := append([]*Step(nil), m.Steps()...)
	m.ForgetUntil(steps[1])
	if len(m.Steps()) != 3 || m.ToUndo() != steps[2] {
		t.Errorf("%d steps are left", len(m.Steps()))
	}
	m.ForgetUntil(steps[4])
	if len(m.Steps()) != 2 || m.ToRedo() != steps[3] {
		t.Errorf("%d steps are left", len(m.Steps()))
	}
}

func TestOlderStepsAreUnloaded(t *testing.T) {
	m, net := loaded(t)
	var made []*trajectory.Recovery
	for range 5 {
		_, r := drive(net, "one")
		made = append(made, r)
		m.Do(RecoverStep, 1, "one", func() { m.SetResults([]Result{{ID: "one", Recovery: r}}) })
	}
	m.Steps()[1].Keeping([]int{0})
	m.Steps()[2].Keeping([]int{0})
	m.Unload(2)
	for i, s := range m.Steps() {
		if want := i == 1 || i == 2; s.Loaded() == want {
			t.Errorf("step %d is loaded: %v; it is kept: %v", i, s.Loaded(), want)
		}
	}
	held := m.Steps()[2].Held[0]
	held.Load(nil, made[1])
	if e := m.Earlier("one"); len(e) != 5 || e[2].Recovery != made[1] || e[3].Recovery != nil {
		t.Errorf("%d earlier recoveries", len(e))
	}
}

// world is all that the history has to bring back.
func world(m *Model) string {
	var b strings.Builder
	for _, t := range m.Trips() {
		b.WriteString(t.Title())
		if t.Hidden {
			b.WriteString(" hidden")
		}
		for _, p := range t.Pins {
			b.WriteString(strings.Repeat("*", int(p.Segment)))
		}
		if t.Recovery() != nil {
			b.WriteString(t.Recovery().Provenance.Version)
		}
		b.WriteString(strings.Repeat("x", len(t.Checked)))
		if t.True != nil {
			b.WriteString(" truth " + t.True.Provenance.Version)
		}
		b.WriteString("\n")
	}
	b.WriteString(strings.Repeat("t", m.Options().Tick))
	return b.String()
}

// Whatever is done, undone and redone: undo brings back what was before, step by
// step, and redo what was after.
func TestUndoAndRedoGoAllTheWay(t *testing.T) {
	net := street(t)
	rapid.Check(t, func(rt *rapid.T) {
		m := loadedOn(net)
		ids := []string{"one", "two", "three", "four"}
		states := []string{world(m)}
		id := rapid.SampledFrom(ids)
		for n := range rapid.IntRange(1, 12).Draw(rt, "steps") {
			change := func(first int) {
				at := id.Draw(rt, "trip")
				switch rapid.IntRange(first, 8).Draw(rt, "what") {
				case 0:
					m.RemoveTrips([]string{at, id.Draw(rt, "other")})
				case 1:
					tr, _ := drive(net, at)
					m.AddTrips([]*Trip{NewTrip(tr, nil, nil)})
				case 2:
					_, r := drive(net, at)
					r.Provenance.Version = string(rune('A' + n))
					if trip := m.Trip(at); trip != nil {
						m.SetResults([]Result{{ID: at, Edition: trip.Edition(), Recovery: r}})
					}
				case 3:
					m.SetPins(at, []engine.Pin{{Segment: 2}})
				case 4:
					m.SetHidden([]string{at}, n%2 == 0)
				case 5:
					m.SetName(at, rapid.SampledFrom([]string{"", "bus", "tram"}).Draw(rt, "name"))
				case 6:
					m.SetChecked(render.Item{Kind: render.TickItem, Trip: at, Index: n % 7}, n%3 > 0)
				case 7:
					o := m.Options()
					o.Tick = 10 + n
					m.SetOptions(o)
				case 8:
					truth := Truth{}
					if n%3 > 0 {
						_, truth.Way = drive(net, at)
						truth.Way.Provenance.Version = string(rune('A' + n))
					}
					m.SetTruths(map[string]Truth{at: truth})
				}
			}
			if m.Do(RecoverStep, 0, "", func() { change(2); change(0) }) != nil {
				states = append(states, world(m))
			}
		}
		for i := len(states) - 2; i >= 0; i-- {
			m.Undo()
			if got := world(m); got != states[i] {
				rt.Fatalf("undo gives\n%s\nwant\n%s", got, states[i])
			}
		}
		for i := 1; i < len(states); i++ {
			m.Redo()
			if got := world(m); got != states[i] {
				rt.Fatalf("redo gives\n%s\nwant\n%s", got, states[i])
			}
		}
	})
}

func TestNamesAndMarksHoldForTheirTrip(t *testing.T) {
	m := doubtful(t)
	item := render.Item{Kind: render.SpanItem, Trip: "one", Index: 1}
	m.Do(CheckStep, 1, "", func() { m.SetChecked(item, true) })
	if left, all := m.DoubtsLeft(); left != 2 || all != 3 || !m.Checked(item) {
		t.Errorf("%d of %d left", left, all)
	}
	m.Do(RenameStep, 1, "one", func() { m.SetName("one", "Line 7") })
	if m.Trip("one").Title() != "Line 7" || m.Trip("one").ID() != "one" {
		t.Error("the trip has not its name")
	}
	m.SetSearch("line 7")
	if found := m.Found(); len(found) != 1 {
		t.Errorf("%d trips are found by the name", len(found))
	}
	m.Do(RenameStep, 1, "one", func() { m.SetName("one", "one") })
	if m.Trip("one").Name != "" {
		t.Error("the id is no name of its own")
	}
}
