package inspector

import (
	"fmt"
	"path/filepath"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"retrace/engine/trajectory"
	"retrace/engine/trajectory/facts"
	"retrace/mapview/render"
	"retrace/ui/kit"
	"retrace/ui/look"
	"retrace/ui/state"
	"retrace/ui/words"
)

// trip is all that is known of a whole trip.
func (p *Panel) trip(t *state.Trip) []fyne.CanvasObject {
	zone := words.Zone(p.m)
	over := ""
	if t.Facts.Points > 0 {
		over = words.Day(t.Facts.Start, zone)
	}
	content := []fyne.CanvasObject{heading(over, t.Title(), words.Status(t.Status))}
	content = append(content, chips(p.tripWarnings(t)...)...)
	content = append(content, gap(10, kit.NewFacts(p.tripFacts(t))))
	if r := t.Shown(); r != nil && len(r.Ticks) > 1 {
		content = append(content, plots(r)...)
	}
	content = append(content, p.measured(t)...)
	content = append(content, p.tripDoubts(t)...)
	content = append(content, p.comparable(t)...)
	if r := t.Shown(); r != nil {
		content = append(content, provenance(r))
	}
	return append(content, p.tripButtons(t))
}

func (p *Panel) tripWarnings(t *state.Trip) []string {
	var list []string
	if w := words.Warnings(t); w != "" {
		list = append(list, w)
	}
	if t.Status == state.Outdated {
		list = append(list, p.belongs(t))
	}
	if r := t.Shown(); r != nil {
		list = append(list, r.Warnings...)
	}
	const most = 6
	if n := len(list); n > most {
		list = append(list[:most:most], lang.L("and {{.N}} more", map[string]any{"N": n - most}))
	}
	return list
}

// belongs says on which network a trip was recovered that is not recovered on this one.
func (p *Panel) belongs(t *state.Trip) string {
	name := p.m.NetworkOf(t)
	if net := p.m.Network(); name == "" || net == nil || name == net.Info().Name {
		return lang.L("recovered on another network: recover again")
	}
	return lang.L("belongs to the network {{.Name}}, on which it is recovered", map[string]any{"Name": name})
}

func (p *Panel) tripFacts(t *state.Trip) []kit.Fact {
	zone, f := words.Zone(p.m), t.Facts
	if f.Points == 0 {
		return []kit.Fact{{Name: lang.L("Input points"), Value: "0"}}
	}
	facts := []kit.Fact{
		{Name: lang.L("Start"), Value: words.At(f.Start, zone)},
		{Name: lang.L("End"), Value: words.At(f.End, zone)},
		{Name: lang.L("Duration"), Value: words.Duration(f.Duration())},
		{Name: lang.L("Length"), Value: words.Length(f.Distance())},
		{Name: lang.L("Mean speed"), Value: words.Speed(f.MeanSpeed())},
		{Name: lang.L("Input points"), Value: words.Count(f.Points)},
	}
	if t.Vehicle() != "" && t.Vehicle() != t.ID() {
		facts = append(facts, kit.Fact{Name: lang.L("Vehicle"), Value: t.Vehicle()})
	}
	if t.IsShown() && f.Judged {
		facts = append(facts,
			kit.Fact{Name: lang.L("Risk"), Value: words.Percent(float64(f.Risk)), Bold: true},
			kit.Fact{Name: lang.L("Expected error"), Value: words.Length(float64(f.Error))})
	}
	if t.IsShown() {
		facts = append(facts,
			kit.Fact{Name: lang.L("Recovered"), Value: words.Count(f.Ticks)},
			kit.Fact{Name: lang.L("On decks"), Value: words.Length(f.Elevated)},
			kit.Fact{Name: lang.L("Breaks"), Value: fmt.Sprint(f.Breaks)})
		if pins := len(t.Pins); pins > 0 {
			facts = append(facts, kit.Fact{Name: lang.L("Pins"), Value: words.Count(pins)})
		}
	}
	if t.Name != "" {
		facts = append(facts, kit.Fact{Name: lang.L("Trip id"), Value: t.ID()})
	}
	if t.Source() != "" {
		facts = append(facts, kit.Fact{Name: lang.L("File"), Value: filepath.Base(t.Source())})
	}
	return facts
}

// plots are speed and probability over time.
func plots(r *trajectory.Recovery) []fyne.CanvasObject {
	speed, fastest := speedSteps(r.Ticks)
	speedPlot := kit.NewPlot(34, look.Bars)
	speedPlot.Set(speed)
	probability := kit.NewPlot(34, look.Path)
	probability.Set(probabilitySteps(r))
	return []fyne.CanvasObject{part(lang.L("Over time"),
		plotLine(lang.L("Speed"), lang.L("up to {{.Speed}}", map[string]any{"Speed": words.Speed(fastest)})), speedPlot,
		plotLine(lang.L("Probability of the way"), "0 – 1"), probability)}
}

func plotLine(name, note string) fyne.CanvasObject {
	return kit.NewLine(8, 0, kit.NewCutText(name, kit.Style{}, 40), kit.NewText(note, kit.Style{Colour: look.Muted, Size: look.SizeSmall}))
}

// speedSteps are the speeds from tick to tick, scaled to the highest, which is
// returned in m/s.
func speedSteps(ticks []trajectory.Tick) ([]kit.Step, float64) {
	var steps []kit.Step
	fastest := 0.0
	for i := range ticks {
		if v, ok := facts.SpeedAfter(ticks, i); ok {
			fastest = max(fastest, v)
			from, to := share(ticks, i), share(ticks, i+1)
			steps = append(steps, kit.Step{From: from, To: to, Value: v})
		}
	}
	if fastest > 0 {
		for i := range steps {
			steps[i].Value /= fastest
		}
	}
	return steps, fastest
}

// probabilitySteps are the probabilities of the way at the ticks.
func probabilitySteps(r *trajectory.Recovery) []kit.Step {
	ticks, places := r.Ticks, facts.Places(r)
	steps := make([]kit.Step, 0, len(ticks))
	for i := 0; i+1 < len(ticks); i++ {
		steps = append(steps, kit.Step{From: share(ticks, i), To: share(ticks, i+1), Value: float64(places[i].Road)})
	}
	return steps
}

// share is where tick i lies in the time of all ticks, 0 to 1.
func share(ticks []trajectory.Tick, i int) float64 {
	first, last := ticks[0].Time, ticks[len(ticks)-1].Time
	if last == first {
		return 0
	}
	return float64(ticks[i].Time-first) / float64(last-first)
}

func (p *Panel) tripButtons(t *state.Trip) fyne.CanvasObject {
	again := kit.NewButton(lang.L("Recover"), "again", kit.Primary, func() { p.acts.Recover(t) })
	if t.Finding() != nil {
		again.SetText(lang.L("Recover again"))
	}
	again.SetEnabled(p.m.Network() != nil && t.Status != state.Outside && t.Status != state.Queued)
	solo := kit.NewButton(lang.L("Solo"), "solo", kit.Normal, p.acts.Solo)
	if p.m.Solo() == t.ID() {
		solo.SetText(lang.L("Show all"))
	}
	hide := kit.NewButton(lang.L("Hide"), "eye-off", kit.Normal, p.acts.Hide)
	if !p.m.Visible(t) {
		hide.SetText(lang.L("Show"))
		hide.SetIcon("eye")
	}
	export := kit.NewButton(lang.L("Export…"), "export", kit.Normal, p.acts.Export)
	export.SetEnabled(t.IsShown())
	rename := kit.NewButton(lang.L("Rename…"), "", kit.Normal, func() { p.acts.Rename(t) })
	return buttons(solo, hide, export, rename, again)
}

// tripDoubts are the places of a trip that are in doubt: a click leads there.
func (p *Panel) tripDoubts(t *state.Trip) []fyne.CanvasObject {
	var rows []fyne.CanvasObject
	left := 0
	for _, d := range p.m.Doubts() {
		if d.Item.Trip != t.ID() {
			continue
		}
		note := words.Percent(d.Risk)
		if d.Checked {
			note = lang.L("checked")
		} else {
			left++
		}
		line := kit.NewLine(8, 0, kit.NewCutText(words.Clock(d.At, p.m.Zone())+"  "+p.doubtName(t, d), kit.Style{}, 40),
			kit.NewText(note, kit.Style{Colour: look.Muted}))
		rows = append(rows, kit.NewLive(line, func(bool) {}, func() { p.m.Select(d.Item) }))
	}
	if len(rows) == 0 {
		return nil
	}
	const most = 6
	if n := len(rows); n > most {
		rows = append(rows[:most:most], kit.NewText(lang.L("and {{.N}} more", map[string]any{"N": n - most}), kit.Style{Colour: look.Muted}))
	}
	return []fyne.CanvasObject{part(lang.N("{{.N}} places to check", left, map[string]any{"N": words.Count(left)}), rows...)}
}

// doubtName is what is in doubt.
func (p *Panel) doubtName(t *state.Trip, d state.Doubt) string {
	r := t.Shown()
	if d.Item.Kind == render.SpanItem {
		return lang.L("deck or ground: {{.Road}}", map[string]any{"Road": words.SpanRoad(r.Spans[d.Item.Index].Road)})
	}
	return words.Road(p.m.Network().Segment(r.Ticks[d.Item.Index].At.Segment))
}
