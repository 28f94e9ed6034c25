package inspector

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"

	"retrace/engine"
	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
	"retrace/engine/trajectory/facts"
	"retrace/ui/kit"
	"retrace/ui/look"
	"retrace/ui/state"
	"retrace/ui/words"
)

// why sets the way that was recovered between two input points beside the most
// probable other one: the distance over the network, the speed that the time
// asks for, and what the method said.
func (p *Panel) why(t *state.Trip, r *trajectory.Recovery, before, after int) []fyne.CanvasObject {
	if before < 0 || after < 0 {
		return nil
	}
	net := p.m.Network()
	way, ok := state.DrivenBetween(net, r, before, after)
	s, e := t.Trajectory().Samples[before], t.Trajectory().Samples[after]
	seconds := float64(e.Time-s.Time) / 1000
	if !ok || seconds <= 0 {
		return nil
	}
	a, b := r.Ticks[state.TickOf(r, before)], r.Ticks[state.TickOf(r, after)]
	d, judged := doubtOf(r, before)
	ours := wayFacts{length: b.Along - a.Along, seconds: seconds, probability: 1, elevated: elevated(net, way)}
	all := []wayFacts{ours}
	for _, x := range alternativesOf(r, before, after) {
		all[0].probability -= float64(x.Probability)
		if len(all) == 1 {
			all = append(all, wayFacts{facts.PartLength(net, x.Part), seconds, float64(x.Probability), elevated(net, x.Part)})
		}
	}
	all[0].probability = max(all[0].probability, 0)
	if judged {
		all[0].probability = float64(d.Probability)
	}
	straight := roadnet.Distance(roadnet.Point{Lon: s.Lon, Lat: s.Lat}, roadnet.Point{Lon: e.Lon, Lat: e.Lat})
	rows := []fyne.CanvasObject{whyHead(all),
		whyRow(lang.L("Route length"), all, func(w wayFacts) string { return words.Length(w.length) }),
		whyRow(lang.L("Over {{.S}} s", map[string]any{"S": fmt.Sprintf("%.0f", seconds)}), all, func(w wayFacts) string { return words.Speed(w.length / w.seconds) }),
		whyRow(said(r), all, func(w wayFacts) string { return words.Probability(w.probability) }),
		kit.NewFacts([]kit.Fact{{Name: lang.L("Straight"), Value: words.Length(straight)}})}
	if len(all) > 1 && all[1].probability > all[0].probability {
		rows = append(rows, kit.NewParagraph(whyLess(r), look.Muted, fyne.TextAlignLeading))
	}
	if judged {
		rows = append(rows, kit.NewFacts([]kit.Fact{{Name: lang.L("Risk"), Bold: d.Risk >= facts.Risky,
			Value: lang.L("{{.P}}, expected error {{.D}}", map[string]any{"P": words.Percent(float64(d.Risk)), "D": words.Length(float64(d.Error))})}}))
	}
	title := lang.L("Why: input {{.A}} to {{.B}}", map[string]any{"A": before + 1, "B": after + 1})
	return []fyne.CanvasObject{part(title, kit.NewColumn(3, rows...))}
}

// doubtOf is what is known of the gap that begins with a sample.
func doubtOf(r *trajectory.Recovery, sample int) (trajectory.Doubt, bool) {
	for _, d := range r.Doubts {
		if int(d.FromSample) == sample {
			return d, true
		}
	}
	return trajectory.Doubt{}, false
}

// whyLess says why a way is told though another is more probable by itself.
func whyLess(r *trajectory.Recovery) string {
	if r.Provenance.Method == engine.MethodHMM {
		return lang.L("Another way is more probable for this gap alone. This one belongs to the most probable path of the whole trip.")
	}
	return lang.L("Another way is more probable by itself. This one has more roads in common with all the ways that are likely over the whole trip.")
}

// wayFacts is what is known of one way between two input points.
type wayFacts struct {
	length, seconds, probability float64
	elevated                     bool
}

// said is who gave the ways their probabilities.
func said(r *trajectory.Recovery) string {
	if r.Provenance.Method == engine.MethodHMM {
		return lang.L("Matching")
	}
	return lang.L("Model")
}

// whyHead heads the columns: deck and ground where that is what tells the ways
// apart.
func whyHead(all []wayFacts) fyne.CanvasObject {
	names := []string{lang.L("driven"), lang.L("the other")}
	if len(all) > 1 && all[0].elevated != all[1].elevated {
		for i, w := range all {
			names[i] = lang.L("ground")
			if w.elevated {
				names[i] = lang.L("deck")
			}
		}
	}
	cells := []fyne.CanvasObject{kit.NewText("", kit.Style{})}
	for i := range all {
		cells = append(cells, kit.NewCutText(names[i], kit.Style{Colour: look.Muted, Align: fyne.TextAlignTrailing}, 30))
	}
	return container.NewGridWithColumns(len(cells), cells...)
}

func whyRow(name string, all []wayFacts, value func(wayFacts) string) fyne.CanvasObject {
	cells := []fyne.CanvasObject{kit.NewCutText(name, kit.Style{Colour: look.Muted}, 30)}
	for _, w := range all {
		cells = append(cells, kit.NewCutText(value(w), kit.Style{Align: fyne.TextAlignTrailing}, 30))
	}
	return container.NewGridWithColumns(len(cells), cells...)
}

// elevated reports whether a way leads over an elevated road.
func elevated(net *roadnet.Network, p trajectory.Part) bool {
	for _, s := range p.Segments {
		if net.Flags(s).Has(roadnet.FlagElevated) {
			return true
		}
	}
	return false
}

// alternativesOf are the other ways from one input point to the next, the most
// probable first.
func alternativesOf(r *trajectory.Recovery, before, after int) []trajectory.Alternative {
	var list []trajectory.Alternative
	for _, a := range r.Alternatives {
		if int(a.FromSample) == before && int(a.ToSample) == after && len(a.Part.Segments) > 0 {
			list = append(list, a)
		}
	}
	return list
}
