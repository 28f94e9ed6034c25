package ui

import (
	"context"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"retrace/engine"
	"retrace/engine/flow"
	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
	"retrace/mapview/render"
	"retrace/ui/action"
	"retrace/ui/inspector"
	"retrace/ui/keeper"
	"retrace/ui/kit"
	"retrace/ui/state"
)

// checkActions are what a person does who checks recoveries: going from doubt to
// doubt, correcting, comparing.
func (w *window) checkActions() action.Table {
	m := w.m
	shift := func(r rune) action.Key { return action.Key{Rune: r, Shift: true} }
	doubts := func() bool { _, all := m.DoubtsLeft(); return all > 0 }
	return action.Table{
		{ID: "nextdoubt", Menu: action.View, Group: 7, Name: named("Next doubt"), Key: letter('d'), Enabled: doubts, Run: func() { w.doubt(1) }},
		{ID: "previousdoubt", Menu: action.View, Group: 7, Name: named("Previous doubt"), Key: shift('d'), Enabled: doubts, Run: func() { w.doubt(-1) }},
		{ID: "check", Menu: action.View, Group: 7, Name: named("Mark as checked and go on"), Key: letter('c'), Enabled: w.canCheck,
			Checked: func() bool { return m.Checked(m.Selected()) }, Run: w.check},
		{ID: "nextdifference", Menu: action.View, Group: 8, Name: named("Next difference"), Key: letter('g'), Enabled: w.comparing, Run: func() { m.StepDifference(1) }},
		{ID: "previousdifference", Menu: action.View, Group: 8, Name: named("Previous difference"), Key: shift('g'), Enabled: w.comparing, Run: func() { m.StepDifference(-1) }},
		{ID: "compare", Menu: action.Recover, Group: 4, Name: named("Compare with before"), Key: letter('v'), Enabled: w.hasEarlier, Run: w.compareEarlier},
		{ID: "comparemethod", Menu: action.Recover, Group: 4, Name: named("Compare with the other method"),
			Enabled: func() bool { return w.hasCurrent() && len(w.desk.OtherMethods(m.Current())) > 0 }, Run: func() { w.desk.CompareMethod(m.Current(), w.desk.OtherMethods(m.Current())[0]) }},
		{ID: "comparecity", Menu: action.Recover, Group: 4, Name: named("Compare with the model of this network"),
			Enabled: func() bool { return w.cityMethod() != "" }, Run: func() { w.desk.CompareMethod(m.Current(), w.cityMethod()) }},
		{ID: "comparetruth", Menu: action.Recover, Group: 4, Name: named("Compare with the truth"),
			Enabled: func() bool { return m.TruthOf(m.Current()) != nil && m.Current().IsShown() }, Run: func() { w.desk.CompareTruth(m.Current()) }},
		{ID: "forgettruth", Menu: action.Recover, Group: 4, Name: named("Forget the truth of all trips"), Enabled: w.hasTruth, Run: w.desk.ForgetTruths},
		{ID: "endcompare", Menu: action.Recover, Group: 4, Name: named("End comparison"), Enabled: w.comparing, Run: m.EndComparison},
		{ID: "forbid", Menu: action.Recover, Group: 5, Name: named("The input point is not on this road"), Key: letter('x'), Enabled: w.isMatched, Run: w.forbidHere},
		{ID: "unpin", Menu: action.Recover, Group: 5, Name: named("Clear the pins of the input point"), Key: letter('u'), Enabled: w.isPinned, Run: w.unpinHere},
		{ID: "rename", Menu: action.Recover, Group: 6, Name: named("Rename the trip…"), Key: action.Key{Name: fyne.KeyF2}, Enabled: w.hasCurrent, Run: func() { w.rename(m.Current()) }},
	}
}

// doubt goes to the next place in doubt, or to the one before, and shows it.
func (w *window) doubt(step int) {
	item, ok := w.m.NextDoubt(step)
	if !ok {
		w.m.Notify(state.Info, lang.L("Every place in doubt is checked."), "")
		return
	}
	w.m.Select(item)
	if at, ok := w.placeOf(item); ok && w.view.View().Zoom < placeZoom {
		w.goTo(at)
	}
}

func (w *window) canCheck() bool {
	t := w.m.Trip(w.m.Selected().Trip)
	if t == nil {
		return false
	}
	_, ok := t.MarkOf(w.m.Selected())
	return ok
}

// check marks the place that is selected as checked and goes on to the next, or
// takes its mark back.
func (w *window) check() {
	item := w.m.Selected()
	checked := !w.m.Checked(item)
	w.setChecked(item, checked)
	if left, _ := w.m.DoubtsLeft(); checked && left > 0 {
		w.doubt(1)
	}
}

func (w *window) setChecked(item render.Item, checked bool) {
	kind := state.UncheckStep
	if checked {
		kind = state.CheckStep
	}
	w.m.Do(kind, 1, "", func() { w.m.SetChecked(item, checked) })
}

// hasTruth reports whether it is known of a trip how it was driven.
func (w *window) hasTruth() bool {
	return slices.ContainsFunc(w.m.Trips(), func(t *state.Trip) bool { return t.True != nil })
}

func (w *window) hasEarlier() bool { return w.hasCurrent() && len(w.m.Earlier(w.m.Current().ID())) > 0 }

func (w *window) compareEarlier() {
	t := w.m.Current()
	w.desk.CompareEarlier(t, w.m.Earlier(t.ID())[0])
}

// isMatched reports whether an input point is selected that lies on a road.
func (w *window) isMatched() bool {
	_, _, ok := w.matchHere()
	return ok
}

func (w *window) matchHere() (*state.Trip, int, bool) {
	item := w.m.Selected()
	t := w.m.Trip(item.Trip)
	sample, ok := w.sampleOf(item)
	if !ok || !t.IsShown() || sample >= len(t.Shown().Matches) {
		return nil, 0, false
	}
	return t, sample, t.Shown().Matches[sample].State == trajectory.Matched
}

func (w *window) forbidHere() {
	t, sample, _ := w.matchHere()
	w.desk.Pin(t, sample, t.Shown().Matches[sample].At.Segment, true)
}

// isPinned reports whether an input point is selected that has pins.
func (w *window) isPinned() bool {
	item := w.m.Selected()
	sample, ok := w.sampleOf(item)
	if !ok {
		return false
	}
	for _, p := range w.m.Trip(item.Trip).Pins {
		if p.Sample == sample {
			return true
		}
	}
	return false
}

func (w *window) unpinHere() {
	item := w.m.Selected()
	if sample, ok := w.sampleOf(item); ok {
		w.desk.Unpin(w.m.Trip(item.Trip), sample)
	}
}

// rename asks for another name of a trip.
func (w *window) rename(t *state.Trip) {
	entry := kit.NewEntry()
	entry.SetText(t.Title())
	entry.OnSubmitted = func(string) { w.accept() }
	w.confirm(lang.L("Rename the trip"), lang.L("Rename"), fields(fieldName(lang.L("Name")), entry), 420, func() { w.desk.Rename(t, entry.Text) })
	w.win.Canvas().Focus(entry)
}

// cityMethod is the system trained on the network that is shown, by which the current
// trip was not recovered; empty where there is none.
func (w *window) cityMethod() string {
	if !w.hasCurrent() {
		return ""
	}
	others := w.desk.OtherMethods(w.m.Current())
	if i := slices.IndexFunc(others, engine.OfOneCity); i >= 0 {
		return others[i]
	}
	return ""
}

// inspectorActs is what the inspector does.
func (w *window) inspectorActs() inspector.Acts {
	return inspector.Acts{Recover: w.recoverOne, Solo: w.solo, Hide: w.hide, Export: w.export, Rename: w.rename,
		Pin: w.desk.Pin, Unpin: w.desk.Unpin, TakeWay: w.desk.TakeWay,
		Check: w.setChecked, Next: func() { w.doubt(1) },
		CompareEarlier: w.desk.CompareEarlier, CompareMethod: w.desk.CompareMethod, CompareTruth: w.desk.CompareTruth, Measure: w.desk.Measure,
		OtherMethods: w.desk.OtherMethods, Driven: w.drivenOn}
}

// drivenOn asks how a road was driven, of the trips and times that are counted.
func (w *window) drivenOn(segment roadnet.SegmentID, answer func(inspector.Driven)) {
	ask, road := w.m.TrafficAsk(), []roadnet.SegmentID{segment}
	keeper.Consult(w.traffic.keeper, "inspector", func(_ context.Context, x *flow.Index) (inspector.Driven, error) {
		return inspector.Driven{Hours: x.Hours(road, ask), Trips: x.TripsOn(road, ask)}, nil
	}, answer)
}
