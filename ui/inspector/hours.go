package inspector

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"

	"retrace/engine/roadnet"
	"retrace/ui/flow"
	"retrace/ui/kit"
	"retrace/ui/look"
	"retrace/ui/words"
)

// hours is how a road was driven by the hour of the day. It comes a little
// later than the rest.
func (p *Panel) hours(id roadnet.SegmentID) fyne.CanvasObject {
	box := container.NewStack()
	p.acts.Hours(id, func(hours [24]flow.Hour) {
		if p.shown.item.Segment != id {
			return
		}
		if content := hourRows(hours); content != nil {
			box.Objects = []fyne.CanvasObject{content}
			p.body.Objects[0].Refresh() // the column makes room
			p.scroll.Refresh()
		}
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
