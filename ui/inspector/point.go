package inspector

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
	"retrace/engine/trajectory/facts"
	"retrace/ui/kit"
	"retrace/ui/state"
	"retrace/ui/words"
)

func (p *Panel) over(t *state.Trip) string {
	return t.Title() + ", " + words.Day(t.Facts.Start, words.Zone(p.m))
}

// tick is all that is known of a recovered point.
func (p *Panel) tick(t *state.Trip, r *trajectory.Recovery, i int) []fyne.CanvasObject {
	k := r.Ticks[i]
	before, after := observedAround(r.Ticks, i)
	note := ""
	switch {
	case k.Observed:
		note = lang.L("input {{.N}}", map[string]any{"N": k.Sample + 1})
	case before >= 0 && after >= 0:
		note = lang.L("between inputs {{.A}} and {{.B}}", map[string]any{"A": before + 1, "B": after + 1})
	}
	content := []fyne.CanvasObject{heading(p.over(t), lang.L("Point {{.N}}", map[string]any{"N": i + 1}), note)}
	if k.Uncertain() {
		content = append(content, chips(lang.L("Deck or ground: margin {{.M}}", map[string]any{"M": words.Probability(float64(k.Margin))}))...)
	}
	content = append(content, gap(6, kit.NewFacts(p.tickFacts(r, i))))
	if k.Observed && int(k.Sample) < len(r.Matches) {
		content = append(content, p.candidates(t, int(k.Sample), r.Matches[k.Sample])...)
	}
	if !k.Observed {
		content = append(content, p.elsewhere(t, r, i, before, after)...)
	}
	content = append(content, p.ways(t, r, before, after)...)
	content = append(content, p.why(t, r, before, after)...)
	content = append(content, p.check()...)
	return append(content, p.pointButtons(t))
}

func (p *Panel) tickFacts(r *trajectory.Recovery, i int) []kit.Fact {
	k := r.Ticks[i]
	seg := p.m.Network().Segment(k.At.Segment)
	list := []kit.Fact{
		{Name: lang.L("Time"), Value: words.Clock(k.Time, words.Zone(p.m))},
		{Name: lang.L("Position"), Value: words.Place(roadnet.Point{Lon: k.Lon, Lat: k.Lat})},
		{Name: lang.L("Road"), Value: roadAndClass(seg)},
		{Name: lang.L("Layer"), Value: words.Signed(k.Layer) + ", " + words.Deck(k.Deck)},
		{Name: lang.L("Along segment"), Value: lang.L("{{.A}} of {{.B}}", map[string]any{
			"A": words.Length(k.At.Ratio * seg.Length), "B": words.Length(seg.Length)})},
	}
	if v, ok := facts.SpeedAfter(r.Ticks, i); ok {
		list = append(list, kit.Fact{Name: lang.L("Speed"), Value: words.Speed(v)})
	}
	place := facts.Places(r)[i]
	list = append(list, kit.Fact{Name: lang.L("Probability"), Value: words.Probability(float64(place.Road)), Bold: true})
	if place.Along > 0 {
		list = append(list, kit.Fact{Name: lang.L("Doubt"), Value: lang.L("± {{.D}} along the way", map[string]any{"D": words.Length(float64(place.Along))})})
	}
	return list
}

// roadAndClass is what a road is called, with its class where that says more.
func roadAndClass(seg roadnet.Segment) string {
	name, class := words.Road(seg), words.Class(seg.Class)
	if name == class {
		return name
	}
	return name + ", " + class
}

// observedAround are the samples at or before tick i and after it, -1 where
// there is none in the same part.
func observedAround(ticks []trajectory.Tick, i int) (before, after int) {
	before, after = -1, -1
	for j := i; j >= 0 && ticks[j].Part == ticks[i].Part; j-- {
		if ticks[j].Observed {
			before = int(ticks[j].Sample)
			break
		}
	}
	for j := i + 1; j < len(ticks) && ticks[j].Part == ticks[i].Part; j++ {
		if ticks[j].Observed {
			after = int(ticks[j].Sample)
			break
		}
	}
	return before, after
}

// sample is all that is known of an input point.
func (p *Panel) sample(t *state.Trip, i int) []fyne.CanvasObject {
	s := t.Trajectory().Samples[i]
	content := []fyne.CanvasObject{heading(p.over(t), lang.L("Input point {{.N}}", map[string]any{"N": i + 1}),
		lang.L("of {{.N}}", map[string]any{"N": len(t.Trajectory().Samples)}))}
	facts := []kit.Fact{
		{Name: lang.L("Time"), Value: words.Clock(s.Time, words.Zone(p.m))},
		{Name: lang.L("Position"), Value: words.Place(roadnet.Point{Lon: s.Lon, Lat: s.Lat})},
	}
	r := t.Shown()
	if r == nil || i >= len(r.Matches) {
		content = append(content, gap(10, kit.NewFacts(facts)))
		return append(content, p.pointButtons(t))
	}
	m := r.Matches[i]
	content = append(content, chips(matchWarning(m.State))...)
	if m.State.Placed() {
		seg := p.m.Network().Segment(m.At.Segment)
		facts = append(facts, kit.Fact{Name: lang.L("Road"), Value: words.Road(seg)},
			kit.Fact{Name: lang.L("Class"), Value: words.Kind(seg)},
			kit.Fact{Name: lang.L("Off the road"), Value: words.Length(float64(m.Distance))})
	}
	content = append(content, gap(10, kit.NewFacts(facts)))
	content = append(content, p.candidates(t, i, m)...)
	if tick := state.TickOf(r, i); tick >= 0 {
		before, after := observedAround(r.Ticks, tick)
		content = append(content, p.ways(t, r, before, after)...)
		content = append(content, p.why(t, r, before, after)...)
	}
	return append(content, p.pointButtons(t))
}

func matchWarning(s trajectory.SampleState) string {
	switch s {
	case trajectory.OffRoad:
		return lang.L("no road near: passed over")
	case trajectory.Outlier:
		return lang.L("no drive can pass here in time: passed over")
	case trajectory.Duplicate:
		return lang.L("same instant as the point before: passed over")
	case trajectory.Passed:
		return lang.L("tells nothing new: placed on the path by its time")
	}
	return ""
}

func (p *Panel) pointButtons(t *state.Trip) fyne.CanvasObject {
	trip := kit.NewButton(lang.L("Whole trip"), "route", kit.Normal, func() { p.m.SelectTrip(t.ID()) })
	again := kit.NewButton(lang.L("Recover again"), "again", kit.Primary, func() { p.acts.Recover(t) })
	again.SetEnabled(p.m.Network() != nil && t.Status != state.Outside && t.Status != state.Queued)
	return buttons(trip, again)
}
