package inspector

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"retrace/engine"
	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
	"retrace/mapview/render"
	"retrace/ui/kit"
	"retrace/ui/look"
	"retrace/ui/state"
	"retrace/ui/words"
)

// How many candidates are listed: at the most, and even of those that are hardly
// possible.
const (
	maxCandidates = 8
	minCandidates = 2
	hardly        = 0.01
)

// candidates are the roads that an input point may lie on, with a bar each: the
// pointer shows one on the map, a click pins the point to it.
func (p *Panel) candidates(t *state.Trip, sample int, m trajectory.SampleMatch) []fyne.CanvasObject {
	if len(m.Candidates) == 0 {
		return nil
	}
	rows := []fyne.CanvasObject{}
	for i, c := range m.Candidates {
		if i == maxCandidates || i >= minCandidates && c.Probability < hardly {
			break
		}
		rows = append(rows, p.candidate(t, sample, m, c))
	}
	if m.State == trajectory.Matched {
		rows = append(rows, kit.NewButton(lang.L("Not on this road"), "cross", kit.Normal, func() { p.acts.Pin(t, sample, m.At.Segment, true) }))
	}
	if pinned(t, sample) {
		rows = append(rows, kit.NewButton(lang.L("Take the pin away"), "pin", kit.Normal, func() { p.acts.Unpin(t, sample) }))
	}
	return []fyne.CanvasObject{clickable(lang.L("Candidates"), lang.L("click to pin"), rows...)}
}

func (p *Panel) candidate(t *state.Trip, sample int, m trajectory.SampleMatch, c trajectory.Candidate) fyne.CanvasObject {
	net := p.m.Network()
	seg := net.Segment(c.Segment)
	chosen := m.State == trajectory.Matched && c.Segment == m.At.Segment
	detail := words.Kind(seg) + ", " + words.Length(float64(c.Distance))
	colour := look.Alternative
	if chosen {
		colour = look.Path
	}
	name := words.Road(seg)
	if isPin(t, sample, c.Segment) {
		name = lang.L("{{.Road}}, pinned", map[string]any{"Road": name})
	}
	row := probabilityRow(name, detail, float64(c.Probability), colour, chosen)
	item := render.Item{Kind: render.CandidateItem, Trip: t.ID(), Index: sample, Segment: c.Segment, At: net.At(c.Position)}
	return kit.NewLive(row, func(over bool) {
		if over {
			p.m.Hover(item)
		} else {
			p.m.Hover(render.Item{})
		}
	}, func() { p.acts.Pin(t, sample, c.Segment, false) })
}

// probabilityRow is a name with its share, what else there is to say, and a bar.
func probabilityRow(name, detail string, probability float64, colour fyne.ThemeColorName, bold bool) fyne.CanvasObject {
	if probability < hardly && !bold { // one line is enough
		return kit.NewLine(8, 1, kit.NewCutText(name, kit.Style{}, 90), kit.NewCutText(detail, kit.Style{Colour: look.Muted, Size: look.SizeSmall}, 20),
			kit.NewText(words.Percent(probability), kit.Style{}))
	}
	bar := kit.NewBar()
	bar.Set(kit.Gauge{Value: float32(probability)}, colour)
	return kit.NewColumn(1,
		kit.NewLine(8, 0, kit.NewCutText(name, kit.Style{Bold: bold}, 40), kit.NewText(words.Percent(probability), kit.Style{Bold: bold})),
		kit.NewCutText(detail, kit.Style{Colour: look.Muted, Size: look.SizeSmall}, 40),
		gap(2, bar))
}

func pinned(t *state.Trip, sample int) bool {
	for _, pin := range t.Pins {
		if pin.Sample == sample {
			return true
		}
	}
	return false
}

func isPin(t *state.Trip, sample int, s roadnet.SegmentID) bool {
	for _, pin := range t.Pins {
		if pin == (engine.Pin{Sample: sample, Segment: s}) {
			return true
		}
	}
	return false
}
