package inspector

import (
	"fmt"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"retrace/engine/trajectory"
	"retrace/mapview/render"
	"retrace/ui/kit"
	"retrace/ui/look"
	"retrace/ui/state"
	"retrace/ui/words"
)

// span is all that is known of a stretch on, below or near an elevated road.
func (p *Panel) span(t *state.Trip, s trajectory.Span) []fyne.CanvasObject {
	zone := p.m.Zone()
	content := []fyne.CanvasObject{heading(p.over(t), words.SpanRoad(s.Road), words.Deck(s.Kind))}
	if s.Margin < trajectory.UncertainMargin {
		content = append(content, chips(lang.L("Deck or ground: margin {{.M}}", map[string]any{"M": words.Probability(float64(s.Margin))}))...)
	}
	content = append(content, gap(10, kit.NewFacts([]kit.Fact{
		{Name: lang.L("Entry"), Value: words.Clock(s.Enter, zone)},
		{Name: lang.L("Exit"), Value: words.Clock(s.Exit, zone)},
		{Name: lang.L("Time"), Value: fmt.Sprintf("%.0f s", float64(s.Exit-s.Enter)/1000)},
		{Name: lang.L("Length"), Value: words.Length(s.To - s.From)},
		{Name: lang.L("Margin"), Value: words.Probability(float64(s.Margin)), Bold: true},
	})), part(lang.L("Deck against ground"), deckRows(s)...))
	content = append(content, p.check()...)
	return append(content, p.pointButtons(t))
}

// deckRows are the road of a span and the runner-up, with a bar each. Of the
// runner-up the margin tells how probable it is where it comes closest.
func deckRows(s trajectory.Span) []fyne.CanvasObject {
	rows := []fyne.CanvasObject{probabilityRow(words.SpanRoad(s.Road), words.Deck(s.Kind), float64(s.Probability), look.Path, true)}
	if s.RunnerUp == "" {
		return append(rows, kit.NewText(lang.L("No other road is near."), kit.Style{Colour: look.Muted}))
	}
	other := lang.L("on the deck")
	if s.Kind == trajectory.OnDeck {
		other = lang.L("ground")
	}
	second := max(float64(s.Probability)-float64(s.Margin), 0)
	return append(rows, probabilityRow(words.SpanRoad(s.RunnerUp), lang.L("runner-up, {{.Where}}, at the most", map[string]any{"Where": other}), second, look.Alternative, false))
}

// check is whether a person has looked at the place that is selected, and what
// is left to look at.
func (p *Panel) check() []fyne.CanvasObject {
	item := p.m.Selected()
	t := p.m.Trip(item.Trip)
	if t == nil || item.Kind != render.SpanItem && item.Kind != render.TickItem {
		return nil
	}
	checked := p.m.Checked(item)
	label, icon := lang.L("Mark as checked"), "check"
	if checked {
		label, icon = lang.L("Checked: take back"), "cross"
	}
	mark := kit.NewButton(label, icon, kit.Normal, func() { p.acts.Check(item, !checked) })
	next := kit.NewButton(lang.L("Next doubt"), "step-on", kit.Normal, p.acts.Next)
	left, all := p.m.DoubtsLeft()
	next.SetEnabled(left > 0)
	text := lang.L("{{.Left}} of {{.All}} places left to check", map[string]any{"Left": words.Count(left), "All": words.Count(all)})
	return []fyne.CanvasObject{under(kit.NewLine(8, 0, kit.NewCutText(strings.ToUpper(lang.L("In doubt")), kit.Style{Colour: look.Muted, Size: look.SizeSmall, Bold: true}, 40),
		kit.NewText(text, kit.Style{Colour: look.Muted, Size: look.SizeSmall})), buttons(mark, next))}
}
