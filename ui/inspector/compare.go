package inspector

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"retrace/engine/trajectory"
	"retrace/mapview/render"
	"retrace/ui/kit"
	"retrace/ui/look"
	"retrace/ui/state"
	"retrace/ui/words"
)

// comparison is the recovery of a trip beside another one: where they drive
// different ways.
func (p *Panel) comparison(t *state.Trip) []fyne.CanvasObject {
	c, _ := p.m.Comparison()
	content := []fyne.CanvasObject{heading(words.Day(t.Facts.Start, p.m.Zone()), t.Title(), lang.L("compared"))}
	content = append(content, gap(10, kit.NewFacts([]kit.Fact{
		{Name: lang.L("As shown"), Value: made(c.Ours)},
		{Name: lang.L("Beside"), Value: p.beside(c)},
	})))
	if c.Against == state.TrueWay {
		content = append(content, p.measured(t)...)
	}
	content = append(content, p.differences(c)...)
	before := kit.NewButton(lang.L("Previous"), "step-back", kit.Normal, func() { p.m.StepDifference(-1) })
	next := kit.NewButton(lang.L("Next"), "step-on", kit.Primary, func() { p.m.StepDifference(1) })
	before.SetEnabled(len(c.Differences) > 0)
	next.SetEnabled(len(c.Differences) > 0)
	end := kit.NewButton(lang.L("End comparison"), "cross", kit.Normal, p.m.EndComparison)
	return append(content, buttons(before, next), gap(8, end))
}

// made says by what a recovery was made.
func made(r *trajectory.Recovery) string {
	if r.Provenance.Model != "" {
		return words.Method(r.Provenance.Method) + ", " + words.Model(r.Provenance.Model)
	}
	return words.Method(r.Provenance.Method)
}

// beside says what a recovery is compared with.
func (p *Panel) beside(c state.Comparison) string {
	switch c.Against {
	case state.TrueWay:
		return lang.L("the way that was driven")
	case state.Earlier:
		return lang.L("before: {{.How}}", map[string]any{"How": made(c.Other)})
	}
	return made(c.Other)
}

// measured is what the recovery of a trip is worth beside the truth, where that
// is known.
func (p *Panel) measured(t *state.Trip) []fyne.CanvasObject {
	m, ok := p.acts.Measure(t)
	if !ok {
		return nil
	}
	return []fyne.CanvasObject{part(lang.L("Against the truth"), kit.NewFacts([]kit.Fact{
		{Name: lang.L("Way as driven"), Value: words.Percent(m.Alike), Bold: true},
		{Name: lang.L("Off in the mean"), Value: words.Length(m.Distance)},
		{Name: lang.L("Right segment"), Value: lang.N("{{.P}} of {{.N}} points", m.Points, map[string]any{"P": words.Percent(m.Right), "N": words.Count(m.Points)})},
		{Name: lang.L("F1 of segments"), Value: words.Probability(m.F1)},
	}))}
}

// maxDifferences bounds how many places are listed.
const maxDifferences = 60

// differences are the places where two recoveries drive different ways: a click
// looks at one.
func (p *Panel) differences(c state.Comparison) []fyne.CanvasObject {
	if len(c.Differences) == 0 {
		return []fyne.CanvasObject{part(lang.L("Differences"), kit.NewText(lang.L("Both drive the same way."), kit.Style{Colour: look.Muted}))}
	}
	ours, other := 0.0, 0.0
	var rows []fyne.CanvasObject
	for i, d := range c.Differences {
		ours, other = ours+d.Ours.Length, other+d.Other.Length
		if i < maxDifferences {
			rows = append(rows, p.difference(i, d, i == c.At))
		}
	}
	title := lang.N("{{.N}} places where they differ", len(c.Differences), map[string]any{"N": words.Count(len(c.Differences))})
	sum := lang.L("{{.A}} against {{.B}} in all", map[string]any{"A": words.Length(ours), "B": words.Length(other)})
	head := kit.NewCutText(sum, kit.Style{Colour: look.Muted, Size: look.SizeSmall}, 40)
	return []fyne.CanvasObject{part(title, append([]fyne.CanvasObject{head}, rows...)...)}
}

func (p *Panel) difference(i int, d state.Difference, chosen bool) fyne.CanvasObject {
	zone := p.m.Zone()
	when := lang.L("time not known")
	if d.Ours.Timed {
		when = words.Clock(d.Ours.Enter, zone)
		if d.Ours.Leave > d.Ours.Enter {
			when += " – " + words.Clock(d.Ours.Leave, zone)
		}
	}
	row := kit.NewColumn(1,
		kit.NewLine(8, 0, kit.NewCutText(fmt.Sprintf("%d  %s", i+1, when), kit.Style{Bold: chosen}, 40),
			kit.NewText(lang.L("{{.A}} against {{.B}}", map[string]any{"A": words.Length(d.Ours.Length), "B": words.Length(d.Other.Length)}), kit.Style{Bold: chosen})))
	return kit.NewLive(row, func(over bool) {
		item := render.Item{}
		if over {
			item = render.Item{Kind: render.DifferenceItem, Index: i, Trip: p.shown.trip.ID(), At: d.Ours.At}
		}
		p.m.Hover(item)
	}, func() { p.m.ShowDifference(i) })
}

// maxVersions bounds how many earlier recoveries are offered.
const maxVersions = 5

// comparable are what a trip's recovery can be compared with.
func (p *Panel) comparable(t *state.Trip) []fyne.CanvasObject {
	if !t.IsShown() {
		return nil
	}
	var rows []fyne.CanvasObject
	add := func(text string, run func()) {
		rows = append(rows, kit.NewLive(kit.NewCutText(text, kit.Style{}, 40), func(bool) {}, run))
	}
	for i, v := range p.m.Earlier(t.ID()) {
		if i == maxVersions {
			break
		}
		add(lang.L("as it was before: {{.Step}}", map[string]any{"Step": words.Step(v.Step)}), func() { p.acts.CompareEarlier(t, v) })
	}
	for _, method := range p.acts.OtherMethods(t) {
		add(lang.L("as recovered by {{.Method}}", map[string]any{"Method": words.Method(method)}), func() { p.acts.CompareMethod(t, method) })
	}
	if p.m.TruthOf(t) != nil {
		add(lang.L("with the way that was driven"), func() { p.acts.CompareTruth(t) })
	}
	if len(rows) == 0 {
		return nil
	}
	return []fyne.CanvasObject{part(lang.L("Compare"), rows...)}
}
