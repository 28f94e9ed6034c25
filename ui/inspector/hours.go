package inspector

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"

	"retrace/engine/flow"
	"retrace/engine/roadnet"
	"retrace/ui/kit"
	"retrace/ui/look"
	"retrace/ui/state"
	"retrace/ui/words"
)

// driven is how a road was driven, by hour of the day and trip by trip. It comes a
// little later than the rest.
func (p *Panel) driven(id roadnet.SegmentID) fyne.CanvasObject {
	box := container.NewStack()
	p.acts.Driven(id, func(d Driven) {
		if p.shown.item.Segment != id {
			return
		}
		var content []fyne.CanvasObject
		if rows := hourRows(d.Hours); rows != nil {
			content = append(content, rows)
		}
		box.Objects = []fyne.CanvasObject{kit.NewColumn(0, append(content, p.drives(d.Trips))...)}
		p.body.Objects[0].Refresh() // the column makes room
		p.scroll.Refresh()
	})
	return box
}

// hourRows are the counts and the speeds of a day, as plots and in figures; nil
// where nobody drove.
func hourRows(hours [24]flow.Hour) fyne.CanvasObject {
	most, fastest := 0, 0.0
	for _, h := range hours {
		most, fastest = max(most, h.Passes), max(fastest, h.Speed)
	}
	if most == 0 {
		return nil
	}
	var counts, speeds []kit.Step
	var facts []kit.Fact
	for i, h := range hours {
		from, to := float64(i)/24, float64(i+1)/24
		counts = append(counts, kit.Step{From: from, To: to, Value: float64(h.Passes) / float64(most)})
		if fastest > 0 {
			speeds = append(speeds, kit.Step{From: from, To: to, Value: h.Speed / fastest})
		}
		if h.Passes > 0 {
			value := lang.N("{{.N}} drives", h.Passes, map[string]any{"N": words.Count(h.Passes)})
			if h.Speed > 0 {
				value += ", " + words.Speed(h.Speed)
			}
			facts = append(facts, kit.Fact{Name: fmt.Sprintf("%02d–%02d h", i, i+1), Value: value})
		}
	}
	speedPlot, countPlot := kit.NewPlot(30, look.Bars), kit.NewPlot(30, look.Path)
	speedPlot.Set(speeds)
	countPlot.Set(counts)
	return part(lang.L("By hour of the day"),
		plotLine(lang.L("Speed"), lang.L("up to {{.Speed}}", map[string]any{"Speed": words.Speed(fastest)})), speedPlot,
		plotLine(lang.L("Drives"), lang.L("up to {{.N}}", map[string]any{"N": words.Count(most)})), countPlot,
		kit.NewFacts(facts))
}

// maxDrives bounds how many trips over a segment are listed.
const maxDrives = 12

// drives lists the trips that drove a segment.
func (p *Panel) drives(ids []string) fyne.CanvasObject {
	var rows []fyne.CanvasObject
	if note := p.counted(); note != "" {
		rows = append(rows, kit.NewCutText(note, kit.Style{Colour: look.Muted, Size: look.SizeSmall}, 40))
	}
	if len(ids) == 0 {
		return part(lang.L("Trips"), append(rows, kit.NewText(lang.L("No recovered trip drove here."), kit.Style{Colour: look.Muted}))...)
	}
	for i, id := range ids {
		if t := p.m.Trip(id); t != nil && i < maxDrives {
			rows = append(rows, p.drive(t))
		}
	}
	if more := len(ids) - maxDrives; more > 0 {
		rows = append(rows, kit.NewText(lang.L("and {{.N}} more", map[string]any{"N": words.Count(more)}), kit.Style{Colour: look.Muted}))
	}
	return part(lang.N("{{.N}} trips", len(ids), map[string]any{"N": words.Count(len(ids))}), rows...)
}

// counted says that not all trips and times count, as LINKS is set.
func (p *Panel) counted() string {
	if p.m.Traffic() == (state.Traffic{}) {
		return ""
	}
	return lang.L("of the trips, hours and days chosen in LINKS")
}

func (p *Panel) drive(t *state.Trip) fyne.CanvasObject {
	line := kit.NewLine(8, 0, kit.NewCutText(t.Title(), kit.Style{}, 40),
		kit.NewText(words.Day(t.Facts.Start, words.Zone(p.m)), kit.Style{Colour: look.Muted, Size: look.SizeSmall}))
	return kit.NewLive(line, func(bool) {}, func() { p.m.SelectTrip(t.ID()) })
}
